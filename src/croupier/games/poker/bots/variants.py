"""A bot for every variant: it weighs the price of staying in against its part of the pot, found by a bounded number of
samples. Hold'em has bots of its own, which know starting hands and read bets."""

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from croupier.cards import Card
from croupier.game.game import Offer
from croupier.games.poker import HoldemAction, HoldemView
from croupier.games.poker.bots.situation import Spot, apart_from_betting, spot
from croupier.games.poker.rules.actions import FOLD
from croupier.games.poker.rules.config import BOARD_CARDS, HoldemOptions, Pack, Split, Used
from croupier.games.poker.rules.worth import NO_LOW, parts, worth_on

HANDS_DRAWN: Final = 96
"""How many hands are evaluated for a decision, the bot's own included."""
RIVALS_MAX: Final = 3
"""How many rivals get a hand; more would leave too few samples, and seldom do all of them stay in."""


class Style(NamedTuple):
    """How a bot plays. Shares are parts of the pot."""

    opens: float
    """How much better than an equal share its hand must be to open the betting."""
    margin: float
    """The margin over the price that it needs to call."""
    raises: float
    """How much better than an equal share its hand must be to raise or bet after the flop."""
    bet: float
    """What it bets, as a share of the pot."""
    bluffs: float
    """How often it bets a hand that is not good, against one rival."""


SOLID: Final = Style(opens=1.2, margin=0.05, raises=1.4, bet=0.65, bluffs=0.08)
SHARK: Final = Style(opens=1.1, margin=0.03, raises=1.25, bet=0.8, bluffs=0.2)
CALLER: Final = Style(opens=2.0, margin=-0.1, raises=1.8, bet=0.5, bluffs=0.0)


def is_holdem(rules: HoldemOptions) -> bool:
    """Whether two of 52 cards each are played high, as the bots of Hold'em know it."""
    plain = rules.pack is Pack.FULL and rules.hole_cards == 2
    return plain and rules.used is Used.ANY and rules.pot is Split.HIGH


class VariantPolicy:
    """Plays by its equity alone."""

    def __init__(self, random: Random, rules: HoldemOptions, style: Style) -> None:
        self._random = random
        self._rules = rules
        self._style = style

    def __call__(self, view: HoldemView, menu: tuple[Offer[HoldemAction], ...], /) -> HoldemAction:
        apart = apart_from_betting(view, menu)
        if apart is not None:
            return apart
        here = spot(view, menu)
        rivals = len(here.rivals)
        boards = (view.board, *(view.other_boards or ((),) * (self._rules.boards - 1)))
        chance = part_of_pot(self._rules, here.cards, boards, min(rivals, RIVALS_MAX), self._random)
        equal = 1 / (min(rivals, RIVALS_MAX) + 1)
        return self._answer(here, chance, equal) if here.to_call else self._lead(here, chance, equal)

    def _lead(self, here: Spot, chance: float, equal: float) -> HoldemAction:
        """Act where there is nothing to call."""
        style = self._style
        needed = style.opens if not here.view.board else style.raises
        if chance > needed * equal:
            return here.bet_of_pot(style.bet)
        bluffs = len(here.rivals) == 1 and self._random.random() < style.bluffs
        return here.bet_of_pot(style.bet) if bluffs else here.give_up()

    def _answer(self, here: Spot, chance: float, equal: float) -> HoldemAction:
        """Answer a bet. A bet means a better hand than a random one, so the bot discounts its equity."""
        style = self._style
        is_opening = not here.view.board and not here.is_raised
        believed = chance if is_opening else chance * (1 - 0.25 * min(1.0, here.to_call / max(here.pot, 1)))
        needed = style.opens if is_opening else style.raises + 0.15
        if believed > needed * equal and here.can_raise:
            return here.bet_of_pot(style.bet)
        return here.stay() if believed > here.price + style.margin else FOLD


def part_of_pot(
    rules: HoldemOptions, own: tuple[Card, ...], boards: Sequence[tuple[Card, ...]], rivals: int, random: Random
) -> float:
    """The share of the pot that the bot can expect at a showdown with this many random hands."""
    seen = {*own, *(card for board in boards for card in board)}
    left = [card for card in rules.pack_cards if card not in seen]
    missing = [BOARD_CARDS - len(board) for board in boards]
    samples = HANDS_DRAWN // (rivals + 1)
    total = 0.0
    for _ in range(samples):
        drawn = random.sample(left, sum(missing) + rivals * rules.hole_cards)
        full = []
        for board, count in zip(boards, missing, strict=True):
            full.append((*board, *(drawn.pop() for _ in range(count))))
        worth = worth_on(rules, tuple(full))
        hands = [tuple(drawn[place::rivals]) for place in range(rivals)]
        total += _won(rules, worth(own), [worth(hand) for hand in hands])
    return total / samples


def _won(rules: HoldemOptions, own: tuple[int, ...], others: list[tuple[int, ...]]) -> float:
    """The share of the pot that a hand wins against others."""
    split = parts(rules, rules.boards)
    won = 0.0
    for number, (board, is_low) in enumerate(split):
        best = min(other[number] for other in others)
        lows = [each[number + 1] for each in (own, *others)] if (board, True) in split and not is_low else ()
        of_board = 0.5 if is_low or (lows and min(lows) < NO_LOW) else 1.0
        if own[number] <= best and not (is_low and own[number] == NO_LOW):
            tied = sum(1 for other in others if other[number] == own[number])
            won += of_board / (1 + tied)
    return won / rules.boards

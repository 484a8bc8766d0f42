"""Blackjack in numbers. A hand is seen as its total and its cards by rank: ace, two to nine, and ten with the court."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Final

from croupier.cards import Card
from croupier.game.game import Offer
from croupier.games.blackjack import (
    BlackjackRules,
    BlackjackSetup,
    BlackjackView,
    Double,
    Hit,
    Insurance,
    PlaceBet,
    SitOut,
    Split,
    Stand,
    Surrender,
)
from croupier.games.blackjack.rules.actions import BlackjackAction
from croupier.games.blackjack.rules.hands import POINTS
from croupier.games.blackjack.rules.rules import CUSTOMARY_PURSE
from croupier.games.blackjack.rules.state import Phase
from croupier.games.blackjack.rules.view import HandView
from croupier.lab.environments.parts import Layout, Part, marks, part_of

RANKS: Final = 10
HANDS_MAX: Final = 4
HAND_FACTS: Final = 4
POINTS_MAX: Final = 31
"""Above every possible total: ten on a hard 20 makes 30."""
CARDS_MAX: Final = 21
COPIES_MAX: Final = 32
"""Of a rank but ten, in eight decks."""
SHOE_MAX: Final = 416
BETS: Final = {"bet_1": 1, "bet_2": 2, "bet_5": 5, "bet_10": 10}
"""Bets by how many times the least bet they are."""
_PLAYS: Final[dict[str, BlackjackAction]] = {
    "sit_out": SitOut(),
    "hit": Hit(),
    "stand": Stand(),
    "double": Double(),
    "split": Split(),
    "insurance": Insurance(take=True),
    "no_insurance": Insurance(take=False),
    "surrender": Surrender(),
}
ACTIONS: Final = (*BETS, *_PLAYS)


class BlackjackEncoding:
    """Rewards are in least bets, or in points where nobody bets."""

    layout = Layout(
        (
            Part("phase", 3, "bets are placed, insurance or early surrender is asked, hands are played"),
            Part("up_card", RANKS, "1 for the dealer's first card: ace, 2 to 9, ten"),
            Part("hand", 4, "of the hand in turn: hard total, best total, is soft, is a pair"),
            Part("hand_ranks", RANKS, "how many cards of each rank the hand in turn has, out of 21"),
            Part("hands", HANDS_MAX * HAND_FACTS, "for each own hand: is there, best total, bet, is in turn"),
            Part("table_ranks", RANKS, "how many cards of each rank lie face up at the table, out of 32"),
            Part("amounts", 4, "own purse, bet and insurance out of the customary purse; cards in the shoe out of 416"),
        ),
        ACTIONS,
    )

    def __init__(self, rules: BlackjackRules) -> None:
        self._bet_min = rules.bet_min
        self.unit = rules.bet_min or 1

    def setup(self, setup: BlackjackSetup, random: Random) -> BlackjackSetup:
        return setup

    def observe(self, view: BlackjackView, seat: int) -> Mapping[str, Sequence[float]]:
        own = view.seats[seat]
        turn = view.active_hand if seat in view.to_act else None
        hand = None if turn is None else own.hands[turn]
        hands: list[float] = []
        for place in range(HANDS_MAX):
            if place < len(own.hands):
                shown = own.hands[place]
                bet = part_of(shown.bet, CUSTOMARY_PURSE)
                hands += (1.0, part_of(shown.best_value, POINTS_MAX), bet, float(place == turn))
            else:
                hands += [0.0] * HAND_FACTS
        up = view.dealer.show_card
        open_cards = [card for each in view.seats for held in each.hands for card in held.cards]
        amounts = [part_of(amount, CUSTOMARY_PURSE) for amount in (own.chips or 0, own.bet, own.insurance)]
        playing = view.phase is Phase.PLAYING and not view.asked
        return {
            "phase": [float(view.phase is Phase.BETTING), float(seat in view.asked), float(playing)],
            "up_card": [0.0] * RANKS if up is None else marks(RANKS, [POINTS[up] - 1]),
            "hand": [0.0] * 4 if hand is None else _hand(hand),
            "hand_ranks": _ranks(() if hand is None else hand.cards, CARDS_MAX),
            "hands": hands,
            "table_ranks": _ranks((*open_cards, *view.dealer.cards), COPIES_MAX),
            "amounts": [*amounts, part_of(view.shoe_left, SHOE_MAX)],
        }

    def choices(self, view: BlackjackView, menu: tuple[Offer[BlackjackAction], ...]) -> dict[int, BlackjackAction]:
        offered = {offer.action for offer in menu}
        found = {ACTIONS.index(name): action for name, action in _PLAYS.items() if action in offered}
        for offer in menu:
            if isinstance(offer.action, PlaceBet):
                for name, times in BETS.items():
                    if offer.low <= times * self._bet_min <= offer.high:
                        found[ACTIONS.index(name)] = offer.choose(times * self._bet_min)
        return found


def _hand(hand: HandView) -> list[float]:
    totals = [part_of(hand.hard_value, POINTS_MAX), part_of(hand.best_value, POINTS_MAX)]
    pair = len(hand.cards) == 2 and POINTS[hand.cards[0]] == POINTS[hand.cards[1]]
    return [*totals, float(hand.best_value != hand.hard_value), float(pair)]


def _ranks(cards: Iterable[Card], most: int) -> list[float]:
    counts = [0] * RANKS
    for card in cards:
        counts[POINTS[card] - 1] += 1
    return [part_of(count, most) for count in counts]

"""Two bots of Hold'em: a caller, loose and passive, and a solid one that waits for good cards and bets them."""

from random import Random
from typing import Final, TypeAlias

from croupier.game.game import Offer
from croupier.game.policy import Policy
from croupier.games.poker import HoldemAction, HoldemView
from croupier.games.poker.bots.hidden_hands import Rival, chance_to_win, samples_for
from croupier.games.poker.bots.opponents import part_of_pot
from croupier.games.poker.bots.preflop import best, opening_share, share_for, standing
from croupier.games.poker.bots.situation import Spot, apart_from_betting, spot
from croupier.games.poker.rules.actions import CALL, FOLD
from croupier.games.poker.rules.evaluate import Category
from croupier.games.poker.rules.events import Street
from croupier.games.poker.rules.view import HoldemSeat

HoldemPolicy: TypeAlias = Policy[HoldemView, HoldemAction]

TIGHTNESS: Final = 0.75
"""How many hands the solid bot opens, relative to what is customary in its position."""
HEADS_UP_LOOSENESS: Final = 1.5
"""How many more hands it plays on against a raise when there is one rival only."""
WEAK: Final = (Category.HIGH_CARD, Category.ONE_PAIR)


class CallerPolicy:
    """Looks at many flops, calls with a pair or now and then with nothing, and bets only two pair and better."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def __call__(self, view: HoldemView, menu: tuple[Offer[HoldemAction], ...], /) -> HoldemAction:
        apart = apart_from_betting(view, menu)
        if apart is not None:
            return apart
        here = spot(view, menu)
        if view.own is None:
            dear = here.to_call > 4 * view.big_blind
            return here.stay() if standing(here.cards) < (0.3 if dear else 0.7) else here.give_up()
        made = view.own.category
        if made not in WEAK and self._random.random() < 0.5:
            return here.bet_of_pot(0.5)
        stays = made is not Category.HIGH_CARD or self._random.random() < 0.3
        return here.stay() if stays else here.give_up()


class SolidPolicy:
    """Opens by position, continues against raises by the price and its chances, and after the flop bets what is good.

    It judges the others by what they paid before the flop, and asks for more than the price when somebody bets.
    """

    def __init__(self, random: Random) -> None:
        self._random = random

    def __call__(self, view: HoldemView, menu: tuple[Offer[HoldemAction], ...], /) -> HoldemAction:
        apart = apart_from_betting(view, menu)
        if apart is not None:
            return apart
        here = spot(view, menu)
        if view.street is not Street.PREFLOP:
            return self._after_the_flop(here)
        return self._answer_raise(here) if here.is_raised else _open(here)

    def _answer_raise(self, here: Spot) -> HoldemAction:
        bet = here.view.bet / here.view.big_blind
        place = standing(here.cards)
        loose = HEADS_UP_LOOSENESS if here.is_heads_up else 1.0
        raises, calls = (0.05, 0.17) if bet <= 5 else (0.025, 0.07) if bet <= 14 else (0.02, 0.035)
        if here.seat.bet >= here.view.big_blind and bet <= 5:
            calls = 0.25
        if here.to_call >= here.depth_chips:
            return CALL if self._equity(here) > here.price + 0.02 else FOLD
        if place <= raises * loose:
            return here.raise_to(3 * here.view.bet)
        return CALL if place <= calls * loose and self._equity(here) > here.price else FOLD

    def _after_the_flop(self, here: Spot) -> HoldemAction:
        chance = self._equity(here)
        rivals = len(here.rivals)
        good = 0.35 + 0.5 / (rivals + 1)
        if here.can_check:
            if chance > good:
                return here.bet_of_pot(0.6)
            bluffs = rivals == 1 and here.view.street is Street.FLOP and self._random.random() < 0.3
            return here.bet_of_pot(0.5) if bluffs else here.give_up()
        if chance > good + 0.15:
            return here.bet_of_pot(0.8)
        return CALL if chance > here.price + 0.1 else FOLD

    def _equity(self, here: Spot) -> float:
        """The bot's part of the pot at the showdown, if the others hold what they paid for before the flop."""
        rivals = [Rival(best(_share_played(here, rival))) for rival in here.rivals]
        return chance_to_win(here.cards, here.view.board, rivals, self._random, samples_for(rivals))


def _open(here: Spot) -> HoldemAction:
    """The first raise of a hand, or a cheap look at the flop."""
    big_blind = here.view.big_blind
    if standing(here.cards) <= TIGHTNESS * opening_share(here.behind, here.is_heads_up):
        return here.raise_to(round(2.5 * big_blind) + here.limpers * big_blind)
    return here.give_up()


def _share_played(here: Spot, rival: HoldemSeat) -> float:
    """The share of hands played by somebody who has paid as much as this rival before the flop."""
    paid = part_of_pot(here.view) if here.view.board else rival.bet
    return share_for(paid / here.view.big_blind, here.is_heads_up)

"""The best bot of Hold'em: it reads hands from how they were bet, and makes the play of the highest expected value.

After the flop it imagines deals that agree with everything seen so far, lets every rival fold its worst hands against
each bet that it could make, and compares what that brings with checking or calling. Value bets, semi-bluffs and bluffs
all come from that one comparison. Before the flop it plays by position and by what was raised, and with a short stack
it goes all-in or folds.
"""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from random import Random
from typing import Final, NamedTuple

from croupier.game.game import Offer
from croupier.games.poker import HoldemAction, HoldemView
from croupier.games.poker.bots.hidden_hands import Deal, Rival, chance_to_win, equity, imagine, samples_for, share
from croupier.games.poker.bots.opponents import Notes
from croupier.games.poker.bots.preflop import best, opening_share, push_share, share_for, standing
from croupier.games.poker.bots.situation import Spot, apart_from_betting, spot
from croupier.games.poker.rules.actions import CALL, FOLD
from croupier.games.poker.rules.events import Street
from croupier.games.poker.rules.view import HoldemSeat

SHORT_BIG_BLINDS: Final = 12
"""With no more than this, it goes all-in or folds before the flop."""
SIZES: Final = (0.33, 0.66, 1.0)
"""The bets and raises it considers, as shares of the pot."""
OVERBET_MAX: Final = 2.0
"""It considers going all-in for no more than this share of the pot."""
NEARLY_AS_GOOD: Final = 0.015
"""Bets that differ by less than this share of the pot are chosen by chance, so that no size gives a hand away."""
OUT_OF_POSITION: Final = 0.92
"""The factor on the chance to win of a player who must act first on later streets."""
FOLDS: Final = 0.6
"""How often an unknown rival folds, relative to how often it would have to for any two cards to profit from the bet."""
FOLDS_RANGE: Final = (0.3, 1.0)
HANDS_TO_KNOW: Final = 25
"""After so many hands a rival's habits count."""
USUAL_ENTRIES: Final = 0.3
"""The share of hands that an unknown rival plays."""


class Line(NamedTuple):
    """The shares of hands, from the best down, that answer a raise before the flop with a raise, with a call, and, at
    the end, now and then with a bluff."""

    raises: float
    calls: float
    bluffs: float


LINES: Final = ((5, Line(0.05, 0.15, 0.20)), (14, Line(0.03, 0.07, 0.0)), (10**14, Line(0.025, 0.04, 0.0)))
"""Against a bet of up to so many big blinds."""
LINES_HEADS_UP: Final = ((5, Line(0.14, 0.55, 0.65)), (14, Line(0.06, 0.22, 0.0)), (10**14, Line(0.05, 0.09, 0.0)))
BLUFF_CHANCE: Final = 0.35


class SharkPolicy:
    """Narrows the others' hands by what they did in this hand, and weighs every size of bet. See the module."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._notes = Notes()

    def __call__(self, view: HoldemView, menu: tuple[Offer[HoldemAction], ...], /) -> HoldemAction:
        apart = apart_from_betting(view, menu)
        if apart is not None:
            return apart
        here = spot(view, menu)
        self._notes.take(view, here.cards)
        if view.street is not Street.PREFLOP:
            return self._after_the_flop(here)
        if here.depth_chips <= SHORT_BIG_BLINDS * view.big_blind:
            return self._push_or_fold(here)
        return self._answer_raise(here) if here.is_raised else self._open(here)

    def _open(self, here: Spot) -> HoldemAction:
        big_blind = here.view.big_blind
        if standing(here.cards) <= min(0.9, 1.2 * opening_share(here.behind, here.is_heads_up)):
            return here.raise_to(round(2.5 * big_blind) + here.limpers * big_blind)
        return here.give_up()

    def _answer_raise(self, here: Spot) -> HoldemAction:
        bet = here.view.bet / here.view.big_blind
        line = next(line for high, line in (LINES_HEADS_UP if here.is_heads_up else LINES) if bet <= high)
        place = standing(here.cards)
        if here.to_call >= here.depth_chips:
            return CALL if self._chance(here) > here.price + 0.01 else FOLD
        if place <= line.raises or (line.calls < place <= line.bluffs and self._random.random() < BLUFF_CHANCE):
            return here.raise_to(3 * here.view.bet)
        return CALL if place <= line.calls and self._chance(here) > here.price else FOLD

    def _push_or_fold(self, here: Spot) -> HoldemAction:
        depth = here.depth_chips
        if not here.is_raised:
            pushes = standing(here.cards) <= push_share(here.behind, depth / here.view.big_blind)
            return here.raise_to(here.raise_high) if pushes else here.give_up()
        at_stake = 2 * depth - here.to_call if here.can_raise else depth
        profits = self._chance(here) * (here.pot + at_stake) > 1.02 * depth
        return here.raise_to(here.raise_high) if profits else here.give_up()

    def _after_the_flop(self, here: Spot) -> HoldemAction:
        rivals = [self._rival(here, rival) for rival in here.rivals]
        deals = imagine(here.cards, here.view.board, rivals, self._random, samples_for(rivals))
        kept = 1.0 if here.acts_last or here.view.street is Street.RIVER else OUT_OF_POSITION
        staying = kept * equity(deals) * (here.pot + here.to_call) - here.to_call
        bets = self._bets(here)
        worths = [_worth_of_bet(here, deals, to) for to in bets]
        most = max(worths, default=staying)
        if most > max(staying, 0.0):
            good = [to for to, worth in zip(bets, worths, strict=True) if worth > most - NEARLY_AS_GOOD * here.pot]
            return here.raise_to(self._random.choice(good))
        return here.stay() if staying > 0 else here.give_up()

    def _bets(self, here: Spot) -> list[int]:
        """The bets that the bot could make on this street."""
        if not here.can_raise:
            return []
        bets = [to for to in map(here.of_pot, SIZES) if here.raise_low <= to < here.raise_high]
        if here.depth_chips - here.to_call <= OVERBET_MAX * (here.pot + here.to_call):
            bets.append(here.raise_high)
        return bets

    def _rival(self, here: Spot, rival: HoldemSeat) -> Rival:
        paid = self._notes.paid_before_the_flop(here.view, rival.seat) / here.view.big_blind
        played = share_for(paid, here.is_heads_up)
        if rival.all_in and not here.view.board and paid <= SHORT_BIG_BLINDS:
            played = max(played, push_share(2, paid))
        entries = _entries(rival)
        scaled = min(1.0, played * min(2.0, max(0.5, entries / USUAL_ENTRIES)))
        return Rival(best(scaled), self._notes.plays(here.view, rival))

    def _chance(self, here: Spot) -> float:
        """The bot's part of the pot at a showdown with those who have paid for one, or else with everybody."""
        paid = [rival for rival in here.rivals if rival.bet >= here.view.bet or rival.all_in]
        rivals = [self._rival(here, rival) for rival in paid or here.rivals]
        return chance_to_win(here.cards, here.view.board, rivals, self._random, samples_for(rivals))


def _entries(rival: HoldemSeat) -> float:
    """The share of hands that a rival plays, once enough of them were seen."""
    statistics = rival.statistics
    return statistics.vpip / statistics.hands if statistics.hands >= HANDS_TO_KNOW else USUAL_ENTRIES


def _folds(rival: HoldemSeat) -> float:
    """How readily a rival folds: a player of many hands before the flop gives up few after it."""
    low, high = FOLDS_RANGE
    return min(high, max(low, FOLDS + USUAL_ENTRIES - _entries(rival)))


def _worth_of_bet(here: Spot, deals: Sequence[Deal], to: int) -> float:
    """The value of a bet or raise to this amount, relative to folding, if nobody raises it."""
    added = to - here.seat.bet
    answers, cutoffs = [], []
    for number, rival in enumerate(here.rivals):
        answer = max(0, min(to - rival.bet, rival.chips))
        folding = _folds(rival) * answer / (here.pot + added) if answer else 0.0
        answers.append(answer)
        cutoffs.append(_cutoff(deals, number, folding))
    worth = 0.0
    for deal in deals:
        callers = [number for number, cutoff in enumerate(cutoffs) if deal.strengths[number] >= cutoff]
        if not callers:
            worth += deal.weight * here.pot
            continue
        called = [answers[number] for number in callers]
        # What nobody can match comes back.
        risked = min(added, max(here.rivals[number].bet + answers[number] for number in callers) - here.seat.bet)
        won = share(deal.own, [deal.ranks[number] for number in callers])
        worth += deal.weight * (won * (here.pot + risked + sum(called)) - risked)
    return worth


def _cutoff(deals: Sequence[Deal], number: int, folding: float) -> float:
    """The strength below which a rival folds, if it folds this share of its possible hands."""
    if folding <= 0:
        return 0.0
    in_order = sorted((deal.strengths[number], deal.weight) for deal in deals)
    shares = list(accumulate(weight for _, weight in in_order))
    return in_order[min(bisect_left(shares, folding), len(in_order) - 1)][0]

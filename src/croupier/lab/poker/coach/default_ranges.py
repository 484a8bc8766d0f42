"""The ranges that the coach begins with: by position, and by what both players did before the flop."""

from typing import Final

from croupier.games.poker.rules.events import Move
from croupier.lab.poker.coach.hand import CoachedHand
from croupier.lab.poker.position_ranges import CALLS, OPENS, THREE_BET_CALLS, THREE_BETS
from croupier.lab.poker.ranges import RANDOM

LIMP: Final = OPENS["BTN"]
"""A call of the big blind."""
FOUR_BET: Final = "QQ+,AKs,AKo,A5s:0.5"
FOUR_BET_CALL: Final = "TT-KK,AQs+,AKo,KQs:0.5"
BLINDS: Final = ("SB", "BB")
LATE: Final = ("BTN", "CO", "HJ")
EARLY: Final = "UTG"


def position(order: tuple[int, ...], seat: int) -> str:
    """The position of a seat by the usual names; `order` begins left of the button. Heads-up the button is the SB."""
    place = order.index(seat)
    if len(order) == len(BLINDS):
        return BLINDS[1 - place]
    if place < len(BLINDS):
        return BLINDS[place]
    behind = len(order) - 1 - place
    return LATE[behind] if behind < len(LATE) else EARLY


def default_ranges(hand: CoachedHand) -> tuple[str, str]:
    """A range for each of the two players, out of position first."""
    one, other = (_range(hand, seat) for seat in hand.seats)
    return one, other


def _range(hand: CoachedHand, seat: int) -> str:
    raisers = [each.seat for each in hand.preflop if each.move is Move.RAISE]
    own, last = position(hand.order, seat), raisers[-1] if raisers else None
    if last is None:
        # Somebody who did nothing before the flop was in the big blind, or the hand was a bomb pot.
        return LIMP if any(each.seat == seat for each in hand.preflop) else RANDOM
    opener = position(hand.order, last)
    if len(raisers) == 1:
        return OPENS.get(own, OPENS["CO"]) if seat == last else _nearest(CALLS, own, opener)
    if len(raisers) == 2:  # a raise and one more
        if seat == last:
            return _nearest(THREE_BETS, own, position(hand.order, raisers[0]))
        return _nearest(THREE_BET_CALLS if seat == raisers[0] else CALLS, own, opener)
    return FOUR_BET if seat == last else FOUR_BET_CALL


_RANKED: Final = ("UTG", "HJ", "CO", "BTN", "SB", "BB")


def _nearest(chart: dict[tuple[str, str], str], own: str, against: str) -> str:
    """The entry of the chart for these positions, or else the one for the nearest: first by one's own."""

    def distance(key: tuple[str, str]) -> tuple[int, int]:
        return abs(_RANKED.index(key[0]) - _RANKED.index(own)), abs(_RANKED.index(key[1]) - _RANKED.index(against))

    return chart[min(chart, key=distance)]

"""What a hand starts from: stacks, button, hand number, who sits out, who is out. Public, and plain JSON."""

from typing import Final

import msgspec

from croupier.game.refusal import Code, Refusal
from croupier.games.poker.rules.actions import HoldemCode
from croupier.games.poker.rules.config import (
    CHIPS_MAX,
    SEATS_MIN,
    HoldemOptions,
)

MISSED_SMALL: Final = 1
MISSED_BIG: Final = 2
MISSED_BOTH: Final = MISSED_SMALL | MISSED_BIG


class Statistics(msgspec.Struct, frozen=True, rename="camel"):
    """A player's hands so far."""

    hands: int = 0
    """Dealt in."""
    won: int = 0
    """Won a pot or a share of one."""
    vpip: int = 0
    """Put chips in before the flop of their own will: the blinds and antes do not count."""
    pfr: int = 0
    """Raised before the flop."""
    showdowns: int = 0
    """Still in at a showdown."""


class ForcedBets(msgspec.Struct, frozen=True, rename="camel"):
    """What goes in before the cards, seat by seat.

    The rules make it from the level and the button. A hand that was played elsewhere, or with straddles, has it
    written in its setup.
    """

    blinds: tuple[int, ...]
    """Live: they count towards the bet that must be called."""
    antes: tuple[int, ...]
    antes_dead: bool
    """Antes lie in the main pot for everybody who is in, instead of counting towards the pots like a bet."""
    bet_min: int
    """The least bet, and the least raise of the first bet."""
    reopening_min: int
    """The least first raise of a street that reopens the betting: `bet_min`, or 0 in a house where any all-in does.
    With 0, fixed-limit has no cap, and a raise may just complete what a short all-in began: houses differ in that."""
    opening_bet: int
    """What must be called at least, even where nobody could post that much."""
    first: int
    """The seat that acts first before the flop."""
    straddle: int = 0
    """What the least raise before the flop must add because of a straddle; 0 for no more than any other."""
    bomb: bool = False
    """Nobody acts before the flop; the blinds are what everybody posts for a bomb pot."""
    dead: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET
    """What lies in the main pot for everybody: the small blinds that seats missed."""
    returning: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET
    """Seats that post a blind because they missed it."""


class HoldemSetup(msgspec.Struct, frozen=True, rename="camel"):
    """The beginning of a hand. `button` is the button of this hand; `places` are 0 for players who are not out.

    The fields after `forced` are written only where they hold something: setups of before they existed keep their form.
    """

    stacks: tuple[int, ...]
    button: int = 0
    hand: int = 1
    statistics: tuple[Statistics, ...] = ()
    sitting_out: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    forced: ForcedBets | None = None
    small: int | msgspec.UnsetType = msgspec.UNSET
    """With a dead button, after the first hand: the seat whose turn it is to post the small blind, in play or not. The
    big blind is the next player's."""
    missed: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET
    """By seat, which blinds it owes: MISSED_SMALL, MISSED_BIG or both."""
    waiting: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET
    """Of the seats that sit out, those that are dealt in again when the big blind comes to them."""
    bomb: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether the host asked for a bomb pot."""

    def owed(self, seat: int) -> int:
        """Which blinds a seat has missed."""
        return self.missed[seat] if self.missed else 0

    @property
    def waiting_seats(self) -> tuple[int, ...]:
        return self.waiting or ()


def first_setup(options: HoldemOptions, seats: int) -> HoldemSetup:
    """Equal stacks, and the button in seat 0; who wants it drawn replaces `button`."""
    return HoldemSetup(stacks=(options.stack_chips,) * seats, statistics=(Statistics(),) * seats, places=(0,) * seats)


def fault(options: HoldemOptions, setup: HoldemSetup, playing: tuple[int, ...]) -> Refusal | None:
    """Why no hand can start from this with these seats in play, if so."""
    seats = len(setup.stacks)
    seats_max = options.seats_max
    if not SEATS_MIN <= seats <= seats_max:
        return Refusal(Code.WRONG_SEAT_COUNT, {"low": SEATS_MIN, "high": seats_max, "seats": seats})
    if min(setup.stacks) < 0 or max(setup.stacks) > CHIPS_MAX:
        return Refusal(HoldemCode.BAD_HOLDEM_SETUP, {"field": "stacks"})
    if setup.hand < 1:
        return Refusal(HoldemCode.BAD_HOLDEM_SETUP, {"field": "hand"})
    if setup.statistics and len(setup.statistics) != seats:
        return Refusal(HoldemCode.BAD_HOLDEM_SETUP, {"field": "statistics"})
    if setup.places and len(setup.places) != seats:
        return Refusal(HoldemCode.BAD_HOLDEM_SETUP, {"field": "places"})
    if setup.sitting_out and not {*setup.sitting_out} <= {*range(seats)}:
        return Refusal(HoldemCode.BAD_HOLDEM_SETUP, {"field": "sittingOut"})
    if not 0 <= setup.button < seats:
        return Refusal(HoldemCode.BUTTON_NOT_IN_PLAY, {"button": setup.button})
    if len(playing) < SEATS_MIN:
        return Refusal(HoldemCode.TOO_FEW_PLAYERS, {"players": len(playing)})
    if playing[-1] != setup.button and not options.dead_button:
        return Refusal(HoldemCode.BUTTON_NOT_IN_PLAY, {"button": setup.button})
    if setup.forced is not None and not _sound(setup.forced, playing, seats):
        return Refusal(HoldemCode.BAD_HOLDEM_SETUP, {"field": "forced"})
    return None


def misfit(options: HoldemOptions, setup: HoldemSetup) -> Refusal | None:
    """Why this setup says something that these options have no use for, or that cannot be so."""
    field = _misfit(options, setup, len(setup.stacks))
    return Refusal(HoldemCode.BAD_HOLDEM_SETUP, {"field": field}) if field else None


def _misfit(options: HoldemOptions, setup: HoldemSetup, seats: int) -> str:
    """The field; empty if all are fine."""
    small, missed, waiting = setup.small, setup.missed, setup.waiting
    if small is not msgspec.UNSET and not (options.dead_button and 0 <= small < seats):
        return "small"
    if missed is not msgspec.UNSET and not (
        options.missed_blinds and len(missed) == seats and any(missed) and set(missed) <= {*range(MISSED_BOTH + 1)}
    ):
        return "missed"
    if waiting is not msgspec.UNSET and not (
        options.missed_blinds
        and waiting == tuple(sorted({*waiting} & {*setup.sitting_out} & {*range(seats)}))
        and waiting
    ):
        return "waiting"
    if setup.bomb is not msgspec.UNSET and not (options.bomb_ante and setup.bomb):
        return "bomb"
    return ""


def _sound(forced: ForcedBets, playing: tuple[int, ...], seats: int) -> bool:
    amounts = (*forced.blinds, *forced.antes, forced.opening_bet, forced.reopening_min)
    return (
        len(forced.blinds) == len(forced.antes) == seats
        and all(0 <= amount <= CHIPS_MAX for amount in amounts)
        and not any(forced.blinds[seat] or forced.antes[seat] for seat in range(seats) if seat not in playing)
        and 0 < forced.bet_min <= CHIPS_MAX
        and forced.first in playing
        and 0 <= forced.straddle <= CHIPS_MAX
        and (not forced.dead or (len(forced.dead) == seats and all(0 <= part <= CHIPS_MAX for part in forced.dead)))
        and not any(forced.dead[seat] for seat in range(seats) if forced.dead and seat not in playing)
        and not forced.returning
    )

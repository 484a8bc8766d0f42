"""What a hand starts from: stacks, button, hand number, who sits out, who is out. Public, and plain JSON."""

from functools import lru_cache
from typing import Final

import msgspec
from msgspec.structs import replace

from croupier.game.refusal import Code, Refusal
from croupier.games.poker.rules.actions import HoldemCode
from croupier.games.poker.rules.config import CHIPS_MAX, AnteFrom, HoldemOptions, Level, Mode

SEATS_MIN: Final = 2
SEATS_MAX: Final = 10


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
    """The least first raise of a street that reopens the betting: `bet_min`, or 0 in a house where any all-in does."""
    opening_bet: int
    """What must be called at least, even where nobody could post that much."""
    first: int
    """The seat that acts first before the flop."""


class HoldemSetup(msgspec.Struct, frozen=True, rename="camel"):
    """The beginning of a hand. `button` is the button of this hand; `places` are 0 for players who are not out."""

    stacks: tuple[int, ...]
    button: int = 0
    hand: int = 1
    statistics: tuple[Statistics, ...] = ()
    sitting_out: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    forced: ForcedBets | None = None


def first_setup(options: HoldemOptions, seats: int) -> HoldemSetup:
    """Equal stacks, and the button in seat 0; who wants it drawn replaces `button`."""
    return HoldemSetup(stacks=(options.stack_chips,) * seats, statistics=(Statistics(),) * seats, places=(0,) * seats)


def in_play(setup: HoldemSetup) -> tuple[int, ...]:
    """The seats that are dealt in, clockwise from the button's left, the button last."""
    stacks, out = setup.stacks, setup.sitting_out
    after = setup.button % len(stacks) + 1 if stacks else 0
    clockwise = (*range(after, len(stacks)), *range(after))
    if not out and all(stacks):
        return clockwise
    return tuple([seat for seat in clockwise if stacks[seat] and seat not in out])


def fault(setup: HoldemSetup, playing: tuple[int, ...]) -> Refusal | None:
    """Why no hand can start from this with these seats in play, if so."""
    seats = len(setup.stacks)
    if not SEATS_MIN <= seats <= SEATS_MAX:
        return Refusal(Code.WRONG_SEAT_COUNT, {"low": SEATS_MIN, "high": SEATS_MAX, "seats": seats})
    if min(setup.stacks) < 0 or max(setup.stacks) > CHIPS_MAX:
        return Refusal(HoldemCode.BAD_HOLDEM_SETUP, {"field": "stacks"})
    if setup.hand < 1:
        return Refusal(HoldemCode.BAD_HOLDEM_SETUP, {"field": "hand"})
    if setup.statistics and len(setup.statistics) != seats:
        return Refusal(HoldemCode.BAD_HOLDEM_SETUP, {"field": "statistics"})
    if setup.places and len(setup.places) != seats:
        return Refusal(HoldemCode.BAD_HOLDEM_SETUP, {"field": "places"})
    if not 0 <= setup.button < seats:
        return Refusal(HoldemCode.BUTTON_NOT_IN_PLAY, {"button": setup.button})
    if len(playing) < SEATS_MIN:
        return Refusal(HoldemCode.TOO_FEW_PLAYERS, {"players": len(playing)})
    if playing[-1] != setup.button:
        return Refusal(HoldemCode.BUTTON_NOT_IN_PLAY, {"button": setup.button})
    if setup.forced is not None and not _sound(setup.forced, playing, seats):
        return Refusal(HoldemCode.BAD_HOLDEM_SETUP, {"field": "forced"})
    return None


def _sound(forced: ForcedBets, playing: tuple[int, ...], seats: int) -> bool:
    amounts = (*forced.blinds, *forced.antes, forced.opening_bet, forced.reopening_min)
    return (
        len(forced.blinds) == len(forced.antes) == seats
        and all(0 <= amount <= CHIPS_MAX for amount in amounts)
        and not any(forced.blinds[seat] or forced.antes[seat] for seat in range(seats) if seat not in playing)
        and 0 < forced.bet_min <= CHIPS_MAX
        and forced.first in playing
    )


def forced_bets(options: HoldemOptions, setup: HoldemSetup, playing: tuple[int, ...], level: int) -> ForcedBets:
    """The blinds and antes of the seats dealt in: as written in the setup, or as level and button have it.

    Heads-up the button has the small blind and acts first; otherwise the small blind is left of the button, the big
    blind next, and who sits left of it acts first.
    """
    if setup.forced is not None:
        return setup.forced
    return _customary(options.level(level), options.ante_from, playing, len(setup.stacks))


@lru_cache(maxsize=1024)  # A table asks for the same few, hand after hand.
def _customary(level: Level, ante_from: AnteFrom, playing: tuple[int, ...], seats: int) -> ForcedBets:
    blinds = [0] * seats
    small, big = (playing[1], playing[0]) if len(playing) == 2 else (playing[0], playing[1])
    blinds[small], blinds[big] = level.small_blind, level.big_blind
    antes = [0] * seats
    for seat in (big,) if ante_from is AnteFrom.BIG_BLIND else playing:
        antes[seat] = level.ante
    return ForcedBets(
        blinds=tuple(blinds),
        antes=tuple(antes),
        antes_dead=ante_from is AnteFrom.BIG_BLIND,
        bet_min=level.big_blind,
        reopening_min=level.big_blind,
        opening_bet=level.big_blind,
        first=small if len(playing) == 2 else playing[2 % len(playing)],
    )


def top_up(options: HoldemOptions, setup: HoldemSetup, seat: int, chips: int) -> HoldemSetup | Refusal:
    """Buys chips between two hands of a cash game, up to the limit of the table."""
    refusal = _not_between_hands(options, setup, seat)
    if refusal is not None:
        return refusal
    stack, limit = setup.stacks[seat], options.top_up_limit_chips
    if chips < 1:
        return Refusal(HoldemCode.TOP_UP_TOO_SMALL, {"low": 1, "high": max(limit - stack, 0)})
    if stack + chips > limit:
        return Refusal(HoldemCode.TOP_UP_TOO_BIG, {"low": 1, "high": max(limit - stack, 0)})
    stacks = (*setup.stacks[:seat], stack + chips, *setup.stacks[seat + 1 :])
    return _button_in_play(replace(setup, stacks=stacks))


def sit_out(options: HoldemOptions, setup: HoldemSetup, seat: int) -> HoldemSetup | Refusal:
    """Is not dealt in from the next hand of a cash game on. A button on that seat moves on."""
    refusal = _not_between_hands(options, setup, seat)
    if refusal is not None:
        return refusal
    return _button_in_play(replace(setup, sitting_out=tuple(sorted({*setup.sitting_out, seat}))))


def sit_in(options: HoldemOptions, setup: HoldemSetup, seat: int) -> HoldemSetup | Refusal:
    """Is dealt in again."""
    refusal = _not_between_hands(options, setup, seat)
    if refusal is not None:
        return refusal
    return _button_in_play(replace(setup, sitting_out=tuple(out for out in setup.sitting_out if out != seat)))


def cash_out(options: HoldemOptions, setup: HoldemSetup, seat: int) -> HoldemSetup | Refusal:
    """Goes with all chips; the seat is empty."""
    refusal = _not_between_hands(options, setup, seat)
    if refusal is not None:
        return refusal
    stacks = (*setup.stacks[:seat], 0, *setup.stacks[seat + 1 :])
    out = tuple(other for other in setup.sitting_out if other != seat)
    return _button_in_play(replace(setup, stacks=stacks, sitting_out=out))


def _not_between_hands(options: HoldemOptions, setup: HoldemSetup, seat: int) -> Refusal | None:
    if not 0 <= seat < len(setup.stacks):
        return Refusal(Code.NO_SUCH_SEAT, {"seat": seat, "seats": len(setup.stacks)})
    if options.mode is Mode.TOURNAMENT:
        return Refusal(HoldemCode.NOT_IN_TOURNAMENT)
    return None


def _button_in_play(setup: HoldemSetup) -> HoldemSetup:
    """The setup with the button on a seat that is dealt in, if there is one."""
    playing = in_play(setup)
    if not playing or playing[-1] == setup.button:
        return setup
    return replace(setup, button=playing[0])

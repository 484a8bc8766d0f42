"""Who is dealt in, where the button is, and on whom the blinds fall.

The moving button goes to the next player; the blinds follow on it. With the dead button the big blind goes to the next
player, and the small blind and the button to where the big and the small blind were, whether somebody is there or not.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from croupier.games.poker.rules.config import SEATS_MIN, BlindsFrom, HoldemOptions
from croupier.games.poker.rules.setup import MISSED_BIG, MISSED_SMALL, HoldemSetup

_FROM_BUTTON: Final = BlindsFrom.BUTTON


class Positions(NamedTuple):
    """`order` are the seats in the hand, from the button's left round to the button. The button and the small blind may
    be where nobody plays, if the button is a dead one. Where the button alone posts, it is the big blind."""

    order: tuple[int, ...]
    button: int
    small: int
    big: int


def in_play(setup: HoldemSetup) -> tuple[int, ...]:
    """The seats with chips that do not sit out, clockwise from the button's left."""
    stacks, out = setup.stacks, setup.sitting_out
    clockwise = _clockwise(setup.button, len(stacks))
    if not out and all(stacks):
        return clockwise
    return tuple([seat for seat in clockwise if stacks[seat] and seat not in out])


def _clockwise(after: int, seats: int) -> tuple[int, ...]:
    """All seats, from the one after this to this one."""
    first = after % seats + 1 if seats else 0
    return (*range(first, seats), *range(first))


def positions(options: HoldemOptions, setup: HoldemSetup, playing: tuple[int, ...]) -> Positions:
    """The positions with these seats in play, at least two of them, which come clockwise from the button's left."""
    if options.blinds_from is _FROM_BUTTON:
        return Positions(playing, playing[-1], playing[-1], playing[-1])
    if not options.dead_button or setup.small is msgspec.UNSET:
        small, big = (playing[1], playing[0]) if len(playing) == 2 else (playing[0], playing[1])
        return Positions(playing, playing[-1], small, big)
    after_small = _sorted_from(setup.small, playing, len(setup.stacks))
    big = after_small[0]
    if len(playing) == 2:
        other = after_small[1]
        return Positions((big, other), other, other, big)
    button = setup.button
    if button in (big, setup.small):
        # Somebody came in between: a player has one position only.
        button = after_small[-2] if after_small[-1] == setup.small else after_small[-1]
    return Positions(_sorted_from(button, playing, len(setup.stacks)), button, setup.small, big)


def _sorted_from(after: int, playing: Sequence[int], seats: int) -> tuple[int, ...]:
    """These seats clockwise, from the first one after a seat."""
    return tuple([seat for seat in _clockwise(after, seats) if seat in playing])


def seated_for(options: HoldemOptions, setup: HoldemSetup) -> tuple[HoldemSetup, tuple[int, ...]]:
    """The setup as the hand is played from it, and the seats that are dealt in.

    A seat that waits for the big blind is dealt in when the big blind comes to it, or when too few others play. The
    button is put where it is in this hand.
    """
    playing = in_play(setup)
    waiting = setup.waiting_seats
    if waiting:
        arrived = _arriving(options, setup, playing)
        if arrived:
            setup = came_back(setup, arrived)
            playing = in_play(setup)
    if not options.dead_button or setup.small is msgspec.UNSET or len(playing) < SEATS_MIN:
        return setup, playing
    placed = positions(options, setup, playing)
    # `small` stays: heads-up the other player may post the small blind of somebody who sits out, and who owes it then.
    return replace(setup, button=placed.button), placed.order


def _arriving(options: HoldemOptions, setup: HoldemSetup, playing: tuple[int, ...]) -> tuple[int, ...]:
    waiting = tuple([seat for seat in setup.waiting_seats if setup.stacks[seat]])
    if len(playing) < SEATS_MIN:
        return waiting
    for seat in _sorted_from(setup.button, waiting, len(setup.stacks)):
        if position_of(options, setup, playing, seat) == MISSED_BIG:
            return (seat,)
    return ()


def position_of(options: HoldemOptions, setup: HoldemSetup, playing: tuple[int, ...], seat: int) -> int:
    """Which blind would fall on a seat that is not in play, if it were: MISSED_SMALL, MISSED_BIG, or 0 for none."""
    placed = positions(options, setup, _sorted_from(setup.button, (*playing, seat), len(setup.stacks)))
    return MISSED_BIG if placed.big == seat else MISSED_SMALL if placed.small == seat else 0


def came_back(setup: HoldemSetup, seats: Sequence[int]) -> HoldemSetup:
    """The setup with these seats no longer sitting out."""
    waiting = tuple([seat for seat in setup.waiting_seats if seat not in seats])
    return replace(
        setup,
        sitting_out=tuple([out for out in setup.sitting_out if out not in seats]),
        waiting=waiting or msgspec.UNSET,
    )

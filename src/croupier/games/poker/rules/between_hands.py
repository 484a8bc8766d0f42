"""What happens to a setup between two hands of a cash game: people buy chips, sit out, come back, go."""

import msgspec
from msgspec.structs import replace

from croupier.game.refusal import Code, Refusal
from croupier.games.poker.rules.actions import HoldemCode
from croupier.games.poker.rules.config import SEATS_MIN, HoldemOptions, Mode
from croupier.games.poker.rules.positions import came_back, in_play
from croupier.games.poker.rules.setup import MISSED_BIG, HoldemSetup


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
    return _button_in_play(options, replace(setup, stacks=stacks))


def take_seat(options: HoldemOptions, setup: HoldemSetup, seat: int, chips: int) -> HoldemSetup | Refusal:
    """Brings chips to a seat. Where missed blinds are owed, a newcomer to a running game owes the big blind: else
    leaving and coming again would pay no blinds."""
    running = len(in_play(setup)) >= SEATS_MIN
    seated = top_up(options, setup, seat, chips)
    if isinstance(seated, Refusal) or not (options.missed_blinds and running):
        return seated
    return replace(seated, missed=_owing(seated, seat, MISSED_BIG))


def sit_out(options: HoldemOptions, setup: HoldemSetup, seat: int) -> HoldemSetup | Refusal:
    """Is not dealt in from the next hand of a cash game on. A button on that seat moves on."""
    refusal = _not_between_hands(options, setup, seat)
    if refusal is not None:
        return refusal
    waiting = tuple([other for other in setup.waiting_seats if other != seat])
    out = tuple(sorted({*setup.sitting_out, seat}))
    return _button_in_play(options, replace(setup, sitting_out=out, waiting=waiting or msgspec.UNSET))


def sit_in(options: HoldemOptions, setup: HoldemSetup, seat: int) -> HoldemSetup | Refusal:
    """Is dealt in again. What blinds the seat has missed, it posts."""
    refusal = _not_between_hands(options, setup, seat)
    if refusal is not None:
        return refusal
    return _button_in_play(options, came_back(setup, (seat,)))


def wait_for_big_blind(options: HoldemOptions, setup: HoldemSetup, seat: int) -> HoldemSetup | Refusal:
    """Is dealt in again when the big blind comes to the seat, and posts no blinds that it has missed. A seat that has
    missed none is dealt in at once."""
    refusal = _not_between_hands(options, setup, seat)
    if refusal is not None:
        return refusal
    if not setup.owed(seat):
        return _button_in_play(options, came_back(setup, (seat,)))
    out, waiting = (tuple(sorted({*seats, seat})) for seats in (setup.sitting_out, setup.waiting_seats))
    return _button_in_play(options, replace(setup, sitting_out=out, waiting=waiting))


def ask_bomb_pot(options: HoldemOptions, setup: HoldemSetup) -> HoldemSetup | Refusal:
    """Makes the next hand a bomb pot; it may be one already."""
    return replace(setup, bomb=True) if options.bomb_ante else Refusal(HoldemCode.NO_BOMB_POTS)


def cash_out(options: HoldemOptions, setup: HoldemSetup, seat: int) -> HoldemSetup | Refusal:
    """Goes with all chips; the seat is empty."""
    refusal = _not_between_hands(options, setup, seat)
    if refusal is not None:
        return refusal
    stacks = (*setup.stacks[:seat], 0, *setup.stacks[seat + 1 :])
    left = replace(came_back(setup, (seat,)), stacks=stacks, missed=_owing(setup, seat, 0))
    return _button_in_play(options, left)


def _owing(setup: HoldemSetup, seat: int, blinds: int) -> tuple[int, ...] | msgspec.UnsetType:
    """What all seats owe, with this for one of them."""
    missed = list(setup.missed or (0,) * len(setup.stacks))
    missed[seat] = blinds
    return tuple(missed) if any(missed) else msgspec.UNSET


def _not_between_hands(options: HoldemOptions, setup: HoldemSetup, seat: int) -> Refusal | None:
    if not 0 <= seat < len(setup.stacks):
        return Refusal(Code.NO_SUCH_SEAT, {"seat": seat, "seats": len(setup.stacks)})
    if options.mode is Mode.TOURNAMENT:
        return Refusal(HoldemCode.NOT_IN_TOURNAMENT)
    return None


def _button_in_play(options: HoldemOptions, setup: HoldemSetup) -> HoldemSetup:
    """The setup with the button on a seat that is dealt in, if there is one. A dead button stays where it is."""
    playing = in_play(setup)
    if not playing or playing[-1] == setup.button or (options.dead_button and setup.small is not msgspec.UNSET):
        return setup
    return replace(setup, button=playing[0])

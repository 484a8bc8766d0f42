"""Why an action that the menu does not offer was refused, as precisely as helps its player."""

from typing import Final

from croupier.game.refusal import Code as CommonCode
from croupier.game.refusal import Refusal
from croupier.games.sequence.rules.actions import (
    ExchangeDeadCard,
    PlayJackRemove,
    PlayJackWild,
    PlayNormal,
    SequenceAction,
)
from croupier.games.sequence.rules.board import CELL_COUNT, CELLS_OF, CORNERS, cells_in, dead_among
from croupier.games.sequence.rules.cards import KINDS, CardId, Kind
from croupier.games.sequence.rules.codes import Code
from croupier.games.sequence.rules.config import Options
from croupier.games.sequence.rules.state import Phase, State

_JACK_ACTIONS: Final = {Kind.WILD: "TURN_PLAY_JACK_WILD", Kind.REMOVE: "TURN_PLAY_JACK_REMOVE"}


def explain(options: Options, state: State, seat: int, action: SequenceAction) -> Refusal:
    """The refusal of an action that is not in the menu: the first reason, in the order turn, card, cell."""
    if not 0 <= seat < state.setup.seats:
        return no_such_seat(seat, state.setup.seats)
    if state.phase is Phase.OVER:
        return Refusal(CommonCode.ROUND_OVER)
    if state.phase is not Phase.PLAY or seat != state.seat:
        return Refusal(CommonCode.NOT_YOUR_TURN, {"turn": state.seat})
    if action.card_id not in state.hands[seat].cards.open():
        return Refusal(Code.CARD_NOT_IN_HAND, {"card": action.card_id})
    match action:
        case PlayNormal(card, cell):
            reason = _why_not_normal(options, state, card, cell)
        case PlayJackWild(card, cell):
            reason = _why_not_wild(options, state, card, cell)
        case PlayJackRemove(card, cell):
            reason = _why_not_remove(options, state, card, cell)
        case ExchangeDeadCard(card):
            reason = _why_not_exchanged(options, state, card)
    return reason


def no_such_seat(seat: int, seats: int) -> Refusal:
    return Refusal(CommonCode.NO_SUCH_SEAT, {"seat": seat, "seats": seats})


def _why_not_normal(options: Options, state: State, card: CardId, cell: int) -> Refusal:
    kind = KINDS[options.jacks][card]
    if kind is not Kind.NORMAL:
        return Refusal(Code.JACK_NEEDS_OWN_ACTION, {"card": card, "action": _JACK_ACTIONS[kind]})
    cells = cells_in(CELLS_OF[card])
    if dead_among((card,), state.occupied()):
        return Refusal(Code.DEAD_CARD, {"card": card, "cells": cells})
    if cell not in cells:
        return Refusal(Code.WRONG_CELL, {"card": card, "cell": cell, "cells": cells})
    return Refusal(Code.CELL_TAKEN, {"cell": cell})


def _why_not_wild(options: Options, state: State, card: CardId, cell: int) -> Refusal:
    if KINDS[options.jacks][card] is not Kind.WILD:
        return Refusal(Code.NOT_A_WILD_JACK, {"card": card})
    if not 0 <= cell < CELL_COUNT:
        return _no_such_cell(cell)
    if options.free_corners and 1 << cell & CORNERS:
        return Refusal(Code.CORNER_IS_FREE, {"cell": cell})
    if cell == state.cleared_cell:
        return Refusal(Code.CELL_JUST_CLEARED, {"cell": cell})
    return Refusal(Code.CELL_TAKEN, {"cell": cell})


def _why_not_remove(options: Options, state: State, card: CardId, cell: int) -> Refusal:
    if KINDS[options.jacks][card] is not Kind.REMOVE:
        return Refusal(Code.NOT_A_REMOVE_JACK, {"card": card})
    if not 0 <= cell < CELL_COUNT:
        return _no_such_cell(cell)
    if 1 << cell & state.occupied() & ~state.chips[state.team]:
        return Refusal(Code.CHIP_PROTECTED, {"cell": cell})
    return Refusal(Code.NOT_OPPONENT_CHIP, {"cell": cell})


def _why_not_exchanged(options: Options, state: State, card: CardId) -> Refusal:
    if not options.exchange_dead_cards:
        return Refusal(Code.NO_EXCHANGE, {"card": card})
    if not dead_among((card,), state.occupied()):
        return Refusal(Code.CARD_NOT_DEAD, {"card": card})
    return Refusal(Code.ALREADY_EXCHANGED, {"card": card})


def _no_such_cell(cell: int) -> Refusal:
    return Refusal(Code.NO_SUCH_CELL, {"cell": cell, "low": 0, "high": CELL_COUNT - 1})

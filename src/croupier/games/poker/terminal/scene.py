"""A hand of Hold'em: the board, the pot and one's own cards on top, a row a seat below."""

from typing import Final

from rich.text import Text

from croupier.clients.snapshot import Moment
from croupier.clients.terminal.scene.parts import (
    DIM,
    FACE_DOWN,
    GOLD,
    GREEN,
    NO_CARD,
    RED,
    UNPROVED,
    Focus,
    beside,
    boxes,
    column,
    inline,
    name_column,
)
from croupier.clients.terminal.words import Words, pad_left
from croupier.games.poker.rules.events import Street
from croupier.games.poker.rules.view import HoldemSeat, HoldemView

BOARD_CARDS: Final = 5
BOARD_CELLS: Final = 28
TALK_CELLS: Final = 32
STACK_CELLS: Final = 8
BET_CELLS: Final = 16
_BOARD_BY_STREET: Final = {Street.PREFLOP: 0, Street.FLOP: 3, Street.TURN: 4}


def draw_holdem(moment: Moment, words: Words, focus: Focus) -> list[Text]:
    view = moment.view
    assert isinstance(view, HoldemView)
    board: list[object] = (
        [*view.board] if moment.is_proved else [UNPROVED] * _BOARD_BY_STREET.get(view.street, BOARD_CARDS)
    )
    board += [NO_CARD] * (BOARD_CARDS - len(board))
    back = FACE_DOWN if moment.is_proved else UNPROVED
    own: list[object] = []
    if moment.seat is not None:
        mine = view.seats[moment.seat]
        own = [*mine.cards] if any(mine.cards) else [back] * 2 if mine.has_cards else []
    indent = [Text(" ")] * 3
    rows = beside(
        (indent, 1), (boxes(board, words), BOARD_CELLS), (_talk(view, words), TALK_CELLS), (boxes(own, words), 10)
    )
    seats = [_seat_row(moment, view, seat, words) for seat in view.seats if _is_taken(moment, seat)]
    return [*rows, Text(), *seats]


def _is_taken(moment: Moment, seat: HoldemSeat) -> bool:
    return any(member.seat == seat.seat for member in moment.public.members) or seat.in_hand


def _talk(view: HoldemView, words: Words) -> list[Text]:
    """What stands between the board and one's own cards: pots, the price of staying in, the hand so far."""
    t = words.t
    total = view.total or sum(award.amount for award in view.awards)
    pots = [t("holdem.pot", amount=total)]
    pots += [t("holdem.side_pot", amount=pot.amount) for pot in view.pots[1:]]
    lines = [Text("  ".join(pots), style=GOLD)]
    lines.append(Text(t("holdem.to_call", toCall=view.to_call) if view.to_call else t(f"street.{view.street}")))
    lines.append(Text(t(f"hand.{view.own.category.name}") if view.own is not None else "", style=GREEN))
    return lines


def _seat_row(moment: Moment, view: HoldemView, seat: HoldemSeat, words: Words) -> Text:
    t = words.t
    is_turn = seat.seat in view.to_act and not moment.round_over
    mine = seat.seat == moment.seat
    gone = not seat.in_hand and not moment.round_over
    style = GOLD if is_turn else DIM if gone or seat.place > 1 else "bold" if mine else ""
    row = Text(" ")
    row.append_text(column((">" if words.ascii_only else "▶") if is_turn else " ", 2, GOLD))
    row.append_text(name_column(words.name(moment.public, seat.seat), style, words, mine=mine))
    row.append(pad_left(str(seat.chips), STACK_CELLS), style=style)
    row.append_text(column(" D" if view.button == seat.seat else "", 4, GOLD))
    row.append_text(column(t("play.holdem.bet", amount=seat.bet) if seat.bet else "", BET_CELLS))
    if any(seat.cards):
        row.append_text(inline(seat.cards, words))
    elif seat.has_cards:
        hidden = "## ##" if words.ascii_only else "▒▒ ▒▒"
        row.append(hidden if moment.is_proved else f"{UNPROVED} {UNPROVED}", style=DIM)
    else:
        row.append(" " * 5)
    row.append("  ").append_text(_state(moment, view, seat, words))
    return row


def _state(moment: Moment, view: HoldemView, seat: HoldemSeat, words: Words) -> Text:
    """What is special about a seat: its result, all-in, folded, out."""
    t = words.t
    if moment.round_over and view.payouts and view.payouts[seat.seat]:
        change = view.payouts[seat.seat]
        return Text(f"{change:+}", style=GREEN if change > 0 else RED)
    if seat.place:
        return Text(t("holdem.place", place=seat.place), style=DIM)
    shown = seat.state and (seat.sitting_out or not moment.round_over)
    return Text(t(f"holdem.state.{seat.state}") if shown else "", style=RED if seat.all_in else DIM)

"""A hand of Hold'em: the board, the pot and the player's own cards on top, then one row per seat."""

from typing import Final

from rich.text import Text

from croupier.cards import Card
from croupier.clients.snapshot import Snapshot
from croupier.clients.terminal.blocks import (
    DIM,
    FACE_DOWN,
    GOLD,
    GREEN,
    NO_CARD,
    RED,
    UNPROVED,
    beside,
    boxes,
    column,
    inline,
    name_column,
    turn_mark,
)
from croupier.clients.terminal.words import Words, pad_left
from croupier.games.poker.rules.events import Street
from croupier.games.poker.rules.view import HoldemSeat, HoldemView, MadeHand

BOARD_CARDS: Final = 5
BOARD_CELLS: Final = 28
TALK_CELLS: Final = 32
STACK_CELLS: Final = 8
BET_CELLS: Final = 16
_BOARD_BY_STREET: Final = {Street.PREFLOP: 0, Street.FLOP: 3, Street.TURN: 4}


def draw_poker(snapshot: Snapshot, words: Words) -> list[Text]:
    view = snapshot.view
    assert isinstance(view, HoldemView)
    boards = [_board(snapshot, view, cards) for cards in (view.board, *view.other_boards)]
    back = FACE_DOWN if snapshot.is_proved else UNPROVED
    own: list[object] = []
    if snapshot.seat is not None:
        mine = view.seats[snapshot.seat]
        own = [*mine.cards] if any(mine.cards) else [back] * len(mine.cards) if mine.has_cards else []
    indent = [Text(" ")] * 3
    talk = (_talk(view, words), TALK_CELLS)
    if len(own) <= 2:
        rows = beside((indent, 1), (boxes(boards[0], words), BOARD_CELLS), talk, (boxes(own, words), 10))
    else:
        rows = beside((indent, 1), (boxes(boards[0], words), BOARD_CELLS), talk)
    for board in boards[1:]:
        rows += beside((indent, 1), (boxes(board, words), BOARD_CELLS))
    if len(own) > 2:
        rows += beside((indent, 1), (boxes(own, words), 5 * len(own)))
    seats = [_seat_row(snapshot, view, seat, words) for seat in view.seats if _is_taken(snapshot, seat)]
    return [*rows, Text(), *seats]


def _board(snapshot: Snapshot, view: HoldemView, cards: tuple[Card, ...]) -> list[object]:
    board: list[object] = (
        [*cards] if snapshot.is_proved else [UNPROVED] * _BOARD_BY_STREET.get(view.street, BOARD_CARDS)
    )
    return board + [NO_CARD] * (BOARD_CARDS - len(board))


def _is_taken(snapshot: Snapshot, seat: HoldemSeat) -> bool:
    return any(member.seat == seat.seat for member in snapshot.public.members) or seat.in_hand


def _talk(view: HoldemView, words: Words) -> list[Text]:
    """The rows between the board and the player's own cards: pots, the price of staying in, the hand so far."""
    t = words.t
    total = view.total or sum(award.amount for award in view.awards)
    pots = [t("poker.pot", amount=total)]
    pots += [t("poker.side_pot", amount=pot.amount) for pot in view.pots[1:]]
    lines = [Text("  ".join(pots), style=GOLD)]
    lines.append(Text(t("poker.to_call", toCall=view.to_call) if view.to_call else t(f"street.{view.street}")))
    made = () if view.own is None else (view.own, *view.own_others)
    names = [made_name(each, words) for each in made]
    if view.other_boards:
        names = [t("play.poker.on_board", board=number, line=name) for number, name in enumerate(names, start=1)]
    lines += [Text(name, style=GREEN) for name in names] or [Text("")]
    return lines


def made_name(made: MadeHand, words: Words) -> str:
    """What a hand is called, with its low if it has one."""
    name = words.t(f"hand.{made.category.name}")
    return f"{name}, {words.t('play.poker.low', cards=words.cards(made.low))}" if made.low else name


def _seat_row(snapshot: Snapshot, view: HoldemView, seat: HoldemSeat, words: Words) -> Text:
    t = words.t
    is_turn = seat.seat in view.to_act and not snapshot.round_over
    mine = seat.seat == snapshot.seat
    gone = not seat.in_hand and not snapshot.round_over
    style = GOLD if is_turn else DIM if gone or seat.place > 1 else "bold" if mine else ""
    row = Text(" ")
    row.append_text(column(turn_mark(words) if is_turn else " ", 2, GOLD))
    row.append_text(name_column(words.name(snapshot.public, seat.seat), style, words, mine=mine))
    row.append(pad_left(str(seat.chips), STACK_CELLS), style=style)
    row.append_text(column(" D" if view.button == seat.seat else "", 4, GOLD))
    row.append_text(column(t("play.poker.bet", amount=seat.bet) if seat.bet else "", BET_CELLS))
    if any(seat.cards):
        row.append_text(inline(seat.cards, words))
    elif seat.has_cards:
        back = UNPROVED if not snapshot.is_proved else "##" if words.ascii_only else "▒▒"
        row.append(" ".join([back] * len(seat.cards)), style=DIM)
    else:
        row.append(" " * 5)
    row.append("  ").append_text(_state(snapshot, view, seat, words))
    return row


def _state(snapshot: Snapshot, view: HoldemView, seat: HoldemSeat, words: Words) -> Text:
    """What is special about a seat: its result, all-in, folded, out."""
    t = words.t
    if snapshot.round_over and view.payouts and view.payouts[seat.seat]:
        change = view.payouts[seat.seat]
        return Text(f"{change:+}", style=GREEN if change > 0 else RED)
    if seat.place:
        return Text(t("poker.place", place=seat.place), style=DIM)
    shown = seat.state and (seat.sitting_out or not snapshot.round_over)
    return Text(t(f"poker.state.{seat.state}") if shown else "", style=RED if seat.all_in else DIM)

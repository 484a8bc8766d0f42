"""A round of blackjack: the dealer's cards and the player's own on top, then one row per hand."""

from typing import Final

from rich.text import Text

from croupier.clients.snapshot import Snapshot
from croupier.clients.terminal.blocks import (
    DIM,
    FACE_DOWN,
    GOLD,
    GREEN,
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
from croupier.games.blackjack.rules.state import Status
from croupier.games.blackjack.rules.view import BlackjackView, HandView

SIDE_CELLS: Final = 39
PURSE_CELLS: Final = 8
BET_CELLS: Final = 12
CARDS_CELLS: Final = 21
ROW_CELLS_MAX: Final = 80
_RESULT_STYLES: Final = {Status.WIN: GREEN, Status.BLACKJACK: GREEN, Status.LOSE: RED, Status.BUSTED: RED}


def draw_blackjack(snapshot: Snapshot, words: Words) -> list[Text]:
    view = snapshot.view
    assert isinstance(view, BlackjackView)
    rows = beside((_dealer(snapshot, view, words), SIDE_CELLS), (_own(snapshot, view, words), SIDE_CELLS))
    hands = [row for seat in range(len(view.seats)) for row in _seat_rows(snapshot, view, seat, words)]
    return [*rows, Text(), *hands]


def _dealer(snapshot: Snapshot, view: BlackjackView, words: Words) -> list[Text]:
    dealer = view.dealer
    cards: list[object] = [*dealer.cards]
    if cards and not dealer.is_revealed:
        cards.append(FACE_DOWN)
    title = Text(f" {words.t('play.blackjack.dealer')}", style="bold")
    if not snapshot.is_proved:
        cards = [UNPROVED] * 2
    elif dealer.cards:
        title.append(f"  {dealer.best_value}", style=RED if dealer.best_value > 21 else GOLD)
    return [title, *_indented(boxes(cards, words))]


def _own(snapshot: Snapshot, view: BlackjackView, words: Words) -> list[Text]:
    """The hand that is to be played; between the turns, the first."""
    if snapshot.seat is None or not view.seats[snapshot.seat].hands:
        return []
    active = view.active_hand if snapshot.seat in view.to_act else None
    hand = view.seats[snapshot.seat].hands[active or 0]
    title = Text(f" {words.name(snapshot.public, snapshot.seat)}", style="bold")
    if not snapshot.is_proved:
        return [title, *_indented(boxes([UNPROVED] * 2, words))]
    title.append(f"  {_worth(hand)}", style=RED if hand.best_value > 21 else GOLD)
    return [title, *_indented(boxes(hand.cards, words))]


def _worth(hand: HandView) -> str:
    """A soft hand by both its totals, `7/17`."""
    both = hand.hard_value != hand.best_value
    return f"{hand.hard_value}/{hand.best_value}" if both else str(hand.best_value)


def _indented(rows: list[Text]) -> list[Text]:
    return [Text(" ").append_text(row) for row in rows]


def _seat_rows(snapshot: Snapshot, view: BlackjackView, number: int, words: Words) -> list[Text]:
    seat = view.seats[number]
    return [_hand_row(snapshot, view, number, index, words) for index in range(max(1, len(seat.hands)))]


def _hand_row(snapshot: Snapshot, view: BlackjackView, number: int, index: int, words: Words) -> Text:
    """One hand; its bet with the insurance, `50 +25`."""
    seat = view.seats[number]
    hand = seat.hands[index] if seat.hands else None
    is_turn = number in view.to_act and view.active_hand in (None, index)
    mine = number == snapshot.seat
    row = Text(" ")
    row.append_text(column(turn_mark(words) if is_turn else " ", 2, GOLD))
    name = words.name(snapshot.public, number) if index == 0 else ""
    style = GOLD if is_turn else "bold" if mine else ""
    row.append_text(name_column(name, style, words, mine=mine and index == 0))
    row.append(pad_left(str(seat.chips or 0) if index == 0 else "", PURSE_CELLS))
    bet = hand.bet if hand is not None else seat.bet
    insured = f" +{seat.insurance}" if seat.insurance and index == 0 else ""
    row.append_text(column(f"  {bet}{insured}" if bet else "", BET_CELLS, GOLD))
    if hand is None:
        return row
    cards = inline(hand.cards, words).append(f" {_worth(hand)}", style=DIM)
    if not snapshot.is_proved:
        cards = Text(f"{UNPROVED} {UNPROVED}", style=DIM)
    row.append_text(cards).append(" " * max(1, CARDS_CELLS - cards.cell_len))
    status = "" if hand.status is Status.ACTIVE else words.t(f"blackjack.state.{hand.status}")
    row.append(status, style=_RESULT_STYLES.get(hand.status, DIM))
    if isinstance(hand.payout, int):
        row.append(f" {hand.payout - hand.bet:+}", style=_RESULT_STYLES.get(hand.status, DIM))
    row.truncate(ROW_CELLS_MAX)
    return row

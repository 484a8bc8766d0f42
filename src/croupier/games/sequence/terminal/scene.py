"""A game of Sequence: the board, beside it the teams, below it the player's own cards."""

from typing import Final

from rich.style import Style
from rich.text import Text

from croupier.clients.snapshot import Snapshot
from croupier.clients.terminal.blocks import (
    CELL,
    DIM,
    GOLD,
    RED,
    UNPROVED,
    Focus,
    beside,
    card_style,
    column,
    pressing,
    turn_mark,
)
from croupier.clients.terminal.words import Words, pad
from croupier.games.sequence.rules.board import CELL_COUNT, FACES, SIDE
from croupier.games.sequence.rules.cards import KINDS, Kind
from croupier.games.sequence.rules.view import SequenceView
from croupier.games.sequence.terminal.cards import card_text, cell_text

CELL_CELLS: Final = 6
BOARD_CELLS: Final = 3 + CELL_CELLS * SIDE
TEAM_COLORS: Final = {"A": "#ffffff on #1f5fbf", "B": "#ffffff on #1d7a3a", "C": "#ffffff on #a8322a"}
_JACK_SIGNS: Final = {Kind.WILD: "+", Kind.REMOVE: "-"}
CURSOR: Final = "bold #000000 on #ffd75f"


def draw_sequence(snapshot: Snapshot, words: Words, focus: Focus) -> list[Text]:
    view = snapshot.view
    assert isinstance(view, SequenceView)
    board = beside((_board(view, words, focus), BOARD_CELLS), (_teams(snapshot, view, words), 16))
    return [*board, _hand(view, words, focus) if snapshot.is_proved else _unproved_hand(snapshot, view)]


def _board(view: SequenceView, words: Words, focus: Focus) -> list[Text]:
    heading = "   " + "".join(f" +{number}".ljust(CELL_CELLS) for number in range(SIDE))
    rows = [Text(heading, style=DIM)]
    protected = {cell for done in view.completed_sequences for cell in done.cells}
    for start in range(0, CELL_COUNT, SIDE):
        row = Text(f"{start:>2} ", style=DIM)
        for cell in range(start, start + SIDE):
            row.append_text(_cell(view, cell, words, focus, protected=cell in protected))
        rows.append(row)
    return rows


def _cell(view: SequenceView, cell: int, words: Words, focus: Focus, *, protected: bool) -> Text:
    """Its card, the team of the chip on it, and a star where that is part of a sequence. What can be chosen stands in
    brackets, so that no colour is needed to see it."""
    team = view.chips_by_cell.get(cell, "")
    face = cell_text(FACES[cell], words)
    possible = cell in focus.cells
    left, right = ("[", "]") if possible else (" ", " ")
    text = pad(f"{left}{face}{team}{'*' if protected else ''}{right}", CELL_CELLS)
    if cell == focus.cursor:
        style = Style.parse(CURSOR)
    elif team:
        style = Style.parse(TEAM_COLORS[team] + (" bold" if protected or possible else ""))
    else:
        style = Style.parse(GOLD if possible else card_style(face).removeprefix("bold "))
    return Text(text, style=style + pressing(f"{CELL}{cell}"))


def _teams(snapshot: Snapshot, view: SequenceView, words: Words) -> list[Text]:
    lines = [
        Text(words.t("play.sequence.turn", turn=view.turn_number), style="bold"),
        Text(words.t("sequence.pack_left", packLeft=view.pack_left), style=DIM),
    ]
    for team, score in view.score_by_team.items():
        lines.append(Text(f" {team}  {score}/{view.sequences_to_win} ", style=TEAM_COLORS[team]))
        for seat, its in enumerate(view.team_by_seat):
            if its == team:
                mark = turn_mark(words) if seat == view.current_seat else " "
                mine = "bold" if seat == snapshot.seat else ""
                lines.append(Text(f"{mark} {words.name(snapshot.public, seat)}", style=mine))
    return lines


def _unproved_hand(snapshot: Snapshot, view: SequenceView) -> Text:
    size = view.hand_size_by_seat[snapshot.seat] if snapshot.seat is not None and view.hand_size_by_seat else 0
    return Text(" " + " ".join([UNPROVED] * size), style=RED)


def _hand(view: SequenceView, words: Words, focus: Focus) -> Text:
    """The player's own cards with their numbers: a jack that puts a chip anywhere has a plus, one that takes a chip
    away a minus. A dead card is struck out."""
    row = Text(" ")
    if view.private is None:
        return row
    for number, card in enumerate(view.private.hand, start=1):
        dead = card in view.private.dead_cards
        text = f"{number} {card_text(card, words)}{_JACK_SIGNS.get(KINDS[view.jacks][card], '')}"
        text = f"({text})" if dead else f"[{text}]" if card == focus.card else f" {text} "
        style = Style.parse(
            CURSOR if card == focus.card else DIM + " strike" if dead else card_style(card_text(card, words))
        )
        row.append_text(Text(text, style=style + pressing(str(number)))).append_text(column("", 2))
    return row

"""What tables are drawn from: cards, names, rows of fixed width, and marks for what can be clicked."""

from collections.abc import Iterable
from typing import Final

import msgspec
from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from croupier.clients.terminal.words import NAME_CELLS_MAX, Words, pad

PRESSES: Final = "presses"
"""The key of a style's metadata that says which key a click presses."""
RED: Final = "bold #ff6b6b"
BLACK: Final = "bold #f2f2f2"
DIM: Final = "#8a8f98"
GOLD: Final = "bold #ffd75f"
GREEN: Final = "bold #87d787"
FACE_DOWN: Final = "?"
UNPROVED: Final = "??"
"""A card that the room shows but has not proved. It is never drawn as a card."""
NO_CARD: Final = ""
CELL: Final = "cell:"
"""The key that a click on a cell presses begins so, and ends with the number of the cell."""


class Focus(msgspec.Struct, frozen=True):
    """What the player is about to choose: cells that are possible, the one under the cursor, and the card for it."""

    cells: tuple[int, ...] = ()
    cursor: int | None = None
    card: str = ""


def pressing(key: str) -> Style:
    """A style that makes a click press a key."""
    return Style(meta={PRESSES: key})


def turn_mark(words: Words) -> str:
    """The mark before the seat to act."""
    return ">" if words.ascii_only else "▶"


def card_style(card: str) -> str:
    return RED if card[1:2] in ("d", "h", "♦", "♥") else BLACK


def inline(cards: Iterable[object], words: Words) -> Text:
    """Cards in one row: `A♠ K♦`."""
    return Text(" ").join(Text(shown := words.card(card), style=card_style(shown)) for card in cards)


def boxes(cards: Iterable[object], words: Words) -> list[Text]:
    """Cards as three rows of frames. `FACE_DOWN` is a card's back, `NO_CARD` an empty place."""
    top, side, bottom, back = ("+--+", "|", "+--+", "##") if words.ascii_only else ("╭──╮", "│", "╰──╯", "▒▒")
    rows = [Text(), Text(), Text()]
    for number, card in enumerate(cards):
        for row in rows:
            row.append(" " if number else "")
        if card == UNPROVED:
            face, style, frame = UNPROVED, RED, RED
        elif card in (NO_CARD, FACE_DOWN):
            face, style, frame = (back, DIM, DIM) if card == FACE_DOWN else ("  ", DIM, "#4a4f58")
        else:
            face = words.card(card)
            style = frame = card_style(face)
        rows[0].append(top, style=frame)
        rows[1].append(side, style=frame).append(face, style=style).append(side, style=frame)
        rows[2].append(bottom, style=frame)
    return rows


def beside(*blocks: tuple[list[Text], int]) -> list[Text]:
    """Blocks side by side, each in its own columns."""
    height = max(len(block) for block, _ in blocks)
    rows = []
    for number in range(height):
        row = Text()
        for block, cells in blocks:
            row.append_text(fitted(block[number] if number < len(block) else Text(), cells))
        rows.append(row)
    return rows


def fitted(text: Text, cells: int) -> Text:
    """The text in exactly `cells` columns."""
    missing = cells - text.cell_len
    if missing >= 0:
        return text.copy().append(" " * missing)
    cut = text.copy()
    cut.truncate(cells)
    return cut


def column(text: str, cells: int, style: str = "") -> Text:
    return Text(pad(text, cells), style=style)


def name_column(name: str, style: str, words: Words, *, mine: bool) -> Text:
    """A name in its column, with a mark for the player's own."""
    mark = f" ({words.t('play.you')})" if mine else ""
    shown = Text(pad(name, min(cell_len(name), NAME_CELLS_MAX - cell_len(mark))), style=style)
    return fitted(shown.append(mark, style=DIM), NAME_CELLS_MAX)

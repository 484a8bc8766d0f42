"""The board: 100 cells, the cards on them, and the 192 lines of five.

A cell is its number, row × 10 + column. A set of cells is a whole number whose bit c stands for cell c: whether five
chips stand on a line, or a cell is empty, is then one `&`.
"""

from collections.abc import Iterable
from operator import getitem
from typing import Final, TypeAlias

import msgspec

from croupier.games.sequence.rules.cards import PACK, CardId

SIDE: Final = 10
CELL_COUNT: Final = SIDE * SIDE
LINE_LENGTH: Final = 5

CellSet: TypeAlias = int

LAYOUT: Final = """
XX 2S 3S 4S 5S 6S 7S 8S 9S XX
6C 5C 4C 3C 2C AH KH QH TH TS
7C AS 2D 3D 4D 5D 6D 7D 9H QS
8C KS 6C 5C 4C 3C 2C 8D 8H KS
9C QS 7C 6H 5H 4H AH 9D 7H AS
TC TS 8C 7H 2H 3H KH TD 6H 2D
QC 9S 9C 8H 9H TH QH QD 5H 3D
KC 8S TC QC KC AC AD KD 4H 4D
AC 7S 6S 5S 4S 3S 2S 2H 3H 5D
XX AD KD QD TD 9D 8D 7D 6D XX
"""
"""The customary board, row by row: rank (`T` is ten) and suit; `XX` is a corner, which carries no card."""

FACES: Final[tuple[str, ...]] = tuple(LAYOUT.split())
"""What is printed on each cell, as in `LAYOUT`."""

CORNER_FACE: Final = "XX"


def cell_set(cells: Iterable[int]) -> CellSet:
    """The cells as a set."""
    return sum(1 << cell for cell in set(cells))


# A wild jack's offer lists nearly the whole board, so sets are read eight cells at a time.
CELLS_BY_BYTE: Final = tuple(
    tuple(bytes(first + bit for bit in range(8) if byte >> bit & 1) for byte in range(256))
    for first in range(0, CELL_COUNT, 8)
)
"""For each byte of a set and each value that it can have, the numbers of its cells, as bytes again."""


def cells_in(cells: CellSet) -> tuple[int, ...]:
    """The numbers of the cells in a set, from the lowest."""
    return tuple(b"".join(map(getitem, CELLS_BY_BYTE, cells.to_bytes(len(CELLS_BY_BYTE), "little"))))


ALL_CELLS: Final[CellSet] = (1 << CELL_COUNT) - 1
CORNERS: Final[CellSet] = cell_set(cell for cell, face in enumerate(FACES) if face == CORNER_FACE)


def face(card: CardId) -> str:
    """How the board writes a card: `heart_10_2` is `TH`."""
    suit, rank, _ = card.split("_")
    return ("T" if rank == "10" else rank.upper()) + suit[0].upper()


CELLS_OF: Final[dict[CardId, CellSet]] = {
    card: cell_set(cell for cell, printed in enumerate(FACES) if printed == face(card)) for card in PACK
}
"""The two cells that carry a card, whichever its variant; none for a jack."""
_LIVES_ON: Final = {card: cells or 1 << CELL_COUNT for card, cells in CELLS_OF.items()}
"""The same, but a jack has a cell beyond the board, which is never taken."""


def dead_among(cards: Iterable[CardId], occupied: CellSet) -> tuple[CardId, ...]:
    """The cards of which all cells that carry them are taken. A jack has none and is never dead."""
    free = ~occupied
    return tuple([card for card in cards if not _LIVES_ON[card] & free])


class Line(msgspec.Struct, frozen=True, gc=False):
    """Five cells in a row."""

    direction: int
    """Its place in `DIRECTIONS`."""
    cells: tuple[int, ...]
    """From its beginning, in its direction."""
    cell_set: CellSet


DIRECTIONS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Rows and columns that a step takes: right, down, down-right, down-left."""


def _lines() -> tuple[Line, ...]:
    found = []
    for direction, (down, right) in enumerate(DIRECTIONS):
        for start in range(CELL_COUNT):
            row, column = divmod(start, SIDE)
            last_row, last_column = row + down * (LINE_LENGTH - 1), column + right * (LINE_LENGTH - 1)
            if last_row < SIDE and 0 <= last_column < SIDE:
                cells = tuple(start + step * (down * SIDE + right) for step in range(LINE_LENGTH))
                found.append(Line(direction, cells, cell_set(cells)))
    return tuple(found)


LINES: Final[tuple[Line, ...]] = _lines()
"""All lines in board order: by direction, then by the cell where they begin."""

LINES_THROUGH: Final[tuple[tuple[Line, ...], ...]] = tuple(
    tuple(line for line in LINES if cell in line.cells) for cell in range(CELL_COUNT)
)
"""For each cell the lines that hold it, at most 20, in board order."""

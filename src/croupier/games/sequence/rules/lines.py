"""Which sequences a chip completes."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import Final

from croupier.games.sequence.rules.board import LINES_THROUGH, CellSet, Line

SHARED_CELLS_MAX: Final = 1
"""How many cells a sequence may have in common with another of its team."""


def new_lines(own: CellSet, cell: int, completed: tuple[Line, ...]) -> tuple[Line, ...]:
    """The lines that a team with the chips `own`, of which that on `cell` is new, completes besides `completed`.

    Each shares at most one cell with each completed line and with each other, and there are as many as that allows;
    among equal choices it is the one that comes first in board order (`LINES`).

    Only lines through `cell` are looked at. That is enough: all others stood before this chip did, and were then
    either counted, or refused because of a line that is completed for ever.
    """
    missing = ~own
    standing = [line for line in LINES_THROUGH[cell] if not line.cell_set & missing]
    if not standing:
        return ()
    allowed = [line for line in standing if all(compatible(line, other) for other in completed)]
    return tuple(_largest_choice(allowed))


def compatible(line: Line, other: Line) -> bool:
    """Whether both may be counted for one team."""
    return (line.cell_set & other.cell_set).bit_count() <= SHARED_CELLS_MAX


def _largest_choice(lines: Iterable[Line]) -> Iterator[Line]:
    """The largest choice of lines that can be counted together. The lines are in board order and all hold one cell.
    Lines of different directions share only that cell, so each direction is chosen by itself. Of one direction at most
    two can be counted: one that ends there and one that begins there, which can only be the first and the last.
    """
    for _, group in groupby(lines, key=attrgetter("direction")):
        first, *others = group
        yield first
        if others and compatible(first, others[-1]):
            yield others[-1]

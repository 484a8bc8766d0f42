"""The board in letters, for a terminal and for the failure messages of tests."""

from typing import Final

from croupier.games.sequence.rules.board import CELL_COUNT, FACES, SIDE
from croupier.games.sequence.rules.view import SequenceView

COLUMNS_MAX: Final = 80

_CELL_WIDTH: Final = 6


def board_text(view: SequenceView) -> str:
    """The board as the viewer sees it, at most 80 columns wide.

    A cell shows its card, then the team of the chip on it, then `*` where the chip is part of a sequence: `TS A*`.
    The numbers at the edges add up to the cell's.
    """
    protected = {cell for sequence in view.completed_sequences for cell in sequence.cells}
    cells = []
    for cell in range(CELL_COUNT):
        team = view.chips_by_cell.get(cell, "")
        cells.append(f"{FACES[cell]} {team}{'*' if cell in protected else ''}".ljust(_CELL_WIDTH))
    heading = " " * 4 + "".join(f"+{column}".ljust(_CELL_WIDTH) for column in range(SIDE))
    rows = [f"{start:>2}  " + "".join(cells[start : start + SIDE]) for start in range(0, CELL_COUNT, SIDE)]
    return "\n".join(row.rstrip() for row in (heading, *rows, "", _summary(view)))


def _summary(view: SequenceView) -> str:
    scores = "  ".join(f"{team} {score}/{view.sequences_to_win}" for team, score in view.score_by_team.items())
    return f"#{view.turn_number}  {scores}"

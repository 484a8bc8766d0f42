"""The arrays of a batch of games of Sequence, and the numbers that stand for actions, cells and refusals.

A card is its place in `games.sequence.rules.cards.PACK`, 0 to 103. A cell is its number on the board.
"""

from enum import IntEnum
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.game.refusal import Code as CommonCode
from croupier.games.sequence.environment import ACTIONS, FACES
from croupier.games.sequence.rules import cards
from croupier.games.sequence.rules.board import CELL_COUNT, CELLS_OF, LINE_LENGTH, LINES, LINES_THROUGH, cells_in, face
from croupier.games.sequence.rules.codes import Code
from croupier.games.sequence.rules.lines import compatible
from croupier.games.sequence.rules.rules import SequenceRules
from croupier.games.sequence.rules.teams import HAND_SIZES

Config: TypeAlias = Any
"""In a kernel: the row of CONFIG."""
Table: TypeAlias = Any
"""In a kernel: one row of TABLE."""
Tables: TypeAlias = NDArray[np.void]

PACK_SIZE: Final = len(cards.PACK)
CELLS: Final = CELL_COUNT
SEATS: Final = max(HAND_SIZES)
HAND: Final = max(HAND_SIZES.values())
TEAMS: Final = 3
NUMBERS: Final = len(ACTIONS)
"""Actions of `games.sequence.environment`: play, wild and remove on each cell, then exchange of each face."""
LINES_MAX: Final = 16
"""More than one play and the ones before it can complete."""
NOBODY: Final = -1
NO_CELL: Final = -1


class Kind(IntEnum):
    """An action by its number. Each takes a card; all but EXCHANGE take a cell."""

    PLAY = 0
    WILD = 1
    REMOVE = 2
    EXCHANGE = 3


NO_ACTION: Final = -1
CODES: Final[tuple[str, ...]] = (
    "",
    CommonCode.NO_SUCH_SEAT,
    CommonCode.ROUND_OVER,
    CommonCode.NOT_YOUR_TURN,
    CommonCode.NOT_OFFERED,
    Code.CARD_NOT_IN_HAND,
    Code.JACK_NEEDS_OWN_ACTION,
    Code.NOT_A_WILD_JACK,
    Code.NOT_A_REMOVE_JACK,
    Code.NO_SUCH_CELL,
    Code.DEAD_CARD,
    Code.WRONG_CELL,
    Code.CELL_TAKEN,
    Code.CORNER_IS_FREE,
    Code.CELL_JUST_CLEARED,
    Code.NOT_OPPONENT_CHIP,
    Code.CHIP_PROTECTED,
    Code.NO_EXCHANGE,
    Code.CARD_NOT_DEAD,
    Code.ALREADY_EXCHANGED,
)
"""Refusals by their number; 0 is none. NOT_OFFERED stands for a number that is no action."""
(
    ACCEPTED,
    NO_SUCH_SEAT,
    ROUND_OVER,
    NOT_YOUR_TURN,
    NOT_OFFERED,
    CARD_NOT_IN_HAND,
    JACK_NEEDS_OWN_ACTION,
    NOT_A_WILD_JACK,
    NOT_A_REMOVE_JACK,
    NO_SUCH_CELL,
    DEAD_CARD,
    WRONG_CELL,
    CELL_TAKEN,
    CORNER_IS_FREE,
    CELL_JUST_CLEARED,
    NOT_OPPONENT_CHIP,
    CHIP_PROTECTED,
    NO_EXCHANGE,
    CARD_NOT_DEAD,
    ALREADY_EXCHANGED,
) = range(len(CODES))

TABLE: Final = np.dtype(
    [
        ("chance", np.uint64),  # the state of the table's own random numbers
        ("turn_number", np.int32),
        ("turn", np.int8),  # the seat to act; NOBODY when the game is over
        ("seat", np.int8),  # the same, and the last one when the game is over
        ("first_seat", np.int8),
        ("winner", np.int8),  # the winning team; NOBODY before, and in a draw
        ("cleared", np.int8),  # the cell that no wild jack may take on this turn
        ("exchanged", np.bool_),
        ("idle_passes", np.int8),
        ("occupied", np.int8),  # how many cells have a chip
        ("drawn", np.int8),  # the card drawn last
        ("score", np.int8, (TEAMS,)),
        ("owner", np.int8, (CELLS,)),  # 0 for an empty cell, else the team's number + 1
        ("locked", np.int8, (CELLS,)),  # 1 for a cell of a completed sequence
        ("lines", np.int16, (TEAMS, LINES_MAX)),  # each team's completed lines by their place in LINES
        ("hand", np.int8, (SEATS, HAND)),  # in the order the cards came
        ("held", np.int8, (SEATS,)),
        ("position", np.int8),  # the next card of the pack
        ("left", np.int8),  # how many cards of the pack are left
        ("given", np.int8),  # the cards of the pack before this are not drawn, but given
        ("discarded", np.int8),
        ("pack", np.int8, (PACK_SIZE,)),  # in the order of dealing as far as they are dealt or given
        ("discards", np.int8, (PACK_SIZE,)),
    ],
    align=True,
)
"""One game: a row of one array, which kernels pass on by its address."""

CONFIG: Final = np.dtype(
    [
        ("seats", np.int64),
        ("teams", np.int64),
        ("hand_size", np.int64),
        ("needed", np.int64),
        ("free_corners", np.bool_),
        ("exchange", np.bool_),
        ("bar_cleared", np.bool_),
        ("kinds", np.int8, (PACK_SIZE,)),  # PLAY, WILD or REMOVE
    ],
    align=True,
)


def new_config(rules: SequenceRules, seats: int, teams: int) -> Tables:
    """The rules as one row."""
    config = np.zeros(1, CONFIG)
    config["seats"], config["teams"], config["hand_size"] = seats, teams, HAND_SIZES[seats]
    config["needed"] = rules.sequences_needed(teams)
    config["free_corners"], config["exchange"] = rules.free_corners, rules.exchange_dead_cards
    config["bar_cleared"] = rules.bar_cleared_cell
    kinds = {cards.Kind.NORMAL: Kind.PLAY, cards.Kind.WILD: Kind.WILD, cards.Kind.REMOVE: Kind.REMOVE}
    config["kinds"] = [kinds[cards.KINDS[rules.jacks][card]] for card in cards.PACK]
    return config


def _padded(rows: list[list[int]], width: int, filler: int) -> NDArray[np.int64]:
    return np.array([row + [filler] * (width - len(row)) for row in rows], np.int64)


CARD_CELLS: Final = _padded([list(cells_in(CELLS_OF[card])) for card in cards.PACK], 2, NO_CELL)
"""The two cells of each card; none for a jack."""
CARD_FACE: Final = np.array([FACES.index(face(card)) if face(card) in FACES else -1 for card in cards.PACK])
LINE_CELLS: Final = np.array([line.cells for line in LINES], np.int64)
LINE_DIRECTION: Final = np.array([line.direction for line in LINES], np.int64)
THROUGH: Final = _padded([[LINES.index(line) for line in lines] for lines in LINES_THROUGH], 4 * LINE_LENGTH, -1)
"""For each cell, the lines that hold it, in board order."""
COMPATIBLE: Final = np.array([[compatible(one, other) for other in LINES] for one in LINES])
IS_CORNER: Final = np.array([cell in (0, 9, 90, 99) for cell in range(CELLS)])

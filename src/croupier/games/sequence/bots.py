"""A bot for Sequence that builds its own lines and blocks those of others."""

from collections.abc import Iterator, Mapping
from math import inf
from typing import Final

import msgspec
from msgspec.structs import replace

from croupier.game.game import Offer
from croupier.game.policy import Factory
from croupier.games.sequence.rules.actions import (
    ExchangeDeadCard,
    PlayJackRemove,
    PlayJackWild,
    PlayNormal,
    SequenceAction,
)
from croupier.games.sequence.rules.board import (
    CELL_COUNT,
    CORNERS,
    LINE_LENGTH,
    LINES,
    LINES_THROUGH,
    CellSet,
    Line,
    cell_set,
)
from croupier.games.sequence.rules.lines import SHARED_CELLS_MAX
from croupier.games.sequence.rules.teams import TeamId
from croupier.games.sequence.rules.view import SequenceView

BUILD_WORTH: Final = (1, 4, 16, 90, 10_000)
"""The worth of one more chip on an open line, by how many the team has there already. The fifth makes a sequence."""
BLOCK_WORTH: Final = (0, 2, 10, 60, 3_000)
"""The worth of blocking a line that is open to another team, by how many chips that team has there."""
WILD_JACK_PRICE: Final = 120
"""How much more a play must be worth before a wild jack is spent on it instead of a card that fits there."""
REMOVE_JACK_PRICE: Final = 60


class _Side(msgspec.Struct, frozen=True):
    """A team on the board."""

    held: CellSet
    """Its chips, and corners that count for every team."""
    rivals: CellSet
    """Everybody else's chips."""
    completed: tuple[CellSet, ...]

    def worth(self, line: Line, table: tuple[int, ...]) -> int:
        """The value from `table` of a line that can still become this team's sequence; else 0."""
        cells = line.cell_set
        if cells & self.rivals or any((cells & done).bit_count() > SHARED_CELLS_MAX for done in self.completed):
            return 0
        return table[min((cells & self.held).bit_count(), LINE_LENGTH - 1)]


def block_and_build(view: SequenceView, menu: tuple[Offer[SequenceAction], ...], /) -> SequenceAction:
    """Play the chip that builds and blocks the most, and save jacks for plays that are worth it. Always exchange a dead
    card. Of equal plays, take the first in the menu.
    """
    assert view.private is not None, "a bot sits in a seat"
    own_team = view.team_by_seat[view.private.seat]
    own = _side(view, own_team)
    others = tuple(_side(view, team) for team in view.score_by_team if team != own_team)
    chip_worths = _chip_worths(own, others)

    def worth(action: SequenceAction) -> float:
        match action:
            case PlayNormal(_, cell):
                return chip_worths[cell]
            case PlayJackWild(_, cell):
                return chip_worths[cell] - WILD_JACK_PRICE
            case PlayJackRemove(_, cell):
                return _removal_worth(cell, own, others) - REMOVE_JACK_PRICE
            case ExchangeDeadCard():
                return inf

    return max(_choices(menu), key=worth)


def _choices(menu: tuple[Offer[SequenceAction], ...]) -> Iterator[SequenceAction]:
    for offer in menu:
        if offer.field:
            yield from map(offer.choose, offer.among)
        else:
            yield offer.action


def _side(view: SequenceView, team: TeamId) -> _Side:
    chips = cell_set(cell for cell, owner in view.chips_by_cell.items() if owner == team)
    completed = tuple(cell_set(done.cells) for done in view.completed_sequences if done.team_id == team)
    free = CORNERS if view.free_corners else 0
    return _Side(chips | free, cell_set(view.chips_by_cell) & ~chips, completed)


def _chip_worths(own: _Side, others: tuple[_Side, ...]) -> list[int]:
    """For each cell, what the team's chip there would build and block if the cell is empty."""
    worths = [0] * CELL_COUNT
    for line in LINES:
        worth = own.worth(line, BUILD_WORTH) + sum(other.worth(line, BLOCK_WORTH) for other in others)
        if worth:
            for cell in line.cells:
                worths[cell] += worth
    return worths


def _removal_worth(cell: int, own: _Side, others: tuple[_Side, ...]) -> int:
    """What removing another team's chip costs that team, and what it opens for this one."""
    chip = 1 << cell
    opened = replace(own, rivals=own.rivals & ~chip)
    robbed = next(other for other in others if other.held & chip)
    return sum(opened.worth(line, BLOCK_WORTH) + robbed.worth(line, BLOCK_WORTH) for line in LINES_THROUGH[cell])


BOTS: Final[Mapping[str, Factory]] = {"builder": lambda random, rules: block_and_build}

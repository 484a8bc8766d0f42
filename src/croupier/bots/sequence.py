"""Two bots for Sequence: one that plays anything, and one that builds its own lines and blocks those of others."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Final, TypeAlias

import msgspec

from croupier.bots.policy import Policy, RandomPolicy
from croupier.rules.game import Offer
from croupier.rules.sequence.actions import (
    ExchangeDeadCard,
    PlayJackRemove,
    PlayJackWild,
    PlayNormal,
    SequenceAction,
)
from croupier.rules.sequence.board import CORNERS, LINE_LENGTH, LINES_THROUGH, CellSet, Line, cell_set
from croupier.rules.sequence.lines import SHARED_CELLS_MAX
from croupier.rules.sequence.teams import TeamId
from croupier.rules.sequence.view import SequenceView

SequencePolicy: TypeAlias = Policy[SequenceView, SequenceAction]

BUILD_WORTH: Final = (1, 4, 16, 90, 10_000)
"""What one more chip on an open line is worth, by how many the team has there already. The fifth is a sequence."""
BLOCK_WORTH: Final = (0, 2, 10, 60, 3_000)
"""What it is worth to spoil a line that is open to another team, by how many chips that team has there."""
WILD_JACK_PRICE: Final = 120
"""What a play must be worth more with a wild jack than with a card that fits there."""
REMOVE_JACK_PRICE: Final = 60


class _Side(msgspec.Struct, frozen=True):
    """A team on the board."""

    chips: CellSet
    free: CellSet
    """Corners that count for every team."""
    completed: tuple[CellSet, ...]

    def may_count(self, line: Line) -> bool:
        """Whether the line, once full, is a new sequence of this team."""
        return all((line.cell_set & done).bit_count() <= SHARED_CELLS_MAX for done in self.completed)


def block_and_build(view: SequenceView, menu: tuple[Offer[SequenceAction], ...]) -> SequenceAction:
    """Plays where a chip does most for the own lines and most against the others', and keeps its jacks for that.

    It always exchanges a dead card. Of plays that are worth the same it takes the first in the menu.
    """
    assert view.private is not None, "a bot sits in a seat"
    own_team = view.team_by_seat[view.private.seat]
    own = _side(view, own_team)
    others = tuple(_side(view, team) for team in view.score_by_team if team != own_team)
    return max(_choices(menu), key=lambda action: _worth(action, own, others))


def _choices(menu: tuple[Offer[SequenceAction], ...]) -> Iterator[SequenceAction]:
    for offer in menu:
        if offer.field:
            yield from map(offer.choose, offer.among)
        else:
            yield offer.action


def _side(view: SequenceView, team: TeamId) -> _Side:
    chips = cell_set(cell for cell, owner in view.chips_by_cell.items() if owner == team)
    completed = tuple(cell_set(done.cells) for done in view.completed_sequences if done.team_id == team)
    return _Side(chips, CORNERS if view.free_corners else 0, completed)


def _worth(action: SequenceAction, own: _Side, others: tuple[_Side, ...]) -> float:
    match action:
        case PlayNormal(_, cell):
            return _chip_worth(cell, own, others)
        case PlayJackWild(_, cell):
            return _chip_worth(cell, own, others) - WILD_JACK_PRICE
        case PlayJackRemove(_, cell):
            return _removal_worth(cell, own, others) - REMOVE_JACK_PRICE
        case ExchangeDeadCard():
            return float("inf")


def _chip_worth(cell: int, own: _Side, others: tuple[_Side, ...]) -> int:
    """What an own chip on an empty cell builds and blocks."""
    worth = 0
    for line in LINES_THROUGH[cell]:
        worth += _line_worth(line, own, others, BUILD_WORTH)
        for other in others:
            rivals = (own, *(side for side in others if side is not other))
            worth += _line_worth(line, other, rivals, BLOCK_WORTH)
    return worth


def _removal_worth(cell: int, own: _Side, others: tuple[_Side, ...]) -> int:
    """What taking another team's chip away spoils, and what it opens."""
    bit = 1 << cell
    cleared = tuple(msgspec.structs.replace(side, chips=side.chips & ~bit) for side in others)
    worth = 0
    for line in LINES_THROUGH[cell]:
        worth += _line_worth(line, own, cleared, BLOCK_WORTH)
        for other in others:
            if other.chips & bit:
                rivals = (own, *(side for side in others if side is not other))
                worth += _line_worth(line, other, rivals, BLOCK_WORTH)
    return worth


def _line_worth(line: Line, side: _Side, rivals: tuple[_Side, ...], table: tuple[int, ...]) -> int:
    """What the table says about a line that is still open to a side; nothing where it is not."""
    if any(rival.chips & line.cell_set for rival in rivals) or not side.may_count(line):
        return 0
    return table[min(((side.chips | side.free) & line.cell_set).bit_count(), LINE_LENGTH - 1)]


POLICIES: Final[dict[str, Callable[[Random], SequencePolicy]]] = {
    "random": RandomPolicy,
    "builder": lambda random: block_and_build,
}

"""The records of a room for download: its finished rounds, and a last entry that says where they end."""

from collections.abc import Iterable, Iterator

from croupier.game.game import SPECTATOR
from croupier.table.record import Record, TableEnd
from croupier.table.room import Room
from croupier.table.roomview import records_end, room_record


def finished(steps: Iterable[Room]) -> Iterator[Room]:
    """The room as it was at the end of each round, from its steps."""
    told = 0
    for room in steps:
        if _is_news(room, told):
            told = room.hand
            yield room


def download(steps: Iterable[Room], person: str = "") -> Iterator[Record | TableEnd]:
    """The entries of the file, with what this person may know; somebody who was not in the room is a spectator."""
    told = 0
    last: Room | None = None
    hand, viewer = 0, SPECTATOR
    for room in steps:
        last = room
        if room.hand != hand:
            hand, viewer = room.hand, SPECTATOR
        # Somebody who leaves in the middle of a round has seen its cards.
        viewer = room.viewer(person) if viewer is None else viewer
        if _is_news(room, told):
            told = room.hand
            entry = room_record(room, viewer)
            assert entry is not None
            yield entry
    if last is not None:
        yield records_end(last)


def _is_news(room: Room, told: int) -> bool:
    """Whether a round has ended that was not listed yet."""
    return room.round is not None and room.round.over and room.hand > told

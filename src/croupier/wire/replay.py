"""The replay of a room's log, from the beginning or from a snapshot."""

from collections.abc import Mapping

from msgspec.structs import replace

from croupier.table.apply import Done, next_secret, open_room, redo
from croupier.table.log import ChainError
from croupier.table.room import Room
from croupier.table.snapshot import Point, Snapshot, Trail, point
from croupier.wire.log import LogReader


def begin(code: str, record: bytes) -> "Replay":
    """The room that a log's first record opens, to go on with the second."""
    reader = LogReader()
    opened = open_room(code, reader.read(record))
    if not isinstance(opened, Room):
        raise ChainError(f"the log begins with what was refused: {opened}")
    return Replay(Point(opened, reader.head))


class Replay:
    """Applies the commands of a log again, one by one."""

    def __init__(self, point: Point) -> None:
        self.room, self.head = point.room, point.head
        self.trail = Trail()

    def redo(self, record: bytes, secrets: Mapping[str, bytes]) -> Done:
        """Apply the next record. Raises ChainError if it does not follow from those before it."""
        before, head_before = self.room, self.head
        reader = LogReader(before.rules.game, head_before, before.version)
        logged = reader.read(record)
        done = redo(before, logged, secrets.get(next_secret(before, logged), b""))
        self.room = done.room
        self.head = reader.head
        self.trail.step(before, head_before, record, self.room)
        return done


def take_up(snapshot: Snapshot, secrets: Mapping[str, bytes]) -> "Replay":
    """The room at the snapshot's version, to go on with the next record."""
    if snapshot.before is None:
        return Replay(point(snapshot.now))
    replay = Replay(point(snapshot.before))
    for record in snapshot.played:
        replay.redo(record, secrets)
    shown, later = replay.room, point(snapshot.now)
    replay.head = later.head
    replay.room = replace(
        later.room, round=shown.round, packs=shown.packs, pack_starts=shown.pack_starts, dealt=shown.dealt
    )
    return replay

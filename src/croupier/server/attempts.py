"""A command decided on the present room: what to store, or why it is refused."""

import time
from typing import NamedTuple

import msgspec

from croupier.game.refusal import Refusal
from croupier.server.jobs import Job
from croupier.server.origins import Origins, Whereabouts
from croupier.server.room_list import listed_alike, listing
from croupier.server.services import Services
from croupier.server.snapshots import SnapshotWriter
from croupier.store.port import Append, Entry
from croupier.table.apply import Done, handle, spent
from croupier.table.codes import RoomCode
from croupier.table.log import entry
from croupier.table.room import Room
from croupier.wire.log import write_entry
from croupier.wire.room import RoomDoor
from croupier.wire.snapshot import digest

_encode = msgspec.json.Encoder().encode


class Attempt(NamedTuple):
    """A command that was accepted, on its way to the store."""

    done: Done
    listed: RoomDoor
    append: Append
    deadline_ms: int | None
    """Of the room after it."""
    snapshot: bytes | None
    """Of the room before it, to be kept with it."""
    began: float


class Decider:
    """Decides the commands of one room. It keeps the secret for the next deal, which nobody has seen."""

    def __init__(self, services: Services, table: str, snapshots: SnapshotWriter, origins: Origins) -> None:
        self._services = services
        self._table = table
        self._snapshots = snapshots
        self._origins = origins
        self._secret = b""

    def attempt(
        self,
        room: Room,
        head: bytes,
        listed_now: RoomDoor,
        job: Job,
        down: tuple[str, ...],
        place: Whereabouts | None,
    ) -> Attempt | Refusal:
        """The outcome of a command, before anything has happened. `head` is the chain of the log so far, `down` are the
        people who are not connected, and `place` is the origin of the person whom the command brings in or removes.
        """
        if job.expected is not None and not room.game_version <= job.expected <= room.version:
            return Refusal(RoomCode.STALE_VERSION, {"version": room.version})
        assert job.command is not None
        logged = entry(job.actor, job.name, self._services.clock_ms(), job.command, room=room, head=head, down=down)
        if isinstance(logged, Refusal):
            return logged
        if place is not None:
            logged = msgspec.structs.replace(logged, origin=self._origins.of(place))
        self._secret = self._secret or self._services.secret()
        done = handle(room, logged, self._secret)
        if isinstance(done, Refusal):
            return done
        too_many = spent(room, logged, done.room)
        if too_many is not None:
            return too_many
        if done.secrets:
            self._secret = b""
        snapshot = self._snapshots.take(room, head, done.room)
        if snapshot is not None:
            logged = msgspec.structs.replace(logged, snapshot=digest(snapshot))
        listed = listed_now if listed_alike(room, done.room) else listing(done.room)
        deadline_ms = done.room.deadline_ms
        append = Append(
            table=self._table,
            version=done.room.version,
            record=write_entry(logged),
            at_ms=logged.at_ms,
            command_id=job.key,
            entries=tuple([Entry(account, chips) for account, chips in done.entries]) if done.entries else (),
            secrets=done.secrets,
            # A room that sleeps has no other deadline.
            deadline_ms=self._services.close_at_ms(done.room) if deadline_ms is None else deadline_ms,
            listing=None if listed is listed_now else _encode(listed),
            open=not done.room.closed,
        )
        return Attempt(done, listed, append, deadline_ms, snapshot, time.perf_counter())

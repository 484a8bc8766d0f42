"""The snapshots of a room in service: taken between rounds, and written while the game goes on."""

import asyncio

from croupier.server.services import Services, log
from croupier.store.port import StoreError
from croupier.table.room import Room
from croupier.table.snapshot import Trail
from croupier.wire.snapshot import encode


class SnapshotWriter:
    """Follows one room, and stores a snapshot whenever enough has happened since the last one."""

    def __init__(self, services: Services, table: str, trail: Trail | None = None, kept: int = 0) -> None:
        """`kept` is the version of the snapshot that the store has."""
        self._services = services
        self._table = table
        self._trail = trail or Trail()
        self._kept = kept
        self._tasks: set[asyncio.Task[None]] = set()

    def take(self, room: Room, head: bytes, following: Room) -> bytes | None:
        """A snapshot of the room before a command, if one is due and no round is running."""
        if room.version - self._kept < self._services.snapshot_every:
            return None
        snapshot = self._trail.snapshot(room, head, following)
        return None if snapshot is None else encode(snapshot)

    def step(self, before: Room, head_before: bytes, record: bytes, after: Room, taken: bytes | None = None) -> None:
        """A command was stored, and its record has the digest of the snapshot: write the snapshot now."""
        self._trail.step(before, head_before, record, after)
        if taken is not None:
            self._kept = before.version
            task = asyncio.create_task(self._save(taken))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()

    async def _save(self, snapshot: bytes) -> None:
        try:
            await self._services.store.save_snapshot(self._table, snapshot)
        except (StoreError, ValueError) as error:
            log.warning("%s: no snapshot was kept: %s", self._table, error)

"""How a room comes back from the store: from its newest snapshot and the commands since, or from its whole log."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from croupier.server.clock import ForwardClock
from croupier.server.origins import KEY_NAME
from croupier.server.replays import Lane, drained
from croupier.server.room import table_name
from croupier.server.services import House, log
from croupier.store.port import Stored, StoreError
from croupier.table import snapshot as snapshots
from croupier.table.room import Room
from croupier.table.snapshot import Replay, SnapshotError, Trail

STUMBLES: Final = (
    *(ValueError, TypeError, LookupError, AttributeError, ArithmeticError, AssertionError),
    msgspec.MsgspecError,
)
"""What a replay of damaged records may raise before the chain shows the damage."""


class Loaded(NamedTuple):
    """A room as the store has it."""

    room: Room
    head: bytes
    """Its log's chain."""
    trail: Trail
    kept: int
    """The version of its snapshot; 0 without one."""
    at_ms: int
    """When the last command was stored."""
    origin_key: bytes = b""
    """With which it hashes where people come from."""


async def load(code: str, house: House) -> Loaded | None:
    """The room as the store has it; None when there is none, or it was closed.

    Raises StoreError when the log was changed after it was written, and BusyError when too many rooms are opened.
    """
    table = table_name(code)
    row = await house.store.table(table)
    if row is None or not row.open:
        return None
    loaded = await _load(code, house, row.version)
    keys = await house.store.secrets(table, (KEY_NAME,))
    return loaded._replace(origin_key=keys.get(KEY_NAME, b""))


async def _load(code: str, house: House, version: int) -> Loaded:
    table = table_name(code)
    data = await house.store.snapshot(table)
    if data is not None:
        try:
            return await _from_snapshot(code, house, data, version)
        except SnapshotError as error:
            log.warning("room %s: its snapshot is ignored, and its whole log replayed: %s", code, error)
    lane = house.replays.of_length(version)
    async with lane.turn():
        stored = [await house.store.records(table)]
        secrets = await house.store.secrets(table)
        at_ms = stored[0][-1].at_ms
        _saw(house, at_ms)
        try:
            return _loaded(await lane.work(lambda: _replayed(code, stored, secrets, lane)), 0, at_ms)
        except STUMBLES as error:
            raise StoreError(f"room {code}: {error}") from error


def _loaded(replay: Replay, kept: int, at_ms: int) -> Loaded:
    return Loaded(replay.room, replay.head, replay.trail, kept, at_ms)


def _saw(house: House, at_ms: int) -> None:
    if isinstance(house.clock_ms, ForwardClock):
        house.clock_ms.saw(at_ms)


async def _from_snapshot(code: str, house: House, data: bytes, version: int) -> Loaded:
    """Raises SnapshotError when that does not lead to the end of the log."""
    table = table_name(code)
    kept = snapshots.decode(data).version
    lane = house.replays.of_length(version - kept)
    async with lane.turn():
        stored = await house.store.records(table, kept) if kept > 0 else ()
        if not stored:
            raise SnapshotError("the log ends before it")
        snapshot = snapshots.read(data, code, stored[0].record)
        secrets = await house.store.secrets(table, snapshots.secret_names(snapshot, len(stored)))
        _saw(house, stored[-1].at_ms)

        def work() -> Replay:
            try:
                replay = snapshots.take_up(snapshot, secrets)
                for entry in lane.paced(stored):
                    replay.go_on(entry.record, secrets)
            except STUMBLES as error:
                # Whether the log itself is broken, or only the snapshot of it, the whole log will tell.
                raise SnapshotError(str(error)) from error
            return replay

        return _loaded(await lane.work(work), kept, stored[-1].at_ms)


def _replayed(code: str, stored: list[Sequence[Stored]], secrets: dict[str, bytes], lane: Lane) -> Replay:
    log = lane.paced(drained(stored))
    replay = snapshots.begin(code, next(log).record)
    for entry in log:
        replay.go_on(entry.record, secrets)
    return replay

"""Recovery of a room from the store: from its newest snapshot and the commands since, or from its whole log."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from croupier.server.clock import ForwardClock
from croupier.server.offered_games import GameNotOfferedError, game_of
from croupier.server.origins import KEY_NAME
from croupier.server.replays import Turn, drained
from croupier.server.room import table_name
from croupier.server.services import Services, log
from croupier.store.port import Stored, StoreError
from croupier.table.room import Room
from croupier.table.snapshot import SnapshotError, Trail, secret_names
from croupier.wire import snapshot as snapshots
from croupier.wire.replay import Replay, begin, take_up

STUMBLES: Final = (
    *(ValueError, TypeError, LookupError, AttributeError, ArithmeticError, AssertionError),
    msgspec.MsgspecError,
)
"""The errors that a replay of damaged records may raise before the chain shows the damage."""


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
    """The key that hashes where people come from."""


async def load(code: str, services: Services) -> Loaded | None:
    """The room as the store has it; None when there is none, or it was closed.

    Raises StoreError if the log was changed after it was written, GameNotOfferedError if its game is not offered here,
    and BusyError if too many rooms are being opened.
    """
    table = table_name(code)
    row = await services.store.table(table)
    if row is None or not row.open:
        return None
    if not services.games.serves(row):
        raise GameNotOfferedError(game_of(row))
    loaded = await _load(code, services, row.version)
    keys = await services.store.secrets(table, (KEY_NAME,))
    return loaded._replace(origin_key=keys.get(KEY_NAME, b""))


async def _load(code: str, services: Services, version: int) -> Loaded:
    table = table_name(code)
    data = await services.store.snapshot(table)
    if data is not None:
        try:
            return await _from_snapshot(code, services, data, version)
        except SnapshotError as error:
            log.warning("room %s: its snapshot is ignored, and its whole log replayed: %s", code, error)
    lane = services.replays.of_length(version)
    async with lane.turn() as turn:
        stored = [await services.store.records(table)]
        secrets = await services.store.secrets(table)
        at_ms = stored[0][-1].at_ms
        _saw(services, at_ms)
        try:
            return _loaded(await turn.work(lambda: _replayed(code, stored, secrets, turn)), 0, at_ms)
        except STUMBLES as error:
            raise StoreError(f"room {code}: {error}") from error


def _loaded(replay: Replay, kept: int, at_ms: int) -> Loaded:
    return Loaded(replay.room, replay.head, replay.trail, kept, at_ms)


def _saw(services: Services, at_ms: int) -> None:
    if isinstance(services.clock_ms, ForwardClock):
        services.clock_ms.saw(at_ms)


async def _from_snapshot(code: str, services: Services, data: bytes, version: int) -> Loaded:
    """The room from its snapshot. Raises SnapshotError if that does not lead to the end of the log."""
    table = table_name(code)
    kept = snapshots.decode(data).version
    lane = services.replays.of_length(version - kept)
    async with lane.turn() as turn:
        stored = await services.store.records(table, kept) if kept > 0 else ()
        if not stored:
            raise SnapshotError("the log ends before it")
        snapshot = snapshots.read(data, code, stored[0].record)
        secrets = await services.store.secrets(table, secret_names(snapshot, len(stored)))
        _saw(services, stored[-1].at_ms)

        def work() -> Replay:
            try:
                replay = take_up(snapshot, secrets)
                for entry in turn.paced(stored):
                    replay.redo(entry.record, secrets)
            except STUMBLES as error:
                # A replay of the whole log will tell whether the log is broken, or only the snapshot.
                raise SnapshotError(str(error)) from error
            return replay

        return _loaded(await turn.work(work), kept, stored[-1].at_ms)


def _replayed(code: str, stored: list[Sequence[Stored]], secrets: dict[str, bytes], turn: Turn) -> Replay:
    log = turn.paced(drained(stored))
    replay = begin(code, next(log).record)
    for entry in log:
        replay.redo(entry.record, secrets)
    return replay

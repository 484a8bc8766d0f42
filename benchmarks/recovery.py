"""How long it takes to open a room with a long log, and how long a player at another table waits meanwhile.

A room is filled with whole games of Sequence between two bots, each command decided by the room's own functions and
written to a SQLite store as the server writes it, snapshots included. That takes minutes for a million commands, so the
store is kept for the next time (`--folder`). Then a server is started on it. Somebody comes to watch the long room,
which opens it; somebody downloads its records, which replays all of it, and is looked at for `--download-seconds`; and
with `--without-snapshot` the room is opened from its whole log. Beside each a player sends durable commands of another
room, twenty-five a second.

Beside what the player saw stands what the server did (`server_side.py`), and how late a sleeping process woke.

Run as `python benchmarks/recovery.py [--commands 1000000]`; with the store made it takes two minutes. `--prepare` only
makes the store. The last line is the verdict. It ends with 1 if a room takes longer than 0.2 s to open from its
snapshot, or a p99 is above 30 ms for the server's sake, and with 2 if the machine was too busy to tell.
"""

import argparse
import gc
import hashlib
import os
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
from floods import HEAD, P99_MS_MAX, QUIET_MS_MAX, Line, Measured, Player, conclude, processor_seconds, row, witness
from server_side import Server, p99, serving

from croupier.store.port import Append
from croupier.store.sqlite.batch import Known, write_appends
from croupier.store.sqlite.database import open_writer
from croupier.table import commands as c
from croupier.table.apply import CLOCK, Done, handle, open_room
from croupier.table.log import START, Logged, chained, entry
from croupier.table.room import Phase, Room
from croupier.table.snapshot import EVERY, Trail
from croupier.wire.snapshot import digest, encode

CODE: Final = "BENCHY"
NEWCOMER: Final = "127.0.0.2"
"""The address of those who open and download the long room."""
OPEN_SECONDS_MAX: Final = 0.2
STEPS_AT_ONCE: Final = 1000
PEACE_SECONDS: Final = 5.0
PATIENCE_SECONDS: Final = 3600


class LongRoom:
    """A room in the making, as the server's actor would have it."""

    def __init__(self) -> None:
        self._random = Random(1)
        self._now_ms = 1_700_000_000_000
        self._trail = Trail()
        self._kept = 0
        self.snapshot = b""
        self.steps: list[Append] = []
        create = entry(
            "ann", "Ann", self._now_ms, c.RoomCreate("sequence"), room_id=hashlib.sha256(b"long").hexdigest()
        )
        assert isinstance(create, Logged)
        opened = open_room(CODE, create)
        assert isinstance(opened, Room)
        self.room = opened
        record = msgspec.json.encode(create)
        self._head = chained(START, record)
        self._append(record, ())
        for command in (c.PlayerSwitchToSpectator(), c.HostAddBot("random"), c.HostAddBot("random")):
            self._do("ann", command)

    def play_next(self) -> None:
        """The next command: a move of a bot, or what begins a deal or a game."""
        room = self.room
        if room.phase is Phase.LOBBY:
            self._do("ann", c.HostStartGame())
        elif room.phase is Phase.ENDED:
            self._do("ann", c.HostRematch())
        elif room.turn:
            seat, played = room.turn[0], room.round
            member = room.seated(seat)
            assert played is not None
            assert member is not None
            offer = self._random.choice(played.menu(seat))
            action = offer.choose(self._random.choice(offer.among)) if offer.field else offer.action
            self._do(member.id, c.Play(action))
        else:
            self._now_ms = max(self._now_ms, room.deadline_ms or 0)
            self._do(CLOCK, c.Due())

    def _do(self, who: str, command: Any) -> None:
        self._now_ms += 100
        logged = entry(who, who, self._now_ms, command, room=self.room, head=self._head)
        assert isinstance(logged, Logged), logged
        done = handle(self.room, logged, self._random.randbytes(32))
        assert isinstance(done, Done), done
        if self.room.version - self._kept >= EVERY:
            taken = self._trail.snapshot(self.room, self._head, done.room)
            if taken is not None:
                self.snapshot, self._kept = encode(taken), self.room.version
                logged = msgspec.structs.replace(logged, snapshot=digest(self.snapshot))
        record = msgspec.json.encode(logged)
        self._trail.step(self.room, self._head, record, done.room)
        self.room, self._head = done.room, chained(self._head, record)
        self._append(record, done.secrets)

    def _append(self, record: bytes, secrets: tuple[tuple[str, bytes], ...]) -> None:
        listing = b'{"roomCode":"%s","game":"sequence","preset":"house","phase":"playing","players":2,"seats":2,' % (
            CODE.encode()
        )
        self.steps.append(
            Append(
                table=f"room:{CODE}",
                version=self.room.version,
                record=record,
                at_ms=self._now_ms,
                secrets=secrets,
                listing=listing + b'"hostName":"Ann","listed":false}' if self.room.version == 1 else None,
            )
        )


def fill(path: Path, commands: int) -> None:
    """Writes the store with its long room."""
    gc.disable()
    long = LongRoom()
    known = Known()
    with closing(open_writer(path, 5.0)) as connection:
        while long.room.version < commands:
            while len(long.steps) < STEPS_AT_ONCE and long.room.version < commands:
                long.play_next()
            connection.execute("BEGIN IMMEDIATE")
            outcomes = write_appends(connection, long.steps, known, closely=False)
            assert not any(outcomes), outcomes
            connection.execute("COMMIT")
            long.steps.clear()
        connection.execute("INSERT INTO snapshot SELECT id, ? FROM game_table", (long.snapshot,))


def store_of(folder: Path, commands: int) -> Path:
    """The store with its long room, which is made unless it is there."""
    store = folder / f"long-room-{commands}.db"
    if not store.exists():
        folder.mkdir(parents=True, exist_ok=True)
        print(f"making {store}", flush=True)
        half = store.with_suffix(".half")
        half.unlink(missing_ok=True)
        fill(half, commands)
        half.rename(store)
        os.sync()
    return store


def come(port: int) -> float:
    """Comes to watch the long room. The seconds until it is there."""
    line = Line(port, NEWCOMER)
    line.socket.settimeout(PATIENCE_SECONDS)
    line.shake_hands("/ws")
    line.ask(type="HELLO", nickname="Watcher")
    began = time.perf_counter()
    answer = line.ask(type="ROOM_JOIN_AS_SPECTATOR", commandId=os.urandom(8).hex(), roomCode=CODE)
    if answer["type"] == "ERROR":
        raise SystemExit(f"the room cannot be opened: {answer}")
    return time.perf_counter() - began


def download(port: int) -> float:
    """Downloads all records of the long room. The seconds that it took."""
    began = time.perf_counter()
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS, source_address=(NEWCOMER, 0))
    connection.request("GET", f"/api/rooms/{CODE}/records.jsonl")
    with connection.getresponse() as answer:
        if answer.status != 200:
            raise SystemExit(f"the records cannot be downloaded: {answer.status}")
        while answer.read(1 << 20):
            pass
    return time.perf_counter() - began


def beside(server: Server, work: Callable[[int], float] | None, at_most: float) -> tuple[float | None, Measured]:
    """The seconds that some work took, None if it went on, and what another table's player saw meanwhile."""
    took: list[float] = []
    player = Player(server.port)
    player.waits(0.5)
    thread = None if work is None else threading.Thread(target=lambda: took.append(work(server.port)), daemon=True)
    server.reset()
    began, used = time.perf_counter(), processor_seconds(server.pid)
    waits: list[float] = []
    with witness() as late:
        if thread is not None:
            thread.start()
        while not waits or (time.perf_counter() - began < at_most and (thread is None or thread.is_alive())):
            waits += player.waits(1.0)
    core = (processor_seconds(server.pid) - used) / (time.perf_counter() - began)
    measured = Measured(p99(waits), sorted(waits)[len(waits) // 2], max(waits), core, server.noted(), p99(late))
    return (took[0] if took else None), measured


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commands", type=int, nargs="*", default=[1_000_000])
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "croupier-benchmarks")
    parser.add_argument("--prepare", action="store_true", help="only make the stores")
    parser.add_argument("--download-seconds", type=float, default=60.0)
    parser.add_argument("--without-snapshot", action="store_true", help="open the rooms from their whole logs, too")
    options = parser.parse_args()
    stores = [store_of(options.folder, commands) for commands in options.commands]
    if options.prepare:
        return
    print(f"{os.cpu_count()} cores")
    print(HEAD)
    failed: list[str] = []
    unclear: list[str] = []
    works: list[tuple[str, Callable[[int], float] | None, float]] = [
        ("in peace", None, PEACE_SECONDS),
        ("opened", come, PATIENCE_SECONDS),
        ("downloaded", download, options.download_seconds),
    ]
    if options.without_snapshot:
        works.append(("opened from the log", come, PATIENCE_SECONDS))
    for commands, store in zip(options.commands, stores, strict=True):
        for work in works:
            name = f"{commands:,}: {work[0]}"
            seconds, best = _measured(store, work)
            print(row(name, best, 1), f"  took {seconds:.3f} s" if seconds is not None else "", flush=True)
            is_slow = work[0] == "opened" and (seconds is None or seconds > OPEN_SECONDS_MAX)
            if best.fails or (is_slow and best.witness_p99_ms <= QUIET_MS_MAX):
                failed.append(name)
            elif is_slow or not best.holds:
                unclear.append(name)
    conclude(failed, unclear, f"{OPEN_SECONDS_MAX:g} s to open or {P99_MS_MAX:g} ms to wait")


def _measured(store: Path, work: tuple[str, Callable[[int], float] | None, float]) -> tuple[float | None, Measured]:
    """One measurement on a server of its own. A room opened from its whole log has a new snapshot afterwards."""
    name, way, at_most = work
    if "log" in name:
        with closing(open_writer(store, 5.0)) as connection:
            connection.execute("DELETE FROM snapshot")
    with serving(store) as server:
        return beside(server, way, at_most)


if __name__ == "__main__":
    main()

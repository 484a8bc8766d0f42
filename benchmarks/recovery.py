"""How long it takes to open a room with a long log, and how long a player at another table waits meanwhile.

A room is filled with whole games of Sequence between two bots, each command decided by the room's own functions and
written to a SQLite store as the server writes it, snapshots included. Then a server is started on the store. Somebody
comes to watch the long room, which opens it; somebody downloads its records, which replays all of it; and with
`--without-snapshot` the room is opened from its whole log. Beside each a player sends durable commands of another room,
twenty a second. Making a log of a million commands takes some minutes.

Run as `python benchmarks/recovery.py [--commands 10000 100000 1000000] [--without-snapshot]`; it ends with 1 if a room
takes longer than 0.2 s to open from its snapshot, or a p99 is above 30 ms.
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
from floods import P99_MS_MAX, Line, Player

from croupier.store.port import Append
from croupier.store.sqlite.batch import Known, write_appends
from croupier.store.sqlite.opening import open_writer
from croupier.table import commands as c
from croupier.table.apply import CLOCK, START, Done, Logged, chained, entry, handle, open_room
from croupier.table.room import Phase, Room
from croupier.table.snapshot import EVERY, Trail, digest, encode

CODE: Final = "BENCHY"
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

    def go_on(self) -> None:
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
            self._do(member.id, c.Play(msgspec.Raw(msgspec.json.encode(action))))
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
    long = LongRoom()
    known = Known()
    with closing(open_writer(path, 5.0)) as connection:
        while long.room.version < commands:
            while len(long.steps) < STEPS_AT_ONCE and long.room.version < commands:
                long.go_on()
            connection.execute("BEGIN IMMEDIATE")
            outcomes = write_appends(connection, long.steps, known, closely=False)
            assert not any(outcomes), outcomes
            connection.execute("COMMIT")
            long.steps.clear()
        connection.execute("INSERT INTO snapshot SELECT id, ? FROM game_table", (long.snapshot,))


@contextmanager
def server(store: Path) -> Iterator[int]:
    """The port of a server on the store."""
    command = [
        sys.executable,
        "-m",
        "croupier",
        "serve",
        "--port",
        "0",
        "--lang",
        "en",
        "--store",
        f"sqlite:///{store}",
    ]
    with store.with_suffix(".log").open("ab") as log:
        running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            assert running.stdout is not None
            found = re.search(r":(\d+)/", running.stdout.readline())
            if found is None:
                raise SystemExit(store.with_suffix(".log").read_text(encoding="utf-8"))
            yield int(found[1])
        finally:
            running.terminate()
            running.wait()


def come(port: int) -> float:
    """Comes to watch the long room. The seconds until it is there."""
    line = Line(port, "127.0.0.1")
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
    with urllib.request.urlopen(
        f"http://127.0.0.1:{port}/api/rooms/{CODE}/records.jsonl", timeout=PATIENCE_SECONDS
    ) as answer:
        while answer.read(1 << 20):
            pass
    return time.perf_counter() - began


def beside(port: int, work: Callable[[int], float] | None) -> tuple[float, list[float]]:
    """The seconds that some work took, and how many milliseconds another table's player waited meanwhile."""
    took: list[float] = []
    player = Player(port)
    if work is None:
        return 0.0, sorted(player.waits(PEACE_SECONDS))
    thread = threading.Thread(target=lambda: took.append(work(port)), daemon=True)
    waits: list[float] = []
    waits += player.waits(0.5)
    thread.start()
    while thread.is_alive():
        waits += player.waits(0.5)
    return (took or [float("inf")])[0], sorted(waits)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commands", type=int, nargs="*", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--without-snapshot", action="store_true", help="open the rooms from their whole logs, too")
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores")
    print(f"{'':42}{'seconds':>10}{'p50 ms':>9}{'p99 ms':>9}{'max ms':>9}")
    above = []
    works: list[tuple[str, Callable[[int], float] | None]] = [
        ("in peace", None),
        ("opened from its snapshot", come),
        ("downloaded", download),
    ]
    if options.without_snapshot:
        works.append(("opened from its whole log", come))
    for commands in options.commands:
        with tempfile.TemporaryDirectory() as folder:
            store = Path(folder) / "rooms.db"
            fill(store, commands)
            for name, work in works:
                if "whole" in name:
                    with closing(open_writer(store, 5.0)) as connection:
                        connection.execute("DELETE FROM snapshot")
                with server(store) as port:
                    seconds, waits = beside(port, work)
                p50, p99 = waits[len(waits) // 2], waits[int(len(waits) * 0.99)]
                row = f"{commands:>9,} commands, {name}"
                print(f"{row:42}{seconds:10.3f}{p50:9.1f}{p99:9.1f}{waits[-1]:9.1f}", flush=True)
                if p99 > P99_MS_MAX or ("snapshot" in name and seconds > OPEN_SECONDS_MAX):
                    above.append(row.strip())
    if above:
        print(f"above {OPEN_SECONDS_MAX:g} s or {P99_MS_MAX:g} ms: {'; '.join(above)}")
        raise SystemExit(1)


if __name__ == "__main__":
    main()

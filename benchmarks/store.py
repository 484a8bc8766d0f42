"""How many durable steps a second the stores take, beside one commit a step through the same libraries.

Two hundred tables with one step outstanding each: a record of 300 bytes, a command with its answer, two ledger entries.
Run as `python benchmarks/store.py [--seconds 3] [--rounds 3] [--folder .]`; the folder lies on the disk to measure.
PostgreSQL is measured where the tests find one, with its own durable settings, on the same disk and the same cores.
"""

import argparse
import asyncio
import os
import platform
import secrets
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from croupier.store.port import Append, Entry
from croupier.store.sqlite import SqliteStore
from croupier.store.sqlite.batch import Known, write_appends
from croupier.store.sqlite.database import open_writer

if TYPE_CHECKING:
    from tests.store.database import Server

TABLES = 200
CONNECTIONS = 20
RECORD = os.urandom(150).hex().encode()
ANSWER = b'{"ok":true,"version":12345}'


class Figures(NamedTuple):
    """What one run measured."""

    appends_per_second: float
    appends_per_commit: float
    p50_ms: float
    p99_ms: float
    cpu_microseconds: float
    """Computing for one append, over all threads: what it costs when the machine has other things to do."""


def step(table: int, version: int) -> Append:
    """The next step of a table."""
    return Append(
        table=f"room:{table:05d}",
        version=version,
        record=RECORD,
        at_ms=1_700_000_000_000 + version,
        command_id=f"{table:08x}-{version:08x}",
        answer=ANSWER,
        entries=(Entry(f"player:{table:05d}", -5), Entry("house", 5)),
        deadline_ms=1_700_000_030_000 + version,
    )


async def crowd(
    append: Callable[[Append], Awaitable[object]],
    seconds: float,
    work_microseconds: float,
    tables: Iterable[int] = range(TABLES),
) -> list[float]:
    """Plays all tables at once, each waiting for its last step before the next; the seconds that each step took.

    `work_microseconds` of computing for every step stand for what else a server does on the same core.
    """
    taken: list[float] = []
    until = time.perf_counter() + seconds

    async def play(table: int) -> None:
        version = 0
        while (began := time.perf_counter()) < until:
            version += 1
            if work_microseconds:
                working = time.thread_time()
                while time.thread_time() - working < work_microseconds / 1e6:
                    pass
                began = time.perf_counter()
            assert await append(step(table, version)) is None
            taken.append(time.perf_counter() - began)

    await asyncio.gather(*(play(table) for table in tables))
    return taken


def grouped(path: Path, seconds: float, work_microseconds: float = 0) -> Figures:
    """The store as it is."""

    async def run() -> Figures:
        store = SqliteStore(path)
        watch = Watch()
        taken = await crowd(store.append, seconds, work_microseconds)
        measured = watch.figures(taken, store.counters.jobs / store.counters.commits)
        await store.close()
        return measured

    return asyncio.run(run())


def one_by_one(path: Path, seconds: float) -> Figures:
    """The same rows by the same statements, but a commit for every step and nothing around it."""
    taken = []
    with closing(open_writer(path, 5.0)) as connection:
        known = Known()
        watch = Watch()
        until = time.perf_counter() + seconds
        version = 0
        while time.perf_counter() < until:
            version += 1
            for table in range(TABLES):
                started = time.perf_counter()
                connection.execute("BEGIN IMMEDIATE")
                write_appends(connection, [step(table, version)], known, closely=False)
                connection.execute("COMMIT")
                taken.append(time.perf_counter() - started)
        return watch.figures(taken, 1)


def aiosqlite_one_by_one(path: Path, seconds: float) -> Figures:
    """What people write with aiosqlite: a few plain statements a step, then a commit."""
    import aiosqlite

    open_writer(path, 5.0).close()

    async def run() -> Figures:
        async with aiosqlite.connect(path, isolation_level=None) as connection:
            await connection.execute("PRAGMA synchronous = FULL")
            lock = asyncio.Lock()

            async def append(step: Append) -> None:
                async with lock:
                    await connection.execute("BEGIN IMMEDIATE")
                    await connection.execute(
                        "INSERT INTO game_table (name, version, open, deadline_ms, listing, last_record_id)"
                        " VALUES (?, ?, 1, ?, x'', 0) ON CONFLICT (name) DO UPDATE SET version = excluded.version",
                        (step.table, step.version, step.deadline_ms),
                    )
                    await connection.execute(
                        "INSERT INTO record (table_id, version, at_ms, command_id, record, answer)"
                        " VALUES ((SELECT id FROM game_table WHERE name = ?), ?, ?, ?, ?, ?)",
                        (step.table, step.version, step.at_ms, step.command_id, step.record, step.answer),
                    )
                    for entry in step.entries:
                        await connection.execute(
                            "INSERT INTO account (name, chips, last_entry_id) VALUES (?, ?, 0)"
                            " ON CONFLICT (name) DO UPDATE SET chips = chips + excluded.chips",
                            (entry.account, entry.chips),
                        )
                    await connection.executemany(
                        "INSERT INTO entry (record_id, account_id, chips)"
                        " VALUES ((SELECT max(id) FROM record), (SELECT id FROM account WHERE name = ?), ?)",
                        [(entry.account, entry.chips) for entry in step.entries],
                    )
                    await connection.execute("COMMIT")

            watch = Watch()
            return watch.figures(await crowd(append, seconds, 0), 1)

    return asyncio.run(run())


def postgres_grouped(server: "Server", seconds: float, nodes: int = 1) -> Figures:
    """The PostgreSQL store as it is; the tables shared out among several nodes of one process."""
    from croupier.store.postgres import PostgresStore

    async def run() -> Figures:
        schema = f"bench_{secrets.token_hex(4)}"
        stores = [PostgresStore(server.url(schema)) for _ in range(nodes)]

        async def append(step: Append) -> object:
            return await stores[int(step.table[-3:]) % nodes].append(step)

        await asyncio.gather(*(store.tables() for store in stores))
        watch = Watch()
        taken = await crowd(append, seconds, 0)
        commits = sum(store.counters.commits for store in stores)
        measured = watch.figures(taken, sum(store.counters.jobs for store in stores) / commits)
        for store in stores:
            await store.close()
        return measured

    return asyncio.run(run())


def asyncpg_one_by_one(server: "Server", seconds: float) -> Figures:
    """The same rows by the same statements, but a transaction for every step, on a connection each of twenty."""
    import asyncpg

    from croupier.store.postgres.address import parse
    from croupier.store.postgres.batch import Outrun
    from croupier.store.postgres.batch import write_appends as write_to_postgres
    from croupier.store.postgres.database import connect, migrate

    async def run() -> Figures:
        address = parse(server.url(f"bench_{secrets.token_hex(4)}"))
        await migrate(address)
        idle: asyncio.LifoQueue[asyncpg.Connection] = asyncio.LifoQueue()
        for _ in range(CONNECTIONS):
            idle.put_nowait(await connect(address))

        async def append(step: Append) -> None:
            connection = await idle.get()
            while True:
                try:
                    async with connection.transaction():
                        await write_to_postgres(connection, [step], "bench", "bench", part=0)
                    break
                except Outrun:
                    continue
            idle.put_nowait(connection)

        watch = Watch()
        measured = watch.figures(await crowd(append, seconds, 0), 1)
        while not idle.empty():
            idle.get_nowait().terminate()
        return measured

    return asyncio.run(run())


class Watch:
    """Time that passes, and time computed, from now on."""

    def __init__(self) -> None:
        self._began, self._computed = time.perf_counter(), time.process_time()

    def figures(self, taken: list[float], appends_per_commit: float) -> Figures:
        elapsed, computed = time.perf_counter() - self._began, time.process_time() - self._computed
        cuts = statistics.quantiles(taken, n=100)
        return Figures(
            len(taken) / elapsed, appends_per_commit, cuts[49] * 1e3, cuts[98] * 1e3, computed / len(taken) * 1e6
        )


def best(run: Callable[[Path], Figures], rounds: int, folder: Path) -> Figures:
    """The best of several runs, each in a file of its own."""
    found = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(dir=folder) as place:
            found.append(run(Path(place) / "store.db"))
    return max(found)


def postgres_server(folder: Path) -> "Server | None":
    """A server that waits for the disk at every commit, or None where there is none; it is removed at the end."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from tests.store.database import binaries, new_server

    if find_spec("asyncpg") is None or binaries() is None:
        return None
    return new_server(folder, fsync="on", synchronous_commit="on", shared_buffers="256MB", max_wal_size="4GB")


def main() -> None:
    """Prints every figure, and the ratios to the peers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=Path())
    options = parser.parse_args()
    seconds = options.seconds
    print(f"SQLite {sqlite3.sqlite_version}, Python {platform.python_version()}, {TABLES} tables, synchronous=FULL")
    runs: dict[str, Callable[[Path], Figures]] = {
        "croupier": lambda path: grouped(path, seconds),
        "croupier, and 50 µs of other work a step": lambda path: grouped(path, seconds, 50),
        "sqlite3, a commit a step": lambda path: one_by_one(path, seconds),
    }
    try:
        import aiosqlite  # noqa: F401 - only to know whether the peer is there
    except ImportError:
        print("aiosqlite is not installed: left out")
    else:
        runs["aiosqlite, a commit a step"] = lambda path: aiosqlite_one_by_one(path, seconds)
    server = postgres_server(options.folder)
    if server is None:
        print("PostgreSQL is not installed: left out")
    else:
        runs["croupier on PostgreSQL"] = lambda path: postgres_grouped(server, seconds)
        runs["croupier on PostgreSQL, two nodes"] = lambda path: postgres_grouped(server, seconds, 2)
        runs["asyncpg, a transaction a step"] = lambda path: asyncpg_one_by_one(server, seconds)
    ours = None
    for name, run in runs.items():
        measured = best(run, options.rounds, options.folder)
        ours = ours or measured
        ratio = ours.appends_per_second / measured.appends_per_second
        if name == "croupier on PostgreSQL":
            ours = measured
        print(
            f"{name:42} {measured.appends_per_second:8,.0f} appends/s  {measured.appends_per_commit:6.1f} a commit"
            f"  p50 {measured.p50_ms:7.2f} ms  p99 {measured.p99_ms:7.2f} ms  {measured.cpu_microseconds:5.0f} µs CPU"
            + (f"  we are {ratio:.1f}×" if measured is not ours and "croupier" not in name else "")
        )


if __name__ == "__main__":
    main()

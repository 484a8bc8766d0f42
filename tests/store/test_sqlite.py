"""What the SQLite store promises beyond the port: how it commits, what its check finds, who may share its file."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from croupier.store import group_commit
from croupier.store.port import Stale
from croupier.store.sqlite import SqliteStore
from croupier.store.sqlite.database import open_writer
from tests.store.steps import step


def test_commits_wait_for_the_disk(tmp_path: Path) -> None:
    with closing(open_writer(tmp_path / "store.db", 1)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_all_that_waits_while_a_commit_runs_shares_the_next(tmp_path: Path) -> None:
    async def go() -> None:
        store = SqliteStore(tmp_path / "store.db")
        with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            appends = [asyncio.ensure_future(store.append(step(f"t{number}", 1))) for number in range(300)]
            await asyncio.sleep(0)
            other.execute("ROLLBACK")
        assert await asyncio.gather(*appends) == [None] * 300
        assert store.counters.jobs == 300
        assert store.counters.commits <= 2
        await store.close()

    asyncio.run(go())


@pytest.mark.parametrize("count", [1, 2, 15, 16, 17, 63, 129, 300])
def test_a_batch_of_any_length_is_written_whole(tmp_path: Path, count: int) -> None:
    async def go() -> None:
        store = SqliteStore(tmp_path / "store.db")
        with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            moves = {"a": -1, "b": -1, "house": 2}
            appends = [asyncio.ensure_future(store.append(step(f"t{n}", 1, "c", moves=moves))) for n in range(count)]
            await asyncio.sleep(0)
            other.execute("ROLLBACK")
        assert await asyncio.gather(*appends) == [None] * count
        for n in range(count):
            assert [stored.record for stored in await store.records(f"t{n}")] == [b"t%d 1" % n]
        assert len(await store.ledger("a", most=1000)) == count
        assert await store.balance("house") == 2 * count
        assert await store.check() == []
        await store.close()

    asyncio.run(go())


def test_a_step_alone_is_committed_alone_and_at_once(tmp_path: Path) -> None:
    async def go() -> None:
        store = SqliteStore(tmp_path / "store.db")
        for version in range(1, 6):
            assert await store.append(step("t", version)) is None
        assert (store.counters.commits, store.counters.jobs) == (5, 5)
        await store.close()

    asyncio.run(go())


def test_who_comes_when_the_queue_is_full_waits_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_commit, "JOBS_QUEUED_MAX", 3)

    async def go() -> None:
        store = SqliteStore(tmp_path / "store.db")
        with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            appends = [asyncio.ensure_future(store.append(step(f"t{number}", 1))) for number in range(20)]
            for _ in range(20):
                await asyncio.sleep(0)
            assert store._writer._jobs.qsize() <= 3
            other.execute("ROLLBACK")
        assert await asyncio.gather(*appends) == [None] * 20
        await store.close()

    asyncio.run(go())


def test_a_large_batch_is_cut_into_several_commits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_commit, "BATCH_JOBS_MAX", 10)
    monkeypatch.setattr(group_commit, "BATCH_BYTES_MAX", 5000)

    async def go() -> None:
        store = SqliteStore(tmp_path / "store.db")
        small = [store.append(step(f"small{number}", 1)) for number in range(40)]
        large = [store.append(step(f"large{number}", 1, record=bytes(2000))) for number in range(40)]
        assert await asyncio.gather(*small, *large) == [None] * 80
        assert store.counters.commits >= 4 + 14 - 1
        await store.close()

    asyncio.run(go())


def test_two_stores_on_one_file_agree_on_every_version(tmp_path: Path) -> None:
    async def go() -> None:
        stores = [SqliteStore(tmp_path / "store.db") for _ in range(2)]

        async def play(store: SqliteStore) -> None:
            version = 0
            for _ in range(50):
                while isinstance(result := await store.append(step("t", version + 1, moves={"a": 1, "b": -1})), Stale):
                    version = result.version
                version += 1

        await asyncio.gather(*map(play, stores))
        for store in stores:
            assert [stored.version for stored in await store.records("t")] == list(range(1, 101))
            assert await store.balance("a") == 100
            assert await store.check() == []
            await store.close()

    asyncio.run(go())


def test_several_may_open_a_new_file_at_once(tmp_path: Path) -> None:
    async def go() -> None:
        opening = (asyncio.to_thread(SqliteStore, tmp_path / "store.db") for _ in range(6))
        for number, store in enumerate(await asyncio.gather(*opening)):
            assert await store.append(step("t", number + 1)) is None
            await store.close()

    asyncio.run(go())


def test_a_store_serves_one_event_loop_after_another(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "store.db")

    async def append(version: int) -> None:
        assert await store.append(step("t", version)) is None

    asyncio.run(append(1))
    asyncio.run(append(2))
    assert len(asyncio.run(store.records("t"))) == 2
    asyncio.run(store.close())


TAMPERINGS = {
    "has records up to 3, but 2": "DELETE FROM record WHERE version = 2 AND table_id = 1",
    "record 3 does not follow": "UPDATE record SET previous_id = 1 WHERE version = 3 AND table_id = 1",
    "record 1 does not follow": "UPDATE record SET previous_id = 99 WHERE version = 1",
    "said to be at version 7": "UPDATE game_table SET version = 7",
    "with row 1, but its last record is 3": "UPDATE game_table SET last_record_id = 1",
    "the entries of record 2 sum to 1": "UPDATE entry SET chips = chips + 1 WHERE id = 3",
    "the balance is 8, but the entries sum to 6": "UPDATE account SET chips = 8 WHERE name = 'a'",
    "the sum over all accounts is 2": "UPDATE account SET chips = chips + 2 WHERE name = 'a'",
    "entry 5 does not follow": "UPDATE entry SET previous_id = 2 WHERE id = 5",
    "has 3 entries, but only 2 in its chain": "UPDATE entry SET previous_id = 1 WHERE id = 5",
    "entry 1 is said to be the last, but 5 is": "UPDATE account SET last_entry_id = 1 WHERE name = 'a'",
    "3 rows of entry point to a row of account": "DELETE FROM account WHERE name = 'a'",
    "CHECK constraint failed in game_table": "PRAGMA ignore_check_constraints = 1; UPDATE game_table SET open = 7",
}


@pytest.mark.parametrize(("finding", "tampering"), TAMPERINGS.items(), ids=TAMPERINGS)
def test_the_check_finds_what_was_tampered_with(tmp_path: Path, finding: str, tampering: str) -> None:
    path = tmp_path / "store.db"

    async def fill() -> None:
        store = SqliteStore(path)
        for version in (1, 2, 3):
            await store.append(step("t", version, moves={"a": 2, "b": -2}))
        assert await store.check() == []
        await store.close()

    async def check() -> str:
        store = SqliteStore(path)
        found = await store.check()
        await store.close()
        return "\n".join(found)

    asyncio.run(fill())
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(tampering)
    assert finding in asyncio.run(check())

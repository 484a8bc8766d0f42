"""A store that cannot be used says what is wrong and where, keeps nothing of the step, and goes on when it can."""

import asyncio
import ctypes
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from croupier.locales import LANGUAGES, catalogue, text
from croupier.store.faults import fault
from croupier.store.memory import MemoryStore
from croupier.store.open import open_store
from croupier.store.port import StoreError
from croupier.store.sqlite import SqliteStore
from croupier.store.sqlite.database import migrations, open_writer
from tests.store.steps import step


def refusal(path: Path) -> StoreError:
    """Why a store cannot be opened."""
    with pytest.raises(StoreError) as told:
        SqliteStore(path, lock_wait_seconds=0.1)
    assert str(path) in str(told.value)
    return told.value


async def refused_append(store: SqliteStore, version: int) -> StoreError:
    """Why a step cannot be written."""
    with pytest.raises(StoreError) as told:
        await store.append(step("t", version, moves={"a": 1, "b": -1}))
    return told.value


CAPABILITY_VERSION = 0x20080522
FILE_RIGHTS = 0b110
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH: by these, root writes what is read-only."""


@contextmanager
def without_the_powers_of_root() -> Iterator[Path]:
    """A folder in which read-only means read-only, for root too: in this thread and those that it starts."""
    with tempfile.TemporaryDirectory() as folder:
        if os.geteuid() != 0:
            yield Path(folder)
            return
        libc = ctypes.CDLL(None, use_errno=True)
        header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
        held = (ctypes.c_uint32 * 6)()  # effective, permitted and inheritable, low words first
        assert libc.capget(header, held) == 0
        less = type(held)(*held)
        less[0] &= ~FILE_RIGHTS
        assert libc.capset(header, less) == 0
        try:
            yield Path(folder)
        finally:
            assert libc.capset(header, held) == 0


def fill(path: Path, steps: int = 3, record: bytes = b"record") -> None:
    async def go() -> None:
        store = SqliteStore(path)
        for version in range(1, steps + 1):
            assert await store.append(step("t", version, record=record, moves={"a": 1, "b": -1})) is None
        await store.close()

    asyncio.run(go())


def test_folders_are_made_and_the_file_is_private(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "deeper" / "store.db"

    async def go() -> None:
        store = SqliteStore(path)
        await store.append(step("t", 1))
        assert {file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {0o600}
        await store.close()

    asyncio.run(go())
    assert [file.name for file in path.parent.iterdir()] == ["store.db"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError) as told:
        SqliteStore(tmp_path / "file" / "store.db")
    assert told.value.code == "STORE_NO_FOLDER"
    assert str(tmp_path / "file") in str(told.value)


def test_a_folder_in_place_of_the_file_is_an_error(tmp_path: Path) -> None:
    assert "directory" in str(refusal(tmp_path))


def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("these are my notes, not a database\n" * 100)
    before = path.read_bytes()
    assert refusal(path).code == "STORE_NOT_A_DATABASE"
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]


def test_another_programs_database_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    before = path.read_bytes()
    assert refusal(path).code == "STORE_FOREIGN"
    assert path.read_bytes() == before


def test_a_newer_schema_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    fill(path)
    newer = len(migrations()) + 1
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO schema_version VALUES (?)", (newer,))
    error = refusal(path)
    assert (error.code, error.facts["found"], error.facts["known"]) == ("STORE_NEWER", newer, newer - 1)


def test_a_migration_that_fails_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "store.db"
    fill(path)
    more = [(len(migrations()) + 1, "CREATE TABLE extra (x);\nINSERT INTO nowhere VALUES (1);\n")]
    steps = migrations() + more
    with monkeypatch.context() as patch:
        patch.setattr("croupier.store.sqlite.database.migrations", lambda: steps)
        assert "nowhere" in str(refusal(path))
    with closing(open_writer(path, 1)) as connection:
        assert connection.execute("SELECT max(version) FROM schema_version").fetchone() == (len(migrations()),)
        assert connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'extra'").fetchone() == (0,)


def test_a_later_migration_is_applied_once_to_a_store_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "store.db"
    fill(path)
    steps = [*migrations(), (len(migrations()) + 1, "-- more; of it\nCREATE TABLE extra (x);\n")]
    monkeypatch.setattr("croupier.store.sqlite.database.migrations", lambda: steps)
    for _ in range(2):
        with closing(open_writer(path, 1)) as connection:
            assert connection.execute("SELECT count(*) FROM schema_version").fetchone() == (len(steps),)
    store = open_store(f"sqlite:///{path}")
    assert len(asyncio.run(store.records("t"))) == 3
    asyncio.run(store.close())


def test_a_read_only_file_is_named() -> None:
    with without_the_powers_of_root() as folder:
        path = folder / "store.db"
        open_writer(path, 1).close()
        path.chmod(0o400)
        assert refusal(path).code == "STORE_READ_ONLY"


@pytest.mark.parametrize("exists", [True, False])
def test_a_read_only_folder_is_an_error_that_names_the_file(exists: bool) -> None:
    with without_the_powers_of_root() as folder:
        path = folder / "store.db"
        if exists:
            open_writer(path, 1).close()
        folder.chmod(0o500)
        try:
            assert refusal(path).code == "STORE_READ_ONLY"
        finally:
            folder.chmod(0o700)


def test_a_damaged_file_is_found_by_reading_by_writing_and_by_the_check(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    fill(path, 200, record=bytes(1000))
    pages = bytearray(path.read_bytes())
    for page in range(2, len(pages) // 4096):
        pages[page * 4096 : page * 4096 + 200] = b"\xff" * 200
    path.write_bytes(pages)

    async def go() -> None:
        store = SqliteStore(path)
        assert (await refused_append(store, 201)).code == "STORE_CORRUPT"
        with pytest.raises(StoreError) as told:
            await store.records("t")
        assert told.value.code == "STORE_CORRUPT"
        assert str(path) in str(told.value)
        assert await store.check() != []
        await store.close()

    asyncio.run(go())


def test_a_file_cut_short_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    fill(path, 50, record=bytes(1000))
    os.truncate(path, 3 * 4096)
    assert refusal(path).code == "STORE_CORRUPT"


def test_a_full_store_keeps_nothing_of_the_step_and_goes_on_when_there_is_space(tmp_path: Path) -> None:
    async def go() -> None:
        store = SqliteStore(tmp_path / "store.db")
        await store.append(step("t", 1, moves={"a": 1, "b": -1}))
        limit_pages(store, 1)
        crowd = [store.append(step(f"u{number}", 1, record=bytes(100_000))) for number in range(5)]
        told = await asyncio.gather(*crowd, return_exceptions=True)
        assert {error.code for error in told if isinstance(error, StoreError)} == {"STORE_FULL"}
        assert len([error for error in told if isinstance(error, StoreError)]) == 5
        assert [row.table for row in await store.tables()] == ["t"]
        assert await store.check() == []
        limit_pages(store, 1_000_000)
        assert await store.append(step("t", 2, record=bytes(100_000), moves={"a": 1, "b": -1})) is None
        assert await store.balance("a") == 2
        assert await store.check() == []
        await store.close()

    asyncio.run(go())


def limit_pages(store: SqliteStore, pages: int) -> None:
    """SQLite takes a file of that many pages for a full disk (and never fewer than it has)."""
    store._writer._connection.execute(f"PRAGMA max_page_count = {pages}")


def test_a_write_that_the_system_refuses_keeps_nothing_and_the_next_goes_on(tmp_path: Path) -> None:
    async def go() -> None:
        store = SqliteStore(tmp_path / "store.db")
        await store.append(step("t", 1, moves={"a": 1, "b": -1}))
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        log = tmp_path / "store.db-wal"
        resource.setrlimit(resource.RLIMIT_FSIZE, (log.stat().st_size + 10_000, hard))
        try:
            with pytest.raises(StoreError) as told:
                await store.append(step("t", 2, record=bytes(100_000), moves={"a": 1, "b": -1}))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert str(tmp_path) in str(told.value)
        assert await store.balance("a") == 1
        assert await store.append(step("t", 2, record=bytes(100_000), moves={"a": 1, "b": -1})) is None
        assert await store.check() == []
        await store.close()

    asyncio.run(go())


@pytest.mark.parametrize("replaced", [True, False])
def test_a_file_deleted_or_replaced_while_in_use_takes_no_more_steps(tmp_path: Path, replaced: bool) -> None:
    async def go() -> None:
        path = tmp_path / "store.db"
        store = SqliteStore(path)
        await store.append(step("t", 1))
        path.rename(tmp_path / "away.db")
        if replaced:
            path.write_bytes(b"")
        assert (await refused_append(store, 2)).code == "STORE_GONE"
        (tmp_path / "away.db").rename(path)
        assert await store.append(step("t", 2)) is None
        await store.close()

    asyncio.run(go())


HOLD_LOCK = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def locked_by_another_process(path: Path) -> Iterator[None]:
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD_LOCK, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert other.stdout is not None
    assert other.stdout.readline() == b"held\n"
    try:
        yield
    finally:
        other.communicate()


def test_a_store_locked_by_another_process_says_so_still_reads_and_goes_on_after(tmp_path: Path) -> None:
    path = tmp_path / "store.db"

    async def go() -> None:
        store = SqliteStore(path, lock_wait_seconds=0.1)
        await store.append(step("t", 1))
        with locked_by_another_process(path):
            assert (await refused_append(store, 2)).code == "STORE_LOCKED"
            assert len(await store.records("t")) == 1
            assert refusal(path).code == "STORE_LOCKED"
        assert await store.append(step("t", 2)) is None
        await store.close()

    asyncio.run(go())


def test_every_fault_has_its_text_in_every_language() -> None:
    codes = [key.removeprefix("store.") for key in catalogue("en") if key.startswith("store.STORE_")]
    names = "place fault found known needed address allowed kind extra file line process"
    facts = dict.fromkeys(names.split(), "x")
    for code in codes:
        assert str(fault(code, **facts)) == text("en", f"store.{code}", **facts)
        assert len({text(language, f"store.{code}", **facts) for language in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.parametrize("address", ["", "sqlite:", "sqlite://", "sqlite:///", "mysql://x", "store.db", "memory"])
def test_an_address_that_is_none_is_refused_with_what_is_possible(address: str) -> None:
    with pytest.raises(StoreError) as told:
        open_store(address)
    assert told.value.code == "STORE_ADDRESS"
    assert "sqlite:///" in str(told.value)


def test_addresses_lead_to_stores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert isinstance(open_store("memory:"), MemoryStore)

    async def opened(address: str) -> Path:
        store = open_store(address)
        assert isinstance(store, SqliteStore)
        await store.close()
        return store.path.resolve()

    assert asyncio.run(opened("sqlite:///folder/a b?.db")) == tmp_path / "folder" / "a b?.db"
    assert asyncio.run(opened(f"sqlite:///{tmp_path}/b.db")) == tmp_path / "b.db"
    assert asyncio.run(opened("sqlite:///~/c.db")) == tmp_path / "home" / "c.db"


def test_postgresql_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.store.open.find_spec", lambda name: None)
    with pytest.raises(StoreError, match=r"croupier\[postgres\]"):
        open_store("postgresql://croupier@localhost/croupier")

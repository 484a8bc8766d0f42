"""Stores moved into files and back, between SQLite and PostgreSQL; and the commands that do it."""

import asyncio
import hashlib
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from croupier.store.export import End, Moved, export_store, import_store
from croupier.store.open import open_store
from croupier.store.port import Entry, Person, Store, StoreError
from tests.store.database import schema_of, shared_server
from tests.store.steps import step

URLS: dict[str, Callable[[Path], str]] = {
    "sqlite": lambda folder: f"sqlite:///{folder}/store.db",
    "postgresql": lambda folder: shared_server().url(schema_of(folder)),
}
ACCOUNTS = ("a", "b", "house", "♠")
MOVED = Moved(people=2, steps=15)


async def fill(store: Store) -> None:
    """Two people and three tables whose steps, made by turns, move chips between the same accounts."""
    await store.save_person(Person("p1", "Анна", b"1" * 32, "ru", 5))
    await store.save_person(Person("p2", "Bob", b"2" * 32, "en", 6))
    for version in range(1, 6):
        for table in ("table 1", "table 2", "casino\n♠"):
            entries = (Entry("house", -3 * version), Entry("a", version), Entry("♠", version), Entry("a", version))
            secrets = ((f"seed{version}", bytes(range(256))), ("salt", b""))
            await store.append(
                step(
                    table,
                    version,
                    f"c{version}" if version % 2 else "",
                    entries=entries if version != 3 else (),
                    secrets=secrets,
                    deadline_ms=version if table == "table 1" else None,
                    listing=b"listed %d" % version if version < 5 else None,
                    open=version < 5 or table != "table 2",
                )
            )
    await store.forget_secrets("table 1", ["seed2"])


async def everything(url: str) -> list[object]:
    """All that the port tells of a store."""
    store = open_store(url, create=False)
    try:
        assert await store.check() == []
        rows = await store.tables(only_open=False)
        told: list[object] = [rows, await store.due(10), await store.total()]
        for row in rows:
            told += [await store.records(row.table), await store.secrets(row.table)]
            told += [await store.answer(row.table, f"c{version}") for version in range(1, 6)]
        for account in ACCOUNTS:
            told += [await store.balance(account), await store.ledger(account)]
        told += [await store.person(person) for person in ("p1", "p2")]
    finally:
        await store.close()
    return told


async def filled(url: str) -> list[object]:
    store = open_store(url)
    await fill(store)
    await store.close()
    return await everything(url)


@pytest.mark.parametrize("there", URLS)
@pytest.mark.parametrize("here", URLS)
def test_a_moved_store_tells_the_same_as_before(tmp_path: Path, here: str, there: str) -> None:
    async def go() -> None:
        (tmp_path / "here").mkdir()
        (tmp_path / "there").mkdir()
        origin, target = URLS[here](tmp_path / "here"), URLS[there](tmp_path / "there")
        before = await filled(origin)
        file = tmp_path / "moved.jsonl"
        assert await export_store(origin, file) == MOVED
        assert file.stat().st_mode & 0o777 == 0o600
        assert await import_store(file, target) == MOVED
        assert await everything(target) == before
        again = tmp_path / "again.jsonl"
        await export_store(target, again)
        assert again.read_bytes() == file.read_bytes()

    asyncio.run(go())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again.jsonl", "here", "moved.jsonl", "there"]


@pytest.mark.parametrize("kind", URLS)
def test_an_empty_store_takes_a_file_and_goes_on_and_a_full_one_refuses_it(tmp_path: Path, kind: str) -> None:
    async def go() -> None:
        origin = f"sqlite:///{tmp_path}/origin.db"
        file = tmp_path / "moved.jsonl"
        before = await filled(origin)
        await export_store(origin, file)
        target = URLS[kind](tmp_path)
        store = open_store(target)
        await store.tables()
        await store.close()
        await import_store(file, target)
        with pytest.raises(StoreError) as told:
            await import_store(file, target)
        assert told.value.code == "STORE_NOT_EMPTY"
        assert await everything(target) == before
        store = open_store(target)
        assert await store.append(step("table 1", 6, moves={"a": 1, "house": -1})) is None
        assert [row.table for row in await store.tables(most=1)] == ["table 1"]
        assert await store.check() == []
        await store.close()

    asyncio.run(go())


def lines(file: Path) -> list[bytes]:
    return file.read_bytes().splitlines(keepends=True)


def sealed(spoilt: list[bytes]) -> list[bytes]:
    """The lines with an end that fits them, as by somebody who means it."""
    body = spoilt[:-1]
    people, steps = (sum(kind in line[:20] for line in body) for kind in (b'"person"', b'"step"'))
    return [*body, msgspec.json.encode(End(people, steps, hashlib.sha256(b"".join(body)).hexdigest()))]


DAMAGES: dict[str, tuple[str, Callable[[list[bytes]], list[bytes]]]] = {
    "without its end": ("STORE_FILE_CUT", lambda lines: lines[:-1]),
    "empty": ("STORE_FILE_CUT", lambda lines: []),
    "without a head": ("STORE_FILE_CUT", lambda lines: lines[1:]),
    "with a step left out": ("STORE_FILE_LINE", lambda lines: sealed(lines[:5] + lines[6:])),
    "without its last step": ("STORE_FILE_CUT", lambda lines: lines[:-2] + lines[-1:]),
    "with a step twice": ("STORE_FILE_LINE", lambda lines: sealed(lines[:6] + lines[5:])),
    "with something after the end": ("STORE_FILE_CUT", lambda lines: [*lines, lines[1]]),
    "with half a line": ("STORE_FILE_LINE", lambda lines: [*lines[:4], lines[4][:50]]),
    "with a line of something else": ("STORE_FILE_LINE", lambda lines: [*lines[:4], b'{"line":"song"}\n', *lines[4:]]),
    "with bytes that are no text": ("STORE_FILE_LINE", lambda lines: [*lines[:4], b'{"line":"\xff"}\n']),
    "with a chip too many": (
        "STORE_FILE_LINE",
        lambda lines: sealed([line.replace(b":-3}", b":-4}") for line in lines]),
    ),
    "with a token twice": (
        "STORE_FILE_LINE",
        lambda lines: sealed([*lines[:2], lines[1].replace(b"p1", b"p3"), *lines[2:]]),
    ),
    "with another name": ("STORE_FILE_CUT", lambda lines: [line.replace(b"Bob", b"Rob") for line in lines]),
    "of a newer format": ("STORE_FILE_NEWER", lambda lines: [lines[0].replace(b"1", b"2"), *lines[1:]]),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_brings_nothing_in_and_leaves_no_trace(tmp_path: Path, damage: str) -> None:
    code, spoil = DAMAGES[damage]

    async def go() -> None:
        origin, file = f"sqlite:///{tmp_path}/origin.db", tmp_path / "moved.jsonl"
        await filled(origin)
        await export_store(origin, file)
        file.write_bytes(b"".join(spoil(lines(file))))
        with pytest.raises(StoreError) as told:
            await import_store(file, f"sqlite:///{tmp_path}/store.db")
        assert told.value.code == code
        assert str(file) in str(told.value)

    asyncio.run(go())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["moved.jsonl", "origin.db"]


def test_a_damaged_file_leaves_no_schema_behind_in_postgresql(tmp_path: Path) -> None:
    import asyncpg

    from croupier.store.postgres.address import parse

    async def go() -> None:
        origin, file = f"sqlite:///{tmp_path}/origin.db", tmp_path / "moved.jsonl"
        target = URLS["postgresql"](tmp_path)
        await filled(origin)
        await export_store(origin, file)
        file.write_bytes(b"".join(lines(file)[:-1]))
        with pytest.raises(StoreError):
            await import_store(file, target)
        connection = await asyncpg.connect(parse(target).dsn)
        schemas = "SELECT nspname FROM pg_namespace WHERE starts_with(nspname, $1)"
        assert await connection.fetch(schemas, parse(target).schema[:20]) == []
        await connection.execute(f"CREATE SCHEMA {parse(target).schema} CREATE TABLE theirs (x int)")
        await export_store(origin, tmp_path / "good.jsonl")
        with pytest.raises(StoreError) as told:
            await import_store(tmp_path / "good.jsonl", target)
        assert told.value.code == "STORE_NOT_EMPTY"
        assert await connection.fetchval(f"SELECT count(*) FROM {parse(target).schema}.theirs") == 0
        await connection.close()

    asyncio.run(go())


def test_a_store_that_somebody_has_open_is_not_replaced(tmp_path: Path) -> None:
    async def go() -> None:
        origin, file = f"sqlite:///{tmp_path}/origin.db", tmp_path / "moved.jsonl"
        target = f"sqlite:///{tmp_path}/store.db"
        await filled(origin)
        await export_store(origin, file)
        in_use = open_store(target)
        with pytest.raises(StoreError) as told:
            await import_store(file, target)
        assert told.value.code == "STORE_LOCKED"
        assert await in_use.append(step("t", 1)) is None
        await in_use.close()

    asyncio.run(go())


def croupier(*arguments: str, lang: str = "en") -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"CROUPIER_LANG": lang}
    return subprocess.run(
        [sys.executable, "-m", "croupier", "store", *arguments],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )


def test_the_commands_migrate_check_export_and_import(tmp_path: Path) -> None:
    origin, target = f"sqlite:///{tmp_path}/store.db", URLS["postgresql"](tmp_path)
    assert croupier("migrate", target).returncode == 0
    asyncio.run(filled(origin))
    file = tmp_path / "moved.jsonl"
    exported = croupier("export", origin, str(file))
    assert (exported.returncode, exported.stdout) == (0, f"2 people and 15 steps written to {file}.\n")
    imported = croupier("import", str(file), target)
    assert (imported.returncode, imported.stderr) == (0, "")
    checked = croupier("check", target)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_the_check_command_names_every_fault_in_the_users_language(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    asyncio.run(filled(url))
    with closing(sqlite3.connect(tmp_path / "store.db")) as connection, connection:
        connection.execute("UPDATE account SET chips = chips + 2 WHERE name = 'a'")
    found = croupier("check", url)
    assert found.returncode == 1
    assert found.stdout.splitlines() == [
        "a: the balance is 74, but the entries sum to 72",
        "the sum over all accounts is 2, not zero",
    ]
    assert "74" in croupier("check", url, lang="ko").stdout
    assert croupier("check", url, lang="ru").stdout != found.stdout


WRONG: dict[str, tuple[str, ...]] = {
    "is not the address of a store": ("check", "mysql://me:hidden@host/db"),
    "no store at": ("check", "sqlite:///{folder}/nowhere.db"),
    "is gone with its process": ("export", "memory:", "{folder}/x.jsonl"),
    "does not answer": ("migrate", "postgresql://me:hidden@127.0.0.1:1/db"),
    "not a complete address": ("migrate", "postgresql://me:hidden@host:port/db"),
    "No such file": ("import", "{folder}/nowhere.jsonl", "sqlite:///{folder}/new.db"),
    "exists already": ("export", "sqlite:///{folder}/there.db", "{folder}/there.db"),
    "is not a database": ("check", "sqlite:///{folder}/notes.txt"),
}


@pytest.mark.parametrize("words", WRONG)
def test_what_is_wrong_is_named_without_a_traceback_or_a_password(tmp_path: Path, words: str) -> None:
    (tmp_path / "there.db").touch()
    (tmp_path / "notes.txt").write_text("these are my notes, not a database\n" * 100)
    told = croupier(*(argument.format(folder=tmp_path) for argument in WRONG[words]))
    assert told.returncode == 2
    assert words in told.stderr
    assert "hidden" not in told.stderr
    assert "Traceback" not in told.stderr
    assert not (tmp_path / "nowhere.db").exists()


def test_a_line_of_the_file_can_be_read_by_anybody(tmp_path: Path) -> None:
    url, file = f"sqlite:///{tmp_path}/store.db", tmp_path / "moved.jsonl"
    asyncio.run(filled(url))
    asyncio.run(export_store(url, file))
    head, *_, end = map(msgspec.json.decode, lines(file))
    assert head == {"line": "croupier-store", "format": 1}
    assert (end["line"], end["people"], end["steps"]) == ("end", 2, 15)

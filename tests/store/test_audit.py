"""Whatever is edited in a store is found: a row of any table, chips, a snapshot, the end of a log, a whole table."""

import asyncio
import gzip
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from croupier.assembly.store_audit import Report, audit, audit_file, export_heads
from croupier.assembly.store_replay import follow
from croupier.cli import app
from croupier.store.export import export_store, import_store
from croupier.store.heads import read_heads
from croupier.store.open import open_store
from croupier.store.seal_check import NO_HEADS, Heads, SealCheck, silent
from croupier.store.seals import table_seal
from tests.store.database import schema_of, shared_server
from tests.store.played import play
from tests.store.steps import step
from tests.store.test_postgres import execute

NUMBERS = count()
OLD = Path(__file__).parents[1] / "fixtures" / "release_1" / "store.db.gz"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store in one file that was closed: it is copied, and the copies are edited."""
    path = tmp_path_factory.mktemp("played") / "store.db"
    asyncio.run(play(f"sqlite:///{path}"))
    return path


@pytest.fixture
def copy(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(played, tmp_path / "store.db"))


def look(path: Path, heads: Heads = NO_HEADS) -> Report:
    return asyncio.run(audit(f"sqlite:///{path}", heads))


def codes(path: Path, heads: Heads = NO_HEADS) -> set[str]:
    return {found.code for found in look(path, heads).findings}


def edit(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            assert connection.execute(statement).rowcount > 0, statement


def exported(path: Path) -> Heads:
    file = path.with_name(f"{next(NUMBERS)}.heads")
    asyncio.run(export_heads(f"sqlite:///{path}", file, 0))
    return read_heads(file)


def test_a_store_as_it_was_played_is_well_and_wholly_sealed(copy: Path) -> None:
    heads = exported(copy)
    assert look(copy, heads) == Report([], 0, 0)
    assert set(heads.tables) == {"room:ROOM1", "room:ROOM2", "casino:ann", "casino:bob", "classroom"}
    assert heads.people == {"p0", "p1"}


def test_progress_ends_with_all_records(copy: Path) -> None:
    seen: list[tuple[int, int]] = []
    asyncio.run(audit(f"sqlite:///{copy}", progress=lambda done, total: seen.append((done, total))))
    with closing(sqlite3.connect(copy)) as connection:
        (records,) = connection.execute("SELECT count(*) FROM record").fetchone()
    assert seen[-1] == (records, records)


TABLES = ("game_table", "record", "secret", "account", "entry", "person", "snapshot", "schema_version")
OTHER = {
    int: st.integers(-(2**53), 2**53) | st.integers(0, 40),
    str: st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    bytes: st.binary(max_size=40),
    type(None): st.integers(0, 5) | st.text("abc", max_size=3),
}


def cells(connection: sqlite3.Connection, table: str) -> Iterator[tuple[str, list[str]]]:
    """Each column of a table, and the columns that name a row."""
    info = connection.execute(f"PRAGMA table_info({table})").fetchall()
    keys = [row[1] for row in info if row[5]]
    for row in info:
        yield row[1], keys


@given(data=st.data())
@settings(max_examples=40)
def test_any_single_edited_row_is_found(played: Path, tmp_path_factory: pytest.TempPathFactory, data: Any) -> None:
    path = Path(shutil.copy(played, tmp_path_factory.mktemp("edited") / "store.db"))
    with closing(sqlite3.connect(path)) as connection:
        table = data.draw(st.sampled_from(TABLES))
        column, keys = data.draw(st.sampled_from(list(cells(connection, table))))
        rows = connection.execute(
            f"SELECT {column}, {', '.join(keys)} FROM {table} ORDER BY {', '.join(keys)}"
        ).fetchall()
        old, *key = data.draw(st.sampled_from(rows))
        new = data.draw(OTHER[type(old)] | st.sampled_from([row[0] for row in rows]))
        assume(new != old)
        try:
            where = " AND ".join(f"{name} = ?" for name in keys)
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (new, *key))
            connection.commit()
        except (sqlite3.IntegrityError, sqlite3.OperationalError):
            assume(False)
    assert audit_file(path, SealCheck(NO_HEADS, follow), silent)
    path.unlink()


LAST = "(SELECT last_entry_id FROM account WHERE name ="
EDITS: dict[str, tuple[str, tuple[str, ...]]] = {
    "an edited record": ("CHAIN", ("UPDATE record SET record = CAST(record || ' ' AS BLOB) WHERE id = 7",)),
    "an edited answer": ("CHAIN", ("UPDATE record SET answer = X'00' WHERE id = 7",)),
    "an edited time": ("CHAIN", ("UPDATE record SET at_ms = at_ms + 1 WHERE id = 7",)),
    "chips moved between two wallets, balances and all": (
        "CHAIN",
        (
            f"UPDATE entry SET chips = chips + 500 WHERE id = {LAST} 'wallet:ann/2')",
            f"UPDATE entry SET chips = chips - 500 WHERE id = {LAST} 'house/2')",
            "UPDATE account SET chips = chips + 500 WHERE name = 'wallet:ann/2'",
            "UPDATE account SET chips = chips - 500 WHERE name = 'house/2'",
        ),
    ),
    "a balance": ("BALANCE", ("UPDATE account SET chips = chips + 1 WHERE name = 'wallet:ann/2'",)),
    "two rooms swapped": (
        "CHAIN",
        (
            "UPDATE game_table SET name = 'x' WHERE name = 'room:ROOM1'",
            "UPDATE game_table SET name = 'room:ROOM1' WHERE name = 'room:ROOM2'",
            "UPDATE game_table SET name = 'room:ROOM2' WHERE name = 'x'",
        ),
    ),
    "an edited snapshot": ("SNAPSHOT", ("UPDATE snapshot SET snapshot = X'00'",)),
    "a snapshot of another room": (
        "SNAPSHOT",
        ("UPDATE snapshot SET table_id = (SELECT id FROM game_table WHERE name = 'room:ROOM2')",),
    ),
    "a person's token": ("PERSON_SEAL", ("UPDATE person SET token_hash = X'AA' WHERE id = 'p0'",)),
    "a secret": ("SECRET_SEAL", ("UPDATE secret SET secret = X'AA'",)),
    "a removed key of origins": ("REPLAY", ("DELETE FROM secret WHERE name = 'origins'",)),
    "a removed secret": ("REPLAY", ("DELETE FROM secret WHERE name = 'cut:1'",)),
    "a listing": ("LISTING_SEAL", ("UPDATE game_table SET listing = X'AA' WHERE name = 'casino:ann'",)),
    "a deadline": ("TABLE_SEAL", ("UPDATE game_table SET deadline_ms = 7 WHERE name = 'casino:ann'",)),
    "a changed version": ("TABLE_VERSION", ("UPDATE game_table SET version = 3 WHERE name = 'casino:ann'",)),
    "a removed table": (
        "ROWS_MISSING",
        (
            "DELETE FROM record WHERE table_id = (SELECT id FROM game_table WHERE name = 'room:ROOM2')",
            "DELETE FROM game_table WHERE name = 'room:ROOM2'",
        ),
    ),
    "a dropped last record": (
        "CHAIN",
        (
            "DELETE FROM record WHERE id = (SELECT last_record_id FROM game_table WHERE name = 'classroom')",
            "UPDATE game_table SET version = version - 1, last_record_id = last_record_id - 1 WHERE name = 'classroom'",
        ),
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_what_was_edited_is_found_and_named(copy: Path, name: str) -> None:
    code, statements = EDITS[name]
    edit(copy, *statements)
    assert code in codes(copy)


def test_a_forged_record_whose_chain_was_computed_anew_is_found_by_its_replay_or_by_the_heads(copy: Path) -> None:
    """Whoever knows how can compute a chain anew: against that there are heads kept elsewhere."""
    heads = exported(copy)
    _write_anew(copy, "classroom", keep=1)
    assert codes(copy) <= {"ROWS_MISSING"}
    assert "HEAD_SHORT" in codes(copy, heads)


def _write_anew(path: Path, table: str, keep: int) -> None:
    """Cuts a table off, and computes its chain and its seal anew, as somebody would who has this program."""
    with closing(sqlite3.connect(path)) as connection, connection:
        (table_id,) = connection.execute("SELECT id FROM game_table WHERE name = ?", (table,)).fetchone()
        connection.execute("DELETE FROM record WHERE table_id = ? AND version > ?", (table_id, keep))
    heads = exported(path).tables
    with closing(sqlite3.connect(path)) as connection, connection:
        head = heads[table].head
        connection.execute(
            "UPDATE game_table SET version = ?1, head = ?2, seal = ?3, last_record_id ="
            " (SELECT id FROM record WHERE table_id = ?4 AND version = ?1) WHERE id = ?4",
            (keep, head, table_seal(table, head, 0, keep, True, None), table_id),
        )


def test_heads_find_removed_tables_and_people_and_logs_written_anew(copy: Path, tmp_path: Path) -> None:
    heads = exported(copy)
    other = tmp_path / "other.db"
    asyncio.run(play(f"sqlite:///{other}"))
    edit(other, "DELETE FROM person WHERE id = 'p1'")
    found = codes(other, heads)
    assert found == {"HEAD_OTHER", "PERSON_GONE"}, "only the classroom deals other cards"
    empty = tmp_path / "empty.db"
    asyncio.run(open_store(f"sqlite:///{empty}").close())
    assert codes(empty, heads) == {"HEAD_GONE", "PERSON_GONE"}


def test_a_store_that_goes_on_still_fits_the_heads_exported_before(copy: Path) -> None:
    heads = exported(copy)

    async def write_more() -> None:
        store = open_store(f"sqlite:///{copy}")
        row = await store.table("t") or await store.append(step("t", 1))
        assert row is None
        await store.append(step("t", 2, moves={"a": 1, "b": -1}))
        await store.close()

    asyncio.run(write_more())
    assert codes(copy, heads) == set()


def test_a_store_of_the_first_release_says_what_cannot_be_known_and_begins_its_chain(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    path.write_bytes(gzip.decompress(OLD.read_bytes()))
    report = look(path)
    assert (report.findings, report.unsealed_records, report.unsealed_tables) == ([], 914, 20)
    heads = exported(path)
    edit(path, "UPDATE record SET record = X'7b7d' WHERE id = 200")
    assert {"REPLAY", "HEAD_OTHER"} <= codes(path, heads)


def test_a_moved_store_has_the_same_heads(played: Path, tmp_path: Path) -> None:
    old, new = tmp_path / "old.db", Path(shutil.copy(played, tmp_path / "new.db"))
    old.write_bytes(gzip.decompress(OLD.read_bytes()))
    for origin in (old, new):
        heads = exported(origin)
        file, url = tmp_path / f"{origin.stem}.jsonl", shared_server().url(schema_of(tmp_path / origin.stem))
        asyncio.run(export_store(f"sqlite:///{origin}", file))
        asyncio.run(import_store(file, url))
        before, after = look(origin), asyncio.run(audit(url, heads))
        assert after == before


POSTGRES_EDITS = {
    "CHAIN": "UPDATE record SET record = record || '\\x20' WHERE version = 2 AND table_id = 1",
    "TABLE_SEAL": "UPDATE game_table SET deadline_ms = 7 WHERE name = 'casino:ann'",
    "LISTING_SEAL": "UPDATE game_table SET listing = '' WHERE name = 'casino:ann'",
    "SECRET_SEAL": "UPDATE secret SET secret = '' WHERE name = 'cut:1'",
    "PERSON_SEAL": "UPDATE person SET name = 'Eve' WHERE id = 'p0'",
    "SNAPSHOT": "UPDATE snapshot SET snapshot = snapshot || '\\x00'",
    "BALANCE": "UPDATE account SET chips = chips + 1 WHERE name = 'wallet:ann/2'",
    "REPLAY": "UPDATE entry SET chips = 2 * chips WHERE table_id = 1",
    "HEAD_SHORT": "DELETE FROM record WHERE table_id = 1 AND version = 5",
    "HEAD_GONE": "DELETE FROM game_table WHERE name = 'classroom'",
    "PERSON_GONE": "DELETE FROM person WHERE id = 'p0'",
    "ROWS_MISSING": "DELETE FROM schema_version WHERE version = 1",
}


def test_a_database_is_searched_like_a_file(tmp_path: Path) -> None:
    file, url = tmp_path / "moved.jsonl", shared_server().url(schema_of(tmp_path))
    asyncio.run(play(url))
    asyncio.run(export_heads(url, file, 0))
    heads = read_heads(file)
    assert asyncio.run(audit(url, heads)) == Report([], 0, 0)
    for code, statement in POSTGRES_EDITS.items():
        asyncio.run(execute(url, statement))
        if code == "HEAD_SHORT":
            asyncio.run(execute(url, "DELETE FROM record WHERE table_id = 1 AND version > 4"))
        assert code in {found.code for found in asyncio.run(audit(url, heads)).findings}


def croupier(*arguments: str) -> Any:
    return CliRunner(env={"CROUPIER_LANG": "en"}).invoke(app, ["store", *arguments])


def test_the_commands_export_heads_and_check_against_them(copy: Path, tmp_path: Path) -> None:
    url, file = f"sqlite:///{copy}", tmp_path / "heads.jsonl"
    assert croupier("heads", url, str(file)).exit_code == 0
    assert croupier("heads", url, str(file)).exit_code == 2, "heads are kept, not replaced"
    assert croupier("check", url, "--heads", str(file)).exit_code == 0
    assert "heads" in croupier("check", url).stdout, "what was not checked is said"
    edit(copy, "DELETE FROM person WHERE id = 'p1'")
    found = croupier("check", url, "--heads", str(file))
    assert (found.exit_code, "p1" in found.stdout) == (1, True)


@pytest.mark.parametrize("spoil", ["cut", "edited", "notes", "missing"])
def test_heads_that_cannot_be_read_are_named(copy: Path, tmp_path: Path, spoil: str) -> None:
    url, file = f"sqlite:///{copy}", tmp_path / "heads.jsonl"
    assert croupier("heads", url, str(file)).exit_code == 0
    whole = file.read_text()
    match spoil:
        case "cut":
            file.write_text("".join(whole.splitlines(keepends=True)[:-1]))
        case "edited":
            file.write_text(whole.replace('"version":2', '"version":1', 1))
        case "notes":
            file.write_text("these are my notes\n")
        case _:
            file.unlink()
    told = croupier("check", url, "--heads", str(file))
    assert (told.exit_code, str(file.name) in told.output) == (2, True)

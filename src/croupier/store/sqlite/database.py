"""Connections to a SQLite file, its schema brought up to date, and what SQLite's errors mean to people."""

import errno
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Final

from croupier.store.faults import fault
from croupier.store.port import Person, StoreError
from croupier.store.seals import listing_seal, person_seal, secret_seal, table_seal

APPLICATION_ID: Final = 0x43524F55
"""“CROU” in the file's header, which marks our files."""
SQLITE_OLDEST: Final = (3, 37, 0)
"""The first with STRICT tables."""
STATEMENTS_CACHED: Final = 128
WAL_PAGES: Final = 4000
"""The size of the log before it is copied into the file. Hot pages are copied once for many commits: 16 MB costs half
as much as SQLite's default of 4 MB."""
WAL_BYTES_KEPT: Final = 64 * 1024 * 1024
RETRY_SECONDS: Final = 0.02


def open_writer(path: Path, lock_wait_seconds: float) -> sqlite3.Connection:
    """The writing connection. The file is created if needed, private to its owner, and its schema is up to date."""
    if sqlite3.sqlite_version_info < SQLITE_OLDEST:
        needed = ".".join(map(str, SQLITE_OLDEST))
        raise fault("STORE_SQLITE_OLD", found=sqlite3.sqlite_version, needed=needed)
    _make_file(path)
    with translated(path):
        connection = sqlite3.connect(
            path,
            timeout=lock_wait_seconds,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=STATEMENTS_CACHED,
        )
    try:
        with translated(path):
            _prepare(connection, path, lock_wait_seconds)
    except BaseException:
        connection.close()
        raise
    return connection


def open_reader(path: Path, lock_wait_seconds: float) -> sqlite3.Connection:
    """A connection that only reads, and waits for no writer.

    Not in SQLite's own read-only mode: that skips CHECK constraints, even in an integrity check.
    """
    with translated(path):
        connection = sqlite3.connect(
            f"{path.resolve().as_uri()}?mode=rw",
            uri=True,
            timeout=lock_wait_seconds,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=STATEMENTS_CACHED,
        )
        connection.execute("PRAGMA query_only = ON")
    return connection


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and the system into a `StoreError` that says what happened, and where."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise meaning(error, path) from error


def meaning(error: Exception, path: Path) -> StoreError:
    """What an error of SQLite or of the system means to the operator."""
    if isinstance(error, StoreError):
        return StoreError(str(error), error.code, error.facts)
    match getattr(error, "sqlite_errorcode", -1) & 0xFF:
        case sqlite3.SQLITE_FULL:
            return fault("STORE_FULL", place=path)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            return fault("STORE_READ_ONLY", place=path)
        case sqlite3.SQLITE_CANTOPEN if not _is_writable(path.parent):
            return fault("STORE_READ_ONLY", place=path)
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return fault("STORE_LOCKED", place=path)
        case sqlite3.SQLITE_CORRUPT:
            return fault("STORE_CORRUPT", place=path, fault=error)
        case sqlite3.SQLITE_NOTADB:
            return fault("STORE_NOT_A_DATABASE", place=path)
        case _:
            return fault("STORE_BROKEN", place=path, fault=error)


def _is_writable(folder: Path) -> bool:
    return os.access(folder, os.W_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids)


def _make_file(path: Path) -> None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise fault("STORE_NO_FOLDER", place=path.parent, fault=error.strerror) from error
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600))
    except PermissionError as error:
        raise fault("STORE_READ_ONLY", place=path) from error
    except OSError as error:
        read_only = error.errno == errno.EROFS
        raise fault("STORE_READ_ONLY", place=path) if read_only else meaning(error, path) from error


def _prepare(connection: sqlite3.Connection, path: Path, lock_wait_seconds: float) -> None:
    _hold_ours(connection, path)
    _use_log(connection, time.monotonic() + lock_wait_seconds)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    # SQLite keeps the undo data of a running statement. For one of many rows it would make a file for it.
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute(f"PRAGMA wal_autocheckpoint = {WAL_PAGES}")
    connection.execute(f"PRAGMA journal_size_limit = {WAL_BYTES_KEPT}")
    _migrate(connection, path)


def _hold_ours(connection: sqlite3.Connection, path: Path) -> None:
    """Raises StoreError for another program's database, and leaves it unchanged."""
    # In this order: a process that makes the store at this moment writes both at once.
    (objects,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    if objects and application_id != APPLICATION_ID:
        raise fault("STORE_FOREIGN", place=path)


def _use_log(connection: sqlite3.Connection, until: float) -> None:
    """Switches to write-ahead logging. SQLite does not wait for the lock that this takes, so we do: two processes may
    start at once."""
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(RETRY_SECONDS)


def migrations() -> list[tuple[int, str]]:
    """Every step of the schema, numbered 1, 2, 3 …, with its SQL."""
    folder = files("croupier.store.migrations").joinpath("sqlite")
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
    steps = [(int(file.name.split("_")[0]), file.read_text(encoding="utf-8")) for file in found]
    if [number for number, _ in steps] != list(range(1, len(steps) + 1)):
        raise ValueError("the steps of the schema are not numbered 1, 2, 3 …")
    return steps


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Applies the missing migrations, all of them or none. Another process that opens the file waits."""
    _know_seals(connection)
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY) STRICT")
        (found,) = connection.execute("SELECT coalesce(max(version), 0) FROM schema_version").fetchone()
        steps = migrations()
        if found > len(steps):
            raise fault("STORE_NEWER", place=path, found=found, known=len(steps))
        for number, sql in steps[found:]:
            for statement in _statements(sql):
                connection.execute(statement)
            connection.execute("INSERT INTO schema_version VALUES (?)", (number,))
        if found == 0:
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _know_seals(connection: sqlite3.Connection) -> None:
    """Lets the schema's SQL seal what an earlier version wrote."""
    for function in (table_seal, listing_seal, secret_seal):
        connection.create_function(function.__name__, -1, function, deterministic=True)
    connection.create_function("person_seal", 5, lambda *row: person_seal(Person(*row)), deterministic=True)


def _statements(sql: str) -> Iterator[str]:
    """The statements of a script one by one, because `executescript` would end the transaction."""
    statement = ""
    for line in sql.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        raise ValueError(f"a statement of the schema has no end: {statement}")

"""Many steps in one transaction, each decided on its own: load what is not known, decide in order, write the accepted.

Each of these takes few statements for the whole batch. That is less work than one statement per row. Also, Python
releases its global lock at every row that SQLite steps over, and a busy event loop may then hold it for milliseconds.
For the same reason loaded and written rows are remembered, as long as nobody else writes to the file.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Any, Final

import msgspec

from croupier.store.decision import Outcome, TableHead, decision, moved_chips
from croupier.store.limits import hold_balance
from croupier.store.port import Append, Repeated
from croupier.store.seals import listing_seal, secret_seal, table_seal

KNOWN_MAX: Final = 20_000
"""How many tables and accounts are remembered. When there are more, all are forgotten."""
NEVER: Final = -1
ROWS_OF_ANY_COUNT: Final = 16
"""Up to this many rows are written by one statement; more by statements of a power of two."""
ROWS_MAX: Final = 128

_SELECT_TABLES = """
SELECT json_group_array(json_array(name, id, version, last_record_id, open, hex(head), unsealed))
FROM game_table WHERE name IN (SELECT value FROM json_each(?))
"""

_SELECT_ACCOUNTS = """
SELECT json_group_array(json_array(name, id, chips, last_entry_id))
FROM account WHERE name IN (SELECT value FROM json_each(?))
"""

_SELECT_COMMANDS = """
SELECT json_group_array(json_array(record.table_id, record.command_id, record.id))
FROM json_each(?) AS wanted CROSS JOIN record
ON record.table_id = json_extract(wanted.value, '$[0]') AND record.command_id = json_extract(wanted.value, '$[1]')
"""

_SELECT_ANSWER = "SELECT version, answer FROM record WHERE id = ?"

_SELECT_LAST_IDS = """
SELECT coalesce((SELECT max(id) FROM game_table), 0),
  coalesce((SELECT max(id) FROM record), 0),
  coalesce((SELECT max(id) FROM account), 0),
  coalesce((SELECT max(id) FROM entry), 0)
"""

_UPSERT_TABLES = """
INSERT INTO game_table (
  id, name, version, open, deadline_ms, last_record_id, listing, head, unsealed, seal, listing_seal
) VALUES {rows}
ON CONFLICT (id) DO UPDATE SET version = excluded.version, deadline_ms = excluded.deadline_ms,
  last_record_id = excluded.last_record_id, head = excluded.head, unsealed = excluded.unsealed, seal = excluded.seal
"""
"""Sets everything but `open`: SQLite rewrites the indexes over a column that is set, changed or not."""

_CLOSE_TABLE = "UPDATE game_table SET open = 0 WHERE id = ?"

_INSERT_RECORDS = """
INSERT INTO record (id, table_id, version, previous_id, at_ms, command_id, record, answer) VALUES {rows}
"""

_UPSERT_ACCOUNTS = """
INSERT INTO account (id, name, chips, last_entry_id) VALUES {rows}
ON CONFLICT (id) DO UPDATE SET chips = excluded.chips, last_entry_id = excluded.last_entry_id
"""

_INSERT_ENTRIES = "INSERT INTO entry (id, record_id, account_id, previous_id, chips) VALUES {rows}"

_UPSERT_SECRET = """
INSERT INTO secret (table_id, name, secret, seal) VALUES (?, ?, ?, ?)
ON CONFLICT (table_id, name) DO UPDATE SET secret = excluded.secret, seal = excluded.seal
"""

_UPDATE_LISTING = "UPDATE game_table SET listing = ?, listing_seal = ? WHERE id = ?"


class _Table(TableHead):
    last_record_id: int | None = None


class _Account(msgspec.Struct):
    id: int
    chips: int = 0
    last_entry_id: int | None = None


class Known:
    """One connection's knowledge of the file. It is valid while no other connection writes and every batch is
    committed: after a rollback, call `forget`."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        self._data_version = NEVER
        self.tables: dict[str, _Table] = {}
        self.accounts: dict[str, _Account] = {}
        self.last_table_id = self.last_record_id = self.last_account_id = self.last_entry_id = 0

    def look(self, connection: sqlite3.Connection, appends: Sequence[Append]) -> None:
        """Load what these steps touch, inside the transaction that will write them."""
        (data_version,) = connection.execute("PRAGMA data_version").fetchone()
        if data_version != self._data_version or len(self.tables) + len(self.accounts) > KNOWN_MAX:
            self.forget()
            self._data_version = data_version
            self.last_table_id, self.last_record_id, self.last_account_id, self.last_entry_id = connection.execute(
                _SELECT_LAST_IDS
            ).fetchone()
        tables = {append.table for append in appends}.difference(self.tables)
        for name, id_, version, last_record_id, open_, head, unsealed in _load(connection, _SELECT_TABLES, tables):
            self.tables[name] = _Table(
                id_, version, bool(open_), bytes.fromhex(head), unsealed, last_record_id=last_record_id
            )
        accounts = {entry.account for append in appends for entry in append.entries}.difference(self.accounts)
        for name, id_, chips, last_entry_id in _load(connection, _SELECT_ACCOUNTS, accounts):
            self.accounts[name] = _Account(id_, chips, last_entry_id)


class LookCloser(Exception):  # noqa: N818 -- no error, but the signal to roll back and begin again
    """Some command of the batch may have been done before: look for it."""


def write_appends(
    connection: sqlite3.Connection, appends: Sequence[Append], known: Known, closely: bool
) -> list[Outcome]:
    """Writes the acceptable steps, in order, into the open transaction. Returns the outcome of each.

    Unless `closely`, commands that were done before are not looked for: they are rare, and the file's unique index
    notices one. Then, and when a refused step may have been done before, `LookCloser` is raised.
    """
    known.look(connection, appends)
    batch = _Batch(connection, known, _done_before(connection, appends, known) if closely else {})
    outcomes = [batch.decide(append) for append in appends]
    if closely:
        batch.write()
        return outcomes
    if any(outcome is not None and append.command_id for append, outcome in zip(appends, outcomes, strict=True)):
        raise LookCloser
    try:
        batch.write()
    except sqlite3.IntegrityError as error:
        raise LookCloser from error
    return outcomes


def _done_before(
    connection: sqlite3.Connection, appends: Sequence[Append], known: Known
) -> dict[tuple[str, str], Repeated]:
    """The answers to those commands of a batch that are in the file."""
    wanted = {
        (table.id, append.command_id): append.table
        for append in appends
        if append.command_id and (table := known.tables.get(append.table))
    }
    done = {}
    for table_id, command_id, record_id in _load(connection, _SELECT_COMMANDS, wanted):
        row = connection.execute(_SELECT_ANSWER, (record_id,)).fetchone()
        done[wanted[table_id, command_id], command_id] = Repeated(*row)
    return done


class _Batch:
    """The rows to write for the steps accepted so far; `Known` is updated at once."""

    def __init__(self, connection: sqlite3.Connection, known: Known, done: dict[tuple[str, str], Repeated]) -> None:
        self._connection = connection
        self._known = known
        self._done = done
        self._tables: dict[str, _Table] = {}
        self._accounts: dict[str, _Account] = {}
        self._records: list[tuple[object, ...]] = []
        self._entries: list[tuple[object, ...]] = []
        self._secrets: list[tuple[int, str, bytes, bytes]] = []
        self._listings: dict[int, tuple[bytes, bytes]] = {}

    def decide(self, append: Append) -> Outcome:
        """None for a step that is now part of the batch."""
        table = self._known.tables.get(append.table)
        if refused := decision(append, table, self._done):
            return refused
        if append.entries:
            try:
                self._move_chips(append)
            except ValueError as error:
                return error
        self._accept(table or self._new_table(append.table), append)
        return None

    def write(self) -> None:
        tables = [_row(name, table) for name, table in self._tables.items()]
        if not tables:
            return
        _insert(self._connection, _UPSERT_TABLES, tables)
        if closed := [(table.id,) for table in self._tables.values() if not table.open]:
            self._connection.executemany(_CLOSE_TABLE, closed)
        _insert(self._connection, _INSERT_RECORDS, self._records)
        if self._entries:
            accounts = [
                (account.id, name, account.chips, account.last_entry_id) for name, account in self._accounts.items()
            ]
            _insert(self._connection, _UPSERT_ACCOUNTS, accounts)
            _insert(self._connection, _INSERT_ENTRIES, self._entries)
        if self._secrets:
            self._connection.executemany(_UPSERT_SECRET, self._secrets)
        if self._listings:
            self._connection.executemany(_UPDATE_LISTING, [(*listing, id_) for id_, listing in self._listings.items()])

    def _accept(self, table: _Table, append: Append) -> None:
        self._known.last_record_id += 1
        self._records.append(
            (
                self._known.last_record_id,
                table.id,
                append.version,
                table.last_record_id,
                append.at_ms,
                append.command_id or None,
                append.record,
                append.answer,
            )
        )
        table.accept(append)
        table.last_record_id = self._known.last_record_id
        self._tables[append.table] = table
        if append.command_id:
            self._done[append.table, append.command_id] = Repeated(append.version, append.answer)
        for name, secret in append.secrets:
            self._secrets.append((table.id, name, secret, secret_seal(append.table, name, secret)))
        if append.listing is not None:
            self._listings[table.id] = append.listing, listing_seal(append.table, append.listing)

    def _move_chips(self, append: Append) -> None:
        """Adds the entries to the balances, all or (with a `ValueError`) none."""
        for name, chips in moved_chips(append.entries).items():
            account = self._known.accounts.get(name)
            hold_balance(name, chips + (account.chips if account else 0))
        known = self._known
        record_id = known.last_record_id + 1
        for entry in append.entries:
            account = known.accounts.get(entry.account) or self._new_account(entry.account)
            known.last_entry_id += 1
            self._entries.append((known.last_entry_id, record_id, account.id, account.last_entry_id, entry.chips))
            account.chips += entry.chips
            account.last_entry_id = known.last_entry_id
            self._accounts[entry.account] = account

    def _new_table(self, name: str) -> _Table:
        self._known.last_table_id += 1
        made = self._known.tables[name] = _Table(self._known.last_table_id)
        return made

    def _new_account(self, name: str) -> _Account:
        self._known.last_account_id += 1
        made = self._known.accounts[name] = _Account(self._known.last_account_id)
        return made


def _row(name: str, table: _Table) -> tuple[object, ...]:
    seal = table_seal(name, table.head, table.unsealed, table.version, table.open, table.deadline_ms)
    row = (table.id, name, table.version, table.open, table.deadline_ms, table.last_record_id, b"")
    return (*row, table.head, table.unsealed, seal, _seal_of_no_listing(name))


@lru_cache(maxsize=KNOWN_MAX)
def _seal_of_no_listing(name: str) -> bytes:
    return listing_seal(name, b"")


def _insert(connection: sqlite3.Connection, sql: str, rows: Sequence[tuple[object, ...]]) -> None:
    """Writes the rows in few statements, of few different lengths, so that all of them stay prepared."""
    start = 0
    while left := len(rows) - start:
        count = left if left <= ROWS_OF_ANY_COUNT else min(1 << (left.bit_length() - 1), ROWS_MAX)
        values = chain.from_iterable(rows[start : start + count])
        connection.execute(_statement(sql, len(rows[0]), count), tuple(values))
        start += count


@cache
def _statement(sql: str, columns: int, count: int) -> str:
    row = f"({', '.join('?' * columns)})"
    return sql.format(rows=", ".join([row] * count))


def _load(connection: sqlite3.Connection, sql: str, keys: Iterable[object]) -> Any:
    """The rows for these keys, from one row of JSON."""
    wanted = list(keys)
    return msgspec.json.decode(connection.execute(sql, (_rows(wanted),)).fetchone()[0]) if wanted else ()


def _rows(rows: Sequence[object]) -> str:
    return msgspec.json.encode(rows).decode()

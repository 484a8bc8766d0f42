"""The queries of a SQLite store, each a plain function of a connection."""

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from croupier.store.port import LISTED, LedgerLine, Person, Repeated, Stored, TableRow

Question = Callable[[sqlite3.Connection], Any]

_TABLE = "SELECT name, version, open, deadline_ms, listing FROM game_table"
_IS_LISTED = f"instr(listing, X'{LISTED.hex()}')"
"""As in the index `game_table_listed`: it can be used only for the very same words."""
_PERSON = "SELECT id, name, token_hash, language, created_ms FROM person"


def records(connection: sqlite3.Connection, table: str, after: int) -> list[Stored]:
    """Follows the table's chain of records back as far as needed."""
    rows = connection.execute(
        """
        WITH RECURSIVE back (version, at_ms, record, previous_id) AS (
          SELECT record.version, at_ms, record, previous_id
          FROM game_table JOIN record ON record.id = last_record_id WHERE name = ?1 AND record.version > ?2
          UNION ALL
          SELECT record.version, record.at_ms, record.record, record.previous_id
          FROM back CROSS JOIN record ON record.id = back.previous_id WHERE record.version > ?2
        )
        SELECT version, at_ms, record FROM back
        """,
        (table, after),
    )
    # Row by row: the garbage collector would traverse a million tuples at once, while everybody waits.
    found = [Stored(*row) for row in rows]
    found.reverse()
    return found


def news(connection: sqlite3.Connection, known: Mapping[str, int]) -> dict[str, list[Stored]]:
    """First ask which tables have news: mostly none."""
    changed = connection.execute(
        "SELECT key FROM json_each(?) AS known CROSS JOIN game_table ON name = key WHERE version > value",
        (json.dumps(known),),
    ).fetchall()
    return {table: records(connection, table, known[table]) for (table,) in changed}


def secrets(connection: sqlite3.Connection, table: str, names: Sequence[str] | None) -> dict[str, bytes]:
    rows = connection.execute(
        "SELECT name, secret FROM secret WHERE table_id = (SELECT id FROM game_table WHERE name = ?1)"
        " AND (?2 IS NULL OR name IN (SELECT value FROM json_each(?2)))",
        (table, None if names is None else json.dumps(list(names))),
    )
    return dict(rows.fetchall())


def snapshot(connection: sqlite3.Connection, table: str) -> bytes | None:
    row = connection.execute(
        "SELECT snapshot FROM snapshot WHERE table_id = (SELECT id FROM game_table WHERE name = ?)", (table,)
    ).fetchone()
    return row[0] if row else None


def table_row(connection: sqlite3.Connection, table: str) -> TableRow | None:
    row = connection.execute(f"{_TABLE} WHERE name = ?", (table,)).fetchone()
    return _table_row(row) if row else None


def table_rows(
    connection: sqlite3.Connection, prefix: str, only_open: bool, most: int, only_listed: bool
) -> list[TableRow]:
    conditions, bounds = ["name >= ?"], [prefix]
    if after := _first_after(prefix):
        conditions.append("name < ?")
        bounds.append(after)
    if only_open or only_listed:
        conditions.append("open")
    index = ""
    if only_listed:
        conditions.append(_IS_LISTED)
        index = "INDEXED BY game_table_listed"
    sql = f"{_TABLE} {index} WHERE {' AND '.join(conditions)} ORDER BY last_record_id DESC LIMIT ?"
    return [_table_row(row) for row in connection.execute(sql, (*bounds, most)).fetchall()]


def due(connection: sqlite3.Connection, now_ms: int, most: int) -> list[TableRow]:
    rows = connection.execute(
        f"{_TABLE} WHERE open AND deadline_ms IS NOT NULL AND deadline_ms <= ? ORDER BY deadline_ms, name LIMIT ?",
        (now_ms, most),
    )
    return [_table_row(row) for row in rows.fetchall()]


def answer(connection: sqlite3.Connection, table: str, command_id: str) -> Repeated | None:
    row = connection.execute(
        "SELECT version, answer FROM record"
        " WHERE table_id = (SELECT id FROM game_table WHERE name = ?) AND command_id = ?",
        (table, command_id),
    ).fetchone()
    return Repeated(*row) if row else None


def balance(connection: sqlite3.Connection, account: str) -> int:
    row = connection.execute("SELECT chips FROM account WHERE name = ?", (account,)).fetchone()
    return int(row[0]) if row else 0


def ledger(connection: sqlite3.Connection, account: str, most: int) -> list[LedgerLine]:
    """Follows the account's chain of entries back as far as asked."""
    rows = connection.execute(
        """
        WITH RECURSIVE back (record_id, chips, previous_id) AS (
          SELECT record_id, entry.chips, previous_id
          FROM account JOIN entry ON entry.id = last_entry_id WHERE name = ?1
          UNION ALL
          SELECT entry.record_id, entry.chips, entry.previous_id
          FROM back CROSS JOIN entry ON entry.id = back.previous_id
          LIMIT ?2
        )
        SELECT game_table.name, record.version, ?1, chips, at_ms
        FROM back CROSS JOIN record ON record.id = record_id CROSS JOIN game_table ON game_table.id = table_id
        """,
        (account, most),
    )
    return [LedgerLine(*row) for row in rows.fetchall()]


def total(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT coalesce(sum(chips), 0) FROM account").fetchone()[0])


def person(connection: sqlite3.Connection, person_id: str) -> Person | None:
    row = connection.execute(f"{_PERSON} WHERE id = ?", (person_id,)).fetchone()
    return Person(*row) if row else None


def person_by_token(connection: sqlite3.Connection, token_hash: bytes) -> Person | None:
    row = connection.execute(f"{_PERSON} WHERE token_hash = ?", (token_hash,)).fetchone()
    return Person(*row) if row else None


def _table_row(row: Sequence[Any]) -> TableRow:
    name, version, open_, deadline_ms, listing = row
    return TableRow(name, version, bool(open_), deadline_ms, listing)


def _first_after(prefix: str) -> str:
    """The first text, as SQLite sorts, that comes after all that begin with `prefix`; empty when there is none."""
    stem = prefix.rstrip("\U0010ffff")
    if not stem:
        return ""
    after = ord(stem[-1]) + 1
    # Surrogates are not characters: skip them.
    return stem[:-1] + chr(0xE000 if after == 0xD800 else after)

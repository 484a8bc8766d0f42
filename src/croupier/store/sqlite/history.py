"""Everything that a SQLite store holds, as the steps that would write it again."""

import itertools
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from operator import itemgetter
from pathlib import Path

from croupier.store.port import Append, Entry, Person
from croupier.store.sqlite.database import open_reader, translated

LOCK_WAIT_SECONDS = 5.0

_STEPS = """
SELECT record.id, game_table.name, record.version, record.record, at_ms, coalesce(command_id, ''), answer,
  record.id = last_record_id, table_id, record.version > unsealed, deadline_ms, listing, open
FROM record JOIN game_table ON game_table.id = table_id ORDER BY record.id
"""

_ENTRIES = """
SELECT record_id, name, entry.chips FROM entry JOIN account ON account.id = account_id ORDER BY record_id, entry.id
"""


def history(path: Path) -> Iterator[Person | Append]:
    """Everybody, then every step in the order of writing, all seen at one moment.

    Present values (secrets, deadline, listing, whether the table is open) come with the last step.
    """
    with translated(path), closing(open_reader(path, LOCK_WAIT_SECONDS)) as connection:
        connection.execute("BEGIN")
        for person in connection.execute("SELECT id, name, token_hash, language, created_ms FROM person ORDER BY id"):
            yield Person(*person)
        entries = itertools.groupby(connection.execute(_ENTRIES), key=itemgetter(0))
        moved, rows = next(entries, (None, iter(())))
        for row in connection.execute(_STEPS):
            record_id, table, version, record, at_ms, command_id, answer, is_last, table_id, sealed, *now = row
            chips: tuple[Entry, ...] = ()
            if moved == record_id:
                chips = tuple(Entry(account, amount) for _, account, amount in rows)
                moved, rows = next(entries, (None, iter(())))
            deadline_ms, listing, open_ = now if is_last else (None, None, True)
            yield Append(
                table=table,
                version=version,
                record=record,
                at_ms=at_ms,
                command_id=command_id,
                answer=answer,
                entries=chips,
                secrets=_secrets(connection, table_id) if is_last else (),
                deadline_ms=deadline_ms,
                listing=listing,
                open=bool(open_),
                sealed=bool(sealed),
            )


def is_empty(path: Path) -> bool:
    """Whether nothing was ever written into the store. Leaves no log behind while nobody else uses the store."""
    with translated(path), closing(open_reader(path, LOCK_WAIT_SECONDS)) as connection:
        sql = "SELECT NOT EXISTS (SELECT 1 FROM game_table) AND NOT EXISTS (SELECT 1 FROM person)"
        return bool(connection.execute(sql).fetchone()[0])


def _secrets(connection: sqlite3.Connection, table_id: int) -> tuple[tuple[str, bytes], ...]:
    rows = connection.execute("SELECT name, secret FROM secret WHERE table_id = ? ORDER BY name", (table_id,))
    return tuple(rows.fetchall())

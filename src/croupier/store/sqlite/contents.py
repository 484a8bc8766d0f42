"""Reads everything that a SQLite store holds, table by table."""

import sqlite3
from collections.abc import Callable
from typing import Final

from croupier.store.contents import KeptSecret, KeptStep, Reader, kept_table
from croupier.store.port import Person

_TABLES: Final = """
SELECT game_table.id, name, version, open, deadline_ms, listing, head, unsealed, seal, listing_seal, snapshot
FROM game_table LEFT JOIN snapshot ON snapshot.table_id = game_table.id ORDER BY game_table.id
"""
_STEPS: Final = """
SELECT table_id, id, version, at_ms, command_id, record, answer FROM record ORDER BY table_id, version, id
"""
_ENTRIES: Final = """
SELECT record_id, name, entry.chips FROM entry JOIN record ON record.id = record_id
JOIN account ON account.id = account_id ORDER BY record.table_id, record.version, record.id, entry.id
"""
_SECRETS: Final = "SELECT name, secret, seal FROM secret WHERE table_id = ?"
_PEOPLE: Final = "SELECT id, name, token_hash, language, created_ms, seal FROM person ORDER BY id"


def readable(connection: sqlite3.Connection) -> None:
    """Read damaged text too: its seal then shows the damage."""
    connection.text_factory = lambda text: text.decode(errors="replace")


def count_steps(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM record").fetchone()[0])


def hand_out(connection: sqlite3.Connection, reader: Reader, progress: Callable[[], None]) -> None:
    """Everything is read in the connection's transaction. Only one table's secrets are in memory at a time."""
    for *person, seal in connection.execute(_PEOPLE):
        reader.person(Person(*person), seal)
    steps = connection.execute(_STEPS)
    entries = connection.execute(_ENTRIES)
    row, moved = steps.fetchone(), entries.fetchone()
    for table_id, *table in connection.execute(_TABLES):
        secrets = {
            name: KeptSecret(secret, seal)
            for name, secret, seal in connection.execute(_SECRETS, (table_id,)).fetchall()
        }
        reader.begin(kept_table(table, secrets))
        while row is not None and row[0] <= table_id:
            belongs, record_id, version, at_ms, command_id, record, answer = row
            chips = []
            while moved is not None and moved[0] == record_id:
                chips.append((moved[1], moved[2]))
                moved = entries.fetchone()
            if belongs == table_id:
                reader.step(KeptStep(version, at_ms, command_id, record, answer, tuple(chips)))
            progress()
            row = steps.fetchone()
        reader.end()

"""Looks through a whole SQLite store for broken promises, those of SQLite and our own."""

import sqlite3
from typing import Final

FINDINGS_MAX: Final = 100
"""So many of each kind are told; a store with more is broken enough."""

_PROMISES: Final = (
    (
        "{0}: has records 1 to {1}, but {2} of them",
        """
        SELECT game_table.name, max(record.version), count(*) FROM record
        JOIN game_table ON game_table.id = record.table_id
        GROUP BY record.table_id HAVING count(*) <> max(record.version) OR min(record.version) <> 1
        """,
    ),
    (
        "{0}: is said to be at version {1}, but its last record is {2}",
        """
        SELECT name, game_table.version, coalesce(max(record.version), 0) AS last FROM game_table
        LEFT JOIN record ON record.table_id = game_table.id
        GROUP BY game_table.id HAVING game_table.version <> last
        """,
    ),
    (
        "{0}: is said to have changed last with record {1}, but did with {2}",
        """
        SELECT name, last_record_id, coalesce(max(record.id), 0) AS last FROM game_table
        LEFT JOIN record ON record.table_id = game_table.id
        GROUP BY game_table.id HAVING last_record_id <> last
        """,
    ),
    (
        "{0}: record {1} was written before the one that it follows",
        """
        SELECT game_table.name, record.version FROM record
        JOIN record AS before ON before.table_id = record.table_id AND before.version = record.version - 1
        JOIN game_table ON game_table.id = record.table_id WHERE before.id > record.id
        """,
    ),
    (
        "{0}: the entries of record {1} sum to {2}, not to zero",
        """
        SELECT game_table.name, record.version, sum(entry.chips) AS sum FROM entry
        JOIN record ON record.id = entry.record_id JOIN game_table ON game_table.id = record.table_id
        GROUP BY record.id HAVING sum <> 0
        """,
    ),
    (
        "{0}: the balance is {1}, but the entries sum to {2}",
        """
        SELECT name, account.chips, coalesce(sum(entry.chips), 0) AS sum FROM account
        LEFT JOIN entry ON entry.account_id = account.id
        GROUP BY account.id HAVING account.chips <> sum
        """,
    ),
    (
        "the sum over all accounts is {0}, not zero",
        "SELECT coalesce(sum(chips), 0) AS total FROM account HAVING total <> 0",
    ),
)


def findings(connection: sqlite3.Connection) -> list[str]:
    """Every broken promise in words, all seen at one moment; empty when all is well."""
    connection.execute("BEGIN")
    try:
        broken = [row[0] for row in connection.execute(f"PRAGMA integrity_check({FINDINGS_MAX})").fetchall()]
        if broken != ["ok"]:
            # What SQLite itself cannot read says nothing about our own promises.
            return broken
        found = [
            f"row {row_id} of {child} points to a row of {parent} that is not there"
            for child, row_id, parent, _ in connection.execute("PRAGMA foreign_key_check").fetchmany(FINDINGS_MAX)
        ]
        for words, question in _PROMISES:
            found += [words.format(*row) for row in connection.execute(question).fetchmany(FINDINGS_MAX)]
        return found
    finally:
        connection.execute("ROLLBACK")

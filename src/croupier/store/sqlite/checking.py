"""Looks through a whole SQLite store for broken promises, those of SQLite and our own."""

import sqlite3
from typing import Final

FINDINGS_MAX: Final = 100
"""So many of each kind are told; a store with more is broken enough."""

_PROMISES: Final = (
    (
        "{0}: has records up to {1}, but {2} of them",
        """
        SELECT name, max(record.version), count(*) FROM record JOIN game_table ON game_table.id = table_id
        GROUP BY table_id HAVING count(*) <> max(record.version)
        """,
    ),
    (
        "{0}: record {1} does not follow the one before it",
        """
        SELECT name, record.version FROM record JOIN game_table ON game_table.id = record.table_id
        LEFT JOIN record AS before ON before.id = record.previous_id
        WHERE iif(record.version = 1, record.previous_id IS NOT NULL,
          before.table_id IS NOT record.table_id OR before.version <> record.version - 1 OR before.id >= record.id)
        """,
    ),
    (
        "{0}: is said to be at version {1} with row {2}, but its last record is {3}, row {4}",
        """
        SELECT name, game_table.version, last_record_id, max(record.version) AS last, record.id
        FROM game_table LEFT JOIN record ON table_id = game_table.id
        GROUP BY game_table.id HAVING last IS NOT game_table.version OR record.id IS NOT last_record_id
        """,
    ),
    (
        "{0}: entry {1} does not follow the one before it",
        """
        SELECT name, entry.id FROM entry JOIN account ON account.id = entry.account_id
        LEFT JOIN entry AS before ON before.id = entry.previous_id
        WHERE entry.previous_id IS NOT NULL AND (before.account_id IS NOT entry.account_id OR before.id >= entry.id)
        """,
    ),
    (
        "{0}: has {1} entries, but only {2} in its chain",
        """
        SELECT name, count(*) AS entries, 1 + count(DISTINCT previous_id) AS chained
        FROM entry JOIN account ON account.id = account_id GROUP BY account_id HAVING entries <> chained
        """,
    ),
    (
        "{0}: entry {1} is said to be the last, but {2} is",
        """
        SELECT name, last_entry_id, max(entry.id) AS last FROM account LEFT JOIN entry ON account_id = account.id
        GROUP BY account.id HAVING last IS NOT last_entry_id
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

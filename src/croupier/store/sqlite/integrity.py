"""Checks a whole SQLite store for broken promises, those of SQLite and our own."""

import sqlite3
from collections import Counter
from collections.abc import Callable
from typing import Final

from croupier.store.findings import FINDINGS_MAX, Finding
from croupier.store.seal_check import SealCheck, counted, silent
from croupier.store.sqlite.contents import count_steps, hand_out, readable

_PROMISES: Final = (
    (
        "RECORDS_MISSING",
        "table last count",
        """
        SELECT name, max(record.version), count(*) FROM record JOIN game_table ON game_table.id = table_id
        GROUP BY table_id HAVING count(*) <> max(record.version)
        """,
    ),
    (
        "RECORD_ORDER",
        "table version",
        """
        SELECT name, record.version FROM record JOIN game_table ON game_table.id = record.table_id
        LEFT JOIN record AS before ON before.id = record.previous_id
        WHERE iif(record.version = 1, record.previous_id IS NOT NULL,
          before.table_id IS NOT record.table_id OR before.version <> record.version - 1 OR before.id >= record.id)
        """,
    ),
    (
        "TABLE_VERSION",
        "table version step last last_step",
        """
        SELECT name, game_table.version, last_record_id, max(record.version) AS last, record.id
        FROM game_table LEFT JOIN record ON table_id = game_table.id
        GROUP BY game_table.id HAVING last IS NOT game_table.version OR record.id IS NOT last_record_id
        """,
    ),
    (
        "ENTRY_ORDER",
        "account entry",
        """
        SELECT name, entry.id FROM entry JOIN account ON account.id = entry.account_id
        LEFT JOIN entry AS before ON before.id = entry.previous_id
        WHERE entry.previous_id IS NOT NULL AND (before.account_id IS NOT entry.account_id OR before.id >= entry.id)
        """,
    ),
    (
        "ENTRIES_CHAINED",
        "account count chained",
        """
        SELECT name, count(*) AS entries, 1 + count(DISTINCT previous_id) AS chained
        FROM entry JOIN account ON account.id = account_id GROUP BY account_id HAVING entries <> chained
        """,
    ),
    (
        "ENTRY_LAST",
        "account said last",
        """
        SELECT name, last_entry_id, max(entry.id) AS last FROM account LEFT JOIN entry ON account_id = account.id
        GROUP BY account.id HAVING last IS NOT last_entry_id
        """,
    ),
    (
        "STEP_SUM",
        "table version sum",
        """
        SELECT game_table.name, record.version, sum(entry.chips) AS sum FROM entry
        JOIN record ON record.id = entry.record_id JOIN game_table ON game_table.id = record.table_id
        GROUP BY record.id HAVING sum <> 0
        """,
    ),
    (
        "BALANCE",
        "account chips sum",
        """
        SELECT name, account.chips, coalesce(sum(entry.chips), 0) AS sum FROM account
        LEFT JOIN entry ON entry.account_id = account.id
        GROUP BY account.id HAVING account.chips <> sum
        """,
    ),
    (
        "TOTAL",
        "total",
        "SELECT coalesce(sum(chips), 0) AS total FROM account HAVING total <> 0",
    ),
    (
        "ROWS_MISSING",
        "kind last count",
        # Numbers are given without gaps, so a gap shows that a row was removed.
        """
        SELECT kind, last, count FROM (
          SELECT 'game_table' AS kind, max(id) AS last, count(*) AS count, min(id) AS first FROM game_table
          UNION ALL SELECT 'record', max(id), count(*), min(id) FROM record
          UNION ALL SELECT 'account', max(id), count(*), min(id) FROM account
          UNION ALL SELECT 'entry', max(id), count(*), min(id) FROM entry
          UNION ALL SELECT 'schema_version', max(version), count(*), min(version) FROM schema_version
        ) WHERE last <> count OR first <> 1
        """,
    ),
)


def findings(
    connection: sqlite3.Connection, check: SealCheck, progress: Callable[[int, int], None] = silent
) -> list[Finding]:
    """Every broken promise in words, from one moment's state; empty when all is well. `check` reads the whole store;
    `progress` is told how many records it has seen, and of how many."""
    connection.execute("BEGIN")
    readable(connection)
    broken = [row[0] for row in connection.execute(f"PRAGMA integrity_check({FINDINGS_MAX})").fetchall()]
    if broken != ["ok"]:
        # If SQLite itself cannot read the file, our own promises cannot be checked.
        return [Finding("DATABASE", words=words) for words in broken]
    lost = Counter((child, parent) for child, _, parent, _ in connection.execute("PRAGMA foreign_key_check"))
    found = [Finding("POINTS_NOWHERE", child=child, parent=parent, count=lost[child, parent]) for child, parent in lost]
    for code, names, question in _PROMISES:
        for row in connection.execute(question).fetchmany(FINDINGS_MAX):
            found.append(Finding(code, **dict(zip(names.split(), row, strict=True))))
    hand_out(connection, check, counted(progress, count_steps(connection)))
    check.close()
    return [*found, *check.findings]

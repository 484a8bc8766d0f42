"""Checks a whole PostgreSQL store for broken promises."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

import asyncpg

from croupier.store.contents import Reader
from croupier.store.findings import FINDINGS_MAX, Finding
from croupier.store.postgres.address import Address, parse
from croupier.store.postgres.contents import count_steps, hand_out
from croupier.store.postgres.database import CONNECT_SECONDS_MAX, translated
from croupier.store.seal_check import SealCheck, counted, silent

_PROMISES: Final = (
    (
        "RECORDS_MISSING",
        """
        SELECT coalesce(name, 'table ' || table_id) AS table, max(record.version) AS last, count(*) AS count
        FROM record LEFT JOIN game_table ON game_table.id = table_id
        GROUP BY table_id, name HAVING count(*) <> max(record.version)
        """,
    ),
    (
        "RECORD_ORDER",
        """
        SELECT name AS table, later.version FROM game_table JOIN record AS later ON later.table_id = game_table.id
        JOIN record AS earlier ON earlier.table_id = later.table_id AND earlier.version = later.version - 1
        WHERE earlier.step >= later.step
        """,
    ),
    (
        "TABLE_VERSION",
        """
        SELECT name AS table, game_table.version, last_step AS step, last.version AS last, last.step AS last_step
        FROM game_table LEFT JOIN LATERAL (
          SELECT version, step FROM record WHERE table_id = game_table.id ORDER BY version DESC LIMIT 1
        ) AS last ON true
        WHERE (last.version, last.step) IS DISTINCT FROM (game_table.version, game_table.last_step)
        """,
    ),
    (
        "ENTRIES_MISSING",
        """
        SELECT name AS account, account.entries AS said, coalesce(max(number), 0) AS last, count(number) AS count
        FROM account LEFT JOIN entry ON account_id = account.id GROUP BY account.id
        HAVING account.entries <> count(number) OR account.entries <> coalesce(max(number), 0)
        """,
    ),
    (
        "ENTRY_ORDER",
        """
        SELECT name AS account, number AS entry FROM (
          SELECT account_id, number, step, lag(step) OVER (PARTITION BY account_id ORDER BY number) AS before
          FROM entry JOIN record ON record.table_id = entry.table_id AND record.version = entry.version
        ) AS chained JOIN account ON account.id = account_id WHERE step < before
        """,
    ),
    (
        "STEP_SUM",
        """
        SELECT coalesce(name, 'table ' || table_id) AS table, entry.version, sum(chips) AS sum
        FROM entry LEFT JOIN game_table ON game_table.id = table_id
        GROUP BY table_id, name, entry.version HAVING sum(chips) <> 0
        """,
    ),
    (
        "BALANCE",
        """
        SELECT name AS account, account.chips, coalesce(sum(entry.chips), 0) AS sum
        FROM account LEFT JOIN entry ON account_id = account.id
        GROUP BY account.id HAVING account.chips <> coalesce(sum(entry.chips), 0)
        """,
    ),
    ("TOTAL", "SELECT sum(chips) AS total FROM account HAVING sum(chips) <> 0"),
    (
        "ROWS_MISSING",
        """
        SELECT 'schema_version' AS kind, max(version) AS last, count(*) AS count
        FROM schema_version HAVING max(version) <> count(*) OR min(version) <> 1
        """,
    ),
    (
        "POINTS_NOWHERE",
        """
        SELECT * FROM (
          SELECT 'record' AS child, 'game_table' AS parent, count(*) AS count
          FROM record WHERE NOT EXISTS (SELECT FROM game_table WHERE id = table_id)
          UNION ALL
          SELECT 'secret', 'game_table', count(*)
          FROM secret WHERE NOT EXISTS (SELECT FROM game_table WHERE id = table_id)
          UNION ALL
          SELECT 'snapshot', 'game_table', count(*)
          FROM snapshot WHERE NOT EXISTS (SELECT FROM game_table WHERE id = table_id)
          UNION ALL
          SELECT 'entry', 'account', count(*)
          FROM entry WHERE NOT EXISTS (SELECT FROM account WHERE id = account_id)
          UNION ALL
          SELECT 'entry', 'record', count(*) FROM entry WHERE NOT EXISTS (
            SELECT FROM record WHERE record.table_id = entry.table_id AND record.version = entry.version
          )
        ) AS lost WHERE count > 0
        """,
    ),
)


async def findings(address: Address, check: SealCheck, progress: Callable[[int, int], None] = silent) -> list[Finding]:
    """Every broken promise in words, from one moment's state; empty when all is well. `check` reads the whole store;
    `progress` is told how many records it has seen, and of how many."""
    async with _reading(address) as connection:
        found = [
            Finding(code, **dict(row))
            for code, question in _PROMISES
            for row in await connection.fetch(f"{question} LIMIT {FINDINGS_MAX}")
        ]
        await hand_out(connection, check, counted(progress, await count_steps(connection)))
    check.close()
    return [*found, *check.findings]


async def hand_all_out(url: str, reader: Reader, progress: Callable[[int, int], None]) -> None:
    """Pass the whole store to a reader, as of one moment."""
    address = parse(url)
    with translated(address):
        async with _reading(address) as connection:
            await hand_out(connection, reader, counted(progress, await count_steps(connection)))


@asynccontextmanager
async def _reading(address: Address) -> AsyncIterator[asyncpg.Connection]:
    """A connection without a bound on how long an answer takes, in one transaction."""
    connection = await asyncpg.connect(
        address.dsn,
        timeout=CONNECT_SECONDS_MAX,
        server_settings={"application_name": "croupier check", "search_path": address.schema},
    )
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            yield connection
    finally:
        await connection.close(timeout=CONNECT_SECONDS_MAX)

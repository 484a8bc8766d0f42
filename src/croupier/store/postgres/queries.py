"""The queries of a PostgreSQL store, each a plain function of a connection."""

from collections.abc import Mapping, Sequence
from typing import Final

import asyncpg

from croupier.store.port import LISTED, LedgerLine, Person, Repeated, Stored, TableRow
from croupier.store.seals import person_seal

RECORDS_PAGE: Final = 1000

_TABLE = "SELECT name, version, open, deadline_ms, listing FROM game_table"
_IS_LISTED = f"position('\\x{LISTED.hex()}'::bytea IN listing) > 0"
"""As in the index `game_table_listed`."""
_PERSON = "SELECT id, name, token_hash, language, created_ms FROM person"


async def records(connection: asyncpg.Connection, table: str, after: int) -> list[Stored]:
    """Page by page: all rows of a long table at once would block the event loop."""
    found: list[Stored] = []
    while True:
        rows = await connection.fetch(
            "SELECT version, at_ms, record FROM record"
            " WHERE table_id = (SELECT id FROM game_table WHERE name = $1) AND version > $2 ORDER BY version LIMIT $3",
            table,
            found[-1].version if found else after,
            RECORDS_PAGE,
        )
        found += [Stored(*row) for row in rows]
        if len(rows) < RECORDS_PAGE:
            return found


async def news(connection: asyncpg.Connection, known: Mapping[str, int]) -> dict[str, list[Stored]]:
    """LATERAL looks tables up one by one: most have nothing new, as their own row shows."""
    rows = await connection.fetch(
        """
        SELECT known.name, record.version, record.at_ms, record.record
        FROM unnest($1::text[], $2::bigint[]) AS known (name, version), LATERAL (
          SELECT id FROM game_table WHERE game_table.name = known.name AND game_table.version > known.version OFFSET 0
        ) AS changed, LATERAL (
          SELECT version, at_ms, record FROM record
          WHERE table_id = changed.id AND record.version > known.version ORDER BY version
        ) AS record
        """,
        list(known),
        list(known.values()),
    )
    found: dict[str, list[Stored]] = {}
    for name, *stored in rows:
        found.setdefault(name, []).append(Stored(*stored))
    return found


async def secrets(connection: asyncpg.Connection, table: str, names: Sequence[str] | None) -> dict[str, bytes]:
    rows = await connection.fetch(
        "SELECT name, secret FROM secret WHERE table_id = (SELECT id FROM game_table WHERE name = $1)"
        " AND ($2::text[] IS NULL OR name = ANY($2))",
        table,
        names,
    )
    return {name: secret for name, secret in rows}  # noqa: C416 -- a row is no pair to `dict`


async def forget_secrets(connection: asyncpg.Connection, table: str, names: Sequence[str]) -> None:
    await connection.execute(
        "DELETE FROM secret WHERE table_id = (SELECT id FROM game_table WHERE name = $1) AND name = ANY($2::text[])",
        table,
        list(names),
    )


async def snapshot(connection: asyncpg.Connection, table: str) -> bytes | None:
    found: bytes | None = await connection.fetchval(
        "SELECT snapshot FROM snapshot WHERE table_id = (SELECT id FROM game_table WHERE name = $1)", table
    )
    return found


async def save_snapshot(connection: asyncpg.Connection, table: str, snapshot: bytes) -> None:
    """Idempotent."""
    await connection.execute(
        "INSERT INTO snapshot (table_id, snapshot) SELECT id, $2 FROM game_table WHERE name = $1"
        " ON CONFLICT (table_id) DO UPDATE SET snapshot = excluded.snapshot",
        table,
        snapshot,
    )


async def table_row(connection: asyncpg.Connection, table: str) -> TableRow | None:
    row = await connection.fetchrow(f"{_TABLE} WHERE name = $1", table)
    return TableRow(*row) if row else None


async def table_rows(
    connection: asyncpg.Connection, prefix: str, only_open: bool, most: int, only_listed: bool
) -> list[TableRow]:
    wanted = "starts_with(name, $1)" + (" AND open" if only_open or only_listed else "")
    wanted += f" AND {_IS_LISTED}" if only_listed else ""
    rows = await connection.fetch(f"{_TABLE} WHERE {wanted} ORDER BY last_step DESC LIMIT $2", prefix, most)
    return [TableRow(*row) for row in rows]


async def due(connection: asyncpg.Connection, now_ms: int, most: int) -> list[TableRow]:
    rows = await connection.fetch(
        f"{_TABLE} WHERE open AND due_minute IS NOT NULL AND due_minute <= $1::bigint / 60000 AND deadline_ms <= $1"
        " ORDER BY deadline_ms, name LIMIT $2",
        now_ms,
        most,
    )
    return [TableRow(*row) for row in rows]


async def answer(connection: asyncpg.Connection, table: str, command_id: str) -> Repeated | None:
    row = await connection.fetchrow(
        "SELECT version, answer FROM record"
        " WHERE table_id = (SELECT id FROM game_table WHERE name = $1) AND command_id = $2",
        table,
        command_id,
    )
    return Repeated(*row) if row else None


async def balance(connection: asyncpg.Connection, account: str) -> int:
    return int(await connection.fetchval("SELECT coalesce(sum(chips), 0) FROM account WHERE name = $1", account))


async def ledger(connection: asyncpg.Connection, account: str, most: int) -> list[LedgerLine]:
    rows = await connection.fetch(
        """
        SELECT game_table.name, entry.version, $1::text, entry.chips, record.at_ms
        FROM account, LATERAL (
          SELECT * FROM entry WHERE account_id = account.id ORDER BY number DESC LIMIT $2
        ) AS entry
        JOIN record ON record.table_id = entry.table_id AND record.version = entry.version
        JOIN game_table ON game_table.id = entry.table_id
        WHERE account.name = $1 ORDER BY record.step DESC, entry.position DESC LIMIT $2
        """,
        account,
        most,
    )
    return [LedgerLine(*row) for row in rows]


async def total(connection: asyncpg.Connection) -> int:
    return int(await connection.fetchval("SELECT coalesce(sum(chips), 0) FROM account"))


async def save_person(connection: asyncpg.Connection, person: Person) -> None:
    """Idempotent."""
    try:
        await connection.execute(
            "INSERT INTO person (id, name, token_hash, language, created_ms, seal) VALUES ($1, $2, $3, $4, $5, $6)"
            " ON CONFLICT (id) DO UPDATE SET name = excluded.name, token_hash = excluded.token_hash,"
            " language = excluded.language, created_ms = excluded.created_ms, seal = excluded.seal",
            person.id,
            person.name,
            person.token_hash,
            person.language,
            person.created_ms,
            person_seal(person),
        )
    except asyncpg.UniqueViolationError as error:
        raise ValueError(f"{person.id}: this token is somebody else's") from error


async def person(connection: asyncpg.Connection, person_id: str) -> Person | None:
    row = await connection.fetchrow(f"{_PERSON} WHERE id = $1", person_id)
    return Person(*row) if row else None


async def person_by_token(connection: asyncpg.Connection, token_hash: bytes) -> Person | None:
    row = await connection.fetchrow(f"{_PERSON} WHERE token_hash = $1", token_hash)
    return Person(*row) if row else None


async def notify(connection: asyncpg.Connection, channel: str, message: str) -> None:
    await connection.execute("SELECT pg_notify($1, $2)", channel, message)

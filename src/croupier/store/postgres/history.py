"""Everything in a PostgreSQL store, as the steps that would write it again; and replacing a store by a copy."""

import secrets
from collections.abc import AsyncIterator
from typing import Final

import asyncpg

from croupier.store.faults import fault
from croupier.store.port import Append, Entry, Person
from croupier.store.postgres.address import Address, parse, with_schema
from croupier.store.postgres.database import CONNECT_SECONDS_MAX, connect, translated

ROWS_AT_ONCE: Final = 500

_STEPS: Final = """
SELECT game_table.name, record.version, record.record, at_ms, coalesce(command_id, '') AS command_id, answer,
  moved.accounts, moved.chips, last_step = step AS is_last,
  kept.names AS secret_names, kept.secrets, record.version > unsealed AS sealed, deadline_ms, listing, open
FROM record JOIN game_table ON game_table.id = record.table_id
LEFT JOIN (
  SELECT table_id, version, array_agg(name ORDER BY position) AS accounts,
    array_agg(entry.chips ORDER BY position) AS chips
  FROM entry JOIN account ON account.id = account_id GROUP BY table_id, version
) AS moved ON moved.table_id = record.table_id AND moved.version = record.version
LEFT JOIN (
  SELECT table_id, array_agg(name ORDER BY name) AS names, array_agg(secret ORDER BY name) AS secrets
  FROM secret GROUP BY table_id
) AS kept ON kept.table_id = record.table_id AND last_step = step
ORDER BY step
"""


async def history(url: str) -> AsyncIterator[Person | Append]:
    """Everybody, then every step in the order of writing, all seen at one moment.

    Present values (secrets, deadline, listing, whether the table is open) come with the last step.
    """
    address = parse(url)
    with translated(address):
        connection = await asyncpg.connect(
            address.dsn,
            timeout=CONNECT_SECONDS_MAX,
            server_settings={"application_name": "croupier export", "search_path": address.schema},
        )
        try:
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                for person in await connection.fetch(
                    "SELECT id, name, token_hash, language, created_ms FROM person ORDER BY id"
                ):
                    yield Person(*person)
                async for row in connection.cursor(_STEPS, prefetch=ROWS_AT_ONCE):
                    yield _append(row)
        finally:
            connection.terminate()


def _append(row: asyncpg.Record) -> Append:
    is_last = row["is_last"]
    return Append(
        table=row["name"],
        version=row["version"],
        record=row["record"],
        at_ms=row["at_ms"],
        command_id=row["command_id"],
        answer=row["answer"],
        entries=tuple(map(Entry, row["accounts"] or (), row["chips"] or ())),
        secrets=tuple(zip(row["secret_names"] or (), row["secrets"] or (), strict=True)),
        deadline_ms=row["deadline_ms"] if is_last else None,
        listing=row["listing"] if is_last else None,
        open=row["open"] if is_last else True,
        sealed=row["sealed"],
    )


def copy_address(url: str) -> str:
    """The address of a copy beside a store, in the same database, until it replaces the store."""
    return with_schema(url, f"{parse(url).schema[:30]}_copy_{secrets.token_hex(4)}")


async def hold_empty(url: str) -> None:
    """Raises `StoreError` unless the store is empty or does not exist yet."""
    address = parse(url)
    connection = await connect(address)
    try:
        with translated(address):
            await _hold_empty(connection, address)
    finally:
        connection.terminate()


async def put_in_place(copy: str, url: str) -> None:
    """Replace the store by the copy in one move. Raises `StoreError` if the store to be replaced is not empty."""
    address = parse(url)
    connection = await connect(address)
    try:
        with translated(address):
            async with connection.transaction():
                await _drop_empty(connection, address)
                await connection.execute(f"ALTER SCHEMA {parse(copy).schema} RENAME TO {address.schema}")
    finally:
        connection.terminate()


async def drop(copy: str) -> None:
    """Drops a copy that did not become a store."""
    address = parse(copy)
    connection = await connect(address)
    try:
        with translated(address):
            await connection.execute(f"DROP SCHEMA IF EXISTS {address.schema} CASCADE")
    finally:
        connection.terminate()


async def _drop_empty(connection: asyncpg.Connection, address: Address) -> None:
    """Drop our own tables one by one, so that anything foreign in the schema stops us."""
    await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", f"migrate {address.schema}")
    if not await connection.fetchval("SELECT to_regnamespace($1) IS NOT NULL", address.schema):
        return
    if await _is_there(connection):
        await connection.execute("LOCK TABLE game_table, person IN ACCESS EXCLUSIVE MODE")
        await _hold_empty(connection, address)
        await connection.execute("DROP TABLE game_table, record, secret, account, entry, person, schema_version")
        await connection.execute("DROP TABLE IF EXISTS snapshot")  # a store of the first release has none
        await connection.execute("DROP SEQUENCE step_block")
        await connection.execute("DROP FUNCTION lock_rows")
    try:
        await connection.execute(f"DROP SCHEMA {address.schema}")
    except asyncpg.DependentObjectsStillExistError as error:
        raise fault("STORE_NOT_EMPTY", place=address.place) from error


async def _hold_empty(connection: asyncpg.Connection, address: Address) -> None:
    anything = "SELECT EXISTS (SELECT FROM game_table) OR EXISTS (SELECT FROM person)"
    if await _is_there(connection) and await connection.fetchval(anything):
        raise fault("STORE_NOT_EMPTY", place=address.place)


async def _is_there(connection: asyncpg.Connection) -> bool:
    return bool(await connection.fetchval("SELECT to_regclass('game_table') IS NOT NULL"))

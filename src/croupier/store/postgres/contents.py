"""Reads everything that a PostgreSQL store holds, table by table."""

from collections.abc import Callable
from typing import Final

import asyncpg

from croupier.store.contents import KeptSecret, KeptStep, Reader, kept_table
from croupier.store.port import Person

ROWS_AT_ONCE: Final = 500

_TABLES: Final = """
SELECT id, name, version, open, deadline_ms, listing, head, unsealed, seal, listing_seal, snapshot
FROM game_table LEFT JOIN snapshot ON table_id = id ORDER BY id
"""
_STEPS: Final = """
SELECT version, at_ms, command_id, record, answer FROM record WHERE table_id = $1 ORDER BY version
"""
_ENTRIES: Final = """
SELECT entry.table_id, entry.version, name, entry.chips FROM entry JOIN account ON account.id = account_id
ORDER BY entry.table_id, entry.version, position, account_id, number
"""
_SECRETS: Final = "SELECT name, secret, seal FROM secret WHERE table_id = $1"
_PEOPLE: Final = "SELECT id, name, token_hash, language, created_ms, seal FROM person ORDER BY id"


async def count_steps(connection: asyncpg.Connection) -> int:
    return int(await connection.fetchval("SELECT count(*) FROM record"))


async def hand_out(connection: asyncpg.Connection, reader: Reader, progress: Callable[[], None]) -> None:
    """Everything is read in the connection's transaction. Only one table's secrets are in memory at a time."""
    async for *person, seal in connection.cursor(_PEOPLE, prefetch=ROWS_AT_ONCE):
        reader.person(Person(*person), seal)
    entries = aiter(connection.cursor(_ENTRIES, prefetch=ROWS_AT_ONCE))
    moved = await anext(entries, None)
    async for table_id, *table in connection.cursor(_TABLES, prefetch=ROWS_AT_ONCE):
        secrets = {name: KeptSecret(secret, seal) for name, secret, seal in await connection.fetch(_SECRETS, table_id)}
        reader.begin(kept_table(table, secrets))
        steps = connection.cursor(_STEPS, table_id, prefetch=ROWS_AT_ONCE)
        async for version, at_ms, command_id, record, answer in steps:
            here = (table_id, version)
            chips = []
            while moved is not None and (moved[0], moved[1]) <= here:
                # Entries without a record are skipped here: another check finds that they point nowhere.
                if (moved[0], moved[1]) == here:
                    chips.append((moved[2], moved[3]))
                moved = await anext(entries, None)
            reader.step(KeptStep(version, at_ms, command_id, record, answer, tuple(chips)))
            progress()
        reader.end()

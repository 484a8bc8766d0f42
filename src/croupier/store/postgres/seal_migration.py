"""Seals the rows that an earlier version wrote without seals, when its schema is brought up to date."""

from collections.abc import Callable
from typing import Any, Final

import asyncpg

from croupier.store.port import Person
from croupier.store.seals import listing_seal, person_seal, secret_seal, table_seal

SEALS: Final = 4
"""The migration that adds the seals."""
ROWS_AT_ONCE: Final = 1000


async def seal_all(connection: asyncpg.Connection) -> None:
    """Fills in every seal, in the transaction that made room for them."""
    await _seal(
        connection,
        "tables",
        "SELECT id, name, head, unsealed, version, open, deadline_ms FROM game_table",
        lambda id_, *row: (table_seal(*row), id_),
        "UPDATE game_table SET seal = $1 WHERE id = $2",
    )
    await _seal(
        connection,
        "listings",
        "SELECT id, name, listing FROM game_table",
        lambda id_, name, listing: (listing_seal(name, listing), id_),
        "UPDATE game_table SET listing_seal = $1 WHERE id = $2",
    )
    await _seal(
        connection,
        "secrets",
        "SELECT table_id, game_table.name, secret.name, secret FROM secret JOIN game_table ON game_table.id = table_id",
        lambda id_, *row: (secret_seal(*row), id_, row[1]),
        "UPDATE secret SET seal = $1 WHERE table_id = $2 AND name = $3",
    )
    await _seal(
        connection,
        "people",
        "SELECT id, name, token_hash, language, created_ms FROM person",
        lambda *row: (person_seal(Person(*row)), row[0]),
        "UPDATE person SET seal = $1 WHERE id = $2",
    )


async def _seal(
    connection: asyncpg.Connection, name: str, question: str, sealed: Callable[..., tuple[Any, ...]], update: str
) -> None:
    """Seals the rows some at a time. A cursor sees them as they were when it was opened. It is closed, because the next
    migration cannot change a table that one is open on."""
    await connection.execute(f"DECLARE {name} CURSOR FOR {question}")
    while rows := await connection.fetch(f"FETCH {ROWS_AT_ONCE} FROM {name}"):
        await connection.executemany(update, [sealed(*row) for row in rows])
    await connection.execute(f"CLOSE {name}")

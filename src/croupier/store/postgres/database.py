"""Connections to a PostgreSQL database, its schema brought up to date, and what its errors mean to people."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Final

import asyncpg
from asyncpg import exceptions as errors

from croupier.store.faults import fault
from croupier.store.port import StoreError
from croupier.store.postgres.address import Address
from croupier.store.postgres.seal_migration import SEALS, seal_all

SERVER_OLDEST: Final = 13
"""The first version whose `pg_xact_status` tells the outcome of any transaction."""
CONNECT_SECONDS_MAX: Final = 5.0
ANSWER_SECONDS_MAX: Final = 10.0
"""How long to wait for an answer before the database counts as gone."""
READERS_MAX: Final = 8
PARTS_MAX: Final = 16
"""How many nodes can have their own part of every account. Beyond that, some occasionally wait for each other."""

_SETTINGS: Final = {
    "application_name": "croupier",
    # A node that stops in the middle of a transaction, frozen or cut off, must not keep the others from their tables.
    "idle_in_transaction_session_timeout": "2000",
    "lock_timeout": "5000",
    # Every statement finds its rows by an index. The planner would choose otherwise for a table that was empty when
    # last analysed, and keep that plan as it grows.
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
    "jit": "off",
}

GONE: Final = (
    OSError,
    errors.InterfaceError,
    errors.InternalClientError,
    errors.PostgresConnectionError,
    errors.OperatorInterventionError,
    errors.IdleInTransactionSessionTimeoutError,
)
"""The connection was lost, or cannot be made at the moment. `TimeoutError` is an `OSError`."""
FAILED: Final = (*GONE, errors.PostgresError)
"""Everything the driver may raise when the database, not the caller, is at fault."""


async def connect(address: Address) -> asyncpg.Connection:
    """A connection for writing, whose commits wait for the disk."""
    with translated(address):
        connection = await asyncpg.connect(
            address.dsn,
            timeout=CONNECT_SECONDS_MAX,
            command_timeout=ANSWER_SECONDS_MAX,
            server_settings=_SETTINGS | {"search_path": address.schema},
        )
        # The operator may have set a stronger level than `on`. A weaker one would break the promise of durability.
        await connection.execute(
            "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
        )
    return connection


async def claim_part(connection: asyncpg.Connection, address: Address) -> int:
    """A part of all accounts that no other connection has while this one lives; the last part if all are taken. Two
    connections that write the same part only wait for each other's locks.
    """
    claim = """
    SELECT part FROM generate_series(0, $2 - 1) AS part WHERE pg_try_advisory_lock(hashtext($1), part) LIMIT 1
    """
    part: int | None = await connection.fetchval(claim, f"account parts of {address.schema}", PARTS_MAX)
    return PARTS_MAX - 1 if part is None else part


async def connect_readers(address: Address) -> asyncpg.Pool:
    """Connections for reading, made when needed and again after a loss."""
    return await asyncpg.create_pool(
        address.dsn,
        min_size=0,
        max_size=READERS_MAX,
        timeout=CONNECT_SECONDS_MAX,
        command_timeout=ANSWER_SECONDS_MAX,
        server_settings={"application_name": "croupier", "jit": "off", "search_path": address.schema},
    )


@contextmanager
def translated(address: Address) -> Iterator[None]:
    """Turn errors of the driver and the system into a `StoreError` that says what happened, and where."""
    try:
        yield
    except FAILED as error:
        raise meaning(error, address) from error


def meaning(error: Exception, address: Address) -> StoreError:
    """What an error of the driver or the database means to the operator."""
    place, reason = address.place, str(error) or type(error).__name__
    match error:
        case StoreError():
            return StoreError(str(error), error.code, error.facts)
        case errors.ClientConfigurationError():
            return fault("STORE_ADDRESS_PARTS", address=place, fault=reason)
        case errors.InvalidAuthorizationSpecificationError() | errors.InsufficientPrivilegeError():
            return fault("STORE_NOT_ALLOWED", place=place, fault=reason)
        case errors.InvalidCatalogNameError():
            return fault("STORE_NO_DATABASE", place=place, fault=reason)
        case errors.DiskFullError():
            return fault("STORE_FULL", place=place)
        case errors.ReadOnlySQLTransactionError():
            return fault("STORE_STANDBY", place=place)
        case errors.LockNotAvailableError() | errors.DeadlockDetectedError():
            return fault("STORE_LOCKED", place=place)
        case errors.DataCorruptedError() | errors.IndexCorruptedError():
            return fault("STORE_CORRUPT", place=place, fault=reason)
        case errors.TooManyConnectionsError():
            return fault("STORE_UNREACHABLE", place=place, fault=reason)
        case _ if isinstance(error, GONE):
            return fault("STORE_UNREACHABLE", place=place, fault=reason)
        case _:
            return fault("STORE_BROKEN", place=place, fault=reason)


def migrations() -> list[tuple[int, str]]:
    """Every step of the schema, numbered 1, 2, 3 …, with its SQL."""
    folder = files("croupier.store.migrations").joinpath("postgres")
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
    steps = [(int(file.name.split("_")[0]), file.read_text(encoding="utf-8")) for file in found]
    if [number for number, _ in steps] != list(range(1, len(steps) + 1)):
        raise ValueError("the steps of the schema are not numbered 1, 2, 3 …")
    return steps


async def migrate(address: Address, create: bool = True) -> int:
    """Applies the missing migrations, all of them or none. Returns the schema's version.

    Nodes that start at once wait for each other. Without `create` a store that is not there is a `StoreError`.
    """
    connection = await connect(address)
    try:
        with translated(address):
            async with connection.transaction():
                return await _migrate(connection, address, create)
    finally:
        connection.terminate()


async def _migrate(connection: asyncpg.Connection, address: Address, create: bool) -> int:
    server = connection.get_server_version()
    if server.major < SERVER_OLDEST:
        raise fault("STORE_POSTGRES_OLD", found=f"{server.major}.{server.minor}", needed=SERVER_OLDEST)
    await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", f"migrate {address.schema}")
    there = await connection.fetchval("SELECT to_regclass($1) IS NOT NULL", f"{address.schema}.schema_version")
    if not there:
        if not create:
            raise fault("STORE_MISSING", place=address.place)
        await connection.execute(f"CREATE SCHEMA IF NOT EXISTS {address.schema}")
        await connection.execute("CREATE TABLE schema_version (version integer PRIMARY KEY)")
    found: int = await connection.fetchval("SELECT coalesce(max(version), 0) FROM schema_version")
    steps = migrations()
    if found > len(steps):
        raise fault("STORE_NEWER", place=address.place, found=found, known=len(steps))
    for number, sql in steps[found:]:
        await connection.execute(sql)
        if number == SEALS:
            await seal_all(connection)
        await connection.execute("INSERT INTO schema_version VALUES ($1)", number)
    return len(steps)

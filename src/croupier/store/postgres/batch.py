"""Many steps in one transaction, each decided on its own: lock and load what they touch, decide in order, write.

Existing tables are locked first, then existing accounts, then new tables and new accounts are made, each in the order
of their names, so nodes may wait for each other, but never deadlock. Each node writes only its own part of an account,
so two nodes that pay into one account do not wait for each other.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import asyncpg
import msgspec

from croupier.store.decision import Outcome, TableHead, decision, moved_chips
from croupier.store.limits import hold_balance
from croupier.store.port import Append, Repeated
from croupier.store.postgres.changes import hints
from croupier.store.seals import listing_seal, secret_seal, table_seal

STEPS_MAX: Final = 1000
"""The size of a block of the sequence `step_block`."""

_LOCK: Final = """
SELECT kind, name, command_id, id, number, more, answer, rest
FROM lock_rows($1::text[], $2::text[], $3::smallint, $4::text[], $5::text[])
"""

_INSERT_TABLES: Final = """
INSERT INTO game_table (name) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING RETURNING name, id
"""

_INSERT_ACCOUNTS: Final = """
INSERT INTO account (name, part) SELECT unnest($1::text[]), $2::smallint ON CONFLICT DO NOTHING RETURNING name, id
"""

_WRITE: Final = """
WITH block AS MATERIALIZED (SELECT nextval('step_block') AS first),
tables AS (
  UPDATE game_table SET version = new.version, open = new.open, deadline_ms = new.deadline_ms,
    last_step = block.first + new.position, head = new.head, unsealed = new.unsealed, seal = new.seal,
    listing = coalesce(new.listing, game_table.listing),
    listing_seal = coalesce(new.listing_seal, game_table.listing_seal)
  FROM block, unnest(
    $1::bigint[], $2::bigint[], $3::boolean[], $4::bigint[], $5::bigint[],
    $6::bytea[], $7::bigint[], $8::bytea[], $9::bytea[], $10::bytea[]
  ) AS new (id, version, open, deadline_ms, position, head, unsealed, seal, listing, listing_seal)
  WHERE game_table.id = new.id
),
records AS (
  INSERT INTO record (table_id, version, step, at_ms, command_id, record, answer)
  SELECT new.table_id, new.version, block.first + new.position, new.at_ms, new.command_id, new.record, new.answer
  FROM block, unnest(
    $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::text[], $16::bytea[], $17::bytea[]
  ) AS new (table_id, version, position, at_ms, command_id, record, answer)
),
accounts AS (
  UPDATE account SET chips = new.chips, entries = new.entries
  FROM unnest($18::bigint[], $19::bigint[], $20::bigint[]) AS new (id, chips, entries)
  WHERE account.id = new.id
),
entries AS (
  INSERT INTO entry (account_id, number, table_id, version, position, chips)
  SELECT * FROM unnest($21::bigint[], $22::bigint[], $23::bigint[], $24::bigint[], $25::integer[], $26::bigint[])
),
secrets AS (
  INSERT INTO secret (table_id, name, secret, seal)
  SELECT * FROM unnest($27::bigint[], $28::text[], $29::bytea[], $30::bytea[])
  ON CONFLICT (table_id, name) DO UPDATE SET secret = excluded.secret, seal = excluded.seal
)
SELECT pg_current_xact_id()::text, (SELECT count(pg_notify($31, hint)) FROM unnest($32::text[]) AS hint)
"""


class Outrun(Exception):  # noqa: N818 -- no error, but the signal to begin again
    """Another node created a table or an account meanwhile: decide the batch again."""


class _Table(TableHead):
    position: int | None = None
    """The last accepted step's place in the batch; None while there is none."""
    listing: bytes | None = None


class _Account(msgspec.Struct):
    """One node's part of an account."""

    id: int = 0
    chips: int = 0
    entries: int = 0
    rest: int = 0
    """The sum of all other parts."""
    changed: bool = False


async def write_appends(
    connection: asyncpg.Connection, appends: Sequence[Append], channel: str, node: str, part: int
) -> tuple[list[Outcome], str | None]:
    """Writes the acceptable steps, in order, into the open transaction. Returns the outcome of each.

    Also returns the transaction's number; None when nothing was written.
    """
    if len(appends) > STEPS_MAX:
        raise ValueError(f"a transaction has at most {STEPS_MAX} steps, not {len(appends)}")
    batch = _Batch(part)
    await batch.load(connection, appends)
    outcomes = [batch.decide(append) for append in appends]
    return outcomes, await batch.write(connection, channel, node)


class _Batch:
    """Everything a batch touches, after the steps accepted so far, and the rows to write."""

    def __init__(self, part: int) -> None:
        self._part = part
        self._tables: dict[str, _Table] = {}
        self._accounts: dict[str, _Account] = {}
        self._done: dict[tuple[str, str], Repeated] = {}
        self._records: list[tuple[_Table, Append]] = []
        self._entries: list[tuple[_Account, int, _Table, int, int, int]] = []
        self._secrets: dict[tuple[str, str], tuple[_Table, bytes]] = {}

    async def load(self, connection: asyncpg.Connection, appends: Sequence[Append]) -> None:
        tables = sorted({append.table for append in appends})
        accounts = sorted({entry.account for append in appends for entry in append.entries})
        commands = {(append.table, append.command_id) for append in appends if append.command_id}
        rows = await connection.fetch(_LOCK, tables, accounts, self._part, *_columns(2, commands))
        for kind, name, command_id, id_, number, more, answer, rest in rows:
            match kind:
                case b"t":
                    self._tables[name] = _Table(id_, number, bool(more), answer, rest)
                case b"a":
                    self._accounts[name] = _Account(id_ or 0, number or 0, more or 0, rest)
                case _:
                    self._done[name, command_id] = Repeated(number, answer)

    def decide(self, append: Append) -> Outcome:
        """None for a step that is now part of the batch."""
        table = self._tables.get(append.table)
        if refused := decision(append, table, self._done):
            return refused
        try:
            self._hold_balances(append)
        except ValueError as error:
            return error
        if table is None:
            table = self._tables[append.table] = _Table(listing=b"")
        self._accept(table, append)
        return None

    async def write(self, connection: asyncpg.Connection, channel: str, node: str) -> str | None:
        """Writes the accepted steps. Returns the transaction's number, or None when there are none."""
        if not self._records:
            return None
        tables = {name: table for name, table in self._tables.items() if table.position is not None}
        accounts = {name: account for name, account in self._accounts.items() if account.changed}
        await _make(connection, _INSERT_TABLES, tables)
        await _make(connection, _INSERT_ACCOUNTS, accounts, self._part)
        row = await connection.fetchrow(
            _WRITE,
            *_columns(10, (_row(name, table) for name, table in tables.items())),
            *_columns(7, self._record_rows()),
            *_columns(3, ((account.id, account.chips, account.entries) for account in accounts.values())),
            *_columns(6, ((account.id, n, table.id, *rest) for account, n, table, *rest in self._entries)),
            *_columns(4, self._secret_rows()),
            channel,
            hints(node, tables),
        )
        number: str = row[0]
        return number

    def _record_rows(self) -> Iterator[tuple[object, ...]]:
        for position, (table, append) in enumerate(self._records):
            command_id = append.command_id or None
            yield table.id, append.version, position, append.at_ms, command_id, append.record, append.answer

    def _secret_rows(self) -> Iterator[tuple[object, ...]]:
        for (table_name, name), (table, secret) in self._secrets.items():
            yield table.id, name, secret, secret_seal(table_name, name, secret)

    def _accept(self, table: _Table, append: Append) -> None:
        for position, entry in enumerate(append.entries):
            account = self._accounts.setdefault(entry.account, _Account())
            account.chips += entry.chips
            account.entries += 1
            account.changed = True
            self._entries.append((account, account.entries, table, append.version, position, entry.chips))
        table.accept(append)
        table.position = len(self._records)
        if append.listing is not None:
            table.listing = append.listing
        if append.command_id:
            self._done[append.table, append.command_id] = Repeated(append.version, append.answer)
        for name, secret in append.secrets:
            self._secrets[append.table, name] = table, secret
        self._records.append((table, append))

    def _hold_balances(self, append: Append) -> None:
        for name, chips in moved_chips(append.entries).items():
            account = self._accounts.get(name)
            hold_balance(name, chips + (account.chips + account.rest if account else 0))


def _row(name: str, table: _Table) -> tuple[object, ...]:
    seal = table_seal(name, table.head, table.unsealed, table.version, table.open, table.deadline_ms)
    row = (table.id, table.version, table.open, table.deadline_ms, table.position, table.head, table.unsealed, seal)
    return (*row, table.listing, None if table.listing is None else listing_seal(name, table.listing))


async def _make(
    connection: asyncpg.Connection, sql: str, rows: dict[str, _Table] | dict[str, _Account], *more: object
) -> None:
    """Give the new rows their numbers. Raises `Outrun` if another node created one of them first."""
    new = sorted(name for name, row in rows.items() if not row.id)
    if not new:
        return
    for name, id_ in await connection.fetch(sql, new, *more):
        rows[name].id = id_
    if not all(row.id for row in rows.values()):
        raise Outrun


def _columns(count: int, rows: Iterable[tuple[object, ...]]) -> Iterable[Sequence[object]]:
    """Rows turned into the `count` columns that `unnest` wants, even when there is no row."""
    return list(zip(*rows, strict=True)) or [()] * count

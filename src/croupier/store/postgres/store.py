"""The PostgreSQL store: the port's methods, writes in shared transactions, reads on connections of their own."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Concatenate, Final, ParamSpec, TypeVar

import asyncpg

from croupier.store.faults import fault
from croupier.store.group_commit import Counters
from croupier.store.limits import hold_message, hold_person, hold_snapshot
from croupier.store.port import Append, LedgerLine, Person, Repeated, Said, Stale, Stored, TableRow, Written
from croupier.store.postgres import integrity, queries
from croupier.store.postgres.address import parse
from croupier.store.postgres.changes import channel, listen, said
from croupier.store.postgres.database import (
    ANSWER_SECONDS_MAX,
    FAILED,
    GONE,
    connect_readers,
    meaning,
    migrate,
    translated,
)
from croupier.store.postgres.writer import Writer
from croupier.store.seal_check import SealCheck

CLOSE_SECONDS_MAX: Final = 5.0
LANES: Final = 2
"""How many transactions of a busy node run at a time: while the database works on one, the next is prepared."""
CROWD_STEPS: Final = 32
"""With fewer waiting steps, one transaction is quicker than two that share the processor."""

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")
Question = Callable[Concatenate[asyncpg.Connection, Asked], Awaitable[Answer]]


class PostgresStore:
    """A store in a database that any number of nodes share: every step is checked there, not in memory. It connects
    when it is first used, and belongs to that event loop. While the database is gone, every method raises `StoreError`
    (`STORE_UNREACHABLE`). If the answer to a commit is lost, the store asks the database for the outcome. If that
    cannot be known in time, it raises `STORE_UNKNOWN`: the step was kept whole or not at all, and a retry with the same
    version and command id gets the right answer in both cases.
    """

    def __init__(self, url: str, create: bool = True, lanes: int = LANES) -> None:
        """Without `create`, a store that is not there is a `StoreError` instead of a new one.

        With one lane, all steps of all tables are written in order, even if callers do not wait for each.
        """
        self._address = parse(url)
        self._create = create
        self._node = secrets.token_hex(4)
        self._counters = Counters()
        self._writers = [Writer(self._address, self._node, self._ready, self._counters) for _ in range(lanes)]
        self._readers: asyncpg.Pool | None = None
        self._opening = asyncio.Lock()
        self._closing = asyncio.Event()

    @property
    def place(self) -> str:
        """The address, as it may be shown."""
        return self._address.place

    @property
    def counters(self) -> Counters:
        """Counts of commits since the store was opened, for metrics."""
        return self._counters

    def append(self, append: Append) -> Awaitable[Stale | Repeated | None]:
        first = self._writers[0]
        crowded = first.queued() >= CROWD_STEPS
        return (self._writers[hash(append.table) % len(self._writers)] if crowded else first).write(append)

    async def records(self, table: str, after: int = 0) -> Sequence[Stored]:
        return await self._ask(queries.records, table, after)

    async def news(self, known: Mapping[str, int]) -> dict[str, list[Stored]]:
        return await self._ask(queries.news, known)

    async def secrets(self, table: str, names: Sequence[str] | None = None) -> dict[str, bytes]:
        return await self._ask(queries.secrets, table, names)

    async def forget_secrets(self, table: str, names: Sequence[str]) -> None:
        await self._ask(queries.forget_secrets, table, names)

    async def snapshot(self, table: str) -> bytes | None:
        return await self._ask(queries.snapshot, table)

    async def save_snapshot(self, table: str, snapshot: bytes) -> None:
        hold_snapshot(table, snapshot)
        await self._ask(queries.save_snapshot, table, snapshot)

    async def table(self, table: str) -> TableRow | None:
        return await self._ask(queries.table_row, table)

    async def tables(
        self, prefix: str = "", only_open: bool = True, most: int = 1000, only_listed: bool = False
    ) -> Sequence[TableRow]:
        return await self._ask(queries.table_rows, prefix, only_open, most, only_listed)

    async def due(self, now_ms: int, most: int = 100) -> Sequence[TableRow]:
        return await self._ask(queries.due, now_ms, most)

    async def answer(self, table: str, command_id: str) -> Repeated | None:
        return await self._ask(queries.answer, table, command_id)

    async def balance(self, account: str) -> int:
        return await self._ask(queries.balance, account)

    async def ledger(self, account: str, most: int = 100) -> Sequence[LedgerLine]:
        return await self._ask(queries.ledger, account, most)

    async def total(self) -> int:
        return await self._ask(queries.total)

    async def save_person(self, person: Person) -> None:
        hold_person(person)
        await self._ask(queries.save_person, person)

    async def person(self, person: str) -> Person | None:
        return await self._ask(queries.person, person)

    async def person_by_token(self, token_hash: bytes) -> Person | None:
        return await self._ask(queries.person_by_token, token_hash)

    async def check(self) -> Sequence[str]:
        """Every broken promise. It uses its own connection, because it reads everything."""
        self._hold_open()
        await self._ready()
        with translated(self._address):
            return await integrity.findings(self._address, SealCheck())

    def changes(self) -> AsyncIterator[Written | Said]:
        return listen(self._address, self._node, self._closing)

    async def tell(self, message: str) -> None:
        hold_message(message)
        await self._ask(queries.notify, channel(self._address), said(self._node, message))

    async def close(self) -> None:
        """Finishes what is queued, then lets go."""
        self._closing.set()
        for writer in self._writers:
            await writer.close()
        if self._readers is not None:
            with suppress(TimeoutError, *FAILED):
                async with asyncio.timeout(CLOSE_SECONDS_MAX):
                    await self._readers.close()
            self._readers.terminate()

    async def _ready(self) -> asyncpg.Pool:
        """The reading connections. The first caller brings the schema up to date."""
        if self._readers is None:
            async with self._opening:
                if self._readers is None:
                    await migrate(self._address, self._create)
                    self._readers = await connect_readers(self._address)
        return self._readers

    async def _ask(self, question: Question[Asked, Answer], *args: Asked.args, **kwargs: Asked.kwargs) -> Answer:
        """The answer. A connection that turns out to be stale is replaced once, so only for idempotent questions."""
        self._hold_open()
        readers = await self._ready()
        try:
            try:
                return await self._ask_once(readers, question, *args, **kwargs)
            except TimeoutError:
                raise
            except GONE:
                await readers.expire_connections()
                return await self._ask_once(readers, question, *args, **kwargs)
        except FAILED as error:
            self._hold_open()
            raise meaning(error, self._address) from error

    async def _ask_once(
        self, readers: asyncpg.Pool, question: Question[Asked, Answer], *args: Asked.args, **kwargs: Asked.kwargs
    ) -> Answer:
        async with readers.acquire(timeout=ANSWER_SECONDS_MAX) as connection:
            return await question(connection, *args, **kwargs)

    def _hold_open(self) -> None:
        if self._closing.is_set():
            raise fault("STORE_CLOSED", place=self._address.place)

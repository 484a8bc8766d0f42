"""The task that writes: group commit into PostgreSQL, one transaction of a writer at a time.

Whatever happens to the connection, every caller learns the outcome of its step.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final

import asyncpg
from asyncpg import exceptions as errors

from croupier.store.decision import Outcome
from croupier.store.faults import fault
from croupier.store.group_commit import Counters, GroupWriter, Job, batch_of, failed, resolve
from croupier.store.port import Append, StoreError
from croupier.store.postgres.address import Address
from croupier.store.postgres.batch import Outrun, write_appends
from croupier.store.postgres.changes import channel
from croupier.store.postgres.database import GONE, claim_part, connect, meaning

TRIES_MAX: Final = 5
"""How often a batch is tried when other nodes interfere."""
DOUBT_SECONDS_MAX: Final = 10.0
"""How long to look for the outcome of a commit whose answer was lost."""
RETRY_SECONDS: Final = 0.1

_WRITTEN: Final = """
SELECT EXISTS (
  SELECT FROM record WHERE table_id = (SELECT id FROM game_table WHERE name = $1)
    AND version = $2 AND record = $3 AND xmin = $4::text::xid8::xid
)
"""


class Writer(GroupWriter[Append]):
    """The queue, and the task that empties it."""

    def __init__(self, address: Address, node: str, ready: Callable[[], Awaitable[object]], counters: Counters) -> None:
        """`ready` returns when the schema is up to date."""
        self._jobs: deque[Job[Append]] = deque()
        super().__init__(address.place, counters, self._jobs.__len__, self._enqueue)
        self._address = address
        self._node = node
        self._ready = ready
        self._connection: asyncpg.Connection | None = None
        self._part = 0
        """The part of every account that this node writes."""
        self._task: asyncio.Task[None] | None = None

    def _enqueue(self, job: Job[Append]) -> None:
        self._jobs.append(job)
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Finish the queue and close the connection."""
        self._closed = True
        if self._task is not None:
            await asyncio.wait([self._task])
        self._drop()

    async def _run(self) -> None:
        batch: list[Job[Append]] = []
        try:
            while self._jobs:
                batch = batch_of(self._jobs.popleft(), lambda: self._jobs.popleft() if self._jobs else None)
                await self._commit(batch)
                resolve(batch)
        except BaseException:
            # Only the shutdown of the loop, or a bug, leads here: nobody may be left waiting.
            self._drop()
            for job in (*batch, *self._jobs):
                if not job.future.done():
                    job.future.set_exception(fault("STORE_CLOSED", place=self._address.place))
            self._jobs.clear()
            raise
        finally:
            self._task = None

    async def _commit(self, batch: Sequence[Job[Append]]) -> None:
        """Decide, write and commit. Afterwards every job has its outcome."""
        began = time.perf_counter()
        try:
            outcomes = await self._try_again_and_again([job.work for job in batch])
        except Exception as error:
            cause = error
            failed(batch, cause, lambda: meaning(cause, self._address))
        else:
            for job, outcome in zip(batch, outcomes, strict=True):
                job.outcome = outcome
        self.counters.count(len(batch), began)

    async def _try_again_and_again(self, appends: Sequence[Append]) -> list[Outcome]:
        """Repeat a batch if another node was quicker, and once if its connection was stale."""
        reconnected = False
        for _ in range(TRIES_MAX):
            connection = await self._connected()
            try:
                return await self._try(connection, appends)
            except (Outrun, errors.DeadlockDetectedError, errors.SerializationError, errors.UniqueViolationError):
                pass
            except GONE:
                if reconnected:
                    raise
                reconnected = True
            self.counters.retries += 1
        raise fault("STORE_LOCKED", place=self._address.place)

    async def _try(self, connection: asyncpg.Connection, appends: Sequence[Append]) -> list[Outcome]:
        try:
            if not connection.is_in_transaction():
                await connection.execute("BEGIN")
            outcomes, number = await write_appends(connection, appends, channel(self._address), self._node, self._part)
            if number is None:
                await connection.execute("ROLLBACK")
                return outcomes
        except (Outrun, asyncpg.PostgresError):
            await self._roll_back(connection)
            raise
        except BaseException:
            self._drop()
            raise
        try:
            # If more steps wait already, the next transaction begins with the same message.
            await connection.execute("COMMIT AND CHAIN" if self._jobs else "COMMIT")
        except BaseException as error:
            self._drop()
            written = next(append for append, outcome in zip(appends, outcomes, strict=True) if outcome is None)
            if isinstance(error, Exception) and await self._was_committed(number, written):
                return outcomes
            raise
        return outcomes

    async def _roll_back(self, connection: asyncpg.Connection) -> None:
        try:
            await connection.execute("ROLLBACK")
        except (*GONE, asyncpg.PostgresError):
            self._drop()

    async def _was_committed(self, number: str, written: Append) -> bool:
        """Whether a transaction whose commit got no answer was committed: a step that it wrote shows it. Raises
        `StoreError` if that cannot be known. The number alone is not enough: a crashed database forgets numbers that
        never reached the disk, and assigns them again. So an ended transaction is looked up by its row.
        """
        self.counters.doubts += 1
        until = time.monotonic() + DOUBT_SECONDS_MAX
        while time.monotonic() < until:
            with suppress(StoreError, *GONE):
                connection = await self._connected()
                if not await _is_in_progress(connection, number):
                    found = await connection.fetchval(_WRITTEN, written.table, written.version, written.record, number)
                    return bool(found)
            await asyncio.sleep(RETRY_SECONDS)
        raise fault("STORE_UNKNOWN", place=self._address.place)

    async def _connected(self) -> asyncpg.Connection:
        if self._connection is None or self._connection.is_closed():
            await self._ready()
            self._connection = await connect(self._address)
            self._part = await claim_part(self._connection, self._address)
        return self._connection

    def _drop(self) -> None:
        """End the connection at once: the database then drops everything uncommitted."""
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None


async def _is_in_progress(connection: asyncpg.Connection, number: str) -> bool:
    try:
        return bool(await connection.fetchval("SELECT pg_xact_status($1::text::xid8) = 'in progress'", number))
    except errors.InvalidParameterValueError:
        # A number not yet assigned since the database crashed: its transaction is gone.
        return False

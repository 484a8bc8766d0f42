"""Group commit: one transaction of a writer runs at a time, and all that was asked for meanwhile goes into the next.

Nobody waits for a timer: alone, a step is committed at once; in a crowd, hundreds share the round trips and the wait
for the disk. Whatever becomes of the connection, whoever asked learns what became of the step.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final

import asyncpg
import msgspec
from asyncpg import exceptions as errors

from croupier.store.faults import fault
from croupier.store.limits import hold_append
from croupier.store.port import Append, Repeated, Stale, StoreError
from croupier.store.postgres.address import Address
from croupier.store.postgres.batch import STEPS_MAX, Outcome, Outrun, write_appends
from croupier.store.postgres.changes import channel
from croupier.store.postgres.opening import GONE, claim_part, connect, meaning

JOBS_QUEUED_MAX: Final = 10_000
"""Who comes after that many waits outside the queue."""
QUEUE_FULL_SECONDS: Final = 0.01
"""How long it is before they look again."""
BATCH_JOBS_MAX: Final = STEPS_MAX
BATCH_BYTES_MAX: Final = 32 * 1024 * 1024
TRIES_MAX: Final = 5
"""How often a batch is tried when other nodes get in its way."""
DOUBT_SECONDS_MAX: Final = 10.0
"""How long we try to learn what became of a commit whose answer was lost."""
RETRY_SECONDS: Final = 0.1

_WRITTEN: Final = """
SELECT EXISTS (
  SELECT FROM record WHERE table_id = (SELECT id FROM game_table WHERE name = $1)
    AND version = $2 AND record = $3 AND xmin = $4::text::xid8::xid
)
"""


class Counters(msgspec.Struct):
    """What the writer did since it was started."""

    commits: int = 0
    jobs: int = 0
    commit_seconds: float = 0.0
    """All the time spent in transactions, waiting for the disk included."""
    failures: int = 0
    """Batches that failed and kept nothing."""
    retries: int = 0
    """Batches begun again, because of another node or a lost connection."""
    doubts: int = 0
    """Commits whose answer was lost, and looked for."""


class _Job:
    """A step to write, and who waits for it."""

    __slots__ = ("append", "future")

    def __init__(self, append: Append, future: asyncio.Future[Stale | Repeated | None]) -> None:
        self.append = append
        self.future = future

    @property
    def length_bytes(self) -> int:
        append = self.append
        return len(append.record) + len(append.answer) + len(append.listing or b"")


class Writer:
    """The queue, and the task that empties it while there is something in it."""

    def __init__(self, address: Address, node: str, ready: Callable[[], Awaitable[object]], counters: Counters) -> None:
        """`ready` returns when the schema is up to date."""
        self.counters = counters
        self._address = address
        self._node = node
        self._ready = ready
        self._connection: asyncpg.Connection | None = None
        self._part = 0
        """Which part of every account this node writes."""
        self._jobs: deque[_Job] = deque()
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many steps wait for the next transaction."""
        return len(self._jobs)

    def write(self, append: Append) -> Awaitable[Stale | Repeated | None]:
        """Done when it is durable. Whoever waits for it costs a future, and no task."""
        if len(self._jobs) >= JOBS_QUEUED_MAX:
            return self._write_later(append)
        job = _Job(append, asyncio.get_running_loop().create_future())
        try:
            if self._closed:
                raise fault("STORE_CLOSED", place=self._address.place)
            hold_append(append)
        except (StoreError, ValueError) as error:
            job.future.set_exception(error)
            return job.future
        self._jobs.append(job)
        if self._task is None:
            self._task = asyncio.create_task(self._run())
        return job.future

    async def _write_later(self, append: Append) -> Stale | Repeated | None:
        while len(self._jobs) >= JOBS_QUEUED_MAX:
            await asyncio.sleep(QUEUE_FULL_SECONDS)
        return await self.write(append)

    async def close(self) -> None:
        """Finishes what is queued and closes the connection."""
        self._closed = True
        if self._task is not None:
            await asyncio.wait([self._task])
        self._drop()

    async def _run(self) -> None:
        batch: list[_Job] = []
        try:
            while self._jobs:
                batch = self._next_batch()
                _tell(batch, await self._commit([job.append for job in batch]))
        except BaseException:
            # Only a loop that is shut down, or a bug, comes here: nobody may be left waiting.
            self._drop()
            for job in (*batch, *self._jobs):
                if not job.future.done():
                    job.future.set_exception(fault("STORE_CLOSED", place=self._address.place))
            self._jobs.clear()
            raise
        finally:
            self._task = None

    def _next_batch(self) -> list[_Job]:
        batch: list[_Job] = []
        length_bytes = 0
        while self._jobs and len(batch) < BATCH_JOBS_MAX and length_bytes <= BATCH_BYTES_MAX:
            job = self._jobs.popleft()
            batch.append(job)
            length_bytes += job.length_bytes
        return batch

    async def _commit(self, appends: Sequence[Append]) -> Sequence[Outcome | StoreError]:
        """Decides, writes and commits; what became of each step."""
        began = time.perf_counter()
        outcomes: Sequence[Outcome | StoreError]
        try:
            outcomes = await self._try_again_and_again(appends)
        except Exception as error:
            self.counters.failures += 1
            outcomes = [self._failure(error) for _ in appends]
        self.counters.commits += 1
        self.counters.jobs += len(appends)
        self.counters.commit_seconds += time.perf_counter() - began
        return outcomes

    def _failure(self, error: Exception) -> StoreError:
        told = meaning(error, self._address)
        told.__cause__ = error
        return told

    async def _try_again_and_again(self, appends: Sequence[Append]) -> list[Outcome]:
        """A batch that was outrun by another node begins again, and so does one whose connection was stale, once."""
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
            # Where others wait already, the next transaction begins with the same message.
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
        """What became of the transaction whose commit got no answer, by a step that it wrote; a `StoreError` when it
        cannot be known.

        The number alone does not tell: a database that crashes forgets numbers of which nothing came to the disk, and
        gives them to others. So what has ended is looked for by its row.
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
        """Ends the connection at once: the database then keeps nothing of what was not committed."""
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None


async def _is_in_progress(connection: asyncpg.Connection, number: str) -> bool:
    try:
        return bool(await connection.fetchval("SELECT pg_xact_status($1::text::xid8) = 'in progress'", number))
    except errors.InvalidParameterValueError:
        # A number that the database has not given out since it crashed: whatever had it before is gone.
        return False


def _tell(batch: Sequence[_Job], outcomes: Sequence[Outcome | StoreError]) -> None:
    for job, outcome in zip(batch, outcomes, strict=True):
        if job.future.done():
            continue
        if isinstance(outcome, Exception):
            job.future.set_exception(outcome)
        else:
            job.future.set_result(outcome)

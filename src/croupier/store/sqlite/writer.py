"""Group commit: one thread writes, and all that was asked for while it wrote the last commit goes into the next.

Nobody waits for a timer: alone, a step is committed at once; in a crowd, hundreds share the one wait for the disk.
"""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

import msgspec

from croupier.store.faults import fault
from croupier.store.limits import hold_append
from croupier.store.port import Append, Repeated, Stale, StoreError
from croupier.store.sqlite.batch import Known, LookCloser, Outcome, write_appends
from croupier.store.sqlite.opening import meaning

JOBS_QUEUED_MAX: Final = 10_000
"""Who comes after that many waits outside the queue."""
QUEUE_FULL_SECONDS: Final = 0.01
"""How long it is before they look again."""
BATCH_JOBS_MAX: Final = 1_000
BATCH_BYTES_MAX: Final = 32 * 1024 * 1024

Change = Callable[[sqlite3.Connection], None]
"""A write that is no step of a table. It raises `ValueError` before it writes anything, or not at all."""


class Counters(msgspec.Struct):
    """What the writer did since it was started."""

    commits: int = 0
    jobs: int = 0
    commit_seconds: float = 0.0
    """All the time spent in transactions, waiting for the disk included."""
    failures: int = 0
    """Transactions that failed and kept nothing."""


class _Job:
    """Something to write, and who waits for it."""

    __slots__ = ("future", "outcome", "work")

    def __init__(self, work: Append | Change, future: asyncio.Future[Stale | Repeated | None]) -> None:
        self.work = work
        self.future = future
        self.outcome: Outcome | StoreError = None

    @property
    def length_bytes(self) -> int:
        return len(self.work.record) + len(self.work.answer) if isinstance(self.work, Append) else 0


class Writer:
    """The one thread that writes, with its connection and its queue."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.counters = Counters()
        self._connection = connection
        self._known = Known()
        self._path = path
        self._file = _identity(path)
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=f"writer of {path.name}", daemon=True)
        self._thread.start()

    def write(self, work: Append | Change) -> Awaitable[Stale | Repeated | None]:
        """Done when it is durable. Whoever waits for it costs a future, and no task."""
        if self._jobs.qsize() >= JOBS_QUEUED_MAX:
            return self._write_later(work)
        job = _Job(work, asyncio.get_running_loop().create_future())
        try:
            if self._closed:
                raise fault("STORE_CLOSED", place=self._path)
            if isinstance(work, Append):
                hold_append(work)
        except (StoreError, ValueError) as error:
            job.future.set_exception(error)
        else:
            self._jobs.put(job)
        return job.future

    async def _write_later(self, work: Append | Change) -> Stale | Repeated | None:
        while self._jobs.qsize() >= JOBS_QUEUED_MAX:
            await asyncio.sleep(QUEUE_FULL_SECONDS)
        return await self.write(work)

    async def close(self) -> None:
        """Finishes what is queued and closes the connection."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        going_on = True
        while going_on:
            batch, going_on = self._next_batch()
            if batch:
                self._commit(batch)
                _tell(batch)
        self._connection.close()

    def _next_batch(self) -> tuple[list[_Job], bool]:
        """Waits for work, then takes all there is, up to a bound; False when nothing will come after it."""
        batch: list[_Job] = []
        length_bytes = 0
        job = self._jobs.get()
        while job is not None:
            batch.append(job)
            length_bytes += job.length_bytes
            if len(batch) == BATCH_JOBS_MAX or length_bytes > BATCH_BYTES_MAX:
                return batch, True
            try:
                job = self._jobs.get_nowait()
            except Empty:
                return batch, True
        return batch, False

    def _commit(self, batch: list[_Job]) -> None:
        """Decides, writes and commits; afterwards every job has its outcome."""
        began = time.perf_counter()
        try:
            self._hold_file()
            self._connection.execute("BEGIN IMMEDIATE")
            self._write(batch)
            self._connection.execute("COMMIT")
        except Exception as error:
            self._fail(batch, error)
        self.counters.commits += 1
        self.counters.jobs += len(batch)
        self.counters.commit_seconds += time.perf_counter() - began

    def _write(self, batch: Sequence[_Job]) -> None:
        outcomes = iter(self._write_appends([work for job in batch if isinstance(work := job.work, Append)]))
        for job in batch:
            if isinstance(job.work, Append):
                job.outcome = next(outcomes)
            else:
                try:
                    job.work(self._connection)
                except ValueError as error:
                    job.outcome = error

    def _write_appends(self, appends: Sequence[Append]) -> list[Outcome]:
        """The first thing in the transaction, so that it can begin again."""
        try:
            return write_appends(self._connection, appends, self._known, closely=False) if appends else []
        except LookCloser:
            self._known.forget()
            self._connection.execute("ROLLBACK")
            self._connection.execute("BEGIN IMMEDIATE")
            return write_appends(self._connection, appends, self._known, closely=True)

    def _fail(self, batch: Sequence[_Job], error: Exception) -> None:
        """Keeps nothing of the batch, and tells everybody why. The next batch starts afresh: it may well succeed."""
        self.counters.failures += 1
        self._known.forget()
        if self._connection.in_transaction:
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
        for job in batch:
            job.outcome = meaning(error, self._path)
            job.outcome.__cause__ = error

    def _hold_file(self) -> None:
        """A deleted or replaced file would take our commits with it: SQLite does not notice, so we look."""
        try:
            same = _identity(self._path) == self._file
        except OSError:
            same = False
        if not same:
            raise fault("STORE_GONE", place=self._path)


def _identity(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino


def _tell(batch: Sequence[_Job]) -> None:
    """Wakes all who wait, with one call a loop: there is one, unless the store is shared between threads."""
    loops: dict[asyncio.AbstractEventLoop, list[_Job]] = {}
    for job in batch:
        loops.setdefault(job.future.get_loop(), []).append(job)
    for loop, jobs in loops.items():
        # A loop that was closed has nobody waiting in it.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_resolve, jobs)


def _resolve(jobs: Sequence[_Job]) -> None:
    for job in jobs:
        if job.future.done():
            continue
        if isinstance(job.outcome, Exception):
            job.future.set_exception(job.outcome)
        else:
            job.future.set_result(job.outcome)

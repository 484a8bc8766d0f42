"""The thread that writes: group commit into a file of SQLite."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TypeAlias

from croupier.store.decision import Outcome
from croupier.store.faults import fault
from croupier.store.group_commit import Counters, GroupWriter, Job, batch_of, failed, resolve
from croupier.store.port import Append
from croupier.store.sqlite.batch import Known, LookCloser, write_appends
from croupier.store.sqlite.database import meaning

Change = Callable[[sqlite3.Connection], None]
"""A write that is no step of a table. It raises `ValueError` before it writes anything, or not at all."""


_Job: TypeAlias = Job[Append | Change]


class Writer(GroupWriter[Append | Change]):
    """The one thread that writes, with its connection and its queue."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        super().__init__(path, Counters(), self._jobs.qsize, self._jobs.put)
        self._connection = connection
        self._known = Known()
        self._path = path
        self._file = _identity(path)
        self._thread = threading.Thread(target=self._run, name=f"writer of {path.name}", daemon=True)
        self._thread.start()

    async def close(self) -> None:
        """Finish the queue and close the connection."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        while (first := self._jobs.get()) is not None:
            batch = batch_of(first, self._following)
            self._commit(batch)
            _tell(batch)
        self._connection.close()

    def _following(self) -> _Job | None:
        """The next waiting job; None if there is none."""
        try:
            job = self._jobs.get_nowait()
        except Empty:
            return None
        if job is None:
            # The end of the queue, for the next batch to find.
            self._jobs.put(None)
        return job

    def _commit(self, batch: list[_Job]) -> None:
        """Decide, write and commit. Afterwards every job has its outcome."""
        began = time.perf_counter()
        try:
            self._hold_file()
            self._connection.execute("BEGIN IMMEDIATE")
            self._write(batch)
            self._connection.execute("COMMIT")
        except Exception as error:
            self._fail(batch, error)
        self.counters.count(len(batch), began)

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
        """Write the batch's steps, first in the transaction, so that it can start over."""
        try:
            return write_appends(self._connection, appends, self._known, closely=False) if appends else []
        except LookCloser:
            self._known.forget()
            self._connection.execute("ROLLBACK")
            self._connection.execute("BEGIN IMMEDIATE")
            return write_appends(self._connection, appends, self._known, closely=True)

    def _fail(self, batch: Sequence[_Job], error: Exception) -> None:
        """Roll the batch back, and tell every caller why. The next batch may well succeed."""
        self._known.forget()
        if self._connection.in_transaction:
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
        failed(batch, error, lambda: meaning(error, self._path))

    def _hold_file(self) -> None:
        """Raise if the file was deleted or replaced: commits would be lost, and SQLite does not notice."""
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
    """Wake all waiting callers with one call per loop: there is one, unless threads share the store."""
    loops: dict[asyncio.AbstractEventLoop, list[_Job]] = {}
    for job in batch:
        loops.setdefault(job.future.get_loop(), []).append(job)
    for loop, jobs in loops.items():
        # A loop that was closed has nobody waiting in it.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(resolve, jobs)

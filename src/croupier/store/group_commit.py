"""Group commit: all steps that arrive during one transaction go into the next.

No step waits for a timer. A single step is committed at once; in a crowd, hundreds share one wait for the disk.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Generic, TypeVar

import msgspec

from croupier.store.decision import Outcome
from croupier.store.faults import fault
from croupier.store.limits import hold_append
from croupier.store.port import Append, Repeated, Stale, StoreError

JOBS_QUEUED_MAX: Final = 10_000
"""How many jobs the queue holds. Further ones wait outside it."""
QUEUE_FULL_SECONDS: Final = 0.01
"""How long a job outside the queue waits before it tries again."""
BATCH_JOBS_MAX: Final = 1_000
"""At most as many as PostgreSQL has numbers in a block of steps."""
BATCH_BYTES_MAX: Final = 32 * 1024 * 1024

Work = TypeVar("Work")


class Counters(msgspec.Struct):
    """The work of a store's writers since their start."""

    commits: int = 0
    jobs: int = 0
    commit_seconds: float = 0.0
    """All the time spent in transactions, including the wait for the disk."""
    retries: int = 0
    """Batches that were repeated because of another node or a lost connection."""
    doubts: int = 0
    """Commits whose answer was lost and had to be looked up."""

    def count(self, jobs: int, began: float) -> None:
        """Count one transaction that began at this `time.perf_counter`."""
        self.commits += 1
        self.jobs += jobs
        self.commit_seconds += time.perf_counter() - began


class Job(Generic[Work]):
    """Something to write, its caller's future, and finally its outcome."""

    __slots__ = ("future", "outcome", "work")

    def __init__(self, work: Work, future: asyncio.Future[Stale | Repeated | None]) -> None:
        self.work = work
        self.future = future
        self.outcome: Outcome | StoreError = None

    @property
    def length_bytes(self) -> int:
        work = self.work
        return len(work.record) + len(work.answer) + len(work.listing or b"") if isinstance(work, Append) else 0


class GroupWriter(Generic[Work]):
    """Base of writers: a subclass has the queue and commits its batches."""

    def __init__(
        self, place: object, counters: Counters, queued: Callable[[], int], put: Callable[[Job[Work]], None]
    ) -> None:
        self.counters = counters
        self.queued = queued
        """How many jobs wait for the next transaction."""
        self._put = put
        self._place = place
        self._closed = False

    def write(self, work: Work) -> Awaitable[Stale | Repeated | None]:
        """A future that is done when the work is durable. Waiting for it needs no task."""
        if self.queued() >= JOBS_QUEUED_MAX:
            return self._write_later(work)
        job = Job(work, asyncio.get_running_loop().create_future())
        try:
            if self._closed:
                raise fault("STORE_CLOSED", place=self._place)
            if isinstance(work, Append):
                hold_append(work)
        except (StoreError, ValueError) as error:
            job.future.set_exception(error)
        else:
            self._put(job)
        return job.future

    async def _write_later(self, work: Work) -> Stale | Repeated | None:
        while self.queued() >= JOBS_QUEUED_MAX:
            await asyncio.sleep(QUEUE_FULL_SECONDS)
        return await self.write(work)


def batch_of(first: Job[Work], following: Callable[[], Job[Work] | None]) -> list[Job[Work]]:
    """The first job and the ones that follow it in the queue, up to the bounds of a batch."""
    batch = [first]
    length_bytes = first.length_bytes
    while len(batch) < BATCH_JOBS_MAX and length_bytes <= BATCH_BYTES_MAX:
        job = following()
        if job is None:
            break
        batch.append(job)
        length_bytes += job.length_bytes
    return batch


def failed(batch: Sequence[Job[Work]], error: Exception, meaning: Callable[[], StoreError]) -> None:
    """Give every job of a batch its own error as its outcome."""
    for job in batch:
        job.outcome = meaning()
        job.outcome.__cause__ = error


def resolve(batch: Sequence[Job[Work]]) -> None:
    """Tell every caller the outcome of its job, in the callers' loop. Cancelled callers are skipped."""
    for job in batch:
        if job.future.done():
            continue
        if isinstance(job.outcome, Exception):
            job.future.set_exception(job.outcome)
        else:
            job.future.set_result(job.outcome)

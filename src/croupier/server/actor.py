"""The actor of a table: one queue, one consumer. Rooms, casino sessions and the classroom each have one."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from croupier.server.replays import BusyError
from croupier.store.port import StoreError

T = TypeVar("T")

_log = logging.getLogger("croupier")


class Actor:
    """Runs the jobs of one table one at a time, in the order of their arrival. A job begins with a call and ends when
    it calls `end`. Nearly all jobs are decided at once and then wait only for the store, so a job needs no task. `run`
    gives one to a job that awaits more.
    """

    __slots__ = ("_beginning", "_busy", "_expected", "_most", "_task", "_waiting")

    def __init__(self, most: int, expected: tuple[type[Exception], ...] = (StoreError,)) -> None:
        """`most` is how many jobs may wait. `expected` are the exceptions that are not the server's fault."""
        self._most = most
        self._expected = expected
        # A list, because nearly always it is empty, and there are many tables: an empty deque takes 760 bytes.
        self._waiting: list[Callable[[], None]] = []
        self._busy = False
        self._beginning = False
        self._task: asyncio.Task[None] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a job is under way."""
        return self._busy

    @property
    def waiting(self) -> int:
        """How many jobs wait for their turn."""
        return len(self._waiting)

    @property
    def is_full(self) -> bool:
        """Whether too many jobs wait for one more."""
        return len(self._waiting) >= self._most

    def give(self, begin: Callable[[], None]) -> None:
        """Begin a job: at once, or when those before it have ended. It must call `end` once."""
        self._waiting.append(begin)
        if not self._busy:
            self._next()

    def end(self) -> None:
        """End the job, and begin the next one."""
        self._busy = False
        if not self._beginning:
            self._next()

    def _next(self) -> None:
        # A job may end before its call returns. Then this loop begins the next one, so calls do not nest.
        while self._waiting and not self._busy:
            self._busy = self._beginning = True
            try:
                self._waiting.pop(0)()
            finally:
                self._beginning = False

    def work(self, job: Callable[[], Awaitable[None]]) -> None:
        """Continue the present job in a task. The job ends with it, unless it is cancelled."""

        async def done() -> None:
            await job()
            self._task = None
            self.end()

        self._task = asyncio.create_task(done())

    async def run(self, job: Callable[[], Awaitable[T]]) -> T:
        """The outcome of a job that awaits. A caller who stops waiting does not undo it. Raises BusyError if too many
        jobs wait."""
        if self.is_full:
            raise BusyError
        outcome: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        async def answer() -> None:
            try:
                made = await job()
            except Exception as error:
                if not outcome.done():
                    outcome.set_exception(error)
                elif isinstance(error, self._expected):
                    _log.warning("a job failed when nobody waited for it any more: %s", error)
                else:
                    _log.exception("a job failed when nobody waited for it any more")
            else:
                if not outcome.done():
                    outcome.set_result(made)

        self.give(lambda: self.work(answer))
        return await outcome

    async def drain(self) -> None:
        """Wait until every job that was given has ended."""
        drained: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def end() -> None:
            drained.set_result(None)
            self.end()

        self.give(end)
        await drained

    async def cancel(self) -> None:
        """Cancel the present job, and begin no other."""
        self._busy = True
        self._waiting.clear()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

"""Work on whole logs, in a bounded number of threads, so that no table waits for it."""

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Final, TypeVar

T = TypeVar("T")

LONG_COMMANDS: Final = 2000
"""A replay of this many commands or more is long. Long ones take turns, and no short one waits for them."""
SHORT_AT_ONCE: Final = 2
WAITING_MAX: Final = 1000
LONG_WAITING_MAX: Final = 32
"""How many may wait for a turn; further ones are refused."""
WORK_SECONDS: Final = 0.001
REST_SECONDS: Final = 0.0002
"""How long a replaying thread pauses, regularly, so that the event loop gets its turn."""
SWITCH_SECONDS: Final = 0.001
"""The interpreter's switch interval. A command needs several turns; with Python's default of 5 ms each, players would
wait too long."""


class BusyError(Exception):
    """Too many replays are waiting already."""


class StoppedError(Exception):
    """The server stops."""


def drained(held: list[Sequence[T]]) -> Iterator[T]:
    """The items of the sequence in the list, each freed after use. Freeing a million records at once blocks the event
    loop for a good part of a second, on whichever thread it happens. So the reader of a whole log hands it over and
    keeps no other reference to it.
    """
    items = list(held.pop())
    items.reverse()
    while items:
        yield items.pop()


class Lane:
    """Some threads, and the queue of those waiting for one."""

    def __init__(self, name: str, threads: int, waiting_max: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._turns = asyncio.Semaphore(threads)
        self._waiting_max = waiting_max
        self._stopped = False
        self.waiting = 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn. Raises BusyError if too many are waiting."""
        if self.waiting >= self._waiting_max:
            raise BusyError
        self.waiting += 1
        try:
            await self._turns.acquire()
        finally:
            self.waiting -= 1
        try:
            yield
        finally:
            self._turns.release()

    async def work(self, function: Callable[[], T]) -> T:
        """Call the function on a thread. The caller must have a turn."""
        sys.setswitchinterval(SWITCH_SECONDS)
        return await asyncio.get_running_loop().run_in_executor(self._pool, function)

    def paced(self, items: Iterable[T]) -> Iterator[T]:
        """The items, with pauses in between. Raises StoppedError when the server stops."""
        rested = time.perf_counter()
        for item in items:
            yield item
            if time.perf_counter() - rested > WORK_SECONDS:
                if self._stopped:
                    raise StoppedError
                time.sleep(REST_SECONDS)
                rested = time.perf_counter()

    def close(self) -> None:
        self._stopped = True
        self._pool.shutdown(wait=False, cancel_futures=True)


class Replays:
    """The lanes: for opening rooms, for long logs, and for downloads."""

    def __init__(self) -> None:
        self.short = Lane("opening", SHORT_AT_ONCE, WAITING_MAX)
        self.long = Lane("replaying", 1, LONG_WAITING_MAX)
        self.downloads = Lane("downloading", 1, LONG_WAITING_MAX)

    @property
    def waiting(self) -> int:
        """How many wait for a turn."""
        return self.short.waiting + self.long.waiting + self.downloads.waiting

    def of_length(self, commands: int) -> Lane:
        """The lane for a replay of this number of commands."""
        return self.long if commands >= LONG_COMMANDS else self.short

    def close(self) -> None:
        for lane in (self.short, self.long, self.downloads):
            lane.close()

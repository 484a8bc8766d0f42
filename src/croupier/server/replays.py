"""Work on whole logs, in a bounded number of threads, so that no table waits for it."""

import asyncio
import time
from collections import Counter
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
DOWNLOADS_OF_CALLER_MAX: Final = 16
LONG_DOWNLOADS_OF_CALLER_MAX: Final = 2
"""How many downloads one address may wait for at once, in general and from long logs."""
PICTURES_OF_CALLER_MAX: Final = 4
"""How many QR codes one address may wait for at once."""
WORK_SECONDS: Final = 0.001
REST_SECONDS: Final = 0.0002
"""How long a replaying thread pauses, regularly, so that the event loop gets its turn."""


class BusyError(Exception):
    """Too many replays are waiting already."""


class StoppedError(Exception):
    """The server stops, or nobody waits for the outcome any more."""


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

    def __init__(self, name: str, threads: int, waiting_max: int, of_caller_max: int | None = None) -> None:
        """`of_caller_max` is how many turns one caller may have or wait for, so that nobody takes them all."""
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._turns = asyncio.Semaphore(threads)
        self._waiting_max = waiting_max
        self._of_caller_max = of_caller_max
        self._callers: Counter[str] = Counter()
        self.is_stopped = False
        self.waiting = 0

    @asynccontextmanager
    async def turn(self, caller: str = "") -> AsyncIterator["Turn"]:
        """Wait for a turn. Raises BusyError if too many are waiting, in all or of this caller."""
        most = self._of_caller_max
        if self.waiting >= self._waiting_max or (most is not None and self._callers[caller] >= most):
            raise BusyError
        self._callers[caller] += 1
        try:
            await self._acquire()
            turn = Turn(self)
            try:
                yield turn
            finally:
                turn.is_over = True
                self._turns.release()
        finally:
            self._callers[caller] -= 1
            if not self._callers[caller]:
                del self._callers[caller]

    async def _acquire(self) -> None:
        self.waiting += 1
        try:
            await self._turns.acquire()
        finally:
            self.waiting -= 1

    def close(self) -> None:
        self.is_stopped = True
        self.pool.shutdown(wait=False, cancel_futures=True)


class Turn:
    """A turn on a lane. When it is over, because its work is done or nobody waits for it any more, the work stops."""

    def __init__(self, lane: Lane) -> None:
        self._lane = lane
        self.is_over = False

    async def work(self, function: Callable[[], T]) -> T:
        """Call the function on a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._lane.pool, function)

    def paced(self, items: Iterable[T]) -> Iterator[T]:
        """The items, with pauses in between. Raises StoppedError when the turn is over, or the server stops."""
        rested = time.perf_counter()
        for item in items:
            yield item
            if time.perf_counter() - rested > WORK_SECONDS:
                if self.is_over or self._lane.is_stopped:
                    raise StoppedError
                time.sleep(REST_SECONDS)
                rested = time.perf_counter()


class Replays:
    """The lanes: for opening rooms and for downloads, and for each of these with long logs; and one for pictures."""

    def __init__(self) -> None:
        self._short = Lane("opening", SHORT_AT_ONCE, WAITING_MAX)
        self.long = Lane("replaying", 1, LONG_WAITING_MAX)
        self._downloads = Lane("downloading", 1, LONG_WAITING_MAX, DOWNLOADS_OF_CALLER_MAX)
        self._long_downloads = Lane("downloading long logs", 1, LONG_WAITING_MAX, LONG_DOWNLOADS_OF_CALLER_MAX)
        self.pictures = Lane("drawing", 1, LONG_WAITING_MAX, PICTURES_OF_CALLER_MAX)
        self._lanes = self._short, self.long, self._downloads, self._long_downloads, self.pictures

    @property
    def waiting(self) -> int:
        """How many wait for a turn."""
        return sum(lane.waiting for lane in self._lanes)

    def of_length(self, commands: int) -> Lane:
        """The lane for a replay of this number of commands."""
        return self.long if commands >= LONG_COMMANDS else self._short

    def of_download(self, commands: int) -> Lane:
        """The lane for a download from a log of this length."""
        return self._long_downloads if commands >= LONG_COMMANDS else self._downloads

    def close(self) -> None:
        for lane in self._lanes:
            lane.close()

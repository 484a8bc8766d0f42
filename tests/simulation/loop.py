"""An event loop without a world behind it: time jumps to the next timer, and a seed decides what runs first.

Everything that runs belongs to a place: a process of a server, or of a client. When a place dies nothing of it runs any
more, not even what a cancelled task would still do: that is what a crash is.
"""

import asyncio
import heapq
from collections.abc import Callable
from contextvars import Context, ContextVar, copy_context
from random import Random
from typing import Any, Final

STEPS_MAX: Final = 200_000
"""So many callbacks are no scenario any more, but something that goes round in a circle."""


class Place:
    """A process: what was begun in it, ends with it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.dead = False
        self.context: Context = copy_context()
        self.context.run(_PLACE.set, self)

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Calls something as this place would, unless it is dead."""
        return None if self.dead else self.context.copy().run(function, *arguments)


_PLACE: ContextVar[Place] = ContextVar("place")


def here() -> str:
    """The name of the place that the running code belongs to."""
    place = _PLACE.get(None)
    return "world" if place is None else place.name


class StuckError(Exception):
    """Nothing will ever happen again, or something happens for ever."""


class SimulatedLoop(asyncio.BaseEventLoop):
    """asyncio's own loop with the clock, the waiting and the order of callbacks taken out of its hands.

    Callbacks that are ready at the same time run in an order drawn from the seed. No real input or output is possible,
    and what would run in a thread runs at once, between two other callbacks.
    """

    def __init__(self, random: Random) -> None:
        super().__init__()
        self._now = 0.0
        self._steps = 0
        self._chance = random.random
        self._ready: list[asyncio.Handle] = []  # type: ignore[assignment]  # a list can be taken from anywhere
        self._scheduled: list[asyncio.TimerHandle] = []

    def time(self) -> float:
        return self._now

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        done = self.create_future()

        def work() -> None:
            try:
                result = func(*args)
            except Exception as error:
                done.set_exception(error)
            else:
                done.set_result(result)

        self.call_soon(work)
        return done

    def _run_once(self) -> None:
        ready, scheduled = self._ready, self._scheduled
        while scheduled and scheduled[0]._cancelled:
            heapq.heappop(scheduled)._scheduled = False
        if not ready:
            if not scheduled:
                raise StuckError("nothing is ready, and no timer runs")
            self._now = max(self._now, scheduled[0]._when)
        while scheduled and scheduled[0]._when <= self._now:
            handle = heapq.heappop(scheduled)
            handle._scheduled = False
            ready.append(handle)
        self._steps += 1
        if self._steps > STEPS_MAX:
            raise StuckError(f"{STEPS_MAX} callbacks have run, at {self._now:.3f} s")
        chosen = int(self._chance() * len(ready))
        ready[chosen], ready[-1] = ready[-1], ready[chosen]
        handle = ready.pop()
        if not handle._cancelled:
            place = handle._context.get(_PLACE)
            if place is None or not place.dead:
                handle._run()

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Cancelled timers are dropped when their time comes."""

    def _process_events(self, event_list: list[Any]) -> None:
        raise AssertionError("a simulated loop has no input")

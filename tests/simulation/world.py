"""What one seed is: chance in streams, the loop, the trace, and the list of broken promises."""

import asyncio
from collections.abc import Callable
from contextvars import Context
from random import Random
from typing import Any, Final

from tests.simulation.loop import Place, SimulatedLoop, here

EPOCH_MS: Final = 1_700_000_000_000
BROKEN_MAX: Final = 20


class World:
    """One history. Whatever is left to chance in it is drawn from a stream with a name, made from the seed."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.loop = SimulatedLoop(self.stream("order"))
        self.loop.set_exception_handler(self._on_loop_error)
        self.outside = Context()
        """Where the network, the database and fate live: it never dies."""
        self.trace: list[tuple[float, str, str]] = []
        self.broken: list[tuple[str, str]] = []
        """Which invariant was broken, and how."""
        self.over = False
        """The last check is made: what is cleared away now is no part of the history."""
        self.calm = False
        """From the moment when nothing goes wrong any more."""

    def stream(self, name: str) -> Random:
        return Random(f"{self.seed}:{name}")

    @property
    def now(self) -> float:
        return self.loop.time()

    def later(self, seconds: float, call: Callable[..., Any], *arguments: Any) -> asyncio.TimerHandle:
        """Calls something from outside of all places."""
        return self.loop.call_later(seconds, call, *arguments, context=self.outside)

    def note(self, text: str, who: str = "") -> None:
        """Adds a line to the trace."""
        if not self.over:
            self.trace.append((self.loop.time(), who or here(), text))

    def breaks(self, invariant: str, how: str) -> None:
        """An invariant is broken: the seed has failed."""
        if len(self.broken) < BROKEN_MAX:
            self.note(f"BROKEN {invariant}: {how}", "check")
            self.broken.append((invariant, how))

    def place(self, name: str) -> Place:
        return self.outside.copy().run(Place, name)

    def lines(self) -> list[str]:
        return [f"{at:9.3f}  {who:<10} {text}" for at, who, text in self.trace]

    def _on_loop_error(self, _: object, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if error is not None and not isinstance(error, asyncio.CancelledError) and "never" not in context["message"]:
            self.breaks("no callback fails", f"{context['message']}: {error!r}")

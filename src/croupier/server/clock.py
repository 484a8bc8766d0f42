"""The time of day for deadlines: the system's time, but never going back."""

import time
from collections.abc import Callable


def _wall_ms() -> int:
    return time.time_ns() // 1_000_000


def _steady_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class ForwardClock:
    """Milliseconds since 1970. When the system's clock is set back, this one goes on at its pace, so that no turn waits
    longer. When the system's clock is set forward, this one follows."""

    def __init__(self, wall_ms: Callable[[], int] = _wall_ms, steady_ms: Callable[[], int] = _steady_ms) -> None:
        self._wall_ms, self._steady_ms = wall_ms, steady_ms
        self._ahead_ms = wall_ms() - steady_ms()

    def __call__(self) -> int:
        steady_ms = self._steady_ms()
        self._ahead_ms = max(self._ahead_ms, self._wall_ms() - steady_ms)
        return steady_ms + self._ahead_ms

    def saw(self, at_ms: int) -> None:
        """Note that something was stored at this time: after a restart, the clock continues from it at the earliest."""
        self._ahead_ms = max(self._ahead_ms, at_ms - self._steady_ms())

"""A room that nobody is connected to: it stops at once, and sleeps after a moment."""

import asyncio
from collections.abc import Callable
from typing import Final

from croupier.server.services import Services
from croupier.table.room import Room

EMPTY_SECONDS: Final = 2.0
"""How long an empty room waits before it sleeps: a player who reloads the page is back sooner."""
KEPT_SECONDS: Final = 60.0
"""How long a room that cannot be put to sleep is kept in memory."""


class Vacancy:
    """How long nobody has been connected, and what is due then."""

    def __init__(
        self, services: Services, since_ms: int, sleep: Callable[[int], None], close: Callable[[], None]
    ) -> None:
        """`since_ms` is when the room was last known to go on. `sleep` is told since when it has been empty."""
        self._services = services
        self._since_ms: int | None = since_ms
        self._since = services.monotonic()
        self._sleep, self._close = sleep, close
        self._alarm: asyncio.TimerHandle | None = None

    @property
    def is_over_long(self) -> bool:
        """Whether the room has been empty for so long that it should have been asleep."""
        return self._since_ms is not None and self._services.monotonic() - self._since > KEPT_SECONDS

    def look_at(self, room: Room, *, is_empty: bool) -> None:
        """Note who is connected, and set the alarm."""
        if not is_empty:
            self._since_ms = None
            if self._alarm is not None:
                self.cancel()
            return
        if self._since_ms is None:
            self._since_ms, self._since = self._services.clock_ms(), self._services.monotonic()
        if self._alarm is not None:
            return
        if room.asleep_at_ms is None:
            self._alarm = self._services.later(EMPTY_SECONDS, self._ring)
        elif (close_at_ms := self._services.close_at_ms(room)) is not None:
            self._alarm = self._services.later((close_at_ms - self._services.clock_ms()) / 1000, self._ring_close)

    def cancel(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _ring(self) -> None:
        self._alarm = None
        if self._since_ms is not None:
            self._sleep(self._since_ms)

    def _ring_close(self) -> None:
        self._alarm = None
        if self._since_ms is not None:
            self._close()

"""The alarms of a room in service: at its deadline, and when its bots have thought long enough."""

import asyncio
from collections.abc import Callable
from typing import Final

from croupier.server.services import Services

BUSY_RETRY_SECONDS: Final = 0.05


class RoomAlarms:
    """Calls `ring` at the deadline and `nudge` for the bots.

    An alarm that rings too early is set again then: most deadlines are postponed long before they come.
    """

    def __init__(self, services: Services, ring: Callable[[], None], nudge: Callable[[], None]) -> None:
        self._services, self._ring, self._nudge = services, ring, nudge
        self._deadline: asyncio.TimerHandle | None = None
        self._deadline_ms = 0
        self._bots: asyncio.TimerHandle | None = None

    def set(self, deadline_ms: int | None, standby_seconds: float, *, bots: bool) -> None:
        """Set both again. Without a deadline, or bots to move, there is no such alarm."""
        if self._deadline is not None and (deadline_ms is None or deadline_ms < self._deadline_ms):
            self._deadline.cancel()
            self._deadline = None
        if self._deadline is None and deadline_ms is not None:
            seconds = (deadline_ms - self._services.clock_ms()) / 1000
            self._ring_in(seconds + standby_seconds, deadline_ms)
        if self._bots is not None:
            self._bots.cancel()
            self._bots = None
        if bots:
            self._bots = self._services.later(self._services.bot_delay_seconds + standby_seconds, self._nudge)

    def ring_again(self, deadline_ms: int) -> None:
        """Ring a little later: the room is too busy now."""
        self._ring_in(BUSY_RETRY_SECONDS, deadline_ms)

    def nudge_again(self) -> None:
        """Nudge the bots a little later."""
        self._bots = self._services.later(BUSY_RETRY_SECONDS, self._nudge)

    def close(self) -> None:
        """Ring no more."""
        for alarm in (self._deadline, self._bots):
            if alarm is not None:
                alarm.cancel()

    def _ring_in(self, seconds: float, deadline_ms: int) -> None:
        self._deadline_ms = deadline_ms
        self._deadline = self._services.later(seconds, self._rings)

    def _rings(self) -> None:
        self._deadline = None
        self._ring()

"""Whether the store answers. A node that has lost it cannot serve its people, but another node may."""

import asyncio
from collections.abc import Callable
from typing import Final

from croupier.server.services import Services, log
from croupier.store.port import StoreError

ASK_SECONDS: Final = 0.5
SILENT_SECONDS_MAX: Final = 2.0
"""Longer than a restart of the database takes, and shorter than a network failure lasts."""


class StoreWatchdog:
    """Asks the store regularly. `lost` is called if it has not answered for too long."""

    def __init__(self, services: Services, lost: Callable[[], None]) -> None:
        self._services = services
        self._lost = lost
        self.is_store_silent = False

    async def watch(self) -> None:
        heard_at = self._services.monotonic()
        while True:
            await asyncio.sleep(ASK_SECONDS)
            # Wait to the end: cancelling in the middle of an answer would cost the connection.
            asking = asyncio.create_task(self._store_answers())
            while not asking.done():
                await asyncio.wait((asking,), timeout=ASK_SECONDS)
                self._judge(heard_at)
            if asking.result():
                heard_at = self._services.monotonic()
                self.is_store_silent = False
            else:
                self._judge(heard_at)

    async def _store_answers(self) -> bool:
        try:
            await self._services.store.news({})
        except StoreError:
            return False
        return True

    def _judge(self, heard_at: float) -> None:
        if not self.is_store_silent and self._services.monotonic() - heard_at > SILENT_SECONDS_MAX:
            self.is_store_silent = True
            log.error("the store does not answer: this node sends its people to the others")
            self._lost()

"""Whether the server works: its store answers and keeps what is written."""

import asyncio
import hashlib
from collections.abc import Awaitable
from typing import Final

from croupier.server.services import Services, log
from croupier.store.port import Person, StoreError

SECONDS_MAX: Final = 2.0
KEPT_SECONDS: Final = 1.0
"""How long a successful write counts: anybody may ask, and each write costs the disk something."""
NAME: Final = "health"


class HealthCheck:
    """Writes one row to the store again and again: a person whose token nobody has."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._lock = asyncio.Lock()
        self._looked_at = float("-inf")
        self._ok = False

    async def ok(self) -> bool:
        if not await self._done(self._services.store.table(NAME)):
            return False
        async with self._lock:
            now = self._services.monotonic()
            if now - self._looked_at > KEPT_SECONDS:
                self._ok, self._looked_at = await self._look(), now
            return self._ok

    async def _look(self) -> bool:
        nobody = hashlib.sha256(self._services.secret()).digest()
        return await self._done(
            self._services.store.save_person(Person(NAME, NAME, nobody, "en", self._services.clock_ms()))
        )

    async def _done(self, asked: Awaitable[object]) -> bool:
        try:
            async with asyncio.timeout(SECONDS_MAX):
                await asked
        except (StoreError, TimeoutError) as error:
            log.error("not healthy: %s", str(error) or "the store does not answer")
            return False
        return True

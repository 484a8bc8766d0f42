"""Whether the server can work: its store answers, and keeps what is written."""

import asyncio
import hashlib
from collections.abc import Awaitable
from typing import Final

from croupier.server.services import House, log
from croupier.store.port import Person, StoreError

SECONDS_MAX: Final = 2.0
KEPT_SECONDS: Final = 1.0
"""How long a write counts: anybody may ask, and each costs the disk something."""
NAME: Final = "health"


class HealthCheck:
    """Writes to the store, over and over the same: a row for nobody, whose token nobody has."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._lock = asyncio.Lock()
        self._looked_at = float("-inf")
        self._ok = False

    async def ok(self) -> bool:
        if not await self._done(self._house.store.tables(most=1)):
            return False
        async with self._lock:
            now = self._house.monotonic()
            if now - self._looked_at > KEPT_SECONDS:
                self._ok, self._looked_at = await self._look(), now
            return self._ok

    async def _look(self) -> bool:
        nobody = hashlib.sha256(self._house.secret()).digest()
        return await self._done(self._house.store.save_person(Person(NAME, NAME, nobody, "en", self._house.clock_ms())))

    async def _done(self, asked: Awaitable[object]) -> bool:
        try:
            async with asyncio.timeout(SECONDS_MAX):
                await asked
        except (StoreError, TimeoutError) as error:
            log.error("not healthy: %s", str(error) or "the store does not answer")
            return False
        return True

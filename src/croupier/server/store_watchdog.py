"""Whether the store answers. A node that has lost it can do nothing for its people, but another one may."""

import asyncio
from collections.abc import Callable
from typing import Final

from croupier.server.services import House, log
from croupier.store.port import StoreError

ASK_SECONDS: Final = 0.5
SILENT_SECONDS_MAX: Final = 2.0
"""A restart of the database may take so long; a line that was cut lasts longer."""


class Lifeline:
    """Asks the store again and again. `lost` is called when it has not answered for too long."""

    def __init__(self, house: House, lost: Callable[[], None]) -> None:
        self._house = house
        self._lost = lost
        self.is_cut = False

    async def watch(self) -> None:
        heard_at = self._house.monotonic()
        while True:
            await asyncio.sleep(ASK_SECONDS)
            # It is waited for to the end: what is cancelled in the middle of an answer takes its connection with it.
            asking = asyncio.create_task(self._answers())
            while not asking.done():
                await asyncio.wait((asking,), timeout=ASK_SECONDS)
                self._judge(heard_at)
            if asking.result():
                heard_at = self._house.monotonic()
                self.is_cut = False
            else:
                self._judge(heard_at)

    async def _answers(self) -> bool:
        try:
            await self._house.store.news({})
        except StoreError:
            return False
        return True

    def _judge(self, heard_at: float) -> None:
        if not self.is_cut and self._house.monotonic() - heard_at > SILENT_SECONDS_MAX:
            self.is_cut = True
            log.error("the store does not answer: this node sends its people to the others")
            self._lost()

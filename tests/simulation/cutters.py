"""How people cut: the real client, whose owner now and then declines, dawdles, or looks away."""

import asyncio
from random import Random
from typing import Any, Final

from croupier.clients.connection import Client
from croupier.clients.room_handle import RoomHandle
from croupier.table.client_memory import CutWanted

DAWDLES_SECONDS_MAX: Final = 2.5
"""Some of these cuts come in time, some when the deal is void already."""
REFLEXES: Final = ("decline", "dawdle", "forget")


class Cutter(Client):
    """A client that does not cut every deal at once. `carelessness` is the chance that one is not cut as it should."""

    def __init__(self, *arguments: Any, random: Random, carelessness: float, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._random = random
        self._carelessness = carelessness
        self._considered: set[tuple[str, int]] = set()

    def cut(self, handle: RoomHandle, wanted: CutWanted) -> None:
        deal = handle.code, wanted.deal
        if deal in self._considered or self._random.random() >= self._carelessness:
            super().cut(handle, wanted)
            return
        self._considered.add(deal)
        match self._random.choice(REFLEXES):
            case "decline":
                handle.answered.add(wanted.deal)
                self._do(self._quietly(handle, lambda: handle.command("DEAL_DECLINE", deal=wanted.deal)))
            case "dawdle":
                self._do(self._cut_late(handle, wanted))
            case _:
                handle.answered.add(wanted.deal)

    async def _cut_late(self, handle: RoomHandle, wanted: CutWanted) -> None:
        await asyncio.sleep(self._random.random() * DAWDLES_SECONDS_MAX)
        if not handle.alarms:
            super().cut(handle, wanted)

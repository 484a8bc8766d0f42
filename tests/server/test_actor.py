"""One room in service, without connections: what it survives."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from croupier.server.house import House
from croupier.server.limits import Limits
from croupier.server.lobby import Lobby
from croupier.server.room import RoomActor
from croupier.store.memory import MemoryStore
from croupier.store.port import Person
from croupier.table.commands import PlayerReadySet, RoomCreate

ANN = Person("ann", "Ann", bytes(32), "en", 0)


@pytest.mark.parametrize(
    "wait",
    [
        lambda actor: actor.catch_up(),
        lambda actor: actor.submit("ann", "Ann", PlayerReadySet(ready=False)),
    ],
)
def test_a_room_goes_on_when_somebody_stops_waiting_for_it(wait: Callable[[RoomActor], Awaitable[Any]]) -> None:
    async def run() -> None:
        lobby = Lobby(House(MemoryStore()), Limits())
        actor = await lobby.create(ANN, RoomCreate("holdem"), "1")
        assert isinstance(actor, RoomActor)
        waiting = asyncio.ensure_future(wait(actor))
        await asyncio.sleep(0)
        waiting.cancel()
        async with asyncio.timeout(5):
            assert isinstance(await actor.submit("ann", "Ann", PlayerReadySet(ready=True)), int)

    asyncio.run(run())

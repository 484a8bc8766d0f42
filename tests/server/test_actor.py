"""One room in service, without connections: what it survives."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from croupier.game.refusal import Refusal
from croupier.server.limits import Limits
from croupier.server.lobby import Lobby
from croupier.server.origins import Whereabouts
from croupier.server.room import RoomActor
from croupier.server.services import House
from croupier.store.memory import MemoryStore
from croupier.store.port import Person
from croupier.table.commands import HostStartGame, PlayerReadySet, RoomCreate, RoomJoin

ANN = Person("ann", "Ann", bytes(32), "en", 0)


def test_what_one_node_refused_and_another_did_is_answered_as_done_by_both() -> None:
    async def run() -> None:
        store = MemoryStore()
        one, two = Lobby(House(store), Limits()), Lobby(House(store), Limits())
        here = await one.create(ANN, ANN.name, Whereabouts(""), RoomCreate("holdem"), "1")
        assert isinstance(here, RoomActor)
        there = await two.room(here.room.code)
        assert there is not None
        assert await here.submit("bob", "Bob", RoomJoin(), None, "2") == 2
        assert isinstance(await there.submit("ann", "Ann", HostStartGame(), None, "start"), Refusal)
        assert await here.submit("bob", "Bob", PlayerReadySet(ready=True), None, "3") == 3
        assert await here.submit("ann", "Ann", HostStartGame(), None, "start") == 4
        assert await there.submit("ann", "Ann", HostStartGame(), None, "start") == 4

    asyncio.run(run())


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
        actor = await lobby.create(ANN, ANN.name, Whereabouts(""), RoomCreate("holdem"), "1")
        assert isinstance(actor, RoomActor)
        waiting = asyncio.ensure_future(wait(actor))
        await asyncio.sleep(0)
        waiting.cancel()
        async with asyncio.timeout(5):
            assert isinstance(await actor.submit("ann", "Ann", PlayerReadySet(ready=True)), int)

    asyncio.run(run())

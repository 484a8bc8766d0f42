"""A player who comes back at another node: every node knows it before it fixes a deal."""

import asyncio

import pytest

from croupier.server import connected
from croupier.server.room import RoomActor, table_name
from croupier.server.services import Services
from croupier.store.memory import MemoryStore
from croupier.store.port import Append
from croupier.table import commands as c
from croupier.table.log import START
from croupier.wire.log import read_entry, write_entry
from tests.table.test_room import Play, started


class Listener:
    place = None

    def __init__(self, person: str) -> None:
        self.person = person
        self.frames: list[bytes] = []

    def send(self, frame: bytes) -> None:
        self.frames.append(frame)


class Served:
    """A room that two nodes serve, which tell each other nothing: each knows what the store has, and its own people."""

    def __init__(self, play: Play, *, shares_store: bool) -> None:
        self.store = MemoryStore()
        self.seconds = 0.0
        self._play = play
        self.first, self.second = (
            RoomActor(
                play.room,
                Services(self.store, monotonic=lambda: self.seconds, shares_store=lambda: shares_store),
                START,
            )
            for _ in range(2)
        )

    async def begin(self) -> None:
        for version, logged in enumerate(self._play.log, start=1):
            record = write_entry(logged)
            table = table_name(self._play.room.code)
            step = Append(table=table, version=version, record=record, at_ms=logged.at_ms)
            assert await self.store.append(step) is None

    async def down_at_first(self) -> tuple[str, ...]:
        """Whose lines the first node holds to be down, as a command says that it decides now."""
        done = await self.first.submit("ann", "Ann", c.DealPromise("0" * 64))
        assert isinstance(done, int), done
        records = await self.store.records(table_name(self._play.room.code), done - 1)
        return read_entry(records[0].record, "sequence").down

    async def close(self) -> None:
        await self.first.close()
        await self.second.close()


@pytest.mark.parametrize("shares_store", [True, False])
def test_the_store_says_that_a_player_is_back_before_they_are_told_the_room(shares_store: bool) -> None:
    async def run() -> None:
        served = Served(started("sequence"), shares_store=shares_store)
        await served.begin()
        ann, bob = Listener("ann"), Listener("p1")
        await served.first.attach(ann)
        assert await served.down_at_first() == ("p1",)
        await served.second.catch_up()
        before = served.second.version
        await served.second.attach(bob)
        # Where nobody else can be on the store, nothing need be said.
        assert served.second.version == before + shares_store
        assert b'"version":%d,' % served.second.version in bob.frames[0]
        assert await served.down_at_first() == (() if shares_store else ("p1",))
        await served.close()

    asyncio.run(run())


def test_who_acted_at_another_node_counts_as_connected_for_a_moment_only() -> None:
    async def run() -> None:
        served = Served(started("sequence"), shares_store=True)
        await served.begin()
        await served.first.attach(Listener("ann"))
        await served.second.attach(Listener("p1"))
        assert await served.down_at_first() == ()
        served.seconds += connected.ACTED_SECONDS + 1
        assert await served.down_at_first() == ("p1",), "nobody has told the first node of its people"
        await served.close()

    asyncio.run(run())


def test_somebody_who_comes_back_again_and_again_does_not_use_up_the_round() -> None:
    async def run() -> None:
        served = Served(started("sequence"), shares_store=True)
        await served.begin()
        for _ in range(60):
            bob = Listener("p1")
            await served.first.attach(bob)
            served.first.detach(bob)
        assert isinstance(await served.first.submit("p1", "P1", c.DealPromise("1" * 64)), int)
        await served.close()

    asyncio.run(run())

"""Connections that were negotiated and not begun are bounded: for an address, in all, and in time."""

import asyncio
from contextlib import suppress
from random import Random

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from croupier.server.limits import Limits as ServerLimits
from croupier.server.signalr.limits import Limits
from croupier.server.signalr.negotiation import Negotiations
from tests.server.hub_room import asynchronous, served


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def negotiations(**bounds: int) -> tuple[Negotiations, Clock]:
    clock = Clock()
    return Negotiations(Limits(**bounds), clock), clock


def asked(table: Negotiations, address: str, count: int = 1) -> list[str]:
    """The tokens that an address gets."""
    return [table.give(address, with_token=True)[1] for _ in range(count)]


def test_a_token_is_good_once_and_for_fifteen_seconds() -> None:
    table, clock = negotiations()
    connection_id, token = table.give("home", with_token=True)
    assert connection_id != token
    assert table.take(connection_id) is None, "others know the id"
    assert table.take(token) == connection_id
    assert table.take(token) is None
    (kept,), clock.now = asked(table, "home"), 10.0
    (later,), clock.now = asked(table, "home"), 15.0
    assert table.take(kept) is None
    assert table.take(later) is not None
    assert len(table) == 0


def test_an_address_that_asks_for_too_many_loses_its_own_oldest_and_nobody_else_s() -> None:
    table, _ = negotiations(negotiated_per_address_max=3)
    (other,) = asked(table, "school")
    tokens = asked(table, "flood", 5)
    assert [token in table for token in tokens] == [False, False, True, True, True]
    assert other in table


def test_when_there_are_too_many_in_all_the_address_that_has_most_loses_its_oldest() -> None:
    table, _ = negotiations(negotiated_max=10, negotiated_per_address_max=8)
    school = asked(table, "school", 3)
    flood = asked(table, "flood", 7)
    newcomers = [token for number in range(4) for token in asked(table, f"home {number}")]
    assert all(token in table for token in (*school, *newcomers))
    assert [token in table for token in flood] == [False] * 4 + [True] * 3
    assert len(table) == 10


def test_nothing_is_kept_of_what_is_over() -> None:
    table, clock = negotiations(negotiated_max=50, negotiated_per_address_max=20)
    source, given = Random(7), list[str]()
    for _ in range(5000):
        clock.now += source.random()
        given += asked(table, f"address {source.randrange(30)}")
        if source.random() < 0.5:
            table.take(source.choice(given[-40:]))
        assert len(table) <= 50
    clock.now += 15.0
    assert given[-1] not in table
    assert (len(table), table._of_address) == (0, {})


@asynchronous
async def test_an_address_may_negotiate_only_so_often() -> None:
    few = ServerLimits(pages_burst=3, pages_per_second=0.01)
    async with served(room_limits=few) as room, httpx.AsyncClient() as http:
        answers = [await http.post(f"{room.url}/negotiate?negotiateVersion=1") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert "Too many requests" in answers[-1].json()["error"]


@asynchronous
async def test_one_address_cannot_take_every_place_of_the_hub() -> None:
    async with served(limits=Limits(connections_per_address_max=2)) as room:
        lines = [await connect(room.websocket_url) for _ in range(2)]
        with pytest.raises(InvalidStatus) as refused:
            await connect(room.websocket_url)
        assert refused.value.response.status_code == 503
        async with connect(room.websocket_url, local_addr=("127.0.0.2", 0)):
            pass
        await lines[0].close()
        async with asyncio.timeout(5):
            while True:
                with suppress(InvalidStatus):
                    await connect(room.websocket_url)
                    break

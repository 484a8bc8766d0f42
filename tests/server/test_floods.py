"""Floods: every frame counts, whatever it is, and one connection never has more than a few read in one turn."""

import asyncio
import contextlib
import json
from typing import Any, Final

import pytest
from msgspec.structs import replace
from websockets.asyncio.client import connect

from croupier.server import websocket
from croupier.server.connection import CLOSE_TOO_FAST, REQUESTS_WAITING_MAX, Connection
from croupier.server.limits import Limits
from tests.server.hub_room import asynchronous
from tests.server.live import FAST, Live, live
from tests.server.test_frames import BINARY, CONTINUED, PING, PONG, TEXT, Raw, frame, request

FEW: Final = Limits(messages_per_second=0.001, messages_burst=10, over_rate_closes_after=5)
"""The tenth frame is the last good one: the first was HELLO."""
FLOODS: Final = {
    "pings": frame(b"", PING),
    "pongs": frame(b"", PONG),
    "empty fragments": frame(b"", first=CONTINUED),
    "texts": frame(b"{}"),
    "binary": frame(b"", BINARY),
}


@pytest.mark.parametrize("kind", FLOODS)
@asynchronous
async def test_every_kind_of_frame_counts_against_the_rate(kind: str) -> None:
    async with live(limits=FEW) as server:
        client = await Raw.connect(server)
        if kind == "empty fragments":
            client.write(frame(b"", first=TEXT))
        client.write(200 * FLOODS[kind])
        assert await client.closes() == CLOSE_TOO_FAST


@asynchronous
async def test_a_flooded_hub_connection_is_cut() -> None:
    for flood in (frame(b"", PING), frame(), frame(b"", BINARY)):
        async with live(limits=FEW) as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(
                b"GET /hubs/blackjack HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
            )
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101")
            writer.write(frame(b'{"protocol":"json","version":1}\x1e') + 50 * flood)
            with contextlib.suppress(ConnectionError):
                async with asyncio.timeout(20):
                    await reader.read()
            writer.close()


class _Counting:
    """A reader that counts, and looks at how many came in one turn of the loop."""

    def __init__(self) -> None:
        self.came = self.turn = self.most = 0

    def _count(self) -> None:
        if not self.turn:
            asyncio.get_running_loop().call_soon(self._next_turn)
        self.came += 1
        self.turn += 1
        self.most = max(self.most, self.turn)

    def _next_turn(self) -> None:
        self.turn = 0

    def received(self, text: str | None) -> None:
        self._count()

    def counted(self) -> None:
        self._count()

    def drained(self) -> None: ...

    def lost(self) -> None: ...


async def _flood(server: Live, data: bytes) -> Raw:
    client = await Raw.connect(server)
    client.write(data)
    return client


@pytest.mark.parametrize("kind", FLOODS)
@asynchronous
async def test_one_connection_has_only_a_few_frames_read_in_one_turn(kind: str) -> None:
    async with live() as server:
        client = await Raw.connect(server)
        (connection,) = server.server.connections
        counting = _Counting()
        connection._socket._reader = counting
        if kind == "empty fragments":
            client.write(frame(b"", first=TEXT))
        client.write(5_000 * FLOODS[kind])
        async with asyncio.timeout(20):
            while counting.came < 5_000:
                await asyncio.sleep(0.01)
        assert counting.most <= websocket.FRAMES_A_TURN_MAX
        client.hang_up()


@asynchronous
async def test_requests_wait_with_the_system_while_one_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of requests that come at once are not cut into thousands of texts."""
    most = 0
    received = Connection.received

    def watched(self: Connection, text: str | None) -> None:
        nonlocal most
        received(self, text)
        most = max(most, len(self._waiting))

    monkeypatch.setattr(Connection, "received", watched)
    async with live() as server:
        client = await _flood(server, 2_000 * frame(request()))
        for _ in range(2_000):
            assert json.loads((await client.read()).body)["type"] == "ROOM_LISTING"
        client.hang_up()
    assert 1 < most <= REQUESTS_WAITING_MAX


@asynchronous
async def test_after_it_was_closed_nothing_of_a_connection_is_read_but_its_close() -> None:
    async with live(limits=FEW) as server:
        client = await Raw.connect(server)
        client.write(1_000 * frame(b"are you there", PING))
        pongs = [each for each in await client.rest() if each.opcode == PONG]
        assert len(pongs) <= FEW.messages_burst + FEW.over_rate_closes_after


@asynchronous
async def test_a_slow_message_in_parts_is_no_flood() -> None:
    limits = replace(FAST, messages_per_second=0.001, messages_burst=10)
    async with live(limits=limits) as server:
        client = await Raw.connect(server)
        text = request()
        client.write(frame(text[:9], first=TEXT) + frame(text[9:], CONTINUED))
        assert json.loads((await client.read()).body)["type"] == "ROOM_LISTING"
        client.hang_up()


async def _answers(server: Live, *frames: str) -> list[Any]:
    async with connect(server.url, compression=None) as socket:
        answers = []
        for each in frames:
            await socket.send(each)
            answers.append(json.loads(await socket.recv()))
        return answers


@asynchronous
async def test_what_is_refused_for_its_rate_says_which_request_it_was() -> None:
    async with live(limits=replace(FEW, messages_burst=1)) as server:
        named = '{"type":"ROOM_LIST","requestId":"mine"}'
        hello, refused, wrong, nameless, noise, binary = await _answers(
            server,
            '{"type":"HELLO","requestId":"0","nickname":"Ann"}',
            named,
            '{"requestId":"wrong","type":7}',
            '{"requestId":17}',
            "noise",
            named[:-1],
        )
        assert hello["type"] == "WELCOME"
        assert [each["code"] for each in (refused, wrong, nameless, noise, binary)] == 5 * ["RATE_LIMITED"]
        assert (refused["requestId"], wrong["requestId"]) == ("mine", "wrong")
        assert not any("requestId" in each for each in (nameless, noise, binary))


@asynchronous
async def test_a_frame_that_is_no_request_is_refused_by_its_name_if_it_has_one() -> None:
    async with live() as server:
        _, *refused = await _answers(
            server,
            '{"type":"HELLO","requestId":"0","nickname":"Ann"}',
            '{"requestId":"no type"}',
            '{"requestId":"odd type","type":[]}',
            '{"requestId":"unknown type","type":"NONSENSE"}',
            '{"requestId":"odd room","type":"ROOM_LEAVE","roomCode":7}',
            r'{"requestId":"half a letter","type":"CHAT_SEND","text":"\ud83d"}',
            r'{"requestId":"\ud83d","type":"ROOM_LIST"}',
        )
        named = ["no type", "odd type", "unknown type", "odd room", "half a letter", "?"]
        assert [each["requestId"] for each in refused] == named
        assert {each["code"] for each in refused} == {"BAD_MESSAGE"}

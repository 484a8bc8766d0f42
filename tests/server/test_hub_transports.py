"""Long polling and server-sent events on a real socket, message by message, as ASP.NET Core SignalR does them."""

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from croupier.server import classroom
from croupier.server.limits import Limits as ServerLimits
from croupier.server.signalr.limits import Limits
from croupier.server.signalr.transport import Posts
from tests.server.hub_room import KEY, PATIENCE_SECONDS, SEPARATOR, Client, Room, asynchronous, brisk, client, served
from tests.server.live import live

HANDSHAKE = {"protocol": "json", "version": 1}
EVENTS = {"accept": "text/event-stream"}


class Plain:
    """A client without WebSockets. Long polling reads by `poll`, server-sent events by `event`."""

    def __init__(self, room: Room, http: httpx.AsyncClient, token: str) -> None:
        self.room, self.http, self.token = room, http, token
        self.heard: list[dict[str, Any]] = []
        self._parts: AsyncIterator[bytes]
        self._rest = b""

    @property
    def url(self) -> str:
        return f"{self.room.url}?id={self.token}"

    async def post(self, *messages: object) -> httpx.Response:
        return await self.http.post(self.url, content="".join(json.dumps(each) + SEPARATOR for each in messages))

    async def poll(self) -> httpx.Response:
        answer = await self.http.get(self.url)
        self.heard += records(answer.text) if answer.status_code == 200 else []
        return answer

    async def begin(self) -> None:
        """Begins by long polling, up to the answer of the handshake."""
        first = await self.http.get(self.url)
        assert (first.status_code, first.text) == (200, ""), "the first poll begins the connection, and tells nothing"
        assert (await self.post(HANDSHAKE)).status_code == 200
        assert records((await self.http.get(self.url)).text) == [{}]

    async def until(self, holds: Any) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not holds():
                assert (await self.poll()).status_code == 200

    @contextlib.asynccontextmanager
    async def events(self) -> AsyncIterator[httpx.Response]:
        """Begins by server-sent events, up to the answer of the handshake."""
        async with self.http.stream("GET", self.url, headers=EVENTS) as answer:
            self._parts = answer.aiter_bytes()
            assert (await self.post(HANDSHAKE)).status_code == 200
            assert await self.event() == [{}]
            yield answer

    async def event(self) -> list[dict[str, Any]]:
        """The records of the next event with data; none at the end."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                while b"\r\n\r\n" not in self._rest:
                    part = await anext(self._parts, b"")
                    if not part:
                        return []
                    self._rest += part
                event, _, self._rest = self._rest.partition(b"\r\n\r\n")
                if event.startswith(b"data: "):
                    return records(event.removeprefix(b"data: ").decode())


def records(text: str) -> list[dict[str, Any]]:
    *complete, rest = text.split(SEPARATOR)
    assert rest == "", "every record is whole"
    return [json.loads(record) for record in complete]


def call(target: str, *arguments: object) -> dict[str, Any]:
    return {"type": 1, "invocationId": target, "target": target, "arguments": arguments}


async def token_of(room: Room, http: httpx.AsyncClient) -> str:
    token: str = (await http.post(f"{room.url}/negotiate?negotiateVersion=1")).json()["connectionToken"]
    return token


@contextlib.asynccontextmanager
async def plain(room: Room) -> AsyncIterator[Plain]:
    """A client that has negotiated."""
    async with httpx.AsyncClient(timeout=PATIENCE_SECONDS) as http:
        yield Plain(room, http, await token_of(room, http))


@contextlib.asynccontextmanager
async def polling(room: Room) -> AsyncIterator[Plain]:
    async with plain(room) as ann:
        await ann.begin()
        yield ann


async def gone(room: Room, name: str = "ann") -> None:
    """Waits until nobody of this name is at the table."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while any(player.name == name for player in room.table.view.players):
            await asyncio.sleep(0.01)


@asynchronous
async def test_a_poll_waits_for_something_to_tell_and_gets_all_that_waits() -> None:
    async with served() as room, polling(room) as ann:
        waiting = asyncio.create_task(ann.poll())
        await asyncio.sleep(0.05)
        assert not waiting.done()
        await ann.post(call("Join", "ann", None), call("Hit"))
        answer = await waiting
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert "no-store" in answer.headers["cache-control"]
        await ann.until(lambda: len(ann.heard) == 4)
        assert [record.get("target", record["type"]) for record in ann.heard] == ["OnStateChanged", 3, "OnError", 3]


@asynchronous
async def test_a_poll_without_news_is_answered_empty_and_the_connection_goes_on() -> None:
    async with served(limits=brisk(poll_seconds=0.2)) as room, polling(room) as ann:
        answer = await ann.poll()
        assert (answer.status_code, answer.text) == (200, "")
        await ann.post(call("Join", "ann", None))
        await ann.until(lambda: len(ann.heard) == 2)


@asynchronous
async def test_a_newer_poll_takes_the_place_of_an_older_one() -> None:
    async with served() as room, polling(room) as ann:
        older = asyncio.create_task(ann.poll())
        await asyncio.sleep(0.05)
        newer = asyncio.create_task(ann.poll())
        assert (await older).status_code == 204
        await ann.post(call("Join", "ann", None))
        assert (await newer).status_code == 200
        await ann.until(lambda: len(ann.heard) == 2)


@asynchronous
async def test_delete_ends_long_polling_and_is_a_leave() -> None:
    async with served() as room, polling(room) as ann:
        await ann.post(call("Join", "ann", None))
        await ann.until(lambda: len(ann.heard) == 2)
        waiting = asyncio.create_task(ann.poll())
        await asyncio.sleep(0.05)
        assert (await ann.http.delete(ann.url)).status_code == 202
        assert (await waiting).status_code == 204
        await gone(room)
        for answer in (await ann.poll(), await ann.post(call("Hit")), await ann.http.delete(ann.url)):
            assert answer.status_code == 404


@asynchronous
async def test_a_client_that_polls_no_more_is_gone_after_a_while_and_one_that_does_stays() -> None:
    async with served(limits=brisk(away_seconds=0.3, poll_seconds=0.1)) as room, polling(room) as ann:
        await ann.post(call("Join", "ann", None))
        for _ in range(8):
            assert (await ann.poll()).status_code == 200
        await gone(room)
        assert (await ann.poll()).status_code == 404


@asynchronous
async def test_a_poll_whose_client_gives_up_loses_nothing_that_comes_later() -> None:
    async with served() as room, polling(room) as ann:
        with pytest.raises(httpx.ReadTimeout):
            await ann.http.get(ann.url, timeout=0.1)
        await asyncio.sleep(0.05)
        await ann.post(call("Join", "ann", None))
        await ann.until(lambda: len(ann.heard) == 2)


@asynchronous
async def test_a_client_of_long_polling_neither_gets_nor_needs_pings() -> None:
    limits = brisk(keep_alive_seconds=0.05, client_timeout_seconds=0.1, poll_seconds=0.5)
    async with served(limits=limits) as room, polling(room) as ann:
        assert (await ann.poll()).text == ""
        await ann.post(call("Join", "ann", None))
        await ann.until(lambda: len(ann.heard) == 2)


@asynchronous
async def test_a_fault_comes_with_a_poll_and_the_next_poll_hears_of_the_end() -> None:
    async with served(limits=Limits(closing_seconds=1.0)) as room, polling(room) as ann:
        await ann.post({"type": "nonsense"})
        closing = records((await ann.http.get(ann.url)).text)
        assert closing[0]["type"] == 7
        assert "no hub message" in closing[0]["error"]
        assert (await ann.poll()).status_code == 204
        assert (await ann.poll()).status_code == 404


@asynchronous
async def test_an_event_stream_says_what_it_is_and_its_end_is_a_leave() -> None:
    async with served() as room, plain(room) as ann:
        async with ann.events() as answer:
            assert answer.headers["content-type"] == "text/event-stream"
            assert "no-store" in answer.headers["cache-control"]
            assert answer.headers["x-accel-buffering"] == "no"
            await ann.post(call("Join", "ann", None))
            told = await ann.event()
            told += await ann.event() if len(told) == 1 else []
            assert [record.get("target", record["type"]) for record in told] == ["OnStateChanged", 3]
        await gone(room)
        assert (await ann.post(call("Hit"))).status_code == 404


@asynchronous
async def test_an_event_stream_is_pinged_and_a_silent_client_is_told_to_come_back() -> None:
    limits = brisk(keep_alive_seconds=0.1, client_timeout_seconds=0.35)
    async with served(limits=limits) as room, plain(room) as ann, ann.events():
        assert await ann.event() == [{"type": 6}]
        told = await ann.event()
        while told == [{"type": 6}]:
            told = await ann.event()
        assert told[0]["allowReconnect"] is True
        assert await ann.event() == [], "the answer ends"


@asynchronous
async def test_requests_that_fit_no_connection_are_answered_with_the_status_that_says_so() -> None:
    async with served() as room, plain(room) as ann, polling(room) as bob, client(room) as cat:
        assert (await ann.http.get(room.url)).status_code == 400
        assert (await ann.http.post(room.url)).status_code == 400
        assert (await ann.http.head(ann.url)).status_code == 400
        for unknown in (await ann.http.get(f"{room.url}?id=x"), await ann.http.post(f"{room.url}?id=x")):
            assert unknown.status_code == 404
        assert (await ann.http.get(f"{room.url}?id=x", headers=EVENTS)).status_code == 404
        assert (await ann.post(HANDSHAKE)).status_code == 409, "nothing has begun"
        assert (await ann.http.delete(ann.url)).status_code == 409
        assert (await ann.http.put(ann.url)).status_code == 405
        assert (await bob.http.get(bob.url, headers=EVENTS)).status_code == 400, "a transport cannot be changed"
        async with ann.events():
            assert (await ann.http.get(ann.url, headers=EVENTS)).status_code == 409, "it is open already"
            assert (await ann.http.get(ann.url)).status_code == 400, "a transport cannot be changed"
            assert (await ann.http.delete(ann.url)).status_code == 400, "an event stream ends by itself"
        token = await token_of(room, bob.http)
        async with Client(room, f"?id={token}") as dan:
            await dan.shake_hands()
            assert (await bob.http.post(f"{room.url}?id={token}")).status_code == 405
        assert await cat.errors("Hit") == ["NOT_JOINED"]


@asynchronous
async def test_a_body_that_is_too_long_is_refused_and_ends_the_connection() -> None:
    async with served(limits=Limits(closing_seconds=1.0)) as room, polling(room) as ann:
        waiting = asyncio.create_task(ann.poll())
        answer = await ann.post(call("Join", "a" * 65_536, None))
        assert (answer.status_code, answer.headers["connection"]) == (413, "close")
        await waiting
        assert "65536 bytes" in ann.heard[0]["error"]


@contextlib.contextmanager
def half_sent(room: Room, token: str) -> Any:
    """A POST whose body does not come."""
    with socket.create_connection(("127.0.0.1", room.port)) as line:
        line.sendall(f"POST /hubs/blackjack?id={token} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{{".encode())
        line.setblocking(False)
        yield line


@asynchronous
async def test_a_body_that_does_not_come_in_time_is_refused() -> None:
    async with served(limits=brisk(body_seconds=0.1)) as room, polling(room) as ann:
        with half_sent(room, ann.token) as line:
            async with asyncio.timeout(PATIENCE_SECONDS):
                answer = await asyncio.get_running_loop().sock_recv(line, 1000)
        assert answer.startswith(b"HTTP/1.1 408")
        await ann.post(call("Join", "ann", None))
        await ann.until(lambda: len(ann.heard) == 2)


@asynchronous
async def test_a_client_may_have_only_some_posts_under_way() -> None:
    async with served(limits=Limits(posts_waiting_max=2)) as room, polling(room) as ann:
        with half_sent(room, ann.token), half_sent(room, ann.token):
            async with asyncio.timeout(PATIENCE_SECONDS):
                while (await ann.post({"type": 6})).status_code != 429:
                    await asyncio.sleep(0.01)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (await ann.post({"type": 6})).status_code != 200:
                await asyncio.sleep(0.01)


@asynchronous
async def test_a_post_waits_while_the_connection_has_enough_to_read_and_is_let_go_when_it_ends() -> None:
    posts = Posts(waiting_max=1)
    assert await posts.put(b"first")
    second, third = asyncio.create_task(posts.put(b"second")), asyncio.create_task(posts.put(b"third"))
    await asyncio.sleep(0.01)
    assert not second.done()
    assert await posts.get() == b"first"
    assert await second
    posts.end()
    assert not await third
    assert await posts.get() == b"second", "what was taken can still be read"


@asynchronous
async def test_a_client_that_reads_too_slowly_by_polls_is_dropped_and_nobody_waits_for_it() -> None:
    limits = Limits(messages_waiting_max=8, closing_seconds=0.2)
    async with served(limits=limits) as room, client(room) as reader, polling(room) as ann:
        await ann.post(call("Join", "ann", None))
        await ann.until(lambda: len(ann.heard) == 2)
        for number in range(12):
            await room.table.join(f"seat {number}", f"seat {number}")
        await gone(room)
        assert await reader.errors("Join", "reader", "") == []


@asynchronous
async def test_a_post_that_waits_is_answered_when_its_connection_is_dropped() -> None:
    limits = Limits(messages_waiting_max=8, posts_waiting_max=1, closing_seconds=0.2)
    async with served(limits=limits) as room, polling(room) as ann:
        held = asyncio.Event()
        room.store_waits_for = held
        dealer = call("Join", "ann", KEY)
        await room.table.join("bob", "bob")
        await ann.post(dealer, call("StartRound"), call("Leave"))
        posting = [asyncio.create_task(ann.post({"type": 6})) for _ in range(3)]
        await asyncio.sleep(0.1)
        await ann.http.delete(ann.url)
        answers = {answer.status_code for answer in await asyncio.gather(*posting)}
        assert answers <= {200, 404, 429}
        assert 404 in answers
        held.set()
        await gone(room)


@asynchronous
async def test_an_event_stream_that_nobody_reads_is_dropped_and_nobody_waits_for_it() -> None:
    limits = Limits(messages_waiting_max=32, closing_seconds=0.2)
    async with served(limits=limits) as room, client(room) as reader, httpx.AsyncClient() as http:
        ann = Plain(room, http, await token_of(room, http))
        with socket.socket() as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.connect(("127.0.0.1", room.port))
            line.sendall(
                f"GET /hubs/blackjack?id={ann.token} HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\n\r\n".encode()
            )
            async with asyncio.timeout(PATIENCE_SECONDS):
                while (await ann.post(HANDSHAKE, call("Join", "ann", None))).status_code != 200:
                    await asyncio.sleep(0.01)
                while not room.table.view.players:
                    await asyncio.sleep(0.01)
            for number in range(100):
                await room.table.join(f"seat {number}", "a name of 20 letters")
            told = 0
            while any(player.name == "ann" for player in room.table.view.players):
                assert told < 20_000, "the slow client still has its seat"
                await room.table.leave("seat 0")
                await room.table.join("seat 0", "a name of 20 letters")
                told += 2
                if told % 100 == 0:
                    await asyncio.sleep(0)
        assert await reader.errors("Join", "reader", "") == []


@pytest.mark.parametrize("body", ["", "{"])
@asynchronous
async def test_posts_that_complete_no_message_count_and_too_many_end_the_connection(body: str) -> None:
    few = ServerLimits(messages_per_second=0.01, messages_burst=6, address_share=20)
    async with served(room_limits=few, limits=Limits(closing_seconds=1.0)) as room, polling(room) as ann:
        waiting = asyncio.create_task(ann.poll())
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (await ann.http.post(ann.url, content=body)).status_code == 200:
                pass
        await waiting
        assert "Too many messages" in ann.heard[0]["error"]
        assert ann.heard[0]["allowReconnect"] is True


@asynchronous
async def test_frames_that_complete_no_message_count_too() -> None:
    few = ServerLimits(messages_per_second=0.01, messages_burst=6, address_share=20)
    async with served(room_limits=few) as room, client(room) as ann:
        for _ in range(10):
            await ann.websocket.send("")
        closing, code = await ann.ended()
        assert "Too many messages" in closing["error"]
        assert code == 1008


@asynchronous
async def test_polls_in_vain_count_and_too_many_end_the_connection() -> None:
    few = ServerLimits(messages_per_second=0.01, messages_burst=6, address_share=20)
    async with served(room_limits=few) as room, polling(room) as ann:
        answers = await asyncio.gather(*(ann.poll() for _ in range(12)))
        assert {answer.status_code for answer in answers} <= {200, 204, 404}
        assert any("Too many messages" in record.get("error", "") for record in ann.heard)


@asynchronous
async def test_a_page_of_an_allowed_origin_may_read_every_answer_and_no_other_page_may() -> None:
    page = "https://school.example"
    async with served() as room, plain(room) as ann:
        for answer in (
            await ann.http.get(ann.url, headers={"origin": page}),
            await ann.http.post(ann.url, headers={"origin": page}),
            await ann.http.get(ann.url, headers={"origin": page, **EVENTS}),
            await ann.http.options(ann.url, headers={"origin": page}),
        ):
            assert answer.status_code == 403
            assert "access-control-allow-origin" not in answer.headers
    async with (
        served(allows_origin=lambda connection: connection.headers.get("origin") in (None, page)) as room,
        polling(room) as ann,
    ):
        asked = await ann.http.options(ann.url, headers={"origin": page})
        assert asked.status_code == 204
        assert {"GET", "POST", "DELETE"} == set(asked.headers["access-control-allow-methods"].split(", "))
        assert "x-requested-with" in asked.headers["access-control-allow-headers"]
        ann.http.headers["origin"] = page
        for answer in (await ann.post(call("Join", "ann", "")), await ann.poll(), await ann.http.delete(ann.url)):
            assert answer.headers["access-control-allow-origin"] == page
            assert answer.headers["access-control-allow-credentials"] == "true"
        async with plain(room) as bob:
            bob.http.headers["origin"] = page
            async with bob.events() as answer:
                assert answer.headers["access-control-allow-origin"] == page


@asynchronous
async def test_connections_without_websockets_count_for_the_hub_and_for_their_address() -> None:
    async with served(limits=Limits(connections_max=1, closing_seconds=0.2)) as room, plain(room) as late:
        async with polling(room):
            assert (await late.http.get(late.url)).status_code == 503
            assert (await late.http.get(late.url, headers=EVENTS)).status_code == 503
        async with asyncio.timeout(PATIENCE_SECONDS):
            await room.hub.close()
        assert (await late.http.get(late.url)).status_code == 200
    two = ServerLimits(connections_per_address_max=2)
    async with served(room_limits=two) as room, plain(room) as late, polling(room), plain(room) as bob:
        async with bob.events():
            assert (await late.http.get(late.url)).status_code == 503
            assert (await late.http.get(late.url, headers=EVENTS)).status_code == 503
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (await late.http.get(late.url)).status_code != 200:
                await asyncio.sleep(0.01)


@asynchronous
async def test_the_table_has_only_so_many_places_for_hub_and_page_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classroom, "PLACES_MAX", 2)
    async with live() as server, client(server) as ann, server.client("Bob") as bob:
        await bob.request("CLASSROOM_WATCH")
        async with Client(server) as late:
            assert await late.shake_hands() == {}
            closing, code = await late.ended()
            assert "full" in closing["error"]
            assert code == 1013
        async with server.client("Cat") as cat:
            with pytest.raises(Exception, match="ROOM_FULL"):
                await cat.request("CLASSROOM_WATCH")
            await ann.websocket.close()
            async with asyncio.timeout(PATIENCE_SECONDS):
                while True:
                    with contextlib.suppress(Exception):
                        await cat.request("CLASSROOM_WATCH")
                        break
                    await asyncio.sleep(0.01)


@asynchronous
async def test_a_server_that_stops_tells_all_to_come_back() -> None:
    async with served(limits=Limits(closing_seconds=1.0)) as room, polling(room) as ann, plain(room) as bob:
        async with bob.events():
            waiting = asyncio.create_task(ann.poll())
            await asyncio.sleep(0.05)
            room.hub.stop()
            end = {"type": 7, "error": "The server is stopping.", "allowReconnect": True}
            await waiting
            assert ann.heard == await bob.event() == [end]
            assert await bob.event() == []
        assert (await ann.poll()).status_code == 204


@asynchronous
async def test_a_server_that_stops_does_not_wait_for_handshakes() -> None:
    async with served(limits=Limits(closing_seconds=0.2)) as room, plain(room) as ann:
        await ann.http.get(ann.url)
        async with asyncio.timeout(2):
            await room.hub.close()

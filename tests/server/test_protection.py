"""What a hostile or careless client can do to others: nothing. Over a limit there is a code, never a crash."""

import asyncio
import contextlib
import gc
import logging
import os
import weakref
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from croupier.clients.connection import RefusedError
from croupier.server.limits import ADDRESSES_KEPT_MAX, Addresses, Bucket, Limits, network
from croupier.store.memory import MemoryStore
from tests.server.hostile import Hostile, Victims, leaks
from tests.server.hub_room import asynchronous
from tests.server.live import FAST, Live, live, play

KEY = "the key"
"""The dealer's key of the live servers."""
GROWTH_BYTES_MAX = 40 * 1024 * 1024


def _memory_bytes() -> int:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def _attacked(
    frames: int, seed: int, caplog: pytest.LogCaptureFixture, pause_seconds: int = 0, workers: int = 0
) -> None:
    """Two people play on while a hostile client sends frames; nothing of it shows."""
    async with live(workers=workers) as server:
        ann, bob = [await server.client(name).__aenter__() for name in ("Ann", "Bob")]
        room = await ann.create("poker", preset="cash", options={"pauseSeconds": pause_seconds})
        rooms = [room, await bob.join(room.code)]
        await rooms[1].command("PLAYER_READY_SET", ready=True)
        await room.command("HOST_START_GAME")
        own = await bob.create("sequence")
        victims = Victims(room.code, (ann.player_id, bob.player_id), room.version, own.code)
        hostile = Hostile(server.url, Random(seed), victims)
        stop = asyncio.Event()
        players = [asyncio.create_task(_keep_playing(each, Random(n), stop)) for n, each in enumerate(rooms)]
        await hostile.attack(frames // 10)
        before, heard_before = _memory_bytes(), hostile.heard
        hostile.heard = []
        await hostile.attack(frames - frames // 10)
        heard = [*heard_before, *hostile.heard]
        hand = room.state["public"]["hand"]
        await room.wait(lambda r: r.state["public"]["hand"] > hand)
        stop.set()
        await asyncio.gather(*players)
        grown = _memory_bytes() - before - sum(map(len, hostile.heard))
        assert grown < GROWTH_BYTES_MAX, f"{grown} bytes more"
        assert not list(leaks(heard, [ann.token, bob.token, KEY]))
        assert {"BAD_MESSAGE", "NOT_WELCOMED", "ALREADY_WELCOMED", "BAD_TOKEN", "NOT_IN_ROOM"} <= set(hostile.codes)
        assert {"1007", "1009"} <= set(hostile.codes)
        assert all(each.checker.findings == [] for each in rooms)
        assert {member["id"] for member in room.state["public"]["members"]} == {ann.player_id, bob.player_id}
        for client in (ann, bob):
            await client.__aexit__(None, None, None)
    assert not [entry for entry in caplog.records if entry.name.startswith("croupier")], "the server stumbled"
    caplog.clear()


async def _keep_playing(room: Any, random: Random, stop: asyncio.Event) -> None:
    while not stop.is_set():
        with contextlib.suppress(TimeoutError):
            await play(room, random, lambda _: stop.is_set() or _broke(room))
        if _broke(room):
            with contextlib.suppress(RefusedError):
                await room.command("PLAYER_BUY_CHIPS", chips=1000)
            await asyncio.sleep(0.05)


def _broke(room: Any) -> bool:
    return not room.state["public"]["turn"]


@pytest.mark.parametrize("workers", [0, 1])
def test_a_game_goes_on_beside_700_malformed_frames(caplog: pytest.LogCaptureFixture, workers: int) -> None:
    caplog.set_level(logging.WARNING)
    asyncio.run(_attacked(700, 5, caplog, workers=workers))


@pytest.mark.soak
@pytest.mark.parametrize("workers", [0, 1])
def test_a_game_goes_on_beside_100000_malformed_frames(caplog: pytest.LogCaptureFixture, workers: int) -> None:
    caplog.set_level(logging.WARNING)
    asyncio.run(_attacked(100_000, 6, caplog, pause_seconds=2, workers=workers))


@contextlib.asynccontextmanager
async def _socket(server: Live, name: str = "Ann", **options: Any) -> AsyncIterator[ClientConnection]:
    """A bare connection, after its HELLO if it has a name."""
    async with connect(server.url, compression=None, ping_interval=None, **options) as socket:
        if name:
            await socket.send(f'{{"type":"HELLO","requestId":"0","nickname":"{name}"}}')
            assert '"WELCOME"' in str(await socket.recv())
        yield socket


async def _close_code(socket: ClientConnection) -> int | None:
    with contextlib.suppress(ConnectionClosed):
        async with asyncio.timeout(20):
            while True:
                await socket.recv()
    return socket.close_code


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (None, True),
        ("http://{host}", True),
        ("https://cards.example", True),
        ("https://cards.example.evil", False),
        ("http://127.0.0.1", False),
        ("null", False),
        ("http://[", False),
        ("", False),
    ],
)
@asynchronous
async def test_only_pages_of_this_host_or_a_listed_origin_connect(origin: str | None, allowed: bool) -> None:
    async with live(origins=("https://cards.example",)) as server:
        host = f"127.0.0.1:{server.port}"
        headers = {} if origin is None else {"Origin": origin.format(host=host)}
        for url in (server.url, f"ws://{host}/hubs/blackjack"):
            if allowed:
                async with connect(url, additional_headers=headers):
                    pass
            else:
                with pytest.raises(InvalidStatus) as refused:
                    await connect(url, additional_headers=headers).__aenter__()
                assert refused.value.response.status_code == 403


@asynchronous
async def test_frames_over_64_kib_close_the_connection() -> None:
    async with live() as server:
        async with _socket(server) as socket:
            await socket.send('{"type":"' + "x" * (64 * 1024 - 11) + '"}')
            assert "BAD_MESSAGE" in str(await socket.recv())
            await socket.send('{"type":"' + "x" * (64 * 1024 - 10) + '"}')
            assert await _close_code(socket) == 1009
        async with _socket(server) as socket:
            await socket.send(["x" * 50_000] * 4)
            assert await _close_code(socket) == 1009


@asynchronous
async def test_too_many_messages_are_refused_and_then_the_connection_is_closed() -> None:
    limits = Limits(messages_per_second=0.001, messages_burst=3, over_rate_closes_after=2)
    async with live(limits=limits) as server, _socket(server) as socket:
        answers = []
        for _ in range(4):
            await socket.send('{"type":"ROOM_LIST","requestId":"1"}')
            answers.append(str(await socket.recv()))
        assert ["RATE_LIMITED" in answer for answer in answers] == [False, False, True, True]
        await socket.send(b"binary frames count too")
        assert await _close_code(socket) == 4029


@asynchronous
async def test_an_address_may_send_no_more_than_some_of_its_connections() -> None:
    limits = Limits(messages_per_second=0.001, messages_burst=5, address_share=2)
    async with live(limits=limits) as server, contextlib.AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(_socket(server)) for _ in range(3)]
        answers = []
        for socket in sockets * 3:
            await socket.send('{"type":"ROOM_LIST","requestId":"1"}')
            answers.append("RATE_LIMITED" in str(await socket.recv()))
        assert answers.count(False) == 2 * 5 - 3, "three of the ten were HELLOs"


@asynchronous
async def test_rooms_are_bounded_in_all_of_a_person_and_of_an_address() -> None:
    for bound, code in (
        ("rooms_max", "TOO_MANY_ROOMS"),
        ("rooms_per_person_max", "TOO_MANY_ROOMS_OPENED"),
        ("rooms_per_address_max", "TOO_MANY_ROOMS_OPENED"),
    ):
        async with live(limits=replace(FAST, **{bound: 1})) as server, server.client("Ann") as ann:
            await ann.create("sequence")
            with pytest.raises(RefusedError, match=f"^{code}") as refused:
                await ann.create("sequence")
            assert refused.value.facts == {"high": 1}
            async with server.client("Bob") as bob:
                if bound == "rooms_per_person_max":
                    await bob.create("sequence")
                else:
                    with pytest.raises(RefusedError, match=f"^{code}"):
                        await bob.create("sequence")
    limits = replace(FAST, newcomers_burst=2, newcomers_per_second=0.001)
    async with live(limits=limits) as server, server.client("Ann") as ann:
        await ann.create("sequence")
        with pytest.raises(RefusedError, match="RATE_LIMITED"):
            await ann.create("sequence")


@asynchronous
async def test_rooms_in_memory_are_bounded_also_when_they_were_opened_long_ago() -> None:
    """A thousand rooms that were opened in an hour and left do not all come back to life for one client."""
    store, codes, token = MemoryStore(), [], ""
    for _ in range(3):
        async with live(store) as server, server.client("Ann", token=token) as ann:
            codes.append((await ann.create("sequence")).code)
            token = ann.token
    for bound, code in (("rooms_per_address_max", "TOO_MANY_ROOMS_OPENED"), ("rooms_max", "BUSY")):
        limits = replace(FAST, **{bound: 2})
        async with live(store, limits=limits) as server, server.client("", token=token) as ann:
            rooms = [await ann.watch(each) for each in codes[:2]]
            with pytest.raises(RefusedError, match=f"^{code}"):
                await ann.watch(codes[2])
            if bound == "rooms_per_address_max":
                await rooms[0].command("ROOM_LEAVE")
                await ann.watch(codes[2])
                codes.reverse()


@asynchronous
async def test_newcomers_of_one_address_are_bounded_but_everybody_may_come_back() -> None:
    async with live(limits=replace(FAST, newcomers_burst=1, newcomers_per_second=0.001)) as server:
        async with server.client("Ann") as ann:
            token = ann.token
        with pytest.raises(RefusedError, match="RATE_LIMITED"):
            await server.client("Bob").__aenter__()
        async with server.client("", token=token) as again:
            assert again.player_id == ann.player_id


@asynchronous
async def test_room_codes_cannot_be_guessed_in_bulk() -> None:
    limits = replace(FAST, guesses_burst=4, guesses_per_second=0.001)
    async with live(limits=limits) as server, server.client("Ann") as ann, httpx.AsyncClient() as http:
        room = await ann.create("sequence")
        url = server.link + "/api/rooms/{}/records.jsonl"
        for code in ("AAAAAA", "BBBBBB"):
            with pytest.raises(RefusedError, match="NO_SUCH_ROOM"):
                await ann.join(code)
            assert (await http.get(url.format(code))).status_code == 404
        with pytest.raises(RefusedError, match="RATE_LIMITED"):
            await ann.join("CCCCCC")
        for code in ("CCCCCC", room.code):
            assert (await http.get(url.format(code))).status_code == 429, "right or wrong must look the same"
        await room.command("PLAYER_READY_SET", ready=True)


@asynchronous
async def test_pages_of_one_address_are_bounded() -> None:
    async with live(limits=replace(FAST, pages_burst=2, pages_per_second=0.001)) as server, httpx.AsyncClient() as http:
        answers = [await http.get(f"{server.link}/api/rooms") for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert answers[2].json()["code"] == "RATE_LIMITED"
        assert (await http.get(f"{server.link}/healthz")).status_code == 200


@asynchronous
async def test_talk_is_bounded() -> None:
    limits = replace(FAST, chats_burst=2, chats_per_second=0.001)
    async with live(limits=limits) as server, server.client("Ann") as ann:
        await ann.create("sequence")
        await ann.request("CHAT_SEND", text="one")
        await ann.request("REACTION_SEND", reaction="👍")
        for kind, fields in (("CHAT_SEND", {"text": "three"}), ("REACTION_SEND", {"reaction": "👍"})):
            with pytest.raises(RefusedError, match="RATE_LIMITED"):
                await ann.request(kind, **fields)
        for text in ("", "x" * 301):
            with pytest.raises(RefusedError, match="BAD_MESSAGE"):
                await ann.request("CHAT_SEND", text=text)


@pytest.mark.parametrize(("name", "bound"), [("Ann", "idle_seconds"), ("", "idle_seconds"), ("", "hello_seconds")])
@asynchronous
async def test_who_is_silent_for_too_long_is_closed(name: str, bound: str) -> None:
    async with live(limits=replace(FAST, **{bound: 0.2})) as server, _socket(server, name) as socket:
        assert await _close_code(socket) == 4000


@asynchronous
async def test_a_connection_that_has_gone_takes_no_memory_also_before_the_collector_looks() -> None:
    async with live() as server:
        gc.disable()
        try:
            async with _socket(server):
                (connection,) = server.server.connections
                kept = [weakref.ref(part) for part in (connection, connection._socket, connection._socket.conn)]
                del connection
            async with asyncio.timeout(5):
                while any(part() is not None for part in kept):
                    await asyncio.sleep(0.01)
        finally:
            gc.enable()


@asynchronous
async def test_noise_is_no_hello() -> None:
    async with live(limits=replace(FAST, hello_seconds=0.3)) as server, _socket(server, "") as socket:
        with contextlib.suppress(ConnectionClosed):
            async with asyncio.timeout(20):
                while True:
                    await socket.send("noise")
                    await socket.recv()
                    await asyncio.sleep(0.02)
        assert socket.close_code == 4000


@asynchronous
async def test_who_does_not_read_is_not_read_either_and_gets_every_answer_at_last() -> None:
    limits = replace(FAST, outbox_frames_max=4)
    async with live(limits=limits) as server, _socket(server, max_queue=1, write_limit=1) as socket:
        kinds = "x" * 50_000
        sending = asyncio.create_task(_send_all(socket, kinds))
        await asyncio.sleep(0.5)
        answers = [str(await socket.recv()) for _ in range(100)]
        await sending
        assert all('"BAD_MESSAGE"' in answer for answer in answers)
        assert [f'"requestId":"{n}"' in answer for n, answer in enumerate(answers)] == [True] * 100


async def _send_all(socket: ClientConnection, kind: str) -> None:
    for number in range(100):
        await socket.send(f'{{"type":"{kind}","requestId":"{number}"}}')


@asynchronous
async def test_the_hub_counts_messages_too() -> None:
    limits = replace(FAST, messages_per_second=0.001, messages_burst=2)
    async with live(limits=limits) as server, connect(f"ws://127.0.0.1:{server.port}/hubs/blackjack") as socket:
        await socket.send('{"protocol":"json","version":1}\x1e' + '{"type":6}\x1e' * 3)
        heard = ""
        with contextlib.suppress(ConnectionClosed):
            async with asyncio.timeout(20):
                while True:
                    heard += str(await socket.recv())
        assert "Too many messages" in heard
        assert socket.close_code == 1008


def test_addresses_are_forgotten_but_not_while_they_are_connected() -> None:
    addresses = Addresses(Limits())
    with addresses.admitted("10.0.0.1") as held:
        for number in range(ADDRESSES_KEPT_MAX + 10):
            addresses.of(f"192.0.{number // 250}.{number % 250}", float(number))
        assert addresses.of("10.0.0.1", 0.0) is held
        assert len(addresses._known) == ADDRESSES_KEPT_MAX
    assert addresses.connections == 0


def test_an_ipv6_network_counts_as_one_address() -> None:
    assert network("2001:db8:1:2:3::4") == network("2001:db8:1:2:ffff::") == "2001:db8:1:2::"
    assert network("2001:db8:1:3::4") != network("2001:db8:1:2::4")
    assert network("::ffff:192.0.2.7") == network("192.0.2.7") == "192.0.2.7"
    assert network("fe80::1%eth0") == "fe80::"
    assert network("") == ""


def test_a_bucket_fills_with_time_and_never_over() -> None:
    bucket = Bucket.full(2.0, 3, 100.0)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]
    assert not bucket.has(100.4)
    assert bucket.take(100.6)
    assert not bucket.take(100.6)
    assert [bucket.take(1000.0) for _ in range(4)] == [True, True, True, False]

"""Removed people, locked rooms, rooms by approval, and tokens that are made worthless, over a real server."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from croupier.clients.connection import Client, RefusedError
from croupier.clients.environment import Environment
from croupier.clients.room_handle import RoomHandle
from croupier.clients.vault import MemoryVault
from croupier.server.connection import CLOSE_SIGNED_OUT
from croupier.server.origins import Origins, Whereabouts
from croupier.server.room import table_name
from croupier.store.memory import MemoryStore
from croupier.store.sqlite import SqliteStore
from croupier.table.room import UNKNOWN
from tests.server.hub_room import asynchronous
from tests.server.live import Live, live
from tests.server.test_nodes import nodes

HERE, ELSEWHERE = "127.0.0.1", "127.0.0.2"


def someone(server: Live, name: str, **options: Any) -> Client:
    """A client on a device of its own."""
    return server.client(name, environment=Environment(vault=MemoryVault()), **options)


class Raw:
    """A program that says what it likes, from an address of its choice."""

    def __init__(self, line: ClientConnection) -> None:
        self._line = line
        self._count = 0

    @classmethod
    async def enter(cls, server: Live, address: str, **hello: str) -> "Raw":
        raw = cls(await connect(server.url, local_addr=(address, 0)))
        welcome = await raw.ask("HELLO", **(hello or {"nickname": "Raw"}))
        assert welcome["type"] == "WELCOME", welcome
        return raw

    async def ask(self, kind: str, **fields: Any) -> Any:
        self._count += 1
        request_id = str(self._count)
        await self._line.send(json.dumps({"type": kind, "requestId": request_id, **fields}))
        while (frame := json.loads(await self._line.recv())).get("requestId") != request_id:
            pass
        return frame

    async def join(self, code: str) -> str:
        """What became of it: the type of the answer, or the code of the refusal."""
        answer = await self.ask("ROOM_JOIN", commandId="join", roomCode=code)
        return str(answer.get("code", answer["type"]))


async def _waiting(room: RoomHandle, count: int = 1) -> list[Any]:
    await room.wait(lambda r: len(r.state["public"]["waiting"]) == count)
    waiting: list[Any] = room.state["public"]["waiting"]
    return waiting


@asynchronous
async def test_a_removed_person_who_comes_as_somebody_else_stays_out_by_device_and_address() -> None:
    async with live() as server, someone(server, "Ann") as ann:
        room = await ann.create("sequence")
        bob = await Raw.enter(server, ELSEWHERE, nickname="Bob", device="bob's laptop")
        assert await bob.join(room.code) == "ACCEPTED"
        await room.wait(lambda r: len(r.state["public"]["members"]) == 2)
        bob_id = room.state["public"]["members"][1]["id"]
        await room.command("HOST_KICK", member=bob_id)
        again = await Raw.enter(server, HERE, nickname="Rob", device="bob's laptop")
        assert await again.join(room.code) == "KICKED", "by device"
        beside = await Raw.enter(server, ELSEWHERE, nickname="Dan", device="another")
        assert await beside.join(room.code) == "ADDRESS_KEPT_OUT", "by address"
        other = await Raw.enter(server, HERE, nickname="Eve", device="eve's phone")
        assert await other.join(room.code) == "ACCEPTED"


@asynchronous
async def test_the_host_may_keep_out_the_device_alone() -> None:
    async with live() as server, someone(server, "Ann") as ann:
        room = await ann.create("sequence")
        bob = await Raw.enter(server, ELSEWHERE, nickname="Bob", device="bob's laptop")
        await bob.join(room.code)
        await room.wait(lambda r: len(r.state["public"]["members"]) == 2)
        await room.command("HOST_KICK", member=room.state["public"]["members"][1]["id"], by="device")
        again = await Raw.enter(server, ELSEWHERE, nickname="Rob", device="bob's laptop")
        assert await again.join(room.code) == "KICKED"
        beside = await Raw.enter(server, ELSEWHERE, nickname="Dan", device="another")
        assert await beside.join(room.code) == "ACCEPTED"


@asynchronous
async def test_who_was_removed_stays_out_after_a_restart_and_no_record_has_an_address(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "rooms.db")
    async with live(store) as server, someone(server, "Ann") as ann:
        room = await ann.create("sequence")
        bob = await Raw.enter(server, ELSEWHERE, nickname="Bob", device="bob's laptop")
        await bob.join(room.code)
        await room.wait(lambda r: len(r.state["public"]["members"]) == 2)
        await room.command("HOST_KICK", member=room.state["public"]["members"][1]["id"])
        shown = json.dumps(room.state)
    records = b"".join([stored.record for stored in await store.records(table_name(room.code))])
    for secret in (ELSEWHERE, HERE, "laptop"):
        assert secret.encode() not in records
        assert secret not in shown
    assert "origin" not in shown, "not even the hashes are told"
    await store.close()
    store = SqliteStore(tmp_path / "rooms.db")
    async with live(store) as server:
        beside = await Raw.enter(server, ELSEWHERE, nickname="Dan", device="another")
        assert await beside.join(room.code) == "ADDRESS_KEPT_OUT"
    await store.close()


def test_two_rooms_remember_one_address_under_different_names() -> None:
    place = Whereabouts("192.0.2.7", "phone")
    one, other = Origins(b"1" * 32).of(place), Origins(b"2" * 32).of(place)
    assert one != other
    assert one == Origins(b"1" * 32).of(place)
    assert Origins(b"").of(place) == UNKNOWN, "a room of an earlier release has no key, and remembers nothing"
    unnamed = Origins(b"1" * 32).of(Whereabouts("192.0.2.7"))
    assert unnamed.address == one.address
    assert unnamed.device not in (one.device, "")


@asynchronous
async def test_nobody_new_comes_into_a_locked_room() -> None:
    async with live() as server, someone(server, "Ann") as ann, someone(server, "Bob") as bob:
        room = await ann.create("sequence")
        await room.command("HOST_SET_ENTRY", entry="locked")
        with pytest.raises(RefusedError, match="ROOM_LOCKED"):
            await bob.join(room.code)
        await room.command("HOST_SET_ENTRY", entry="open")
        await bob.join(room.code)


@asynchronous
async def test_a_newcomer_waits_hears_nothing_and_comes_in_when_the_host_says_so() -> None:
    heard: list[str] = []
    waits: list[bool] = []
    async with live() as server, someone(server, "Ann") as ann, someone(server, "Bob", hears=heard.append) as bob:
        room = await ann.create("sequence", entry="approval")
        joining = asyncio.create_task(bob.join(room.code, waits=lambda: waits.append(True)))
        (waiting,) = await _waiting(room)
        assert (waiting["id"], waiting["name"]) == (bob.player_id, "Bob")
        await ann.request("CHAT_SEND", roomCode=room.code, text="a secret of the room")
        assert waits == [True]
        assert not any("ROOM_STATE" in frame or "secret" in frame for frame in heard)
        await room.command("HOST_ADMIT", member=bob.player_id)
        inside = await joining
        assert [member["name"] for member in inside.state["public"]["members"]] == ["Ann", "Bob"]
        assert inside.state["public"]["waiting"] == []


@asynchronous
async def test_a_newcomer_who_is_refused_hears_so_and_cannot_ask_again() -> None:
    async with live() as server, someone(server, "Ann") as ann, someone(server, "Bob") as bob:
        room = await ann.create("sequence", entry="approval")
        joining = asyncio.create_task(bob.join(room.code))
        await _waiting(room)
        await room.command("HOST_KICK", member=bob.player_id)
        with pytest.raises(RefusedError, match="KICKED"):
            await joining
        with pytest.raises(RefusedError, match="KICKED"):
            await bob.join(room.code)


@asynchronous
async def test_who_waits_may_stop_waiting() -> None:
    async with live() as server, someone(server, "Ann") as ann, someone(server, "Bob") as bob:
        room = await ann.create("sequence", entry="approval")
        joining = asyncio.create_task(bob.join(room.code))
        await _waiting(room)
        await bob.request("ROOM_LEAVE", roomCode=room.code, commandId="enough")
        with pytest.raises(RefusedError, match="LEFT"):
            await joining
        assert await _waiting(room, 0) == []


@asynchronous
async def test_who_waits_goes_on_waiting_over_a_lost_line_and_a_restart(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "rooms.db")
    async with live(store) as server:
        port = server.port
        ann, bob = someone(server, "Ann"), someone(server, "Bob")
        await ann.__aenter__()
        await bob.__aenter__()
        room = await ann.create("sequence", entry="approval")
        joining = asyncio.create_task(bob.join(room.code))
        await _waiting(room)
    await store.close()
    store = SqliteStore(tmp_path / "rooms.db")
    async with live(store, port), ann, bob:
        (waiting,) = await _waiting(room)
        await room.command("HOST_ADMIT", member=waiting["id"])
        assert len((await joining).state["public"]["members"]) == 2
    await store.close()


@asynchronous
async def test_the_host_of_another_node_lets_people_in_and_keeps_them_out(tmp_path: Path) -> None:
    async with nodes(tmp_path) as both:
        here, there = both.servers
        async with someone(here, "Ann") as ann, someone(there, "Bob") as bob:
            room = await ann.create("sequence", entry="approval")
            joining = asyncio.create_task(bob.join(room.code))
            await _waiting(room)
            await room.command("HOST_ADMIT", member=bob.player_id)
            await joining
            await room.command("HOST_SET_ENTRY", entry="open")
            await room.command("HOST_KICK", member=bob.player_id)
            again = await Raw.enter(there, HERE, nickname="Rob", device="another")
            assert await again.join(room.code) == "ADDRESS_KEPT_OUT"


@asynchronous
async def test_a_join_that_is_asked_again_after_leaving_shows_nothing_of_the_room() -> None:
    async with live() as server, someone(server, "Ann") as ann:
        room = await ann.create("sequence")
        bob = await Raw.enter(server, HERE, nickname="Bob")
        assert await bob.join(room.code) == "ACCEPTED"
        await bob.ask("ROOM_LEAVE", commandId="leave", roomCode=room.code)
        assert await bob.join(room.code) == "ACCEPTED", "it was done, at that time"
        (actor,) = server.server.lobby._rooms.values()
        assert actor.here == (ann.player_id,)


@asynchronous
async def test_signing_out_everywhere_makes_the_old_token_worthless_and_ends_other_connections() -> None:
    async with live() as server:
        first = await Raw.enter(server, HERE, nickname="Ann")
        welcome = await (await _dial(server)).hello(nickname="Bob")
        mine = await _dial(server)
        assert (await mine.hello(token=welcome["token"]))["playerId"] == welcome["playerId"]
        stolen = await _dial(server)
        await stolen.hello(token=welcome["token"])
        new = "n" * 43
        assert (await mine.ask("SIGN_OUT_EVERYWHERE", token=new))["type"] == "SIGNED_OUT"
        assert await stolen.closed() == CLOSE_SIGNED_OUT
        assert (await mine.ask("ROOM_LIST"))["type"] == "ROOM_LISTING", "this connection goes on"
        assert (await first.ask("ROOM_LIST"))["type"] == "ROOM_LISTING", "nobody else is concerned"
        refused = await (await _dial(server)).hello(token=welcome["token"])
        assert (refused["type"], refused["code"]) == ("ERROR", "BAD_TOKEN")
        assert (await (await _dial(server)).hello(token=new))["playerId"] == welcome["playerId"]


@pytest.mark.parametrize("token", ["", "short", "n" * 42 + "!", "n" * 44])
@asynchronous
async def test_a_token_that_could_be_guessed_is_refused(token: str) -> None:
    async with live() as server:
        ann = await Raw.enter(server, HERE, nickname="Ann")
        refused = await ann.ask("SIGN_OUT_EVERYWHERE", token=token)
        assert (refused["code"], refused["facts"]["path"]) == ("BAD_MESSAGE", "$.token")


@asynchronous
async def test_signing_out_reaches_connections_of_other_nodes(tmp_path: Path) -> None:
    async with nodes(tmp_path) as both:
        here, there = both.servers
        async with someone(here, "Ann") as ann:
            stolen = await _dial(there)
            assert (await stolen.hello(token=ann.token))["type"] == "WELCOME"
            await ann.sign_out_everywhere()
            assert await stolen.closed() == CLOSE_SIGNED_OUT


@asynchronous
async def test_a_lost_answer_to_signing_out_locks_nobody_out() -> None:
    async with live(MemoryStore()) as server, someone(server, "Ann") as ann:
        room = await ann.create("sequence")
        old = ann.token
        # The server does it, and the line is lost before its answer comes.
        ann._next_token = new = "n" * 43
        await ann.request("SIGN_OUT_EVERYWHERE", token=new)
        (connection,) = server.server.connections
        connection.close(1012)
        await asyncio.sleep(0)
        await room.wait(lambda _: ann.reconnects > 0 and ann.token != old)
        assert ann.token == new
        await room.command("HOST_SET_ENTRY", entry="locked")


class _Line(Raw):
    async def hello(self, **fields: str) -> Any:
        return await self.ask("HELLO", **fields)

    async def closed(self) -> int | None:
        """With which code the server closes."""
        await self._line.wait_closed()
        return self._line.close_code


async def _dial(server: Live) -> _Line:
    return _Line(await connect(server.url))

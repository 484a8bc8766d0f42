"""A player who vanishes blocks no table, and gets the seat back by token: after a lost connection or a restart."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from croupier.clients.connection import Client, RefusedError
from croupier.clients.room_handle import RoomHandle
from croupier.store.memory import MemoryStore
from croupier.store.open import open_store
from croupier.store.port import Person, Stored, StoreError
from tests.server.live import Live, live, play

QUICK = {"pauseSeconds": 0, "cutSeconds": 1, "turnSeconds": 3, "bankSeconds": 0}


async def _two(server: Live, game: str = "poker", **options: int) -> tuple[Client, Client, str]:
    ann, bob = await server.client("Ann").__aenter__(), await server.client("Bob").__aenter__()
    room = await ann.create(game, options={**QUICK, **options})
    other = await bob.join(room.code)
    await other.command("PLAYER_READY_SET", ready=True)
    await room.command("HOST_START_GAME")
    for client in (ann, bob):
        await client.rooms[room.code].wait(lambda r: r.state["public"]["turn"])
    return ann, bob, room.code


def test_a_player_who_vanished_is_played_for_and_comes_back_to_the_seat() -> None:
    async def run() -> None:
        async with live() as server:
            ann, bob, code = await _two(server)
            token = bob.token
            await bob.__aexit__(None, None, None)
            room = ann.rooms[code]

            async def moved_on() -> None:
                while room.state["public"]["hand"] < 2:
                    await play(room, Random(1), lambda r: r.state["public"]["hand"] >= 2 or not r.menu)
                    await room.wait(lambda r: r.menu or r.state["public"]["hand"] >= 2)

            await asyncio.wait_for(moved_on(), 30)
            async with Client(server.url, token=token) as back:
                handle = await back.watch(code)
                await handle.wait(lambda r: r.seat == 1)
                assert back.player_id == bob.player_id
                member = next(m for m in handle.state["public"]["members"] if m["id"] == back.player_id)
                assert not member["away"]
            await ann.__aexit__(None, None, None)

    asyncio.run(run())


def test_open_tables_go_on_after_the_next_start(tmp_path: Path) -> None:
    async def run() -> None:
        address = f"sqlite:///{tmp_path / 'rooms.db'}"
        store = open_store(address)
        async with live(store) as first:
            ann, bob, code = await _two(first, turnSeconds=60)
            version, port = ann.rooms[code].version, first.port
            seen = ann.rooms[code].view
        await store.close()
        store = open_store(address)
        async with live(store, port=port):
            room = ann.rooms[code]
            async with asyncio.timeout(20):
                while not ann.reconnects or not bob.reconnects:
                    await asyncio.sleep(0.05)
                await ann.watch(code)
                await bob.watch(code)
            assert room.version == version
            assert room.view == seen, "the same cards in the same hands"
            both = [client.rooms[code] for client in (ann, bob)]

            def until(room: RoomHandle) -> bool:
                return bool(room.state["public"]["hand"] > 2 or room.phase == "ended")

            await asyncio.wait_for(asyncio.gather(*(play(r, Random(2), until) for r in both)), 40)
            assert all(r.checker.findings == [] for r in both)
            for client in (ann, bob):
                await client.__aexit__(None, None, None)
        await store.close()

    asyncio.run(run())


def test_the_same_command_again_is_answered_and_not_done_twice() -> None:
    async def run() -> None:
        async with live() as server, server.client("Ann") as ann:
            room = await ann.create("poker")
            fields = {"roomCode": room.code, "commandId": "the same", "bot": ""}
            first = await ann.request("HOST_ADD_BOT", **fields)
            again = await ann.request("HOST_ADD_BOT", **fields)
            assert first["version"] == again["version"]
            await room.wait(lambda r: r.version >= first["version"])
            assert len(room.state["public"]["members"]) == 2

    asyncio.run(run())


def test_a_stale_version_is_refused_with_the_present_one() -> None:
    async def run() -> None:
        async with live() as server:
            ann, bob, code = await _two(server, turnSeconds=60)
            room = next(r for r in (ann.rooms[code], bob.rooms[code]) if r.menu)
            seen = room.version
            await room.act(room.menu[1]["action"], version=seen)
            with pytest.raises(RefusedError, match="STALE_VERSION") as stale:
                await room.act({"type": "HOLDEM_FOLD"}, version=seen)
            assert stale.value.facts["version"] > seen
            for client in (ann, bob):
                await client.__aexit__(None, None, None)

    asyncio.run(run())


def test_a_table_of_bots_plays_by_itself_while_somebody_watches() -> None:
    async def run() -> None:
        async with live() as server, server.client("Ann") as ann:
            for game in ("poker", "sequence", "blackjack"):
                room = await ann.create(game, options=QUICK, preset="trainer" if game == "blackjack" else "")
                await room.command("HOST_ADD_BOT")
                await room.command("HOST_ADD_BOT")
                await room.command("PLAYER_SWITCH_TO_SPECTATOR")
                await room.command("HOST_START_GAME")
                await room.wait(lambda r: r.state["public"]["hand"] > 2 or r.phase == "ended", timeout=60)

    asyncio.run(run())


async def _heard(client: Client, kind: str) -> Any:
    while (frame := await asyncio.wait_for(client.said.get(), 5))["type"] != kind:
        pass
    return frame


class _Faltering(MemoryStore):
    """Fails at one kind of question, as often as it is told to."""

    failing = ""
    times = 0

    def falter(self, question: str) -> None:
        if self.times and question == self.failing:
            self.times -= 1
            raise StoreError("the database is gone")

    async def person_by_token(self, token_hash: bytes) -> Person | None:
        self.falter("person_by_token")
        return await super().person_by_token(token_hash)

    async def records(self, table: str, after: int = 0) -> Sequence[Stored]:
        self.falter("records")
        return await super().records(table, after)


@pytest.mark.parametrize("question", ["person_by_token", "records"])
def test_a_client_tries_again_when_the_store_fails_while_it_comes_back(question: str) -> None:
    async def run() -> None:
        store = _Faltering()
        async with live(store) as server, server.client("Ann") as ann:
            room = await ann.create("poker")
            store.failing, store.times = question, 2
            server.server.lobby._rooms.clear()
            assert ann._socket is not None
            await ann._socket.close()
            async with asyncio.timeout(10):
                while ann.reconnects < 3 or not ann._ready.is_set():
                    await asyncio.sleep(0.01)
            assert room.code in ann.rooms
            assert await room.command("PLAYER_READY_SET", ready=True) > 1

    asyncio.run(run())


def test_a_question_that_the_store_cannot_answer_is_refused_as_that() -> None:
    async def run() -> None:
        store = _Faltering()
        async with live(store) as server, server.client("Ann") as ann:
            room = await ann.create("poker")
            server.server.lobby._rooms.clear()
            store.failing, store.times = "records", 1
            async with server.client("Bob") as bob:
                with pytest.raises(RefusedError, match="STORE_FAILED"):
                    await bob.join(room.code)
                assert (await bob.join(room.code)).seat == 1

    asyncio.run(run())


def test_pause_kick_chat_and_reactions() -> None:
    async def run() -> None:
        async with live() as server:
            ann, bob, code = await _two(server, turnSeconds=60)
            room, other = ann.rooms[code], bob.rooms[code]
            await bob.request("CHAT_SEND", text="hello 안녕", roomCode=code)
            said = [await asyncio.wait_for(ann.said.get(), 5) for _ in range(ann.said.qsize() or 1)]
            assert any(frame["type"] == "CHAT_SAID" and frame["text"] == "hello 안녕" for frame in said)
            with pytest.raises(RefusedError, match="NO_SUCH_REACTION"):
                await bob.request("REACTION_SEND", reaction="💣", roomCode=code)
            await bob.request("REACTION_SEND", reaction="🎉", roomCode=code)
            with pytest.raises(RefusedError, match="NOT_HOST"):
                await other.command("HOST_PAUSE")
            await room.command("HOST_PAUSE")
            await room.wait(lambda r: r.state["public"]["paused"] and not r.menu)
            await room.command("HOST_RESUME")
            await room.command("HOST_KICK", member=bob.player_id)
            closed = await _heard(bob, "ROOM_CLOSED")
            assert (closed["roomCode"], closed["code"]) == (code, "KICKED")
            heard = other.version
            await room.command("HOST_ADD_BOT") if room.phase == "lobby" else await room.command("HOST_PAUSE")
            assert other.version == heard, "who was sent away hears no more"
            with pytest.raises(RefusedError, match="KICKED"):
                await bob.join(code)
            with pytest.raises(RefusedError, match="KICKED"):
                await bob.watch(code)
            for client in (ann, bob):
                await client.__aexit__(None, None, None)

    asyncio.run(run())

"""A room that nobody is connected to stops at once, keeps its clocks, leaves the lists, and may be closed."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from croupier.clients.connection import Client, RefusedError
from croupier.clients.room_handle import RoomHandle
from croupier.server import lobby, vacancy
from croupier.server.room import table_name
from croupier.store.memory import MemoryStore
from croupier.store.port import Store
from croupier.store.sqlite import SqliteStore
from croupier.table.room import DEAL_SHOWN_MS
from croupier.wire.log import read_entry
from tests.server.live import Live, live

HOUR_MS = 3_600_000
TURN_SECONDS = 300
# The first turn of a hand, with the time in which its cards are shown.
TURN_MS = 1000 * TURN_SECONDS + DEAL_SHOWN_MS


@pytest.fixture(autouse=True)
def _sleep_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vacancy, "EMPTY_SECONDS", 0.05)
    monkeypatch.setattr(lobby, "DEADLINES_SECONDS", 0.05)


class Clock:
    """A clock that is put on by hand."""

    def __init__(self) -> None:
        self.now_ms = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now_ms


async def _until(condition: Callable[[], Awaitable[Any]]) -> Any:
    async with asyncio.timeout(20):
        while not (found := await condition()):
            await asyncio.sleep(0.02)
    return found


async def _commands(store: Store, code: str) -> list[str]:
    return [read_entry(stored.record).command.tag for stored in await store.records(table_name(code))]


async def _asleep(store: Store, code: str) -> None:
    async def sleeps() -> bool:
        return (await _commands(store, code))[-1] == "TABLE_SLEEP"

    await _until(sleeps)


async def _turn(server: Live, clients: list[Client]) -> RoomHandle:
    """A hand of Hold'em in which somebody must act."""
    host = await clients[0].create("poker", preset="cash", options={"turnSeconds": TURN_SECONDS, "bankSeconds": 0})
    guest = await clients[1].join(host.code)
    await guest.command("PLAYER_READY_SET", ready=True)
    await host.command("HOST_START_GAME")
    for room in (host, guest):
        await room.wait(lambda r: r.state["public"]["turn"])
    return host


def test_bots_stop_when_the_last_spectator_goes_and_go_on_when_one_comes() -> None:
    async def go() -> None:
        store = MemoryStore()
        async with live(store, bot_delay_seconds=0.01) as server:
            async with server.client("Ann") as ann:
                host = await ann.create("poker", preset="cash", options={"pauseSeconds": 0})
                for _ in range(2):
                    await host.command("HOST_ADD_BOT", bot="random")
                await host.command("PLAYER_SWITCH_TO_SPECTATOR")
                await host.command("HOST_START_GAME")
                await host.wait(lambda r: r.state["public"]["hand"] >= 1)
                await host.wait(lambda r, seen=host.version: r.version > seen + 3)
            await _asleep(store, host.code)
            commands = await _commands(store, host.code)
            await asyncio.sleep(0.5)
            assert await _commands(store, host.code) == commands, "nothing happens any more"
            row = await store.table(table_name(host.code))
            assert row is not None
            assert row.deadline_ms is None
            async with server.client("Ann", token=ann.token) as again:
                room = await again.watch(host.code)
                await room.wait(lambda r: r.version > len(commands) + 3)
            assert (await _commands(store, host.code))[len(commands)] == "TABLE_WAKE"

    asyncio.run(go())


def test_a_turn_has_as_much_time_left_as_when_the_last_person_went() -> None:
    async def go() -> None:
        store, clock = MemoryStore(), Clock()
        async with live(store, clock_ms=clock) as server:
            async with server.client("Ann") as ann, server.client("Bob") as bob:
                host = await _turn(server, [ann, bob])
                assert host.state["public"]["deadlineMs"] == clock.now_ms + TURN_MS
                clock.now_ms += 100_000
            await _asleep(store, host.code)
            clock.now_ms += 10 * HOUR_MS
            async with server.client("Ann", token=ann.token) as again:
                room = await again.watch(host.code)
                await room.wait(lambda r: r.state["public"]["deadlineMs"])
                assert room.state["public"]["deadlineMs"] == clock.now_ms + TURN_MS - 100_000
                assert room.state["public"]["turn"] == host.state["public"]["turn"]

    asyncio.run(go())


def test_a_turn_keeps_its_time_over_a_crash_too(tmp_path: Path) -> None:
    """Nobody could say that the room sleeps: the turn has the time that it had at the last command."""

    async def go() -> None:
        store, clock = SqliteStore(tmp_path / "rooms.db"), Clock()
        async with live(store, clock_ms=clock) as server, server.client("Ann") as ann, server.client("Bob") as bob:
            host = await _turn(server, [ann, bob])
            turn = host.state["public"]["turn"]
            token = ann.token
            for actor in server.server.lobby._rooms.values():
                # As if the machine had lost its power.
                await actor.close()
        clock.now_ms += 24 * HOUR_MS
        async with live(store, clock_ms=clock) as server:
            await _asleep(store, host.code)
            clock.now_ms += HOUR_MS
            async with server.client("Ann", token=token) as again:
                room = await again.watch(host.code)
                await room.wait(lambda r: r.state["public"]["deadlineMs"])
                assert room.state["public"]["deadlineMs"] == clock.now_ms + TURN_MS
                assert room.state["public"]["turn"] == turn
                assert "TABLE_DUE" not in await _commands(store, host.code)
        await store.close()

    asyncio.run(go())


def test_an_empty_room_leaves_the_list_until_somebody_is_back() -> None:
    async def go() -> None:
        store = MemoryStore()
        async with live(store) as server, server.client("Watcher") as watcher:

            async def listed() -> list[str]:
                return [room["roomCode"] for room in (await watcher.request("ROOM_LIST"))["rooms"]]

            async with server.client("Ann") as ann:
                host = await ann.create("poker", options={"listed": True})
                assert await listed() == [host.code]

            async def is_gone() -> bool:
                return await listed() == []

            await _until(is_gone)
            async with server.client("Ann", token=ann.token) as again:
                await again.watch(host.code)
                assert await _until(listed) == [host.code]

    asyncio.run(go())


def test_a_room_that_was_listed_before_a_restart_leaves_the_list_too() -> None:
    async def go() -> None:
        store = MemoryStore()
        async with live(store) as server, server.client("Ann") as ann:
            code = (await ann.create("poker", options={"listed": True})).code
            for actor in server.server.lobby._rooms.values():
                await actor.close()
        async with live(store):
            await _asleep(store, code)

    asyncio.run(go())


def test_a_room_that_sleeps_for_long_is_closed_where_the_operator_wants_that() -> None:
    async def go() -> None:
        store, clock = MemoryStore(), Clock()
        async with live(store, clock_ms=clock, close_empty_hours=48) as server:
            async with server.client("Ann") as ann, server.client("Bob") as bob:
                host = await _turn(server, [ann, bob])
            await _asleep(store, host.code)
            clock.now_ms += 47 * HOUR_MS
            await asyncio.sleep(0.2)
            row = await store.table(table_name(host.code))
            assert row is not None
            assert row.open
            server.server.lobby._rooms.pop(host.code)
            clock.now_ms += 2 * HOUR_MS

            async def is_closed() -> bool:
                row = await store.table(table_name(host.code))
                return row is not None and not row.open

            await _until(is_closed)
            assert await store.balance(f"{host.code}/bank") == 0, "the chips went back"
            async with server.client("Ann", token=ann.token) as again:
                with pytest.raises(RefusedError, match="NO_SUCH_ROOM"):
                    await again.watch(host.code)
            async with httpx.AsyncClient() as http:
                answer = await http.get(f"{server.link}/api/rooms/{host.code}/records.jsonl")
            assert answer.status_code == 200, "its records are left"
        assert await store.check() == []

    asyncio.run(go())


def test_a_reload_of_the_page_puts_nobody_to_sleep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vacancy, "EMPTY_SECONDS", 5.0)

    async def go() -> None:
        store = MemoryStore()
        async with live(store) as server:
            async with server.client("Ann") as ann:
                host = await ann.create("poker")
            async with server.client("Ann", token=ann.token) as again:
                await again.watch(host.code)
                await asyncio.sleep(0.2)
                assert "TABLE_SLEEP" not in await _commands(store, host.code)

    asyncio.run(go())

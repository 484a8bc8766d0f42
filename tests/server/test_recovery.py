"""A room comes back from the store: quickly, off the event loop, and as it was."""

import asyncio
import itertools
import logging
import shutil
import threading
import time
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

from croupier.clients.connection import RefusedError
from croupier.clients.room_handle import RoomHandle
from croupier.server import packed_text, replays
from croupier.server.limits import Limits
from croupier.server.lobby import Lobby
from croupier.server.origins import Whereabouts
from croupier.server.packed_text import Outbound, packed
from croupier.server.recovery import load
from croupier.server.replays import BusyError, Lane, StoppedError, Turn
from croupier.server.room import RoomActor, table_name
from croupier.server.services import Services
from croupier.store.memory import MemoryStore
from croupier.store.port import Person, Store, StoreError
from croupier.store.sqlite import SqliteStore
from croupier.table.apply import ASIDES_OF_PERSON_MAX
from croupier.table.commands import RoomCreate
from croupier.table.room import Room
from croupier.table.snapshot import EVERY
from croupier.wire import snapshot as snapshots
from croupier.wire.records import verify
from tests.server.live import Live, live, play, suppress_codes
from tests.table.test_snapshot import same_room

QUICK = {"pauseSeconds": 0, "turnSeconds": 600}
SOFT = ("HOLDEM_CHECK", "HOLDEM_CALL", "HOLDEM_FOLD", "PLACE_BET", "BLACKJACK_STAND")
ANN = Person("ann", "Ann", bytes(32), "en", 0)


async def _evening(server: Live, game: str, preset: str, versions: int) -> str:
    """Two people play until the room has so many versions."""
    async with server.client("Ann") as ann, server.client("Bob") as bob:
        host = await ann.create(game, preset=preset, options=QUICK)
        rooms = [host, await bob.join(host.code)]
        await rooms[1].command("PLAYER_READY_SET", ready=True)
        await host.command("HOST_START_GAME")
        if game == "sequence":
            await _games(rooms, versions)
        else:
            await asyncio.gather(*(_play_softly(room, versions) for room in rooms))
    return host.code


async def _play_softly(room: RoomHandle, versions: int) -> None:
    """Takes what costs least, so that everybody has chips for many rounds."""
    while room.version < versions:
        await room.wait(lambda r: r.menu or r.version >= versions)
        soft = [offer["action"] for offer in room.menu if offer["action"]["type"] in SOFT]
        if soft:
            with suppress_codes("STALE_VERSION", "NOT_YOUR_TURN", "ROUND_OVER"):
                seen = await room.act(soft[0])
                await room.wait(lambda r, seen=seen: r.version >= seen)


async def _games(rooms: list[RoomHandle], versions: int) -> None:
    host, guest = rooms
    while host.version < versions:
        await asyncio.gather(*(play(room, Random(n), lambda r: r.phase == "ended") for n, room in enumerate(rooms)))
        await host.command("HOST_REMATCH")
        await guest.command("PLAYER_READY_SET", ready=True)
        await guest.wait(lambda r: r.phase == "lobby")
        started = await host.command("HOST_START_GAME")
        for room in rooms:
            await room.wait(lambda r, seen=started: r.version >= seen)


async def _snapshot(store: Store, code: str) -> bytes:
    """The room's snapshot, once it is written."""
    async with asyncio.timeout(10):
        while (kept := await store.snapshot(table_name(code))) is None:
            await asyncio.sleep(0.01)
    return kept


@pytest.fixture(scope="module")
def poker_evening(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A store with a room of poker that has a snapshot, and the room's code. Each test takes a copy."""
    path = tmp_path_factory.mktemp("evening") / "rooms.db"

    async def go() -> str:
        store = SqliteStore(path)
        async with live(store) as server:
            code = await _evening(server, "poker", "cash", 120)
            await _snapshot(store, code)
        await store.close()
        return code

    return path, asyncio.run(go())


def _copied(evening: tuple[Path, str], folder: Path) -> tuple[SqliteStore, str]:
    path, code = evening
    return SqliteStore(Path(shutil.copy(path, folder))), code


@pytest.mark.parametrize(("game", "preset"), [("poker", "cash"), ("blackjack", "trainer"), ("sequence", "house")])
def test_a_room_from_its_snapshot_is_the_room_from_its_whole_log(game: str, preset: str, tmp_path: Path) -> None:
    async def go() -> None:
        store = SqliteStore(tmp_path / "rooms.db")
        async with live(store) as server:
            code = await _evening(server, game, preset, 150)
            await _snapshot(store, code)
        services = Services(store)
        loaded = await load(code, services)
        await store.save_snapshot(table_name(code), b"nothing")
        replayed = await load(code, services)
        assert loaded is not None
        assert replayed is not None
        assert loaded.kept > 50
        assert replayed.kept == 0
        assert loaded.head == replayed.head
        same_room(loaded.room, replayed.room)
        services.replays.close()
        await store.close()

    asyncio.run(go())


def test_a_room_goes_on_from_its_snapshot_and_its_records_verify(
    poker_evening: tuple[Path, str], tmp_path: Path
) -> None:
    async def go() -> None:
        store, code = _copied(poker_evening, tmp_path)
        async with live(store) as server, server.client("Watcher") as watcher:
            room = await watcher.join(code, watch=True)
            assert room.version > 100
            assert room.checker.findings == []
            async with httpx.AsyncClient() as http:
                answer = await http.get(f"{server.link}/api/rooms/{code}/records.jsonl")
            verdict = verify(answer.text.splitlines())
            assert verdict.findings == ()
            assert len(verdict.rounds) >= 3
        await store.close()

    asyncio.run(go())


def test_a_snapshot_that_does_not_fit_is_ignored_and_said_in_the_log(
    poker_evening: tuple[Path, str], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def go() -> None:
        store, code = _copied(poker_evening, tmp_path)
        kept = await _snapshot(store, code)
        whole = await load(code, Services(store))
        assert whole is not None
        assert "ignored" not in caplog.text
        for spoil in ("head", "chips", "version", "bytes"):
            caplog.clear()
            await store.save_snapshot(table_name(code), _spoilt(kept, spoil))
            with caplog.at_level(logging.WARNING, "croupier"):
                loaded = await load(code, Services(store))
            assert loaded is not None, spoil
            assert loaded.kept == 0, spoil
            same_room(loaded.room, whole.room)
            assert f"room {code}: its snapshot is ignored" in caplog.text, spoil
        await store.close()

    asyncio.run(go())


def _spoilt(kept: bytes, how: str) -> bytes:
    if how == "bytes":
        return kept[:-40]
    plain = msgspec.msgpack.decode(kept)
    if how == "version":
        plain["format"] += 1
        return msgspec.msgpack.encode(plain)
    if how == "head":
        plain["now"]["head"] = bytes(32)
    else:
        # Somebody's chips grew.
        plain["now"]["room"]["booked"][0] += 10_000
    return msgspec.msgpack.encode(plain)


def test_the_event_loop_goes_on_while_a_long_log_is_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def go() -> None:
        store = SqliteStore(tmp_path / "rooms.db")
        async with live(store) as server:
            code = await _evening(server, "sequence", "house", 400)
        await store.save_snapshot(table_name(code), b"none")
        services = Services(store)
        lags = []

        async def watch() -> None:
            while True:
                began = time.perf_counter()
                await asyncio.sleep(0.001)
                lags.append(time.perf_counter() - began)

        watching = asyncio.create_task(watch())
        began = time.perf_counter()
        await load(code, services)
        seconds = time.perf_counter() - began
        watching.cancel()
        assert len(lags) > 10, "the loop had its turns"
        assert sorted(lags)[len(lags) // 2] < seconds / 4
        await store.close()

    monkeypatch.setattr(replays, "LONG_COMMANDS", 100)
    asyncio.run(go())


def test_too_many_who_wait_for_a_replay_are_refused() -> None:
    async def go() -> None:
        lane = Lane("few", 1, 2)
        release = asyncio.Event()

        async def hold() -> None:
            async with lane.turn():
                await release.wait()

        waiting = [asyncio.create_task(hold()) for _ in range(3)]
        await asyncio.sleep(0.01)
        assert lane.waiting == 2
        with pytest.raises(BusyError):
            async with lane.turn():
                raise AssertionError("nobody is let in")
        release.set()
        await asyncio.gather(*waiting)
        async with lane.turn() as turn:
            assert await turn.work(lambda: 5) == 5
        lane.close()

    asyncio.run(go())


def test_a_replay_ends_when_the_server_stops() -> None:
    lane = Lane("stopped", 1, 1)
    turn = Turn(lane)
    lane.close()

    def slowly() -> Any:
        for number in range(1000):
            time.sleep(0.001)
            yield number

    with pytest.raises(StoppedError):
        list(turn.paced(slowly()))


def test_one_caller_cannot_take_every_turn() -> None:
    async def go() -> None:
        lane = Lane("fair", 1, 10, 2)
        release = asyncio.Event()

        async def hold(caller: str) -> None:
            async with lane.turn(caller):
                await release.wait()

        greedy = [asyncio.create_task(hold("greedy")) for _ in range(2)]
        await asyncio.sleep(0.01)
        with pytest.raises(BusyError):
            await hold("greedy")
        other = asyncio.create_task(hold("other"))
        await asyncio.sleep(0.01)
        assert lane.waiting == 2
        release.set()
        await asyncio.gather(*greedy, other)
        await hold("greedy")
        lane.close()

    asyncio.run(go())


def test_the_work_of_somebody_who_has_gone_stops() -> None:
    async def go() -> None:
        lane = Lane("left", 1, 1)
        stopped = threading.Event()

        async def replays_for_ever() -> None:
            async with lane.turn() as turn:

                def work() -> None:
                    try:
                        for _ in turn.paced(itertools.count()):
                            pass
                    except StoppedError:
                        stopped.set()

                await turn.work(work)

        task = asyncio.create_task(replays_for_ever())
        await asyncio.sleep(0.05)
        task.cancel()
        assert await asyncio.to_thread(stopped.wait, 10)
        lane.close()

    asyncio.run(go())


def test_a_caller_who_goes_waits_no_longer_for_a_download() -> None:
    async def go() -> None:
        async with live() as server, server.client("Ann") as ann:
            room = await ann.create("sequence")
            lane = server.server.services.replays.of_download(0)
            async with lane.turn("somebody else"), httpx.AsyncClient() as http:
                for path in ("records.jsonl", "replay.json", "ledger.csv"):
                    asked = asyncio.create_task(http.get(f"{server.link}/api/rooms/{room.code}/{path}"))
                    async with asyncio.timeout(10):
                        while not lane.waiting:
                            await asyncio.sleep(0.01)
                        asked.cancel()
                        while lane.waiting:
                            await asyncio.sleep(0.01)

    asyncio.run(go())


def test_a_long_text_is_held_in_little_memory_and_bounded_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f'{{"round": {number}, "cards": "AsKsQsJsTs"}}' for number in range(50_000)]
    text = packed(lines)
    assert text.held_bytes < text.length / 5
    outbound = Outbound()
    monkeypatch.setattr(packed_text, "HELD_BYTES_MAX", text.held_bytes)
    sending = outbound.send(text)
    first = next(sending)
    with pytest.raises(BusyError):
        outbound.check()
    whole = b"".join((first, *sending))
    assert whole.decode().splitlines() == lines
    assert len(whole) == text.length
    outbound.check()


class FullStore(MemoryStore):
    """A store that keeps no snapshot."""

    async def save_snapshot(self, table: str, snapshot: bytes) -> None:
        raise StoreError("the store is full", "STORE_FULL")


def test_a_snapshot_that_cannot_be_kept_hinders_nobody(caplog: pytest.LogCaptureFixture) -> None:
    async def go() -> None:
        store = FullStore()
        async with live(store) as server:
            code = await _evening(server, "poker", "cash", 150)
        assert "no snapshot was kept: the store is full" in caplog.text
        loaded = await load(code, Services(store))
        assert loaded is not None
        assert loaded.room.version >= 150

    asyncio.run(go())


def test_between_rounds_nobody_is_refused_and_the_room_opens_quickly() -> None:
    """A round is over and nobody deals the next; one who comes and goes all night makes a long log."""

    async def go() -> None:
        store = MemoryStore()
        async with live(store, bot_delay_seconds=0.0) as server, server.client("Ann") as ann:
            async with server.client("Bob") as bob:
                host = await ann.create("sequence", preset="house", options=QUICK)
                rooms = [host, await bob.join(host.code)]
                await rooms[1].command("PLAYER_READY_SET", ready=True)
                await host.command("HOST_START_GAME")
                await asyncio.gather(
                    *(play(room, Random(n), lambda r: r.phase == "ended") for n, room in enumerate(rooms))
                )
            async with server.client("Carl") as carl:
                for _ in range(50):
                    visit = await carl.join(host.code, watch=True)
                    await visit.command("ROOM_LEAVE")
            version = host.version
            kept = snapshots.decode(await _snapshot(store, host.code))
        assert kept.before is not None
        assert kept.played
        assert version - kept.version < 2 * EVERY
        services = Services(store)
        loaded = await load(host.code, services)
        await store.save_snapshot(table_name(host.code), b"")
        replayed = await load(host.code, services)
        assert loaded is not None
        assert replayed is not None
        assert loaded.kept == kept.version
        same_room(loaded.room, replayed.room)

    asyncio.run(go())


def room_of(server: Live, code: str) -> Room:
    """The room as the server has it."""
    return server.server.lobby._rooms[code].room


def test_one_client_cannot_make_a_round_s_log_long() -> None:
    async def go() -> None:
        async with live() as server, server.client("Ann") as ann, server.client("Bob") as bob:
            host = await ann.create("poker", preset="cash", options=QUICK)
            guest = await bob.join(host.code)
            await guest.command("PLAYER_READY_SET", ready=True)
            await host.command("HOST_START_GAME")
            for room in (host, guest):
                await room.wait(lambda r: r.state["public"]["turn"])
            left = ASIDES_OF_PERSON_MAX - room_of(server, host.code).asides.count(bob.player_id)
            for _ in range(left):
                await guest.command("PLAYER_BACK")
            with pytest.raises(RefusedError, match="TOO_MANY_IN_ROUND") as refused:
                await guest.command("PLAYER_BACK")
            assert refused.value.facts == {"high": ASIDES_OF_PERSON_MAX}
            await host.command("PLAYER_BACK")
            mover = host if host.menu else guest
            await mover.wait(lambda r: r.menu)
            await mover.act(mover.menu[0]["action"])

    asyncio.run(go())


def test_a_room_that_is_slow_to_open_keeps_no_other_from_opening() -> None:
    async def go() -> None:
        store = MemoryStore()
        lobby = Lobby(Services(store), Limits())
        actor = await lobby.create(ANN, "Ann", Whereabouts(""), RoomCreate("poker"), "1")
        assert isinstance(actor, RoomActor)
        await lobby.close()
        services = Services(store)
        other = Lobby(services, Limits())
        release = asyncio.Event()

        async def replay_long() -> None:
            async with services.replays.long.turn():
                await release.wait()

        holding = asyncio.create_task(replay_long())
        await asyncio.sleep(0)
        assert await asyncio.wait_for(other.room(actor.room.code), 5) is not None
        release.set()
        await holding
        await other.close()

    asyncio.run(go())

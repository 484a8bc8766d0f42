"""A server that is killed at any moment loses nothing that it acknowledged, does nothing twice, and goes on."""

import asyncio
import importlib
import json
import resource
import signal
import subprocess
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from croupier.cli import app
from croupier.clients.connection import Client, RefusedError, RoomHandle
from croupier.server.room import table_name
from croupier.store.sqlite import SqliteStore
from croupier.table.course import Logged, steps
from croupier.table.roomview import part, public
from tests.server.live import choose
from tests.server.process import STOP_SECONDS_MAX, Server, command, environment
from tests.store.test_faults import without_the_powers_of_root

QUICK = {"pauseSeconds": 0, "cutSeconds": 1, "turnSeconds": 600}
ROOMS = (("holdem", "cash", 0), ("holdem", "tournament", 1), ("sequence", "house", 0), ("blackjack", "trainer", 0))
"""Game, preset, and how many bots sit with the two people."""
GOES_ON_SECONDS_MAX = 30.0
OUTRUN = {"STALE_VERSION", "NOT_YOUR_TURN", "ROUND_OVER", "NOT_PLAYING", "NOT_IN_LOBBY", "NOT_EVERYBODY_READY"}
"""Why a player who is a little late is rightly refused."""
CALM = {"HOLDEM_CHECK", "HOLDEM_CALL", "HOLDEM_MUCK"}
"""Chosen first, so that chips last."""


class Witness(Client):
    """A client that writes down what it was told: every acknowledged command, and every state."""

    def __init__(self, url: str, name: str) -> None:
        super().__init__(url, nickname=name, hears=self._hear)
        self.acknowledged: dict[tuple[str, str], tuple[int, str, dict[str, Any]]] = {}
        """By room and command id: the version that it became, and what was asked."""
        self.shown: dict[tuple[str, int], tuple[Any, Any]] = {}
        """By room and version: the public part and this viewer's own."""

    async def request(self, kind: str, **fields: Any) -> Any:
        answer = await super().request(kind, **fields)
        if answer["type"] == "ACCEPTED":
            key = answer["roomCode"], fields["commandId"]
            assert key not in self.acknowledged, "no command is given twice here"
            self.acknowledged[key] = answer["version"], kind, fields
        return answer

    def _hear(self, text: str) -> None:
        frame = json.loads(text)
        if frame["type"] == "ROOM_STATE":
            key = frame["public"]["roomCode"], frame["public"]["version"]
            seen = frame["public"], frame["you"]
            assert self.shown.setdefault(key, seen) == seen, "one version was shown in two ways"


class Gambler:
    """Somebody at the casino, who bets and stands and remembers every answer."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.answers: dict[str, tuple[Any, str, dict[str, Any]]] = {}
        self.version = 0

    async def play(self) -> None:
        state = await self.client.request("BLACKJACK_GET_STATE")
        for number in range(10**6):
            self.version = state["version"]
            if state["status"] in ("betting", "cashed_out"):
                fields: dict[str, Any] = {"amount": 10, "clientSeed": "a seed of mine", "gameParams": {"blackjack": {}}}
                kind = "PLACE_BET"
            else:
                kind = "BLACKJACK_INSURANCE" if state["canInsure"] else "BLACKJACK_STAND"
                fields = {"take": False} if state["canInsure"] else {}
            fields |= {"commandId": f"c{number}", "expectedVersion": self.version}
            state = await self.client.request(kind, **fields)
            self.answers[fields["commandId"]] = state, kind, fields
            await asyncio.sleep(0.01)


class Company:
    """Everybody who plays on one server, for as long as the test goes on."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.players: list[tuple[Witness, RoomHandle]] = []
        self.gamblers: list[Gambler] = []
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def versions(self) -> dict[str, int]:
        """How far every room and session has come, as its players know."""
        rooms = {room.code: room.version for _, room in self.players}
        return rooms | {f"casino {number}": gambler.version for number, gambler in enumerate(self.gamblers)}

    async def sit_down(self, random: Random) -> None:
        for game, preset, bots in ROOMS:
            people = [await self._come(f"{game} {number}") for number in range(2)]
            host = await people[0].create(game, preset=preset, options=QUICK)
            rooms = [host, await people[1].join(host.code)]
            for _ in range(bots):
                await host.command("HOST_ADD_BOT")
            for client, room in zip(people, rooms, strict=True):
                self.players.append((client, room))
                self._do(_play(room, room is host, Random(random.random())))
        for number in range(2):
            self.gamblers.append(Gambler(await self._come(f"gambler {number}")))
            self._do(self.gamblers[-1].play())

    async def go_on(self) -> None:
        """Waits until every room and session is further than it was."""
        before = self.versions
        async with asyncio.timeout(GOES_ON_SECONDS_MAX):
            while any(version <= before[place] for place, version in self.versions.items()):
                await asyncio.sleep(0.02)
                self.hold()

    def hold(self) -> None:
        """Raises what went wrong with a player."""
        for task in self._tasks:
            if task.done():
                task.result()

    async def stop_playing(self) -> None:
        for task in self._tasks:
            task.cancel()
        for outcome in await asyncio.gather(*self._tasks, return_exceptions=True):
            assert isinstance(outcome, asyncio.CancelledError), outcome

    async def leave(self) -> None:
        for client in {id(client): client for client in self._clients()}.values():
            await client.__aexit__(None, None, None)

    def _clients(self) -> list[Client]:
        return [client for client, _ in self.players] + [gambler.client for gambler in self.gamblers]

    async def _come(self, name: str) -> Witness:
        client = Witness(self.url, name)
        await client.__aenter__()
        return client

    def _do(self, play: Coroutine[Any, Any, None]) -> None:
        self._tasks.append(asyncio.create_task(play))


async def _play(room: RoomHandle, host: bool, random: Random) -> None:
    """Plays whatever the menu offers, buys new chips, and asks for the next match, for ever."""
    while True:
        seen = room.version
        try:
            await _one_move(room, host, random)
        except RefusedError as refused:
            if refused.code not in OUTRUN:
                raise
        if room.version == seen:
            with suppress(TimeoutError):
                await room.wait(lambda r, seen=seen: r.version > seen, timeout=0.2)


async def _one_move(room: RoomHandle, host: bool, random: Random) -> None:
    public_part = room.state["public"]
    if room.menu:
        calm = [offer for offer in room.menu if offer["action"]["type"] in CALM]
        await room.act(choose(calm or room.menu, random))
    elif public_part["phase"] == "ended" and host:
        await room.command("HOST_REMATCH")
    elif public_part["phase"] == "lobby":
        me = next(member for member in public_part["members"] if member["seat"] == room.seat)
        if not host and not me["ready"]:
            await room.command("PLAYER_READY_SET", ready=True)
        elif host and all(member["ready"] for member in public_part["members"] if member["id"] != public_part["host"]):
            await room.command("HOST_START_GAME")


@asynccontextmanager
async def company(server: Server, random: Random) -> AsyncIterator[Company]:
    everybody = Company(server.url)
    try:
        await everybody.sit_down(random)
        await everybody.go_on()
        yield everybody
    finally:
        await everybody.leave()


@contextmanager
def running(store: Path) -> Iterator[Server]:
    server = Server(store)
    server.start()
    try:
        yield server
    finally:
        server.end()


async def hold_every_promise(store: SqliteStore, everybody: Company) -> None:
    """What was acknowledged is there once, nothing is missing, and a replay is what was shown."""
    assert list(await store.check()) == []
    assert await store.total() == 0
    for code in {room.code for _, room in everybody.players}:
        stored = await store.records(table_name(code))
        assert [entry.version for entry in stored] == list(range(1, len(stored) + 1))
        log = [msgspec.json.decode(entry.record, type=Logged) for entry in stored]
        replayed = {room.version: room for room in steps(code, log, await store.secrets(table_name(code)))}
        for client, room in everybody.players:
            if room.code == code:
                await _hold_acknowledged(store, client, code, log)
                for (shown_code, version), (public_part, own) in client.shown.items():
                    assert shown_code == code
                    then = replayed[version]
                    assert _plain(public(then)) == public_part
                    assert _plain(part(then, then.viewer(client.player_id))) == own
    for gambler in everybody.gamblers:
        for command_id, (answer, _, _) in gambler.answers.items():
            done = await store.answer(f"casino:{gambler.client.player_id}", command_id)
            assert done is not None, f"{command_id} was answered and is gone"
            assert done.version == answer["version"]


async def _hold_acknowledged(store: SqliteStore, client: Witness, code: str, log: list[Logged]) -> None:
    versions = [version for version, _, _ in client.acknowledged.values()]
    assert len(set(versions)) == len(versions), "two commands were acknowledged as one version"
    for (_, command_id), (version, _, _) in client.acknowledged.items():
        done = await store.answer(table_name(code), f"{client.player_id}:{command_id}")
        assert done is not None, f"{command_id} was acknowledged and is gone"
        assert done.version == version
        assert log[version - 1].actor == client.player_id


def _plain(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


async def hold_retries(everybody: Company, random: Random) -> None:
    """Commands that were acknowledged before the last kill, asked again: the first answer, and nothing done."""
    for client, room in everybody.players:
        before = room.version
        (code, command_id), (version, kind, fields) = random.choice(sorted(client.acknowledged.items(), key=str))
        answer = await Client.request(client, kind, **fields)
        assert (answer["roomCode"], answer["version"]) == (code, version), command_id
        assert await Client.request(client, "ROOM_WATCH", roomCode=code) is not None
        assert room.version == before, "a command that is asked again is not done again"
    for gambler in everybody.gamblers:
        first, kind, fields = random.choice(list(gambler.answers.values()))
        again = await gambler.client.request(kind, **fields)
        assert {**again, "requestId": ""} == {**first, "requestId": ""}


async def kill_again_and_again(store: Path, times: int) -> None:
    random = Random(times)
    with running(store) as server:
        async with company(server, random) as everybody:
            for _ in range(times):
                await asyncio.sleep(random.uniform(0.0, 0.6))
                await asyncio.to_thread(server.kill)
                await asyncio.to_thread(server.start)
                await everybody.go_on()
            await everybody.stop_playing()
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            await asyncio.sleep(1.0)
            await hold_retries(everybody, random)
            assert all(client.reconnects > times for client, _ in everybody.players)
            assert all(room.checker.findings == [] for _, room in everybody.players)
            assert server.stop()[0] == 0
            kept = SqliteStore(store)
            await hold_every_promise(kept, everybody)
            await kept.close()
    assert "Traceback" not in server.log()


def test_a_server_killed_under_load_loses_nothing_acknowledged_and_does_nothing_twice(tmp_path: Path) -> None:
    asyncio.run(kill_again_and_again(tmp_path / "store.db", 5))


@pytest.mark.soak
def test_a_server_killed_fifty_times_loses_nothing_acknowledged_and_does_nothing_twice(tmp_path: Path) -> None:
    asyncio.run(kill_again_and_again(tmp_path / "store.db", 50))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_told_to_stop_stops_cleanly_and_the_turn_clock_goes_on_after_the_next_start(
    tmp_path: Path, number: signal.Signals
) -> None:
    async def go() -> None:
        with running(tmp_path / "store.db") as server:
            async with Client(server.url, nickname="Ann") as ann, Client(server.url, nickname="Bob") as bob:
                options = {**QUICK, "turnSeconds": 6, "bankSeconds": 0}
                host = await ann.create("sequence", preset="house", options=options)
                joined = await bob.join(host.code)
                await joined.command("PLAYER_READY_SET", ready=True)
                await host.command("HOST_START_GAME")
                await host.wait(lambda r: r.state["public"]["turn"] and not r.state["public"]["deals"][-1]["waitsFor"])
                before = host.state["public"]
                code, seconds = await asyncio.to_thread(server.stop, number)
                assert code == 0
                assert seconds < STOP_SECONDS_MAX
                await asyncio.to_thread(server.start)
                await host.wait(lambda r: ann.reconnects and r.version >= before["version"])
                if host.version == before["version"]:
                    assert host.state["public"]["deadlineMs"] == before["deadlineMs"]
                await host.wait(lambda r: r.version > before["version"], timeout=10)
                late = next(m for m in host.state["public"]["members"] if m["seat"] == before["turn"][0])
                assert late["missed"] == 1, "the clock played for who did not"
        kept = SqliteStore(tmp_path / "store.db")
        stored = await kept.records(table_name(host.code), before["version"])
        assert json.loads(stored[0].record)["command"]["type"] == "TABLE_DUE"
        assert stored[0].at_ms >= before["deadlineMs"]
        await kept.close()
        assert "Traceback" not in server.log()

    asyncio.run(go())


def refused_start(store: Path) -> str:
    """What a server that cannot use its store says."""
    told = subprocess.run(command(store), capture_output=True, text=True, env=environment(), timeout=60, check=False)
    assert told.returncode == 2
    assert "Traceback" not in told.stderr
    assert str(store) in told.stderr
    return told.stderr


def test_a_file_that_is_no_store_is_named_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("milk, bread, a deck of cards\n" * 100)
    refused_start(path)
    assert path.read_text().startswith("milk, bread")


def test_a_corrupt_store_is_named_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "store.db"

    async def fill() -> None:
        await SqliteStore(path).close()

    asyncio.run(fill())
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + bytes(len(whole) // 2))
    refused_start(path)


def test_a_read_only_store_is_named_at_the_start() -> None:
    # An ordinary user may not be able to read root's Python, so all that the start needs is loaded before.
    importlib.import_module("croupier.server.run")
    importlib.import_module("encodings.idna")
    with without_the_powers_of_root() as folder:
        path = folder / "store.db"
        asyncio.run(SqliteStore(path).close())
        path.chmod(0o400)
        folder.chmod(0o500)
        told = CliRunner().invoke(app, ["serve", "--store", f"sqlite:///{path}", "--port", "0"])
        folder.chmod(0o700)
    assert told.exit_code == 2
    assert str(path) in told.stderr


def test_a_full_store_refuses_and_keeps_nothing_half_and_goes_on_when_there_is_space(tmp_path: Path) -> None:
    async def go() -> None:
        with running(tmp_path / "store.db") as server:
            async with Client(server.url, nickname="Ann") as ann, Client(server.url, nickname="Bob") as bob:
                host = await ann.create("holdem", preset="cash", options=QUICK)
                joined = await bob.join(host.code)
                await joined.command("PLAYER_READY_SET", ready=True)
                unlimited = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
                log = tmp_path / "store.db-wal"
                resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (log.stat().st_size, unlimited[1]))
                before = host.version
                for client, kind, fields in (
                    (ann, "HOST_START_GAME", {"roomCode": host.code}),
                    (bob, "PLAYER_READY_SET", {"roomCode": host.code, "ready": False}),
                    (bob, "ROOM_CREATE", {"game": "sequence"}),
                    (bob, "BLACKJACK_GET_STATE", {}),
                ):
                    ids = {} if kind == "BLACKJACK_GET_STATE" else {"commandId": f"full {kind}"}
                    with pytest.raises(RefusedError) as told:
                        await client.request(kind, **fields, **ids)
                    assert told.value.code == "STORE_FAILED"
                with pytest.raises(RefusedError, match="STORE_FAILED"):
                    async with Client(server.url, nickname="Cid"):
                        pass
                assert host.version == before, "what is not stored is not told"
                resource.prlimit(server.pid, resource.RLIMIT_FSIZE, unlimited)
                assert await host.command("HOST_START_GAME") == before + 1
                await host.wait(lambda r: r.menu or joined.menu)
            assert (await asyncio.to_thread(server.stop))[0] == 0
        kept = SqliteStore(tmp_path / "store.db")
        assert list(await kept.check()) == []
        assert await kept.total() == 0
        assert len(await kept.tables(prefix=table_name(""))) == 1
        await kept.close()

    asyncio.run(go())

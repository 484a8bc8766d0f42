"""People who play on servers that fail, write down what they were told, and hold the store to it."""

import asyncio
import json
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from random import Random
from typing import Any

import msgspec

from croupier.clients.connection import Client, RefusedError
from croupier.clients.room_handle import RoomHandle
from croupier.server.room import table_name
from croupier.store.port import Store
from croupier.table.apply import steps
from croupier.table.log import Logged
from croupier.table.roomview import part, public
from croupier.wire.log import read_log
from tests.server.live import choose

QUICK = {"pauseSeconds": 0, "turnSeconds": 600}
ROOMS = (("poker", "cash", 0), ("poker", "holdem", 1), ("sequence", "house", 0), ("blackjack", "trainer", 0))
"""Game, preset, and how many bots sit with the two people."""
OUTRUN = {"STALE_VERSION", "NOT_YOUR_TURN", "ROUND_OVER", "NOT_PLAYING", "NOT_IN_LOBBY", "NOT_EVERYBODY_READY"}
"""Why a player who is a little late is rightly refused."""
STORELESS = {"STORE_FAILED", "BUSY"}
"""Why a player is refused while a server has no store: then it may have been done or not, and is asked again."""
CALM = {"HOLDEM_CHECK", "HOLDEM_CALL", "HOLDEM_MUCK"}
"""Chosen first, so that chips last."""


class Witness(Client):
    """A client that writes down what it was told: every acknowledged command, and every state."""

    def __init__(self, urls: Sequence[str], name: str) -> None:
        super().__init__(urls, nickname=name, hears=self._hear)
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
            state = await self._insist(kind, fields)
            self.answers[fields["commandId"]] = state, kind, fields
            await asyncio.sleep(0.01)

    async def _insist(self, kind: str, fields: dict[str, Any]) -> Any:
        while True:
            try:
                return await self.client.request(kind, **fields)
            except TimeoutError:
                continue
            except RefusedError as refused:
                if refused.code not in STORELESS:
                    raise
            await asyncio.sleep(0.1)


class Crowd:
    """Everybody who plays on some servers, for as long as the test goes on."""

    def __init__(self, urls: Sequence[str], goes_on_seconds_max: float) -> None:
        self._urls = urls
        self._goes_on_seconds_max = goes_on_seconds_max
        self._come_so_far = 0
        self.players: list[tuple[Witness, RoomHandle]] = []
        self.gamblers: list[Gambler] = []
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def versions(self) -> dict[str, int]:
        """How far every room and session has come, as all of its players know."""
        rooms: dict[str, int] = {}
        for _, room in self.players:
            rooms[room.code] = min(room.version, rooms.get(room.code, room.version))
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
                self._do(play_on(room, room is host, Random(random.random())))
        for number in range(2):
            self.gamblers.append(Gambler(await self._come(f"gambler {number}")))
            self._do(self.gamblers[-1].play())

    async def wait_for_progress(self) -> float:
        """Waits until every room and session is further than it was: how many seconds that took."""
        before, began = self.versions, asyncio.get_running_loop().time()
        while late := [place for place, version in self.versions.items() if version <= before[place]]:
            seconds = asyncio.get_running_loop().time() - began
            assert seconds < self._goes_on_seconds_max, f"after {seconds:.1f} s these do not go on: {late}"
            await asyncio.sleep(0.02)
            self.hold()
        return asyncio.get_running_loop().time() - began

    def hold(self) -> None:
        """Raises what went wrong with a player."""
        for task in self._tasks:
            if task.done():
                task.result()

    def at(self, url: str) -> int:
        """How many are connected there."""
        return sum(client.url == url for client in self._clients())

    async def rest(self) -> None:
        """Waits until everybody is back, and nothing more comes of what was done before."""
        for client in self._clients():
            await client.request("ROOM_LIST")
        before = None
        while before != (before := self.versions):
            await asyncio.sleep(1.0)

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
        # The first of the addresses is another one for each, so that people who play together are on different nodes.
        first = self._come_so_far % len(self._urls)
        self._come_so_far += 1
        client = Witness([*self._urls[first:], *self._urls[:first]], name)
        await client.__aenter__()
        return client

    def _do(self, play: Coroutine[Any, Any, None]) -> None:
        self._tasks.append(asyncio.create_task(play))


async def play_on(room: RoomHandle, host: bool, random: Random) -> None:
    """Plays whatever the menu offers, buys new chips, and asks for the next match, for ever."""
    while True:
        seen = room.version
        try:
            await _one_move(room, host, random)
        except RefusedError as refused:
            if refused.code not in OUTRUN | STORELESS:
                raise
        except TimeoutError:
            continue
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


async def hold_every_promise(store: Store, everybody: Crowd) -> None:
    """What was acknowledged is there once, nothing is missing, and a replay is what was shown."""
    assert list(await store.check()) == []
    assert await store.total() == 0
    for code in {room.code for _, room in everybody.players}:
        stored = await store.records(table_name(code))
        assert [entry.version for entry in stored] == list(range(1, len(stored) + 1))
        log = list(read_log(entry.record for entry in stored))
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


async def _hold_acknowledged(store: Store, client: Witness, code: str, log: list[Logged]) -> None:
    versions = [version for version, _, _ in client.acknowledged.values()]
    assert len(set(versions)) == len(versions), "two commands were acknowledged as one version"
    for (_, command_id), (version, _, _) in client.acknowledged.items():
        done = await store.answer(table_name(code), f"{client.player_id}:{command_id}")
        assert done is not None, f"{command_id} was acknowledged and is gone"
        assert done.version == version
        assert log[version - 1].actor == client.player_id


def _plain(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


async def hold_retries(everybody: Crowd, random: Random) -> None:
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

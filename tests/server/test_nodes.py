"""Two servers on one database: whoever plays where, it is one game, one chat, one list, one purse."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from croupier.clients.connection import Client, RefusedError
from croupier.clients.room_handle import RoomHandle
from croupier.games.blackjack.casino.step import wallet
from croupier.server.messages import PEOPLE_TOLD_MAX, Here
from croupier.server.nodes import BEAT_SECONDS, SILENT_BEATS_MAX
from croupier.server.room import table_name
from croupier.store.limits import MESSAGE_BYTES_MAX
from croupier.store.postgres import PostgresStore
from croupier.store.single_node import silence
from croupier.store.sqlite import SqliteStore
from croupier.table.commands import DealCut
from croupier.table.log import Logged
from croupier.wire.casino import CHIP_UNITS
from croupier.wire.log import read_log
from tests.server.live import Live, live, play
from tests.store.database import schema_of, shared_server

QUICK = {"pauseSeconds": 0, "turnSeconds": 60, "bankSeconds": 0}
SECONDS_MAX = 60.0


class Nodes:
    """Servers that share a database, and a look into it."""

    def __init__(self, store: PostgresStore, servers: list[Live]) -> None:
        self.store = store
        self.servers = servers

    async def log(self, code: str) -> list[Logged]:
        stored = await self.store.records(table_name(code))
        assert [entry.version for entry in stored] == list(range(1, len(stored) + 1))
        return list(read_log(entry.record for entry in stored))


@asynccontextmanager
async def nodes(folder: Path, *kinds: type[PostgresStore], **settings: Any) -> AsyncIterator[Nodes]:
    """A server for each kind of store, all on one database that is sound afterwards."""
    url = shared_server().url(schema_of(folder))
    async with AsyncExitStack() as stack:
        stores = [kind(url) for kind in (PostgresStore, *(kinds or (PostgresStore, PostgresStore)))]
        for store in stores:
            stack.push_async_callback(store.close)
        servers = [await stack.enter_async_context(live(store, **settings)) for store in stores[1:]]
        async with asyncio.timeout(SECONDS_MAX):
            yield Nodes(stores[0], servers)
        assert list(await stores[0].check()) == []
        assert await stores[0].total() == 0


async def heard(client: Client, kind: str, **fields: Any) -> Any:
    """The next frame of that kind, with those fields."""
    while True:
        frame = await client.said.get()
        if frame["type"] == kind and fields.items() <= frame.items():
            return frame


async def begin(host: RoomHandle, *others: RoomHandle) -> None:
    for other in others:
        await other.command("PLAYER_READY_SET", ready=True)
    await host.command("HOST_START_GAME")


class Spectator:
    """Somebody who writes down what is told: the public part and the events of every version."""

    def __init__(self, server: Live) -> None:
        self.told: list[tuple[int, Any, Any]] = []
        self.client = server.client("Spectator", hears=self._hear)

    def _hear(self, text: str) -> None:
        frame = json.loads(text)
        if frame["type"] == "ROOM_STATE":
            self.told.append((frame["public"]["version"], frame["public"], frame["events"]))

    def between(self, begun: int, last: int) -> list[tuple[int, Any, Any]]:
        return [each for each in self.told if begun < each[0] <= last]


@pytest.mark.parametrize("game", ["poker", "sequence", "blackjack"])
def test_players_on_different_nodes_see_the_same_game_step_by_step(tmp_path: Path, game: str) -> None:
    async def run() -> None:
        async with nodes(tmp_path) as both, AsyncExitStack() as stack:
            first, second = both.servers
            ann = await stack.enter_async_context(first.client("Ann"))
            bob = await stack.enter_async_context(second.client("Bob"))
            spectators = [Spectator(server) for server in (first, second)]
            rooms = [await ann.create(game, options=QUICK)]
            rooms.append(await bob.join(rooms[0].code))
            seats = []
            for spectator in spectators:
                await stack.enter_async_context(spectator.client)
                seats.append(await spectator.client.join(rooms[0].code, watch=True))
            begun = rooms[0].version + 4
            await begin(*rooms)

            def until(room: RoomHandle) -> bool:
                return bool(room.state["public"]["hand"] > 3 or room.phase == "ended" or room.version > 150)

            await asyncio.gather(*(play(room, Random(number), until) for number, room in enumerate(rooms)))
            log = await both.log(rooms[0].code)
            cuts = {version for version, logged in enumerate(log, start=1) if isinstance(logged.command, DealCut)}
            last = max(version for version in range(1, len(log) + 1) if version not in cuts)
            for room in (*rooms, *seats):
                await room.wait(lambda r: r.version >= last)
            told = [spectator.between(begun, last) for spectator in spectators]
            assert told[0] == told[1]
            versions = [version for version, _, _ in told[0]]
            silent = set(range(versions[0], last + 1)) - set(versions)
            assert silent <= cuts, "every step is told, one by one, but for a cut while others are awaited"
            assert versions == sorted(set(versions))
            assert any(events for _, _, events in told[0])
            assert rooms[0].checker.findings == rooms[1].checker.findings == []

    asyncio.run(run())


def test_a_command_that_another_node_outran_is_done_after_the_others(tmp_path: Path) -> None:
    async def run() -> None:
        async with nodes(tmp_path) as both, both.servers[0].client("Ann") as ann, both.servers[1].client("Bob") as bob:
            host = await ann.create("sequence", options=QUICK)
            guest = await bob.join(host.code)
            before = len(await both.log(host.code))

            async def toggle(room: RoomHandle) -> list[int]:
                return [await room.command("PLAYER_READY_SET", ready=number % 2 == 0) for number in range(20)]

            done = await asyncio.gather(toggle(host), toggle(guest))
            assert sorted(done[0] + done[1]) == list(range(before + 1, before + 41)), "each is one version of its own"

    asyncio.run(run())


def test_of_two_nodes_that_move_on_one_version_of_the_game_one_is_told_that_it_is_stale(tmp_path: Path) -> None:
    async def run() -> None:
        async with nodes(tmp_path) as both, both.servers[0].client("Ann") as ann, both.servers[1].client("Bob") as bob:
            host = await ann.create("sequence", options=QUICK)
            guest = await bob.join(host.code)
            await begin(host, guest)
            for room in (host, guest):
                await room.wait(lambda r: r.state["public"]["turn"])
            mine = host if host.menu else guest
            me, other_node = (ann, both.servers[1]) if mine is host else (bob, both.servers[0])
            async with Client(other_node.url, token=me.token) as me_too:
                elsewhere = await me_too.watch(host.code)
                # The store says that this player is there, too; both nodes have heard of it.
                await mine.wait(lambda r: r.version == elsewhere.version)
                action, version = mine.menu[0]["action"], mine.version
                outcomes = await asyncio.gather(
                    mine.act(action, version), elsewhere.act(action, version), return_exceptions=True
                )
            refused = [outcome for outcome in outcomes if isinstance(outcome, RefusedError)]
            assert [refusal.code for refusal in refused] == ["STALE_VERSION"]
            assert sum(isinstance(outcome, int) for outcome in outcomes) == 1

    asyncio.run(run())


def test_a_deadline_that_two_nodes_keep_is_kept_once(tmp_path: Path) -> None:
    async def run() -> None:
        async with nodes(tmp_path) as both, both.servers[0].client("Ann") as ann, both.servers[1].client("Bob") as bob:
            host = await ann.create("sequence", options={**QUICK, "turnSeconds": 3})
            guest = await bob.join(host.code)
            await begin(host, guest)
            await host.wait(lambda r: r.state["public"]["turn"])
            # Without a word from the other, each node believes that it is the first to keep the clock.
            for server in both.servers:
                (await _actor(server, host.code))._connected.elsewhere = {}
            await host.wait(lambda r: sum(m["missed"] for m in r.state["public"]["members"]) >= 2, timeout=30)
            await guest.wait(lambda r: r.version >= host.version)
            missed = [m["missed"] for m in host.state["public"]["members"]]
            log = await both.log(host.code)
            clock = [logged for logged in log[: host.version] if logged.actor == ""]
            assert len(clock) == sum(missed)

    asyncio.run(run())


def test_bots_on_two_nodes_move_once(tmp_path: Path) -> None:
    async def run() -> None:
        async with (
            nodes(tmp_path, bot_delay_seconds=0.01) as both,
            both.servers[0].client("Ann") as ann,
            both.servers[1].client("Bob") as bob,
        ):
            host = await ann.create("poker", options=QUICK)
            watcher = await bob.join(host.code, watch=True)
            await host.command("HOST_ADD_BOT")
            await host.command("HOST_ADD_BOT")
            await host.command("PLAYER_SWITCH_TO_SPECTATOR")
            await host.command("HOST_START_GAME")
            for room in (host, watcher):
                await room.wait(lambda r: r.state["public"]["hand"] > 5 or r.phase == "ended", timeout=40)
            await both.log(host.code)

    asyncio.run(run())


async def _actor(server: Live, code: str) -> Any:
    return await server.server.lobby.room(code)


def test_chat_reactions_and_presence_cross_nodes(tmp_path: Path) -> None:
    async def run() -> None:
        async with nodes(tmp_path) as both, both.servers[0].client("Ann") as ann:
            host = await ann.create("poker")
            async with both.servers[1].client("Bob") as bob:
                await bob.join(host.code)
                everybody = sorted((ann.player_id, bob.player_id))
                for client in (ann, bob):
                    await heard(client, "PRESENCE", connected=everybody)
                await bob.request("CHAT_SEND", text="hello 안녕", roomCode=host.code)
                for client in (ann, bob):
                    said = await heard(client, "CHAT_SAID")
                    assert (said["text"], said["member"]) == ("hello 안녕", bob.player_id)
                await ann.request("REACTION_SEND", reaction="🎉", roomCode=host.code)
                for client in (ann, bob):
                    assert (await heard(client, "REACTION_SHOWN"))["member"] == ann.player_id
            await heard(ann, "PRESENCE", connected=[ann.player_id])

    asyncio.run(run())


def test_people_of_a_node_that_died_are_gone_after_a_while(tmp_path: Path) -> None:
    class Dying(PostgresStore):
        alive = True

        async def tell(self, message: str) -> None:
            if self.alive:
                await super().tell(message)

    async def run() -> None:
        async with (
            nodes(tmp_path, PostgresStore, Dying) as both,
            both.servers[0].client("Ann") as ann,
            both.servers[1].client("Bob") as bob,
        ):
            host = await ann.create("poker")
            await bob.join(host.code)
            everybody = sorted((ann.player_id, bob.player_id))
            await heard(ann, "PRESENCE", connected=everybody)
            Dying.alive = False
            async with asyncio.timeout(BEAT_SECONDS * (SILENT_BEATS_MAX + 6)):
                await heard(ann, "PRESENCE", connected=[ann.player_id])
            Dying.alive = True
            async with asyncio.timeout(BEAT_SECONDS * 6):
                await heard(ann, "PRESENCE", connected=everybody)

    asyncio.run(run())


def test_rooms_are_listed_on_every_node_and_a_restarted_command_is_known_on_every_node(tmp_path: Path) -> None:
    async def run() -> None:
        async with nodes(tmp_path) as both, both.servers[0].client("Ann") as ann:
            host = await ann.create("poker", options={"listed": True})
            command = {"roomCode": host.code, "commandId": "the same", "bot": ""}
            done = await ann.request("HOST_ADD_BOT", **command)
            async with Client(both.servers[1].url, token=ann.token) as elsewhere:
                listing = await elsewhere.request("ROOM_LIST")
                assert [(room["roomCode"], room["players"]) for room in listing["rooms"]] == [(host.code, 2)]
                again = await elsewhere.request("HOST_ADD_BOT", **command)
                assert again["version"] == done["version"]
                created = await elsewhere.request("ROOM_CREATE", commandId="a room", game="sequence")
                same = await ann.request("ROOM_CREATE", commandId="a room", game="sequence")
                assert created["roomCode"] == same["roomCode"]

    asyncio.run(run())


class Deaf(PostgresStore):
    """A store that is never told what others wrote."""

    def changes(self) -> Any:
        return silence(self._closing)


def test_a_node_that_hears_no_hint_follows_by_looking(tmp_path: Path) -> None:
    async def run() -> None:
        async with (
            nodes(tmp_path, Deaf, Deaf) as both,
            both.servers[0].client("Ann") as ann,
            both.servers[1].client("Bob") as bob,
        ):
            host = await ann.create("poker")
            guest = await bob.join(host.code)
            await host.wait(lambda r: len(r.state["public"]["members"]) == 2)
            version = await host.command("HOST_ADD_BOT")
            await guest.wait(lambda r: r.version >= version, timeout=10 * BEAT_SECONDS)

    asyncio.run(run())


def test_who_comes_from_another_node_is_not_shown_less_than_they_know(tmp_path: Path) -> None:
    async def run() -> None:
        async with nodes(tmp_path, Deaf, Deaf) as both, both.servers[0].client("Ann") as ann:
            host = await ann.create("poker")
            await _actor(both.servers[1], host.code)
            version = await host.command("HOST_ADD_BOT")
            async with Client(both.servers[1].url, token=ann.token) as elsewhere:
                elsewhere.handle(host.code).state = host.state
                room = await elsewhere.watch(host.code)
                assert room.version >= version
            async with both.servers[0].client("Bob") as bob:
                await bob.join(host.code)
                async with Client(both.servers[1].url, token=bob.token) as back:
                    assert (await back.watch(host.code)).seat is not None

    asyncio.run(run())


def test_two_processes_on_one_file_follow_each_other_too(tmp_path: Path) -> None:
    async def run() -> None:
        stores = [SqliteStore(tmp_path / "rooms.db") for _ in range(2)]
        async with live(stores[0]) as first, live(stores[1]) as second, first.client("Ann") as ann:
            host = await ann.create("poker")
            async with second.client("Bob") as bob:
                await bob.join(host.code)
                await host.wait(lambda r: len(r.state["public"]["members"]) == 2, timeout=10 * BEAT_SECONDS)
        for store in stores:
            await store.close()

    asyncio.run(run())


def test_a_round_against_the_house_goes_on_on_another_node(tmp_path: Path) -> None:
    async def run() -> None:
        async with (
            nodes(tmp_path) as both,
            both.servers[0].client("Ann") as ann,
            Client(both.servers[1].url, token=ann.token) as elsewhere,
        ):
            here, there = ann, elsewhere
            state = await here.request("BLACKJACK_GET_STATE")
            for number in range(30):
                here, there = there, here
                shown = await here.request("BLACKJACK_GET_STATE")
                told = ("version", "balance", "status", "playerHands", "dealerHand", "roundId")
                assert {name: shown[name] for name in told} == {name: state[name] for name in told}
                ids = {"commandId": f"c{number}", "expectedVersion": state["version"]}
                if state["status"] in ("betting", "cashed_out"):
                    bet = {"amount": 10, "clientSeed": "a seed of mine", "gameParams": {"blackjack": {}}}
                    state = await here.request("PLACE_BET", **bet, **ids)
                elif state["canInsure"]:
                    state = await here.request("BLACKJACK_INSURANCE", take=False, **ids)
                else:
                    state = await here.request("BLACKJACK_STAND", **ids)
                units = await both.store.balance(wallet(ann.player_id))
                assert units == CHIP_UNITS * state["balance"]

    asyncio.run(run())


def test_every_node_has_a_classroom_and_all_rounds_are_in_one_log(tmp_path: Path) -> None:
    async def run() -> None:
        async with nodes(tmp_path) as both:
            for _ in range(2):
                for server in both.servers:
                    async with server.client("Dealer") as dealer, server.client("Pupil") as pupil:
                        await dealer.request("CLASSROOM_JOIN", name="Dealer", dealerKey="the key")
                        await pupil.request("CLASSROOM_JOIN", name="Pupil")
                        await dealer.request("CLASSROOM_START_ROUND")
                        with suppress(RefusedError):  # a blackjack, and the round is over
                            await pupil.request("CLASSROOM_STAND")
                        with suppress(RefusedError):
                            await dealer.request("CLASSROOM_STAND")
                        await dealer.request("CLASSROOM_LEAVE")
            lines = [json.loads(stored.record) for stored in await both.store.records("classroom")]
            contexts = {json.dumps(line["proofs"][0]["context"], sort_keys=True) for line in lines}
            assert len(lines) == len(contexts) == 4, "no two packs were committed to under one name"

    asyncio.run(run())


def test_what_is_told_of_people_fits_into_one_message() -> None:
    people = tuple(f"{number:016x}" for number in range(PEOPLE_TOLD_MAX))
    assert len(msgspec.json.encode(Here("01234567", {"ABCDEF": people}))) < MESSAGE_BYTES_MAX


def test_a_casino_session_is_shown_at_every_node_where_its_player_looks(tmp_path: Path) -> None:
    async def run() -> None:
        async with (
            nodes(tmp_path) as both,
            both.servers[0].client("Ann") as ann,
            both.servers[1].client("", token=ann.token) as again,
        ):
            state = await ann.request("BLACKJACK_GET_STATE")
            await again.request("BLACKJACK_GET_STATE")
            fields = {"amount": 10, "clientSeed": "a seed of mine", "gameParams": {"blackjack": {}}}
            told = await ann.request("PLACE_BET", **fields, commandId="bet", expectedVersion=state["version"])
            shown = await heard(again, "BLACKJACK_GAME_STATE", version=told["version"], status=told["status"])
            alike = ("status", "playerHands", "dealerHand", "balance", "clientSeed", "nonce", "menu")
            assert [shown[name] for name in alike] == [told[name] for name in alike]

    asyncio.run(run())

"""What the first release wrote opens, goes on and verifies: its store on SQLite and PostgreSQL, and its records.

`tests/fixtures/release_1` says how the files were made. The people come back with their tokens to a real server.
"""

import asyncio
import gzip
import json
import tomllib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner
from websockets.asyncio.client import ClientConnection, connect

from croupier.cli import app
from croupier.clients.alarm import AlarmError
from croupier.clients.connection import Client, RefusedError
from croupier.clients.room_handle import RoomHandle
from croupier.dealing.seeds import commitment
from croupier.store.export import export_store, import_store
from croupier.store.open import open_store
from croupier.store.port import Store, Stored
from croupier.table.commands import Play
from croupier.wire.log import read_entry
from croupier.wire.records import verify
from tests.server.crowd import play_on
from tests.server.live import Live, choose, live
from tests.store.database import schema_of, shared_server
from tests.store.release_facts import of_record, of_room, of_session, of_view

FILES = Path(__file__).parents[1] / "fixtures" / "release_1"
FACTS = json.loads((FILES / "facts.json").read_text(encoding="utf-8"))
PEOPLE = json.loads((FILES / "people.json").read_text(encoding="utf-8"))["people"]
VERDICTS = json.loads((FILES / "verify.json").read_text(encoding="utf-8"))
ROOMS = FACTS["rooms"]
ROOM_FACTS = ("preset", "phase", "paused", "hand", "turn", "payouts", "seats", "host", "members")
IN_LATIN = {"Dima": "Дима"}
"""Of names that no file should have."""
YEAR_MS = 365 * 24 * 3600 * 1000
TURNS_ENOUGH = 6
"""Of a game of Sequence, which would take long to its end."""
GOES_ON_SECONDS_MAX = 30.0


async def _sqlite(folder: Path) -> str:
    """A copy of the store as it was kept."""
    file = folder / "store.db"
    file.write_bytes(gzip.decompress((FILES / "store.db.gz").read_bytes()))
    return f"sqlite:///{file}"


async def _postgres(folder: Path) -> str:
    """The same, moved."""
    moved, url = folder / "moved.jsonl", shared_server().url(schema_of(folder))
    await export_store(await _sqlite(folder), moved)
    await import_store(moved, url)
    return url


STORES = {"sqlite": _sqlite, "postgresql": _postgres}


@asynccontextmanager
async def _opened(url: str, clock_ms: Callable[[], int]) -> AsyncIterator[tuple[Store, Live]]:
    """The store in service. What it held before is still there at the end, and no chip came or went."""
    store = open_store(url, create=False)
    try:
        kept = await _records(store)
        async with live(store, clock_ms=clock_ms) as server:
            yield store, server
        now = await _records(store)
        assert {table: now[table][: len(records)] for table, records in kept.items()} == kept
        assert (list(await store.check()), await store.total()) == ([], 0)
    finally:
        await store.close()


async def _records(store: Store) -> dict[str, list[Stored]]:
    return {row.table: list(await store.records(row.table)) for row in await store.tables(only_open=False)}


class Talk:
    """A connection that says and hears no more than asked: it cuts no deal."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._ids = count(1)

    async def ask(self, kind: str, **fields: Any) -> Any:
        """The answer to a request."""
        request_id = f"r{next(self._ids)}"
        await self._socket.send(json.dumps({"type": kind, "requestId": request_id, **fields}))
        answer = await self._heard(lambda frame: frame.get("requestId") == request_id)
        assert answer["type"] != "ERROR", answer
        return answer

    async def command(self, kind: str, **fields: Any) -> Any:
        return await self.ask(kind, commandId=f"after the release {next(self._ids)}", **fields)

    async def watch(self, code: str) -> Any:
        """The room as it is now."""
        await self._socket.send(json.dumps({"type": "ROOM_WATCH", "roomCode": code, "requestId": "watch"}))
        return await self._heard(lambda frame: frame["type"] == "ROOM_STATE" and frame["public"]["roomCode"] == code)

    async def _heard(self, wanted: Callable[[Any], bool]) -> Any:
        async with asyncio.timeout(10):
            while True:
                frame = json.loads(await self._socket.recv())
                if wanted(frame):
                    return frame


@asynccontextmanager
async def _come_back(server: Live, name: str) -> AsyncIterator[Talk]:
    async with connect(server.url, max_size=None) as socket:
        talk = Talk(socket)
        welcome = await talk.ask("HELLO", token=PEOPLE[name]["token"])
        assert (welcome["playerId"], welcome["nickname"]) == (PEOPLE[name]["id"], name)
        yield talk


@pytest.mark.parametrize("kind", STORES)
def test_every_room_session_and_chip_is_as_it_was_and_the_next_act(tmp_path: Path, kind: str) -> None:
    async def go(url: str) -> None:
        async with _opened(url, lambda: FACTS["atMs"]) as (store, server):
            rows = await store.tables(only_open=False)
            assert {row.table: row.version for row in rows} == FACTS["tables"]
            for account, chips in FACTS["accounts"].items():
                assert (account, await store.balance(account)) == (account, chips)
            await _hold_rooms(server)
            await _hold_downloads(server)
            await _hold_sessions(server)
            for row in await store.tables(only_open=False):
                # A room that nobody is connected to any more sleeps, and several nodes tell each other who came back.
                new = await store.records(row.table, FACTS["tables"][row.table])
                assert {read_entry(stored.record).command.tag for stored in new} <= {
                    "TABLE_SLEEP",
                    "TABLE_WAKE",
                    "PLAYER_BACK",
                }
            await _next_act(store, server)

    url = asyncio.run(STORES[kind](tmp_path))
    assert CliRunner().invoke(app, ["store", "check", url]).exit_code == 0
    asyncio.run(go(url))


async def _hold_rooms(server: Live) -> None:
    for name, room in ROOMS.items():
        for person, seen in room["seen"].items():
            async with _come_back(server, person) as talk:
                state = await talk.watch(room["code"])
            assert of_room(state["public"]) == {fact: room[fact] for fact in ROOM_FACTS}, name
            assert of_view(room["game"], state["you"]) == seen, (name, person)


async def _hold_sessions(server: Live) -> None:
    for name, session in FACTS["casino"].items():
        async with _come_back(server, name) as talk:
            assert of_session(await talk.ask("BLACKJACK_GET_STATE")) == session, name


async def _hold_downloads(server: Live) -> None:
    """Records and hands tell of every round the same as before."""
    for file in sorted((FILES / "records").iterdir()):
        name, _, viewer = file.stem.partition("-")
        if not viewer or name == "forged":
            continue
        person = IN_LATIN.get(viewer, viewer)
        text = file.read_text(encoding="utf-8")
        if name == "casino":
            found = await _download(server, "casino/records.jsonl", person)
        else:
            path = f"rooms/{ROOMS[name]['code']}/{'records.jsonl' if file.suffix == '.jsonl' else 'hands.phhs'}"
            found = await _download(server, path, "" if viewer == "spectator" else person)
        if file.suffix == ".jsonl":
            kept = _rounds(text)
            assert _rounds(found)[: len(kept)] == kept, file.name
        else:
            hands = tomllib.loads(found)
            for number, hand in tomllib.loads(text).items():
                assert {field: hands[number][field] for field in hand} == hand, file.name


async def _download(server: Live, path: str, person: str = "") -> str:
    headers = {"authorization": f"Bearer {PEOPLE[person]['token']}"} if person else {}
    # Making a context for TLS, which is not used, would take longer than all the rest.
    async with httpx.AsyncClient(base_url=server.link, headers=headers, verify=False) as web:
        answer = await web.get(f"/api/{path}")
    assert answer.status_code == 200, answer.text
    return answer.text


def _rounds(lines: str) -> list[dict[str, Any]]:
    entries = map(json.loads, lines.splitlines())
    return [of_record(entry) for entry in entries if entry["format"] != "croupier-table-1"]


async def _next_act(store: Store, server: Live) -> None:
    """In every room where it is somebody's turn they act on what they see; a pause is ended first."""
    acted = 0
    for name, room in ROOMS.items():
        for member in room["members"]:
            if member["bot"] or member["seat"] not in room["turn"]:
                continue
            async with _come_back(server, member["name"]) as talk:
                if room["paused"]:
                    async with _come_back(server, _named(room["host"])) as host:
                        await host.command("HOST_RESUME", roomCode=room["code"])
                state = await talk.watch(room["code"])
                action = choose(state["you"]["menu"], Random(name))
                kind, version = action.pop("type"), state["public"]["version"]
                answer = await talk.command(kind, roomCode=room["code"], expectedVersion=version, **action)
                new = await store.records(f"room:{room['code']}", version)
                *before, done = [
                    read_entry(stored.record).command for stored in new if stored.version <= answer["version"]
                ]
                # A room that fell asleep while nobody was there is woken first; else nothing comes in between.
                assert [command.tag for command in before] in ([], ["TABLE_WAKE"]), name
                assert isinstance(done, Play), name
                acted += 1
    assert acted == sum(len(room["turn"]) for room in ROOMS.values())


def _named(person: str) -> str:
    return next(name for name, known in PEOPLE.items() if known["id"] == person)


def test_a_year_later_every_room_goes_on_and_a_next_round_is_played_to_its_end(tmp_path: Path) -> None:
    async def go() -> None:
        begun = asyncio.get_running_loop().time()

        def clock_ms() -> int:
            return FACTS["atMs"] + YEAR_MS + int(1000 * (asyncio.get_running_loop().time() - begun))

        async with _opened(await _sqlite(tmp_path), clock_ms) as (_, server), AsyncExitStack() as stack:
            people = {}
            for name, person in PEOPLE.items():
                people[name] = await stack.enter_async_context(Client(server.url, token=person["token"]))
            async with asyncio.timeout(GOES_ON_SECONDS_MAX):
                await asyncio.gather(*(_goes_on(name, people) for name in ROOMS))
            for name, room in ROOMS.items():
                for person in ("", _named(room["host"])):
                    lines = await _download(server, f"rooms/{room['code']}/records.jsonl", person)
                    assert verify(lines.splitlines()).findings == (), (name, person)

    asyncio.run(go())


async def _goes_on(name: str, people: dict[str, Client]) -> None:
    """Everybody in the room plays until it has come far enough."""
    room = ROOMS[name]
    host = _named(room["host"])
    handles = {person: await people[person].watch(room["code"]) for person in room["seen"]}
    if room["paused"]:
        await handles[host].command("HOST_RESUME")
    tasks = [asyncio.create_task(_play(h, person == host, Random(name))) for person, h in handles.items()]
    far = asyncio.create_task(_come_far(room, handles[host]))
    try:
        done, _ = await asyncio.wait((far, *tasks), return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    except TimeoutError:
        raise AssertionError(f"{name} does not go on: {handles[host].state['public']}") from None
    finally:
        for task in (far, *tasks):
            task.cancel()


async def _play(handle: RoomHandle, hosts: bool, random: Random) -> None:
    """Plays on; a hand that the first release dealt proves nothing, so its player is warned and puts no chip in."""
    while True:
        await handle.wait(lambda room: room.alarms or _is_new(room) or room.menu, 60)
        if handle.alarms:
            assert [alarm.code for alarm in handle.alarms] == ["SCHEME_OLD"]
            await handle.accept_alarms()
        elif _is_new(handle):
            await play_on(handle, hosts, random)
            return
        else:
            await _act_without_chips(handle)


def _is_new(handle: RoomHandle) -> bool:
    public = handle.state["public"]
    return public["scheme"] == "cut-2" or public["phase"] != "playing"


async def _act_without_chips(handle: RoomHandle) -> None:
    version = handle.version
    for offer in handle.menu:
        with suppress(AlarmError, RefusedError):
            await handle.act(offer["action"], version)
            break
    await handle.wait(lambda room: room.version > version or room.alarms, 60)


async def _come_far(room: dict[str, Any], handle: RoomHandle) -> None:
    while True:
        with suppress(AlarmError):
            await handle.wait(lambda handle: _came_far(room, handle), GOES_ON_SECONDS_MAX)
            return
        await asyncio.sleep(0.05)


def _came_far(room: dict[str, Any], handle: RoomHandle) -> bool:
    """A round that this code dealt is over; of a game that takes long, many turns were taken."""
    public = handle.state["public"]
    newer = public["hand"] - room["hand"]
    if room["game"] == "sequence":
        before = next(iter(room["seen"].values())).get("turnNumber", 0) if not newer else 0
        going = room["phase"] == "playing" or newer > 0
        return going and bool(handle.view) and int(handle.view["turnNumber"]) >= before + TURNS_ENOUGH
    return newer > 1 or (newer == 1 and public["payouts"] is not None)


def test_casino_sessions_go_on_and_reveal_the_seeds_that_were_committed_to(tmp_path: Path) -> None:
    async def go() -> None:
        async with _opened(await _sqlite(tmp_path), lambda: FACTS["atMs"]) as (_, server):
            for name, session in FACTS["casino"].items():
                async with _come_back(server, name) as talk:
                    await _finish(talk, await talk.ask("BLACKJACK_GET_STATE"))
                    await _bet(talk, "a seed after the release")
                    assert await _rotate(talk) == (session["hash"], session["nextHash"]), name
                    await _bet(talk, "a seed after the rotation")
                    revealed, _ = await _rotate(talk)
                    assert revealed == session["nextHash"], name
                lines = (await _download(server, "casino/records.jsonl", name)).splitlines()
                assert len(lines) == session["round"] + 2
                assert verify(lines).findings == (), name

    asyncio.run(go())


async def _finish(talk: Talk, state: Any) -> None:
    """Stands, without insurance, until no round runs."""
    while state["status"] not in ("betting", "cashed_out"):
        kind, fields = ("BLACKJACK_INSURANCE", {"take": False}) if state["canInsure"] else ("BLACKJACK_STAND", {})
        state = await talk.command(kind, expectedVersion=state["version"], **fields)


async def _bet(talk: Talk, client_seed: str) -> None:
    state = await talk.ask("BLACKJACK_GET_STATE")
    bet = {"amount": 10, "clientSeed": client_seed, "gameParams": {"blackjack": {}}}
    await _finish(talk, await talk.command("PLACE_BET", expectedVersion=state["version"], **bet))


async def _rotate(talk: Talk) -> tuple[str, str]:
    """The commitment of the seed that is revealed, and the one that the session goes on with."""
    state = await talk.ask("BLACKJACK_GET_STATE")
    answer = await talk.command("BLACKJACK_ROTATE_SEED", expectedVersion=state["version"])
    return commitment(answer["revealed"]), answer["seeds"]["serverSeedHash"]


@pytest.mark.parametrize("file", VERDICTS)
def test_verify_says_of_the_records_what_it_said_then(file: str) -> None:
    then = VERDICTS[file]
    result = CliRunner().invoke(app, ["verify", str(FILES / "records" / file), "--json"])
    now = json.loads(result.stdout)
    assert (result.exit_code, now["ok"], now["rounds"]) == (then["exit"], then["ok"], then["rounds"])
    if file.startswith("forged-"):
        assert _found(then["findings"]) <= _found(now["findings"]), "more may be found, but nothing less"
    else:
        assert _found(now["findings"]) == _found(then["findings"])


def _found(findings: Sequence[dict[str, Any]]) -> set[tuple[int, str]]:
    return {(found["line"], found["code"]) for found in findings}

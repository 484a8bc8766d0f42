"""What was written when the registry called poker `holdem` opens, goes on under the name it was fixed by, and verifies.

`tests/fixtures/holdem_name` says how the files were made. The people come back with their tokens and their vaults.
"""

import asyncio
import gzip
import json
import tarfile
import time
import tomllib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from croupier.cli import app
from croupier.clients.connection import Client
from croupier.clients.environment import Environment
from croupier.clients.room_handle import RoomHandle
from croupier.clients.vault import FolderVault
from croupier.dealing import canonical
from croupier.games.poker.rules.config import EDITION
from croupier.server.room_list import read_listing
from croupier.store.open import open_store
from croupier.wire.records import verify
from tests.server.crowd import play_on
from tests.server.live import Live, live

FILES = Path(__file__).parents[1] / "fixtures" / "holdem_name"
FACTS = json.loads((FILES / "facts.json").read_text(encoding="utf-8"))
ROOMS = FACTS["rooms"]
PRESETS_NOW = {"cash": "cash", "tournament": "holdem"}
NAMED_NOW = {("poker", "cash"), ("poker", "holdem")}
GOES_ON_SECONDS_MAX = 60.0


@asynccontextmanager
async def _come_back(folder: Path) -> AsyncIterator[tuple[Live, dict[str, Client]]]:
    """The store in service, and Ann and Bob with what their clients remembered. Time goes on from when it stopped."""
    file = folder / "store.db"
    file.write_bytes(gzip.decompress((FILES / "store.db.gz").read_bytes()))
    with tarfile.open(FILES / "vaults.tar.gz") as vaults:
        vaults.extractall(folder, filter="data")
    store, opened = open_store(f"sqlite:///{file}", create=False), time.monotonic()
    try:
        clock = lambda: FACTS["atMs"] + int(1000 * (time.monotonic() - opened))  # noqa: E731
        async with live(store, clock_ms=clock) as server, AsyncExitStack() as stack:
            people = {}
            for name, person in FACTS["people"].items():
                environment = Environment(vault=FolderVault(folder / "vaults" / name))
                client = Client(server.url, token=person["token"], environment=environment)
                people[name] = await stack.enter_async_context(client)
            yield server, people
        assert (list(await store.check()), await store.total()) == ([], 0)
    finally:
        await store.close()


async def _download(server: Live, path: str, person: str) -> str:
    headers = {"authorization": f"Bearer {FACTS['people'][person]['token']}"}
    async with httpx.AsyncClient(base_url=server.link, headers=headers, verify=False) as web:
        answer = await web.get(f"/api/{path}")
    assert answer.status_code == 200, answer.text
    return answer.text


def test_rooms_are_listed_and_shown_as_poker_with_the_cards_as_they_were(tmp_path: Path) -> None:
    async def go() -> None:
        async with _come_back(tmp_path) as (server, people):
            listings = [row.listing for row in await server.server.services.store.tables(prefix="room:")]
            assert {json.loads(listing)["game"] for listing in listings} == {"holdem"}, "as they were kept"
            assert {(room.game, room.preset) for room in map(read_listing, listings)} == NAMED_NOW
            for room in ROOMS.values():
                for name, seen in room["seen"].items():
                    handle = await people[name].watch(room["code"])
                    public, view = handle.state["public"], handle.view
                    assert (public["game"], public["preset"]) == ("poker", PRESETS_NOW[room["preset"]])
                    assert (public["hand"], public["edition"]) == (room["hand"], room["edition"])
                    cards = [seat["cards"] for seat in view["seats"]] if view else None
                    assert {"board": view.get("board") if view else None, "cards": cards} == seen
                    assert not handle.alarms

    asyncio.run(go())


def test_a_hand_fixed_under_the_old_name_goes_on_and_the_room_verifies(tmp_path: Path) -> None:
    async def go() -> None:
        async with _come_back(tmp_path) as (server, people):
            for name in ("cash", "tournament"):
                room = ROOMS[name]
                handles = [await people[person].watch(room["code"]) for person in ("Ann", "Bob")]
                await _play_until(handles, room["hand"] + 2)
                assert not any(handle.alarms for handle in handles)
                lines = (await _download(server, f"rooms/{room['code']}/records.jsonl", "Ann")).splitlines()
                log = next(
                    (tmp_path / "vaults" / "Ann" / "cut2" / "log" / handles[0].state["public"]["roomId"]).iterdir()
                )
                assert verify(lines, log.read_text(encoding="utf-8").splitlines()).findings == (), name
                rounds = [json.loads(line) for line in lines[:-1]]
                assert len(rounds) > room["hand"], "the hand that was under way is over"
                assert {entry["game"] for entry in rounds} == {"holdem"}
                assert {_named(proof) for entry in rounds for proof in entry["proofs"]} == {"holdem"}

    asyncio.run(go())


def test_the_old_lobby_begins_by_its_rules_and_a_new_choice_of_rules_says_poker(tmp_path: Path) -> None:
    async def go() -> None:
        async with _come_back(tmp_path) as (server, people):
            room = ROOMS["lobby"]
            ann, bob = [await people[person].watch(room["code"]) for person in ("Ann", "Bob")]
            await ann.command("HOST_SET_OPTIONS", options={"seats": 2, "pauseSeconds": 0})
            await ann.wait(lambda handle: handle.state["public"]["edition"] == EDITION)
            assert ann.state["public"]["preset"] == "holdem"
            await _play_until([ann, bob], 2)
            assert not any(handle.alarms for handle in (ann, bob))
            lines = (await _download(server, f"rooms/{room['code']}/records.jsonl", "Ann")).splitlines()
            assert verify(lines).findings == ()
            first = json.loads(lines[0])
            assert (first["game"], first["edition"], _named(first["proofs"][0])) == ("poker", EDITION, "poker")

    asyncio.run(go())


async def _play_until(handles: list[RoomHandle], hand: int) -> None:
    tasks = [asyncio.create_task(play_on(handle, place == 0, Random(place))) for place, handle in enumerate(handles)]
    far = asyncio.create_task(
        handles[0].wait(lambda handle: handle.state["public"]["hand"] >= hand, GOES_ON_SECONDS_MAX)
    )
    try:
        done, _ = await asyncio.wait((far, *tasks), return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in (far, *tasks):
            task.cancel()


def _named(proof: dict[str, Any]) -> str:
    return str(canonical.read(proof["context"]["rules"])["game"])


RECORDS = FILES / "records" / "tournament-Ann.jsonl"


def test_records_verify_as_they_were_written() -> None:
    result = CliRunner().invoke(app, ["verify", str(RECORDS), "--json"])
    assert (result.exit_code, json.loads(result.stdout)["ok"]) == (0, True)


@pytest.mark.parametrize(("edition", "name"), [(2, "poker"), (3, "holdem")])
def test_a_record_has_the_name_of_its_edition_and_no_other(edition: int, name: str) -> None:
    entry = json.loads(RECORDS.read_text(encoding="utf-8").splitlines()[0])
    entry |= {"game": name, "edition": edition, "rules": {**entry["rules"], "edition": edition}}
    assert "GAME_UNKNOWN" in {finding.code for _, finding in verify([json.dumps(entry)]).findings}


def test_hand_histories_say_the_same_as_before(tmp_path: Path) -> None:
    async def go() -> None:
        async with _come_back(tmp_path) as (server, _):
            found = await _download(server, f"rooms/{ROOMS['tournament']['code']}/hands.phhs", "Ann")
        then = tomllib.loads((FILES / "records" / "tournament-Ann.phhs").read_text(encoding="utf-8"))
        now = tomllib.loads(found)
        assert {number: now[number] for number in then} == then

    asyncio.run(go())

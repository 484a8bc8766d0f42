"""Which games a server offers: the operator's choice, games that are not installed, packages that get in each other's
way."""

import asyncio
import json
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import msgspec
import pytest

from croupier.assembly.store_audit import audit
from croupier.clients.connection import RefusedError
from croupier.game.registry import GAMES
from croupier.server import lobby
from croupier.server.config import SettingsError, load
from croupier.server.lobby import DUE_MAX, Lobby
from croupier.store.memory import MemoryStore
from croupier.store.port import Append
from croupier.store.sqlite import SqliteStore
from croupier.wire.records import verify
from tests.server.hub_room import asynchronous
from tests.server.live import Live, live, play


async def _page(server: Live, path: str) -> tuple[int, Any]:
    def ask() -> tuple[int, bytes]:
        try:
            with urlopen(server.link + path, timeout=20) as answer:
                return answer.status, answer.read()
        except HTTPError as error:
            return error.code, error.read()

    status, body = await asyncio.to_thread(ask)
    return status, body.decode() if path.endswith(".jsonl") and status == 200 else json.loads(body)


@asynchronous
async def test_a_game_that_is_not_allowed_cannot_be_opened_and_the_allowed_ones_are_named() -> None:
    async with live(games=("sequence",)) as server, server.client("Ann") as ann:
        await ann.create("sequence")
        with pytest.raises(RefusedError) as refused:
            await ann.create("poker")
        assert (refused.value.code, refused.value.facts["allowed"]) == ("NO_SUCH_GAME", ["sequence"])
        for request in ("BLACKJACK_GET_STATE", "CLASSROOM_WATCH"):
            with pytest.raises(RefusedError) as refused:
                await ann.request(request)
            assert (refused.value.code, refused.value.facts) == ("GAME_NOT_OFFERED", {"game": "blackjack"})
        assert (await _page(server, "/hubs/blackjack"))[0] == 404


@asynchronous
async def test_rooms_of_a_game_that_is_not_allowed_any_more_are_kept_and_say_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = MemoryStore()
    async with live(store) as server, server.client("Ann") as ann:
        room = await ann.create("poker", options={"listed": True})
        assert [each["roomCode"] for each in (await _page(server, "/api/rooms"))[1]["rooms"]] == [room.code]
        assert await _page(server, "/healthz") == (200, {"ok": True})
    with caplog.at_level(logging.WARNING):
        async with live(store, games=("sequence",)) as server, server.client("Bob") as bob:
            assert (await bob.request("ROOM_LIST"))["rooms"] == []
            assert (await _page(server, "/api/rooms"))[1]["rooms"] == []
            with pytest.raises(RefusedError) as refused:
                await bob.join(room.code)
            assert (refused.value.code, refused.value.facts) == ("GAME_NOT_OFFERED", {"game": "poker"})
            status, body = await _page(server, f"/api/rooms/{room.code}/records.jsonl")
            assert (status, body["code"]) == (404, "GAME_NOT_OFFERED")
            assert await _page(server, "/healthz") == (200, {"ok": True, "notOffered": {"poker": 1}})
    assert "the game poker is not allowed (--games): 1 of its rooms are kept" in caplog.text
    async with live(store) as server, server.client("Bob") as bob:
        await bob.join(room.code)


def test_a_store_with_rooms_of_a_game_that_is_not_installed_starts_and_is_checked_as_far_as_possible(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "rooms.db"
    address = f"sqlite:///{path}"
    records: list[str] = []

    async def played() -> str:
        store = SqliteStore(path)
        async with live(store) as server, server.client("Ann") as ann:
            room = await ann.create("sequence", options={"seats": 2, "listed": True})
            await room.command("HOST_ADD_BOT", bot="random")
            await room.command("HOST_START_GAME")
            random = __import__("random").Random(1)
            await play(room, random, lambda r: r.state["public"]["phase"] == "ended")
            records.extend((await _page(server, f"/api/rooms/{room.code}/records.jsonl"))[1].splitlines())
        await store.close()
        return room.code

    async def restarted(code: str) -> None:
        store = SqliteStore(path)
        async with live(store) as server, server.client("Bob") as bob:
            assert (await bob.request("ROOM_LIST"))["rooms"] == []
            with pytest.raises(RefusedError, match="GAME_NOT_OFFERED"):
                await bob.join(code)
            assert (await _page(server, "/healthz"))[1]["notOffered"] == {"sequence": 1}
            await bob.create("blackjack")
        await store.close()

    code = asyncio.run(played())
    assert verify(records).ok
    assert asyncio.run(audit(address)).findings == []
    monkeypatch.setattr(GAMES, "_points", {name: point for name, point in GAMES._found().items() if name != "sequence"})
    monkeypatch.setattr(GAMES, "_games", {name: game for name, game in GAMES._games.items() if name != "sequence"})
    with caplog.at_level(logging.WARNING):
        asyncio.run(restarted(code))
    assert "the game sequence is not installed: 1 of its rooms are kept" in caplog.text
    (found,) = asyncio.run(audit(address)).findings
    assert (found.code, found.facts) == ("GAME_MISSING", {"table": f"room:{code}", "game": "sequence"})
    unknown = [found for _, found in verify(records).findings if found.code == "GAME_UNKNOWN"]
    assert unknown
    assert unknown[0].facts["game"] == "sequence"


def test_overdue_rooms_of_games_that_are_not_offered_do_not_hide_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    woken: list[str] = []

    async def run() -> None:
        store = MemoryStore()
        for number in range(DUE_MAX + 20):
            listing = msgspec.json.encode({"game": "gone"})
            await store.append(
                Append(table=f"room:G{number:05}", version=1, record=b"{}", at_ms=1, deadline_ms=1, listing=listing)
            )
        listing = msgspec.json.encode({"game": "sequence"})
        await store.append(
            Append(table="room:WANTED", version=1, record=b"{}", at_ms=1, deadline_ms=2, listing=listing)
        )
        monkeypatch.setattr(lobby, "DEADLINES_SECONDS", 0.01)
        monkeypatch.setattr(Lobby, "_wake", lambda _, code: woken.append(code))
        monkeypatch.setattr(Lobby, "_look_at_listed", _nothing)
        async with live(store), asyncio.timeout(20):
            while not woken:
                await asyncio.sleep(0.01)

    asyncio.run(run())
    assert set(woken) == {"WANTED"}


async def _nothing(_: Lobby) -> None:
    pass


def test_a_setting_with_a_game_that_is_not_installed_names_those_that_are() -> None:
    assert load({}, {"CROUPIER_GAMES": "sequence, blackjack"}).games == ("sequence", "blackjack")
    with pytest.raises(SettingsError, match=r"--games: there is no game 'whist'; installed: .*sequence"):
        load({"games": ["whist"]}, {})
    with pytest.raises(SettingsError, match="CROUPIER_GAMES: there is no game 'whist'"):
        load({}, {"CROUPIER_GAMES": "whist"})


def _package(folder: Path, name: str, game: str, code: str) -> None:
    """A package as an installer leaves it."""
    (folder / f"{name}.py").write_text(code, encoding="utf-8")
    metadata = folder / f"{name}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(f"[croupier.games]\n{game} = {name}:GAME\n", encoding="utf-8")


def _serve(folder: Path, *options: str) -> tuple[int, str]:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(folder), os.environ.get("PYTHONPATH", ""))),
        "CROUPIER_LANG": "en",
    }
    command = [sys.executable, "-m", "croupier", "serve", "--port", "0", "--store", f"sqlite:///{folder / 'a.db'}"]
    done = subprocess.run(
        [*command, *options], capture_output=True, text=True, env=environment, timeout=60, check=False
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr


def test_two_packages_that_claim_one_name_are_refused_naming_both(tmp_path: Path) -> None:
    for package in ("whist_one", "whist_two"):
        _package(tmp_path, package, "whist", "GAME = None\n")
    code, told = _serve(tmp_path)
    assert code == 2
    assert "'whist'" in told
    assert "whist_one:GAME" in told
    assert "whist_two:GAME" in told


def test_two_games_that_claim_one_message_are_refused_naming_both(tmp_path: Path) -> None:
    copied = "import msgspec\nfrom croupier.games.sequence import GAME as OTHER\n"
    _package(tmp_path, "copy_of_sequence", "copy", copied + "GAME = msgspec.structs.replace(OTHER, name='copy')\n")
    code, told = _serve(tmp_path)
    assert code == 2
    assert "'sequence'" in told
    assert "'copy'" in told
    assert "TURN_" in told


def test_a_package_that_cannot_be_loaded_is_named(tmp_path: Path) -> None:
    _package(tmp_path, "broken_game", "broken", "raise RuntimeError('no cards')\n")
    code, told = _serve(tmp_path)
    assert code == 2
    assert "broken_game:GAME" in told
    assert "no cards" in told

"""An assistant at a real table: the protocol's own client, a child process, and a server on a real port."""

import asyncio
import json
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

from croupier.cli import app
from croupier.clients.room_handle import RoomHandle
from tests.server.live import Live, choose, live, play

mcp = pytest.importorskip("mcp")

TOOLS = {"list_rooms", "join", "view", "legal_actions", "act", "explain_rules", "answer"}
OPTIONS = {"pauseSeconds": 0, "cutSeconds": 1, "turnSeconds": 60, "listed": True, "seats": 2}


@asynccontextmanager
async def assistant(room_server: Live, *arguments: str) -> AsyncIterator[Any]:
    """The protocol's client, with `croupier mcp` as its child."""
    words = ["-m", "croupier", "mcp", "--server", room_server.link, "--nickname", "Robin", "--lang", "en", *arguments]
    child = mcp.StdioServerParameters(command=sys.executable, args=words, env=dict(os.environ))
    async with mcp.Client(child) as client:
        yield client


async def call(client: Any, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    answer: dict[str, Any] = json.loads(result.content[0].text)
    return answer


async def refused(client: Any, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return str(result.content[0].text)


async def opened(room_server: Live, game: str, preset: str) -> RoomHandle:
    host = await room_server.client("Ann").__aenter__()
    return await host.create(game, preset=preset, options=OPTIONS)


async def play_by_tools(client: Any, random: Random, until_payouts: int) -> list[dict[str, Any]]:
    """Plays as an assistant does, until so many rounds are over; every view it had."""
    views, rounds, last = [], 0, None
    while rounds < until_payouts:
        seen = await call(client, "view", wait_seconds=20)
        views.append(seen)
        if seen["payouts"] is not None and seen["payouts"] != last:
            rounds += 1
        last = seen["payouts"]
        if seen["yourTurn"]:
            offered = (await call(client, "legal_actions"))["actions"]
            views.append(await call(client, "act", action=choose(offered, random)))
            after = views[-1]
            if after["payouts"] is not None and last is None:
                rounds, last = rounds + 1, after["payouts"]
    return views


def test_an_assistant_plays_a_hand_and_sees_its_own_cards_only() -> None:
    async def scene() -> None:
        async with live() as room_server, assistant(room_server) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
            host = await opened(room_server, "poker", "cash")
            listed = (await call(client, "list_rooms"))["rooms"]
            assert [room["roomCode"] for room in listed] == [host.code]
            joined = await call(client, "join", room_code=host.code.lower())
            assert (joined["room"], joined["seat"], joined["phase"]) == (host.code, 1, "lobby")
            await host.wait(lambda room: all(member["ready"] for member in room.state["public"]["members"][1:]))
            await host.command("HOST_START_GAME")
            over = asyncio.Event()
            partner = asyncio.create_task(play(host, Random(1), lambda _: over.is_set()))
            views = await play_by_tools(client, Random(2), until_payouts=1)
            over.set()
            partner.cancel()
            for seen in views:
                shown = [seat["cards"] for seat in (seen["view"] or {"seats": []})["seats"]]
                if (
                    shown
                    and seen["view"]["street"] not in ("SHOWDOWN", "OVER")
                    and not any(event["type"] == "HOLDEM_SHOWN" for event in seen["events"])
                ):
                    assert shown[0] in ([], [None, None])
            assert any(None not in seen["view"]["seats"][1]["cards"] for seen in views if seen["view"])
            heard = [event for seen in views for event in seen["events"]]
            assert {event["seat"] for event in heard if event["type"] == "HOLDEM_HOLE_CARDS"} == {1}

    asyncio.run(asyncio.wait_for(scene(), 120))


def test_what_cannot_be_done_is_told_and_the_game_goes_on() -> None:
    async def scene() -> None:
        async with live() as room_server, assistant(room_server) as client:
            assert "join" in await refused(client, "view")
            assert "join" in await refused(client, "act", action={"type": "HOLDEM_FOLD"})
            assert "NO_SUCH_ROOM" in await refused(client, "join", room_code="ZZZZZZ")
            assert "poker" in await refused(client, "explain_rules", game="whist")
            host = await opened(room_server, "poker", "cash")
            other = await opened(room_server, "sequence", "house")
            await call(client, "join", room_code=host.code)
            assert host.code in await refused(client, "join", room_code=other.code)
            assert "turn" in await refused(client, "act", action={"type": "HOLDEM_FOLD"})
            await host.command("HOST_START_GAME")
            await host.wait(lambda room: room.menu or room.state["public"]["turn"] == [1])
            if host.menu:
                await host.act({"type": "HOLDEM_CALL"})
            seen = await call(client, "view", wait_seconds=20)
            assert seen["yourTurn"]
            assert "HOLDEM_FOLD" in await refused(client, "act", action={"type": "HOLDEM_SHOW"})
            assert "HOLDEM_FOLD" in await refused(client, "act", action={"amount": 5})
            too_much = {"type": "HOLDEM_RAISE", "to": 10**9}
            assert "RAISE_TOO_BIG" in await refused(client, "act", action=too_much)
            done = await call(client, "act", action={"type": "HOLDEM_FOLD"})
            assert done["payouts"] is not None or not done["yourTurn"]

    asyncio.run(asyncio.wait_for(scene(), 120))


def test_rules_are_explained_with_the_options_of_the_table() -> None:
    async def scene() -> None:
        async with live() as room_server, assistant(room_server) as client:
            general = await call(client, "explain_rules", game="blackjack")
            assert not general["atThisTable"]
            assert set(general["options"]) == {"casino", "trainer", "classroom", "table"}
            host = await opened(room_server, "sequence", "classic")
            await call(client, "join", room_code=host.code)
            here = await call(client, "explain_rules")
            assert (here["game"], here["atThisTable"], here["options"]["free_corners"]) == ("sequence", True, True)

    asyncio.run(asyncio.wait_for(scene(), 120))


def test_an_assistant_that_goes_leaves_its_seat() -> None:
    async def scene() -> None:
        async with live() as room_server:
            host = await opened(room_server, "poker", "cash")
            async with assistant(room_server) as client:
                await call(client, "join", room_code=host.code)
                await host.wait(lambda room: len(room.state["public"]["members"]) == 2)
            await host.wait(lambda room: len(room.state["public"]["members"]) == 1)

    asyncio.run(asyncio.wait_for(scene(), 120))


def test_an_address_where_nobody_answers_is_named_and_exits_2() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    for words, named in (
        (["--server", f"http://127.0.0.1:{port}"], str(port)),
        (["--server", "nonsense"], "nonsense"),
        (["--lang", "xx"], "xx"),
    ):
        done = CliRunner().invoke(app, ["mcp", *words])
        assert (done.exit_code, done.stdout) == (2, ""), words
        assert named in done.stderr


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "croupier.clients.mcp", raising=False)
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    done = CliRunner().invoke(app, ["mcp"])
    assert done.exit_code == 2
    assert "croupier[mcp]" in done.stderr

"""The installed page for a room elsewhere: its files come from here, the room gives nothing but data."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from croupier.clients.connection import Client
from croupier.server.local_page import HOST, LocalPage, Room, listen_for, read_room
from croupier.server.uvicorn_config import uvicorn_config
from croupier.server.web_files import web_files
from tests.server.live import live

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def served(app: Any, port: int = 0) -> AsyncIterator[int]:
    config = uvicorn_config(app, host=HOST, port=port, ws="websockets-sansio")
    running = uvicorn.Server(config)
    task = asyncio.create_task(running._serve())
    while not running.started:
        await asyncio.sleep(0.01)
    try:
        yield running.servers[0].sockets[0].getsockname()[1]
    finally:
        running.should_exit = True
        await task


@asynccontextmanager
async def local(origin: str) -> AsyncIterator[str]:
    """The page for the room server at an origin; gives its link."""
    (free,) = listen_for(Room(origin), 0)
    port = free.getsockname()[1]
    free.close()
    async with served(LocalPage(Room(origin)).app(port), port):
        yield f"http://{HOST}:{port}"


@pytest.mark.parametrize(
    ("link", "room"),
    [
        ("https://cards.example", Room("https://cards.example")),
        ("https://cards.example/", Room("https://cards.example")),
        ("http://127.0.0.1:8021/#/room/ABCD", Room("http://127.0.0.1:8021", "#/room/ABCD")),
        ("https://cards.example/room/ABCD", Room("https://cards.example", "#/room/ABCD")),
        ("http://[::1]:8021", Room("http://[::1]:8021")),
        ("HTTPS://Cards.Example", Room("https://cards.example")),
        ("ftp://cards.example", None),
        ("cards.example", None),
        ("https://", None),
        ("https://me:secret@cards.example", None),
        ("https://cards.example:0", None),
        ("https://cards.example:seven", None),
        ("https://cards.example/elsewhere", None),
        ("https://cards.example/?a=b", None),
        ('https://cards.example"><script>', None),
    ],
)
def test_a_link_names_a_room_or_nothing(link: str, room: Room | None) -> None:
    assert read_room(link) == room


def test_a_room_server_has_a_port_of_its_own_that_stays_the_same() -> None:
    ports = []
    for origin in ("https://one.example", "https://two.example", "https://one.example"):
        sockets = listen_for(Room(origin), None)
        ports.append(sockets[0].getsockname()[1])
        for each in sockets:
            each.close()
    assert ports[0] == ports[2] != ports[1]


async def test_files_and_texts_come_from_here_and_data_from_the_room() -> None:
    async with live() as room, local(room.link) as link, httpx.AsyncClient(base_url=link) as browser:
        index = await browser.get("/")
        assert f'<meta name="croupier-rooms" content="{room.link}">' in index.text
        assert (await browser.get("/room/ABCD")).text == index.text
        assert (await browser.get("/js/main.js")).content == web_files()["js/main.js"].content
        assert "script-src 'self'" in index.headers["content-security-policy"]
        assert (await browser.get("/api/texts/ko.json")).json()["web.close"]

        async with Client(f"{link.replace('http', 'ws')}/ws", nickname="Ann") as ann:
            table = await ann.create("poker", options={"listed": True})
            listed = (await browser.get("/api/rooms")).json()["rooms"]
            assert [each["roomCode"] for each in listed] == [table.code]
            records = await browser.get(
                f"/api/rooms/{table.code}/records.jsonl", headers={"authorization": f"Bearer {ann.token}"}
            )
            assert records.status_code == 200


async def test_a_lab_answer_comes_line_by_line() -> None:
    async def slowly() -> AsyncIterator[bytes]:
        yield b"1\n"
        await done.wait()
        yield b"2\n"

    async def lines(_: Request) -> Response:
        return StreamingResponse(slowly(), media_type="application/x-ndjson")

    done = asyncio.Event()
    async with (
        served(Starlette(routes=[Route("/api/lab/x", lines, methods=["POST"])])) as port,
        local(f"http://{HOST}:{port}") as link,
        httpx.AsyncClient() as browser,
        browser.stream("POST", f"{link}/api/lab/x", json={}) as answer,
    ):
        parts = answer.aiter_text()
        assert await anext(parts) == "1\n"
        done.set()
        assert await anext(parts) == "2\n"


async def test_nothing_that_a_hostile_host_answers_can_run_in_the_page() -> None:
    asked: list[str] = []

    async def script(request: Request) -> Response:
        asked.append(request.url.path)
        assert "origin" not in request.headers
        assert "cookie" not in request.headers
        return Response(
            "<script>alert(1)</script>",
            media_type="text/html",
            headers={"set-cookie": "a=b", "content-security-policy": "script-src *", "refresh": "0; url=/"},
        )

    async def away(_: Request) -> Response:
        return RedirectResponse("https://elsewhere.example/")

    routes = [Route("/api/away", away), Route("/{path:path}", script)]
    async with (
        served(Starlette(routes=routes)) as port,
        local(f"http://{HOST}:{port}") as link,
        httpx.AsyncClient(base_url=link, headers={"cookie": "mine=1"}) as browser,
    ):
        answer = await browser.get("/api/page.html")
        assert answer.headers["content-type"] == "application/octet-stream"
        assert answer.headers["content-security-policy"].endswith("sandbox")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert not {"set-cookie", "refresh"} & set(answer.headers)
        moved = await browser.get("/api/away")
        assert "location" not in moved.headers
        for path in ("/js/evil.js", "/evil.html", "/css/evil.css", "/hubs/blackjack", "/healthz"):
            assert (await browser.get(path)).status_code == 404
        assert (await browser.get("/js/main.js")).content == web_files()["js/main.js"].content
        assert asked == ["/api/page.html"]


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example:80"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
    ],
    ids=["a name that leads here", "another site", "a sandboxed page", "another port"],
)
async def test_pages_of_others_in_the_same_browser_are_kept_out(headers: dict[str, str]) -> None:
    async with live() as room, local(room.link) as link, httpx.AsyncClient(base_url=link) as browser:
        for path in ("/", "/api/rooms", "/js/main.js"):
            assert (await browser.get(path)).status_code == 200
            assert (await browser.get(path, headers=headers)).status_code == 403
        if "origin" in headers:
            with pytest.raises(InvalidStatus):
                await connect(f"{link.replace('http', 'ws')}/ws", additional_headers=headers)


async def test_a_room_that_is_gone_is_an_answer_and_a_closed_line() -> None:
    (free,) = listen_for(Room("http://x"), 0)
    port = free.getsockname()[1]
    free.close()
    async with local(f"http://{HOST}:{port}") as link, httpx.AsyncClient(base_url=link) as browser:
        assert (await browser.get("/")).status_code == 200
        assert (await browser.get("/api/rooms")).status_code == 502
        with pytest.raises(InvalidStatus):
            await connect(f"{link.replace('http', 'ws')}/ws")


async def test_when_either_side_closes_so_does_the_other() -> None:
    closed = asyncio.Event()

    async def echo(socket: WebSocket) -> None:
        await socket.accept()
        text = await socket.receive_text()
        await socket.send_text(text)
        if text == "go":
            await socket.close(4001)
        await socket.receive()
        closed.set()

    async with (
        served(Starlette(routes=[WebSocketRoute("/ws", echo)])) as port,
        local(f"http://{HOST}:{port}") as link,
    ):
        address = f"{link.replace('http', 'ws')}/ws"
        async with connect(address) as page:
            await page.send("go")
            assert await page.recv() == "go"
            await page.wait_closed()
            assert page.close_code == 4001
        closed.clear()
        async with connect(address) as page:
            await page.send("stay")
            assert await page.recv() == "stay"
        async with asyncio.timeout(5):
            await closed.wait()


async def test_the_command_prints_the_link_and_stops_when_told() -> None:
    async with live() as room:
        command = [sys.executable, "-m", "croupier", "open", f"{room.link}/#/room/ABCD", "--port", "0"]
        child = await asyncio.create_subprocess_exec(
            *command, stdout=subprocess.PIPE, env={**os.environ, "CROUPIER_LANG": "en"}
        )
        assert child.stdout is not None
        line = (await asyncio.wait_for(child.stdout.readline(), 30)).decode()
        link = re.search(r"http://127\.0\.0\.1:\d+/#/room/ABCD", line)
        assert link is not None
        assert room.link in line
        async with httpx.AsyncClient() as browser:
            assert (await browser.get(link.group())).status_code == 200
        child.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(child.wait(), 15) == 0


@pytest.mark.parametrize(("link", "said"), [("cards", "not a link"), ("http://127.0.0.1:9", "No card room answers")])
async def test_the_command_says_what_is_wrong(link: str, said: str) -> None:
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "croupier", "open", link),
        stderr=subprocess.PIPE,
        env={**os.environ, "CROUPIER_LANG": "en"},
    )
    _, errors = await asyncio.wait_for(child.communicate(), 30)
    assert child.returncode == 2
    assert said in errors.decode()
    assert "Traceback" not in errors.decode()

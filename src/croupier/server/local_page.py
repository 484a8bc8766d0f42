"""The installed page, served on this machine for a room elsewhere.

A page is as honest as the host that serves it. Here every script, style and text comes from the installed package; only
data comes from the room: its WebSocket and its `/api`, through this process. Nothing that the room answers can run in
the page: it is sent on as data, with a policy of its own.
"""

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from hashlib import sha256
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Final
from urllib.parse import SplitResult, urlsplit

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from croupier.server import pages
from croupier.server.headers import SecurityHeaders
from croupier.server.listen_sockets import listen
from croupier.server.uvicorn_config import uvicorn_config
from croupier.server.web_files import INDEX, WebFile, answer, web_file, web_files
from croupier.server.web_server import STOP_SECONDS_MAX, StoppableServer

HOST: Final = "127.0.0.1"
PORT_FIRST: Final = 21_000
PORTS: Final = 10_000
PORTS_TRIED_MAX: Final = 20
ANSWER_SECONDS_MAX: Final = 60.0
QUESTION_BYTES_MAX: Final = 1024 * 1024
ANSWER_BYTES_MAX: Final = 256 * 1024 * 1024
CHUNK_BYTES: Final = 64 * 1024
STATE_BYTES_MAX: Final = 4 * 1024 * 1024
PASSED_ON: Final = ("authorization", "content-type", "accept", "accept-language")
"""The request headers that are passed on. The room sees a program, not a page of another origin."""
DATA_TYPES: Final = (*("application/json", "application/x-ndjson", "application/toml", "text/plain", "image/svg+xml"),)
"""The media types that an answer may have. Anything else is bytes to the browser."""
DATA_HEADERS: Final = {
    # Even if such an address is opened by itself, nothing in it runs, and it has no origin.
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
}
CLOSE_GONE: Final = 1001
_HOST_NAME: Final = re.compile(r"[\w.-]+|[0-9a-f:.]+")
CLOSE_PASSED_ON: Final = frozenset((1000, 1008, 1009, 1011, 1012, 1013, *range(3000, 5000)))


class Room(msgspec.Struct, frozen=True):
    """The address of a room: the origin of its server, and the path within the page."""

    origin: str
    place: str = ""

    @property
    def parts(self) -> SplitResult:
        return urlsplit(self.origin)

    @property
    def socket(self) -> str:
        return f"{self.origin.replace('http', 'ws', 1)}/ws"


def read_room(link: str) -> Room | None:
    """The room that a link leads to: `https://host`, `https://host/room/CODE` or `https://host/#/room/CODE`."""
    try:
        parts = urlsplit(link)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or parts.username is not None or port == 0:
        return None
    if parts.hostname is None or not _HOST_NAME.fullmatch(parts.hostname):
        return None
    path = parts.path.rstrip("/")
    if parts.query or (path and not path.startswith("/room/")):
        return None
    name = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    origin = f"{parts.scheme}://{name}" + (f":{port}" if port else "")
    place = f"#{path}" if path else f"#{parts.fragment}" if parts.fragment else ""
    return Room(origin, place)


class OwnPageOnly:
    """Admits only this machine's own page. Other sites in the same browser have no token, but could connect, even under
    a name that points here."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._hosts = {f"{HOST}:{port}", f"localhost:{port}"}
        self._origins = {f"http://{host}" for host in self._hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or self._is_own(dict(scope["headers"])):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocket(scope, receive, send).close(1008)
        else:
            await Response(status_code=403)(scope, receive, send)

    def _is_own(self, headers: dict[bytes, bytes]) -> bool:
        origin = headers.get(b"origin")
        known = headers.get(b"host", b"").decode("latin-1") in self._hosts
        return known and (origin is None or origin.decode("latin-1") in self._origins)


class LocalPage:
    """The page's files from here, its data from the room."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._files = web_files()
        self._index = _told_where(self._files[INDEX], room.origin)

    def app(self, port: int) -> Starlette:
        routes: list[BaseRoute] = [
            Route("/", self._page),
            Route("/room/{code}", self._page),
            WebSocketRoute("/ws", self._connect),
            *pages.routes(),
            Route("/api/{path:path}", self._ask, methods=["GET", "POST"]),
            Route("/{file:path}", self._file),
        ]
        return Starlette(routes=routes, middleware=[Middleware(SecurityHeaders), Middleware(OwnPageOnly, port=port)])

    async def _page(self, request: Request) -> Response:
        return answer(request, self._index)

    async def _file(self, request: Request) -> Response:
        found = self._files.get(request.path_params["file"])
        return Response(status_code=404) if found is None else answer(request, found)

    async def _ask(self, request: Request) -> Response:
        """Ask the room, and pass its answer on as data."""
        if int(request.headers.get("content-length", 0)) > QUESTION_BYTES_MAX:
            return Response(status_code=413)
        try:
            body = await request.body()
            asked = await asyncio.to_thread(self._asked, request, body)
        except (OSError, HTTPException, ClientDisconnect):
            return Response(status_code=502, headers=DATA_HEADERS)
        kind = asked.headers.get_content_type()
        media_type = kind if kind in DATA_TYPES else "application/octet-stream"
        return StreamingResponse(_body(asked), asked.status, DATA_HEADERS, media_type)

    def _asked(self, request: Request, body: bytes) -> HTTPResponse:
        parts = self._room.parts
        assert parts.hostname is not None
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        line = kind(parts.hostname, parts.port, timeout=ANSWER_SECONDS_MAX)
        path = request.scope["raw_path"].decode("ascii")
        query = request.scope["query_string"].decode("ascii")
        passed = {name: request.headers[name] for name in PASSED_ON if name in request.headers}
        passed["connection"] = "close"
        line.request(request.method, f"{path}?{query}" if query else path, body or None, passed)
        return line.getresponse()

    async def _connect(self, page: WebSocket) -> None:
        """Carry the frames of one connection both ways until either side ends it."""
        try:
            async with connect(self._room.socket, max_size=STATE_BYTES_MAX, compression=None) as room:
                await page.accept()
                await _carry(page, room)
                code = room.close_code or CLOSE_GONE
        except (OSError, InvalidHandshake, TimeoutError):
            code = CLOSE_GONE
        with suppress(WebSocketDisconnect):
            await page.close(code if code in CLOSE_PASSED_ON else CLOSE_GONE)


async def _carry(page: WebSocket, room: ClientConnection) -> None:
    async def out() -> None:
        # None if the page is gone or has sent something no page sends.
        while (text := (await page.receive()).get("text")) is not None:
            await room.send(text)

    async def back() -> None:
        async for frame in room:
            if not isinstance(frame, str):
                return
            await page.send_text(frame)

    tasks = [asyncio.ensure_future(out()), asyncio.ensure_future(back())]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    for ended in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(ended, Exception) and not isinstance(ended, ConnectionClosed | WebSocketDisconnect):
            raise ended


async def _body(asked: HTTPResponse) -> AsyncIterator[bytes]:
    """The answer in pieces as they arrive: some answers take shape slowly."""
    left = ANSWER_BYTES_MAX
    try:
        while left > 0 and (chunk := await asyncio.to_thread(asked.read1, min(CHUNK_BYTES, left))):
            left -= len(chunk)
            yield chunk
    finally:
        asked.close()


def _told_where(index: WebFile, origin: str) -> WebFile:
    """The page with the address of its rooms, for links."""
    mark = b'<meta charset="utf-8">\n'
    assert index.content.count(mark) == 1
    named = mark + f'<meta name="croupier-rooms" content="{origin}">\n'.encode()
    return web_file(index.content.replace(mark, named), index.media_type)


def listen_for(room: Room, port: int | None) -> list[socket.socket]:
    """The sockets of a room's page. By default the port follows from the room's address, so that the browser keeps what
    it remembers of each room apart. Raises OSError."""
    if port is not None:
        return listen(HOST, port)
    first = int.from_bytes(sha256(room.origin.encode()).digest()[:4], "big") % PORTS
    for number in range(PORTS_TRIED_MAX):
        try:
            return listen(HOST, PORT_FIRST + (first + number) % PORTS)
        except OSError:
            continue
    return listen(HOST, 0)


async def serve(room: Room, port: int | None, ready: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM. `ready` is called with the link."""
    sockets = listen_for(room, port)
    number = sockets[0].getsockname()[1]
    config = uvicorn_config(
        LocalPage(room).app(number), ws="websockets-sansio", timeout_graceful_shutdown=STOP_SECONDS_MAX
    )

    def started() -> None:
        ready(f"http://{HOST}:{number}/{room.place}")

    def stop() -> None:
        """Nothing to do: the connections to rooms end with those of the page."""

    await StoppableServer(config, started, stop).serve(sockets)

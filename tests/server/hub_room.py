"""A real server with the classroom hub on a free port of this machine, and a client that speaks the bare protocol."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from functools import wraps
from types import TracebackType
from typing import Any, Final, Protocol

import uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from croupier.game.sealed import Sealed
from croupier.games.blackjack.classroom import Classroom
from croupier.server.classroom import ClassroomTable
from croupier.server.hub import endpoint
from croupier.server.limits import Addresses
from croupier.server.limits import Limits as ServerLimits
from croupier.server.signalr.endpoint import Endpoint
from croupier.server.signalr.limits import Limits
from croupier.server.uvicorn_config import uvicorn_config
from croupier.wire.hub import PATH

KEY: Final = "the dealer's key"
SEPARATOR: Final = "\x1e"
PATIENT: Final = ServerLimits(messages_per_second=10_000, messages_burst=10_000, pages_burst=10_000)
"""Limits that no test meets by accident."""
PATIENCE_SECONDS: Final = 20.0
"""When a test gives up on what should have come at once."""


class Room:
    """The server, and the records that it has kept."""

    def __init__(self, classroom: Classroom) -> None:
        self.records: list[str] = []
        self.store_is_broken = False
        self.store_waits_for: asyncio.Event | None = None
        self.table = ClassroomTable(classroom, self._keep)
        self.port = 0
        self.hub: Endpoint

    async def _keep(self, line: str) -> None:
        if self.store_is_broken:
            raise OSError("no space left on device")
        if self.store_waits_for is not None:
            await self.store_waits_for.wait()
        self.records.append(line)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hubs/blackjack"

    @property
    def websocket_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/hubs/blackjack"


class Firewall:
    """Lets the blocked transports not through."""

    def __init__(self, app: ASGIApp, blocked: tuple[str, ...]) -> None:
        self._app = app
        self._blocked = blocked

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind = "WebSockets" if scope["type"] == "websocket" else ""
        if dict(scope["headers"]).get(b"accept") == b"text/event-stream":
            kind = "ServerSentEvents"
        if kind not in self._blocked:
            await self._app(scope, receive, send)
        elif kind == "WebSockets":
            await send({"type": "websocket.close"})
        else:
            await Response(status_code=403)(scope, receive, send)


@contextlib.asynccontextmanager
async def served(
    classroom: Classroom | None = None,
    room_limits: ServerLimits = PATIENT,
    blocked: tuple[str, ...] = (),
    **options: Any,
) -> AsyncIterator[Room]:
    """`room_limits` hold for the whole server, `limits` of the options for the hub. Something between server and
    clients lets the `blocked` transports not through."""
    room = Room(classroom or Classroom(Sealed(KEY)))
    async with room.table:
        hub = room.hub = endpoint(
            room.table, Addresses(room_limits), **{"limits": Limits(closing_seconds=0.3), **options}
        )
        app = Starlette(routes=hub.routes(PATH))
        config = uvicorn_config(
            Firewall(app, blocked), host="127.0.0.1", port=0, ws="websockets-sansio", lifespan="off"
        )
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve())
        while not server.started:
            assert not serving.done(), "the server did not start"
            await asyncio.sleep(0.001)
        room.port = server.servers[0].sockets[0].getsockname()[1]
        try:
            yield room
        finally:
            await hub.close()
            server.should_exit = True
            await serving


ENUMERATIONS: Final = {
    "phase": ("Idle", "InRound"),
    "turnState": ("Playing", "Standing", "Busted"),
    "outcome": ("None", "Win", "Lose", "Tie"),
    "suit": ("Clubs", "Diamonds", "Hearts", "Spades"),
    "rank": (
        *("Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"),
        *("Jack", "Queen", "King", "Ace"),
    ),
}
"""The members of each enumeration, in the order of document 000."""


def named(value: Any, enums: str = "numbers") -> Any:
    """What a hub sent, with the names of its enumerations. Numbers where names are due, or names for numbers, fail."""
    if isinstance(value, list):
        return [named(each, enums) for each in value]
    if not isinstance(value, dict):
        return value
    return {field: _named(field, each, enums) for field, each in value.items()}


def _named(field: str, value: Any, enums: str) -> Any:
    members = ENUMERATIONS.get(field)
    if members is None:
        return named(value, enums)
    assert type(value) is (int if enums == "numbers" else str), f"{field} is {value!r}"
    assert value in (range(len(members)) if enums == "numbers" else members)
    return members[value] if enums == "numbers" else value


class Served(Protocol):
    """A server with the hub, of whatever make."""

    @property
    def websocket_url(self) -> str: ...


class Client:
    """A client that writes records itself. `heard` is all that the server has called on it, in order."""

    def __init__(self, room: Served, query: str = "", **options: Any) -> None:
        # With a bound, a client that has not read its states would wait ten seconds for the end of its line.
        self._connecting = connect(f"{room.websocket_url}{query}", **{"max_queue": None, **options})
        self._rest = ""
        self._ready: list[dict[str, Any]] = []
        self.websocket: ClientConnection
        self.heard: list[tuple[Any, ...]] = []
        self.invocations = 0

    async def __aenter__(self) -> "Client":
        self.websocket = await self._connecting
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        await self.websocket.close()

    async def send(self, *messages: object) -> None:
        await self.websocket.send("".join(json.dumps(message) + SEPARATOR for message in messages))

    async def shake_hands(self, protocol: str = "json", version: int = 1) -> dict[str, Any]:
        await self.send({"protocol": protocol, "version": version})
        return await self.next()

    async def next(self) -> dict[str, Any]:
        """The next record, of whatever kind."""
        while not self._ready:
            async with asyncio.timeout(PATIENCE_SECONDS):
                frame = await self.websocket.recv(decode=True)
            *records, self._rest = (self._rest + str(frame)).split(SEPARATOR)
            self._ready += map(json.loads, records)
        record = self._ready.pop(0)
        if record.get("type") == 1:
            self.heard.append((record["target"], *record["arguments"]))
        return record

    async def invoke(self, target: str, *arguments: object) -> dict[str, Any]:
        """Calls a method and reads on to its completion."""
        self.invocations += 1
        number = str(self.invocations)
        await self.send({"type": 1, "invocationId": number, "target": target, "arguments": arguments})
        while True:
            record = await self.next()
            if record.get("type") == 3:
                assert record["invocationId"] == number
                return record

    async def hears(self, target: str) -> tuple[Any, ...]:
        """Reads on until the server calls this method; its arguments."""
        while True:
            record = await self.next()
            if record.get("target") == target:
                return tuple(record["arguments"])

    async def errors(self, target: str, *arguments: object) -> list[str]:
        """The codes of what a call was answered with."""
        before = len(self.heard)
        completion = await self.invoke(target, *arguments)
        assert completion == {"type": 3, "invocationId": str(self.invocations), "result": None}
        return [heard[1] for heard in self.heard[before:] if heard[0] == "OnError"]

    async def ended(self) -> tuple[dict[str, Any], int]:
        """Reads to the end; the close message, and the WebSocket's code."""
        last: dict[str, Any] = {}
        with contextlib.suppress(ConnectionClosed):
            while True:
                last = await self.next()
        code = self.websocket.close_code
        assert code is not None
        return last, code


@contextlib.asynccontextmanager
async def client(room: Served, query: str = "", **options: Any) -> AsyncIterator[Client]:
    """A client after its handshake, which did not negotiate."""
    async with Client(room, query, **options) as connected:
        assert await connected.shake_hands() == {}
        yield connected


@contextlib.asynccontextmanager
async def class_of(room: Room, *names: str) -> AsyncIterator[tuple[Client, ...]]:
    """A dealer, then players of these names, all joined; nobody has heard anything yet."""
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(client(room)) for _ in range(len(names) + 1)]
        for joining, name in zip(clients, ("dealer", *names), strict=True):
            assert await joining.errors("Join", name, KEY if name == "dealer" else None) == []
        for each in clients:
            while not each.heard or len(each.heard[-1][1]["players"]) < len(clients):
                await each.hears("OnStateChanged")
            each.heard.clear()
        yield tuple(clients)


def asynchronous(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Runs a test in an event loop of its own."""

    @wraps(test)
    def run(*arguments: Any, **named: Any) -> None:
        asyncio.run(test(*arguments, **named))

    return run


def brisk(**changes: Any) -> Limits:
    """Limits with waits of a fraction of a second, for tests of waiting."""
    seconds = {"handshake_seconds": 0.2, "negotiated_seconds": 0.2, "keep_alive_seconds": 0.2, "closing_seconds": 0.5}
    return Limits(**{**seconds, **changes})

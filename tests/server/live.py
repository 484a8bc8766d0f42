"""A real server on a real port of this machine, and clients that play by the menu."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from random import Random
from typing import Any

import uvicorn

from croupier.assembly.lab_api import LabApi
from croupier.clients.connection import Client, RefusedError, RoomHandle
from croupier.server import http
from croupier.server.app import Server
from croupier.server.config import Settings
from croupier.server.limits import Limits
from croupier.server.websocket import DirectSocket
from croupier.store.memory import MemoryStore
from croupier.store.port import Store

FAST = Limits(messages_per_second=10_000, messages_burst=10_000, newcomers_burst=10_000, guesses_burst=1000)
ENDPOINTS = (*http.ENDPOINTS, *LabApi.endpoints)


class Live:
    """A server that runs in this process."""

    def __init__(self, server: Server, port: int) -> None:
        self.server = server
        self.port = port

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    @property
    def websocket_url(self) -> str:
        """Of the classroom's hub."""
        return f"ws://127.0.0.1:{self.port}/hubs/blackjack"

    @property
    def link(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, name: str, **options: Any) -> Client:
        return Client(self.url, nickname=name, **options)


@asynccontextmanager
async def live(store: Store | None = None, port: int = 0, **settings: Any) -> AsyncIterator[Live]:
    """Serves until the block is left."""
    chosen = Settings(**{"limits": FAST, "bot_delay_seconds": 0.0, **settings})
    server = Server(chosen, store or MemoryStore(), "en", "the key", [LabApi()])
    config = uvicorn.Config(
        await server.app(),
        host="127.0.0.1",
        port=port,
        ws=DirectSocket,
        ws_max_size=128 * 1024,
        access_log=False,
        log_config=None,
        timeout_graceful_shutdown=1,
    )
    running = uvicorn.Server(config)
    running.capture_signals = _no_signals  # type: ignore[method-assign,assignment]  # the test runner keeps its own
    task = asyncio.create_task(running.serve())
    while not running.started:
        assert not task.done(), "the server did not start"
        await asyncio.sleep(0.01)
    try:
        yield Live(server, running.servers[0].sockets[0].getsockname()[1])
    finally:
        running.should_exit = True
        await task


class _no_signals:  # noqa: N801 -- stands for a method
    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


def choose(menu: list[Any], random: Random) -> dict[str, Any]:
    """A random action that the menu offers, as a client sees it."""
    offer = random.choice(menu)
    action = dict(offer["action"])
    if "field" in offer:
        low, high = offer.get("low", 0), offer.get("high", 0)
        action[offer["field"]] = random.choice(offer.get("among") or range(low, min(high, 3 * low + 3) + 1))
    return action


async def play(room: RoomHandle, random: Random, until: Any) -> None:
    """Acts whenever the menu offers something, until a state satisfies the condition."""
    while not until(room):
        await room.wait(lambda r: r.menu or until(r))
        if room.menu and not until(room):
            with suppress_codes("STALE_VERSION", "NOT_YOUR_TURN", "ROUND_OVER", "NOT_PLAYING"):
                version = await room.act(choose(room.menu, random))
                await room.wait(lambda r, seen=version: r.version >= seen)


@contextmanager
def suppress_codes(*codes: str) -> Iterator[None]:
    """Passes over refusals that can come when somebody else was quicker."""
    try:
        yield
    except RefusedError as refused:
        if refused.code not in codes:
            raise

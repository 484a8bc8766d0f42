"""A real server on a real port of this machine, and clients that play by the menu."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from random import Random
from typing import Any

from croupier.assembly.coach_api import CoachApi
from croupier.assembly.lab_api import LabApi
from croupier.assembly.solver_api import SolverApi
from croupier.clients.connection import Client, RefusedError
from croupier.clients.room_handle import RoomHandle
from croupier.server import http
from croupier.server.app import Server
from croupier.server.config import Settings
from croupier.server.limits import Limits
from croupier.server.web_server import served
from croupier.store.memory import MemoryStore
from croupier.store.port import Store

FAST = Limits(
    messages_per_second=10_000,
    messages_burst=10_000,
    arrivals_per_second=10_000,
    newcomers_burst=10_000,
    guesses_burst=1000,
    rooms_per_person_max=1000,
)
ENDPOINTS = (*http.ENDPOINTS, *LabApi.endpoints, *SolverApi.endpoints, *CoachApi.endpoints)


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
async def live(
    store: Store | None = None, port: int = 0, clock_ms: Callable[[], int] | None = None, **settings: Any
) -> AsyncIterator[Live]:
    """Serves until the block is left; with `clock_ms`, the rooms go by that clock."""
    chosen = Settings(**{"limits": FAST, "bot_delay_seconds": 0.0, **settings})
    server = Server(chosen, store or MemoryStore(), "en", "the key", [LabApi(), SolverApi(), CoachApi()])
    if clock_ms is not None:
        server.services.clock_ms = clock_ms
    async with served(server, "127.0.0.1", port) as served_port:
        yield Live(server, served_port)


def choose(menu: list[Any], random: Random) -> dict[str, Any]:
    """A random action that the menu offers, as a client sees it."""
    offer = random.choice(menu)
    action = dict(offer["action"])
    if "field" in offer:
        low, high = offer.get("low", 0), offer.get("high", 0)
        action[offer["field"]] = random.choice(offer.get("among") or range(low, int(min(high, 3 * low + 3)) + 1))
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

"""A card room of one's own: the real server on this machine, on a free port, with nothing kept.

What is played here goes the same way as at a room far away.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final

import uvicorn

from croupier.server.app import Server
from croupier.server.config import Settings
from croupier.server.limits import FRAME_BYTES_MAX, Limits
from croupier.server.websocket import DirectSocket
from croupier.store.memory import MemoryStore

HOST: Final = "127.0.0.1"
STOP_SECONDS_MAX: Final = 1
START_POLL_SECONDS: Final = 0.005
# Whoever plays here alone cannot be a nuisance to others.
_LIMITS: Final = Limits(messages_per_second=100_000, messages_burst=100_000)


class _Uvicorn(uvicorn.Server):
    """Leaves signals to the program that it runs in."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class LocalRoom:
    """A server that runs in this process."""

    def __init__(self, server: Server, port: int) -> None:
        self._server = server
        self.url = f"ws://{HOST}:{port}/ws"

    def pace_bots(self, seconds: float) -> None:
        """How long bots seem to think from now on."""
        self._server.house.bot_delay_seconds = seconds


@asynccontextmanager
async def local_room(*, language: str = "en", bot_delay_seconds: float = 0.0) -> AsyncIterator[LocalRoom]:
    """Serves until the block is left."""
    settings = Settings(limits=_LIMITS, bot_delay_seconds=bot_delay_seconds)
    server = Server(settings, MemoryStore(), language, dealer_key="")
    config = uvicorn.Config(
        await server.app(),
        host=HOST,
        port=0,
        ws=DirectSocket,
        ws_max_size=2 * FRAME_BYTES_MAX,
        ws_per_message_deflate=False,
        access_log=False,
        log_config=None,
        log_level="error",
        timeout_graceful_shutdown=STOP_SECONDS_MAX,
    )
    running = _Uvicorn(config)
    task = asyncio.create_task(running.serve())
    try:
        while not running.started:
            if task.done():
                raise OSError(f"no room can be opened on {HOST}")
            await asyncio.sleep(START_POLL_SECONDS)
        yield LocalRoom(server, running.servers[0].sockets[0].getsockname()[1])
    finally:
        running.should_exit = True
        await task

"""A private card room: the real server in this process, on a free port, with nothing kept.

A game here takes the same path as in a remote room.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from croupier.server.app import Server
from croupier.server.config import Settings
from croupier.server.limits import Limits
from croupier.server.web_server import served
from croupier.store.memory import MemoryStore

HOST: Final = "127.0.0.1"
# A player alone disturbs nobody.
_LIMITS: Final = Limits(
    messages_per_second=100_000,
    messages_burst=100_000,
    arrivals_per_second=100_000,
    rooms_per_person_max=100_000,
    rooms_per_address_max=100_000,
)


class LocalRoom:
    """A server that runs in this process."""

    def __init__(self, server: Server, port: int) -> None:
        self._server = server
        self.url = f"ws://{HOST}:{port}/ws"

    def pace_bots(self, seconds: float) -> None:
        """How long bots seem to think from now on."""
        self._server.services.bot_delay_seconds = seconds


@asynccontextmanager
async def local_room(*, language: str = "en", bot_delay_seconds: float = 0.0) -> AsyncIterator[LocalRoom]:
    """Serve until the `with` block ends."""
    settings = Settings(limits=_LIMITS, bot_delay_seconds=bot_delay_seconds)
    server = Server(settings, MemoryStore(), language, dealer_key="")
    async with served(server, HOST, log_level="error") as port:
        yield LocalRoom(server, port)

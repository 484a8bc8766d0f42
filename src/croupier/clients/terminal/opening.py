"""From a wish to a seat: a room of one's own on this machine, or one at an address."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final
from urllib.parse import urlsplit

from croupier.clients.connection import Client
from croupier.clients.terminal.session import Session, Wish, open_own, open_shared

BOT_SECONDS: Final = 0.7
"""How long a bot seems to think, so that a person can follow."""
_SCHEMES: Final = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}


def socket_address(server: str) -> str | None:
    """Where a room's WebSocket is, from the address of its page; None when that is no such address."""
    try:
        parts = urlsplit(server)
        valid = parts.scheme in _SCHEMES and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        return None
    if not valid:
        return None
    path = parts.path.rstrip("/").removesuffix("/ws")
    return f"{_SCHEMES[parts.scheme]}://{parts.netloc}{path}/ws"


@asynccontextmanager
async def open_session(
    wish: Wish, *, nickname: str, language: str, server: str = "", bot_seconds: float = BOT_SECONDS
) -> AsyncIterator[Session]:
    """A seat, until the block is left. Raises RefusedError when the room refuses it, and TimeoutError or OSError when
    there is no room."""
    if server:
        address = socket_address(server)
        assert address is not None, "addresses are checked where they are typed"
        async with Client(address, nickname=nickname, language=language) as client:
            session = await open_shared(client, wish)
            yield session
            await session.leave()
        return
    # Only who plays in a room of one's own waits for a server to load.
    from croupier.clients.local import local_room

    async with (
        local_room(language=language, bot_delay_seconds=bot_seconds) as local,
        Client(local.url, nickname=nickname, language=language) as client,
    ):
        yield await open_own(client, wish, local.pace_bots)

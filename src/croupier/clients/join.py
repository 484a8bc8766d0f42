"""Join a room: from the address of its page to the WebSocket, and back in after leaving."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from croupier.clients.connection import Client, RefusedError
from croupier.clients.room_handle import RoomHandle

KNOCK_SECONDS_MAX: Final = 10.0
_SCHEMES: Final = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}


def socket_address(server: str) -> str | None:
    """The WebSocket address of a card room, from the address of its page; None if that is not one."""
    try:
        parts = urlsplit(server)
        valid = parts.scheme in _SCHEMES and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        return None
    if not valid:
        return None
    path = parts.path.rstrip("/").removesuffix("/ws")
    return f"{_SCHEMES[parts.scheme]}://{parts.netloc}{path}/ws"


async def knock(address: str) -> None:
    """Raise OSError at once if nothing listens there. A client alone would keep trying, as it must after a loss."""
    parts = urlsplit(address)
    port = parts.port or {"ws": 80, "wss": 443}[parts.scheme]
    async with asyncio.timeout(KNOCK_SECONDS_MAX):
        _, writer = await asyncio.open_connection(parts.hostname, port)
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


async def enter(client: Client, code: str, waits: Callable[[], None] | None = None) -> RoomHandle:
    """A seat in a room, or the one that this player already has there. `waits` is called if the host must admit them
    first."""
    try:
        return await client.join(code, waits=waits)
    except RefusedError as refused:
        if refused.code != "ALREADY_IN_ROOM":
            raise
    return await client.watch(code)

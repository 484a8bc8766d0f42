"""The way into a room: from the address that people write to the WebSocket, and back in after one has gone."""

import asyncio
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from croupier.clients.connection import Client, RefusedError, RoomHandle

KNOCK_SECONDS_MAX: Final = 10.0
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


async def knock(address: str) -> None:
    """Raises OSError at once where nothing listens; a client alone would go on trying, as it must after a loss."""
    parts = urlsplit(address)
    port = parts.port or {"ws": 80, "wss": 443}[parts.scheme]
    async with asyncio.timeout(KNOCK_SECONDS_MAX):
        _, writer = await asyncio.open_connection(parts.hostname, port)
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


async def enter(client: Client, code: str) -> RoomHandle:
    """A seat in a room, or the one that this person has there already."""
    try:
        return await client.join(code)
    except RefusedError as refused:
        if refused.code == "NOT_BETWEEN_ROUNDS":
            # The seat is taken; only the chain came in the middle of a cut, so the deals go on without it.
            return client.rooms[code]
        if refused.code != "ALREADY_IN_ROOM":
            raise
    handle = client.handle(code)
    await client.request("ROOM_WATCH", roomCode=code)
    await handle.wait(lambda _: True)
    with suppress(RefusedError):
        await handle.command("DEAL_ANCHOR", anchor=handle.checker.chain.anchor)
    return handle

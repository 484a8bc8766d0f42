"""The transports of records between a client and its connection: WebSocket, server-sent events, long polling."""

import asyncio
from collections import deque
from typing import ClassVar, Final, Protocol

from croupier.server.signalr.protocol import End, EndedError, WebSocketCode

BYE: Final = End(WebSocketCode.NORMAL)


class Transport(Protocol):
    """The transport of one client."""

    has_pings: ClassVar[bool]
    """Whether both ends ping. The polls of a long-polling client serve as pings."""

    async def receive(self) -> bytes:
        """The next bytes from the client. Raises EndedError if there will be none."""

    async def send(self, records: bytes) -> None:
        """Send records, and wait until the client takes them. Raises EndedError if it is gone."""

    async def close(self, end: End) -> None:
        """End the connection after everything sent before."""


class Posts:
    """The POST bodies of a client that its connection has not read yet."""

    def __init__(self, waiting_max: int) -> None:
        self._waiting_max = waiting_max
        self._bodies: deque[bytes] = deque()
        self._came = asyncio.Event()
        self._has_room = asyncio.Event()
        self._senders = 0
        self._has_ended = False

    async def put(self, body: bytes) -> bool:
        """Add a body, and wait until there is room. False if the connection has ended."""
        while len(self._bodies) >= self._waiting_max and not self._has_ended:
            self._has_room.clear()
            await self._has_room.wait()
        if self._has_ended:
            return False
        self._bodies.append(body)
        self._came.set()
        return True

    async def get(self) -> bytes:
        """The next body. Raises EndedError when none will come."""
        while not self._bodies:
            if self._has_ended:
                raise EndedError(BYE)
            self._came.clear()
            await self._came.wait()
        self._has_room.set()
        return self._bodies.popleft()

    def end(self) -> None:
        """Accept nothing more; bodies added before can still be read."""
        self._has_ended = True
        self._came.set()
        self._has_room.set()

    def enter(self) -> bool:
        """Count a POST while it is under way; False if there are too many already."""
        if self._senders >= self._waiting_max:
            return False
        self._senders += 1
        return True

    def leave(self) -> None:
        self._senders -= 1

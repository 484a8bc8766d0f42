"""What carries records between a client and its connection: a WebSocket, server-sent events, or polls."""

import asyncio
from collections import deque
from typing import ClassVar, Final, Protocol

from croupier.server.signalr.protocol import End, EndedError, WebSocketCode

BYE: Final = End(WebSocketCode.NORMAL)


class Transport(Protocol):
    """One client's way to and from its connection."""

    has_pings: ClassVar[bool]
    """Whether both ends ping. A client of long polling shows by its polls that it is there."""

    async def receive(self) -> bytes:
        """The next bytes from the client. Raises EndedError when none will come."""

    async def send(self, records: bytes) -> None:
        """Sends records, and waits while the client does not take them. Raises EndedError when it is gone."""

    async def close(self, end: End) -> None:
        """Ends it, after what was sent."""


class Posts:
    """What a client has sent by POST, and its connection has not read yet."""

    def __init__(self, waiting_max: int) -> None:
        self._waiting_max = waiting_max
        self._bodies: deque[bytes] = deque()
        self._came = asyncio.Event()
        self._has_room = asyncio.Event()
        self._senders = 0
        self._has_ended = False

    async def put(self, body: bytes) -> bool:
        """Hands a body on, and waits while there is no room. False when the connection has ended."""
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
        """From now on nothing is taken; what came before can still be read."""
        self._has_ended = True
        self._came.set()
        self._has_room.set()

    def enter(self) -> bool:
        """Counts a POST while it is under way; False when there are too many already."""
        if self._senders >= self._waiting_max:
            return False
        self._senders += 1
        return True

    def leave(self) -> None:
        self._senders -= 1

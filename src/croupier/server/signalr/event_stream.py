"""The transport by server-sent events: one answer that does not end, and a POST for everything the client sends."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import ClassVar, Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from croupier.server.caller import disconnected
from croupier.server.signalr.protocol import End, EndedError
from croupier.server.signalr.transport import BYE, Posts

MEDIA_TYPE: Final = "text/event-stream"
_HEADERS: Final = {
    "content-type": MEDIA_TYPE,
    "cache-control": "no-cache, no-store",
    # A proxy that gathers the answer before it passes it on would keep everything from the client.
    "x-accel-buffering": "no",
}
_COMMENT: Final = b":\r\n\r\n"
"""An event without data, so that proxies and clients see at once that the answer has begun."""


class EventStream:
    """Records as events. A record holds no line break, so one line of data can hold any number of them."""

    has_pings: ClassVar[bool] = True

    def __init__(self, posts: Posts) -> None:
        self.posts = posts
        self._send: Send | None = None
        self._is_gone = False

    async def receive(self) -> bytes:
        return await self.posts.get()

    async def send(self, records: bytes) -> None:
        if self._is_gone:
            raise EndedError(BYE)
        await self._write(b"data: " + records + b"\r\n\r\n")

    async def close(self, end: End) -> None:
        """Nothing to do: the answer ends with the connection."""

    def begin(self, send: Send) -> None:
        """The answer has begun: send events here."""
        self._send = send

    def lose(self) -> None:
        """The client is gone, or nothing more is sent to it."""
        self._is_gone = True
        self.posts.end()

    async def _write(self, body: bytes) -> None:
        assert self._send is not None, "a connection runs inside its answer"
        await self._send({"type": "http.response.body", "body": body, "more_body": True})


class EventStreamResponse(Response):
    """The answer that carries a connection from its beginning to its end."""

    def __init__(self, stream: EventStream, opened: ExitStack, run: Callable[[], Awaitable[None]]) -> None:
        """`opened` ends when everything is sent. Until then the connection counts, even if its client does not read."""
        super().__init__(headers=_HEADERS)
        del self.headers["content-length"]
        self._stream = stream
        self._opened = opened
        self._run = run

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._opened:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await send({"type": "http.response.body", "body": _COMMENT, "more_body": True})
            self._stream.begin(send)
            watching = asyncio.create_task(self._watch(receive))
            try:
                await self._run()
            finally:
                watching.cancel()
                self._stream.lose()
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _watch(self, receive: Receive) -> None:
        await disconnected(receive)
        self._stream.lose()

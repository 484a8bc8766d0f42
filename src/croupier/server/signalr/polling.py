"""The transport by long polling: every GET waits for a message, and the client sends by POST."""

import asyncio
from typing import ClassVar

from starlette.types import Receive

from croupier.server.caller import disconnected
from croupier.server.signalr.limits import Limits
from croupier.server.signalr.protocol import End, EndedError
from croupier.server.signalr.transport import BYE, Posts


class LongPolling:
    """The newest poll gets the messages. A client that does not poll for too long counts as gone."""

    has_pings: ClassVar[bool] = False

    def __init__(self, posts: Posts, limits: Limits) -> None:
        self.posts = posts
        self._limits = limits
        self._poll: asyncio.Future[bytes | None] | None = None
        """The waiting poll."""
        self._polled = asyncio.Event()
        """Set while somebody polls, or once nobody will any more."""
        self._has_ended = False
        self.is_gone = False
        """Whether the client has ended it, or polls no more."""
        self._away: asyncio.TimerHandle | None = None
        self._wait_for_poll()

    async def receive(self) -> bytes:
        return await self.posts.get()

    async def send(self, records: bytes) -> None:
        while self._poll is None:
            if self.is_gone:
                raise EndedError(BYE)
            self._polled.clear()
            await self._polled.wait()
        self._answer(records)

    async def close(self, end: End) -> None:
        """End the transport; a waiting poll returns."""
        self.posts.end()
        self._has_ended = True
        self._stop_waiting()
        if self._poll is not None:
            self._answer(None)

    async def poll(self, receive: Receive) -> bytes | None:
        """The next messages, as soon as there are any; empty after a timeout. None if the connection has ended or a
        newer poll has replaced this one. `receive` returns when the client gives up."""
        if self._poll is not None:
            self._answer(None)
        if self._has_ended or self.is_gone:
            return None
        self._stop_waiting()
        poll = self._poll = asyncio.get_running_loop().create_future()
        self._polled.set()
        leaving = asyncio.create_task(disconnected(receive))
        try:
            await asyncio.wait((poll, leaving), timeout=self._limits.poll_seconds, return_when=asyncio.FIRST_COMPLETED)
            return poll.result() if poll.done() else b""
        finally:
            leaving.cancel()
            if self._poll is poll:
                self._poll = None
            if self._poll is None:
                self._wait_for_poll()

    def lose(self) -> None:
        """The client is gone, or nothing more is sent to it."""
        self.is_gone = True
        self._stop_waiting()
        self.posts.end()
        self._polled.set()
        if self._poll is not None:
            self._answer(None)

    def _answer(self, records: bytes | None) -> None:
        assert self._poll is not None
        self._poll.set_result(records)
        self._poll = None

    def _wait_for_poll(self) -> None:
        self._stop_waiting()
        if not (self._has_ended or self.is_gone):
            self._away = asyncio.get_running_loop().call_later(self._limits.away_seconds, self.lose)

    def _stop_waiting(self) -> None:
        if self._away is not None:
            self._away.cancel()
            self._away = None

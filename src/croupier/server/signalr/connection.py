"""One client of a hub, from its handshake to its end."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

from croupier.server.signalr.limits import Limits
from croupier.server.signalr.protocol import (
    PING,
    End,
    EndedError,
    Kind,
    Message,
    Records,
    WebSocketCode,
    close,
    failure,
    handshake,
    read,
    read_handshake,
)
from croupier.server.signalr.transport import BYE, Transport

_BROKEN: Final = End(WebSocketCode.SERVER_ERROR, "The server failed; see its log.", allow_reconnect=True)
_TOO_FAST: Final = End(WebSocketCode.POLICY, "Too many messages; come back and send fewer.", allow_reconnect=True)
STOPPING: Final = End(WebSocketCode.GOING_AWAY, "The server is stopping.", allow_reconnect=True)

_log = logging.getLogger(__name__)


class Hub(Protocol):
    """The application behind the connections."""

    def connected(self, connection: "Connection") -> None:
        """The handshake is complete: messages can be sent from now on."""

    async def invoked(self, connection: "Connection", message: Message) -> None:
        """The client calls a method. Its next message waits until this returns."""

    async def disconnected(self, connection: "Connection") -> None:
        """The connection has ended, for whatever reason. Called once for every `connected`."""


class Connection:
    """Speaks the hub protocol over a transport. Messages reach the client in the order in which they were sent."""

    def __init__(
        self,
        transport: Transport,
        connection_id: str,
        language: str,
        limits: Limits,
        may_send: Callable[[], bool] = lambda: True,
    ) -> None:
        """`may_send` is asked for every message of the client, and for every part that completes none. If it returns
        False, the connection ends."""
        self.id = connection_id
        self.language = language
        self.transport = transport
        self._limits = limits
        self._may_send = may_send
        self._records = Records(limits.message_bytes_max)
        self._ready: deque[bytes] = deque()
        self._outgoing: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._end: asyncio.Future[End] = asyncio.get_running_loop().create_future()

    def send(self, record: bytes) -> None:
        """Send a record without waiting. A client that does not keep up is dropped; it may come back."""
        if self._end.done():
            return
        if len(self._outgoing) == self._limits.messages_waiting_max:
            self._outgoing.clear()
            self.finish(End(WebSocketCode.TRY_AGAIN_LATER, "The client reads too slowly.", allow_reconnect=True))
            return
        self._outgoing.append(record)
        self._wake.set()

    def finish(self, end: End) -> None:
        """End the connection after everything sent before. Only the first call counts."""
        if not self._end.done():
            self._end.set_result(end)
            self._wake.set()

    def polled_in_vain(self) -> None:
        """Count a poll that returned nothing: too many end the connection, like too many messages."""
        if not self._may_send():
            self.finish(_TOO_FAST)

    async def run(self, hub: Hub) -> None:
        """Serves the connection until it ends."""
        refused = await self._shake_hands()
        if refused is not None:
            await self._part(handshake(refused.error), refused)
            return
        await self._deliver(handshake())
        hub.connected(self)
        reading = asyncio.create_task(self._read(hub))
        writing = asyncio.create_task(self._write())
        self._end.add_done_callback(lambda _: reading.cancel())
        try:
            end = await self._end
            await self._part(close(end), end, writing)
        finally:
            writing.cancel()
            await hub.disconnected(self)

    async def _shake_hands(self) -> End | None:
        """Wait for the handshake. If it fails, tell the client why."""
        reading = asyncio.create_task(self._next(self._limits.handshake_seconds))
        try:
            await asyncio.wait((reading, self._end), return_when=asyncio.FIRST_COMPLETED)
            if not reading.done():
                return self._end.result()
            error = read_handshake(reading.result())
        except EndedError as ended:
            return ended.end
        finally:
            reading.cancel()
        return None if error is None else End(WebSocketCode.PROTOCOL_ERROR, error)

    async def _next(self, seconds: float | None) -> bytes:
        """The next record. Raises EndedError when there will be none, or none in time."""
        try:
            async with asyncio.timeout(seconds):
                while not self._ready:
                    self._ready.extend(self._records.feed(await self.transport.receive()))
                    if not self._ready:
                        self._count()
        except TimeoutError:
            error = f"No message came from the client for {seconds:g} s."
            raise EndedError(End(WebSocketCode.POLICY, error, allow_reconnect=True)) from None
        return self._ready.popleft()

    def _count(self) -> None:
        """Count a received message. Raises EndedError if there are too many."""
        if not self._may_send():
            raise EndedError(_TOO_FAST)

    async def _read(self, hub: Hub) -> None:
        seconds = self._limits.client_timeout_seconds if self.transport.has_pings else None
        try:
            while True:
                message = read(await self._next(seconds))
                self._count()
                match message.type:
                    case Kind.INVOCATION:
                        await hub.invoked(self, message)
                    case Kind.STREAM_INVOCATION if message.invocation_id is not None:
                        self.send(failure(message.invocation_id, "No method of this hub streams."))
                    case Kind.CLOSE:
                        raise EndedError(BYE)
                    case _:
                        # A ping has done its work by coming. The rest answers or cancels what was never asked.
                        pass
        except EndedError as ended:
            self.finish(ended.end)
        except Exception:
            _log.exception("a message to the hub failed")
            self.finish(_BROKEN)

    async def _write(self) -> None:
        """Send what is queued; ping when the queue stays empty."""
        seconds = self._limits.keep_alive_seconds if self.transport.has_pings else None
        while not self._end.done() or self._outgoing:
            try:
                async with asyncio.timeout(seconds):
                    await self._wake.wait()
            except TimeoutError:
                await self._deliver(PING)
                continue
            self._wake.clear()
            waiting = b"".join(self._outgoing)
            self._outgoing.clear()
            if waiting:
                await self._deliver(waiting)

    async def _part(self, last: bytes, end: End, writing: asyncio.Task[None] | None = None) -> None:
        """Send the last records, after everything being written, if the client takes them in time."""
        try:
            async with asyncio.timeout(self._limits.closing_seconds):
                if writing is not None:
                    await writing
                await self._deliver(last)
                await self.transport.close(end)
        except TimeoutError:
            _log.info("a client of the hub did not take its end in time")

    async def _deliver(self, records: bytes) -> None:
        try:
            await self.transport.send(records)
        except EndedError as ended:
            self.finish(ended.end)

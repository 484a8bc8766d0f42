"""One end of a line between two processes: messages as MessagePack, each after its length in four bytes.

Everything sent in one turn of the loop is written at once, at its end.
"""

import asyncio
import logging
import socket
import struct
from collections.abc import Callable
from typing import Final, Generic, TypeVar, cast

import msgspec

from croupier.store.remote.messages import pack

FRAME_BYTES_MAX: Final = 256 * 1024 * 1024
"""The longest message. Only the records of a very long table come near it."""
LENGTH: Final = struct.Struct("!I")

_NO_LENGTH: Final = bytes(LENGTH.size)
_log = logging.getLogger(__name__)

Incoming = TypeVar("Incoming")


class Line(asyncio.Protocol, Generic[Incoming]):
    """Sends messages, and passes incoming ones to `take`. Malformed bytes end the line."""

    def __init__(
        self,
        line: socket.socket,
        decoder: "msgspec.msgpack.Decoder[Incoming]",
        take: Callable[[Incoming], None],
        end: Callable[[], None],
        gather: Callable[[], None] = lambda: None,
    ) -> None:
        """Take over the socket, in the running loop. `end` is called once, when the line has ended. `gather` is called
        at the end of a turn in which something was sent or `wake` was called, to send what it has gathered."""
        self._decode = decoder.decode
        self._take = take
        self._end = end
        self._gather = gather
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._outgoing = bytearray()
        self._flushing = self._closing = False
        self._chunks: list[bytes] = []
        self._missing_bytes = 0
        """The fewest bytes that are missing from the next message."""
        self._holding = False
        self.is_full = False
        """Whether the other end reads too slowly, so that messages wait here."""
        self._connecting = self._loop.create_task(self._connect(line))

    async def _connect(self, line: socket.socket) -> None:
        try:
            await self._loop.create_unix_connection(lambda: self, sock=line)
        except (OSError, ValueError) as error:
            line.close()
            self.connection_lost(error)

    def send(self, message: object) -> None:
        """Send a message at the end of this turn. Raises ValueError if it cannot be sent."""
        outgoing = self._outgoing
        start = len(outgoing)
        outgoing += _NO_LENGTH
        try:
            pack.encode_into(message, outgoing, -1)
            length = len(outgoing) - start - LENGTH.size
            if length > FRAME_BYTES_MAX:
                raise ValueError(f"a message has at most {FRAME_BYTES_MAX} bytes, not {length}")
        except (ValueError, OverflowError) as error:
            del outgoing[start:]
            raise ValueError(str(error)) from error
        LENGTH.pack_into(outgoing, start, length)
        if not self._flushing:
            self.wake()

    def wake(self) -> None:
        """Ask to send something at the end of this turn."""
        if not self._flushing:
            self._flushing = True
            self._loop.call_soon(self._flush)

    def hold(self, holding: bool) -> None:
        """Stop reading while it is held."""
        if holding != self._holding and self._transport is not None and not self._transport.is_closing():
            self._holding = holding
            if holding:
                self._transport.pause_reading()
            else:
                self._transport.resume_reading()

    def close(self) -> None:
        """Close once everything sent is written."""
        self._closing = True
        if self._transport is not None:
            self.is_full = False
            self._flush()
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._flush()
        if self._closing:
            self._transport.close()

    def data_received(self, data: bytes) -> None:
        self._chunks.append(data)
        self._missing_bytes -= len(data)
        if self._missing_bytes > 0:
            return
        if len(self._chunks) > 1:
            data = b"".join(self._chunks)
        try:
            rest = self._read(data)
        except Exception:
            _log.exception("what came over a line is no message: the line is cut")
            self._chunks = []
            if self._transport is not None:
                self._transport.abort()
            return
        self._chunks = [rest] if rest else []

    def pause_writing(self) -> None:
        self.is_full = True

    def resume_writing(self) -> None:
        self.is_full = False
        self._flush()

    def connection_lost(self, error: Exception | None) -> None:
        self._outgoing.clear()
        self._end()

    def _read(self, data: bytes) -> bytes:
        """Take every complete message; the rest is the beginning of the next one."""
        start, end = 0, len(data)
        self._missing_bytes = LENGTH.size
        while end - start >= LENGTH.size:
            (length,) = LENGTH.unpack_from(data, start)
            if length > FRAME_BYTES_MAX:
                raise ValueError(f"a message has at most {FRAME_BYTES_MAX} bytes, not {length}")
            after = start + LENGTH.size + length
            if after > end:
                self._missing_bytes = LENGTH.size + length
                break
            self._take(self._decode(data[start + LENGTH.size : after]))
            start = after
        rest = data[start:]
        self._missing_bytes -= len(rest)
        return rest

    def _flush(self) -> None:
        if self._transport is not None and self._transport.is_closing():
            self._outgoing.clear()
        elif self._transport is not None and not self.is_full:
            # Until the end, so that what is gathered wakes nobody.
            self._flushing = True
            self._gather()
            if self._outgoing:
                self._transport.write(self._outgoing)
                self._outgoing = bytearray()
        self._flushing = False

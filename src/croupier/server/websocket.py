"""WebSockets on the shortest path: outgoing frames are gathered for one turn of the loop, an incoming frame is passed
on by a call.

uvicorn and the websockets library do the handshake, pings, fragments, closing and everything that is malformed. Only
whole masked text frames are read and written here: nearly all frames are such.

All incoming bytes are cut into frames here, also those for the library. So every frame is counted, and only a few
frames of each connection are read before all others have their turn.
"""

import asyncio
import socket
from collections.abc import Callable
from typing import Any, Final, Protocol

from uvicorn._types import ASGIReceiveEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Opcode
from websockets.http11 import Request
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from croupier.server.gate import Visit

try:
    from websockets.speedups import apply_mask
except ImportError:  # where the library was built without its C part
    from websockets.utils import apply_mask

EXTENSION: Final = "croupier.direct"
"""The key in the scope's extensions from which the application takes the socket."""
CLOSING_SECONDS_MAX: Final = 2.0
"""How long the close of a connection may take."""
SEND_BUFFER_BYTES: Final = 256 * 1024
"""The system's send buffer for one client: one that stops reading is noticed after a hundred states."""
UNSENT_BYTES_MAX: Final = 64 * 1024
"""More than this is written at once, to notice a client that does not read."""
FRAMES_A_TURN_MAX: Final = 16
"""How many frames of one connection are read in one turn of the loop; the rest waits until others had theirs."""

_TEXT_WHOLE: Final = 0x80 | Opcode.TEXT
_FINAL: Final = 0x80
_MASKED: Final = 0x80
_DATA: Final = frozenset((Opcode.CONT, Opcode.TEXT, Opcode.BINARY))


class Reader(Protocol):
    """Receives the messages of a socket. None of these methods may wait."""

    def received(self, text: str | None) -> None:
        """A message; None for one that is not text."""

    def counted(self) -> None:
        """A frame that is no whole text: a ping, a part of a message. It costs as much as one, and counts like one."""

    def drained(self) -> None:
        """A clogged socket has sent everything written to it."""

    def lost(self) -> None:
        """Nothing more will be received."""


class DirectSocket(WebSocketsSansIOProtocol):
    """A WebSocket of uvicorn that an application can take over once it has accepted it."""

    _reader: Reader | None = None
    _partial = b""
    """Received bytes that were not read: frames that wait for their turn, and the beginning of an incomplete one.
    """
    _turn: asyncio.Handle | None = None
    """The next turn of this connection, while frames wait for it."""
    _held = False
    """Whether input is left with the system for now."""
    _in_parts = False
    """Whether the library is in the middle of a message in several frames."""
    _unsent_bytes = 0
    is_clogged = False
    """Whether the client reads too slowly."""

    def __init__(self, *args: Any, visit: Visit | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._visit = visit
        self._unsent: list[bytes] = []
        """The frames written in this turn of the loop."""
        self.admits: Callable[[], bool] = _always
        """Asked for every frame until a reader has taken the socket over; if it returns False, the connection is
        cut."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        if self._partial:
            # Of one that was handed over: whole frames may be among it.
            self._wait_for_turn()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            extensions: Any = self.scope["extensions"]
            extensions[EXTENSION] = self

    def take_over(self, reader: Reader) -> None:
        """From now on, pass messages to `reader`; it answers with `write` and `end`."""
        self._reader = reader
        line = self.transport.get_extra_info("socket")
        if line is not None:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)

    def adopt(self, reader: Reader, partial: bytes) -> None:
        """Replace a socket whose handshake was made in another process, before its transport is made. `partial` is the
        beginning of a frame received there."""
        self._reader = reader
        self._partial = partial
        self.handshake_initiated = self.handshake_complete = True
        self.conn = ServerProtocol(state=OPEN, max_size=self.config.ws_max_size, logger=self.conn.logger)

    def hand_over(self, give: Callable[[int, bytes], bool]) -> bool:
        """Hand the open connection to another process: `give` takes its descriptor and the beginning of an incomplete
        frame. From then on nothing is read or written here. False if it cannot be handed over now."""
        line = self.transport.get_extra_info("socket")
        self._send()
        if (
            line is None
            # The library's state in the middle of a message, or of a compression, cannot be handed over.
            or self._in_parts
            or self.conn.extensions
            or self.close_sent
            or self.transport.is_closing()
            or self.transport.get_write_buffer_size()
            or not give(line.fileno(), self._partial)
        ):
            return False
        # The other process has the connection open, so it does not end for the client.
        self.close_sent = True
        self.transport.abort()
        return True

    def write(self, text: bytes) -> None:
        """Send a text frame, unless the connection is closed, together with everything written in the same turn of the
        loop: a state and an answer cost one system call. Writing to a clogged socket fills memory."""
        if not self._unsent:
            self.loop.call_soon(self._send)
        length = len(text)
        if length < 126:
            head = bytes((_TEXT_WHOLE, length))
        elif length < 65536:
            head = b"\x81\x7e" + length.to_bytes(2, "big")
        else:
            head = b"\x81\x7f" + length.to_bytes(8, "big")
        self._unsent += head, text
        self._unsent_bytes += length
        if self._unsent_bytes > UNSENT_BYTES_MAX:
            self._send()

    def _send(self) -> None:
        if self._unsent and not self.transport.is_closing():
            self.transport.write(b"".join(self._unsent))
        self._unsent.clear()
        self._unsent_bytes = 0

    def end(self, code: int) -> None:
        """Close the connection; cut it if the client does not answer."""
        if self.close_sent or self.transport.is_closing():
            return
        self._send()
        self.conn.send_close(code)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.resume_reading()
        self.close_timer = self.loop.call_later(CLOSING_SECONDS_MAX, self.transport.abort)

    def pause_reading(self) -> None:
        """Leave input with the system until the reader can follow."""
        if not self.read_paused and not self.close_sent:
            self.read_paused = self._held = True
            self.transport.pause_reading()

    def resume_reading(self) -> None:
        if self.read_paused:
            self.read_paused = False
            if self._turn is None:
                self._wait_for_turn()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.is_clogged = True

    def resume_writing(self) -> None:
        super().resume_writing()
        self.is_clogged = False
        if self._reader is not None:
            self._reader.drained()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._visit is not None:
            self._visit.end()
        self.is_clogged = False
        # Reader and parser refer to this socket, and it to them. Breaking these cycles frees everything at once,
        # without the collector, which seldom runs.
        reader, self._reader = self._reader, None
        self.conn.parser.close()
        if reader is not None:
            reader.lost()

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:
            super().data_received(data)
            return
        self._partial = self._partial + data if self._partial else data
        if self._turn is None:
            self._read()

    def _wait_for_turn(self) -> None:
        self._turn = self.loop.call_soon(self._read)

    def _read(self) -> None:
        """Read the frames received, as many as one turn allows, unless the reader cannot follow. Frames after the end
        of the connection do not count."""
        self._turn = None
        buffer, self._partial = self._partial, b""
        start, have, left = 0, len(buffer), FRAMES_A_TURN_MAX
        while left and not self.read_paused and not self.transport.is_closing():
            frame = _measure(buffer, start, have)
            if frame is None:
                break
            body, end = frame
            if end - body > self.config.ws_max_size:
                # The library refuses it by its head alone.
                self._leave_to_library(buffer[start:])
                return
            if end > have:
                break
            self._take(buffer, start, body, end)
            start = end
            left -= 1
        if self.transport.is_closing():
            return
        self._partial = buffer[start:]
        if not left and self._partial and not self.read_paused:
            # The system's buffer is bounded, and the client notices.
            self._held = True
            self.transport.pause_reading()
            self._wait_for_turn()
        elif self._held and not self.read_paused:
            self._held = False
            self.transport.resume_reading()

    def _take(self, buffer: bytes, start: int, body: int, end: int) -> None:
        """One whole frame: to the reader if it is a whole text, else through the library."""
        reader, opcode = self._reader, buffer[start] & 0x0F
        if self.close_sent:
            # Only the client's own close still matters.
            if opcode == Opcode.CLOSE:
                self._leave_to_library(buffer[start:end])
            return
        if reader is None:
            if not self.admits():
                self.transport.abort()
                return
        elif buffer[start] == _TEXT_WHOLE and buffer[start + 1] & _MASKED and not self._in_parts:
            try:
                text = apply_mask(buffer[body:end], buffer[body - 4 : body]).decode()
            except UnicodeDecodeError:
                self._leave_to_library(buffer[start:end])
            else:
                reader.received(text)
            return
        elif not (buffer[start] & _FINAL and opcode in _DATA and not self._in_parts):
            reader.counted()
            if self.close_sent:
                return
        if opcode in _DATA:
            self._in_parts = not buffer[start] & _FINAL
        self._leave_to_library(buffer[start:end])

    def _leave_to_library(self, data: bytes) -> None:
        """The library may answer by closing, so what was written before goes out first."""
        self._send()
        super().data_received(data)

    async def receive(self) -> ASGIReceiveEvent:
        """The application takes a message; the frames behind it have their turn."""
        message = await self.queue.get()
        if self.queue.empty():
            self.resume_reading()
        return message

    def send_receive_event_to_app(self) -> None:
        """A message that came through the library."""
        reader = self._reader
        if reader is None:
            super().send_receive_event_to_app()
            self._held = self.read_paused
            return
        message, self.frames = b"".join(self.frames), []
        if self.close_sent:
            return
        try:
            reader.received(message.decode() if self.curr_msg_data_type == "text" else None)
        except UnicodeDecodeError:
            self.conn.send_close(1007)
            self.handle_parser_exception()


def _always() -> bool:
    return True


def _measure(buffer: bytes, start: int, have: int) -> tuple[int, int] | None:
    """Where the body of the frame at `start` begins and ends; None while its head is incomplete."""
    if have - start < 2:
        return None
    length = buffer[start + 1] & 0x7F
    body = start + 2
    if length == 126:
        body += 2
        length = int.from_bytes(buffer[start + 2 : body], "big")
    elif length == 127:
        body += 8
        length = int.from_bytes(buffer[start + 2 : body], "big")
    if buffer[start + 1] & _MASKED:
        body += 4
    return None if body > have else (body, body + length)

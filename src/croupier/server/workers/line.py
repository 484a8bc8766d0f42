"""Messages between the front and a worker, apart from the store, and the connections that they hand over."""

import asyncio
import os
import socket
from collections.abc import Callable
from typing import Final, TypeAlias

import msgspec

from croupier.server.metrics import Tally
from croupier.server.services import log
from croupier.store.port import Person

MESSAGE_BYTES_MAX: Final = 128 * 1024
BUFFER_BYTES: Final = 8 * MESSAGE_BYTES_MAX
"""How many bytes may be under way. When the line is full, the sender keeps the connection for now."""


class Handed(msgspec.Struct, frozen=True, tag="handed"):
    """A connection apart from its socket: its person, and the requests not yet answered."""

    network: str
    """The address under which it is counted."""
    person: Person
    device: str
    language: str
    rooms: tuple[tuple[str, int], ...]
    """The rooms that it hears, with the version known of each."""
    room_code: str
    requests: tuple[str | None, ...]
    partial: bytes
    """The beginning of an incomplete frame."""
    message_tokens: float
    chat_tokens: float

    def __repr__(self) -> str:
        return f"<Handed connection with {len(self.requests)} requests>"


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """A worker is ready for connections."""


class Counted(msgspec.Struct, frozen=True, tag="counted"):
    """A worker's counts since its start."""

    tally: Tally


Message: TypeAlias = Handed | Ready | Counted

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Message).decode


class Line:
    """One end of a line. Messages come whole and in order, some with an open socket."""

    def __init__(self, end: socket.socket, received: Callable[[Message, int | None], None]) -> None:
        """`received` is called with each message, and, where that is `Handed`, with the socket's descriptor, which is
        then its own."""
        end.setblocking(False)
        for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
            end.setsockopt(socket.SOL_SOCKET, option, BUFFER_BYTES)
        self._end = end
        self._received = received
        asyncio.get_running_loop().add_reader(end, self._read)

    @staticmethod
    def pair() -> tuple[socket.socket, socket.socket]:
        """The two ends of a new line."""
        return socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)

    def send(self, message: Message, descriptor: int | None = None) -> bool:
        """Sends a message, with a copy of an open socket; False when that cannot be done now."""
        encoded = _encode(message)
        if len(encoded) > MESSAGE_BYTES_MAX:
            return False
        try:
            socket.send_fds(self._end, [encoded], [] if descriptor is None else [descriptor])
        except OSError:
            return False
        return True

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._end)
        self._end.close()

    def _read(self) -> None:
        try:
            encoded, descriptors, _, _ = socket.recv_fds(self._end, MESSAGE_BYTES_MAX, 1)
        except BlockingIOError:
            return
        except OSError as error:
            # The other process is gone; the one that started it will notice.
            log.debug("a line is lost: %s", error)
            return
        try:
            message = _decode(encoded)
        except msgspec.DecodeError:
            log.error("another process of this server said what this one does not understand")
            for descriptor in descriptors:
                os.close(descriptor)
            return
        if isinstance(message, Handed) and not descriptors:
            log.error("a connection was handed over but its socket did not arrive: too many files are open")
            return
        self._received(message, descriptors[0] if descriptors else None)

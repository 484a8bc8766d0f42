"""The records of the SignalR JSON hub protocol, version 1, and how they are read, written and separated.

A record is one JSON object and the byte 0x1E. The texts of protocol faults are in English: they tell the author of a
client what is wrong with it, and no player sees them.
"""

from enum import IntEnum
from typing import Any, Final

import msgspec

SEPARATOR: Final = b"\x1e"
PROTOCOL: Final = "json"
VERSION: Final = 1
SHOWN_MAX: Final = 60
"""How much of a client's text is repeated in a message about it."""


class WebSocketCode(IntEnum):
    """Why a WebSocket is closed, in the numbers of RFC 6455."""

    NORMAL = 1000
    GOING_AWAY = 1001
    PROTOCOL_ERROR = 1002
    POLICY = 1008
    TOO_BIG = 1009
    SERVER_ERROR = 1011
    TRY_AGAIN_LATER = 1013


class End(msgspec.Struct, frozen=True):
    """How the server ends a connection, and whether a client that reconnects by itself may do so."""

    code: WebSocketCode
    error: str | None = None
    allow_reconnect: bool = False


class EndedError(Exception):
    """Nothing more can be read from this connection."""

    def __init__(self, end: End) -> None:
        super().__init__(end.error)
        self.end = end


class Kind(IntEnum):
    """The type of a message. Types missing here come from newer clients and are ignored."""

    INVOCATION = 1
    STREAM_ITEM = 2
    COMPLETION = 3
    STREAM_INVOCATION = 4
    CANCEL_INVOCATION = 5
    PING = 6
    CLOSE = 7


class HandshakeRequest(msgspec.Struct, frozen=True):
    protocol: str
    version: int


class Message(msgspec.Struct, frozen=True, rename="camel"):
    """Any message after the handshake, with those of its fields that the server needs."""

    type: int
    invocation_id: str | None = None
    """None if the client wants no answer; then it must not get one."""
    target: str = ""
    arguments: tuple[msgspec.Raw, ...] = ()


class _Handshake(msgspec.Struct, frozen=True, omit_defaults=True):
    error: str | None = None


class _Answer(msgspec.Struct, frozen=True, rename="camel", tag_field="type"):
    """Base of the server's messages. A field that is present is never null, unless it is a result."""


class _Invocation(_Answer, frozen=True, tag=int(Kind.INVOCATION)):
    target: str
    arguments: tuple[Any, ...]


class _Result(_Answer, frozen=True, tag=int(Kind.COMPLETION)):
    invocation_id: str
    result: None = None


class _Failure(_Answer, frozen=True, tag=int(Kind.COMPLETION)):
    invocation_id: str
    error: str


class _Ping(_Answer, frozen=True, tag=int(Kind.PING)):
    pass


class _Close(_Answer, frozen=True, tag=int(Kind.CLOSE), omit_defaults=True):
    error: str | None = None
    allow_reconnect: bool = False


class Records:
    """Splits input into records, wherever frames begin and end."""

    def __init__(self, bytes_max: int) -> None:
        self._bytes_max = bytes_max
        self._rest = bytearray()

    def feed(self, frame: bytes) -> list[bytes]:
        """The records that this frame completes. Raises EndedError when a frame or a record is too long."""
        self._check(frame)
        *records, rest = frame.split(SEPARATOR)
        if records:
            records[0] = bytes(self._rest) + records[0]
            self._check(records[0])
            self._rest.clear()
        self._rest += rest
        self._check(self._rest)
        return records

    def _check(self, some: bytes | bytearray) -> None:
        if len(some) > self._bytes_max:
            raise EndedError(End(WebSocketCode.TOO_BIG, f"A message may have at most {self._bytes_max} bytes."))


def read_handshake(record: bytes) -> str | None:
    """What is wrong with the client's handshake; None if it is good."""
    try:
        request = _read_handshake(record)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        return f"The first message must be a handshake: {error}"
    if request.protocol != PROTOCOL:
        return f"The protocol {shown(request.protocol)} is not supported; supported is '{PROTOCOL}'."
    if request.version != VERSION:
        return f"Version {request.version} of the protocol is not supported; supported is {VERSION}."
    return None


def read(record: bytes) -> Message:
    """A message. Raises EndedError for anything else."""
    try:
        message = _read_message(record)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise EndedError(End(WebSocketCode.PROTOCOL_ERROR, f"This is no hub message: {error}")) from error
    if message.type in (Kind.INVOCATION, Kind.STREAM_INVOCATION) and not message.target:
        raise EndedError(End(WebSocketCode.PROTOCOL_ERROR, "An invocation must name its target."))
    return message


def handshake(error: str | None = None) -> bytes:
    """The answer to a handshake."""
    return _written(_Handshake(error))


def invocation(target: str, *arguments: Any) -> bytes:
    """Calls a method of the client and wants no answer."""
    return _written(_Invocation(target, arguments))


def result(invocation_id: str) -> bytes:
    """The client's invocation succeeded; no method of the server returns anything."""
    return _written(_Result(invocation_id))


def failure(invocation_id: str, error: str) -> bytes:
    """The client's invocation failed."""
    return _written(_Failure(invocation_id, error))


def close(end: End) -> bytes:
    """The last message of a connection."""
    return _written(_Close(end.error, end.allow_reconnect))


def shown(text: str) -> str:
    """A client's text in quotation marks, cut short."""
    return repr(text if len(text) <= SHOWN_MAX else f"{text[:SHOWN_MAX]}…")


def _written(message: msgspec.Struct) -> bytes:
    return msgspec.json.encode(message) + SEPARATOR


PING: Final = _written(_Ping())

_read_handshake = msgspec.json.Decoder(HandshakeRequest).decode
_read_message = msgspec.json.Decoder(Message).decode

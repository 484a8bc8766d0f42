"""The frames of a WebSocket, byte by byte: whatever comes, the answer is a frame, a close code or a close."""

import asyncio
import json
import logging
import struct
from collections import Counter
from random import Random
from typing import Final, NamedTuple

import pytest
from msgspec.structs import replace

from tests.server.hub_room import asynchronous
from tests.server.live import FAST, Live, live

PATIENCE_SECONDS: Final = 20.0
TEXT, BINARY, CONTINUED, CLOSE, PING, PONG = 0x1, 0x2, 0x0, 0x8, 0x9, 0xA
FINAL: Final = 0x80
FAIR_CODES: Final = {1000, 1001, 1002, 1003, 1007, 1009, 4029}
"""With which the server may close: nothing else can come of bad frames, least of all 1011."""
MASK: Final = b"\x11\x22\x33\x44"


class Frame(NamedTuple):
    opcode: int
    body: bytes


def masked(body: bytes, mask: bytes = MASK) -> bytes:
    return bytes(byte ^ mask[place % 4] for place, byte in enumerate(body))


def frame(body: bytes = b"", opcode: int = TEXT, *, first: int | None = None, mask: bytes = MASK) -> bytes:
    """A frame as a client writes it; `first` is its first byte, where that is to be wrong."""
    head = bytes((FINAL | opcode if first is None else first,))
    if len(body) < 126:
        head += bytes((0x80 | len(body),))
    elif len(body) < 65536:
        head += b"\xfe" + struct.pack(">H", len(body))
    else:
        head += b"\xff" + struct.pack(">Q", len(body))
    return head + mask + masked(body, mask)


def request(kind: str = "ROOM_LIST", **fields: object) -> bytes:
    return json.dumps({"type": kind, "requestId": "1", **fields}).encode()


class Raw:
    """A client that speaks TCP and nothing else."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def connect(cls, server: Live) -> "Raw":
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(
            b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101"), head
        client = cls(reader, writer)
        client.write(frame(request("HELLO", nickname="Raw")))
        assert json.loads((await client.read()).body)["type"] == "WELCOME"
        return client

    def write(self, data: bytes) -> None:
        self._writer.write(data)

    async def pieces(self, data: bytes) -> None:
        """One byte at a time, each in a packet of its own."""
        for place in range(len(data)):
            self._writer.write(data[place : place + 1])
            await self._writer.drain()
            await asyncio.sleep(0)

    async def read(self) -> Frame:
        """The server's next frame: whole, not masked, of a length written in the shortest way."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            first, second = await self._reader.readexactly(2)
            assert first & 0xF0 == FINAL, "the server sends whole frames without reserved bits"
            assert not second & 0x80, "a server does not mask"
            length = second
            if second == 126:
                (length,) = struct.unpack(">H", await self._reader.readexactly(2))
                assert length >= 126
            elif second == 127:
                (length,) = struct.unpack(">Q", await self._reader.readexactly(8))
                assert length >= 65536
            return Frame(first & 0x0F, await self._reader.readexactly(length))

    async def rest(self) -> list[Frame]:
        """All frames to the end of the line."""
        frames = []
        while True:
            try:
                frames.append(await self.read())
            except asyncio.IncompleteReadError as error:
                if error.partial:
                    raise AssertionError("the line ended inside of a frame") from error
                return frames
            except ConnectionError:
                return frames

    async def closes(self) -> int | None:
        """The close code that comes, and then the end of the line; None when the line just ends."""
        codes = [struct.unpack(">H", body[:2])[0] for opcode, body in await self.rest() if opcode == CLOSE]
        assert len(codes) <= 1
        return codes[0] if codes else None

    def hang_up(self) -> None:
        self._writer.close()

    def say_no_more(self) -> None:
        if self._writer.can_write_eof():
            self._writer.write_eof()


BROKEN: Final[dict[str, tuple[bytes, int]]] = {
    "not masked": (bytes((FINAL | TEXT, 2)) + b"{}", 1002),
    "reserved bit 1": (frame(request(), first=FINAL | 0x40 | TEXT), 1002),
    "reserved bit 2": (frame(request(), first=FINAL | 0x20 | TEXT), 1002),
    "reserved bit 3": (frame(request(), first=FINAL | 0x10 | TEXT), 1002),
    "unknown kind of data": (frame(b"", 0x3), 1002),
    "unknown kind of control": (frame(b"", 0xB), 1002),
    "longer than memory": (bytes((FINAL | TEXT, 0xFF)) + struct.pack(">Q", 2**63 - 1) + MASK, 1009),
    "length with the highest bit": (bytes((FINAL | TEXT, 0xFF)) + struct.pack(">Q", 2**63) + MASK, 1009),
    "longer than allowed": (bytes((FINAL | TEXT, 0xFF)) + struct.pack(">Q", 10**6) + MASK, 1009),
    "long binary": (bytes((FINAL | BINARY, 0xFF)) + struct.pack(">Q", 10**6) + MASK, 1009),
    "long ping": (frame(b"x" * 126, PING), 1002),
    "ping in parts": (frame(b"x", PING, first=PING), 1002),
    "close in parts": (frame(b"", CLOSE, first=CLOSE), 1002),
    "end of nothing": (frame(b"{}", CONTINUED), 1002),
    "text inside of a text": (frame(b"{", first=TEXT) + frame(request()), 1002),
    "not UTF-8": (frame(b'{"type":"\xff\xfe"}'), 1007),
    "not UTF-8 in parts": (frame(b'{"type":"\xc3', first=TEXT) + frame(b'"}', CONTINUED), 1007),
    "a surrogate in UTF-8": (frame(b'{"type":"\xed\xa0\x80"}'), 1007),
    "close with half a code": (frame(b"\x03", CLOSE), 1002),
    "close with a code that nobody may send": (frame(struct.pack(">H", 1005), CLOSE), 1002),
    "close with a reason that is not UTF-8": (frame(struct.pack(">H", 1000) + b"\xff", CLOSE), 1007),
    "parts that are too long together": (
        frame(b"x" * 65000, first=TEXT) + 3 * frame(b"x" * 65000, CONTINUED, first=CONTINUED),
        1009,
    ),
}


@asynchronous
async def test_what_breaks_the_protocol_is_closed_with_its_code() -> None:
    async with live() as server:
        found = {}
        for name, (data, _) in BROKEN.items():
            client = await Raw.connect(server)
            client.write(data)
            found[name] = await client.closes()
            client.hang_up()
        assert found == {name: code for name, (_, code) in BROKEN.items()}
        await _still_serves(server)


@asynchronous
async def test_frames_are_read_however_they_are_cut_into_packets() -> None:
    async with live() as server:
        client = await Raw.connect(server)
        await client.pieces(frame(request()))
        assert json.loads((await client.read()).body)["type"] == "ROOM_LISTING"
        client.write(3 * frame(request()))
        assert [json.loads((await client.read()).body)["type"] for _ in range(3)] == 3 * ["ROOM_LISTING"]
        half = frame(request())
        client.write(frame(request()) + half[:7])
        assert json.loads((await client.read()).body)["type"] == "ROOM_LISTING"
        client.write(half[7:])
        assert json.loads((await client.read()).body)["type"] == "ROOM_LISTING"
        client.hang_up()


@asynchronous
async def test_a_message_in_parts_may_have_pings_between_them_and_other_messages_after_it() -> None:
    async with live() as server:
        client = await Raw.connect(server)
        text = request()
        client.write(
            frame(text[:5], first=TEXT)
            + frame(b"are you there", PING)
            + frame(text[5:9], CONTINUED, first=CONTINUED)
            + frame(text[9:], CONTINUED)
            + frame(request("NONSENSE"))
            + frame(b"\x00\x01", BINARY)
        )
        assert await client.read() == Frame(PONG, b"are you there")
        answers = [json.loads((await client.read()).body) for _ in range(3)]
        # The list is looked up in the store, so what can be refused at once may come before it.
        assert sorted(answer.get("code", answer["type"]) for answer in answers) == [
            *("BAD_MESSAGE", "BAD_MESSAGE", "ROOM_LISTING")
        ]
        client.write(frame(struct.pack(">H", 1000), CLOSE))
        assert await client.closes() == 1000


async def _still_serves(server: Live) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS), server.client("Somebody else") as other:
        assert (await other.request("ROOM_LIST"))["type"] == "ROOM_LISTING"


def _bad_bytes(random: Random) -> bytes:
    """Frames, good ones among them, with something changed, cut off or put between."""
    data = bytearray()
    for _ in range(random.randint(1, 6)):
        body = random.choice((request(), request("NONSENSE"), random.randbytes(random.choice((0, 3, 125, 126, 700)))))
        first = random.choice((None, None, random.randrange(256), TEXT, CONTINUED, FINAL | CONTINUED))
        data += frame(body, random.choice((TEXT, BINARY, PING, PONG, CLOSE)), first=first, mask=random.randbytes(4))
    for _ in range(random.randint(0, 3)):
        data[random.randrange(len(data))] = random.randrange(256)
    if random.random() < 0.2:
        data[random.randrange(len(data)) :] = random.randbytes(random.randrange(30))
    return bytes(data)


async def _attack(server: Live, random: Random) -> int | None:
    client = await Raw.connect(server)
    data = _bad_bytes(random)
    cut = random.randint(0, len(data))
    client.write(data[:cut])
    await asyncio.sleep(0)
    client.write(data[cut:])
    if random.random() < 0.2:
        client.hang_up()
        return None
    client.say_no_more()
    answers = await client.rest()
    client.hang_up()
    for opcode, body in answers:
        assert opcode in (TEXT, PONG, CLOSE)
        if opcode == TEXT:
            assert json.loads(body).get("code") != "FAILED", data.hex()
    codes = [struct.unpack(">H", body[:2])[0] for opcode, body in answers if opcode == CLOSE and body]
    assert not set(codes) - FAIR_CODES - set(range(3000, 5000)), f"closed with {codes} after {data.hex()}"
    return codes[0] if codes else None


async def _attacks(count: int, seed: int, caplog: pytest.LogCaptureFixture) -> Counter[int | None]:
    random = Random(seed)
    found: Counter[int | None] = Counter()
    async with live(limits=replace(FAST, newcomers_burst=2 * count)) as server:
        for number in range(count):
            found[await _attack(server, random)] += 1
            if number % 100 == 0:
                await _still_serves(server)
        await _still_serves(server)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while server.server.router.addresses.connections:
                await asyncio.sleep(0.01)
    assert not [entry for entry in caplog.records if entry.levelno >= logging.ERROR]
    return found


def test_random_bytes_get_an_answer_a_close_code_or_a_close(caplog: pytest.LogCaptureFixture) -> None:
    found = asyncio.run(_attacks(400, 1, caplog))
    assert {None, 1002, 1007} <= found.keys(), "each of the ways out was taken"


@pytest.mark.soak
def test_random_bytes_twenty_thousand_times(caplog: pytest.LogCaptureFixture) -> None:
    asyncio.run(_attacks(20_000, 2, caplog))

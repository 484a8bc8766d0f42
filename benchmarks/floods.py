"""How long a player waits while somebody floods the server, one kind of flood after the other.

A player at another address sends durable commands of a room at a steady pace. The time until each is accepted is
measured, first without a flood, then beside a flooder. The flooder sends as fast as its core allows over one
connection, and opens another as soon as it is closed; each flood comes from an address of its own. The server has its
default limits and stores in SQLite with `synchronous=FULL`.

Beside what the player saw stands what the server did (`server_side.py`): the time from the player's frame read to its
reply written, how late its loop was, and how much of that the loop was computing something else. Some machines pause by
themselves, or are shared: a witness runs beside, a process that sleeps for 5 ms again and again, and notes how much
later it wakes. A flood with a p99 above the bound is measured again, up to `--rounds` times while `--budget` lasts; the
best round counts.

Run as `python benchmarks/floods.py [--seconds 4] [--rounds 3] [--only pings]`; it takes less than three minutes. The
last line is the verdict. It exits with 1 if a p99 is above 30 ms for the server's sake, and with 2 if the machine
was too busy to tell.
"""

import argparse
import json
import multiprocessing
import os
import re
import socket
import struct
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from server_side import Noted, Server, p99, serving

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

P99_MS_MAX: Final = 30.0
QUIET_MS_MAX: Final = 2.0
"""Where a sleeping process wakes later than this, p99, other programs keep the machine busy."""
PLAYER_PER_SECOND: Final = 25
WITNESS_SECONDS: Final = 0.005
BLOB_BYTES: Final = 1 << 20
MASK: Final = bytes(4)
TEXT, BINARY, CONTINUED, PING, PONG = 0x1, 0x2, 0x0, 0x9, 0xA
FINAL: Final = 0x80
HANDSHAKE: Final = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
HELLO: Final = b'{"type":"HELLO","requestId":"1","nickname":"Flood"}'


def flooder() -> str:
    """The address of the flood that this process is."""
    return os.environ.get("FLOODER", "127.0.0.2")


def frame(body: bytes = b"", opcode: int = TEXT, first: int | None = None) -> bytes:
    """A masked frame, with a mask of zeros."""
    head = bytes((FINAL | opcode if first is None else first,))
    if len(body) < 126:
        head += bytes((0x80 | len(body),))
    elif len(body) < 65536:
        head += b"\xfe" + struct.pack(">H", len(body))
    else:
        head += b"\xff" + struct.pack(">Q", len(body))
    return head + MASK + body


def request(**fields: object) -> bytes:
    return json.dumps({"requestId": "1", **fields}).encode()


class Line:
    """A blocking connection that reads what it is told to read."""

    def __init__(self, port: int, source: str) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(source, 0))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._buffer = b""

    def shake_hands(self, path: str) -> None:
        self.socket.sendall(HANDSHAKE.format(path=path).encode())
        while b"\r\n\r\n" not in self._buffer:
            self._more()
        self._buffer = self._buffer.partition(b"\r\n\r\n")[2]

    def _more(self) -> None:
        more = self.socket.recv(1 << 16)
        if not more:
            raise ConnectionResetError("the server closed")
        self._buffer += more

    def read(self) -> bytes:
        """The next text."""
        while True:
            while len(self._buffer) < 10:
                self._more()
            length, start = self._buffer[1] & 0x7F, 2
            if length == 126:
                length, start = int.from_bytes(self._buffer[2:4], "big"), 4
            elif length == 127:
                length, start = int.from_bytes(self._buffer[2:10], "big"), 10
            while len(self._buffer) < start + length:
                self._more()
            opcode, body = self._buffer[0] & 15, self._buffer[start : start + length]
            self._buffer = self._buffer[start + length :]
            if opcode == PING:
                self.socket.sendall(frame(body, PONG))
            elif opcode == TEXT:
                return body

    def ask(self, **fields: object) -> dict[str, object]:
        """Sends a request, and waits for its answer."""
        self.socket.sendall(frame(request(**fields)))
        while True:
            answer: dict[str, object] = json.loads(self.read())
            if "requestId" in answer:
                return answer


def _blob(some: bytes) -> bytes:
    return some * max(1, BLOB_BYTES // len(some))


def _sockets(blob: bytes, path: str = "/ws", hello: bytes = frame(HELLO), begin: bytes = b"") -> Callable[[int], None]:
    """Frames over a WebSocket after its hello."""

    def once(port: int) -> None:
        line = Line(port, flooder())
        line.shake_hands(path)
        line.socket.sendall(hello + begin)
        _pour(line.socket, blob)

    return once


def _http(head: bytes, blob: bytes) -> Callable[[int], None]:
    def once(port: int) -> None:
        line = Line(port, flooder())
        line.socket.sendall(head)
        _pour(line.socket, blob)

    return once


def _pour(line: socket.socket, blob: bytes) -> None:
    """Sends for ever, and throws away what comes."""
    while True:
        line.sendall(blob)
        with suppress(BlockingIOError):
            while line.recv(1 << 20, socket.MSG_DONTWAIT):
                pass


def _connections(data: bytes) -> Callable[[int], None]:
    def once(port: int) -> None:
        with socket.create_connection(("127.0.0.1", port), timeout=5, source_address=(flooder(), 0)) as line:
            line.sendall(data)

    return once


def _asked(path: str, method: str = "GET", headers: str = "") -> Callable[[int], None]:
    """The same request in a row, as many at once as the server takes."""
    text = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n{headers}\r\n"
    return _http(b"", _blob(text.encode()))


def _hosts(path: str, number: int = 5_000) -> Callable[[int], None]:
    """Requests under ever new hosts, whose names are as long as names may be."""
    ask = "GET {path} HTTP/1.1\r\nHost: {labels}{number}.localhost\r\n\r\n"
    asked = [ask.format(path=path, labels="a." * 110, number=each) for each in range(number)]
    return _http(b"", "".join(asked).encode())


def _records(port: int) -> None:
    """Downloads of a room's records, again and again."""
    line = Line(port, flooder())
    line.shake_hands("/ws")
    line.ask(type="HELLO", nickname="Flood")
    code = line.ask(type="ROOM_CREATE", commandId="0", game="sequence")["roomCode"]
    _asked(f"/api/rooms/{code}/records.jsonl")(port)


def _polls(port: int) -> None:
    """Long polls that are left open, as many as it gets."""
    held = []
    for _ in range(200):
        line = socket.create_connection(("127.0.0.1", port), timeout=5, source_address=(flooder(), 0))
        line.sendall(b"POST /hubs/blackjack/negotiate?negotiateVersion=1 HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        line.sendall(b"Content-Length: 0\r\n\r\n")
        found = re.search(rb'"connectionToken":"([^"]+)"', line.recv(1 << 16))
        if found is not None:
            poll = b"GET /hubs/blackjack?id=%b HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" % found[1]
            line.sendall(2 * poll)
        held.append(line)
    time.sleep(0.5)


def _idle(port: int) -> None:
    """As many connections as it gets, each with half a header."""
    held = []
    for _ in range(800):
        line = socket.create_connection(("127.0.0.1", port), timeout=5, source_address=(flooder(), 0))
        with suppress(OSError):
            line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ")
        held.append(line)
    time.sleep(0.5)


_GET: Final = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
_HUB: Final = frame(b'{"protocol":"json","version":1}\x1e')
_HUB_PATH: Final = "/hubs/blackjack"
_NEST: Final = b'{"type":"ROOM_CREATE","requestId":"1","rules":' + b"[" * 30_000 + b"]" * 30_000 + b"}"

FLOODS: Final[dict[str, Callable[[int], None]]] = {
    "pings": _sockets(_blob(frame(b"", PING))),
    "pongs": _sockets(_blob(frame(b"", PONG))),
    "long pings": _sockets(_blob(frame(b"x" * 125, PING))),
    "empty fragments": _sockets(_blob(frame(b"", first=CONTINUED)), begin=frame(b"", first=TEXT)),
    "empty texts": _sockets(_blob(frame())),
    "tiny texts": _sockets(_blob(frame(b"{}"))),
    "binary": _sockets(_blob(frame(b"", BINARY))),
    "requests": _sockets(_blob(frame(request(type="ROOM_LIST")))),
    "64 KiB of noise": _sockets(_blob(frame(b"[1," * 21_000))),
    "deep nests": _sockets(_blob(frame(_NEST))),
    "half a frame": _sockets(b"x" * 100, begin=b"\x81\xff" + struct.pack(">Q", 60_000)),
    "before HELLO": _sockets(_blob(frame(b"{}")), hello=b""),
    "hub: pings": _sockets(_blob(frame(b"", PING)), _HUB_PATH, _HUB),
    "hub: empty texts": _sockets(_blob(frame()), _HUB_PATH, _HUB),
    "hub: messages": _sockets(_blob(frame(b'{"type":6}\x1e')), _HUB_PATH, _HUB),
    "HTTP: pipelined": _http(b"", _blob(_GET)),
    "HTTP: bytes of a body": _http(
        b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999\r\n\r\n", _blob(b"x")
    ),
    "HTTP: tiny chunks": _http(
        b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n", _blob(b"1\r\nx\r\n")
    ),
    "HTTP: headers": _http(b"GET / HTTP/1.1\r\n", _blob(b"a: b\r\n")),
    "HTTP: records": _records,
    "HTTP: list of rooms": _asked("/api/rooms"),
    "HTTP: texts": _asked("/api/texts/en.json"),
    "HTTP: schema": _asked("/api/schema.json"),
    "HTTP: metrics": _asked("/metrics"),
    "HTTP: health": _asked("/healthz"),
    "HTTP: negotiations": _asked("/hubs/blackjack/negotiate?negotiateVersion=1", "POST"),
    "HTTP: files": _asked("/js/fairness/checker.js"),
    "HTTP: QR codes": _asked("/api/classroom/qr.svg"),
    "HTTP: QR codes of new hosts": _hosts("/api/classroom/qr.svg"),
    "long polls": _polls,
    "connections": _connections(b""),
    "connections with a request": _connections(_GET),
    "connections with a handshake": _connections(HANDSHAKE.format(path="/ws").encode()),
    "half-sent headers": _idle,
}


def _flood(name: str, port: int) -> None:
    """Again and again, until the process is ended."""
    os.environ["FLOODER"] = f"127.0.0.{2 + list(FLOODS).index(name)}"
    while True:
        with suppress(OSError):
            FLOODS[name](port)


def processor_seconds(process: int) -> float:
    """What a process has used so far; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Player:
    """Sends durable commands at a steady pace, whatever becomes of them."""

    def __init__(self, port: int) -> None:
        self._line = Line(port, "127.0.0.1")
        self._line.shake_hands("/ws")
        self._line.ask(type="HELLO", nickname="Player")
        self._code = self._line.ask(type="ROOM_CREATE", commandId="0", game="sequence")["roomCode"]

    def waits(self, seconds: float) -> list[float]:
        """How many milliseconds after its time each command was accepted: who waits for one cannot send the next."""
        waits, began = [], time.perf_counter()
        for number in range(int(seconds * PLAYER_PER_SECOND)):
            due = began + number / PLAYER_PER_SECOND
            time.sleep(max(0.0, due - time.perf_counter()))
            fields = {"commandId": f"{number + 1}", "roomCode": self._code, "ready": number % 2 == 0}
            answer = self._line.ask(type="PLAYER_READY_SET", **fields)
            if answer["type"] != "ACCEPTED":
                raise SystemExit(f"the player was refused: {answer}")
            waits.append(1000 * (time.perf_counter() - due))
        return waits


def _witness(results: "Connection") -> None:
    """Sleep again and again, until anything comes; then send how late each waking was, in milliseconds."""
    late = []
    while not results.poll():
        due = time.perf_counter() + WITNESS_SECONDS
        time.sleep(WITNESS_SECONDS)
        late.append(1000 * (time.perf_counter() - due))
    results.send(late)


@contextmanager
def witness() -> Iterator[list[float]]:
    """How late a sleeping process woke while the context lasted. The list is filled at its end."""
    here, there = multiprocessing.Pipe()
    running = multiprocessing.Process(target=_witness, args=(there,), daemon=True)
    running.start()
    late: list[float] = []
    try:
        yield late
        here.send(None)
        late += here.recv()
    finally:
        running.kill()
        running.join()


class Measured(NamedTuple):
    """The p99 comes first: the best round is the least."""

    p99_ms: float
    p50_ms: float
    longest_ms: float
    core: float
    """The server's share of a core."""
    noted: Noted
    witness_p99_ms: float

    @property
    def holds(self) -> bool:
        return self.p99_ms <= P99_MS_MAX

    @property
    def fails(self) -> bool:
        """Whether the player waited too long, and not because the machine was busy with something else."""
        by_server = self.noted.own_p99_ms
        if self.witness_p99_ms <= QUIET_MS_MAX:
            by_server = p99(self.noted.late) + p99(self.noted.replies)
        return not self.holds and by_server > P99_MS_MAX


def measured(server: Server, player: Player, name: str, seconds: float) -> Measured:
    """The player's waits beside a flood, and the witness's."""
    flood = multiprocessing.Process(target=_flood, args=(name, server.port), daemon=True) if name else None
    if flood is not None:
        flood.start()
    server.reset()
    began, used = time.perf_counter(), processor_seconds(server.pid)
    try:
        with witness() as late:
            waits = player.waits(seconds)
        used = (processor_seconds(server.pid) - used) / (time.perf_counter() - began)
    finally:
        if flood is not None:
            flood.kill()
            flood.join()
    return Measured(p99(waits), sorted(waits)[len(waits) // 2], max(waits), used, server.noted(), p99(late))


def best_of(
    server: Server, player: Player, name: str, seconds: float, rounds: int, until: float
) -> tuple[Measured, int]:
    """The best of as many rounds as it takes to get below the bound, and how many that were."""
    found: list[Measured] = []
    while not found or (len(found) < rounds and not min(found).holds and time.monotonic() < until):
        found.append(measured(server, player, name, seconds))
    return min(found), len(found)


HEAD: Final = (
    f"{'ms':30}{'player waits':>21}{'server replies':>17}{'loop late':>10}{'of it':>8}{'':7}{'witness':>9}\n"
    f"{'':30}{'p50':>7}{'p99':>7}{'max':>7}{'p50':>10}{'p99':>7}{'p99':>10}{'own p99':>8}{'core %':>7}"
    f"{'p99':>9}{'rounds':>8}"
)


def row(name: str, best: Measured, rounds: int) -> str:
    noted = best.noted
    reply = sorted(noted.replies)[len(noted.replies) // 2] if noted.replies else 0.0
    return (
        f"{name:30}{best.p50_ms:7.1f}{best.p99_ms:7.1f}{best.longest_ms:7.1f}{reply:10.1f}{p99(noted.replies):7.1f}"
        f"{p99(noted.late):10.1f}{p99(noted.own):8.1f}{100 * best.core:7.1f}{best.witness_p99_ms:9.1f}{rounds:8}"
    )


def conclude(failed: list[str], unclear: list[str], bound: str) -> None:
    """Prints the verdict, and ends with its status unless all holds."""
    if failed:
        print(f"VERDICT: FAILS. Above {bound} for the server's sake: {', '.join(failed)}")
        raise SystemExit(1)
    if unclear:
        print(f"VERDICT: UNCLEAR, the machine is too busy. Above {bound}, but not by what the server did: ", end="")
        print(", ".join(unclear))
        raise SystemExit(2)
    print(f"VERDICT: HOLDS. Nothing above {bound}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--budget", type=float, default=165.0, help="seconds after which nothing is measured again")
    parser.add_argument("--only", choices=FLOODS, nargs="*", default=list(FLOODS))
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores; {PLAYER_PER_SECOND} commands a second for {options.seconds:g} s beside each flood")
    print(HEAD)
    failed: list[str] = []
    unclear: list[str] = []
    until = time.monotonic() + options.budget
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "floods.db") as server:
        player = Player(server.port)
        for name in ("", *options.only):
            best, rounds = best_of(server, player, name, options.seconds, options.rounds, until)
            print(row(name or "in peace", best, rounds), flush=True)
            if not best.holds:
                (failed if best.fails else unclear).append(name or "in peace")
    conclude(failed, unclear, f"{P99_MS_MAX:g} ms")


if __name__ == "__main__":
    main()

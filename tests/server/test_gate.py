"""Connections: how many, how fast, how long. Over a bound they are closed before anything is done for them."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidMessage, InvalidStatus

from croupier.server import acceptor, turned_away
from croupier.server.config import SettingsError
from croupier.server.gate import Gate
from croupier.server.limits import Addresses, Limits
from croupier.server.turned_away import TurnedAway
from tests.server.hub_room import asynchronous
from tests.server.live import FAST, Live, live

PATIENCE_SECONDS = 20.0
HEAD = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"
GET = HEAD + b"\r\n"
POST = b"POST /api/lab/equity HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"


@contextlib.asynccontextmanager
async def _line(server: Live) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        yield reader, writer
    finally:
        writer.close()


async def _rest(reader: asyncio.StreamReader) -> bytes:
    """All that comes until the line is cut."""
    came = b""
    async with asyncio.timeout(PATIENCE_SECONDS):
        with contextlib.suppress(ConnectionError):
            while more := await reader.read(65536):
                came += more
    return came


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not condition():
            await asyncio.sleep(0.01)


def _turned_away(server: Live) -> dict[str, int]:
    return dict(server.server.services.turned_away.counts)


@pytest.mark.parametrize(
    ("bound", "reason"), [("connections_max", "server_full"), ("connections_per_address_max", "address_full")]
)
@asynchronous
async def test_a_connection_too_many_is_closed_right_after_it_was_accepted(bound: str, reason: str) -> None:
    async with live(limits=replace(FAST, **{bound: 2})) as server:
        addresses = server.server.router.addresses
        async with _line(server), connect(server.url):
            async with _line(server) as (reader, _):
                assert await _rest(reader) == b""
            with pytest.raises((InvalidMessage, OSError)):
                await connect(server.url).__aenter__()
            assert _turned_away(server) == {reason: 2}
            assert addresses.sockets == 2
        await _until(lambda: not addresses.sockets)
        async with connect(server.url), httpx.AsyncClient() as http:
            metrics = (await http.get(f"{server.link}/metrics")).text
            assert "croupier_connections 1.0" in metrics
            assert f'croupier_turned_away_total{{reason="{reason}"}} 2.0' in metrics


@asynchronous
async def test_behind_a_proxy_people_are_told_apart_by_what_it_says_of_them() -> None:
    limits = replace(FAST, connections_per_address_max=1, arrivals_burst=1, arrivals_per_second=0.001)
    async with live(limits=limits, proxies=("127.0.0.0/8",)) as server, contextlib.AsyncExitStack() as stack:
        for person in (1, 2):
            headers = {"X-Forwarded-For": f"192.0.2.{person}"}
            await stack.enter_async_context(connect(server.url, additional_headers=headers))
        again = await stack.enter_async_context(connect(server.url, additional_headers=headers))
        with contextlib.suppress(Exception):
            await again.recv()
        assert again.close_code == 4013
        with pytest.raises(InvalidStatus) as refused:
            await connect(server.websocket_url, additional_headers=headers).__aenter__()
        assert refused.value.response.status_code == 503


@asynchronous
async def test_connections_that_are_opened_too_fast_are_closed() -> None:
    async with live(limits=replace(FAST, arrivals_burst=2, arrivals_per_second=0.001)) as server:
        for _ in range(2):
            async with _line(server) as (reader, writer):
                writer.write(GET)
                assert (await reader.readline()).startswith(b"HTTP/1.1 200")
        async with _line(server) as (reader, writer):
            assert await _rest(reader) == b""
        assert _turned_away(server) == {"arrives_too_fast": 1}


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        (b"", {}),
        (b"GET /heal", {"late_request": 1}),
        (HEAD + b"X-Half:", {"late_request": 1}),
        (HEAD + b"Upgrade: websocket\r\nConnection: Upgrade\r\n", {"late_request": 1}),
        (POST + b"Content-Length: 9\r\n\r\n{", {"late_request": 1}),
    ],
)
@asynchronous
async def test_a_request_that_does_not_come_in_time_ends_its_connection(sent: bytes, reason: dict[str, int]) -> None:
    async with live(limits=replace(FAST, request_seconds=0.3)) as server, _line(server) as (reader, writer):
        writer.write(sent)
        await _rest(reader)
        assert _turned_away(server) == reason


@asynchronous
async def test_a_trickle_of_bytes_wins_no_time() -> None:
    async with live(limits=replace(FAST, request_seconds=0.3)) as server, _line(server) as (reader, writer):
        ended = asyncio.create_task(_rest(reader))
        writer.write(HEAD)
        while not ended.done():
            writer.write(b"X: y\r\n")
            await asyncio.sleep(0.02)
        assert await ended == b""


@asynchronous
async def test_the_second_request_of_a_connection_has_as_long_as_the_first() -> None:
    async with live(limits=replace(FAST, request_seconds=0.3)) as server, _line(server) as (reader, writer):
        writer.write(GET)
        await reader.readuntil(b"}")
        writer.write(GET + HEAD)
        assert (await _rest(reader)).count(b"HTTP/1.1 200") == 1
        assert _turned_away(server) == {"late_request": 1}


@asynchronous
async def test_a_connection_that_is_answered_may_be_silent_meanwhile() -> None:
    async with live(limits=replace(FAST, request_seconds=0.1)) as server, connect(server.url) as open_socket:
        await asyncio.sleep(0.4)
        await open_socket.send('{"type":"HELLO","requestId":"1","nickname":"Ann"}')
        assert "WELCOME" in str(await open_socket.recv())


@asynchronous
async def test_an_answer_that_is_not_read_ends_its_connection() -> None:
    async with live(limits=replace(FAST, stalled_seconds=0.3, requests_burst=10_000)) as server:
        line = socket.socket()
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(line, ("127.0.0.1", server.port))
        sending = asyncio.create_task(loop.sock_sendall(line, 3_000 * GET.replace(b"/healthz", b"/api/schema.json")))
        await _until(lambda: bool(_turned_away(server)))
        assert _turned_away(server) == {"stalled_answer": 1}
        with contextlib.suppress(ConnectionError):
            await sending
        line.close()


@pytest.mark.parametrize("header", [b"Transfer-Encoding: chunked", b"Content-Length: 131073"])
@asynchronous
async def test_a_body_that_is_long_or_of_no_known_length_is_refused(header: bytes) -> None:
    async with live() as server, _line(server) as (reader, writer):
        writer.write(b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + header + b"\r\n\r\n" + 1_000 * b"1\r\nx\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.1 400")
        assert _turned_away(server) == {"bad_http": 1}


@asynchronous
async def test_requests_that_come_too_fast_wait() -> None:
    limits = replace(FAST, requests_burst=3, requests_per_second=0.001)
    async with live(limits=limits) as server, _line(server) as (reader, writer):
        writer.write(10 * GET)
        for _ in range(4):
            await reader.readuntil(b"}")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.5):
                await reader.readuntil(b"}")


@asynchronous
async def test_the_listener_rests_when_the_system_has_no_more_files(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Full:
        """A socket that cannot accept, twice."""

        accepts = 0

        def __init__(self, real: socket.socket) -> None:
            self._real = real

        def fileno(self) -> int:
            return self._real.fileno()

        def accept(self) -> Any:
            self.accepts += 1
            if self.accepts <= 2:
                raise OSError(24, "Too many open files")
            return self._real.accept()

    monkeypatch.setattr(acceptor, "RETRY_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as real:
        real.setblocking(False)
        full: Any = Full(real)
        came = asyncio.Event()

        class Came(asyncio.Protocol):
            def connection_made(self, transport: Any) -> None:
                came.set()
                transport.abort()

        quiet = TurnedAway(logging.getLogger("quiet"), lambda *_: None)
        accepting = acceptor.Acceptor(full, Gate(Addresses(Limits()), quiet), lambda visit: Came())
        _, writer = await asyncio.open_connection(*real.getsockname())
        async with asyncio.timeout(PATIENCE_SECONDS):
            await came.wait()
        accepting.close()
        await accepting.wait_closed()
        writer.close()
    assert caplog.text.count("Too many open files") == 2, "it does not spin"


def test_who_is_turned_away_is_logged_at_once_and_then_together() -> None:
    lines: list[str] = []
    timers: list[Callable[[], None]] = []

    class Lines:
        def info(self, message: str, *values: object) -> None:
            lines.append(message % values)

    noted = TurnedAway(Lines(), lambda _, call: timers.append(call))
    for number in range(1_000):
        noted.note("sends_too_fast", "192.0.2.7" if number % 10 else "192.0.2.8")
    noted.note("idle", "192.0.2.9")
    assert lines == [
        "turned away: messages sent too fast (192.0.2.8)",
        "turned away: nothing said for too long (192.0.2.9)",
    ]
    timers.pop(0)()
    assert lines[2:] == ["turned away: messages sent too fast, 999 more in 10 s, 900 of them of 192.0.2.7"]
    timers.pop(0)()
    timers.pop(0)()
    assert not timers, "nothing more came, and the next is logged at once again"
    noted.note("idle", "192.0.2.9")
    assert len(lines) == 4
    assert noted.counts == {"sends_too_fast": 1_000, "idle": 2}


@asynchronous
async def test_a_client_that_breaks_off_leaves_nothing_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async with live() as server:
        for sent in (
            POST + b"Content-Length: 500\r\n\r\n{",
            POST.replace(b"equity", b"coach") + b"Content-Length: 9\r\n\r\n",
        ):
            async with _line(server) as (_, writer):
                writer.write(sent)
                await writer.drain()
                await asyncio.sleep(0.05)
        await _until(lambda: not server.server.router.addresses.sockets)
        await asyncio.sleep(0.05)
    assert not [entry for entry in caplog.records if entry.levelno >= logging.WARNING]


def test_what_is_gathered_for_the_log_is_bounded() -> None:
    noted = TurnedAway(logging.getLogger("quiet"), lambda *_: None)
    for number in range(3 * turned_away.NETWORKS_COUNTED_MAX):
        noted.note("idle", f"network {number}")
    assert len(noted._gathered["idle"]) == turned_away.NETWORKS_COUNTED_MAX + 1


def test_a_proxy_may_be_named_by_its_network() -> None:
    quiet = TurnedAway(logging.getLogger("quiet"), lambda *_: None)

    def carries(proxies: tuple[str, ...], host: str) -> bool:
        visit = Gate(Addresses(Limits()), quiet, proxies).admit(host)
        assert visit is not None
        return visit.is_proxy

    assert carries(("10.0.0.0/8", "::1"), "10.1.2.3")
    assert carries(("10.0.0.0/8", "::1"), "::1")
    assert carries(("*",), "192.0.2.1")
    assert not carries(("10.0.0.0/8", "::1"), "192.0.2.1")
    with pytest.raises(SettingsError, match="proxies: 'a name' does not appear to be"):
        carries(("a name",), "192.0.2.1")
    assert not carries((), "10.1.2.3")
    assert not carries(("10.0.0.0/8",), "no address")

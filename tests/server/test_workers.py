"""Rooms in processes of their own: wherever a connection is served, it cannot tell."""

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from croupier.clients.connection import Client
from croupier.clients.room_handle import RoomHandle
from croupier.server.config import Settings
from croupier.server.connection import CLOSE_CUT_OFF, CLOSE_TOO_MANY
from croupier.server.limits import Limits
from croupier.server.lobby import CODE_LETTERS
from croupier.server.workers import front
from croupier.server.workers.homes import home
from croupier.server.workers.line import MESSAGE_BYTES_MAX, Handed, Line, Message, Ready
from croupier.store.faults import fault
from croupier.store.memory import MemoryStore
from croupier.store.port import Person, Stored
from tests.server.live import Live, live, play
from tests.server.process import Server

WORKERS = 2
PATIENCE_SECONDS = 20.0
DEAL = {"turnSeconds": 60, "pauseSeconds": 0}


def with_workers(test: Callable[[Live], Coroutine[Any, Any, None]], **settings: Any) -> None:
    async def run() -> None:
        async with live(workers=WORKERS, **settings) as server:
            await test(server)

    asyncio.run(run())


def workers_of(pid: int) -> list[int]:
    """The processes of a server's workers."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [child for child in map(int, children) if b"croupier.server.workers" in _command(child)]


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def connections_of(pid: int) -> int:
    """How many connections of the server's port a process has open."""
    established = {
        fields[9] for fields in map(str.split, Path("/proc/net/tcp").read_text().splitlines()[1:]) if fields[3] == "01"
    }
    found = 0
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        inode = re.match(r"socket:\[(\d+)\]", str(descriptor.readlink()))
        found += inode is not None and inode[1] in established
    return found


async def opened(client: Client, number: int, game: str = "sequence", **fields: Any) -> RoomHandle:
    """A room whose home is a worker of this number."""
    while True:
        room = await client.create(game, options=DEAL, **fields)
        if home(room.code, WORKERS) == number:
            return room
        await room.command("ROOM_LEAVE")


async def metric(server: Live, name: str) -> float:
    async with httpx.AsyncClient() as http:
        text = (await http.get(f"{server.link}/metrics")).text
    return sum(float(line.split()[-1]) for line in text.splitlines() if line.startswith(name))


def test_homes_are_spread_evenly_and_everybody_finds_the_same() -> None:
    random = Random(1)
    codes = ["".join(random.choices(CODE_LETTERS, k=6)) for _ in range(4000)]
    for number in range(4):
        assert 900 < sum(home(code, 4) == number for code in codes) < 1100
    assert home("ABCDEF", 4) == 1, "another process, another day: the same"


def test_whole_games_are_played_at_the_workers_and_every_card_is_proved() -> None:
    async def games(server: Live) -> None:
        tables = 8
        everybody_sits = asyncio.Barrier(tables + 1)

        async def game(number: int) -> None:
            random = Random(number)
            async with server.client(f"Ann {number}") as ann, server.client(f"Bob {number}") as bob:
                host = await opened(ann, number % WORKERS, preset="house")
                guest = await bob.join(host.code)
                await guest.command("PLAYER_READY_SET", ready=True)
                await host.command("HOST_START_GAME")
                await everybody_sits.wait()
                await everybody_sits.wait()
                await asyncio.gather(*(play(room, random, lambda r: r.phase == "ended") for room in (host, guest)))
                assert host.state["public"]["payouts"] == guest.state["public"]["payouts"]
                assert host.checker.findings == guest.checker.findings == []

        workers = workers_of(os.getpid())
        before = [connections_of(pid) for pid in workers]
        playing = asyncio.gather(*map(game, range(tables)))
        await everybody_sits.wait()
        assert [connections_of(pid) - count for pid, count in zip(workers, before, strict=True)] == [tables] * WORKERS
        assert not server.server.connections, "nobody is at the front"
        async with asyncio.timeout(PATIENCE_SECONDS):
            # The workers tell now and then what they have.
            while await metric(server, 'croupier_tables{kind="room"}') < tables:
                await asyncio.sleep(0.1)
            while await metric(server, "croupier_connections") != 2 * tables:
                await asyncio.sleep(0.1)
        await everybody_sits.wait()
        await playing

    with_workers(games)


def test_a_connection_goes_from_room_to_room_and_hears_each() -> None:
    async def rooms(server: Live) -> None:
        async with server.client("Ann") as ann, server.client("Bob") as bob:
            there = [await opened(bob, number) for number in range(WORKERS)]
            for _ in range(2):
                for room in there:
                    guest = await ann.join(room.code)
                    await ann.request("CHAT_SEND", roomCode=room.code, text="hello")
                    await guest.wait(lambda r: len(r.state["public"]["members"]) == 2)
                    await guest.command("ROOM_LEAVE")
            # A player who is in a room stays with it: the others are heard where that one is.
            for room in there:
                await (await ann.join(room.code)).command("PLAYER_READY_SET", ready=True)
            for room in there:
                await room.wait(lambda r: any(m["ready"] for m in r.state["public"]["members"]))

    with_workers(rooms)


def test_who_is_in_a_room_at_a_worker_comes_to_the_one_classroom_and_still_hears_the_room() -> None:
    async def classroom(server: Live) -> None:
        async with server.client("Ms Kim") as dealer, server.client("Ann") as ann, server.client("Bob") as bob:
            room = await opened(ann, 1)
            guest = await bob.join(room.code)
            await dealer.request("CLASSROOM_JOIN", name="Ms Kim", dealerKey="the key")
            await ann.request("CLASSROOM_JOIN", name="Ann", dealerKey="")
            await dealer.request("CLASSROOM_START_ROUND")
            await ann.request("CLASSROOM_STAND")
            version = await guest.command("PLAYER_READY_SET", ready=True)
            await room.wait(lambda r: r.version == version)
            assert await room.command("HOST_KICK", member=bob.player_id) == version + 1
            assert ann.reconnects == 0

    with_workers(classroom)


def test_the_casino_is_the_same_at_every_worker() -> None:
    async def casino(server: Live) -> None:
        async with server.client("Ann") as ann:
            room = await opened(ann, 1)
            shown = await ann.request("BLACKJACK_GET_STATE")
            await room.command("ROOM_LEAVE")
            await opened(ann, 0)
            again = await ann.request("BLACKJACK_GET_STATE")
            assert {**again, "requestId": ""} == {**shown, "requestId": ""}

    with_workers(casino)


async def raw(server: Live, name: str) -> tuple[ClientConnection, socket.socket]:
    """A connection of which every byte can be chosen, once somebody is welcomed on it."""
    client = await connect(server.url, compression=None)
    await client.send(json.dumps({"type": "HELLO", "requestId": "hello", "nickname": name}))
    assert json.loads(await client.recv())["type"] == "WELCOME"
    line: socket.socket = client.transport.get_extra_info("socket")
    return client, line


def frame(**fields: Any) -> bytes:
    return Frame(Opcode.TEXT, json.dumps(fields).encode()).serialize(mask=True)


@pytest.mark.parametrize("cut", [0, 3])
def test_what_is_sent_right_behind_a_request_to_enter_is_answered_in_order_even_if_it_is_cut_in_two(cut: int) -> None:
    async def hurry(server: Live) -> None:
        for number in range(6):
            client, line = await raw(server, f"Ann {number}")
            asked = [
                frame(type="ROOM_CREATE", requestId="0", commandId="a", game="sequence"),
                *(frame(type="CHAT_SEND", requestId=str(n), text=f"word {n}") for n in range(1, 4)),
                frame(type="NONSENSE", requestId="4"),
                frame(type="ROOM_LIST", requestId="5"),
            ]
            together = b"".join(asked)
            first = together[: len(together) - cut] if cut else together
            os.write(line.fileno(), first)
            await asyncio.sleep(0.2)
            if cut:
                os.write(line.fileno(), together[len(first) :])
            answers = []
            while len(answers) < len(asked):
                told = json.loads(await asyncio.wait_for(client.recv(), PATIENCE_SECONDS))
                if "requestId" in told:
                    answers.append((told["requestId"], told["type"]))
            assert [number for number, _ in answers] == ["0", "1", "2", "3", "4", "5"]
            assert [kind for _, kind in answers] == ["ACCEPTED"] * 4 + ["ERROR", "ROOM_LISTING"]
            await client.ping()
            await client.close()
            assert client.close_code == 1000, "the closing handshake is done with the worker"

    with_workers(hurry)


def test_how_fast_somebody_may_send_is_counted_on_from_process_to_process() -> None:
    async def spam(server: Live) -> None:
        client, _ = await raw(server, "Ann")
        codes = []
        for number in range(30):
            await client.send(json.dumps({"type": "ROOM_WATCH", "requestId": "0", "roomCode": f"ABCD{10 + number}"}))
            codes.append(json.loads(await client.recv())["code"])
        assert len({home(f"ABCD{10 + number}", WORKERS) for number in range(30)}) == WORKERS
        assert codes[:5] == ["NO_SUCH_ROOM"] * 5
        assert codes[20:] == ["RATE_LIMITED"] * 10

    with_workers(spam, limits=Limits(messages_per_second=0.01, messages_burst=20, guesses_burst=1000))


def test_a_connection_too_many_at_a_worker_is_told_so() -> None:
    async def crowd(server: Live) -> None:
        clients = []
        codes = []
        for number in range(6):
            client, _ = await raw(server, f"Ann {number}")
            clients.append(client)
            await client.send(json.dumps({"type": "ROOM_CREATE", "requestId": "0", "commandId": "a", "game": "poker"}))
            try:
                codes.append(json.loads(await client.recv())["type"])
            except ConnectionClosed:
                codes.append(client.close_code)
        assert set(codes) == {"ACCEPTED", CLOSE_TOO_MANY}
        assert codes.count("ACCEPTED") <= 2 * WORKERS + 2

    with_workers(crowd, limits=Limits(connections_per_address_max=2))


class _Lost(MemoryStore):
    """A store that can be out of reach."""

    is_lost = False

    async def news(self, known: Mapping[str, int]) -> Mapping[str, Sequence[Stored]]:
        if self.is_lost:
            raise fault("STORE_CLOSED", place="elsewhere")
        return await super().news(known)


def test_people_at_a_worker_are_sent_to_another_node_when_the_store_does_not_answer() -> None:
    store = _Lost()

    async def lose(server: Live) -> None:
        client, _ = await raw(server, "Ann")
        await client.send(json.dumps({"type": "ROOM_CREATE", "requestId": "0", "commandId": "a", "game": "poker"}))
        assert json.loads(await client.recv())["type"] == "ACCEPTED"
        assert len(server.server.connections) == 0, "she is at the worker"
        store.is_lost = True
        async with asyncio.timeout(PATIENCE_SECONDS):
            await client.wait_closed()
        assert client.close_code == CLOSE_CUT_OFF

    with_workers(lose, store=store, nodes=("https://one.example",))


def test_a_server_stops_in_time_although_somebody_who_came_back_from_a_worker_does_not_read() -> None:
    async def stop() -> None:
        async with live(workers=WORKERS) as server:
            client, line = await raw(server, "Ann")
            await client.send(json.dumps({"type": "ROOM_CREATE", "requestId": "0", "commandId": "a", "game": "poker"}))
            await client.recv()
            client.transport.pause_reading()
            os.write(line.fileno(), frame(type="CLASSROOM_WATCH", requestId="1"))
            while not server.server.connections:
                await asyncio.sleep(0.02)
            asked = frame(type="CLASSROOM_WATCH", requestId="2") * 100
            with contextlib.suppress(BlockingIOError):
                for _ in range(2000):
                    os.write(line.fileno(), asked)
            began = time.monotonic()
        assert time.monotonic() - began < 8

    asyncio.run(stop())


def test_a_worker_that_is_killed_is_replaced_and_its_people_go_on() -> None:
    async def kill(server: Live) -> None:
        async with server.client("Ann") as ann, server.client("Bob") as bob:
            room = await opened(ann, 0, preset="house")
            guest = await bob.join(room.code)
            await guest.command("PLAYER_READY_SET", ready=True)
            await room.command("HOST_START_GAME")
            done = await metric(server, "croupier_commands_total")
            for _ in range(2):
                before = workers_of(os.getpid())
                os.kill(before[0], signal.SIGKILL)
                os.kill(before[1], signal.SIGKILL)
                await asyncio.gather(
                    *(play(each, Random(1), lambda r, at=room.version: r.version > at + 6) for each in (room, guest))
                )
                async with asyncio.timeout(PATIENCE_SECONDS):
                    while len(after := workers_of(os.getpid())) < WORKERS or server.server.connections:
                        await asyncio.sleep(0.05)
                assert not set(before) & set(after)
                came_back = ann.reconnects, bob.reconnects
                await asyncio.gather(
                    *(play(each, Random(2), lambda r, at=room.version: r.version > at + 3) for each in (room, guest))
                )
                assert (ann.reconnects, bob.reconnects) == came_back, "from the front home again they were handed over"
            assert ann.reconnects >= 1
            assert bob.reconnects >= 1
            assert room.checker.findings == guest.checker.findings == []
            await asyncio.sleep(1.0)
            assert await metric(server, "croupier_commands_total") >= done, "what was counted stays counted"

    with_workers(kill)


def test_a_worker_that_hangs_is_killed_and_its_people_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front, "SILENT_BEATS_MAX", 3)

    async def hang(server: Live) -> None:
        async with server.client("Ann") as ann:
            room = await opened(ann, 0)
            frozen = workers_of(os.getpid())
            for pid in frozen:
                os.kill(pid, signal.SIGSTOP)
            async with asyncio.timeout(PATIENCE_SECONDS):
                while set(frozen) & set(workers_of(os.getpid())):
                    await asyncio.sleep(0.05)
            await room.wait(lambda r: ann.reconnects)
            assert await room.command("HOST_ADD_BOT", bot="builder") > 1

    with_workers(hang)


def test_workers_end_with_a_front_that_is_killed_or_told_to_stop(tmp_path: Path) -> None:
    server = Server(tmp_path / "store.db", CROUPIER_WORKERS="3")
    for end in (server.kill, server.stop):
        server.start()
        workers = workers_of(server.pid)
        assert len(workers) == 3
        end()
        until = time.monotonic() + PATIENCE_SECONDS
        while any(map(_command, workers)) and time.monotonic() < until:
            time.sleep(0.02)
        assert not any(map(_command, workers))
    assert "Traceback" not in server.log()


def test_a_worker_is_told_no_secret() -> None:
    async def run() -> None:
        settings = Settings(workers=1, dealer_key="hush", store="postgresql://croupier:hidden@db/cards")
        workers = front.Workers(settings, "en", MemoryStore())
        told = msgspec.json.encode(workers._workers[0]._orders)
        assert b"hush" not in told
        assert b"hidden" not in told
        await workers.close()

    asyncio.run(run())


def test_how_many_workers_there_may_be_is_bounded() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "croupier", "serve", "--workers", "65"], capture_output=True, text=True, check=False
    )
    assert told.returncode == 2
    assert "--workers" in told.stderr
    assert "64" in told.stderr


PERSON = Person("id", "Ann", b"hash", "en", 0)


def _handed(partial: bytes = b"") -> Handed:
    return Handed("net", PERSON, "device", "en", (), "", ("request",), partial, 1.0, 1.0)


def test_a_line_hands_an_open_socket_over_and_refuses_what_is_too_big_or_too_much() -> None:
    async def run() -> None:
        heard: list[tuple[Message, int | None]] = []
        ends = Line.pair()
        here = Line(ends[0], lambda message, descriptor: None)
        there = Line(ends[1], lambda message, descriptor: heard.append((message, descriptor)))
        one, other = socket.socketpair()
        assert here.send(_handed(), one.fileno())
        assert here.send(Ready())
        assert not here.send(_handed(bytes(MESSAGE_BYTES_MAX)), one.fileno())
        one.close()
        while len(heard) < 2:
            await asyncio.sleep(0)
        assert [message for message, _ in heard] == [_handed(), Ready()]
        descriptor = heard[0][1]
        assert descriptor is not None
        with socket.socket(fileno=descriptor) as copy, other:
            copy.send(b"still open")
            assert other.recv(100) == b"still open"
        sent = 0
        while here.send(_handed(bytes(MESSAGE_BYTES_MAX // 2))):
            sent += 1
            assert sent < 1000, "nobody reads, so there must be an end"
        there.close()
        assert not here.send(Ready())
        here.close()

    asyncio.run(run())


def test_nonsense_on_a_line_is_passed_over(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        heard: list[Message] = []
        end, garbage = Line.pair()
        line = Line(end, lambda message, descriptor: heard.append(message))
        one, other = socket.socketpair()
        socket.send_fds(garbage, [b"nonsense"], [one.fileno()])
        one.close()
        while not caplog.records:
            await asyncio.sleep(0)
        assert other.recv(1) == b"", "the socket that came with it is closed"
        other.close()
        sender = Line(garbage, lambda message, descriptor: None)
        assert sender.send(Ready())
        while not heard:
            await asyncio.sleep(0)
        line.close()
        sender.close()

    asyncio.run(run())


def test_a_handed_connection_shows_nothing_of_who_is_behind_it() -> None:
    assert "Ann" not in repr(_handed())
    assert "request'" not in repr(_handed())

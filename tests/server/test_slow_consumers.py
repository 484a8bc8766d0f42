"""A slow reader gets the newest state instead of all that was missed; one who does not read is dropped, and may resume.
Nobody else waits for either."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from random import Random
from typing import Any

import msgspec

from croupier.clients.connection import Client
from croupier.clients.room_handle import RoomHandle
from croupier.server.connection import CLOSE_TOO_SLOW
from croupier.server.limits import Limits
from tests.server.live import FAST, Live, choose, live

QUICK = {"pauseSeconds": 0, "turnSeconds": 600}
PLAY_SECONDS_MAX = 60.0
"""Whoever had to wait for a client that does not read would wait longer than that."""
STRICT = Limits(**{**msgspec.structs.asdict(FAST), "outbox_frames_max": 8, "lags_max": 2})
PATIENT = Limits(**{**msgspec.structs.asdict(FAST), "outbox_frames_max": 8, "lags_max": 10_000})


class Sleeper:
    """A spectator on a bare socket, with a small buffer, that reads only when told to."""

    def __init__(self, room_server: Live) -> None:
        self._port = room_server.port
        self._socket = socket.socket()
        self._buffer = b""

    async def come(self, code: str) -> None:
        loop = asyncio.get_running_loop()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self._socket.setblocking(False)
        await loop.sock_connect(self._socket, ("127.0.0.1", self._port))
        await self._send(
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        while b"\r\n\r\n" not in self._buffer:
            self._buffer += await loop.sock_recv(self._socket, 4096)
        self._buffer = self._buffer.split(b"\r\n\r\n", 1)[1]
        await self._ask(type="HELLO", nickname="Sleeper")
        await self._ask(type="ROOM_JOIN_AS_SPECTATOR", roomCode=code, commandId="1")

    async def read(self) -> tuple[int, Any]:
        """The next frame: its opcode and what is in it, for a close its code."""
        loop = asyncio.get_running_loop()
        while (frame := self._cut()) is None:
            more = await asyncio.wait_for(loop.sock_recv(self._socket, 65536), 20)
            assert more, "the line was cut without a close code"
            self._buffer += more
        opcode, body = frame
        return opcode, int.from_bytes(body[:2], "big") if opcode == 8 else body if opcode != 1 else json.loads(body)

    async def read_to_the_end(self) -> tuple[list[int], int]:
        """The versions of all states that still come, and the code that it is closed with."""
        versions: list[int] = []
        while True:
            opcode, said = await self.read()
            if opcode == 8:
                return versions, said
            if opcode == 1 and said["type"] == "ROOM_STATE":
                versions.append(said["public"]["version"])

    def close(self) -> None:
        self._socket.close()

    def _cut(self) -> tuple[int, bytes] | None:
        if len(self._buffer) < 2:
            return None
        length, start = self._buffer[1], 2
        if length >= 126:
            start = 4 if length == 126 else 10
            length = int.from_bytes(self._buffer[2:start], "big")
        if len(self._buffer) < start + length:
            return None
        opcode, body = self._buffer[0] & 15, self._buffer[start : start + length]
        self._buffer = self._buffer[start + length :]
        return opcode, body

    async def _send(self, data: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(self._socket, data)

    async def _ask(self, **fields: Any) -> None:
        text = json.dumps({"requestId": "1", **fields}).encode()
        assert len(text) < 126
        await self._send(bytes((0x81, 0x80 | len(text))) + bytes(4) + text)
        while True:
            opcode, said = await self.read()
            if opcode == 1 and said.get("requestId") == "1":
                assert said["type"] != "ERROR", said
                return


class Game:
    """Two people who play Sequence as fast as they can, for as long as they are let."""

    def __init__(self, rooms: list[RoomHandle]) -> None:
        self.rooms = rooms
        self._random = Random(1)

    async def play(self, moves: int) -> None:
        host, guest = self.rooms
        for _ in range(moves):
            # A shuffle in the middle of a game is cut before anybody can move.
            await host.wait(lambda r: r.phase == "ended" or r.state["public"]["turn"])
            if host.phase == "ended":
                await host.command("HOST_REMATCH")
                await guest.command("PLAYER_READY_SET", ready=True)
                version = await host.command("HOST_START_GAME")
            else:
                mover = host if host.menu else guest
                await mover.wait(lambda r: r.menu)
                version = await mover.act(choose(mover.menu, self._random))
            for room in self.rooms:
                await room.wait(lambda r, seen=version: r.version >= seen)


async def _sit_down(room_server: Live, ann: Client, bob: Client) -> Game:
    host = await ann.create("sequence", preset="house", options=QUICK)
    guest = await bob.join(host.code)
    await guest.command("PLAYER_READY_SET", ready=True)
    await host.command("HOST_START_GAME")
    for room in (host, guest):
        await room.wait(lambda r: r.phase == "playing" and r.state["public"]["turn"])
    return Game([host, guest])


@asynccontextmanager
async def _people(limits: Limits) -> AsyncIterator[tuple[Live, Client, Client]]:
    async with (
        live(limits=limits) as room_server,
        room_server.client("Ann") as ann,
        room_server.client("Bob") as bob,
    ):
        yield room_server, ann, bob


async def _connected(client: Client) -> int:
    """How many are connected to the room, as it last said."""
    connected = 3
    while not client.said.empty():
        said = client.said.get_nowait()
        if said["type"] == "PRESENCE":
            connected = len(said["connected"])
    return connected


def test_a_client_that_stops_reading_is_dropped_with_a_code_and_the_others_keep_their_pace() -> None:
    async def go() -> None:
        async with _people(STRICT) as (room_server, ann, bob):
            game = await _sit_down(room_server, ann, bob)
            host = game.rooms[0]
            sleeper = Sleeper(room_server)
            await sleeper.come(host.code)
            async with asyncio.timeout(PLAY_SECONDS_MAX):
                while await _connected(ann) != 2:
                    await game.play(20)
            dropped_at = host.version
            versions, code = await sleeper.read_to_the_end()
            sleeper.close()
            assert code == CLOSE_TOO_SLOW
            assert versions == sorted(set(versions))
            assert dropped_at - versions[-1] > STRICT.outbox_frames_max, "what a sleeper misses is not kept"
            before = host.version
            await game.play(10)
            assert host.version > before

    asyncio.run(go())


def test_what_is_held_for_a_client_that_does_not_read_is_bounded_in_bytes_too() -> None:
    """A room of hundreds has states of 60 KB: a few dozen for each of hundreds would fill the memory."""

    async def go() -> None:
        async with live(limits=FAST) as room_server, room_server.client("Ann") as ann:
            host = await ann.create("sequence", preset="house", options=QUICK)
            sleeper = Sleeper(room_server)
            await sleeper.come(host.code)
            connection = next(each for each in room_server.server.connections if each.person != ann.player_id)
            actor = await room_server.server.lobby.room(host.code)
            assert actor is not None
            most = 0
            for _ in range(100):
                actor.repeat(b'{"type":"NOISE","text":"%b"}' % (20_000 * b"x"))
                await asyncio.sleep(0.001)
                most = max(most, sum(len(frame) for frame, _ in connection._outbox))
            assert 0 < most <= FAST.outbox_bytes_max
            sleeper.close()

    asyncio.run(go())


def test_a_client_that_reads_again_gets_the_newest_state_instead_of_all_that_it_missed() -> None:
    async def go() -> None:
        async with _people(PATIENT) as (room_server, ann, bob):
            game = await _sit_down(room_server, ann, bob)
            host = game.rooms[0]
            sleeper = Sleeper(room_server)
            await sleeper.come(host.code)
            async with asyncio.timeout(PLAY_SECONDS_MAX):
                await game.play(400)
            newest = host.version
            seen: list[int] = []
            skipped = False
            while not seen or seen[-1] < newest:
                opcode, said = await sleeper.read()
                if opcode == 1 and said["type"] == "STATES_SKIPPED":
                    assert said == {"type": "STATES_SKIPPED", "roomCode": host.code}
                    skipped = True
                elif opcode == 1 and said["type"] == "ROOM_STATE":
                    version = said["public"]["version"]
                    missed = bool(seen) and version - seen[-1] > PATIENT.outbox_frames_max
                    assert skipped or not missed, "a client is told that it did not see everything"
                    skipped = False
                    seen.append(version)
                    if said["public"]["version"] == newest:
                        assert said["whole"], "the newest state brings every proof of the round"
            sleeper.close()
            assert seen == sorted(set(seen))
            assert max(later - earlier for earlier, later in pairwise(seen)) > PATIENT.outbox_frames_max

    asyncio.run(go())

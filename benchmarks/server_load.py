"""The load of `benchmarks/server.py`: many tables of raw WebSocket clients in a process of their own.

It must cost less than what it measures. So it speaks the protocol with hand-made frames (masked with zeros, which the
protocol allows), finds the few bytes that it needs by searching, and checks no proof. Its players cut every deal by the
scheme that the server speaks. They take the first action that a menu offers (in Hold'em they fold), or play as people.

Run as `python benchmarks/server_load.py PORT[,PORT…] '{"tables": 200, …}'`; it prints one line of JSON. With several
ports, those at one table are connected to different ones.
"""

import asyncio
import json
import os
import random
import sys
import time
from collections import deque
from itertools import count
from typing import Any, NamedTuple

import uvloop

from croupier.dealing.chain import Chain
from croupier.dealing.cut2 import promise_of

CONNECTING_AT_ONCE = 50
SETTLE_SECONDS = 0.5
PACE_SECONDS = 0.001
"""The shortest time that uvloop can wait: for less it would not wait at all, and keep the core busy."""
CHAIN_LINKS = 1000
"""So many deals a player can cut by `cut-1`, which is more than any run has."""
FOR_NOTHING = ((0.85, b"CHECK"), (1.0, b"BET"), (1.0, b"RAISE"))
FOR_CHIPS = ((0.6, b"CALL"), (0.93, b"FOLD"), (1.0, b"RAISE"), (1.0, b"CALL"))
"""What people do in Hold'em where it costs nothing to stay in, and where it does: up to which throw of the dice, if it
is offered. Two in three see a flop, one hand in two is shown down."""


class Load(NamedTuple):
    """What is asked of the server."""

    tables: int
    seats: int = 2
    actions: int = 0
    """How many are measured, by all tables together, as fast as they are answered."""
    seconds: float = 0.0
    actions_per_second: float = 0.0
    """Instead: so long, at a fixed rate, whatever the answers take."""
    idle_connections: int = 0
    hold_seconds: float = 0.0
    """How long everything is kept still at the end, for somebody to look at the server."""
    game: str = "sequence"
    preset: str = "house"
    scheme: str = "cut-2"
    """By which the server deals: `cut-1` in the first release."""
    like_people: bool = False
    """Play Hold'em as people do, instead of folding at once."""


class Player(asyncio.Protocol):
    """One connection: cuts the stream into frames and keeps what the newest state says."""

    def __init__(self, cutter: "Cutter1 | Cutter2") -> None:
        self.table: Table | None = None
        self.cutter = cutter
        self.version = 0
        self.action = b""
        """The first action of the menu, without its closing brace; empty when it is somebody else's turn."""
        self.state = b""
        self.state_bytes = 0
        self.states = 0
        self.answers: deque[asyncio.Future[bytes]] = deque()
        self._buffer = b""
        self._upgraded = False
        self._transport: Any = None

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None

    @property
    def ended(self) -> bool:
        """Whether the game is over in the newest state."""
        return b'"phase":"ended"' in self.state[: self.state.index(b'"version":')]

    @property
    def hand(self) -> int:
        """The number of the round in the newest state."""
        end = self.state.index(b',"version":')
        return int(self.state[self.state.rindex(b'"hand":', 0, end) + 7 : end])

    def act_like_people(self, dice: random.Random) -> bytes:
        """One of the actions of the menu, without its closing brace."""
        menu_at = self.state.index(b'"menu":[')
        menu, thrown = self.state[menu_at : self.state.index(b',"events":', menu_at)], dice.random()
        for below, kind in FOR_NOTHING if b'"HOLDEM_CHECK"' in menu else FOR_CHIPS:
            at = menu.find(b'{"type":"HOLDEM_%b"' % kind) if thrown < below else -1
            if at >= 0:
                return menu[at : menu.index(b"}", at)]
        return self.action

    @property
    def connected(self) -> bool:
        return self._transport is not None

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def write(self, text: bytes) -> None:
        length = len(text)
        head = b"\x81" + (bytes((0x80 | length,)) if length < 126 else b"\xfe" + length.to_bytes(2, "big"))
        self._transport.write(head + b"\0\0\0\0" + text)

    async def ask(self, kind: str, **fields: Any) -> Any:
        """A request whose answer is awaited, in the order in which they were asked."""
        future: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.answers.append(future)
        self.write(json.dumps({"type": kind, "requestId": "0", **fields}).encode())
        answer = json.loads(await future)
        assert answer["type"] != "ERROR", answer
        return answer

    async def upgrade(self, port: int) -> None:
        future: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.answers.append(future)
        self._transport.write(
            b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n" % port
        )
        head = await future
        assert head.startswith(b"HTTP/1.1 101"), head

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data if self._buffer else data
        if not self._upgraded:
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                self._buffer = buffer
                return
            self._upgraded = True
            self.answers.popleft().set_result(buffer[:end])
            buffer = buffer[end + 4 :]
        start, have = 0, len(buffer)
        while have - start >= 2:
            length, body = buffer[start + 1], start + 2
            if length == 126:
                if have - start < 4:
                    break
                length, body = int.from_bytes(buffer[start + 2 : start + 4], "big"), start + 4
            elif length == 127:
                if have - start < 10:
                    break
                length, body = int.from_bytes(buffer[start + 2 : start + 10], "big"), start + 10
            if have < body + length:
                break
            self._take(buffer[start], buffer[body : body + length])
            start = body + length
        self._buffer = buffer[start:] if start < have else b""

    def _take(self, opcode: int, frame: bytes) -> None:
        if frame.startswith(b'{"type":"ROOM_STATE"'):
            self._take_state(frame)
        elif opcode == 0x89:
            self._transport.write(b"\x8a" + bytes((0x80 | len(frame),)) + b"\0\0\0\0" + frame)
        elif frame.startswith(b'{"type":"PRESENCE"'):
            return
        elif self.answers:
            self.answers.popleft().set_result(frame)
        elif self.table is not None and opcode == 0x81:
            self.table.answered(frame)

    def _take_state(self, frame: bytes) -> None:
        at = frame.index(b'"version":') + 10
        cut = self.cutter.cut(frame, at)
        if cut is not None:
            self.answers.append(asyncio.get_running_loop().create_future())
            self.write(json.dumps({"type": "DEAL_CUT", "requestId": "2", **cut}).encode())
        self.version = int(frame[at : frame.index(b",", at)])
        menu = frame.index(b'"menu":[', at) + 8
        self.action = frame[menu + 10 : frame.index(b"}", menu)] if frame.startswith(b'{"action":', menu) else b""
        self.state = frame
        self.state_bytes += len(frame)
        self.states += 1
        if self.table is not None:
            self.table.told()


def waits_for_me(frame: bytes, waits_at: int) -> bool:
    """Whether the seats that must still cut, which a state lists at this place, have the one that it was sent to."""
    start = waits_at + len(b'"waitsFor":[')
    seats = frame[start : frame.index(b"]", start)]
    if not seats:
        return False
    you = frame.index(b'"you":{"seat":', start) + len(b'"you":{"seat":')
    return frame[you : frame.index(b",", you)] in seats.split(b",")


class Cutter1:
    """Cuts as players of the first release did: with links of a hash chain."""

    def __init__(self) -> None:
        self._chain = Chain(os.urandom(32), CHAIN_LINKS)
        self._links = 0
        self._root = b""
        """Of the last deal that was cut."""

    def greeting(self) -> dict[str, str]:
        """What is said once, after sitting down."""
        return {"type": "DEAL_ANCHOR", "anchor": self._chain.anchor}

    def cut(self, frame: bytes, version_at: int) -> dict[str, Any] | None:
        """The cut of the deal that a state shows, if it waits for one and was not cut yet."""
        at = frame.rfind(b'"waitsFor":[', version_at, frame.index(b'"you":', version_at))
        if at < 0 or not waits_for_me(frame, at):
            return None
        root = frame[frame.rindex(b'"root":"', 0, at) :][:72]
        if root == self._root:
            return None
        self._root = root
        self._links += 1
        return {"commandId": f"cut {self._chain.link(self._links)[:16]}", "value": self._chain.link(self._links)}


class Cutter2:
    """Cuts as players do today: each cut is promised a deal ahead."""

    def __init__(self) -> None:
        self._secret = b""
        """What is behind the promise for the next deal."""
        self._cut = 0
        """The last deal that was cut."""

    def greeting(self) -> dict[str, str]:
        """What is said once, after sitting down."""
        return {"type": "DEAL_PROMISE", "promise": self._promise()}

    def cut(self, frame: bytes, version_at: int) -> dict[str, Any] | None:
        """The cut of the deal that a state shows, if it waits for one and was not cut yet."""
        waits_at = frame.index(b'"waitsFor":[', version_at)
        if not waits_for_me(frame, waits_at):
            return None
        at = frame.rindex(b'"deal":', version_at, waits_at) + 7
        deal = int(frame[at : frame.index(b",", at)])
        if deal == self._cut:
            return None
        self._cut = deal
        value = self._secret.hex()
        return {"commandId": f"cut {value[:16]}", "deal": deal, "value": value, "promise": self._promise()}

    def _promise(self) -> str:
        self._secret = os.urandom(32)
        return promise_of(self._secret)


CUTTERS = {"cut-1": Cutter1, "cut-2": Cutter2}


class Tally:
    """What came of the actions of all tables."""

    def __init__(self, actions: int) -> None:
        self.taken: list[float] = []
        """The seconds from when each action was to be sent to when everybody had its state."""
        self.errors = 0
        self.finished = asyncio.Event()
        self._actions = actions

    def count(self, seconds: float) -> None:
        self.taken.append(seconds)
        if len(self.taken) == self._actions:
            self.finished.set()


class Table:
    """The players of one room. One action at a time: the next is sent when all of them have seen the last."""

    def __init__(
        self, players: list[Player], numbers: "count[int]", tally: Tally, paced: bool, dice: random.Random | None
    ) -> None:
        """With dice, they play Hold'em as people do."""
        self.players = players
        self.code = ""
        self.paced = paced
        self.stopped = True
        self.wanted: deque[float] = deque()
        """When actions should have been sent that wait for the table's last one."""
        self.restarting: asyncio.Task[None] | None = None
        self._numbers = numbers
        self._tally = tally
        self._dice = dice
        self._began = 0.0
        self._awaits = 0
        """The version that everybody is to see; 0 when no action is under way."""

    def answered(self, frame: bytes) -> None:
        if not frame.startswith(b'{"type":"ACCEPTED"'):
            self._tally.errors += 1
            print(frame[:300].decode(), file=sys.stderr)

    def told(self) -> None:
        if self._awaits:
            for player in self.players:
                if player.version < self._awaits:
                    return
            self._awaits = 0
            self._tally.count(time.perf_counter() - self._began)
        self.act()

    def want(self, at: float) -> None:
        """An action that is to be sent at this moment."""
        self.wanted.append(at)
        self.act()

    def act(self) -> None:
        if self._awaits or self.stopped or (self.paced and not self.wanted):
            return
        in_turn, version = None, self.players[0].version
        for player in self.players:
            if player.version != version:
                return
            if player.action:
                in_turn = player
        if in_turn is not None:
            self._began = self.wanted.popleft() if self.paced else time.perf_counter()
            self._awaits = version + 1
            action = in_turn.action if self._dice is None else in_turn.act_like_people(self._dice)
            in_turn.write(
                b'%b,"requestId":"1","commandId":"%d","expectedVersion":%d}' % (action, next(self._numbers), version)
            )
        elif self.restarting is None and self.players[0].ended:
            self.restarting = asyncio.create_task(self._restart())

    async def _restart(self) -> None:
        """The game is over: the same people play another. This is not counted."""
        await self._do(self.players[0], "HOST_REMATCH")
        await self.start()
        self.restarting = None
        self.act()

    async def start(self) -> None:
        for player in self.players[1:]:
            await self._do(player, "PLAYER_READY_SET", ready=True)
        await self._do(self.players[0], "HOST_START_GAME")

    async def open(self, load: Load) -> None:
        """The first player opens a room, the others join it."""
        host = self.players[0]
        options = {"seats": load.seats, "turnSeconds": 600, "bankSeconds": 3600, "pauseSeconds": 0}
        created = await self._do(host, "ROOM_CREATE", game=load.game, preset=load.preset, options=options)
        self.code = created["roomCode"]
        for player in self.players[1:]:
            await self._do(player, "ROOM_JOIN", roomCode=self.code)
        for player in self.players:
            greeting = player.cutter.greeting()
            await self._do(player, greeting.pop("type"), **greeting)
        await self.start()
        for player in self.players:
            player.table = self

    async def _do(self, player: Player, kind: str, **fields: Any) -> Any:
        return await player.ask(kind, commandId=str(next(self._numbers)), **fields)


async def connect(port: int, name: str, scheme: str) -> Player:
    loop = asyncio.get_running_loop()
    _, player = await loop.create_connection(lambda: Player(CUTTERS[scheme]()), "127.0.0.1", port)
    await player.upgrade(port)
    await player.ask("HELLO", nickname=name)
    return player


async def pace(tables: list[Table], load: Load) -> None:
    """Open loop: the moments are fixed beforehand, so a slow answer makes no later moment wait."""
    began = time.perf_counter()
    total = int(load.seconds * load.actions_per_second)
    sent = 0
    while sent < total:
        now = time.perf_counter()
        while sent < total and (moment := began + sent / load.actions_per_second) <= now:
            tables[sent % len(tables)].want(moment)
            sent += 1
        await asyncio.sleep(PACE_SECONDS)


async def run(ports: list[int], load: Load) -> dict[str, Any]:
    numbers = count(1)
    gate = asyncio.Semaphore(CONNECTING_AT_ONCE)

    async def one(number: int) -> Player:
        async with gate:
            return await connect(ports[number % len(ports)], f"load {number}", load.scheme)

    players = await asyncio.gather(*(one(number) for number in range(load.tables * load.seats + load.idle_connections)))
    paced = load.actions_per_second > 0
    tally = Tally(load.actions)
    tables = [
        Table(
            players[n * load.seats : (n + 1) * load.seats],
            numbers,
            tally,
            paced,
            random.Random(n) if load.like_people else None,
        )
        for n in range(load.tables)
    ]

    async def opened(table: Table) -> None:
        async with gate:
            await table.open(load)

    await asyncio.gather(*map(opened, tables))
    await asyncio.sleep(SETTLE_SECONDS)
    for player in players:
        player.state_bytes = player.states = 0
    hands = sum(table.players[0].hand for table in tables)
    print("ready", flush=True)
    began, busy = time.perf_counter(), time.process_time()
    for table in tables:
        table.stopped = False
        if not paced:
            table.act()
    if paced:
        await pace(tables, load)
    elif load.actions:
        await tally.finished.wait()
    elapsed, busy = time.perf_counter() - began, time.process_time() - busy
    hands = sum(table.players[0].hand for table in tables) - hands
    if paced:
        # What was to be sent in time may still be under way.
        await asyncio.sleep(SETTLE_SECONDS)
    for table in tables:
        table.stopped = True
    taken = sorted(tally.taken)
    states = sum(player.states for player in players)
    print("done", flush=True)
    await asyncio.sleep(load.hold_seconds)
    result = {
        "actions": len(taken),
        "hands": hands,
        "seconds": elapsed,
        "load_cpu_seconds": busy,
        "errors": tally.errors,
        "unsent": sum(len(table.wanted) for table in tables),
        "state_bytes": sum(player.state_bytes for player in players) / max(1, states),
        "connected": sum(player.connected for player in players),
        "p50_ms": 1000 * taken[len(taken) // 2] if taken else 0,
        "p99_ms": 1000 * taken[len(taken) * 99 // 100] if taken else 0,
        "max_ms": 1000 * taken[-1] if taken else 0,
    }
    for player in players:
        player.close()
    return result


if __name__ == "__main__":
    print(json.dumps(uvloop.run(run([*map(int, sys.argv[1].split(","))], Load(**json.loads(sys.argv[2]))))))

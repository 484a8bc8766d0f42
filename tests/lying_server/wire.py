"""The victim of an offline attack with a real client: the SDK's `Client` on a real WebSocket, or the terminal on top of
it. The attacks of `attack.py` are played against them as they are.

An attack is plain code that does one thing after the other, and so is the table. A `Wire` runs the event loop of client
and socket only while a frame is on its way: each side is done with everything before the other goes on, so nothing here
depends on time.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Any, ClassVar, Final

import msgspec
from websockets.asyncio.client import connect
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from croupier.clients.alarm import AlarmError
from croupier.clients.connection import Client, RefusedError
from croupier.clients.environment import FRAME_BYTES_MAX, Environment, Socket
from croupier.clients.plain import LineTable
from croupier.clients.room_guard import RoomGuard
from croupier.clients.room_handle import RoomHandle, Shown
from croupier.clients.terminal.questions import question
from croupier.clients.terminal.session import Session
from croupier.clients.terminal.words import Words
from croupier.clients.vault import MemoryVault
from croupier.table import commands as c
from croupier.table.client_memory import CutWanted
from tests.lying_server.offline import CODE, OfflineTable, Player

SECONDS_MAX: Final = 30.0
"""A client that does not answer within so long is broken."""
BREATHS: Final = 20
"""How often the event loop goes round before a client says that it is done: its chores have sent what they had to."""
MARK: Final = "TEST_MARK"
"""A frame after which a client says that it has taken everything before it."""
GIVEN: Final = ("DEAL_CUT", "DEAL_PROMISE")
"""What a player's client says when the table lets it (`Player.give`)."""
Request = dict[str, Any]


class Wire:
    """An event loop with a server on 127.0.0.1, whose connections are answered by `WirePlayer`s."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.players: dict[str, WirePlayer] = {}
        """By token."""
        self.server: Server = self.run(self._open())

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.server.sockets[0].getsockname()[1]}"

    def run(self, work: Any) -> Any:
        """Runs the loop until something is done."""

        async def waited() -> Any:
            async with asyncio.timeout(SECONDS_MAX):
                return await work

        return self.loop.run_until_complete(waited())

    async def _open(self) -> Server:
        return await serve(self._serve, "127.0.0.1", 0, compression=None, ping_interval=None)

    def close(self) -> None:
        for player in self.players.values():
            player.close()
        self.server.close()
        self.run(self.server.wait_closed())
        # Whatever were left would end in the middle of another test.
        left = asyncio.all_tasks(self.loop)
        for task in left:
            task.cancel()
        if left:
            self.run(asyncio.wait(left))
        self.run(self.loop.shutdown_asyncgens())
        self.loop.close()

    async def _serve(self, line: ServerConnection) -> None:
        player = None
        with suppress(ConnectionClosed):
            async for text in line:
                request = json.loads(text)
                if request["type"] == "HELLO":
                    player = self.players[request["token"]]
                    player.line = line
                # What was on its way when the line was cut never came.
                if player is not None and player.line is line:
                    player.asked.append(request)
                    player.news.set()


class WirePlayer(Player):
    """Somebody with the SDK's client."""

    wire: ClassVar[Wire]

    def __init__(self, table: OfflineTable, name: str, vault: MemoryVault | None = None) -> None:
        self.table, self.person = table, name
        self.vault = vault or MemoryVault()
        self.is_here = self.hangs = False
        self.seen: list[Any] = []
        self.refused = ""
        self.token = f"token {len(self.wire.players)}"
        self.wire.players[self.token] = self
        self.line: ServerConnection | None = None
        self.asked: list[Request] = []
        """What the client has said and the table has not yet read."""
        self.pending: list[Request] = []
        """Cuts and promises that wait until the table takes them."""
        self.news, self.may_dial = asyncio.Event(), asyncio.Event()
        self.marks = self.marked = 0
        self.chance = Random(self.token)
        self.client: Client | None = None

    # What attacks look at. Only a new client makes anything of this anew.

    @property
    def handle(self) -> RoomHandle:
        if self.client is None:
            self.client = Client(
                self.wire.url,
                token=self.token,
                shows=self._shows,
                environment=Environment(dial=self._dial, chance=self.chance.randbytes, vault=self.vault),
            )
            self.client.player_id = self.person
            self.client.hearers[MARK] = self._mark
        return self.client.handle(CODE)

    @property
    def guard(self) -> RoomGuard:  # type: ignore[override]
        return self.handle.guard

    @guard.setter
    def guard(self, guard: RoomGuard) -> None:
        assert guard is self.guard

    @property
    def state(self) -> Any:
        return self.handle.state

    @state.setter
    def state(self, state: Any) -> None:
        assert state == self.handle.state == {}

    def _new_guard(self) -> RoomGuard:
        """Closes the program. What it is started with again."""
        self.close()
        return self.guard

    def close(self) -> None:
        """Ends the program."""
        if self.client is not None:
            self.wire.run(self.client.__aexit__(None, None, None))
            self.client = None
        self.line, self.pending, self.asked = None, [], []

    # The line.

    def come(self) -> None:
        if self.line is not None:
            self.go()
        self.is_here = True
        self.may_dial.set()
        handle = self.handle
        client = handle._client
        if client._task is None:
            self._drive(client.__aenter__())
            self._drive(client.request("ROOM_WATCH", roomCode=CODE, knownVersion=0))
        else:
            self._drive(client._ready.wait())
        self._settle()

    def go(self) -> None:
        self.is_here = False
        self.table.broadcast.detach(self)
        self.may_dial.clear()
        line, self.line, self.pending, self.asked = self.line, None, [], []
        if line is not None:
            self.wire.run(line.close())
            self.wire.run(self._notice())

    async def _notice(self) -> None:
        """Until the client knows that its line is down."""
        while self.client is not None and self.client.is_connected:
            await asyncio.sleep(0)

    def reload(self) -> None:
        self.go()
        self.close()
        self.come()

    def send(self, frame: bytes) -> None:
        state = json.loads(frame)
        if state["type"] == "ROOM_STATE" and self.line is not None:
            for told in self.table.liar.tell(self, state):
                self._say(told)
            self._settle()

    def give(self) -> bool:
        if self.hangs or not self.pending:
            return False
        request = self.pending.pop(0)
        deal, promise = request.get("deal", 0), request["promise"]
        if request["type"] == "DEAL_PROMISE":
            refused = self.table.do(self.person, c.DealPromise(promise))
        elif self.table.takes_cut(self, CutWanted(deal, promise, "")):
            refused = self.table.do(self.person, c.DealCut(request["value"], deal, promise))
        else:
            return True
        self._answer(request, refused)
        return True

    def act(self, action: Any) -> str | None:
        if not self.handle.state:
            return "NOTHING_SHOWN"
        raw = msgspec.to_builtins(action)
        try:
            self._drive(self.handle.act(raw), plays=action)
        except AlarmError as alarm:
            self.refused = alarm.findings[0].code
            return self.refused
        except RefusedError as refused:
            return refused.code
        return None

    # How the table and the client take turns.

    def _say(self, frame: dict[str, Any]) -> None:
        assert self.line is not None
        self.wire.run(self.line.send(msgspec.json.encode(frame).decode()))

    def _answer(self, request: Request, refused: str | None = None, **told: Any) -> None:
        """Answers a request, and lets the client go on."""
        if self.line is None:
            return
        told = {"type": "ACCEPTED", "version": self.table.room.version, **told}
        if refused is not None:
            told = {"type": "ERROR", "code": refused, "message": "", "facts": {}}
        self._say({**told, "requestId": request["requestId"]})
        if request["type"] not in ("HELLO", "ROOM_WATCH"):
            self._settle()

    def _settle(self) -> None:
        """Until the client has taken all that it was told, and has said what it has to say."""
        if self.line is None:
            return
        self.marks += 1
        mark = self.marks
        self._say({"type": MARK, "number": mark})
        while self.marked < mark and self.line is not None:
            self._hear()
        self._read_asked()

    def _drive(self, work: Coroutine[Any, Any, Any], plays: Any = None) -> Any:
        """Runs something of the client's, and answers what it asks meanwhile. The answer to an action is that of the
        table."""

        async def watched() -> Any:
            try:
                return await work
            finally:
                self.news.set()

        task = self.wire.loop.create_task(watched())
        while not task.done():
            self._hear(plays)
        return task.result()

    def _hear(self, plays: Any = None) -> None:
        """Waits for anything new, and answers it."""
        self.wire.run(self.news.wait())
        self.news.clear()
        self._read_asked(plays)

    def _read_asked(self, plays: Any = None) -> None:
        while self.asked:
            request = self.asked.pop(0)
            match request["type"]:
                case "HELLO":
                    self._answer(request, type="WELCOME", playerId=self.person)
                case "ROOM_WATCH":
                    self.table.broadcast.attach(self, self.table.room, 0)
                    self._answer(request)
                case "DEAL_HISTORY":
                    deals = self.table.liar.history(self.table.history(request["first"]))
                    self._answer(request, deals=json.loads(msgspec.json.encode(deals)))
                case kind if kind == MARK:
                    self.marked = request["number"]
                case kind if kind in GIVEN:
                    self.pending.append(request)
                case kind if plays is not None and kind == plays.tag:
                    self._answer(request, self.table.do(self.person, c.Play(plays)))
                case _:
                    # It declines to cut: this server does not mind.
                    self._answer(request)

    def _mark(self, frame: dict[str, Any]) -> None:
        client = self.client
        assert client is not None

        async def reply() -> None:
            for _ in range(BREATHS):
                await asyncio.sleep(0)
            if client._socket is not None:
                await client._socket.send(json.dumps({"type": MARK, "number": frame["number"]}))

        client._do(reply())

    def _shows(self, shown: Shown) -> None:
        self.seen.append(shown)

    @asynccontextmanager
    async def _dial(self, url: str, patience: float) -> AsyncIterator[Socket]:
        await self.may_dial.wait()
        async with connect(
            url, max_size=FRAME_BYTES_MAX, compression=None, ping_interval=None, open_timeout=SECONDS_MAX
        ) as line:
            yield line


class TerminalPlayer(WirePlayer):
    """Somebody at the terminal, line by line: all that is written there is in `said`."""

    def __init__(self, table: OfflineTable, name: str, vault: MemoryVault | None = None) -> None:
        super().__init__(table, name, vault)
        self.said: list[str] = []
        self.typed: asyncio.Queue[str | None] = asyncio.Queue()
        self.playing: asyncio.Task[None] | None = None

    def come(self) -> None:
        super().come()
        if self.playing is None and self.handle.state:
            session = Session(self.handle._client, self.handle, alone=False, pace_bots=lambda _: None)
            lines = LineTable(session, Words("en"), self.typed.get, self.said.append, echo=False)
            self.playing = self.wire.loop.create_task(lines.run())
            self._settle()

    def close(self) -> None:
        if self.playing is not None:
            self.typed.put_nowait(None)
            self.playing.cancel()
            # What it makes of nonsense without a check is no matter here.
            with suppress(asyncio.CancelledError, Exception):
                self.wire.run(self.playing)
            self.playing = None
        super().close()

    def reads(self, sentences: set[str]) -> None:
        """Waits until one of these stands in the terminal, or is what it asks next: a question that is no alarm comes
        once the player has answered the last one."""

        async def written() -> None:
            while sentences.isdisjoint((*self.said, *self._next_question())):
                assert self.playing is not None
                if self.playing.done():
                    self.playing.result()
                await asyncio.sleep(0.001)

        self.wire.run(written())

    def _next_question(self) -> tuple[str, ...]:
        asked = question(self.handle, Words("en"))
        return () if asked is None or asked.kind == "alarm" else asked.lines

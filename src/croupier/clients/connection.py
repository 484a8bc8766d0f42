"""A connection to a card room: says hello, keeps its token, reconnects by itself, and resumes where it was.

`Client` is for programs. It keeps the newest state of each room; commands return when they are stored, or raise
`RefusedError` with the code and the facts.
"""

import asyncio
import itertools
import json
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Final

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from croupier.clients.checking import Checker
from croupier.clients.surroundings import Socket, Surroundings

RETRY_SECONDS_FIRST: Final = 0.1
RETRY_SECONDS_MAX: Final = 2.0
ANSWER_SECONDS_MAX: Final = 15.0
PASSING: Final = ("STORE_FAILED", "BUSY", "RATE_LIMITED", "FAILED")
"""Refusals for which the server has its own reasons: the same is worth asking again, here or at another node."""


class RefusedError(Exception):
    """The server refused a request; nothing was changed."""

    def __init__(self, code: str, message: str, facts: dict[str, Any]) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.facts = facts


class RoomHandle:
    """A room as this client knows it: the newest state, and what happened."""

    def __init__(self, client: "Client", code: str) -> None:
        self.code = code
        self.state: dict[str, Any] = {}
        self.events: asyncio.Queue[Any] = asyncio.Queue()
        self.checker = Checker(client.surroundings.new_chain())
        self.changed = asyncio.Condition()
        self._client = client

    @property
    def version(self) -> int:
        return int(self.state["public"]["version"]) if self.state else 0

    @property
    def phase(self) -> str:
        return str(self.state["public"]["phase"])

    @property
    def seat(self) -> int | None:
        member = next((m for m in self.state["public"]["members"] if m["id"] == self._client.player_id), None)
        return member["seat"] if member is not None else None

    @property
    def view(self) -> Any:
        return self.state["you"]["view"]

    @property
    def menu(self) -> list[Any]:
        found: list[Any] = self.state["you"]["menu"]
        return found

    async def wait(self, condition: Any, timeout: float = 30.0) -> None:
        """Waits until a state satisfies the condition."""
        async with asyncio.timeout(timeout), self.changed:
            await self.changed.wait_for(lambda: bool(self.state) and condition(self))

    async def command(self, kind: str, **fields: Any) -> int:
        """Does a command of the room; the version that it became."""
        command_id = self._client.surroundings.new_id()
        answer = await self._client.request(kind, roomCode=self.code, commandId=command_id, **fields)
        return int(answer["version"])

    async def act(self, action: dict[str, Any], version: int | None = None) -> int:
        """Plays an action as the menu offers it, at the version it was seen."""
        fields = {name: value for name, value in action.items() if name != "type"}
        return await self.command(action["type"], expectedVersion=version or self.version, **fields)


class Client:
    """One player's connection. Use it as `async with Client(url, nickname="Ann") as client:`."""

    def __init__(
        self,
        url: str | Sequence[str],
        *,
        nickname: str = "",
        token: str = "",
        language: str = "en",
        cuts: bool = True,
        hears: Callable[[str], None] | None = None,
        surroundings: Surroundings | None = None,
    ) -> None:
        """With several addresses, each is another node of one card room; those that the server tells are added.

        With `cuts` false this client takes no part in the cut of deals. `hears` gets every frame as it came.
        """
        self.urls = [url] if isinstance(url, str) else list(url)
        self.url = self.urls[0]
        """Where it is connected, or tries to."""
        self.nickname, self.token, self.language = nickname, token, language
        self.surroundings = surroundings or Surroundings()
        self.player_id = ""
        self.rooms: dict[str, RoomHandle] = {}
        self.said: asyncio.Queue[Any] = asyncio.Queue()
        """Chat, reactions and presence, as they come."""
        self.reconnects = 0
        self._cuts = cuts
        self._hears = hears
        self._socket: Socket | None = None
        self._requests = itertools.count(1)
        self._waiting: dict[str, asyncio.Future[Any]] = {}
        self._ready = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._chores: dict[asyncio.Task[None], None] = {}
        self._renewing: set[str] = set()
        """Rooms that are being told of a new chain."""

    async def __aenter__(self) -> "Client":
        self._task = asyncio.create_task(self._run())
        ready = asyncio.create_task(self._ready.wait())
        await asyncio.wait((ready, self._task), timeout=ANSWER_SECONDS_MAX, return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        if self._task.done():
            self._task.result()
        if not self._ready.is_set():
            raise TimeoutError(f"no card room answers at {', '.join(self.urls)}")
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        for task in (self._task, *self._chores):
            if task is not None:
                task.cancel()
        if self._socket is not None:
            await self._socket.close()

    async def create(self, game: str, **fields: Any) -> RoomHandle:
        """Opens a room and sits down in it."""
        answer = await self.request("ROOM_CREATE", commandId=self.surroundings.new_id(), game=game, **fields)
        return await self._entered(answer["roomCode"])

    async def join(self, code: str, *, watch: bool = False) -> RoomHandle:
        kind = "ROOM_JOIN_AS_SPECTATOR" if watch else "ROOM_JOIN"
        await self.request(kind, roomCode=code, commandId=self.surroundings.new_id())
        return await self._entered(code)

    async def watch(self, code: str) -> RoomHandle:
        """Hears a room that this person is in already: for somebody who comes back."""
        handle = self.handle(code)
        await self.request("ROOM_WATCH", roomCode=code, knownVersion=handle.version)
        await handle.wait(lambda _: True)
        return handle

    async def _entered(self, code: str) -> RoomHandle:
        handle = self.handle(code)
        await handle.wait(lambda _: True)
        if self._cuts:
            await handle.command("DEAL_ANCHOR", anchor=handle.checker.chain.anchor)
        return handle

    async def request(self, kind: str, **fields: Any) -> Any:
        """Asks, and returns the answer; asked again after a reconnect, because no answer may mean not done."""
        async with asyncio.timeout(ANSWER_SECONDS_MAX):
            while True:
                await self._ready.wait()
                try:
                    return await self._ask(kind, fields)
                except ConnectionClosed:
                    await asyncio.sleep(RETRY_SECONDS_FIRST)

    async def _ask(self, kind: str, fields: dict[str, Any]) -> Any:
        socket = self._socket
        assert socket is not None
        request_id = str(next(self._requests))
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[request_id] = future
        try:
            await socket.send(json.dumps({"type": kind, "requestId": request_id, **fields}))
            return await future
        finally:
            self._waiting.pop(request_id, None)

    async def _run(self) -> None:
        delay = RETRY_SECONDS_FIRST
        for turn in itertools.count():
            self.url = self.urls[turn % len(self.urls)]
            try:
                async with self.surroundings.dial(self.url) as socket:
                    self._socket = socket
                    await self._serve(socket)
            except (OSError, EOFError, ConnectionClosed, InvalidHandshake, TimeoutError):
                pass
            except RefusedError as refused:
                # Who was never welcomed is told why, once every address has been asked.
                newcomer = not self.player_id and self.reconnects + 1 >= len(self.urls)
                if refused.code not in PASSING or newcomer:
                    raise
            if self._ready.is_set():
                delay = RETRY_SECONDS_FIRST
            self._ready.clear()
            self._socket = None
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(ConnectionClosed(None, None))
                    # Whoever asked may have gone: then nobody looks at it, and nothing is wrong.
                    future.exception()
            await asyncio.sleep(delay)
            delay = min(2 * delay, RETRY_SECONDS_MAX)
            self.reconnects += 1

    async def _serve(self, socket: Socket) -> None:
        """One connection, until it is lost: also in the middle of the greeting, which then has nobody to answer it."""
        reading = asyncio.create_task(self._read(socket))
        greeting = asyncio.create_task(self._greet())
        try:
            await asyncio.wait((reading, greeting), return_when=asyncio.FIRST_COMPLETED)
            if greeting.done():
                greeting.result()
            await reading
        finally:
            for task in (reading, greeting):
                task.cancel()

    async def _greet(self) -> None:
        who = {"token": self.token} if self.token else {"nickname": self.nickname}
        welcome = await self._ask("HELLO", {**who, "language": self.language})
        self.player_id = welcome["playerId"]
        self.token = welcome.get("token", self.token)
        for node in welcome.get("nodes", ()):
            url = f"{node.replace('http', 'ws', 1)}/ws"
            if url not in self.urls:
                self.urls.append(url)
        for code, handle in list(self.rooms.items()):
            try:
                await self._ask("ROOM_WATCH", {"roomCode": code, "knownVersion": handle.version})
            except RefusedError as refused:
                if refused.code in PASSING:
                    raise
                # Not a member any more: there is nothing to come back to.
                del self.rooms[code]
        self._ready.set()

    async def _read(self, socket: Socket) -> None:
        async for text in socket:
            assert isinstance(text, str), "the room sends text"
            if self._hears is not None:
                self._hears(text)
            frame = json.loads(text)
            future = self._waiting.get(frame.get("requestId", ""))
            if future is not None and not future.done():
                if frame["type"] == "ERROR":
                    future.set_exception(RefusedError(frame["code"], frame["message"], frame["facts"]))
                else:
                    future.set_result(frame)
            elif frame["type"] == "ROOM_STATE":
                await self._take(frame)
            else:
                self.said.put_nowait(frame)

    async def _take(self, frame: dict[str, Any]) -> None:
        """A new state: checked before it is shown. Cards that cannot be proved are kept as findings."""
        handle = self.handle(frame["public"]["roomCode"])
        async with handle.changed:
            handle.state = frame
            handle.checker.check(frame["public"], frame["openings"], frame["you"]["seat"])
            for event in frame["events"]:
                handle.events.put_nowait(event)
            handle.changed.notify_all()
        if self._cuts:
            value = handle.checker.contribution(frame["public"], handle.seat)
            if value is not None:
                self._do(self._cut(handle, value))
            elif handle.checker.is_spent and not any(deal["waitsFor"] for deal in frame["public"]["deals"]):
                self._renew_once(handle)

    def _do(self, chore: Any) -> None:
        task = asyncio.create_task(chore)
        self._chores[task] = None
        task.add_done_callback(lambda done: self._chores.pop(done, None))

    async def _cut(self, handle: RoomHandle, value: str) -> None:
        """A cut that comes too late is refused; the deal then went on without it."""
        try:
            await handle.command("DEAL_CUT", value=value)
        except (RefusedError, TimeoutError):
            return

    def _renew_once(self, handle: RoomHandle) -> None:
        """The room tells everybody of a new chain: without this, each of these states would ask for another one."""
        if handle.code not in self._renewing:
            self._renewing.add(handle.code)
            self._do(self._renew(handle))

    async def _renew(self, handle: RoomHandle) -> None:
        """Publishes a new chain when the old one has served all its deals; refused, it is tried with the next state."""
        chain = self.surroundings.new_chain()
        try:
            await handle.command("DEAL_ANCHOR", anchor=chain.anchor)
            handle.checker.begin(chain)
        except (RefusedError, TimeoutError):
            return
        finally:
            self._renewing.discard(handle.code)

    def handle(self, code: str) -> RoomHandle:
        """What this client knows of a room."""
        known = self.rooms.get(code)
        if known is None:
            known = self.rooms[code] = RoomHandle(self, code)
        return known

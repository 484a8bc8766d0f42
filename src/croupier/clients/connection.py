"""A connection to a card room: it greets, keeps its token, reconnects by itself, and resumes.

`Client` is for programs. It keeps the newest state of each room. A command returns when it is stored, or raises
`RefusedError` with code and facts.
"""

import asyncio
import itertools
import json
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Final

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from croupier.clients.alarm import AlarmError
from croupier.clients.environment import Environment, Socket, patience_after
from croupier.clients.frames import MALFORMED, read_frame
from croupier.clients.room_guard import Remembered, remembered
from croupier.clients.room_handle import RoomHandle, Shown
from croupier.table.checker import OF_ANOTHER_DEVICE
from croupier.table.client_memory import CutWanted
from croupier.table.deal_checker import CHOKING
from croupier.table.deal_faults import DealFault

RETRY_SECONDS_FIRST: Final = 0.1
RETRY_SECONDS_MAX: Final = 2.0
ANSWER_SECONDS_MAX: Final = 15.0
PASSING: Final = ("STORE_FAILED", "BUSY", "RATE_LIMITED", "FAILED")
"""Temporary refusals: the same request may succeed later, or at another node."""
GONE: Final = ("NOT_IN_ROOM", "KICKED")
"""Refusals that mean that this player is not in the room any more."""
BRIDGE_TRIES_MAX: Final = 6
"""How often to ask for missed deals when the server cannot tell them for the moment."""
ENTERING: Final = frozenset(("ROOM_JOIN", "ROOM_JOIN_AS_SPECTATOR", "ROOM_WATCH"))
BUYING: Final = "PLAYER_BUY_CHIPS"
"""The command with which this player buys chips."""
SITTING_IN: Final = "PLAYER_SIT_IN"
WAITING: Final = "ROOM_WAITING"
"""The answer to a newcomer whom the host must admit."""
DECIDED: Final = frozenset(("ROOM_ADMITTED", "ROOM_CLOSED"))
TOKEN_BYTES: Final = 32
SKIPPED: Final = "STATES_SKIPPED"
"""The server left states out, so this client did not see what happened meanwhile."""


class RefusedError(Exception):
    """The server refused a request. Nothing was changed."""

    def __init__(self, code: str, message: str, facts: dict[str, Any]) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.facts = facts


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
        shows: Callable[[Shown], None] | None = None,
        environment: Environment | None = None,
    ) -> None:
        """`url` may name several nodes of one card room; nodes that the server tells of are added.

        With `cuts` false, this client does not cut deals. `hears` gets every frame as received, `shows` every state
        that passed the checks.
        """
        self.urls = [url] if isinstance(url, str) else list(url)
        self.url = self.urls[0]
        """Where it is connected, or tries to."""
        self.nickname, self.token, self.language = nickname, token, language
        self.environment = environment or Environment()
        self.player_id = ""
        self.rooms: dict[str, RoomHandle] = {}
        self.said: asyncio.Queue[Any] = asyncio.Queue()
        """Chat, reactions and presence, as they come."""
        self.hearers: dict[str, Callable[[dict[str, Any]], None]] = {}
        """The handlers of messages that arrive unasked, by type; the rest goes to `said`."""
        self.reconnects = 0
        self._cuts = cuts
        self._hears = hears
        self._shows = shows
        self._socket: Socket | None = None
        self._requests = itertools.count(1)
        self._waiting: dict[str, asyncio.Future[Any]] = {}
        self._ready = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._chores: dict[asyncio.Task[None], None] = {}
        self._admissions: dict[str, asyncio.Future[None]] = {}
        """Rooms whose host must let this player in."""
        self._next_token = ""
        """The replacement for the token, until the server has confirmed it."""
        self._remembered: dict[str, Remembered] = {}
        """What was remembered of rooms when they were last asked for."""

    @property
    def is_connected(self) -> bool:
        """Whether this client is connected and the server has greeted it."""
        return self._ready.is_set()

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
        """Open a room and sit down in it."""
        answer = await self.request("ROOM_CREATE", commandId=self.environment.new_id(), game=game, **fields)
        return await self._entered(answer["roomCode"])

    async def join(self, code: str, *, watch: bool = False, waits: Callable[[], None] | None = None) -> RoomHandle:
        """Join a room. If its host must admit newcomers, call `waits`, then wait for the decision for as long as it
        takes. Raises RefusedError if the host refuses."""
        kind = "ROOM_JOIN_AS_SPECTATOR" if watch else "ROOM_JOIN"
        while True:
            answer = await self.request(kind, roomCode=code, commandId=self.environment.new_id())
            if answer["type"] != WAITING:
                return await self._entered(code)
            if waits is not None:
                waits()
            decided = self._admissions[code] = asyncio.get_running_loop().create_future()
            try:
                await decided
            finally:
                self._admissions.pop(code, None)

    async def sign_out_everywhere(self) -> str:
        """Invalidate this player's token everywhere else, and end their other connections. Return the new token."""
        token = urlsafe_b64encode(self.environment.chance(TOKEN_BYTES)).decode().rstrip("=")
        self._next_token = token
        await self.request("SIGN_OUT_EVERYWHERE", token=token)
        self.token, self._next_token = token, ""
        return token

    async def watch(self, code: str) -> RoomHandle:
        """Resume a room that this player is already in."""
        handle = self.handle(code)
        answer = await self.request("ROOM_WATCH", roomCode=code, knownVersion=handle.version)
        if answer["type"] == WAITING:
            del self.rooms[code]
            raise RefusedError("ALREADY_WAITING", "the host must let this player in first", {})
        await handle.wait(lambda _: True)
        return handle

    async def _entered(self, code: str) -> RoomHandle:
        handle = self.handle(code)
        await handle.wait(lambda room: room.is_promised or not self._cuts or room.alarms)
        return handle

    async def request(self, kind: str, **fields: Any) -> Any:
        """Send a request and return the answer. After a reconnect it is sent again: without an answer, it may not have
        been done."""
        if kind in ENTERING:
            self._recall(fields["roomCode"])
        if kind in (BUYING, SITTING_IN) and fields.get("roomCode") in self.rooms:
            asked = ("bought", fields["chips"]) if kind == BUYING else ("waits" if fields.get("wait") else "sat_in",)
            self.rooms[fields["roomCode"]].asks(*asked)
        async with asyncio.timeout(ANSWER_SECONDS_MAX):
            while True:
                await self._ready.wait()
                if not self._ready.is_set():
                    # The connection was lost again meanwhile.
                    continue
                try:
                    return await self._ask(kind, fields)
                except ConnectionClosed:
                    await asyncio.sleep(RETRY_SECONDS_FIRST)

    def _recall(self, code: str) -> None:
        """Before a room is entered: load what is remembered of it. The room's first state must know all of that. What
        another program of this player sees meanwhile, that state may not show yet."""
        if code not in self.rooms:
            with suppress(OSError):
                self._remembered[code] = remembered(self.environment.vault, code)

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
        patience = 1.0
        clock = asyncio.get_running_loop().time
        for turn in itertools.count():
            self.url = self.urls[turn % len(self.urls)]
            began = clock()
            try:
                async with self.environment.dial(self.url, patience) as socket:
                    self._socket = socket
                    await self._serve(socket)
            except (OSError, EOFError, ConnectionClosed, InvalidHandshake, TimeoutError):
                pass
            except RefusedError as refused:
                # Before the first welcome: report why, once every address has been tried.
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
                    # The caller may be gone, and then nobody reads the error.
                    future.exception()
            patience = patience_after(clock() - began, patience)
            await asyncio.sleep(delay)
            delay = min(2 * delay, RETRY_SECONDS_MAX)
            self.reconnects += 1

    async def _serve(self, socket: Socket) -> None:
        """Serve one connection until it is lost, even in the middle of the greeting."""
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

    async def _hello(self) -> Any:
        who = {"token": self.token} if self.token else {"nickname": self.nickname}
        fields = {**who, "language": self.language, "device": self.environment.device(self.urls[0])}
        try:
            return await self._ask("HELLO", fields)
        except RefusedError as refused:
            if refused.code != "BAD_TOKEN" or not self._next_token:
                raise
        # The token was replaced, and the answer was lost.
        self.token, self._next_token = self._next_token, ""
        return await self._ask("HELLO", {**fields, "token": self.token})

    async def _greet(self) -> None:
        welcome = await self._hello()
        if not isinstance(welcome.get("playerId"), str):
            raise ConnectionError(f"{self.url} does not answer as a card room does: it names no playerId")
        self.player_id = welcome["playerId"]
        self.token = welcome.get("token", self.token)
        for node in welcome.get("nodes", ()):
            url = f"{node.replace('http', 'ws', 1)}/ws"
            if url not in self.urls:
                self.urls.append(url)
        for code, handle in list(self.rooms.items()):
            self._lose_sight(handle)
            try:
                await self._ask("ROOM_WATCH", {"roomCode": code, "knownVersion": handle.version})
            except RefusedError as refused:
                if refused.code in PASSING:
                    raise
                # No longer a member: there is nothing to resume.
                del self.rooms[code]
        self._ready.set()
        for decided in self._admissions.values():
            # Only asking again tells what was decided meanwhile.
            if not decided.done():
                decided.set_result(None)

    async def _read(self, socket: Socket) -> None:
        async for text in socket:
            if self._hears is not None and isinstance(text, str):
                self._hears(text)
            frame = read_frame(text)
            future = self._waiting.get(frame.get("requestId", ""))
            if future is not None and not future.done():
                if frame["type"] == "ERROR":
                    future.set_exception(RefusedError(frame["code"], frame["message"], frame["facts"]))
                else:
                    future.set_result(frame)
            elif frame["type"] == "ROOM_STATE":
                await self._take(frame)
            elif frame["type"] in DECIDED and frame.get("roomCode") in self._admissions:
                self._decided(self._admissions[frame["roomCode"]], frame)
            elif frame["type"] == SKIPPED:
                if (behind := self.rooms.get(str(frame.get("roomCode")))) is not None:
                    behind.checker.lose_sight()
            elif frame["type"] == MALFORMED:
                await self._malformed(frame)
            elif frame["type"] in self.hearers:
                self.hearers[frame["type"]](frame)
            else:
                self.said.put_nowait(frame)

    def _decided(self, waiting: asyncio.Future[None], frame: dict[str, Any]) -> None:
        """The host has admitted this player, or refused."""
        if waiting.done():
            return
        if frame["type"] == "ROOM_CLOSED":
            waiting.set_exception(RefusedError(str(frame.get("code")), "not let in", {}))
        else:
            waiting.set_result(None)

    async def _malformed(self, frame: dict[str, Any]) -> None:
        """Raise an alarm in every room: no honest server sends this."""
        for handle in self.rooms.values():
            handle.guard.alarm(DealFault.STATE_MALFORMED, fault=frame["fault"])
            await handle.hold(frame)

    async def _take(self, frame: dict[str, Any]) -> None:
        """Check a new state before it is shown. After an alarm, show nothing until the player has decided."""
        handle = self.handle(frame["public"]["roomCode"])
        if handle.bridging is not None:
            handle.bridging.append(frame)
            return
        try:
            await self._check(handle, frame)
        except OSError as error:
            await self._forgetful(handle, error)
        except CHOKING as error:
            # No honest server sends what cannot be stored or shown.
            handle.guard.alarm(DealFault.STATE_MALFORMED, fault=f"{type(error).__name__}: {error}"[:200])
            await handle.hold({})

    async def _check(self, handle: RoomHandle, frame: dict[str, Any]) -> None:
        if handle.alarms or (handle.begins_anew and frame.get("whole") is not True):
            handle.guard.set_aside(frame)
            self._decline(handle, frame)
            return
        handle.begins_anew = False
        seen = handle.guard.see(frame)
        if seen.alarms:
            await handle.hold(frame)
            self._decline(handle, frame)
        elif seen.gap is not None:
            handle.bridging = [frame]
            self._do(self._bridge(handle, seen.gap))
        else:
            await handle.show(frame, seen)
            if self._shows is not None:
                self._shows(handle.shown[-1])
            if seen.cut is not None and self._cuts:
                self.cut(handle, seen.cut)
            if handle.alarms:
                await handle.hold(frame)
            else:
                self._keep_promising(handle)

    def _lose_sight(self, handle: RoomHandle) -> None:
        """Note that the connection was lost, so the next states continue something that was not seen. States that wait
        to be checked were seen."""
        if handle.bridging is None:
            handle.checker.lose_sight()
        else:
            handle.bridging.append(None)

    async def _bridge(self, handle: RoomHandle, gap: tuple[int, int]) -> None:
        """Ask for the deals that this client missed, then go on with the states received meanwhile."""
        first, last = gap
        missed: list[Any] = []
        tries = 0
        with suppress(TimeoutError, LookupError, TypeError):
            while first <= last and tries < BRIDGE_TRIES_MAX:
                try:
                    answer = await self.request("DEAL_HISTORY", roomCode=handle.code, first=first)
                except RefusedError as refused:
                    if refused.code in GONE:
                        # The player has left: states that still wait belong to a room that is no longer theirs.
                        handle.bridging = None
                        handle.checker.lose_sight()
                        return
                    tries += 1 if refused.code in PASSING else BRIDGE_TRIES_MAX
                    await asyncio.sleep(RETRY_SECONDS_FIRST * 2**tries)
                    continue
                deals = answer["deals"][: last - first + 1]
                missed += deals
                first += len(deals)
                if not deals:
                    break
        waiting, handle.bridging = handle.bridging or [], None
        handle.guard.bridge(missed, last)
        for frame in waiting:
            if frame is None:
                self._lose_sight(handle)
            else:
                await self._take(frame)
        if handle.alarms:
            await handle.hold(waiting[0] or {})

    def _decline(self, handle: RoomHandle, frame: Mapping[str, Any]) -> None:
        """After an alarm, tell the room that this client does not cut, so that the others need not wait; unless the
        promise listed for this seat may be another device's."""
        public = frame.get("public")
        waits_for, deal = (public.get("waitsFor"), public.get("deal")) if isinstance(public, dict) else (None, None)
        elsewhere = all(found.code in OF_ANOTHER_DEVICE for found in handle.alarms)
        if elsewhere or not isinstance(waits_for, list) or type(deal) is not int:
            return
        if handle.seat not in waits_for or deal in handle.answered:
            return
        handle.answered.add(deal)
        self._do(self._quietly(handle, lambda: handle.command("DEAL_DECLINE", deal=deal)))

    def cut(self, handle: RoomHandle, wanted: CutWanted) -> None:
        """Cut a deal that passed the checks, once."""
        if wanted.deal in handle.answered:
            return
        value = handle.guard.cut(wanted)
        if value is not None:
            handle.answered.add(wanted.deal)
            self._do(self._quietly(handle, lambda: self._cut(handle, wanted.deal, value)))
        else:
            self._decline(handle, handle.state)

    async def _cut(self, handle: RoomHandle, deal: int, value: str) -> None:
        await handle.command("DEAL_CUT", deal=deal, value=value, promise=handle.guard.promise())
        if handle.bridging is None:
            # A state that waits to be checked may say that the deal is void.
            handle.guard.acknowledge(deal)

    def _keep_promising(self, handle: RoomHandle) -> None:
        """Make sure that the room has a promise for the next deal, and any cut that this player owes."""
        member = handle.member
        if not self._cuts or handle.promising or member is None or member["seat"] is None or member["away"]:
            return
        owes = member["owes"]
        if owes is not None:
            if owes not in handle.unpayable:
                handle.promising = True
                self._do(self._promising(handle, lambda: self._pay(handle, owes)))
        elif not member["promised"] and member["seat"] not in handle.state["public"]["waitsFor"]:
            handle.promising = True
            self._do(self._promising(handle, lambda: self._promise(handle)))

    async def _promise(self, handle: RoomHandle) -> None:
        await handle.command("DEAL_PROMISE", promise=handle.guard.promise())

    async def _pay(self, handle: RoomHandle, deal: int) -> None:
        """Give the cut that is owed, so that everybody can compute what was avoided."""
        answer = await self.request("DEAL_HISTORY", roomCode=handle.code, first=deal)
        value = handle.guard.owed(deal, answer.get("deals"))
        if value is not None:
            await handle.command("DEAL_CUT", deal=deal, value=value, promise=handle.guard.promise())
            return
        handle.unpayable.add(deal)
        if handle.alarms:
            await handle.hold(handle.state)

    async def _promising(self, handle: RoomHandle, chore: Callable[[], Awaitable[Any]]) -> None:
        await self._quietly(handle, chore)
        handle.promising = False

    async def _quietly(self, handle: RoomHandle, chore: Callable[[], Awaitable[Any]]) -> None:
        """Send a cut or a promise. One that comes too late is refused; the next state says what happened to it."""
        try:
            with suppress(RefusedError, TimeoutError, AlarmError):
                await chore()
        except OSError as error:
            await self._forgetful(handle, error)

    async def _forgetful(self, handle: RoomHandle, error: OSError) -> None:
        """Record that a cut could not be stored. Such a cut is not given."""
        handle.checker.alarm(DealFault.NOT_REMEMBERED, fault=str(error)[:200])
        await handle.hold(handle.state)

    def _do(self, chore: Any) -> None:
        task = asyncio.create_task(chore)
        self._chores[task] = None
        task.add_done_callback(lambda done: self._chores.pop(done, None))

    def handle(self, code: str) -> RoomHandle:
        """The handle of a room."""
        known = self.rooms.get(code)
        if known is None:
            known = self.rooms[code] = RoomHandle(self, code)
            known.guard.remembered = self._remembered.pop(code, None)
        return known

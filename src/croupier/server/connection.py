"""One WebSocket connection: reads requests one at a time, answers each, and sends the broadcasts of its rooms."""

import asyncio
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from croupier import locales
from croupier.game.refusal import Refusal
from croupier.server.classroom_seat import ClassroomSeat
from croupier.server.limits import FRAME_BYTES_MAX, Address, Bucket, Rate
from croupier.server.offered_games import GameNotOfferedError
from croupier.server.origins import Whereabouts
from croupier.server.replays import BusyError
from croupier.server.request_id import request_id_in
from croupier.server.room import RoomActor
from croupier.server.router import Give, Router
from croupier.server.services import log
from croupier.server.turned_away import Reason
from croupier.server.websocket import DirectSocket
from croupier.server.workers.line import Handed
from croupier.store.port import Person, StoreError
from croupier.table.codes import RoomCode
from croupier.wire.frames import Answer, Error
from croupier.wire.room import GameRequest, StatesSkipped

CLOSE_IDLE: Final = 4000
CLOSE_SIGNED_OUT: Final = 4001
"""The token of this connection is worthless: its person signed out everywhere."""
CLOSE_TOO_SLOW: Final = 4008
"""The client fell behind; it may come back and resume."""
CLOSE_TOO_MANY: Final = 4013
CLOSE_TOO_FAST: Final = 4029
CLOSE_TOO_BIG: Final = 1009
CLOSE_CUT_OFF: Final = 4503
"""This node cannot reach the store; another one may."""
_REASONS: Final[dict[int, Reason]] = {
    CLOSE_IDLE: "idle",
    CLOSE_TOO_SLOW: "reads_too_slowly",
    CLOSE_TOO_MANY: "address_full",
    CLOSE_TOO_FAST: "sends_too_fast",
    CLOSE_TOO_BIG: "frame_too_big",
}
REQUESTS_WAITING_MAX: Final = 16
"""How many requests of one client are read ahead while one is answered; the rest stays with the system."""

_encode = msgspec.json.Encoder().encode


class Connection:
    """A connection and its person."""

    def __init__(self, socket: DirectSocket, router: Router, address: Address) -> None:
        self.address = address
        self.whoever: Person | None = None
        self.language = router.language
        self.rooms: dict[str, RoomActor] = {}
        self.waiting_for: dict[str, RoomActor] = {}
        """Rooms whose host must let this person in."""
        self.device = ""
        self.classroom: ClassroomSeat | None = None
        self.room_code = ""
        """The room that was entered last; requests that name no room go there."""
        self._socket = socket
        self._router = router
        # Lists, because nearly always they are empty, and there are two for every connection: an empty deque takes 760
        # bytes.
        self._waiting: list[str | None] = []
        """Requests that came while another was answered."""
        self._busy = False
        self._task: asyncio.Task[None] | None = None
        self._outbox: list[tuple[bytes, bool]] = []
        """Frames that the socket could not take, and of each whether it is an answer: those are never dropped."""
        self._held_bytes = 0
        self._behind = False
        self._missed = 0
        self._lags = 0
        self._over_rate = 0
        self._close_code: int | None = None
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        limits = router.limits
        self._monotonic = router.services.monotonic
        self._began = self._heard = self._monotonic()
        self._rate = Rate.of_messages(limits, address, self._monotonic)
        self.chats = Bucket.full(limits.chats_per_second, limits.chats_burst, self._began)

    @property
    def person(self) -> str:
        return self.whoever.id if self.whoever is not None else ""

    @property
    def place(self) -> Whereabouts:
        """Where this connection comes from."""
        return Whereabouts(self.address.network, self.device)

    @property
    def frames_held(self) -> int:
        """How many frames wait until the client reads."""
        return len(self._outbox)

    def take(self, handed: Handed) -> None:
        """Take over a connection from another process. Requests made there are answered once this one serves."""
        self.whoever, self.language, self.room_code = handed.person, handed.language, handed.room_code
        self.device = handed.device
        self._rate.own.tokens, self.chats.tokens = handed.message_tokens, handed.chat_tokens
        self._waiting += handed.requests
        self._busy = True

    async def serve(self, rooms: Sequence[tuple[str, int]] = ()) -> None:
        """Serve until the client disconnects or is closed. `rooms` are the rooms heard already, with the version known
        of each."""
        self._socket.take_over(self)
        self._patience = asyncio.get_running_loop().call_later(self._patience_seconds(), self._look_for_life)
        try:
            for code, version in rooms:
                await self._router.hear_again(self, code, version)
            self._busy = False
            self._read_next()
            await self._ended
        finally:
            self._patience.cancel()
            if self._task is not None:
                self._task.cancel()
            for room in (*self.rooms.values(), *self.waiting_for.values()):
                room.detach(self)
            for code in tuple(self.rooms):
                self.forget(code)
            self._router.casino.detach(self)
            if self.classroom is not None:
                await self.classroom.lose()

    def may_hear(self, code: str) -> bool:
        """Whether the room would not be one too many for this address."""
        heard = self.address.rooms
        return code in heard or len(heard) < self._router.limits.rooms_per_address_max

    def hear(self, actor: RoomActor) -> None:
        """Count a room among those that are heard here."""
        code = actor.room.code
        if code not in self.rooms:
            self.address.rooms[code] += 1
        self.rooms[code] = actor

    def forget(self, code: str) -> None:
        """Hear a room no longer."""
        if self.rooms.pop(code, None) is not None:
            self.address.rooms[code] -= 1
            if not self.address.rooms[code]:
                del self.address.rooms[code]

    def send(self, frame: bytes) -> None:
        """Send a frame. A slow client gets every answer but only the newest state, and is dropped in the end."""
        if self._close_code is not None:
            return
        if self._outbox or self._behind or self._socket.is_clogged:
            self._hold(frame, is_answer=False)
        else:
            self._socket.write(frame)

    def answer(self, answer: Answer) -> None:
        """Send an answer, after everything sent before."""
        if self._close_code is not None:
            return
        if self._outbox or self._socket.is_clogged:
            self._hold(_encode(answer), is_answer=True)
        else:
            self._socket.write(_encode(answer))

    def refuse(self, refusal: Refusal, request_id: str = "") -> None:
        """Send the reason for a refusal, in the caller's language."""
        self._router.services.metrics.refusals[refusal.code] += 1
        message = locales.refusal_text(self.language, refusal)
        asked = request_id or msgspec.UNSET
        self.answer(Error(request_id=asked, code=refusal.code, message=message, facts=refusal.facts))

    def close(self, code: int) -> None:
        """End the connection. Of several reasons, the first counts."""
        if self._close_code is None:
            self._close_code = code
            if code in _REASONS:
                self._router.services.turned_away.note(_REASONS[code], self.address.network)
            self._socket.end(code)
            self.lost()

    def lost(self) -> None:
        """The client has disconnected: drop the requests that were not begun."""
        self._waiting.clear()
        if not self._ended.done():
            self._ended.set_result(None)

    def received(self, text: str | None) -> None:
        """A message came: a request, or None for what is not text. Requests are answered one at a time, in order."""
        self._heard = self._monotonic()
        self._waiting.append(text)
        self._read_next()

    def counted(self) -> None:
        """A ping, or a part of a message: there is no request to refuse, but too many of them end the connection."""
        if not self._rate.allows():
            self._exceed_rate()

    def drained(self) -> None:
        """The client reads again: send the held frames, then the newest states in place of those left out."""
        while self._outbox and not self._socket.is_clogged:
            frame = self._outbox.pop(0)[0]
            self._held_bytes -= len(frame)
            self._socket.write(frame)
        if not self._outbox and self._behind and not self._socket.is_clogged:
            self._behind = False
            for code, room in self.rooms.items():
                self._socket.write(_encode(StatesSkipped(room_code=code)))
                room.refresh(self)
            self._router.casino.refresh(self)
        self._read_next()

    def _hold(self, frame: bytes, is_answer: bool) -> None:
        limits = self._router.limits
        most = limits.outbox_frames_max
        is_full = len(self._outbox) >= most or self._held_bytes + len(frame) > limits.outbox_bytes_max
        if is_full and not self._behind:
            self._outbox = [held for held in self._outbox if held[1]]
            self._held_bytes = sum(len(held) for held, _ in self._outbox)
            self._behind = True
            self._lag()
        if is_answer or not self._behind:
            self._outbox.append((frame, is_answer))
            self._held_bytes += len(frame)
        else:
            self._missed += 1
            if self._missed % most == 0:
                self._lag()

    def _lag(self) -> None:
        self._lags += 1
        if self._lags > self._router.limits.lags_max:
            self.close(CLOSE_TOO_SLOW)

    def _read_next(self) -> None:
        """Begin requests until one must be waited for. Stop reading from a client that does not read its answers, or
        asks faster than it is answered."""
        while self._waiting and not self._busy and self._close_code is None and self._may_answer():
            text = self._waiting.pop(0)
            try:
                self._begin(text)
            except Exception:
                self._fail(request_id_in(text))
        if len(self._waiting) >= REQUESTS_WAITING_MAX or not self._may_answer():
            self._socket.pause_reading()
        else:
            self._socket.resume_reading()

    def _may_answer(self) -> bool:
        return len(self._outbox) <= self._router.limits.outbox_frames_max // 2

    def _begin(self, text: str | None) -> None:
        if not self._rate.allows():
            self._refuse_rate(text)
        elif text is None:
            self.refuse(Refusal(RoomCode.BAD_MESSAGE, {"path": "$", "fault": "text frames only"}))
        elif len(text) > FRAME_BYTES_MAX or (not text.isascii() and len(text.encode()) > FRAME_BYTES_MAX):
            self.close(CLOSE_TOO_BIG)
        else:
            request = self._router.read(self, text)
            if isinstance(request, GameRequest):
                self._busy = True
                self._router.play(self, request, self._free)
            elif request is not None:
                self._busy = True
                if self._router.elsewhere(self, request) is None:
                    self._task = asyncio.create_task(self._handle(request))
                else:
                    # First cut all bytes received with it into requests, so that they are handed over, too.
                    asyncio.get_running_loop().call_soon(self._leave, request, text)

    def _free(self) -> None:
        self._busy = False
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._read_next)

    def _leave(self, request: Any, text: str) -> None:
        """Hand the connection to the process that serves the request; keep it if that process cannot take it."""
        if self._ended.done():
            return
        give = self._router.elsewhere(self, request)
        if give is None or not self._hand_over(give, text):
            self._task = asyncio.create_task(self._handle(request))

    def go_home(self) -> None:
        """Hand the connection to the home process of all rooms heard here, if they have one in common."""
        homes = {self._router.home(code) for code in self.rooms}
        if len(homes) == 1 and not self._busy and not self.waiting_for and self.classroom is None:
            give = homes.pop()
            if give is not None:
                self._hand_over(give)

    def _hand_over(self, give: Give, *requests: str) -> bool:
        """Hand the connection to another process, with these requests ahead of those that wait. False if it stays."""

        def hand(descriptor: int, partial: bytes) -> bool:
            assert self.whoever is not None
            handed = Handed(
                network=self.address.network,
                person=self.whoever,
                device=self.device,
                language=self.language,
                rooms=tuple((code, actor.version) for code, actor in self.rooms.items()),
                room_code=self.room_code,
                requests=(*requests, *self._waiting),
                partial=partial,
                message_tokens=self._rate.own.tokens,
                chat_tokens=self.chats.tokens,
            )
            return give(handed, descriptor)

        if self._outbox or self._behind or not self._socket.hand_over(hand):
            return False
        self.lost()
        return True

    async def _handle(self, request: Any) -> None:
        try:
            await self._router.handle(self, request)
        except BusyError:
            self.refuse(Refusal(RoomCode.BUSY), request.request_id)
        except GameNotOfferedError as error:
            self.refuse(error.refusal, request.request_id)
        except StoreError as error:
            log.error("a request cannot be answered: %s", error)
            self.refuse(Refusal(RoomCode.STORE_FAILED), request.request_id)
        except Exception:
            self._fail(request.request_id)
        self._task = None
        self._free()

    def _fail(self, request_id: str) -> None:
        """A bug: tell the client, and take the next request."""
        log.exception("a request failed")
        self._busy = False
        self.refuse(Refusal(RoomCode.FAILED), request_id)

    def _refuse_rate(self, text: str | None) -> None:
        self._exceed_rate()
        if self._close_code is None:
            per_second = max(1, int(self._router.limits.messages_per_second))
            self.refuse(Refusal(RoomCode.RATE_LIMITED, {"perSecond": per_second}), request_id_in(text))

    def _exceed_rate(self) -> None:
        self._over_rate += 1
        if self._over_rate > self._router.limits.over_rate_closes_after:
            self.close(CLOSE_TOO_FAST)

    def _patience_seconds(self) -> float:
        """How long the client may be silent: only briefly before it has greeted."""
        limits = self._router.limits
        until = self._heard + limits.idle_seconds
        if self.whoever is None:
            until = min(until, self._began + limits.hello_seconds)
        return until - self._monotonic()

    def _look_for_life(self) -> None:
        left_seconds = self._patience_seconds()
        if left_seconds <= 0 and not self._busy:
            self.close(CLOSE_IDLE)
        else:
            self._patience = asyncio.get_running_loop().call_later(max(left_seconds, 1.0), self._look_for_life)

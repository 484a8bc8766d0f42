"""One WebSocket connection: reads requests one at a time, answers each, and sends what its rooms tell."""

import asyncio
import time
from collections import deque
from typing import Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from croupier import locales
from croupier.rules.refusal import Refusal
from croupier.server.classroom_seat import ClassroomSeat
from croupier.server.desk import Desk
from croupier.server.house import log
from croupier.server.limits import FRAME_BYTES_MAX, Address, Bucket
from croupier.server.room import RoomActor
from croupier.store.port import Person
from croupier.table.codes import RoomCode
from croupier.wire.frames import Answer, Error

CLOSE_IDLE: Final = 4000
CLOSE_TOO_SLOW: Final = 4008
"""The client fell behind; it may come back and resume."""
CLOSE_TOO_MANY: Final = 4013
CLOSE_TOO_FAST: Final = 4029
CLOSE_TOO_BIG: Final = 1009
CLOSING_SECONDS_MAX: Final = 2.0
"""How long a client that is closed may take to hear of it."""

_encode = msgspec.json.Encoder().encode


class _Answered(bytes):
    """A frame that answers a request: it is never dropped."""


class Connection:
    """A connection and who is behind it."""

    def __init__(self, socket: WebSocket, desk: Desk, address: Address) -> None:
        self.address = address
        self.whoever: Person | None = None
        self.language = desk.language
        self.rooms: dict[str, RoomActor] = {}
        self.classroom: ClassroomSeat | None = None
        self.room_code = ""
        """The room that was entered last: where a request without a room goes."""
        self._socket = socket
        self._desk = desk
        self._outbox: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._sent = asyncio.Event()
        self._lags = 0
        self._behind = False
        self._close_code: int | None = None
        self._closing = asyncio.Event()
        limits = desk.limits
        now = time.monotonic()
        self._hello_until = now + limits.hello_seconds
        self._messages = Bucket.full(limits.messages_per_second, limits.messages_burst, now)
        self.chats = Bucket.full(limits.chats_per_second, limits.chats_burst, now)
        self._over_rate = 0

    @property
    def person(self) -> str:
        return self.whoever.id if self.whoever is not None else ""

    def send(self, frame: bytes) -> None:
        """Queues a frame. Who falls behind gets the newest state instead of all that was missed, but every answer; and
        is dropped at last."""
        if len(self._outbox) >= self._desk.limits.outbox_frames_max:
            self._outbox = deque(waiting for waiting in self._outbox if isinstance(waiting, _Answered))
            self._behind = True
            self._lags += 1
            if self._lags > self._desk.limits.lags_max:
                self.close(CLOSE_TOO_SLOW)
        if not self._behind or isinstance(frame, _Answered):
            self._outbox.append(frame)
        self._wake.set()

    def answer(self, answer: Answer) -> None:
        self.send(_Answered(_encode(answer)))

    def refuse(self, refusal: Refusal, request_id: str = "") -> None:
        """Tells why a request is refused, in the caller's language."""
        self._desk.house.figures.refusals.labels(refusal.code).inc()
        message = locales.text(self.language, f"code.{refusal.code}", **refusal.facts)
        asked = request_id or msgspec.UNSET
        self.answer(Error(request_id=asked, code=refusal.code, message=message, facts=refusal.facts))

    def close(self, code: int) -> None:
        """Ends the connection; of several reasons the first counts."""
        if self._close_code is None:
            self._close_code = code
            self._wake.set()
            self._closing.set()

    async def serve(self) -> None:
        """Reads until the client goes or is closed."""
        writer = asyncio.create_task(self._write())
        reader = asyncio.create_task(self._read())
        closing = asyncio.create_task(self._closing.wait())
        try:
            await asyncio.wait((writer, reader, closing), return_when=asyncio.FIRST_COMPLETED)
            if self._close_code is not None:
                await asyncio.wait((writer,), timeout=CLOSING_SECONDS_MAX)
        finally:
            for task in (reader, writer, closing):
                task.cancel()
            await asyncio.gather(reader, writer, closing, return_exceptions=True)
            for room in self.rooms.values():
                room.detach(self)
            if self.classroom is not None:
                await self.classroom.lose()

    async def _read(self) -> None:
        try:
            while self._close_code is None:
                await self._sent_enough()
                async with asyncio.timeout(self._patience_seconds()):
                    message = await self._socket.receive()
                if message["type"] == "websocket.disconnect":
                    return
                text = message.get("text")
                now = time.monotonic()
                if not (self._messages.take(now) and self.address.messages.take(now)):
                    self._refuse_rate()
                elif text is None:
                    self.refuse(Refusal(RoomCode.BAD_MESSAGE, {"path": "$", "fault": "text frames only"}))
                elif len(text) > FRAME_BYTES_MAX or len(text.encode()) > FRAME_BYTES_MAX:
                    self.close(CLOSE_TOO_BIG)
                else:
                    await self._handle(text)
        except TimeoutError:
            self.close(CLOSE_IDLE)
        except WebSocketDisconnect:
            return

    def _patience_seconds(self) -> float:
        idle_seconds = self._desk.limits.idle_seconds
        return idle_seconds if self.whoever is not None else min(idle_seconds, self._hello_until - time.monotonic())

    async def _sent_enough(self) -> None:
        """Reads no more of a client that does not read its answers: they would have to be dropped."""
        while len(self._outbox) > self._desk.limits.outbox_frames_max // 2:
            self._sent.clear()
            await self._sent.wait()

    def _refuse_rate(self) -> None:
        self._over_rate += 1
        if self._over_rate > self._desk.limits.over_rate_closes_after:
            self.close(CLOSE_TOO_FAST)
        else:
            self.refuse(Refusal(RoomCode.RATE_LIMITED, {"perSecond": int(self._desk.limits.messages_per_second)}))

    async def _handle(self, text: str) -> None:
        try:
            await self._desk.handle(self, text)
        except Exception:
            log.exception("a request failed")
            self.refuse(Refusal(RoomCode.FAILED))

    async def _write(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._outbox and self._close_code is None:
                await self._socket.send_text(self._outbox.popleft().decode())
                self._sent.set()
            if self._close_code is not None:
                await self._socket.close(self._close_code)
                return
            if self._behind:
                self._behind = False
                for room in self.rooms.values():
                    room.refresh(self)

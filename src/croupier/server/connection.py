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
from croupier.server.limits import FRAME_BYTES_MAX, Bucket
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

_encode = msgspec.json.Encoder().encode


class Connection:
    """A connection and who is behind it."""

    def __init__(self, socket: WebSocket, desk: Desk, address: str) -> None:
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
        self._lags = 0
        self._behind = False
        self._close_code: int | None = None
        limits = desk.limits
        now = time.monotonic()
        self._messages = Bucket.full(limits.messages_per_second, limits.messages_burst, now)
        self.chats = Bucket.full(limits.chats_per_second, limits.chats_burst, now)
        self._over_rate = 0

    @property
    def person(self) -> str:
        return self.whoever.id if self.whoever is not None else ""

    def send(self, frame: bytes) -> None:
        """Queues a frame. Who falls behind gets the newest state instead of all that was missed, and is dropped at
        last."""
        if len(self._outbox) >= self._desk.limits.outbox_frames_max:
            self._outbox.clear()
            self._behind = True
            self._lags += 1
            if self._lags > self._desk.limits.lags_max:
                self.close(CLOSE_TOO_SLOW)
        if not self._behind:
            self._outbox.append(frame)
        self._wake.set()

    def answer(self, answer: Answer) -> None:
        self.send(_encode(answer))

    def refuse(self, refusal: Refusal, request_id: str = "") -> None:
        """Tells why a request is refused, in the caller's language."""
        message = locales.text(self.language, f"code.{refusal.code}", **refusal.facts)
        asked = request_id or msgspec.UNSET
        self.answer(Error(request_id=asked, code=refusal.code, message=message, facts=refusal.facts))

    def close(self, code: int) -> None:
        self._close_code = code
        self._wake.set()

    async def serve(self) -> None:
        """Reads until the client goes or is closed."""
        writer = asyncio.create_task(self._write())
        reader = asyncio.create_task(self._read())
        try:
            await asyncio.wait((writer, reader), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (reader, writer):
                task.cancel()
            await asyncio.gather(reader, writer, return_exceptions=True)
            for room in self.rooms.values():
                room.detach(self)
            if self.classroom is not None:
                await self.classroom.lose()

    async def _read(self) -> None:
        try:
            while True:
                async with asyncio.timeout(self._desk.limits.idle_seconds):
                    message = await self._socket.receive()
                if message["type"] == "websocket.disconnect":
                    return
                text = message.get("text")
                if text is None:
                    self.refuse(Refusal(RoomCode.BAD_MESSAGE, {"path": "$", "fault": "text frames only"}))
                elif len(text) > FRAME_BYTES_MAX or len(text.encode("utf-8", "replace")) > FRAME_BYTES_MAX:
                    self.close(CLOSE_TOO_BIG)
                    return
                elif self._messages.take(time.monotonic()):
                    await self._handle(text)
                else:
                    self._refuse_rate()
        except TimeoutError:
            self.close(CLOSE_IDLE)
        except WebSocketDisconnect:
            return

    def _refuse_rate(self) -> None:
        self._over_rate += 1
        self._desk.house.figures.refusals.labels(RoomCode.RATE_LIMITED).inc()
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
            if self._close_code is not None:
                await self._socket.close(self._close_code)
                return
            if self._behind:
                self._behind = False
                for room in self.rooms.values():
                    room.refresh(self)

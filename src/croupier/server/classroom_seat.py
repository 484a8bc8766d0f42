"""One WebSocket connection at the classroom table."""

import secrets
from collections.abc import Callable
from typing import Protocol

from croupier import locales
from croupier.game.refusal import Refusal
from croupier.games.blackjack.classroom import ClassroomEvent, ClassroomView, Notice, StateChanged
from croupier.server.classroom import PLACES_MAX, ClassroomTable, NotKeptError, TableClosedError
from croupier.table.codes import RoomCode
from croupier.wire.classroom import (
    ClassroomDone,
    ClassroomHit,
    ClassroomJoin,
    ClassroomLeave,
    ClassroomNotice,
    ClassroomRequest,
    ClassroomShown,
    ClassroomStand,
    ClassroomStart,
    ClassroomWatch,
    options_of,
)
from croupier.wire.frames import Answer


class Teller(Protocol):
    """The connection behind the seat."""

    language: str

    def answer(self, answer: Answer) -> None: ...


class ClassroomSeat:
    """Hears the table from its first request on. Losing the connection is leaving."""

    def __init__(self, table: ClassroomTable, teller: Teller) -> None:
        self._table = table
        self._teller = teller
        self._options = options_of(table.classroom)
        self._id = secrets.token_hex(8)
        self._unlisten: Callable[[], None] | None = None

    async def handle(self, request: ClassroomRequest) -> Refusal | None:
        """Does what is asked; the answer comes after what everybody is told."""
        if not self._is_at_table():
            return Refusal(RoomCode.ROOM_FULL, {"high": PLACES_MAX})
        try:
            refusal = await self._do(request)
        except (NotKeptError, TableClosedError):
            return Refusal(RoomCode.STORE_FAILED)
        if refusal is None:
            self._teller.answer(ClassroomDone(request_id=request.request_id, player_id=self._id))
        return refusal

    async def _do(self, request: ClassroomRequest) -> Refusal | None:
        match request:
            case ClassroomWatch():
                self._show(self._table.view)
                return None
            case ClassroomJoin():
                return await self._table.join(self._id, request.name, request.dealer_key)
            case ClassroomStart():
                return await self._table.start(self._id)
            case ClassroomHit():
                return await self._table.hit(self._id)
            case ClassroomStand():
                return await self._table.stand(self._id)
            case ClassroomLeave():
                return await self._table.leave(self._id)

    async def lose(self) -> None:
        """The connection is gone."""
        if self._unlisten is not None:
            self._unlisten()
            self._unlisten = None
            await self._table.lose(self._id)
            self._table.give_place_back()

    def _show(self, state: ClassroomView) -> None:
        self._teller.answer(ClassroomShown(state=state, options=self._options))

    def _is_at_table(self) -> bool:
        """Comes to the table with the first request; False when it is full."""
        if self._unlisten is None and self._table.take_place():
            self._unlisten = self._table.listen(self._hear)
        return self._unlisten is not None

    def _hear(self, event: ClassroomEvent) -> None:
        match event:
            case StateChanged(state):
                self._show(state)
            case Notice(code):
                message = locales.text(self._teller.language, f"code.{code}")
                self._teller.answer(ClassroomNotice(code=code, message=message))

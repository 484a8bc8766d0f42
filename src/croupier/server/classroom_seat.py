"""One WebSocket connection at the classroom table."""

import asyncio
import secrets
from collections.abc import Callable
from typing import Final, Protocol

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

RETURN_SECONDS: Final = 10.0
"""How long a place is kept for a lost connection, such as a reload of the page or a short loss of the network."""


class Absences:
    """Places of people who lost their connection, kept for them for a while. Only for WebSockets: on the hub, by the
    document's rule, losing the connection means leaving."""

    def __init__(self, table: ClassroomTable, seconds: float = RETURN_SECONDS) -> None:
        self._table = table
        self.seconds = seconds
        self._waiting: dict[str, tuple[str, asyncio.TimerHandle]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, person: str, place: str) -> None:
        """Keep the place of a person who lost the connection."""
        self._end(person)
        timer = asyncio.get_running_loop().call_later(self.seconds, self._end, person)
        self._waiting[person] = (place, timer)

    def come_back(self, person: str) -> str | None:
        """Give the person their place back, if one is kept."""
        waiting = self._waiting.pop(person, None)
        if waiting is None:
            return None
        waiting[1].cancel()
        return waiting[0]

    def _end(self, person: str) -> None:
        place = self.come_back(person)
        if place is not None:
            task = asyncio.ensure_future(self._leave(place))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _leave(self, place: str) -> None:
        await self._table.lose(place)
        self._table.give_place_back()


class Teller(Protocol):
    """The connection behind the seat."""

    language: str

    def answer(self, answer: Answer) -> None: ...


class ClassroomSeat:
    """Hears the table from its first request on. A player who loses the connection keeps their place for a while."""

    def __init__(self, table: ClassroomTable, teller: Teller, person: str, absences: Absences) -> None:
        self._table = table
        self._teller = teller
        self._person = person
        self._absences = absences
        self._options = options_of(table.classroom)
        self._id = secrets.token_hex(8)
        self._unlisten: Callable[[], None] | None = None

    async def handle(self, request: ClassroomRequest) -> Refusal | None:
        """Carry out a request. The answer follows the broadcast."""
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
        if self._unlisten is None:
            return
        self._unlisten()
        self._unlisten = None
        if any(player.player_id == self._id for player in self._table.view.players):
            self._absences.begin(self._person, self._id)
        else:
            self._table.give_place_back()

    def _show(self, state: ClassroomView) -> None:
        self._teller.answer(ClassroomShown(state=state, options=self._options))

    def _is_at_table(self) -> bool:
        """Comes to the table with the first request; False when it is full."""
        if self._unlisten is None:
            kept = self._absences.come_back(self._person)
            self._id = kept or self._id
            if kept is not None or self._table.take_place():
                self._unlisten = self._table.listen(self._hear)
        return self._unlisten is not None

    def _hear(self, event: ClassroomEvent) -> None:
        match event:
            case StateChanged(state):
                self._show(state)
            case Notice(code):
                message = locales.text(self._teller.language, f"code.{code}")
                self._teller.answer(ClassroomNotice(code=code, message=message))

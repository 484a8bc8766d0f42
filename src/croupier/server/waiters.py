"""Connections of people who wait until a room's host lets them in."""

from typing import Final

import msgspec

from croupier.game.refusal import Refusal
from croupier.server.broadcast import Listener
from croupier.server.origins import Whereabouts
from croupier.table.codes import RoomCode
from croupier.table.entry import must_wait
from croupier.table.room import Room
from croupier.wire.room import RoomAdmitted, RoomClosed

WAITERS_MAX: Final = 100
"""One person may have several."""

_encode = msgspec.json.Encoder().encode


class Waiters:
    """The people who wait on this node. They hear nothing of the room but whether they may come in."""

    def __init__(self) -> None:
        self._listeners: dict[Listener, None] = {}

    def __len__(self) -> int:
        return len(self._listeners)

    def add(self, listener: Listener) -> Refusal | None:
        if len(self._listeners) >= WAITERS_MAX and listener not in self._listeners:
            return Refusal(RoomCode.TOO_MANY_WAITING, {"high": WAITERS_MAX})
        self._listeners[listener] = None
        return None

    def forget(self, listener: Listener) -> None:
        self._listeners.pop(listener, None)

    def place_of(self, person: str) -> Whereabouts | None:
        return next((listener.place for listener in self._listeners if listener.person == person), None)

    def look_at(self, room: Room) -> None:
        """Tell the people who need not wait any longer: they may join, or they were refused."""
        if not self._listeners:
            return
        for listener in tuple(self._listeners):
            if room.waits(listener.person) and must_wait(room, listener.person) and not room.closed:
                continue
            del self._listeners[listener]
            if listener.person in room.banned:
                told: RoomClosed | RoomAdmitted = RoomClosed(room_code=room.code, code=RoomCode.KICKED)
            elif room.closed:
                told = RoomClosed(room_code=room.code, code=RoomCode.NO_SUCH_ROOM)
            elif must_wait(room, listener.person):
                told = RoomClosed(room_code=room.code, code="LEFT")
            else:
                told = RoomAdmitted(room_code=room.code)
            listener.send(_encode(told))

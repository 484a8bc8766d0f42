"""The listeners of a room, and what each of them is sent: never more than it may see."""

from collections import deque
from collections.abc import Iterator
from typing import Any, Final, Protocol

import msgspec

from croupier.game.game import Told
from croupier.server.origins import Whereabouts
from croupier.table.codes import RoomCode
from croupier.table.room import Room
from croupier.wire.room import RoomClosed
from croupier.wire.room_state import Sent, StateEncoder

STEPS_KEPT_MAX: Final = 32
"""How many steps are kept for a listener that comes back. If it missed more, it gets only the state."""

_encode = msgspec.json.Encoder().encode


class Listener(Protocol):
    """A connection that hears a room. `send` never waits: the connection handles a slow client."""

    @property
    def person(self) -> str: ...

    @property
    def place(self) -> Whereabouts | None: ...

    def send(self, frame: bytes) -> None: ...


class Broadcast:
    """The listeners of one room."""

    def __init__(self) -> None:
        self._listeners: dict[Listener, Sent] = {}
        self._steps: deque[tuple[int, tuple[Told[Any], ...]]] = deque(maxlen=STEPS_KEPT_MAX)
        self._states = StateEncoder()
        self._people: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self._listeners)

    @property
    def people(self) -> tuple[str, ...]:
        """The people who listen; the same object until somebody comes or goes."""
        return self._people

    def _count_people(self) -> None:
        self._people = tuple(sorted({listener.person for listener in self._listeners}))

    def place_of(self, person: str) -> Whereabouts | None:
        """Where a listening person connects from."""
        return next((listener.place for listener in self._listeners if listener.person == person), None)

    def attach(self, listener: Listener, room: Room, known_version: int) -> None:
        """Send the whole state, with the events since a version if they are still kept; from then on, every step."""
        sent = self._listeners[listener] = Sent()
        self._count_people()
        self._states.take(room, room.deadline_ms, tuple(self._since(known_version)))
        listener.send(self._states.encode(room.viewer(listener.person), sent))

    def _since(self, known_version: int) -> Iterator[Told[Any]]:
        if known_version and (not self._steps or self._steps[0][0] <= known_version + 1):
            for version, told in self._steps:
                if version > known_version:
                    yield from told

    def detach(self, listener: Listener) -> bool:
        """Whether it had been listening."""
        was_there = self._listeners.pop(listener, None) is not None
        self._count_people()
        return was_there

    def publish(self, room: Room, told: tuple[Told[Any], ...], deadline_ms: int | None) -> tuple[Listener, ...]:
        """Broadcast the room after a step. Return the listeners that were removed."""
        self._steps.append((room.version, told))
        if not self._listeners:
            return ()
        banned = self._send_away(room) if room.banned else ()
        self._states.take(room, deadline_ms, told)
        for listener, sent in tuple(self._listeners.items()):
            listener.send(self._states.encode(room.viewer(listener.person), sent))
        return banned

    def repeat(self, frame: bytes) -> None:
        """Send everybody the same frame."""
        for listener in tuple(self._listeners):
            listener.send(frame)

    def _send_away(self, room: Room) -> tuple[Listener, ...]:
        banned = tuple(listener for listener in self._listeners if listener.person in room.banned)
        for listener in banned:
            del self._listeners[listener]
            listener.send(_encode(RoomClosed(room_code=room.code, code=RoomCode.KICKED)))
        self._count_people()
        return banned

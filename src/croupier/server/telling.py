"""Who hears a room, and what each of them is sent: never more than their own eyes may see."""

from collections import deque
from collections.abc import Iterator
from typing import Any, Final, Protocol

import msgspec

from croupier.rules.game import DealtSet, Told, Viewer, numbers_in
from croupier.table.codes import RoomCode
from croupier.table.room import Room
from croupier.table.roomview import PublicPart, ViewerParts
from croupier.wire.room import RoomClosed

STEPS_KEPT_MAX: Final = 32
"""How many steps back somebody who comes back is told what happened; beyond that, the state alone."""

_encode = msgspec.json.Encoder().encode


class Listener(Protocol):
    """A connection that hears a room. `send` never waits: a slow one is the connection's own concern."""

    @property
    def person(self) -> str: ...

    def send(self, frame: bytes) -> None: ...


class _Heard:
    """What one listener has been sent of the present round: which cards' proofs."""

    __slots__ = ("cards", "hand")

    def __init__(self) -> None:
        self.hand = 0
        self.cards: DealtSet = 0


class Telling:
    """The listeners of one room. The public part of a state is encoded once, each viewer's part once a viewer."""

    def __init__(self) -> None:
        self._listeners: dict[Listener, _Heard] = {}
        self._steps: deque[tuple[int, tuple[Told[Any], ...]]] = deque(maxlen=STEPS_KEPT_MAX)
        self._public = PublicPart()

    def __len__(self) -> int:
        return len(self._listeners)

    @property
    def people(self) -> tuple[str, ...]:
        """Who listens."""
        return tuple(sorted({listener.person for listener in self._listeners}))

    def attach(self, listener: Listener, room: Room, known_version: int) -> None:
        """Sends the whole state, with what happened since a version if that is still known; from then on, all."""
        heard = self._listeners[listener] = _Heard()
        viewer = room.viewer(listener.person)
        shared = self._public.encode(room, room.deadline_ms)
        own = _own(ViewerParts(room), viewer, tuple(self._since(known_version)))
        listener.send(_frame(room, viewer, heard, shared, own))

    def _since(self, known_version: int) -> Iterator[Told[Any]]:
        if known_version and (not self._steps or self._steps[0][0] <= known_version + 1):
            for version, told in self._steps:
                if version > known_version:
                    yield from told

    def detach(self, listener: Listener) -> bool:
        """Whether it had been listening."""
        return self._listeners.pop(listener, None) is not None

    def publish(self, room: Room, told: tuple[Told[Any], ...], deadline_ms: int | None) -> tuple[Listener, ...]:
        """Sends everybody the room after a step. Who was sent away hears so, then nothing more, and is returned."""
        self._steps.append((room.version, told))
        if not self._listeners:
            return ()
        banned = self._send_away(room) if room.banned else ()
        shared = self._public.encode(room, deadline_ms)
        parts = ViewerParts(room)
        encoded: dict[Viewer, bytes] = {}
        for listener, heard in tuple(self._listeners.items()):
            viewer = room.viewer(listener.person)
            own = encoded.get(viewer)
            if own is None:
                own = encoded[viewer] = _own(parts, viewer, told)
            listener.send(_frame(room, viewer, heard, shared, own))
        return banned

    def repeat(self, frame: bytes) -> None:
        """Sends everybody the same."""
        for listener in tuple(self._listeners):
            listener.send(frame)

    def _send_away(self, room: Room) -> tuple[Listener, ...]:
        banned = tuple(listener for listener in self._listeners if listener.person in room.banned)
        for listener in banned:
            del self._listeners[listener]
            listener.send(_encode(RoomClosed(room_code=room.code, code=RoomCode.KICKED)))
        return banned


def _own(parts: ViewerParts, viewer: Viewer, told: tuple[Told[Any], ...]) -> bytes:
    """What everybody who looks with the same eyes gets."""
    heard = [each.event for each in told if each.to.hears(viewer)]
    return b'%b,"events":%b,"openings":' % (parts.encode(viewer), _encode(heard))


def _frame(room: Room, viewer: Viewer, heard: _Heard, shared: bytes, own: bytes) -> bytes:
    """A state for one listener, with the proofs of the cards that this one has not had yet."""
    tail = b',"whole":false}'
    if heard.hand != room.hand:
        heard.hand, heard.cards, tail = room.hand, 0, b',"whole":true}'
    known = room.known(viewer)
    fresh = known & ~heard.cards
    heard.cards |= known
    openings = b",".join([_opening(room, card) for card in numbers_in(fresh)])
    return b"".join((b'{"type":"ROOM_STATE","public":', shared, b',"you":', own, b"[", openings, b"]", tail))


def _opening(room: Room, card: int) -> bytes:
    """The JSON of a `CardOpening`. Whoever calls this answers for who sees it."""
    shuffle, k = room.drawn_from(card)
    return b'%b,"shuffle":%d}' % (room.packs[shuffle].opening_in_json(k)[:-1], shuffle)

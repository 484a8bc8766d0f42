"""Who hears a room, and what each of them is sent: never more than their own eyes may see."""

from collections import deque
from collections.abc import Iterator
from operator import is_not
from typing import Any, Final, Protocol

import msgspec

from croupier.game.game import DealtSet, Told, Viewer, numbers_in
from croupier.server.origins import Whereabouts
from croupier.table.codes import RoomCode
from croupier.table.deal_news import DealNews, news
from croupier.table.room import Room
from croupier.table.roomview import PublicPart, ViewerParts
from croupier.table.round import Move
from croupier.wire.room import RoomClosed

STEPS_KEPT_MAX: Final = 32
"""How many steps back somebody who comes back is told what happened; beyond that, the state alone."""

_encode = msgspec.json.Encoder().encode


class Listener(Protocol):
    """A connection that hears a room. `send` never waits: a slow one is the connection's own concern."""

    @property
    def person(self) -> str: ...

    @property
    def place(self) -> Whereabouts | None: ...

    def send(self, frame: bytes) -> None: ...


class _Heard:
    """What one listener has been sent of the present round: proofs of cards, moves, news of deals."""

    __slots__ = ("cards", "hand", "moves", "news")

    def __init__(self) -> None:
        self.hand = 0
        self.cards: DealtSet = 0
        self.moves = 0
        self.news = -1


class _Deals:
    """The moves and the deals' news of a room, encoded once for all listeners who were sent as much.

    Most steps are moves and bring no news of deals: as long as what these come from is the same objects as in the last
    step, the news are not made again."""

    def __init__(self) -> None:
        self._moves: tuple[Move, ...] = ()
        self._sources: tuple[object, ...] = (None, None, None)
        self._news: tuple[tuple[int, DealNews], ...] = ()
        self._newest = -1
        self._encoded: dict[tuple[int, int], bytes] = {}

    def go_on(self, room: Room) -> None:
        """What is encoded from now on is of this state of the room."""
        played = room.round
        sources = room.dealt, room.cutting, None if played is None else played.over
        if any(map(is_not, sources, self._sources)):
            self._sources, self._news = sources, news(room)
            self._newest = self._news[-1][0] if self._news else -1
        self._moves = () if played is None else played.moves
        self._encoded.clear()

    def encode(self, heard: _Heard) -> bytes:
        """What this listener has not had yet; from now on it has."""
        have = heard.moves, heard.news
        made = self._encoded.get(have)
        if made is None:
            fresh = [told for key, told in self._news if key > heard.news] if self._newest > heard.news else ()
            made = b',"moves":%b,"deals":%b' % (_encode(self._moves[heard.moves :]), _encode(fresh))
            self._encoded[have] = made
        heard.moves = len(self._moves)
        heard.news = self._newest if self._news else heard.news
        return made


class Telling:
    """The listeners of one room. The public part of a state is encoded once, each viewer's part once a viewer."""

    def __init__(self) -> None:
        self._listeners: dict[Listener, _Heard] = {}
        self._steps: deque[tuple[int, tuple[Told[Any], ...]]] = deque(maxlen=STEPS_KEPT_MAX)
        self._public = PublicPart()
        self._deals = _Deals()
        self._people: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self._listeners)

    @property
    def people(self) -> tuple[str, ...]:
        """Who listens; the same object until somebody comes or goes."""
        return self._people

    def _count_people(self) -> None:
        self._people = tuple(sorted({listener.person for listener in self._listeners}))

    def place_of(self, person: str) -> Whereabouts | None:
        """Where somebody who listens is."""
        return next((listener.place for listener in self._listeners if listener.person == person), None)

    def attach(self, listener: Listener, room: Room, known_version: int) -> None:
        """Sends the whole state, with what happened since a version if that is still known; from then on, all."""
        heard = self._listeners[listener] = _Heard()
        self._count_people()
        self._deals.go_on(room)
        viewer = room.viewer(listener.person)
        shared = self._public.encode(room, room.deadline_ms)
        own = _own(ViewerParts(room), viewer, tuple(self._since(known_version)))
        listener.send(_frame(room, viewer, heard, shared, own, self._deals))

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
        """Sends everybody the room after a step. Who was sent away hears so, then nothing more, and is returned."""
        self._steps.append((room.version, told))
        if not self._listeners:
            return ()
        banned = self._send_away(room) if room.banned else ()
        shared = self._public.encode(room, deadline_ms)
        parts, deals = ViewerParts(room), self._deals
        deals.go_on(room)
        encoded: dict[Viewer, bytes] = {}
        for listener, heard in tuple(self._listeners.items()):
            viewer = room.viewer(listener.person)
            own = encoded.get(viewer)
            if own is None:
                own = encoded[viewer] = _own(parts, viewer, told)
            listener.send(_frame(room, viewer, heard, shared, own, deals))
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
        self._count_people()
        return banned


def _own(parts: ViewerParts, viewer: Viewer, told: tuple[Told[Any], ...]) -> bytes:
    """What everybody who looks with the same eyes gets."""
    heard = [each.event for each in told if each.to.hears(viewer)]
    return b'%b,"events":%b' % (parts.encode(viewer), _encode(heard))


def _frame(room: Room, viewer: Viewer, heard: _Heard, shared: bytes, own: bytes, deals: _Deals) -> bytes:
    """A state for one listener, with what this one has not had yet of moves, deals and proofs."""
    tail = b'],"whole":false}'
    if heard.hand != room.hand:
        heard.hand, heard.cards, heard.moves, heard.news, tail = room.hand, 0, 0, -1, b'],"whole":true}'
    known = room.known(viewer)
    fresh = known & ~heard.cards
    heard.cards |= known
    openings = b",".join([_opening(room, card) for card in numbers_in(fresh)])
    news_of_deals = deals.encode(heard)
    return b"".join(
        (b'{"type":"ROOM_STATE","public":', shared, b',"you":', own, news_of_deals, b',"openings":[', openings, tail)
    )


def _opening(room: Room, card: int) -> bytes:
    """The JSON of a `CardOpening`. Whoever calls this answers for who sees it."""
    shuffle, k = room.drawn_from(card)
    return b'%b,"shuffle":%d}' % (room.packs[shuffle].opening_in_json(k)[:-1], shuffle)

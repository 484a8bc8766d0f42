"""The other nodes on the same store: this one follows what they write, and exchanges messages that are not stored.

A hint that a table was written only makes this node read its news sooner. Rooms in service are also checked in turn
without any hint, so a lost hint costs a moment and nothing else. Nodes tell each other when the people connected to a
room change. People of a node that has been silent for a while count as gone.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Final, Protocol

import msgspec

from croupier.server.messages import PEOPLE_TOLD_MAX, Alive, Heard, Here, Message, SignedOut, WhoIsThere
from croupier.server.services import Services, log
from croupier.store.port import ANY_TABLE, Said, Stored, StoreError, Written

BEAT_SECONDS: Final = 1.0
SILENT_BEATS_MAX: Final = 4
"""A node counts as gone after this many of our heartbeats without a message from it."""
ASKED_AT_ONCE_MAX: Final = 1000
"""For how many rooms news is read at once, and how many rooms are checked without a hint per heartbeat."""
OUTBOX_MAX: Final = 1000


_message = msgspec.json.Decoder(Message)


class RoomHere(Protocol):
    """The interface of a room in service."""

    @property
    def version(self) -> int: ...

    @property
    def here(self) -> Sequence[str]:
        """The people who listen on this node."""

    def hear_of(self, node: str, people: Sequence[str]) -> None:
        """Takes the people who listen on another node; nobody when it is gone."""

    def repeat(self, frame: bytes) -> None:
        """Tells every listener of this node."""

    def take_over(self, records: Sequence[Stored]) -> None:
        """Takes over what another node has stored."""


class Nodes:
    """Keeps the rooms in service up to date with the other nodes."""

    def __init__(self, services: Services, rooms: Mapping[str, RoomHere], prefix: str) -> None:
        """`prefix` stands before a room's code in the name of its table."""
        self._services = services
        self._rooms = rooms
        self._prefix = prefix
        self.written: Callable[[str], None] = lambda table: None
        """Called for every table that another node wrote to; with `ANY_TABLE` if it may be any of them."""
        self.signed_out: Callable[[str, bytes], None] = lambda person, token_hash: None
        """Called when another node gave a person a new token, with the token's hash."""
        self._shares_store = False
        """Whether the store reports the writes of other nodes. A single node's store never does."""
        self._beats = 0
        self._heard_at: dict[str, int] = {}
        """Our heartbeat at which each other node was last heard from."""
        self._hinted: dict[str, None] = {}
        self._looked_at = 0
        self._outbox: deque[Message] = deque(maxlen=OUTBOX_MAX)
        self._to_read, self._to_say = asyncio.Event(), asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        services.tell = self._tell
        services.shares_store = lambda: self._shares_store

    def start(self) -> None:
        work = (self._listen(), self._read(), self._speak(), self._beat())
        self._tasks = [asyncio.create_task(each) for each in work]
        for task in self._tasks:
            task.add_done_callback(_report)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _tell(self, message: Message) -> None:
        self._outbox.append(message)
        self._to_say.set()

    async def _listen(self) -> None:
        async for change in self._services.store.changes():
            self._shares_store = True
            match change:
                case Written(table):
                    self._hint(table)
                case Said(text):
                    self._hear(text)

    def _hint(self, table: str) -> None:
        self.written(table)
        if table == ANY_TABLE:
            self._look_at(self._rooms)
            self._tell(WhoIsThere())
            self._tell_people(self._rooms)
        else:
            self._look_at((table.removeprefix(self._prefix),))

    def _look_at(self, codes: Iterable[str]) -> None:
        self._hinted.update(dict.fromkeys(code for code in codes if code in self._rooms))
        if self._hinted:
            self._to_read.set()

    def _hear(self, text: str) -> None:
        try:
            message: Message = _message.decode(text)
        except msgspec.DecodeError as error:
            log.warning("another node said what this one does not understand: %s", error)
            return
        match message:
            case Heard(code, frame):
                if code in self._rooms:
                    self._rooms[code].repeat(bytes(frame))
            case Here(node, rooms):
                self._heard_of(node)
                for code, people in rooms.items():
                    if code in self._rooms:
                        self._rooms[code].hear_of(node, people)
            case Alive(node):
                self._heard_of(node)
            case SignedOut(person, token_hash):
                self.signed_out(person, token_hash)
            case WhoIsThere(code):
                self._tell_people((code,) if code else self._rooms)

    def _heard_of(self, node: str) -> None:
        """Ask a new or returned node for its people."""
        if node not in self._heard_at:
            self._tell(WhoIsThere())
        self._heard_at[node] = self._beats

    def _tell_people(self, codes: Iterable[str]) -> None:
        """Report the listeners here, with as many rooms per message as fit."""
        rooms: dict[str, tuple[str, ...]] = {}
        count = 0
        for code in codes:
            actor = self._rooms.get(code)
            people = tuple(actor.here[:PEOPLE_TOLD_MAX]) if actor is not None else ()
            if not people:
                continue
            # A room's code takes about as much room as one person.
            if count + len(people) + 1 > PEOPLE_TOLD_MAX + 1:
                self._tell(Here(self._services.node, rooms))
                rooms, count = {}, 0
            rooms[code] = people
            count += len(people) + 1
        if rooms:
            self._tell(Here(self._services.node, rooms))

    async def _read(self) -> None:
        """Read the news of all rooms hinted at while the last ones were read."""
        while True:
            await self._to_read.wait()
            codes = list(islice(self._hinted, ASKED_AT_ONCE_MAX))
            for code in codes:
                del self._hinted[code]
            if not self._hinted:
                self._to_read.clear()
            known = {self._prefix + code: self._rooms[code].version for code in codes if code in self._rooms}
            try:
                news = await self._services.store.news(known)
            except StoreError as error:
                log.error("the news of other nodes cannot be read: %s", error)
                continue
            for table, records in news.items():
                actor = self._rooms.get(table.removeprefix(self._prefix))
                if actor is not None:
                    actor.take_over(records)

    async def _speak(self) -> None:
        while True:
            await self._to_say.wait()
            self._to_say.clear()
            while self._outbox:
                message = msgspec.json.encode(self._outbox.popleft()).decode()
                try:
                    await self._services.store.tell(message)
                except StoreError as error:
                    log.error("the other nodes cannot be told: %s", error)

    async def _beat(self) -> None:
        """Report that this node is alive, forget nodes that are gone, and check some rooms without a hint."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            self._beats += 1
            self._tell(Alive(self._services.node))
            for node, beat in list(self._heard_at.items()):
                if self._beats - beat > SILENT_BEATS_MAX:
                    del self._heard_at[node]
                    for actor in self._rooms.values():
                        actor.hear_of(node, ())
            codes = list(islice(self._rooms, self._looked_at, self._looked_at + ASKED_AT_ONCE_MAX))
            self._looked_at = self._looked_at + len(codes) if len(codes) == ASKED_AT_ONCE_MAX else 0
            self._look_at(codes)


def _report(task: asyncio.Task[None]) -> None:
    """Log why a task ended: none should, except after a bug or a closed store."""
    if not task.cancelled() and task.exception() is not None:
        log.error("other nodes are not followed any more", exc_info=task.exception())

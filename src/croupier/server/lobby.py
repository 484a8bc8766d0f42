"""All rooms in service: opening, finding, listing, letting go."""

import asyncio
import hmac
from collections.abc import Callable
from typing import Final

import msgspec

from croupier.bots import roster
from croupier.rules.refusal import Refusal
from croupier.server.house import House, log
from croupier.server.limits import Limits
from croupier.server.listing import listing
from croupier.server.messages import WhoIsThere
from croupier.server.nodes import Nodes
from croupier.server.room import RoomActor, load, table_name
from croupier.store.port import Append, Person, Repeated, Stale, StoreError
from croupier.table.codes import RoomCode
from croupier.table.commands import RoomCreate
from croupier.table.course import Logged, open_room
from croupier.table.room import Room
from croupier.wire.room import ListedRoom

CODE_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Without letters and digits that are mistaken for each other when read aloud or written."""
CODE_LENGTH: Final = 6
CODE_TRIES_MAX: Final = 20
LISTED_MAX: Final = 200
SWEEP_SECONDS: Final = 30.0
DEADLINES_SECONDS: Final = 1.0
OVERDUE_MS: Final = 1000
"""How long a deadline must have passed before it counts as nobody's: whoever serves the room keeps it sooner."""


class Lobby:
    """The rooms in memory. A room that nobody needs is let go, and loaded from the store when somebody asks for it."""

    def __init__(self, house: House, limits: Limits) -> None:
        self._house = house
        self._limits = limits
        self.looks_after: Callable[[str], bool] = lambda code: True
        """Whether a room that nobody serves is this process's to wake when something is due."""
        self._rooms: dict[str, RoomActor] = {}
        self._loading: dict[str, asyncio.Task[RoomActor | None]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._nodes = Nodes(house, self._rooms, table_name(""))

    def __len__(self) -> int:
        """How many rooms are in memory."""
        return len(self._rooms)

    def start(self) -> None:
        """Begins to watch: rooms with something due go on, also those from before the last stop, and rooms that other
        nodes serve too are followed."""
        self._nodes.start()
        self._tasks = [asyncio.create_task(self._watch_deadlines()), asyncio.create_task(self._sweep())]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._nodes.close()
        await asyncio.gather(*(actor.close() for actor in self._rooms.values()))
        self._rooms.clear()

    async def create(self, person: Person, command: RoomCreate, command_id: str) -> RoomActor | Refusal:
        """Opens a room and stores it. The same command again finds the room that it opened, also after a restart."""
        if len(self._rooms) >= self._limits.rooms_max:
            return Refusal(RoomCode.TOO_MANY_ROOMS, {"high": self._limits.rooms_max})
        logged = Logged(person.id, person.name, self._house.clock_ms(), command)
        for attempt in range(CODE_TRIES_MAX):
            code = _code_of(person, command_id, attempt)
            room = open_room(code, logged)
            if isinstance(room, Refusal):
                return room
            match await self._store(room, logged, f"{person.id}:{command_id}"):
                case Refusal() as refusal:
                    return refusal
                case Repeated():
                    return await self.room(code) or Refusal(RoomCode.BUSY)
                case Stale():
                    continue
            return self._serve(room)
        return Refusal(RoomCode.BUSY)

    async def _store(self, room: Room, logged: Logged, command_id: str) -> Stale | Repeated | Refusal | None:
        """None when the room is stored; `Stale` when its code is somebody else's."""
        append = Append(
            table=table_name(room.code),
            version=room.version,
            record=msgspec.json.encode(logged),
            at_ms=logged.at_ms,
            command_id=command_id,
            listing=msgspec.json.encode(listing(room)),
        )
        try:
            return await self._house.figures.timed(self._house.store.append(append))
        except StoreError as error:
            log.error("a room cannot be opened: %s", error)
            return Refusal(RoomCode.STORE_FAILED)

    def default_bot(self, game: str) -> str:
        return next(iter(roster.ROSTER[game]))

    def check_bot(self, game: str, bot: str) -> Refusal | None:
        """Why there is no such bot."""
        allowed = tuple(roster.ROSTER[game])
        return None if bot in allowed else Refusal(RoomCode.NO_SUCH_BOT, {"bot": bot, "allowed": allowed})

    async def room(self, code: str) -> RoomActor | None:
        """The room of that code, from memory or from the store; None when there is none."""
        actor = self._rooms.get(code)
        if actor is not None:
            return actor
        if not is_code(code):
            return None
        task = self._loading.get(code)
        if task is None:
            task = self._loading[code] = asyncio.create_task(self._load(code))
            task.add_done_callback(lambda _: self._loading.pop(code, None))
        return await asyncio.shield(task)

    async def _load(self, code: str) -> RoomActor | None:
        room = await load(code, self._house)
        if room is None:
            return None
        actor = self._rooms.get(code) or self._serve(room)
        # Hints of what others wrote while it was loaded were for nobody.
        await actor.catch_up()
        return actor

    def _serve(self, room: Room) -> RoomActor:
        actor = self._rooms[room.code] = RoomActor(room, self._house)
        self._house.tell(WhoIsThere(room.code))
        return actor

    async def listed(self) -> tuple[ListedRoom, ...]:
        """The rooms that their hosts have listed, the last changed first."""
        rows = await self._house.store.tables(prefix=table_name(""), most=LISTED_MAX)
        rooms = (msgspec.json.decode(row.listing, type=ListedRoom) for row in rows)
        return tuple(room for room in rooms if room.listed)

    async def _watch_deadlines(self) -> None:
        """Loads rooms whose deadline has passed and that nobody serves; their own clocks do the rest."""
        while True:
            try:
                for row in await self._house.store.due(self._house.clock_ms() - OVERDUE_MS):
                    code = row.table.removeprefix(table_name(""))
                    if code != row.table and self.looks_after(code):
                        await self.room(code)
            except StoreError as error:
                log.error("deadlines cannot be read: %s", error)
            await asyncio.sleep(DEADLINES_SECONDS)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            for code, actor in list(self._rooms.items()):
                if actor.is_idle:
                    del self._rooms[code]
                    await actor.close()


def first_code(person: Person, command_id: str) -> str:
    """The code of the room that a command opens, unless somebody else's has it."""
    return _code_of(person, command_id, 0)


def _code_of(person: Person, command_id: str, attempt: int) -> str:
    """The code of the room that a command opens: always the same; only who has the person's token can foretell it."""
    digest = hmac.digest(person.token_hash, f"{attempt}:{command_id}".encode(), "sha256")
    return "".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in digest[:CODE_LENGTH])


def is_code(code: str) -> bool:
    return len(code) == CODE_LENGTH and all(letter in CODE_LETTERS for letter in code)

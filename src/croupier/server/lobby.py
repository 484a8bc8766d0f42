"""All rooms in service: opening, finding, listing, unloading."""

import asyncio
import hmac
from collections.abc import Callable
from functools import partial
from typing import Final

import msgspec

from croupier import bots
from croupier.game.refusal import Fact, Refusal
from croupier.game.registry import GAMES
from croupier.server.limits import Limits
from croupier.server.messages import WhoIsThere
from croupier.server.nodes import Nodes
from croupier.server.offered_games import GAME_SHOWN_MAX, GameNotOfferedError
from croupier.server.origins import KEY_NAME, Origins, Whereabouts
from croupier.server.recovery import Loaded, load
from croupier.server.replays import BusyError
from croupier.server.room import RoomActor, table_name
from croupier.server.room_list import listing, read_listing
from croupier.server.services import Services, log
from croupier.store.port import Append, Person, Repeated, Stale, StoreError
from croupier.table.apply import open_room
from croupier.table.codes import RoomCode
from croupier.table.commands import RoomCreate
from croupier.table.log import START, chained, entry
from croupier.table.room import Room
from croupier.table.snapshot import Trail
from croupier.wire.room import ListedRoom

CODE_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Without letters and digits that are easily confused when spoken or written."""
CODE_LENGTH: Final = 6
CODE_TRIES_MAX: Final = 20
LISTED_MAX: Final = 200
DUE_MAX: Final = 100
ROOMS_COUNTED_MAX: Final = 10_000
"""How many rooms, the last changed first, are searched for games that are not offered."""
SWEEP_SECONDS: Final = 30.0
DEADLINES_SECONDS: Final = 1.0
OVERDUE_MS: Final = 1000
"""How long after a deadline a room counts as unserved: a node that serves it acts sooner."""


class Lobby:
    """The rooms in memory. A room that nobody needs is unloaded, and loaded again when somebody asks for it."""

    def __init__(self, services: Services, limits: Limits) -> None:
        self._services = services
        self._limits = limits
        self.looks_after: Callable[[str], bool] = lambda code: True
        """Whether this process must wake unserved rooms when something is due."""
        self._rooms: dict[str, RoomActor] = {}
        self._openers: dict[str, tuple[str, str]] = {}
        """The person who opened each room that was opened here, and the network they came from."""
        self._loading: dict[str, asyncio.Task[RoomActor | None]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self.nodes = Nodes(services, self._rooms, table_name(""))

    def __len__(self) -> int:
        """How many rooms are in memory."""
        return len(self._rooms)

    @property
    def commands_waiting(self) -> int:
        """How many commands wait for their turn, in all rooms."""
        return sum(actor.commands_waiting for actor in self._rooms.values())

    def start(self) -> None:
        """Start watching: rooms with something due go on, also those from before the last stop, and the writes of other
        nodes are followed."""
        self.nodes.start()
        work = (self._watch_deadlines(), self._sweep(), self._look_at_listed())
        self._tasks = [asyncio.create_task(each) for each in work]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.nodes.close()
        self._services.replays.close()
        await asyncio.gather(*(actor.close() for actor in self._rooms.values()))
        self._rooms.clear()

    async def create(
        self, person: Person, name: str, place: Whereabouts, command: RoomCreate, command_id: str
    ) -> RoomActor | Refusal:
        """Open a room with the person as host, under this name, and store it. The same command again finds that room,
        also after a restart."""
        refusal = self._too_many(person, place.network)
        if refusal is not None:
            return refusal
        if not self._services.games.has(command.game):
            facts: dict[str, Fact] = {"game": command.game[:GAME_SHOWN_MAX], "allowed": self._services.games.names}
            return Refusal(RoomCode.NO_SUCH_GAME, facts)
        room_id, now_ms, key = self._services.secret().hex(), self._services.clock_ms(), self._services.secret()
        logged = entry(person.id, name, now_ms, command, room_id=room_id)
        if isinstance(logged, Refusal):
            return logged
        logged = msgspec.structs.replace(logged, origin=Origins(key).of(place))
        for attempt in range(CODE_TRIES_MAX):
            code = _code_of(person, command_id, attempt)
            room = open_room(code, logged)
            if isinstance(room, Refusal):
                return room
            record = msgspec.json.encode(logged)
            match await self._store(room, record, now_ms, f"{person.id}:{command_id}", key):
                case Refusal() as refusal:
                    return refusal
                case Repeated():
                    return await self.room(code) or Refusal(RoomCode.BUSY)
                case Stale():
                    continue
            self._openers[code] = person.id, place.network
            return self._serve(Loaded(room, chained(START, record), Trail(), 0, now_ms, key))
        return Refusal(RoomCode.BUSY)

    def _too_many(self, person: Person, network: str) -> Refusal | None:
        """Why one more room would be too many: in all, of this person, or of their network."""
        limits = self._limits
        if len(self._rooms) >= limits.rooms_max:
            return Refusal(RoomCode.TOO_MANY_ROOMS, {"high": limits.rooms_max})
        openers = self._openers.values()
        if sum(opener == person.id for opener, _ in openers) >= limits.rooms_per_person_max:
            return Refusal(RoomCode.TOO_MANY_ROOMS_OPENED, {"high": limits.rooms_per_person_max})
        if sum(home == network for _, home in openers) >= limits.rooms_per_address_max:
            return Refusal(RoomCode.TOO_MANY_ROOMS_OPENED, {"high": limits.rooms_per_address_max})
        return None

    async def _store(
        self, room: Room, record: bytes, at_ms: int, command_id: str, origin_key: bytes
    ) -> Stale | Repeated | Refusal | None:
        """None if the room is stored; `Stale` if another room has its code."""
        append = Append(
            table=table_name(room.code),
            version=room.version,
            record=record,
            at_ms=at_ms,
            command_id=command_id,
            secrets=((KEY_NAME, origin_key),),
            listing=msgspec.json.encode(listing(room)),
        )
        try:
            return await self._services.metrics.timed(self._services.store.append(append))
        except StoreError as error:
            log.error("a room cannot be opened: %s", error)
            return Refusal(RoomCode.STORE_FAILED)

    def default_bot(self, game: str) -> str:
        return bots.names(game)[0]

    def check_bot(self, game: str, bot: str) -> Refusal | None:
        """The refusal of an unknown bot; None if there is such a bot."""
        allowed = bots.names(game)
        return None if bot in allowed else Refusal(RoomCode.NO_SUCH_BOT, {"bot": bot, "allowed": allowed})

    async def room(self, code: str) -> RoomActor | None:
        """The room of that code, from memory or from the store; None when there is none.

        Raises GameNotOfferedError, and BusyError when there are too many rooms in memory, or too many are opened.
        """
        actor = self._rooms.get(code)
        if actor is not None:
            return None if actor.room.closed else actor
        if not is_code(code):
            return None
        if len(self._rooms) >= self._limits.rooms_max:
            raise BusyError
        task = self._loading.get(code)
        if task is None:
            task = self._loading[code] = asyncio.create_task(self._load(code))
            task.add_done_callback(lambda _: self._loading.pop(code, None))
        return await asyncio.shield(task)

    async def _load(self, code: str) -> RoomActor | None:
        loaded = await load(code, self._services)
        if loaded is None:
            return None
        actor = self._rooms.get(code) or self._serve(loaded)
        # Hints of other nodes' writes were lost while it was being loaded.
        await actor.catch_up()
        return actor

    def _serve(self, loaded: Loaded) -> RoomActor:
        code = loaded.room.code
        actor = self._rooms[code] = RoomActor(
            loaded.room, self._services, loaded.head, loaded.trail, loaded.kept, loaded.at_ms, loaded.origin_key
        )
        self._services.tell(WhoIsThere(code))
        return actor

    async def listed(self) -> tuple[ListedRoom, ...]:
        """The rooms that their hosts have listed, the last changed first."""
        rows = await self._services.store.tables(prefix=table_name(""), most=LISTED_MAX, only_listed=True)
        rooms = (read_listing(row.listing) for row in rows if self._services.games.serves(row))
        return tuple(room for room in rooms if room.listed)

    async def _watch_deadlines(self) -> None:
        """Load unserved rooms whose deadline has passed; their own clocks do the rest."""
        kept = 0
        while True:
            try:
                # Rooms whose game is not offered stay overdue, and must not keep the others from being found.
                rows = await self._services.store.due(self._services.clock_ms() - OVERDUE_MS, DUE_MAX + kept)
                served = [row for row in rows if self._services.games.serves(row)]
                kept = len(rows) - len(served)
                for row in served:
                    code = row.table.removeprefix(table_name(""))
                    if code != row.table and self.looks_after(code):
                        self._wake(code)
            except StoreError as error:
                log.error("deadlines cannot be read: %s", error)
            await asyncio.sleep(DEADLINES_SECONDS)

    async def count_not_offered(self) -> None:
        """Note which games that are not offered have rooms in the store, and log it."""
        try:
            rows = await self._services.store.tables(prefix=table_name(""), most=ROOMS_COUNTED_MAX)
        except StoreError as error:
            log.error("the rooms cannot be counted: %s", error)
            return
        self._services.games.count(rows)
        for game, rooms in self._services.games.not_offered.items():
            fault = "allowed (--games)" if game in GAMES else "installed"
            log.warning("the game %s is not %s: %d of its rooms are kept, and not served", game, fault, rooms)

    async def _look_at_listed(self) -> None:
        """After a start: unlist rooms that nobody comes back to."""
        try:
            for room in await self.listed():
                if self.looks_after(room.room_code):
                    self._wake(room.room_code)
        except StoreError as error:
            log.error("the listed rooms cannot be read: %s", error)

    def _wake(self, code: str) -> None:
        """Begin to load a room in the background."""
        if code not in self._rooms and code not in self._loading and is_code(code):
            task = asyncio.create_task(self.room(code))
            task.add_done_callback(partial(_report, code))

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            for code, actor in list(self._rooms.items()):
                if actor.is_idle:
                    del self._rooms[code]
                    self._openers.pop(code, None)
                    await actor.close()


def _report(code: str, task: asyncio.Task[RoomActor | None]) -> None:
    """Log why a room could not be woken. It is tried again as long as something is due there."""
    error = None if task.cancelled() else task.exception()
    if isinstance(error, (StoreError, BusyError, GameNotOfferedError)):
        log.error("room %s cannot be woken: %s", code, error or "too many are")
    elif error is not None:
        log.error("room %s cannot be woken", code, exc_info=error)


def first_code(person: Person, command_id: str) -> str:
    """The code of the room that a command opens, unless another room has it."""
    return _code_of(person, command_id, 0)


def _code_of(person: Person, command_id: str, attempt: int) -> str:
    """The code of the room that a command opens: always the same, and predictable only with the person's token."""
    digest = hmac.digest(person.token_hash, f"{attempt}:{command_id}".encode(), "sha256")
    return "".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in digest[:CODE_LENGTH])


def is_code(code: str) -> bool:
    return len(code) == CODE_LENGTH and all(letter in CODE_LETTERS for letter in code)

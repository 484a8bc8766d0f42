"""Listens at every connection, knows what is durable, and says at once when somebody is told what may not be told."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec

from croupier.game.registry import GAMES
from croupier.games.blackjack.casino import step as session_step
from croupier.server.room import table_name
from croupier.wire.casino import CasinoCommand
from croupier.wire.room import game_requests
from tests.simulation.database import Database
from tests.simulation.world import World

if TYPE_CHECKING:
    from tests.simulation.network import Wire

PASSING: Final = ("STORE_FAILED", "BUSY", "RATE_LIMITED")
"""Refusals that say nothing of the command: it may have been done all the same."""
CASINO: Final = frozenset(str(command.__struct_config__.tag) for command in CasinoCommand.__args__)
ACTIONS: Final = frozenset(kind for requests in map(game_requests, GAMES) for kind in requests)


class _Public(msgspec.Struct, rename="camel"):
    version: int
    room_code: str


class _Frame(msgspec.Struct, rename="camel"):
    """As much of any frame, either way, as the audit needs."""

    type: str
    request_id: str = ""
    command_id: str = ""
    room_code: str = ""
    version: int = 0
    code: str = ""
    player_id: str = ""
    public: _Public | None = None


_decode: Final = msgspec.json.Decoder(_Frame).decode


@dataclass
class Asked:
    """A request on one connection."""

    frame: _Frame
    text: str
    arrived: float | None = None


@dataclass(frozen=True)
class Acknowledged:
    """A command of which somebody heard that it is done."""

    person: str
    table: str
    key: str
    version: int
    text: str


@dataclass(frozen=True)
class Told:
    """A frame that a node sent to somebody."""

    at: float
    node: str
    person: str
    version: int
    table: str
    text: bytes


class Audit:
    """What was asked, told and heard."""

    def __init__(self, world: World, database: Database) -> None:
        self._world = world
        self._database = database
        self.acknowledged: dict[tuple[str, str], Acknowledged] = {}
        self.states: list[Told] = []
        self.others: dict[str, list[bytes]] = {}
        """By person, every frame that is no state of a room."""
        self.refusals: dict[str, int] = {}
        self.moves: list[tuple[float, str, str]] = []
        """When, by which program, and what: every action of a game and every cut that was sent."""

    def asks(self, wire: "Wire", text: str) -> None:
        """A client sends."""
        frame = _decode(text)
        wire.asked[frame.request_id] = Asked(frame, text)
        if frame.type in ACTIONS or frame.type == "DEAL_CUT":
            self.moves.append((self._world.now, wire.program, text))
        self._world.note(f"asks {text[:160]}")

    def takes(self, wire: "Wire", text: str) -> None:
        """A server reads."""
        wire.asked[_decode(text).request_id].arrived = self._world.now

    def tells(self, wire: "Wire", text: bytes) -> None:
        """A server sends: nothing that is not durable, and no refusal of what was done."""
        frame = _decode(text)
        person, node = wire.server.reader.person, wire.node.place.name
        if frame.public is not None:
            self._told_state(frame.public, person, node, text)
            return
        self.others.setdefault(person, []).append(text)
        asked = wire.asked.get(frame.request_id)
        if asked is None:
            return
        if frame.type == "ERROR":
            self._refuses(wire, frame, asked)
        elif asked.frame.command_id:
            self._acknowledges(frame, asked, person)
        elif frame.room_code and frame.version > self._database.versions.get(table_name(frame.room_code), 0):
            self._world.breaks("nothing is told before it is stored", f"{person} was told {text.decode()[:200]}")

    def stored(self, table: str) -> int:
        """How far a table has come."""
        return self._database.versions.get(table, 0)

    def is_done(self, person: str, fields: dict[str, Any]) -> bool:
        """Whether a command of a room, as it was given to the client, is durable."""
        return (table_name(fields["roomCode"]), f"{person}:{fields['commandId']}") in self._database.done

    def _told_state(self, public: _Public, person: str, node: str, text: bytes) -> None:
        table = table_name(public.room_code)
        self._world.note(f"tells {person[:4]} {table} v{public.version} ({len(text)} bytes)", node)
        self.states.append(Told(self._world.now, node, person, public.version, table, text))
        durable = self._database.versions.get(table, 0)
        if public.version > durable:
            how = f"{node} sent version {public.version} of {table} to {person}, and {durable} is durable"
            self._world.breaks("nothing is told before it is stored", how)

    def _refuses(self, wire: "Wire", frame: _Frame, asked: Asked) -> None:
        person = wire.server.reader.person
        self._world.note(f"refuses {asked.frame.type} of {person[:4]}: {frame.code}")
        self.refusals[frame.code] = self.refusals.get(frame.code, 0) + 1
        if frame.code == "FAILED":
            self._world.breaks("the server never fails", f"{asked.text}")
        # A person who was removed, or left, is told nothing of the game any more, not even what became of an action.
        has_gone = frame.code == "NOT_IN_ROOM" and asked.frame.room_code not in wire.server.reader.rooms
        if asked.frame.command_id and frame.code not in PASSING and not (has_gone and asked.frame.type in ACTIONS):
            done = self._database.done.get(_named(asked.frame, person, frame.room_code))
            if done is not None and asked.arrived is not None and done[1] < asked.arrived:
                how = f"{asked.text[:200]} was done as version {done[0]}, and its retry is refused: {frame.code}"
                self._world.breaks("a command that was done is never refused", how)

    def _acknowledges(self, frame: _Frame, asked: Asked, person: str) -> None:
        table, key = _named(asked.frame, person, frame.room_code)
        self._world.note(f"accepts {asked.frame.type} of {person[:4]} as v{frame.version}")
        done = self._database.done.get((table, key))
        if done is None:
            how = f"{person} was told that {asked.text[:200]} is version {frame.version} of {table}"
            self._world.breaks("what is acknowledged is stored", how)
        elif done[0] != frame.version:
            how = f"{asked.text[:200]} is version {done[0]} of {table}, and acknowledged as {frame.version}"
            self._world.breaks("a command is acknowledged as what it became", how)

    def hears(self, wire: "Wire", text: str) -> None:
        """A client reads: from now on it counts on what it was told."""
        frame = _decode(text)
        asked = wire.asked.get(frame.request_id)
        if asked is None or frame.type == "ERROR" or not asked.frame.command_id:
            return
        person = wire.server.reader.person
        table, key = _named(asked.frame, person, frame.room_code)
        self.acknowledged[table, key] = Acknowledged(person, table, key, frame.version, asked.text)


def _named(asked: _Frame, person: str, room_code: str) -> tuple[str, str]:
    """The table that a command is for, and its name there."""
    if asked.type in CASINO and not asked.room_code:
        return session_step.table_name(person), asked.command_id
    return table_name(room_code or asked.room_code), f"{person}:{asked.command_id}"


def decoded(text: str | bytes) -> Any:
    return msgspec.json.decode(text)

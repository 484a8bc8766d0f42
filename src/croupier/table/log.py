"""The log of a room as values: who gave which command, and when. Each entry is chained to those before it."""

from hashlib import sha256
from typing import Any, Final, Generic

import msgspec

from croupier.dealing.hash_input import frame
from croupier.game.refusal import Refusal
from croupier.table import lobby
from croupier.table.commands import A, HostSetOptions, RoomCommand, RoomCreate
from croupier.table.lobby import Chosen
from croupier.table.release_1 import DealAnchor
from croupier.table.room import FORMAT, UNKNOWN, Origin, Room

START: Final = bytes(32)
"""The chain before a log's first entry."""
_CHAINED: Final = sha256(frame(b"croupier log", START)[: -len(START)])
"""A hash begun with the common prefix of all entries: copying it is cheaper than a new one."""


class ChainError(ValueError):
    """A log was changed after it was written."""


class Logged(msgspec.Struct, Generic[A], frozen=True, gc=False, rename="camel", omit_defaults=True):
    """A command as the log keeps it: who, what, when. Secrets are kept apart, by the name of their deal."""

    actor: str
    name: str
    at_ms: int
    command: RoomCommand[A] | RoomCreate | DealAnchor
    format: int = 1
    before: str = ""
    """The chain up to the entry before, in hex."""
    room: str = ""
    """The room's own random name, where the command opens it."""
    chosen: Chosen | None = None
    """The rules that the command chose, all options decided."""
    down: tuple[str, ...] = ()
    """The seated people known to be disconnected."""
    snapshot: str = ""
    """The digest of a snapshot of the room before this command, if one was taken."""
    origin: Origin = UNKNOWN
    """The origin of the person whom the command lets in or removes."""


def entry(
    actor: str,
    name: str,
    at_ms: int,
    command: RoomCommand[Any] | RoomCreate,
    *,
    room: Room | None = None,
    room_id: str = "",
    head: bytes = START,
    down: tuple[str, ...] = (),
) -> Logged[Any] | Refusal:
    """A command as the log keeps it, with every option of the rules that it chooses. `head` is the chain so far."""
    before = "" if room is None else head.hex()
    chosen: Chosen | Refusal
    if isinstance(command, RoomCreate):
        chosen = lobby.resolve(command.game, command, command.preset)
    elif isinstance(command, HostSetOptions) and room is not None:
        chosen = lobby.resolve(room.rules.game, command, command.preset or room.preset)
    else:
        return Logged(actor, name, at_ms, command, FORMAT, before, room_id, None, down)
    if isinstance(chosen, Refusal):
        return chosen
    return Logged(actor, name, at_ms, command, FORMAT, before, room_id, chosen, down)


def chained(before: bytes, record: bytes) -> bytes:
    """The chain after an entry: it contains every byte of the log so far, as recorded."""
    chain = _CHAINED.copy()
    chain.update(b"".join((before, len(record).to_bytes(4, "big"), record)))
    return chain.digest()

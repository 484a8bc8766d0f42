"""What a list of rooms shows of a room."""

from typing import TypeVar

import msgspec

from croupier.game.registry import current_name, current_preset
from croupier.table.plain_values import plain
from croupier.table.room import Phase, Room
from croupier.wire.room import ListedRoom, RoomDoor

L = TypeVar("L", bound=ListedRoom)


def listed_alike(before: Room, after: Room) -> bool:
    """Whether nothing changed that lists show: unchanged values are the same objects."""
    return (
        before.members is after.members
        and before.phase is after.phase
        and before.rules is after.rules
        and before.options is after.options
        and before.host == after.host
        and before.entry == after.entry
        and (before.asleep_at_ms is None) is (after.asleep_at_ms is None)
        and before.closed is after.closed
    )


def read_listing(stored: bytes) -> ListedRoom:
    """Read a room's listing from the store. An earlier release may have written it."""
    return _current(msgspec.json.decode(stored, type=ListedRoom))


def read_door(stored: bytes) -> RoomDoor:
    """Read what newcomers may know of a room from its listing."""
    return _current(msgspec.json.decode(stored, type=RoomDoor))


def _current(kept: L) -> L:
    return msgspec.structs.replace(kept, game=current_name(kept.game), preset=current_preset(kept.game, kept.preset))


def _names(room: Room) -> tuple[str, ...]:
    """The people at the table."""
    return tuple(member.name for member in room.players if not (member.bot or member.is_out))


def listing(room: Room) -> RoomDoor:
    """What lists and the room's door show."""
    host = room.member(room.host)
    may_sit = room.phase is Phase.LOBBY or (room.phase is Phase.PLAYING and room.is_open_table)
    return RoomDoor(
        room_code=room.code,
        game=room.rules.game,
        preset=room.preset,
        phase=room.phase,
        players=len(room.players),
        seats=room.seats,
        host_name=host.name if host is not None else "",
        listed=room.options.listed and room.asleep_at_ms is None and not room.closed and room.host != "",
        names=_names(room) if room.entry == "open" else (),
        rules=plain(room.rules),
        entry=room.entry,
        sits=may_sit and bool(room.free_seats),
        seats_kept=room.phase is Phase.PLAYING and not may_sit,
        closed=room.closed,
    )

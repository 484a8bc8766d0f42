"""What lists of rooms show of a room."""

from croupier.table.room import Room
from croupier.wire.room import ListedRoom


def listed_alike(before: Room, after: Room) -> bool:
    """Whether nothing changed that lists show: values that did not change are the same objects."""
    return (
        before.members is after.members
        and before.phase is after.phase
        and before.rules is after.rules
        and before.options is after.options
        and before.host == after.host
        and (before.asleep_at_ms is None) is (after.asleep_at_ms is None)
        and before.closed is after.closed
    )


def listing(room: Room) -> ListedRoom:
    """What lists of rooms show."""
    host = room.member(room.host)
    return ListedRoom(
        room_code=room.code,
        game=room.rules.game,
        preset=room.preset,
        phase=room.phase,
        players=len(room.players),
        seats=room.seats,
        host_name=host.name if host is not None else "",
        listed=room.options.listed and room.asleep_at_ms is None and not room.closed,
    )

"""Entry to a room: open to everybody, to those whom the host lets in, or to nobody new; and the people removed."""

from croupier.game.refusal import Refusal
from croupier.shown_text import told_apart
from croupier.table.codes import RoomCode
from croupier.table.commands import HostAdmit, HostPardon, HostSetEntry, KeptOut
from croupier.table.room import KEPT_OUT_MAX, PARDONS_MAX, WAITING_MAX, Making, Member, Origin, Removed, Room, Waiting


def refusal_of(room: Room, newcomer: Member) -> Refusal | None:
    """Why this person may neither come in nor wait to be admitted. A person whose seat is kept is not a newcomer."""
    if newcomer.id in room.banned:
        return Refusal(RoomCode.KICKED)
    if room.member(newcomer.id) is not None or newcomer.id in room.admitted:
        return None
    if newcomer.origin.device and newcomer.origin.device in room.kept_out:
        return Refusal(RoomCode.KICKED)
    if room.host and room.entry == "locked":
        return Refusal(RoomCode.ROOM_LOCKED)
    if room.entry != "approval" and newcomer.origin.address and newcomer.origin.address in room.kept_out:
        return Refusal(RoomCode.ADDRESS_KEPT_OUT)
    return None


def must_wait(room: Room, person: str) -> bool:
    """Whether the host must admit this person first. Without a host, nobody could."""
    asks = room.entry == "approval" and room.host != ""
    return asks and room.member(person) is None and person not in room.admitted


def wait(making: Making, newcomer: Member) -> Refusal | None:
    """Put a person on the waiting list."""
    room = making.room
    refusal = refusal_of(room, newcomer)
    if refusal is not None:
        return refusal
    if room.waits(newcomer.id):
        return Refusal(RoomCode.ALREADY_WAITING)
    if len(room.waiting) >= WAITING_MAX:
        return Refusal(RoomCode.TOO_MANY_WAITING, {"high": WAITING_MAX})
    name = told_apart(newcomer.name, [*(each.name for each in room.members), *(each.name for each in room.waiting)])
    making.change(waiting=(*room.waiting, Waiting(newcomer.id, name, newcomer.origin)))
    return None


def give_up(making: Making, person: str) -> None:
    """Take a person off the waiting list."""
    making.change(waiting=tuple(waiting for waiting in making.room.waiting if waiting.id != person))


def pardon(making: Making, command: HostPardon) -> Refusal | None:
    """Undo a removal."""
    room = making.room
    removed = next((each for each in room.removed if each.id == command.member), None)
    if removed is None:
        return Refusal(RoomCode.NO_SUCH_MEMBER, {"member": command.member})
    making.change(
        removed=tuple(each for each in room.removed if each is not removed),
        banned=tuple(person for person in room.banned if person != removed.id),
        kept_out=tuple(place for place in room.kept_out if place not in removed.places),
    )
    return None


def admit(making: Making, command: HostAdmit) -> Refusal | None:
    """Admit a waiting person: they come in by joining again, now or later."""
    if not making.room.waits(command.member):
        return Refusal(RoomCode.NO_SUCH_MEMBER, {"member": command.member})
    give_up(making, command.member)
    making.change(admitted=(*making.room.admitted, command.member)[-KEPT_OUT_MAX:])
    return None


def set_entry(making: Making, command: HostSetEntry) -> Refusal | None:
    """Set who may come in. When the room becomes open, the waiting list is cleared: they may join."""
    making.change(entry=command.entry)
    if command.entry == "open":
        let_in = tuple(waiting.id for waiting in making.room.waiting)
        making.change(waiting=(), admitted=(*making.room.admitted, *let_in)[-KEPT_OUT_MAX:])
    return None


def keep_out(making: Making, person: str, name: str, origins: tuple[Origin, ...], by: KeptOut) -> None:
    """Record a removed person and their origin, and withdraw their admission."""
    room = making.room
    places = [origin.device for origin in origins]
    places += [origin.address for origin in origins] if by == "address" else []
    fresh = [place for place in dict.fromkeys(places) if place and place not in room.kept_out]
    making.change(
        banned=(*room.banned, person)[-KEPT_OUT_MAX:],
        removed=(*room.removed, Removed(person, name, tuple(fresh)))[-PARDONS_MAX:],
        kept_out=(*room.kept_out, *fresh)[-KEPT_OUT_MAX:],
        admitted=tuple(admitted for admitted in room.admitted if admitted != person),
    )

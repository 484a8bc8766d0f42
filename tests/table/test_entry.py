"""Who may come into a room, as a value: locked rooms, rooms by approval, and people who were removed."""

import msgspec
import pytest

from croupier.game.refusal import Refusal
from croupier.table import commands as c
from croupier.table.apply import CLOCK, Done, handle, open_room, replay
from croupier.table.log import Logged, entry
from croupier.table.room import KEPT_OUT_MAX, WAITING_MAX, Origin, Room
from croupier.table.roomview import public
from croupier.table.snapshot import Point, Snapshot, mark
from croupier.wire import snapshot as snapshots
from croupier.wire.replay import take_up

HOME = Origin("address of home", "device of the host")
CAFE = Origin("address of the café", "device of bob")
CAFE_TOO = Origin("address of the café", "another device")


class Door:
    """A room with its log."""

    def __init__(self, admits: c.Entry = "open") -> None:
        logged = entry("ann", "Ann", 1000, c.RoomCreate("sequence", entry=admits), room_id="0" * 64)
        assert isinstance(logged, Logged)
        self.log = [msgspec.structs.replace(logged, origin=HOME)]
        opened = open_room("ROOM1", self.log[0])
        assert isinstance(opened, Room)
        self.room = opened

    def do(self, who: str, command: c.RoomCommand, origin: Origin | None = None) -> str | None:
        logged = entry(who, who.capitalize(), 2000, command, room=self.room)
        assert isinstance(logged, Logged)
        if origin is not None:
            logged = msgspec.structs.replace(logged, origin=origin)
        done = handle(self.room, logged, bytes(32))
        if isinstance(done, Refusal):
            return done.code
        assert isinstance(done, Done)
        self.room = done.room
        self.log.append(logged)
        return None

    @property
    def names(self) -> list[str]:
        return [member.name for member in self.room.members]


def test_nobody_new_comes_into_a_locked_room() -> None:
    door = Door()
    assert door.do("bob", c.RoomJoin(), CAFE) is None
    assert door.do("ann", c.HostSetEntry("locked")) is None
    for joining in (c.RoomJoin(), c.RoomJoinAsSpectator()):
        assert door.do("eve", joining) == "ROOM_LOCKED"
    assert door.do("ann", c.HostSetEntry("open")) is None
    assert door.do("eve", c.RoomJoin()) is None


def test_only_the_host_decides_who_comes_in() -> None:
    door = Door()
    assert door.do("bob", c.RoomJoin(), CAFE) is None
    for command in (c.HostSetEntry("locked"), c.HostAdmit("eve"), c.HostKick("ann")):
        assert door.do("bob", command) == "NOT_HOST"


def test_in_a_room_by_approval_newcomers_wait_and_come_in_when_they_were_let_in() -> None:
    door = Door("approval")
    assert door.do("bob", c.RoomJoin(), CAFE) is None
    assert door.names == ["Ann"]
    assert [(each.id, each.name) for each in public(door.room).waiting] == [("bob", "Bob")]
    assert door.do("bob", c.RoomJoin(), CAFE) == "ALREADY_WAITING"
    assert door.do("bob", c.PlayerReadySet(True)) == "NOT_IN_ROOM"
    assert door.do("ann", c.HostAdmit("bob")) is None
    assert door.names == ["Ann"], "whoever is not there any more takes no seat"
    assert door.do("bob", c.RoomJoin(), CAFE) is None
    assert (door.names, door.room.waiting) == (["Ann", "Bob"], ())
    assert door.do("bob", c.RoomLeave()) is None
    assert door.do("bob", c.RoomJoin(), CAFE) is None, "they were let in once"


def test_who_waits_may_stop_and_may_be_refused_for_good() -> None:
    door = Door("approval")
    door.do("bob", c.RoomJoin(), CAFE)
    assert door.do("bob", c.RoomLeave()) is None
    assert door.room.waiting == ()
    door.do("bob", c.RoomJoin(), CAFE)
    assert door.do("ann", c.HostKick("bob")) is None
    assert door.do("bob", c.RoomJoin(), CAFE) == "KICKED"
    assert door.do("rob", c.RoomJoin(), CAFE) == "KICKED", "the same device under another name"
    assert door.do("dan", c.RoomJoin(), CAFE_TOO) is None, "of the same address somebody may ask"
    assert door.names == ["Ann"]


def test_the_list_of_those_who_wait_is_bounded_and_tells_names_apart() -> None:
    door = Door("approval")
    for number in range(WAITING_MAX):
        assert door.do(f"p{number}", c.RoomJoin()) is None
    assert door.do("one more", c.RoomJoin()) == "TOO_MANY_WAITING"
    door = Door("approval")
    door.do("ANN", c.RoomJoin())
    assert door.room.waiting[0].name == "Ann (2)"


@pytest.mark.parametrize(
    ("by", "codes"),
    [("address", ("KICKED", "KICKED", "ADDRESS_KEPT_OUT")), ("device", ("KICKED", "KICKED", None))],
)
def test_who_was_removed_stays_out_by_person_by_device_and_if_the_host_wants_by_address(
    by: c.KeptOut, codes: tuple[str | None, ...]
) -> None:
    door = Door()
    door.do("bob", c.RoomJoin(), CAFE)
    assert door.do("ann", c.HostKick("bob", by)) is None
    same_person = door.do("bob", c.RoomJoin(), Origin("elsewhere", "elsewhere"))
    same_device = door.do("rob", c.RoomJoin(), Origin("elsewhere", CAFE.device))
    same_address = door.do("dan", c.RoomJoin(), CAFE_TOO)
    assert (same_person, same_device, same_address) == codes
    assert door.do("eve", c.RoomJoin(), Origin("elsewhere", "elsewhere")) is None


def test_where_somebody_is_when_they_are_removed_counts_too() -> None:
    door = Door()
    door.do("bob", c.RoomJoin(), CAFE)
    assert door.do("ann", c.HostKick("bob"), Origin("address of a train", "device of bob")) is None
    assert door.do("rob", c.RoomJoin(), Origin("address of a train", "new")) == "ADDRESS_KEPT_OUT"
    assert door.do("rob", c.RoomJoin(), CAFE_TOO) == "ADDRESS_KEPT_OUT"


def test_nobody_in_the_room_has_to_go_for_their_address() -> None:
    door = Door()
    door.do("bob", c.RoomJoin(), CAFE)
    door.do("dan", c.RoomJoin(), CAFE_TOO)
    assert door.do("ann", c.HostKick("bob")) is None
    assert door.names == ["Ann", "Dan"]
    assert door.do("dan", c.PlayerReadySet(True)) is None


def test_a_room_without_a_host_asks_nobody() -> None:
    door = Door("approval")
    assert door.do("ann", c.RoomLeave()) is None
    assert door.do("bob", c.RoomJoin()) is None
    assert door.room.host == "bob"


def test_opening_the_room_lets_in_all_who_wait() -> None:
    door = Door("approval")
    door.do("bob", c.RoomJoin(), CAFE)
    assert door.do("ann", c.HostSetEntry("open")) is None
    assert door.room.waiting == ()
    assert door.do("bob", c.RoomJoin(), CAFE) is None


def test_somebody_who_knocks_does_not_wake_a_room() -> None:
    door = Door("approval")
    assert door.do(CLOCK, c.Sleep(1500)) is None
    assert door.do("bob", c.RoomJoin()) is None
    assert door.room.asleep_at_ms is not None


def test_the_log_and_a_snapshot_bring_back_who_is_kept_out_and_who_waits() -> None:
    door = Door("approval")
    door.do("bob", c.RoomJoin(), CAFE)
    door.do("eve", c.RoomJoin(), CAFE_TOO)
    door.do("ann", c.HostAdmit("eve"))
    door.do("ann", c.HostKick("bob"))
    door.do("dan", c.RoomJoin())
    assert replay("ROOM1", door.log, {}) == door.room
    kept = mark(Point(door.room, bytes(32)))
    data = snapshots.encode(Snapshot(kept))
    assert take_up(snapshots.decode(data), {}).room == door.room


def test_what_is_remembered_of_the_removed_is_bounded() -> None:
    door = Door("approval")
    for number in range(KEPT_OUT_MAX + 5):
        door.do(f"p{number}", c.RoomJoin(), Origin(f"a{number}", f"d{number}"))
        assert door.do("ann", c.HostKick(f"p{number}")) is None
    assert len(door.room.kept_out) == len(door.room.banned) == KEPT_OUT_MAX

"""Things that happen in honest rooms and once raised a false alarm, each with the tapes of everybody who was there."""

from collections.abc import Callable
from typing import Final
from unittest.mock import patch

from croupier.clients import room_guard
from croupier.table import commands as c
from tests.lying_server.offline import OfflineTable
from tests.twin.tapes import Tape, TapedChecker


def begin(table: OfflineTable, *names: str) -> None:
    """Everybody is ready, and the host begins a match."""
    for name in names:
        assert table.do(name, c.PlayerReadySet(ready=True)) is None
    assert table.do("ann", c.HostStartGame()) is None
    table.settle()


def void_match(table: OfflineTable) -> None:
    """A game that does not begin, because Bob does not cut."""
    table.people["bob"].hangs = True
    begin(table, "ann", "bob")
    table.wait()
    assert table.do("ann", c.HostRematch()) is None


def come_again(table: OfflineTable) -> None:
    """Bob leaves between two matches, and comes back: he owes nothing any more."""
    bob = table.people["bob"]
    assert bob.member is not None
    assert bob.member.owes is not None
    assert table.do("bob", c.RoomLeave()) is None
    assert table.do("bob", c.RoomJoin()) is None
    bob.hangs = False
    bob.come()
    table.settle()


def a_debtor_leaves_unseen_between_matches(missed: int = 1) -> OfflineTable:
    """Dan watches, and is away when Bob leaves the room."""
    table = OfflineTable("sequence", "house", seats=2)
    dan, bob = table.person("dan"), table.person("bob")
    assert table.do("bob", c.RoomJoin()) is None
    table.settle()
    void_match(table)
    assert dan.guard.checker.memory is not None
    assert dan.guard.checker.memory.misses
    dan.go()
    for _ in range(missed - 1):
        come_again(table)
        void_match(table)
    come_again(table)
    begin(table, "ann", "bob")
    dan.come()
    table.settle()
    assert bob.guard.checker.memory is not None
    assert dan.guard.checker.memory.deal == table.room.deals == missed + 1
    return table


def a_debtor_leaves_unseen_between_several_matches() -> OfflineTable:
    return a_debtor_leaves_unseen_between_matches(missed=3)


SCENES: Final[tuple[Callable[[], OfflineTable], ...]] = (
    a_debtor_leaves_unseen_between_matches,
    a_debtor_leaves_unseen_between_several_matches,
)


def record_scenes() -> list[tuple[str, Tape]]:
    """The tape of every checker in each of these rooms."""
    taped: list[tuple[str, Tape]] = []
    for scene in SCENES:
        TapedChecker.tapes.clear()
        with patch.object(room_guard, "Checker", TapedChecker):
            table = scene()
        assert table.alarms() == [], scene.__name__
        taped += [(f"{scene.__name__}, {number}", list(tape)) for number, tape in enumerate(TapedChecker.tapes)]
    return taped

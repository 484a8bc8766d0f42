"""Every log is chained over its bytes as recorded: an entry that was changed, dropped or moved is found."""

import msgspec
import pytest

from croupier.games.blackjack.casino.log import LogError, Opened, Refilled
from croupier.table import commands as c
from croupier.table.apply import handle, open_room
from croupier.table.log import START, ChainError, Logged, chained, entry
from croupier.table.room import Room
from croupier.wire.casino_log import link, read_log, write_entry
from croupier.wire.log import LogReader


def room_log() -> list[bytes]:
    """A room that some people come to, as its actor writes it."""
    head = START
    log = []
    room: Room | None = None
    steps = [("ann", c.RoomCreate("poker")), ("bob", c.RoomJoin()), ("bob", c.PlayerReadySet(ready=True))]
    for number, (who, command) in enumerate(steps):
        logged = entry(who, who, number, command, room=room, room_id="0" * 64 if room is None else "", head=head)
        assert isinstance(logged, Logged)
        done = open_room("ROOM", logged) if room is None else handle(room, logged, b"")
        room = done if isinstance(done, Room) else done.room  # type: ignore[union-attr]
        log.append(msgspec.json.encode(logged))
        head = chained(head, log[-1])
    return log


def read(log: list[bytes]) -> list[Logged]:
    reader = LogReader()
    return [reader.read(record) for record in log]


def test_a_log_as_it_was_written_is_read() -> None:
    assert [type(logged.command).__name__ for logged in read(room_log())] == [
        "RoomCreate",
        "RoomJoin",
        "PlayerReadySet",
    ]


@pytest.mark.parametrize("place", [0, 1])
def test_an_entry_that_was_changed_is_found_by_the_next(place: int) -> None:
    log = room_log()
    log[place] = log[place].replace(b'"atMs":%d' % place, b'"atMs":%d' % (place + 70))
    with pytest.raises(ChainError):
        read(log)


def test_an_entry_that_was_dropped_or_moved_is_found() -> None:
    first, second, third = room_log()
    for broken in ([first, third], [first, third, second], [second, third]):
        with pytest.raises(ChainError):
            read(broken)


def test_a_session_of_the_casino_is_chained_too() -> None:
    opened = Opened(
        at_ms=1, balance_units=0, person="ann", granted_units=1, server_seed_hash="a", next_server_seed_hash="b"
    )
    first = write_entry(opened)
    second = write_entry(Refilled(at_ms=2, balance_units=0, granted_units=5, chain=link(first)))
    third = write_entry(Refilled(at_ms=3, balance_units=0, granted_units=5, chain=link(second)))
    assert len(read_log([first, second, third])) == 3
    assert len(read_log([second, third])) == 2, "from a checkpoint on"
    with pytest.raises(LogError):
        read_log([first, second.replace(b'"grantedChips":5', b'"grantedChips":9'), third])
    with pytest.raises(LogError):
        read_log([first, third])

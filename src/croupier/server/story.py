"""The latest chat and events of a room, for people who come later or reload the page."""

from collections import deque
from typing import Any, Final

import msgspec

from croupier.game.game import SPECTATOR, Told
from croupier.table.room import Member, Room
from croupier.wire.room import RoomStory, Said, StoryEvent

LINES_KEPT_MAX: Final = 150

_encode = msgspec.json.Encoder().encode


class Story:
    """The newest lines of a room's chat and table. Only lines that everybody in the room could hear are kept."""

    def __init__(self) -> None:
        # Encoded when somebody comes: nearly all lines are forgotten before.
        self._lines: deque[Said | StoryEvent] = deque(maxlen=LINES_KEPT_MAX)
        self._members: tuple[Member, ...] = ()
        self._names: tuple[str, ...] = ()

    def say(self, frame: bytes) -> None:
        """Keep a frame that was sent to everybody, if it is chat."""
        if frame.startswith(b'{"type":"CHAT_SAID"'):
            self._lines.append(msgspec.json.decode(frame, type=Said))

    def tell(self, room: Room, told: tuple[Told[Any], ...], at_ms: int) -> None:
        """Keep the public events of a step, with the players' names at that time."""
        heard = [each.event for each in told if each.to.hears(SPECTATOR)]
        if heard:
            if room.members is not self._members or room.seats != len(self._names):
                self._members, self._names = room.members, _names(room)
            self._lines += [StoryEvent(at_ms, event, self._names) for event in heard]

    def encode(self, code: str) -> bytes:
        """The frame with all lines; empty if there are none."""
        return _encode(RoomStory(room_code=code, lines=tuple(self._lines))) if self._lines else b""


def _names(room: Room) -> tuple[str, ...]:
    """The players' names by their seats; empty for a free one."""
    names = [""] * room.seats
    for member in room.players:
        names[member.seat or 0] = member.name
    return tuple(names)

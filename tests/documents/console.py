"""What the terminal says and draws of a position that a test has written down."""

from typing import Any

from croupier.clients.snapshot import Snapshot
from croupier.clients.terminal.words import Words
from croupier.game.game import AnyRules
from croupier.games.poker.rules.events import HoldemEvent
from croupier.games.poker.terminal.story import HoldemStory
from croupier.table.commands import RoomOptions
from croupier.table.room import Member, Room
from croupier.table.roomview import public

NAMES = ("Ann", "Ben", "Cleo", "Dan")


def snapshot(rules: AnyRules, view: Any, events: tuple[Any, ...] = ()) -> Snapshot:
    """What Ann in the first seat sees."""
    members = tuple(Member(name, name, seat=seat) for seat, name in enumerate(NAMES))
    room = Room("CODE", "", "", rules, RoomOptions(), host=NAMES[0], members=members)
    return Snapshot(public(room), NAMES[0], 0, view, (), events)


def told(rules: AnyRules, events: list[HoldemEvent], language: str = "en") -> list[str]:
    """What the console says of a hand, line by line."""
    return HoldemStory(Words(language)).tell(snapshot(rules, None, tuple(events)))

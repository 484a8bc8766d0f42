"""The people connected to a room, on this node and on others."""

from collections.abc import Callable, Sequence
from typing import Final

from croupier.table.room import Room

ACTED_SECONDS: Final = 5.0
"""How long a command given on another node proves that its person is connected there: that node's own report arrives
sooner."""


class Connected:
    """The people of one room who are connected. `here` has those of this node."""

    def __init__(self, here: Callable[[], tuple[str, ...]], monotonic: Callable[[], float]) -> None:
        self._here = here
        self._monotonic = monotonic
        self.elsewhere: dict[str, tuple[str, ...]] = {}
        """The people of other nodes, by node."""
        self._acted: dict[str, float] = {}
        """When people were last seen to give a command on another node."""
        self._sources: tuple[object, ...] = ()
        self._down: tuple[str, ...] = ()

    @property
    def everywhere(self) -> tuple[str, ...]:
        return tuple(sorted({*self._here(), *(person for people in self.elsewhere.values() for person in people)}))

    def hear_of(self, node: str, people: Sequence[str]) -> bool:
        """Note the people connected to another node; none when it is gone. Return whether that changed anything."""
        if tuple(people) == self.elsewhere.get(node, ()):
            return False
        others = {name: known for name, known in self.elsewhere.items() if name != node}
        self.elsewhere = {**others, node: tuple(people)} if people else others
        return True

    def acted(self, person: str) -> None:
        """Note that somebody gave a command on another node, so they are connected there. The store puts this in order
        with everything that happens in the room; that node's own report may come later."""
        if person:
            self._acted = {**self._acted, person: self._monotonic()}

    def down(self, room: Room) -> tuple[str, ...]:
        """The people in seats who are not connected. Every command asks, so the answer is kept until somebody comes or
        goes."""
        if self._acted:
            since = self._monotonic() - ACTED_SECONDS
            self._acted = {person: at for person, at in self._acted.items() if at > since}
        sources = room.members, self._here(), self.elsewhere, tuple(self._acted)
        if sources != self._sources:
            connected = {*self.everywhere, *self._acted}
            players = (member for member in room.players if not member.bot)
            self._sources = sources
            self._down = tuple([member.id for member in players if member.id not in connected])
        return self._down

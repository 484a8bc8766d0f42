"""Who is connected to a room, on this node and on others."""

from collections.abc import Callable, Sequence
from operator import is_not

from croupier.table.room import Room


class Connected:
    """The people of one room who are connected. `here` tells those of this node."""

    def __init__(self, here: Callable[[], tuple[str, ...]]) -> None:
        self._here = here
        self.elsewhere: dict[str, tuple[str, ...]] = {}
        """The people of other nodes, by node."""
        self._sources: tuple[object, ...] = (None, None, None)
        self._down: tuple[str, ...] = ()

    @property
    def everywhere(self) -> tuple[str, ...]:
        return tuple(sorted({*self._here(), *(person for people in self.elsewhere.values() for person in people)}))

    def hear_of(self, node: str, people: Sequence[str]) -> bool:
        """Takes who is connected to another node, nobody when it is gone. Whether that is news."""
        if tuple(people) == self.elsewhere.get(node, ()):
            return False
        others = {name: known for name, known in self.elsewhere.items() if name != node}
        self.elsewhere = {**others, node: tuple(people)} if people else others
        return True

    def down(self, room: Room) -> tuple[str, ...]:
        """The people in seats who are not connected. Every command asks, so it is found anew only when somebody came
        or went."""
        sources = room.members, self._here(), self.elsewhere
        if any(map(is_not, sources, self._sources)):
            connected = set(self.everywhere)
            players = (member for member in room.players if not member.bot)
            self._sources = sources
            self._down = tuple([member.id for member in players if member.id not in connected])
        return self._down

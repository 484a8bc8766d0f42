"""The disk under a node's connection to the database: slow, torn in the middle of a write, or with damaged pages.

A page is damaged for one reading. The last record of a table is spared: only the next one vouches for it, which is what
`croupier store check` is for.
"""

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from tests.simulation.world import World

if TYPE_CHECKING:
    from tests.simulation.node import Node

SLOW_SECONDS: Final = (1.0, 4.0)


class Disk:
    """Draws from a stream of its own, and nothing while all is well with it."""

    def __init__(self, world: World, node: "Node") -> None:
        self._world = world
        self._node = node
        self._random = world.stream(f"disk of {node.place.name}")

    def seconds(self) -> float:
        """How much longer a step takes than it should."""
        slow = self._happens(self._node.faults.disk_slow)
        return self._random.uniform(*SLOW_SECONDS) if slow else 0.0

    def tears(self) -> bool:
        """Whether a write ends in the middle."""
        return self._happens(self._node.faults.write_torn)

    def read(self, stored: list[Any]) -> list[Any]:
        """The records of a table; one of them may be damaged, but not the last."""
        if len(stored) < 2 or not self._happens(self._node.faults.page_corrupt):
            return stored
        at = self._random.randrange(len(stored) - 1)
        self._world.note(f"reads a damaged record {stored[at].version}", self._node.place.name)
        damaged = replace(stored[at], record=self._damaged(stored[at].record))
        return [*stored[:at], damaged, *stored[at + 1 :]]

    def read_snapshot(self, snapshot: bytes | None) -> bytes | None:
        if not snapshot or not self._happens(self._node.faults.page_corrupt):
            return snapshot
        self._world.note("reads a damaged snapshot", self._node.place.name)
        return self._damaged(snapshot)

    def _damaged(self, data: bytes) -> bytes:
        """One letter or digit becomes another, so that what is read still looks like what it was."""
        places = [place for place, byte in enumerate(data) if chr(byte).isascii() and chr(byte).isalnum()]
        at = self._random.choice(places)
        kind = b"0123456789" if chr(data[at]).isdigit() else b"abcdefghij"
        other = self._random.choice([byte for byte in kind if byte != data[at]])
        return data[:at] + bytes([other]) + data[at + 1 :]

    def _happens(self, probability: float) -> bool:
        return bool(probability) and self._random.random() < probability

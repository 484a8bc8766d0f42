"""What every encoding is made of."""

from collections.abc import Iterable

import msgspec


class Part(msgspec.Struct, frozen=True):
    """Some places of an observation that belong together."""

    name: str
    size: int
    about: str


class Layout(msgspec.Struct, frozen=True):
    """What the places of an observation and the numbers of actions mean."""

    parts: tuple[Part, ...]
    actions: tuple[str, ...]

    @property
    def size(self) -> int:
        return sum(part.size for part in self.parts)

    def place(self, name: str) -> slice:
        """Where a part is in the observation."""
        start = 0
        for part in self.parts:
            if part.name == name:
                return slice(start, start + part.size)
            start += part.size
        raise KeyError(name)


def marks(size: int, places: Iterable[int]) -> list[float]:
    """1 at each of these places, 0 elsewhere."""
    values = [0.0] * size
    for place in places:
        values[place] = 1.0
    return values


def part_of(amount: float, whole: float) -> float:
    """An amount as a part of something, cut off at 1; 0 of nothing."""
    return min(max(amount / whole, 0.0), 1.0) if whole else 0.0

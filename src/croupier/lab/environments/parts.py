"""The layout of an encoding, and helpers that fill its places."""

from collections.abc import Iterable, Sequence

import msgspec


class Part(msgspec.Struct, frozen=True):
    """A named group of places of an observation."""

    name: str
    size: int
    about: str


class Layout(msgspec.Struct, frozen=True):
    """The meaning of an observation's places and of action numbers."""

    parts: tuple[Part, ...]
    actions: tuple[str, ...]

    @property
    def size(self) -> int:
        return sum(part.size for part in self.parts)

    def place(self, name: str) -> slice:
        """The places of a part in the observation."""
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
    """An amount as a share of a whole, at most 1; 0 if the whole is 0."""
    return min(max(amount / whole, 0.0), 1.0) if whole else 0.0


def described(layout: Layout, observation: Sequence[float]) -> str:
    """An observation as readable text: of each part what it means and the places that are not 0, with their values."""
    if len(observation) != layout.size:
        raise ValueError(f"an observation of this game has {layout.size} numbers, not {len(observation)}")
    lines = []
    for part in layout.parts:
        values = observation[layout.place(part.name)]
        told = " ".join(f"{place}:{value:.3g}" for place, value in enumerate(values) if value)
        lines.append(f"{part.name} ({part.about}): {told or '-'}")
    return "\n".join(lines)

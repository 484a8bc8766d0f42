"""From views to arrays, and from menus to numbered actions: what an encoding promises, and each game's by name."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final, Protocol

import msgspec

from croupier.lab.environments.blackjack import BlackjackEncoding
from croupier.lab.environments.holdem import HoldemEncoding
from croupier.lab.environments.parts import Layout
from croupier.lab.environments.sequence import SequenceEncoding
from croupier.rules.game import AnyRules, Offer

__all__ = ["Encoding", "Layout", "encoding_of"]


class Encoding(Protocol):
    """A game for programs that learn. All numbers of an observation are from 0 to 1."""

    layout: Layout
    unit: int
    """How many chips or points a reward of 1 is."""

    def setup(self, setup: Any, random: Random) -> Any:
        """The beginning of an episode: whoever comes first, or has the button, is drawn."""

    def observe(self, view: Any, seat: int) -> Mapping[str, Sequence[float]]:
        """The parts of the layout, from a seat's own view."""

    def choices(self, view: Any, menu: tuple[Offer[Any], ...]) -> dict[int, Any]:
        """The actions that can be taken now, by number. No two of them are the same."""


_ENCODINGS: Final[dict[str, Callable[[Any], Encoding]]] = {
    "blackjack": BlackjackEncoding,
    "holdem": HoldemEncoding,
    "sequence": SequenceEncoding,
}


def encoding_of(rules: AnyRules) -> Encoding:
    return _ENCODINGS[rules.game](rules)


def flat(layout: Layout, parts: Mapping[str, Sequence[float]]) -> list[float]:
    """An observation's parts one after the other, as the layout has them."""
    values: list[float] = []
    for part in layout.parts:
        assert len(parts[part.name]) == part.size, f"{part.name} has {len(parts[part.name])} places, not {part.size}"
        values += parts[part.name]
    return values


def text(view: msgspec.Struct) -> str:
    """A view for a person's eyes."""
    return msgspec.json.format(msgspec.json.encode(view)).decode()

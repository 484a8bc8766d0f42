"""Encodings turn views into arrays and menus into numbered actions: their protocol, and the encoding of a game."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Protocol

import msgspec

from croupier.game.game import AnyRules, Offer
from croupier.game.parts import load_part
from croupier.game.registry import GAMES
from croupier.lab.environments.generic import GenericEncoding
from croupier.lab.environments.parts import Layout

__all__ = ["Encoding", "Layout", "encoding_of"]


class Encoding(Protocol):
    """A game for learning programs. All numbers of an observation are from 0 to 1."""

    layout: Layout
    unit: int
    """How many chips or points make a reward of 1."""

    def setup(self, setup: Any, random: Random) -> Any:
        """The setup of an episode. An encoding may draw the first player, or the button, at random."""

    def observe(self, view: Any, seat: int) -> Mapping[str, Sequence[float]]:
        """The parts of the layout, from a seat's own view, which has the history of the round."""

    def choices(self, view: Any, menu: tuple[Offer[Any], ...]) -> dict[int, Any]:
        """The actions that can be taken now, by number. No two of them are the same."""


def encoding_of(rules: AnyRules, pot_shares: Sequence[float] | None = None) -> Encoding:
    """The encoding that the game brings, or the one for any game. Raises ValueError for sizes in a game that has no
    pot."""
    named = GAMES[rules.game].environment
    encoding: Encoding = load_part(named)(rules) if named else GenericEncoding(rules)
    if pot_shares is None:
        return encoding
    sized: Callable[[Sequence[float]], Encoding] | None = getattr(encoding, "with_pot_shares", None)
    if sized is None:
        raise ValueError(f"pot_shares={pot_shares} is not possible: {rules.game} has no bets by the pot")
    return sized(pot_shares)


def flat(layout: Layout, parts: Mapping[str, Sequence[float]]) -> list[float]:
    """An observation's parts in the order of the layout."""
    values: list[float] = []
    for part in layout.parts:
        assert len(parts[part.name]) == part.size, f"{part.name} has {len(parts[part.name])} places, not {part.size}"
        values += parts[part.name]
    return values


def text(view: msgspec.Struct) -> str:
    """A view as readable text."""
    return msgspec.json.format(msgspec.json.encode(view)).decode()

"""What a blackjack hand is worth."""

from collections.abc import Iterable
from typing import Final

import msgspec

from croupier.cards import PACK, Card

TARGET: Final = 21
POINTS: Final[dict[Card, int]] = {
    card: 1 if card.rank == "A" else 10 if card.rank in "TJQK" else int(card.rank) for card in PACK
}
"""Card values: 2–9 as written; ten, jack, queen and king 10; an ace 1. `total` counts an ace 11 where that helps."""


class Total(msgspec.Struct, frozen=True):
    """A hand's value: `hard` counts every ace one; `soft` counts one ace eleven, where there is one."""

    hard: int
    soft: int

    @property
    def best(self) -> int:
        """The higher of the two that does not exceed 21, else the hard one."""
        return self.soft if self.soft <= TARGET else self.hard

    @property
    def is_soft(self) -> bool:
        """Whether an ace counts eleven in `best`."""
        return self.hard < self.soft <= TARGET


def total(cards: Iterable[Card], ace: str = "best") -> Total:
    """The value of some cards, with aces counting 1 or 11 (`best`) or always 1 (`one`)."""
    points = [POINTS[card] for card in cards]
    hard = sum(points)
    return Total(hard, hard + 10 if 1 in points and ace == "best" else hard)


def is_blackjack(cards: tuple[Card, ...]) -> bool:
    """Whether two cards are an ace and a ten. The caller must check that the hand was not split."""
    return len(cards) == 2 and sorted(POINTS[card] for card in cards) == [1, 10]


def is_pair(cards: tuple[Card, ...]) -> bool:
    """Whether two cards have the same point value, so that they may be split."""
    return len(cards) == 2 and POINTS[cards[0]] == POINTS[cards[1]]

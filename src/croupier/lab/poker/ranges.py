"""Ranges of starting hands in the usual notation.

| written | means |
| --- | --- |
| `AsKs` | these two cards |
| `QQ` | the pair, all six combinations |
| `AK`, `AKs`, `AKo` | ace and king: all 16, the 4 of one suit, the 12 of two suits |
| `QQ+` | the pair and every higher one |
| `A5s+` | the second card rises to below the first: A5s … AKs |
| `22-77` | pairs from … to, in either order |
| `A5s-A2s` | the second card from … to |
| `T9s-76s` | both cards step down together: T9s, 98s, 87s, 76s |
| `15%` | the best 15 % of all hands of the pack, by their equity against a random hand (`hand_order`) |
| `random` | any two cards |
| `AKs:0.5` | half as likely as the rest; a weight is above 0 and at most 1 |

Commas or blanks separate words. Upper and lower case are the same, and so are `10` and `T`. A combination that is
written several times counts once, with its last weight: `22+,AA:0.5` holds aces at half.
"""

import re
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any, Final, TypeAlias

import msgspec

from croupier.cards import PACK, RANKS, SUITS, Card
from croupier.lab.errors import LabError
from croupier.lab.poker.hand_order import HAND_ORDER, SHORT_HAND_ORDER

Combination: TypeAlias = tuple[Card, Card]
"""Two different cards, the higher number first."""

RANDOM: Final = "random"

_SHAPE: Final = re.compile(rf"([{RANKS}])([{RANKS}])([so]?)", re.IGNORECASE)
_PAIR_OF_CARDS: Final = re.compile(rf"([{RANKS}])([{SUITS}])([{RANKS}])([{SUITS}])", re.IGNORECASE)


class EquityError(LabError):
    """An equity that cannot be computed. `refusal` says why; the exception's text is English."""


class Range(msgspec.Struct, frozen=True):
    """Starting hands with their weights, and the text they were written as."""

    written: str
    weights: dict[Combination, float]

    def to_numpy(self) -> Any:
        """How much of each starting hand is in the range, 0 to 1: an array 13 × 13 by rank from the ace, suited hands
        above the diagonal, pairs on it."""
        import numpy as np

        grid, full = np.zeros((13, 13)), np.zeros((13, 13))
        for some, into in ((self.weights, grid), (dict.fromkeys(_ALL, 1.0), full)):
            for (one, other), weight in some.items():
                into[_place(one, other)] += weight
        return grid / full

    def to_pandas(self) -> Any:
        """The same as a data frame, with the ranks as names. Needs pandas."""
        import pandas as pd

        return pd.DataFrame(self.to_numpy(), index=list(_RANKS_DOWN), columns=list(_RANKS_DOWN))

    def _repr_svg_(self) -> str:
        """The range as the usual chart, each hand filled as much as it is in the range."""
        cells = []
        for (row, column), share in _cells(self.to_numpy()):
            high, low = sorted((row, column))
            name = _RANKS_DOWN[high] + _RANKS_DOWN[low] + ("" if row == column else "s" if row < column else "o")
            x, y = 34 * column, 24 * row
            cells.append(
                f'<rect x="{x}" y="{y}" width="34" height="24" fill="#2a7" fill-opacity="{share:.3g}" stroke="#999"/>'
                f'<text x="{x + 17}" y="{y + 16}" font-size="11" text-anchor="middle">{name}</text>'
            )
        size = f'width="{34 * 13}" height="{24 * 13}"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">{"".join(cells)}</svg>'


_RANKS_DOWN: Final = RANKS[::-1]


def _place(one: Card, other: Card) -> tuple[int, int]:
    """Row and column of a starting hand in the chart."""
    high, low = sorted((_RANKS_DOWN.index(one.rank), _RANKS_DOWN.index(other.rank)))
    return (high, low) if one.suit == other.suit else (low, high)


def _cells(grid: Any) -> Iterator[tuple[tuple[int, int], float]]:
    for row in range(13):
        for column in range(13):
            yield (row, column), float(grid[row, column])


class _Shape(msgspec.Struct, frozen=True):
    """A shape like `AKs`: the ranks by number, the higher first, and `s`, `o` or nothing."""

    high: int
    low: int
    suits: str

    def combinations(self) -> Iterator[Combination]:
        highs, lows = (PACK[4 * rank : 4 * rank + 4] for rank in (self.high, self.low))
        if self.high == self.low:
            yield from ((one, other) for other, one in combinations(highs, 2))
            return
        for one, other in product(highs, lows):
            if not self.suits or (one.suit == other.suit) == (self.suits == "s"):
                yield one, other


def parse(text: str, *, is_short: bool = False) -> Range:
    """Read a range; of the short pack, `15%` and `random` mean its hands. Raises EquityError that names the first
    unreadable word."""
    words = text.replace(",", " ").split()
    if not words:
        raise EquityError("RANGE_EMPTY", range=text)
    weights: dict[Combination, float] = {}
    for word in words:
        hands, colon, weight = word.partition(":")
        share = weight_of(word, weight) if colon else 1.0
        weights.update((combination, share) for combination in _combinations(hands, word, is_short=is_short))
    return Range(text.strip(), weights)


def weight_of(word: str, text: str) -> float:
    """The weight that a word ends with."""
    # Digits with at most one point: float() also accepts "nan", "1e-400" and digits of other alphabets.
    if not re.fullmatch(r"[0-9]{0,20}(\.[0-9]{0,20})?", text) or not any(digit in "123456789" for digit in text):
        raise EquityError("RANGE_WEIGHT", word=word)
    weight = float(text)
    if weight > 1:
        raise EquityError("RANGE_WEIGHT", word=word)
    return weight


def _combinations(hands: str, word: str, *, is_short: bool) -> Iterator[Combination]:
    if hands.lower() == RANDOM:
        return iter(_ALL_SHORT if is_short else _ALL)
    if hands.endswith("%"):
        kinds, of = (SHORT_HAND_ORDER, _ALL_SHORT) if is_short else (HAND_ORDER, _ALL)
        return _best(hands[:-1], word, kinds, len(of))
    hands = hands.replace("10", "T")
    if found := _PAIR_OF_CARDS.fullmatch(hands):
        return iter([_two_cards(*found.groups())])
    first, dash, last = hands.partition("-")
    if dash:
        shapes = _between(_shape(first, word), _shape(last, word), word)
    elif hands.endswith("+"):
        shapes = _upwards(_shape(hands[:-1], word))
    else:
        shapes = [_shape(hands, word)]
    return (combination for shape in shapes for combination in shape.combinations())


def _best(percent: str, word: str, kinds: tuple[str, ...], hands: int) -> Iterator[Combination]:
    """The best hands that make up so many percent, as nearly as whole kinds of hands can; at least one kind."""
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,9})?", percent) or not 0 < float(percent) <= 100:
        raise EquityError("RANGE_PERCENT", word=word)
    wanted, taken = float(percent) / 100 * hands, 0
    chosen: list[Combination] = []
    for kind in kinds:
        some = list(_shape(kind, word).combinations())
        if chosen and abs(taken + len(some) - wanted) > abs(taken - wanted):
            break
        chosen += some
        taken += len(some)
    return iter(chosen)


def _two_cards(first_rank: str, first_suit: str, second_rank: str, second_suit: str) -> Combination:
    first = Card(first_rank.upper() + first_suit.lower())
    second = Card(second_rank.upper() + second_suit.lower())
    if first is second:
        raise EquityError("EQUITY_CARD_REPEATED", card=str(first))
    return (first, second) if first.number > second.number else (second, first)


def _shape(text: str, word: str) -> _Shape:
    found = _SHAPE.fullmatch(text)
    if not found:
        raise EquityError("RANGE_UNREADABLE", word=word, ranks=RANKS, suits=SUITS)
    low, high = sorted(RANKS.index(rank.upper()) for rank in found.group(1, 2))
    suits = found[3].lower()
    if high == low and suits:
        raise EquityError("RANGE_SUITED_PAIR", word=word)
    return _Shape(high, low, suits)


def _upwards(shape: _Shape) -> list[_Shape]:
    if shape.high == shape.low:
        return [_Shape(rank, rank, "") for rank in range(shape.low, len(RANKS))]
    return [_Shape(shape.high, low, shape.suits) for low in range(shape.low, shape.high)]


def _between(one: _Shape, other: _Shape, word: str) -> list[_Shape]:
    bottom, top = sorted((one, other), key=lambda shape: (shape.high, shape.low))
    steps = range(top.low - bottom.low + 1)
    if one.suits == other.suits:
        if top.high == bottom.high:
            return [_Shape(top.high, bottom.low + step, top.suits) for step in steps]
        if top.high - top.low == bottom.high - bottom.low:
            return [_Shape(bottom.high + step, bottom.low + step, top.suits) for step in steps]
    raise EquityError("RANGE_UNEVEN", word=word)


_ALL: Final = tuple((one, other) for other, one in combinations(PACK, 2))
_ALL_SHORT: Final = tuple((one, other) for other, one in combinations(PACK[4 * RANKS.index("6") :], 2))

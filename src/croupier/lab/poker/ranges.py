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
| `random` | any two cards |
| `AKs:0.5` | half as likely as the rest; a weight is above 0 and at most 1 |

Commas or blanks separate words. Upper and lower case are the same. A combination that is written several times counts
once, with its last weight: `22+,AA:0.5` holds aces at half.
"""

import re
from collections.abc import Iterator
from itertools import combinations, product
from typing import Final, TypeAlias

import msgspec

from croupier import locales
from croupier.cards import PACK, RANKS, SUITS, Card
from croupier.game.refusal import Fact, Refusal

Combination: TypeAlias = tuple[Card, Card]
"""Two different cards, the higher number first."""

RANDOM: Final = "random"

_SHAPE: Final = re.compile(rf"([{RANKS}])([{RANKS}])([so]?)", re.IGNORECASE)
_PAIR_OF_CARDS: Final = re.compile(rf"([{RANKS}])([{SUITS}])([{RANKS}])([{SUITS}])", re.IGNORECASE)


class EquityError(ValueError):
    """An equity that cannot be computed. `refusal` says why; the exception's text is English."""

    def __init__(self, code: str, **facts: Fact) -> None:
        self.refusal = Refusal(code, facts)
        super().__init__(locales.text("en", f"code.{code}", **facts))


class Range(msgspec.Struct, frozen=True):
    """Starting hands with their weights, and the text they were written as."""

    written: str
    weights: dict[Combination, float]


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


def parse(text: str) -> Range:
    """Read a range. Raises EquityError that names the first unreadable word."""
    words = text.replace(",", " ").split()
    if not words:
        raise EquityError("RANGE_EMPTY", range=text)
    weights: dict[Combination, float] = {}
    for word in words:
        hands, colon, weight = word.partition(":")
        share = _weight(word, weight) if colon else 1.0
        weights.update((combination, share) for combination in _combinations(hands, word))
    return Range(text.strip(), weights)


def _weight(word: str, text: str) -> float:
    # Digits with at most one point: float() also accepts "nan", "1e-400" and digits of other alphabets.
    if not re.fullmatch(r"[0-9]{0,20}(\.[0-9]{0,20})?", text) or not any(digit in "123456789" for digit in text):
        raise EquityError("RANGE_WEIGHT", word=word)
    weight = float(text)
    if weight > 1:
        raise EquityError("RANGE_WEIGHT", word=word)
    return weight


def _combinations(hands: str, word: str) -> Iterator[Combination]:
    if hands.lower() == RANDOM:
        return iter(_ALL)
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

"""The 169 starting hands that differ by ranks and by being suited: `AA`, `AKs`, `AKo`.

They are numbered row by row through the usual 13 × 13 grid: pairs on the diagonal from aces down, suited hands above
it, offsuit hands below. So hand `13 × row + column` stands in that row and column.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANKS
from croupier.lab.poker.ranges import parse

SIDE: Final = len(RANKS)
HIGH_TO_LOW: Final = RANKS[::-1]
PAIR, SUITED, OFFSUIT = 6, 4, 12
"""The number of combinations of each kind of hand."""
ALL_COMBINATIONS: Final = 1326
SHARE_MIN: Final = 0.0005
"""A frequency below this, or as close to one, is written as never or always."""


def _name(row: int, column: int) -> str:
    high, low = HIGH_TO_LOW[min(row, column)], HIGH_TO_LOW[max(row, column)]
    return high + low + ("" if row == column else "s" if row < column else "o")


HANDS: Final = tuple(_name(row, column) for row in range(SIDE) for column in range(SIDE))
NUMBERS: Final = {name: number for number, name in enumerate(HANDS)}
COMBINATIONS: Final = tuple({0: PAIR, 1: SUITED, 2: OFFSUIT}["so".find(name[2:] or "-") + 1] for name in HANDS)


def combination_cards() -> list[NDArray[np.uint8]]:
    """The combinations of each hand, a row of two card numbers each."""
    return [np.array([[one.number, other.number] for one, other in parse(name).weights], np.uint8) for name in HANDS]


def share(frequencies: Sequence[float]) -> float:
    """The part of all combinations that a range plays."""
    return sum(c * f for c, f in zip(COMBINATIONS, frequencies, strict=True)) / ALL_COMBINATIONS


def range_text(frequencies: Sequence[float]) -> str:
    """The range in the notation of `ranges`, as short as neighbours allow; `-` if it is empty.

    A hand that is played at times has its frequency behind a colon, with two digits at most.
    """
    rounded = [_rounded(each) for each in frequencies]
    return ",".join(_words(rounded)) or "-"


def _rounded(frequency: float) -> float:
    if frequency < SHARE_MIN:
        return 0.0
    return 1.0 if frequency > 1 - SHARE_MIN else max(0.01, min(0.99, round(frequency, 2)))


def _words(rounded: Sequence[float]) -> Iterator[str]:
    pairs = [(HANDS[14 * row], rounded[14 * row]) for row in range(SIDE)]
    yield from _runs(pairs)
    for suits in "so":
        for row in range(SIDE):
            names = [HIGH_TO_LOW[row] + HIGH_TO_LOW[column] + suits for column in range(row + 1, SIDE)]
            yield from _runs([(name, rounded[NUMBERS[name]]) for name in names])


def _runs(line: Sequence[tuple[str, float]]) -> Iterator[str]:
    """The words for a line of neighbours, the highest first: `QQ+`, `99-77`, `A5s`, each with its weight."""
    start = 0
    while start < len(line):
        weight = line[start][1]
        end = start
        while end + 1 < len(line) and line[end + 1][1] == weight:
            end += 1
        if weight:
            yield _run(line[start][0], line[end][0], start) + ("" if weight == 1 else f":{weight:g}")
        start = end + 1


def _run(first: str, last: str, start: int) -> str:
    if first == last:
        return first
    return f"{last}+" if start == 0 else f"{first}-{last}"

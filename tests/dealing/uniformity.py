"""Chi-square tests of a shuffle. Seeds are fixed, so the answer is the same in every run."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import permutations

from scipy.special import chdtrc

Shuffle = Callable[[int, int], Sequence[int]]
"""The order that the `number`-th shuffle gives to 0 … size − 1."""

SIGNIFICANCE = 0.001


def looks_even(statistic: float, freedom: int) -> bool:
    """Neither further from even than chance allows, nor too close to it."""
    return bool(SIGNIFICANCE < chdtrc(freedom, statistic) < 1 - SIGNIFICANCE)


def every_order_is_as_likely(shuffle: Shuffle, size: int, shuffles: int) -> bool:
    """Counts whole orders of a few cards."""
    seen = Counter(tuple(shuffle(size, number)) for number in range(shuffles))
    orders = list(permutations(range(size)))
    expected = shuffles / len(orders)
    statistic = sum((seen[order] - expected) ** 2 / expected for order in orders)
    return looks_even(statistic, len(orders) - 1)


def every_card_is_as_likely_at_every_place(shuffle: Shuffle, size: int, shuffles: int) -> bool:
    """Counts which card comes to which place of a whole pack."""
    seen = Counter(place for number in range(shuffles) for place in enumerate(shuffle(size, number)))
    expected = shuffles / size
    statistic = sum((seen[place, card] - expected) ** 2 / expected for place in range(size) for card in range(size))
    # A shuffle puts each card and fills each place once, so rows and columns have no freedom of their own.
    return looks_even(statistic * (size - 1) / size, (size - 1) ** 2)

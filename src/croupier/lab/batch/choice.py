"""Compiled: a random one of some offers, each equally likely, and a size that is uniform in its range."""

from typing import Any

from numba import int64, uint64

from croupier.lab.batch.bits import nth, size
from croupier.lab.compiler import inlined
from croupier.lab.random_numbers import GOLDEN_STEP, draw_below, mix, wide_product


@inlined
def size_between(chance: Any, low: int, high: int) -> tuple[Any, int]:
    """The next state of a SplitMix64 generator, and a number from `low` to `high`; all are equally likely."""
    limit = uint64(high - low + 1)
    while True:
        chance += GOLDEN_STEP
        number, rest = wide_product(mix(chance), limit)
        if rest >= limit or rest >= (uint64(0) - limit) % limit:
            return chance, low + int64(number)


@inlined
def choose(chance: Any, kinds: int, sized: int, low: int, high: int) -> tuple[Any, int, int]:
    """The generator's next state, one of the kinds, and an amount if it is one of `sized`; both are sets of bits."""
    chance, place, _ = draw_below(chance, size(int64(kinds)))
    kind = nth(kinds, int64(place))
    amount = 0
    if sized >> kind & 1:
        chance, amount = size_between(chance, low, high)
    return chance, kind, amount

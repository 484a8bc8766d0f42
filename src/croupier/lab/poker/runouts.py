"""All ways to complete a board, by ranks and by the cards of one suit. They are the same for every hand."""

from functools import cache
from itertools import combinations, groupby
from math import factorial, prod
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.lab.poker.evaluator_tables import RANK_BITS, rank_counts, rank_keys

NO_CARD: Final = 52
"""Fills up rows of fewer than five cards."""
BOARD_CARDS: Final = 5


class Runouts(NamedTuple):
    """Zero to five cards to come. The rows for `n` cards are those from `starts[n]` to `starts[n + 1]`.

    `rank_cards` has 4 × rank + the number of earlier cards of that rank for each card, so the ranks 7, 7, 4 are 28, 29,
    16. `orders` is the number of orders in which cards of equal rank can be taken. The keys have no suit counters.
    """

    rank_cards: NDArray[np.uint8]
    rank_keys: NDArray[np.uint64]
    orders: NDArray[np.int64]
    rank_starts: NDArray[np.int64]
    suit_masks: NDArray[np.uint64]
    suit_keys: NDArray[np.uint64]
    suit_starts: NDArray[np.int64]


@cache
def runouts() -> Runouts:
    counts = [rank_counts(cards) for cards in range(BOARD_CARDS + 1)]
    rows = [row for some in counts for row in some.tolist()]
    cards = [[4 * rank + taken for rank in range(13) for taken in range(row[rank])] for row in rows]
    subsets = [some for size in range(BOARD_CARDS + 1) for some in combinations(range(13), size)]
    sizes = [len(list(same)) for _, same in groupby(subsets, len)]
    return Runouts(
        rank_cards=np.array([row + [NO_CARD] * (BOARD_CARDS - len(row)) for row in cards], np.uint8),
        rank_keys=_shifted(np.array([np.dot(row, rank_keys()) for row in rows])),
        orders=np.array([prod(map(factorial, row)) for row in rows]),
        rank_starts=np.cumsum([0, *map(len, counts)]),
        suit_masks=np.array([sum(1 << rank for rank in some) for some in subsets], np.uint64),
        suit_keys=_shifted(np.array([rank_keys()[list(some)].sum() for some in subsets])),
        suit_starts=np.cumsum([0, *sizes]),
    )


def _shifted(sums: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Shifted to the place of the ranks in a key. Overflow is dropped, as in every sum of keys."""
    return sums.astype(np.uint64) << np.uint64(64 - RANK_BITS)

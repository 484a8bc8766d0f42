"""The fast poker evaluator. Its ranks equal those of the plain one, `games.poker.rules.evaluate`."""

import numpy as np
from numpy.typing import NDArray

from croupier.cards import PACK, text
from croupier.lab.poker import kernels as poker_kernels
from croupier.lab.poker.evaluator_tables import CLASSES, tables
from croupier.lab.threads import pool

SIZES = (5, 6, 7)


def ranks(hands: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """The rank of the best five cards of every row, from 1 (royal flush) to 7462. Equal hands have equal ranks.

    `hands` has one hand a row: 5, 6 or 7 cards by `Card.number` (4 × rank + suit, 0 is 2c, 51 is As), as `uint8`.
    Raises ValueError that says what is wrong with any other input, also for a card twice in a hand.
    """
    if not isinstance(hands, np.ndarray) or hands.dtype != np.uint8:
        found = hands.dtype if isinstance(hands, np.ndarray) else type(hands).__name__
        raise ValueError(f"hands must be a NumPy array of uint8, not {found}")
    if hands.ndim != 2 or hands.shape[1] not in SIZES:
        raise ValueError(f"hands must have the shape (n, 5), (n, 6) or (n, 7), not {hands.shape}")
    rows = np.ascontiguousarray(hands)
    result = np.empty(len(rows), np.uint16)
    rank_rows = poker_kernels.rank_sevens if rows.shape[1] == 7 else poker_kernels.rank_hands
    fault = rank_rows(tables(rows.shape[1]), rows.reshape(-1), result)
    if fault >= 0:
        highest = rows[fault].max()
        if highest >= len(PACK):
            raise ValueError(f"hand {fault} has the card number {highest}: cards are numbered 0 to 51")
        cards = [PACK[number] for number in rows[fault]]
        twice = next(card for card in cards if cards.count(card) > 1)
        raise ValueError(f"hand {fault} has {twice} more than once: {text(cards)}")
    return result


def census() -> NDArray[np.int64]:
    """How many of the 133,784,560 seven-card hands have each rank, by ranking them all, on all cores.

    The place in the array is the rank; no hand has rank 0.
    """
    ready = tables(7)

    def with_lowest(card: int) -> NDArray[np.uint32]:
        counts = np.zeros(CLASSES + 1, np.uint32)
        poker_kernels.count_sevens(ready, card, counts)
        return counts

    total = np.zeros(CLASSES + 1, np.int64)
    for counts in pool().map(with_lowest, range(len(PACK) - 6)):
        total += counts
    return total

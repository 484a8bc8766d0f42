"""The tables of the Omaha evaluator: exactly two hole cards and three of the board.

Without a flush a board is one of 6,175 combinations of ranks, and two hole cards are one of 91. The best hand of every
board with every pair of ranks stands in a table of 1.1 MB; the 91 entries of a board lie side by side, in three lines
of the cache. A hand of four cards takes six lookups there, instead of sixty in a table of five cards. A low takes one
lookup: by the low ranks of the board, 8 bits, and of the hole cards, 8 bits.
"""

from functools import cache
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.lab.compiler import kernel
from croupier.lab.poker.evaluator_tables import RANK_BITS, Tables, rank_counts, rank_keys, tables
from croupier.lab.poker.kernels import unsuited_rank

RANK_PAIRS: Final = 91
NO_LOW: Final = 1 << 8
"""Worse than any low."""
_WORST: Final = 0xFFFF


class OmahaTables(NamedTuple):
    five: Tables
    boards: NDArray[np.uint16]
    """The number of a board, by its place among the hands of five cards."""
    pairs: NDArray[np.uint8]
    """The number of a pair of ranks, by 13 × one + the other."""
    highs: NDArray[np.uint16]
    """91 × the board + the pair: the rank of the best hand without a flush."""
    lows: NDArray[np.uint16]
    """256 × the low ranks of the board + those of the hole cards: the best low. The ace is the lowest bit."""
    low_bits: NDArray[np.uint8]
    """The low rank of a card as a bit; 0 for nine and higher."""


@cache
def omaha_tables() -> OmahaTables:
    five = tables(5)
    counts = rank_counts(5)
    keys = rank_keys()
    sums = (counts @ keys) % (1 << RANK_BITS)
    places = five.offsets[sums >> 14].astype(np.int64) + sums % (1 << 14)
    boards = np.zeros(len(five.ranks), np.uint16)
    boards[places] = np.arange(len(counts))
    pairs = np.zeros((13, 13), np.uint8)
    both = [(high, low) for high in range(13) for low in range(high + 1)]
    for number, (high, low) in enumerate(both):
        pairs[high, low] = pairs[low, high] = number
    ranks = np.array([[rank for rank in range(13) for _ in range(row[rank])] for row in counts], np.uint8)
    highs = np.full(len(counts) * RANK_PAIRS, _WORST, np.uint16)
    shifted = keys.astype(np.uint64) << np.uint64(64 - RANK_BITS)
    _fill_highs(five, ranks, counts, shifted, np.array(both, np.uint8), highs)
    low_bits = np.array([1 << (number // 4 + 1) % 13 if (number // 4 + 1) % 13 < 8 else 0 for number in range(52)])
    return OmahaTables(five, boards, pairs.reshape(-1), highs, _lows(), low_bits.astype(np.uint8))


@kernel
def _fill_highs(
    five: Tables,
    boards: NDArray[np.uint8],
    counts: NDArray[np.int64],
    keys: NDArray[np.uint64],
    pairs: NDArray[np.uint8],
    highs: NDArray[np.uint16],
) -> None:
    for board in range(len(boards)):
        row = boards[board]
        for pair in range(len(pairs)):
            one, other = pairs[pair]
            # A pack has no five cards of a rank.
            if counts[board, one] + (2 if one == other else 1) > 4 or counts[board, other] + 1 > 4:
                continue
            best = np.uint16(0xFFFF)
            for left_out in range(4):
                for also in range(left_out + 1, 5):
                    key = keys[one] + keys[other]
                    for place in range(5):
                        if place not in (left_out, also):
                            key += keys[row[place]]
                    best = min(best, unsuited_rank(five, key))
            highs[board * RANK_PAIRS + pair] = best


def _lows() -> NDArray[np.uint16]:
    """For every set of low ranks of a board and of hole cards the best low, as a set of five ranks."""
    lows = np.full((256, 256), NO_LOW, np.uint16)
    bits = [1 << place for place in range(8)]
    twos = [sum(two) for two in combinations(bits, 2)]
    masks = np.arange(256)
    for two in twos:
        holds = (masks & two) == two
        for three in map(sum, combinations(bits, 3)):
            if not two & three:
                has = (masks & three) == three
                block = np.ix_(has, holds)
                lows[block] = np.minimum(lows[block], two | three)
    return lows.reshape(-1)

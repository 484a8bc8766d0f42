"""Every hand a player can hold without being bust, once and for all rule sets, and the shoes that they leave.

A hand is a multiset of the ten ranks, ace first (index 0) and tens last (index 9). Suits and the order of the cards
never matter to blackjack, so 3,083 hands are all there are, counting the empty one and the single cards.
"""

from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

TARGET: Final = 21
RANKS: Final = 10
ACE: Final = 0
TEN: Final = 9
TENS_PER_DECK: Final = 16
BITS: Final = 5
"""Bits for the count of one rank in a multiset's key: no multiset here has more than 31 cards of a rank."""
WEIGHTS: Final = np.int64(1) << (BITS * np.arange(RANKS, dtype=np.int64))
"""A multiset's key, one number for it, is the sum of these over its cards."""
HAND_LISTS: Final = 1 + RANKS
"""All hands, then for each rank the hands that contain it: what a hand from splitting that rank can be."""

Ints: TypeAlias = npt.NDArray[np.int32]
Keys: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]


class Hands(NamedTuple):
    """Parallel arrays, a row a hand, ordered so that whatever a hand can become by a card stands before it, and so
    that hands of one cell of a strategy table stand together."""

    counts: Ints
    """How many cards of each rank, `[hand, rank]`."""
    size: Ints
    hard: Ints
    """The total with every ace as one."""
    total: Ints
    """The total as it counts best."""
    soft: npt.NDArray[np.bool_]
    child: Ints
    """The hand after one card more, `[hand, rank]`; -1 is bust."""
    row_of_key: dict[int, int]
    """A hand's row by its key."""


class Lists(NamedTuple):
    """The hands of `Hands`, then once more the hands that contain an ace, a two, … a ten: one entry for each."""

    start: Ints
    """Where each of the eleven lists begins, and where the last one ends."""
    hand: Ints
    child: Ints
    """Entries of the same list after one card more, `[entry, rank]`; -1 is bust."""


class Shoes(NamedTuple):
    """What can be missing from the shoe, besides the upcard, when a hand stands.

    For a hand from a split of rank P, at level j, that is the hand, the P of the other hand, and j further P's.
    """

    counts: Ints
    """`[shoe, rank]`, without doublets."""
    of_entry: Ints
    """`[level, entry]`, the shoe behind an entry of `Lists`; level 0 alone is used for unsplit hands."""


def decks_of(decks: int) -> Ints:
    """How many cards of each rank there are in some decks."""
    cards = np.full(RANKS, 4 * decks, np.int32)
    cards[TEN] = TENS_PER_DECK * decks
    return cards


@lru_cache
def hands(ace_is_one: bool) -> Hands:
    """All hands, with an ace counting always one or as it is best."""
    found: list[list[int]] = []

    def extend(counts: list[int], hard: int, highest: int) -> None:
        found.append(counts)
        for rank in range(highest, RANKS):
            if hard + rank + 1 <= TARGET:
                extend([count + (rank == other) for other, count in enumerate(counts)], hard + rank + 1, rank)

    extend([0] * RANKS, 0, 0)
    counts = np.array(found, np.int32)
    hard: Ints = (counts @ np.arange(1, RANKS + 1)).astype(np.int32)
    soft = (counts[:, ACE] > 0) & (hard + 10 <= TARGET) & (not ace_is_one)
    total = np.where(soft, hard + 10, hard).astype(np.int32)
    # Hits lead from hard 10 or less to soft hands, from these to hard 12 or more, and never back.
    stage = np.where(soft, 1, np.where(hard >= 11, 0, 2))
    order = np.lexsort((-total, stage))
    if ace_is_one:
        order = np.argsort(-hard, kind="stable")
    counts, hard, soft, total = counts[order], hard[order], soft[order], total[order]
    names = counts.astype(np.int64) @ WEIGHTS
    index = {name: number for number, name in enumerate(names.tolist())}
    by_name = np.argsort(names)
    longer = names[:, None] + WEIGHTS
    found_at = by_name[np.searchsorted(names, longer, sorter=by_name) % len(names)]
    child = np.where(names[found_at] == longer, found_at, -1).astype(np.int32)
    return Hands(counts, counts.sum(axis=1, dtype=np.int32), hard, total, soft, child, index)


@lru_cache
def lists(ace_is_one: bool) -> Lists:
    """The eleven lists of hands as one array of entries."""
    every = hands(ace_is_one)
    members = [np.arange(len(every.size))] + [np.nonzero(every.counts[:, rank])[0] for rank in range(RANKS)]
    start = np.cumsum([0] + [len(rows) for rows in members]).astype(np.int32)
    child = np.full((int(start[-1]), RANKS), -1, np.int32)
    for number, rows in enumerate(members):
        # One longer than the hands, so that the -1 of a bust finds the -1 at the end.
        entry_of_hand = np.full(len(every.size) + 1, -1, np.int32)
        entry_of_hand[rows] = start[number] + np.arange(len(rows))
        child[start[number] : start[number + 1]] = entry_of_hand[every.child[rows]]
    return Lists(start, np.concatenate(members).astype(np.int32), child)


@lru_cache
def shoes(ace_is_one: bool, levels: int) -> Shoes:
    """What is missing from the shoe behind every entry, for so many levels of further pair cards."""
    every, entries = hands(ace_is_one), lists(ace_is_one)
    names = every.counts.astype(np.int64) @ WEIGHTS
    wanted = np.tile(names[entries.hand], (levels, 1))
    for rank in range(RANKS):
        rows = slice(entries.start[rank + 1], entries.start[rank + 2])
        wanted[:, rows] += (1 + np.arange(levels, dtype=np.int64))[:, None] * WEIGHTS[rank]
    unique, of_entry = np.unique(wanted, return_inverse=True)
    counts = (unique[:, None] >> (BITS * np.arange(RANKS))) & ((1 << BITS) - 1)
    return Shoes(counts.astype(np.int32), of_entry.reshape(wanted.shape).astype(np.int32))

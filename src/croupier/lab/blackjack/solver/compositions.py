"""Every hand that is not bust, for all rule sets, and the shoes that remain behind them.

A hand is a multiset of the ten ranks, from the ace (index 0) to the tens (index 9). Suits and order do not matter in
blackjack, so there are only 3,083 hands, with the empty hand and the single cards.
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
"""Bits of one rank's count in a multiset's key. No multiset here has more than 31 cards of a rank."""
WEIGHTS: Final = np.int64(1) << (BITS * np.arange(RANKS, dtype=np.int64))
"""The sum of these over a multiset's cards is its key, a unique number."""

Ints: TypeAlias = npt.NDArray[np.int32]
Keys: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]


class Hands(NamedTuple):
    """Parallel arrays with one row a hand.

    Every hand stands after the hands that one more card makes of it. Hands of one row of a strategy table stand
    together.
    """

    counts: Ints
    """How many cards of each rank, `[hand, rank]`."""
    size: Ints
    hard: Ints
    """The total with every ace as one."""
    total: Ints
    """The best total."""
    soft: npt.NDArray[np.bool_]
    child: Ints
    """The hand after one more card, `[hand, rank]`; -1 is bust."""
    row_of_key: dict[int, int]
    """A hand's row by its key."""


class Lists(NamedTuple):
    """Eleven lists of hands, with an entry for each: all hands, then those with an ace, with a two, … with a ten."""

    start: Ints
    """Where each of the eleven lists begins, and where the last one ends."""
    hand: Ints
    child: Ints
    """The entry of the same list after one more card, `[entry, rank]`; -1 is bust."""


class Shoes(NamedTuple):
    """The cards that can be missing from the shoe, besides the upcard, when a hand stands.

    For a hand from a split of rank P at level j: the hand, the P of the other hand, and j further P's.
    """

    counts: Ints
    """`[shoe, rank]`, every shoe once."""
    of_entry: Ints
    """The shoe behind an entry of `Lists`, `[level, entry]`. Unsplit hands use level 0 only."""


def decks_of(decks: int) -> Ints:
    """How many cards of each rank some decks have."""
    cards = np.full(RANKS, 4 * decks, np.int32)
    cards[TEN] = TENS_PER_DECK * decks
    return cards


@lru_cache
def hands(ace_is_one: bool) -> Hands:
    """All hands. An ace always counts one, or whichever of one and eleven is better."""
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
    # A hit leads from hard 10 or less to a soft hand, from there to hard 12 or more, and never back.
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
        # One element more than there are hands: index -1, a bust, finds the -1 at the end.
        entry_of_hand = np.full(len(every.size) + 1, -1, np.int32)
        entry_of_hand[rows] = start[number] + np.arange(len(rows))
        child[start[number] : start[number + 1]] = entry_of_hand[every.child[rows]]
    return Lists(start, np.concatenate(members).astype(np.int32), child)


@lru_cache
def shoes(ace_is_one: bool, levels: int) -> Shoes:
    """The shoes behind every entry, for so many levels of further pair cards."""
    every, entries = hands(ace_is_one), lists(ace_is_one)
    names = every.counts.astype(np.int64) @ WEIGHTS
    wanted = np.tile(names[entries.hand], (levels, 1))
    for rank in range(RANKS):
        rows = slice(entries.start[rank + 1], entries.start[rank + 2])
        wanted[:, rows] += (1 + np.arange(levels, dtype=np.int64))[:, None] * WEIGHTS[rank]
    unique, of_entry = np.unique(wanted, return_inverse=True)
    counts = (unique[:, None] >> (BITS * np.arange(RANKS))) & ((1 << BITS) - 1)
    return Shoes(counts.astype(np.int32), of_entry.reshape(wanted.shape).astype(np.int32))

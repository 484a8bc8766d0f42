"""The tables of the fast evaluator, derived from the rules of poker when they are first needed.

Every card has a 64-bit key; the keys of a hand's cards are added up. The sum holds three things at once:

    bits 63 … 38   a number that is unique to the combination of ranks (modulo 2^26, so overflow does no harm)
    bits 18 … 16   how many of the numbers are no cards, so a kernel need not check each
    bits 15 … 0    four counters, one a suit, from 3: five cards of a suit set the counter's highest bit

Without a flush only the ranks matter. The 26 bits are a row (12 bits) and a column (14 bits), and the hand's place in
`ranks` is `offsets[row] + column`. The rows are shifted over each other so that no two hands share a place: the 49,205
combinations of seven ranks fit into a table of 69,147 places, which fits into the second-level cache. A flush is looked
up by the ranks of its suit, a mask of 13 bits.
"""

from functools import cache
from hashlib import sha256
from itertools import count
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[np.int64]

RANK_BITS: Final = 26
ROW_BITS: Final = 12
COLUMN_BITS: Final = RANK_BITS - ROW_BITS
SUITS_AT_START: Final = 0x3333
"""The initial sum of a hand: with five cards of a suit, its counter reaches 8."""
FLUSH_BITS: Final = 0x8888
NO_CARD_BITS: Final = 0x7_0000
NO_FLUSH: Final = 0xFFFF
"""In `flushes`, a suit with fewer than five cards: worse than every rank."""
CLASSES: Final = 7462
"""The number of five-card hands that differ in strength."""

_HIGH, _PAIR, _TWO_PAIRS, _TRIPS, _STRAIGHT, _FLUSH, _FULL_HOUSE, _QUADS, _STRAIGHT_FLUSH = range(9)
_LAST_QUADS, _LAST_FULL_HOUSE, _LAST_FLUSH = 166, 322, 1599
_MASKS: Final = np.arange(1 << 13)


class Tables(NamedTuple):
    """The tables for hands of one size."""

    card_keys: NDArray[np.uint64]
    """For every value of a byte."""
    offsets: NDArray[np.uint16]
    ranks: NDArray[np.uint16]
    flushes: NDArray[np.uint16]


@cache
def tables(cards: int, *, short: bool = False) -> Tables:
    """The tables for hands of 5, 6 or 7 cards; `short` for those of the pack from six to ace, in its own order.

    The values are the same on every machine.
    """
    assert 5 <= cards <= 7, cards
    counts = rank_counts(cards)
    sums = _sums(counts, rank_keys())
    offsets = _overlay(sums)
    places = offsets[sums >> COLUMN_BITS] + sums % (1 << COLUMN_BITS)
    ranks = np.zeros(places.max() + 1, np.uint16)
    ranks[places] = _classes_of(_strengths(counts, short), short)
    assert offsets.max() <= 0xFFFF
    return Tables(_card_keys(), offsets.astype(np.uint16), ranks, _flushes(short))


@cache
def rank_counts(cards: int) -> Integers:
    """Every distribution of `cards` cards over the 13 ranks, one a row, with at most four of a rank."""
    rows = np.zeros((1, 0), np.int64)
    for _ in range(13):
        taken = rows.sum(axis=1)
        rows = np.concatenate(
            [np.insert(rows[taken + more <= cards], rows.shape[1], more, axis=1) for more in range(5)]
        )
    whole: Integers = rows[rows.sum(axis=1) == cards]
    return whole


@cache
def rank_keys() -> Integers:
    """Thirteen numbers of 26 bits such that no two combinations of seven ranks have the same sum modulo 2^26.

    Each is the first suitable one in a sequence of hashes. The sums of five or six ranks are then unique, too: adding
    the same cards to two equal sums would give two equal sums of seven.
    """
    counts = rank_counts(7)
    keys = np.zeros(13, np.int64)
    candidates = (int.from_bytes(sha256(b"croupier rank key %d" % number).digest()[:4]) for number in count())
    for rank in range(13):
        so_far = counts[~counts[:, rank + 1 :].any(axis=1)]
        for candidate in candidates:
            keys[rank] = candidate % (1 << RANK_BITS)
            sums = _sums(so_far, keys)
            if len(np.unique(sums)) == len(sums):
                break
    return keys


def _sums(counts: Integers, keys: Integers) -> Integers:
    return (counts @ keys) % (1 << RANK_BITS)


def _card_keys() -> NDArray[np.uint64]:
    cards = np.arange(52)
    keys = np.full(256, NO_CARD_BITS & -NO_CARD_BITS, np.uint64)
    keys[cards] = rank_keys()[cards // 4].astype(np.uint64) << np.uint64(64 - RANK_BITS)
    keys[cards] |= np.uint64(1) << (4 * (cards % 4)).astype(np.uint64)
    return keys


def _overlay(sums: Integers) -> Integers:
    """The offset of every row, such that no two sums share a place.

    The fullest row comes first. Each row gets the first offset at which all its columns are free.
    """
    columns: list[list[int]] = [[] for _ in range(1 << ROW_BITS)]
    for row, column in zip(sums >> COLUMN_BITS, sums % (1 << COLUMN_BITS), strict=True):
        columns[row].append(int(column))
    offsets = np.zeros(1 << ROW_BITS, np.int64)
    taken = 0  # as a set of bits: an integer shifts and joins sets of this size in about a microsecond
    for row in sorted(range(1 << ROW_BITS), key=lambda row: -len(columns[row])):
        blocked = pattern = 0
        for column in columns[row]:
            blocked |= taken >> column
            pattern |= 1 << column
        offset = (~blocked & (blocked + 1)).bit_length() - 1
        offsets[row] = offset
        taken |= pattern << offset
    return offsets


def _strengths(counts: Integers, short: bool) -> Integers:
    """The strength of each row of rank counts without a flush: its category, then the ranks that decide."""
    bits = 1 << np.arange(13)
    once, twice, thrice, four = ((counts >= least) @ bits for least in (1, 2, 3, 4))
    quads, trips, pair = _highest(four), _highest(thrice), _highest(twice)
    second_pair = _highest(twice & ~pair)
    beside_trips = _highest(twice & ~trips)
    straight = _straights(short)[once]
    return np.select(
        [four > 0, beside_trips * thrice > 0, straight > 0, thrice > 0, second_pair > 0, twice > 0],
        [
            _strength(_QUADS, quads, _top(once & ~quads, 1)),
            _strength(_FULL_HOUSE, trips, beside_trips),
            _strength(_STRAIGHT, straight),
            _strength(_TRIPS, trips, _top(once & ~trips, 2)),
            _strength(_TWO_PAIRS, pair | second_pair, _top(once & ~pair & ~second_pair, 1)),
            _strength(_PAIR, pair, _top(once & ~pair, 3)),
        ],
        _strength(_HIGH, _top(once, 5)),
    )


def _strength(category: int, first: Integers, second: Integers | int = 0) -> Integers:
    """A number that orders hands by category, then by a mask of ranks, then by another."""
    return (category << 26) + (first << 13) + second


def _highest(masks: Integers) -> Integers:
    """The highest bit of each mask, by itself."""
    return _top(masks, 1)


def _top(masks: Integers, ranks: int) -> Integers:
    """The `ranks` highest bits of each mask, or all if there are fewer."""
    rest = masks.copy()
    for _ in range(ranks):
        highest = np.zeros_like(rest)
        for bit in range(13):
            highest = np.where(rest >> bit & 1, 1 << bit, highest)
        rest -= highest
    return masks - rest


@cache
def _straights(short: bool) -> Integers:
    """For each mask of ranks, the top card of its best straight as a bit, or 0. The ace is high or low.

    In the short pack A-6-7-8-9 is the lowest straight: it counts as the nine-high one, which that pack has not.
    """
    best = np.zeros_like(_MASKS)
    wheel, top = (1 << 12 | 0b1111 << 4, 7) if short else (1 << 12 | 0b1111, 3)
    best[_MASKS & wheel == wheel] = 1 << top
    for top in range(4, 13):
        five = 0b11111 << (top - 4)
        best[_MASKS & five == five] = 1 << top
    return best


def _flush_strengths(short: bool) -> Integers:
    """For each mask of ranks, the strength of these cards in one suit; meaningless for fewer than five."""
    straight = _straights(short)
    return np.where(straight > 0, _strength(_STRAIGHT_FLUSH, straight), _strength(_FLUSH, _top(_MASKS, 5)))


def _suited_count() -> Integers:
    count: Integers = (_MASKS[:, np.newaxis] >> np.arange(13) & 1).sum(axis=1)
    return count


@cache
def _all_strengths() -> Integers:
    """The strengths of all five-card hands, weakest first."""
    found = np.unique(
        np.concatenate([_strengths(rank_counts(5), False), _flush_strengths(False)[_suited_count() == 5]])
    )
    assert len(found) == CLASSES
    return found


def _classes_of(strengths: Integers, short: bool) -> Integers:
    """The usual scale: 1 for the royal flush, 7462 for 7-5-4-3-2. With the short pack, flushes beat full houses."""
    classes: Integers = CLASSES - np.searchsorted(_all_strengths(), strengths)
    if not short:
        return classes
    full_houses = (classes > _LAST_QUADS) & (classes <= _LAST_FULL_HOUSE)
    flushes = (classes > _LAST_FULL_HOUSE) & (classes <= _LAST_FLUSH)
    moved = np.where(full_houses, classes + (_LAST_FLUSH - _LAST_FULL_HOUSE), classes)
    return np.where(flushes, classes - (_LAST_FULL_HOUSE - _LAST_QUADS), moved)


@cache
def _flushes(short: bool) -> NDArray[np.uint16]:
    classes = np.full(len(_MASKS), NO_FLUSH)
    enough = _suited_count() >= 5
    classes[enough] = _classes_of(_flush_strengths(short)[enough], short)
    return classes.astype(np.uint16)

"""A Fisher–Yates shuffle whose choices come from an HMAC-SHA256 stream, without any bias."""

from collections.abc import Iterator, Sequence
from itertools import count
from struct import Struct
from typing import Final, TypeVar

from croupier.dealing import keyed
from croupier.dealing.hash_input import HASH_BYTES, whole

T = TypeVar("T")

# Two bytes, not four: words are then rejected often enough for every implementation's tests to meet the case.
WORD_BYTES: Final = 2
WORDS: Final = 2 ** (8 * WORD_BYTES)

_BLOCKS: Final = 4
"""How many blocks to make at once: enough for a pack of 52 and some rejected words."""
_BLOCK: Final = Struct(f">{HASH_BYTES // WORD_BYTES}H")


def words(key: bytes) -> Iterator[int]:
    """An endless stream of two-byte big-endian numbers: the blocks HMAC-SHA256(key, c) for c = 0, 1, 2 …"""
    for counter in count(0, _BLOCKS):
        for block in keyed.digests(key, b"", map(whole, range(counter, counter + _BLOCKS))):
            yield from _BLOCK.unpack(block)


def fisher_yates(items: Sequence[T], key: bytes) -> tuple[T, ...]:
    """For i from n − 1 down to 1: j is chosen evenly from 0 … i, and the items at i and j change places.

    j is the next word mod (i + 1). A word not below the highest multiple of i + 1 that a word can reach would favour
    the low j, so it is passed over and the next one taken.
    """
    assert len(items) <= WORDS
    order = list(items)
    i = len(order) - 1
    for word in words(key):
        if i <= 0:
            break
        if word < WORDS - WORDS % (i + 1):
            j = word % (i + 1)
            order[i], order[j] = order[j], order[i]
            i -= 1
    return tuple(order)

"""Merkle trees, shaped and hashed as in RFC 6962: one root commits to many leaves, a short path opens one.

A leaf is SHA-256(0x00 ‖ content), a node SHA-256(0x01 ‖ left ‖ right): a node cannot pass for a leaf. The last
of an odd number of nodes goes up one level as it is, never paired with itself, so two different lists of leaves never
have the same root.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Final, TypeAlias

from croupier.dealing.encoding import HASH_BYTES

Tree: TypeAlias = tuple[bytes, ...]
"""The levels from the leaves up to the root, which is alone on the last; each is its hashes one after the other. So a
tree of a hundred leaves is seven objects and not two hundred: a server keeps one for every table."""

_PAIR_BYTES: Final = 2 * HASH_BYTES
_cut: Callable[[bytes, slice], bytes] = bytes.__getitem__


def leaf(content: bytes) -> bytes:
    """The hash that stands for a content at the bottom of the tree."""
    return sha256(b"\x00" + content).digest()


def node(left: bytes, right: bytes) -> bytes:
    """The hash above two others."""
    return sha256(b"\x01" + left + right).digest()


def levels(leaves: Sequence[bytes]) -> Tree:
    """The whole tree over the leaves."""
    assert leaves
    tree = [b"".join(leaves)]
    while len(tree[-1]) > HASH_BYTES:
        below = tree[-1]
        paired = len(below) // _PAIR_BYTES * _PAIR_BYTES
        above = [sha256(b"\x01" + below[at : at + _PAIR_BYTES]).digest() for at in range(0, paired, _PAIR_BYTES)]
        tree.append(b"".join((*above, below[paired:])))
    return tuple(tree)


def hashes(level: bytes) -> list[bytes]:
    """The hashes of a level, one by one."""
    return [level[at : at + HASH_BYTES] for at in range(0, len(level), HASH_BYTES)]


def root(leaves: Sequence[bytes]) -> bytes:
    """The root over the leaves."""
    return levels(leaves)[-1]


def path(tree: Tree, position: int) -> tuple[bytes, ...]:
    """What leads from the leaf at `position` to the root of the tree: its siblings, from the bottom up."""
    assert 0 <= position < len(tree[0]) // HASH_BYTES
    # What is cut from behind the end of a level is empty: there is no sibling, and none of the root.
    return tuple(filter(None, map(_cut, tree, _sibling_places(position, len(tree)))))


@lru_cache(maxsize=1024)
def _sibling_places(position: int, height: int) -> tuple[slice, ...]:
    """Where on each level the sibling on the way up from `position` stands, if there is one."""
    numbers = [(position >> level) ^ 1 for level in range(height)]
    return tuple(slice(number * HASH_BYTES, (number + 1) * HASH_BYTES) for number in numbers)


def led_to(start: bytes, position: int, size: int, siblings: Sequence[bytes]) -> bytes | None:
    """The root that a path leads to from the leaf at `position` of `size`; None if the path has the wrong length."""
    assert 0 <= position < size
    reached, used = start, 0
    while size > 1:
        if position ^ 1 < size:
            if used == len(siblings):
                return None
            sibling = siblings[used]
            reached = node(sibling, reached) if position % 2 else node(reached, sibling)
            used += 1
        position, size = position // 2, (size + 1) // 2
    return reached if used == len(siblings) else None

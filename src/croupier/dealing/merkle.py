"""Merkle trees, shaped and hashed as in RFC 6962: one root commits to many leaves, a short path opens one.

A leaf is SHA-256(0x00 ‖ content), a node SHA-256(0x01 ‖ left ‖ right): a node cannot pass for a leaf. The last
of an odd number of nodes goes up one level as it is, never paired with itself, so two different lists of leaves never
have the same root.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import sha256
from struct import Struct

from croupier.dealing.hash_input import HASH_BYTES


def leaf(content: bytes) -> bytes:
    """The hash of a leaf's content."""
    return sha256(b"\x00" + content).digest()


def leaves(contents: Iterable[Iterable[bytes]]) -> list[bytes]:
    """The leaf of each content, which is given in parts. A deal of Hold'em has 416 of them, so this is written for
    speed."""
    return [sha256(b"\x00" + b"".join(parts)).digest() for parts in contents]


def node(left: bytes, right: bytes) -> bytes:
    """The hash of a node above two others."""
    return sha256(b"\x01" + left + right).digest()


def levels(leaves: Sequence[bytes]) -> tuple[bytes, ...]:
    """The levels of the tree from the leaves to the root, each as its joined hashes.

    All levels joined are the whole tree in one object, of which a server keeps one for every table.
    """
    assert leaves
    below, tree = leaves, [b"".join(leaves)]
    while len(below) > 1:
        one = iter(below)
        above = [sha256(b"\x01" + left + right).digest() for left, right in zip(one, one)]  # noqa: B905 (pairs)
        if len(below) % 2:
            above.append(below[-1])
        tree.append(b"".join(above))
        below = above
    return tuple(tree)


def hashes(joined: bytes) -> list[bytes]:
    """The hashes of a level or a path, one by one."""
    return [joined[at : at + HASH_BYTES] for at in range(0, len(joined), HASH_BYTES)]


def root(leaves: Sequence[bytes]) -> bytes:
    """The root over the leaves."""
    return levels(leaves)[-1]


def path(tree: bytes, size: int, position: int) -> bytes:
    """The path from the leaf at `position` of `size` to the root: its siblings from the bottom up, joined.

    `tree` is the joined levels.
    """
    assert 0 <= position < size
    return b"".join(_siblings(size, position).unpack_from(tree))


@lru_cache(maxsize=1024)
def _siblings(size: int, position: int) -> Struct:
    """Where the siblings on the way up from `position` stand in a tree."""
    places, passed_over = "", 0
    while size > 1:
        sibling = position ^ 1
        if sibling < size:
            places += f"{passed_over + sibling * HASH_BYTES}x{HASH_BYTES}s"
            passed_over = -(sibling + 1) * HASH_BYTES
        passed_over += size * HASH_BYTES
        position, size = position // 2, (size + 1) // 2
    return Struct(places)


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

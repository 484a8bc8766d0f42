"""Merkle trees, shaped and hashed as in RFC 6962: one root commits to many leaves, a short path opens one.

A leaf is SHA-256(0x00 ‖ content), a node SHA-256(0x01 ‖ left ‖ right): a node cannot pass for a leaf. The last
of an odd number of nodes goes up one level as it is, never paired with itself, so two different lists of leaves never
have the same root.
"""

from collections.abc import Sequence
from hashlib import sha256


def leaf(content: bytes) -> bytes:
    """The hash that stands for a content at the bottom of the tree."""
    return sha256(b"\x00" + content).digest()


def node(left: bytes, right: bytes) -> bytes:
    """The hash above two others."""
    return sha256(b"\x01" + left + right).digest()


def levels(leaves: Sequence[bytes]) -> tuple[tuple[bytes, ...], ...]:
    """The whole tree, from the leaves up to the root, which is alone on the last level."""
    assert leaves
    tree = [tuple(leaves)]
    while len(tree[-1]) > 1:
        below = tree[-1]
        above = [node(below[place], below[place + 1]) for place in range(0, len(below) - 1, 2)]
        if len(below) % 2:
            above.append(below[-1])
        tree.append(tuple(above))
    return tuple(tree)


def root(leaves: Sequence[bytes]) -> bytes:
    """The root over the leaves."""
    return levels(leaves)[-1][0]


def path(tree: Sequence[Sequence[bytes]], position: int) -> tuple[bytes, ...]:
    """What leads from the leaf at `position` to the root of the tree (`levels`): its siblings, from the bottom up."""
    assert 0 <= position < len(tree[0])
    siblings = []
    for level in tree[:-1]:
        if position ^ 1 < len(level):
            siblings.append(level[position ^ 1])
        position //= 2
    return tuple(siblings)


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

"""The 13×13 grid of starting hands: suited hands above the diagonal, offsuit ones below."""

from collections.abc import Iterator
from typing import Final

import msgspec

from croupier.cards import RANKS
from croupier.lab.poker.solver.walk import HandFigures, NodeFigures

ORDER: Final = RANKS[::-1]


class Cell(msgspec.Struct, frozen=True):
    """The hands of one shape together: their weight, and averages by weight."""

    weight: float
    ev: float
    equity: float
    strategy: tuple[float, ...]
    combinations: int


def shapes() -> Iterator[tuple[int, int, str]]:
    """Row, column and name of each of the 169 shapes."""
    for row, one in enumerate(ORDER):
        for column, other in enumerate(ORDER):
            if row == column:
                yield row, column, one + other
            else:
                yield row, column, one + other + "s" if row < column else other + one + "o"


def cells(node: NodeFigures) -> dict[str, Cell]:
    """The shapes that the acting player may hold, in the order of the grid."""
    groups: dict[str, list[HandFigures]] = {}
    for name, hand in node.hands.items():
        groups.setdefault(_shape(name), []).append(hand)
    return {name: _cell(groups[name]) for _, _, name in shapes() if name in groups}


def _shape(name: str) -> str:
    """`AsKs` as `AKs`."""
    ranks = name[0] + name[2]
    return ranks if name[0] == name[2] else ranks + ("s" if name[1] == name[3] else "o")


def _cell(hands: list[HandFigures]) -> Cell:
    total = sum(hand.weight for hand in hands)
    # Hands that never get here are averaged as equals.
    shares = [hand.weight / total if total > 0 else 1 / len(hands) for hand in hands]
    pairs = list(zip(shares, hands, strict=True))
    return Cell(
        weight=total,
        ev=sum(share * hand.ev for share, hand in pairs),
        equity=sum(share * hand.equity for share, hand in pairs),
        strategy=tuple(sum(share * hand.strategy[k] for share, hand in pairs) for k in range(len(hands[0].strategy))),
        combinations=len(hands),
    )

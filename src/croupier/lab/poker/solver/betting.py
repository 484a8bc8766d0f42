"""The betting tree: every line of bets from the start to the end, without cards.

Player 0 is out of position and acts first on every street. Both players have the same stack.
"""

from collections import deque
from enum import IntEnum
from fractions import Fraction
from typing import Final

import msgspec

from croupier.lab.poker.solver.errors import SolveError
from croupier.lab.poker.solver.sizes import Size, amounts

NODES_MAX: Final = 400_000
"""The most nodes of a betting tree."""


class Kind(IntEnum):
    DECISION = 0
    FOLD = 1
    SHOWDOWN = 2
    """At the end of the last street."""
    ALL_IN = 3
    """All chips are in before the last street; the rest of the board is dealt without bets."""
    DEAL = 4
    """The street is over, and the next card is dealt."""


class Betting(msgspec.Struct, frozen=True):
    """The bets allowed: chips in the pot and behind, sizes by street, rake.

    `streets` has the sizes of bets and of raises of each street, the first one first. `bets_max` limits the bets and
    raises of a street together; None means that only the stack does.
    """

    pot: int
    stack: int
    streets: tuple[tuple[tuple[Size, ...], tuple[Size, ...]], ...]
    rake: Fraction = Fraction(0)
    rake_cap: Fraction | None = None
    bets_max: int | None = None

    def rake_of(self, pot: int) -> Fraction:
        """The rake of a pot without the uncalled bet."""
        taken = self.rake * pot
        return taken if self.rake_cap is None else min(taken, self.rake_cap)


class Node(msgspec.Struct):
    """A point of the betting tree. `paid` is what each player put in since the start.

    `player` acts, or folded. `actions` are their names, and `children` the nodes that they lead to. A DEAL has one
    child, the first node of the next street.
    """

    kind: Kind
    level: int
    player: int
    paid: tuple[int, int]
    street_start: int
    last_raise: int
    bets: int
    parent: int
    actions: tuple[str, ...] = ()
    children: tuple[int, ...] = ()

    @property
    def matched(self) -> int:
        """What each player put in once an uncalled bet went back."""
        return min(self.paid)


def betting_tree(rules: Betting) -> list[Node]:
    """All nodes, the root first, parents before children. Raises SolveError if there are too many."""
    nodes = [Node(Kind.DECISION, 0, 0, (0, 0), 0, 0, 0, -1)]
    waiting = deque([0])
    while waiting:
        place = waiting.popleft()
        node = nodes[place]
        if node.kind is Kind.DEAL:
            following = [("", _street_start(node, place))]
        elif node.kind is Kind.DECISION:
            following = _following(rules, node, place)
        else:
            continue
        node.actions = tuple(name for name, _ in following if name)
        node.children = tuple(range(len(nodes), len(nodes) + len(following)))
        waiting.extend(node.children)
        nodes.extend(child for _, child in following)
        if len(nodes) > NODES_MAX:
            raise SolveError("SOLVE_TREE", limit=NODES_MAX)
    return nodes


def _street_start(node: Node, place: int) -> Node:
    return Node(Kind.DECISION, node.level + 1, 0, node.paid, node.matched, 0, 0, place)


def _following(rules: Betting, node: Node, place: int) -> list[tuple[str, Node]]:
    """The actions of a decision, by name, and where they lead."""
    own, other = node.paid[node.player], node.paid[1 - node.player]
    if own == other:
        ends = node.player == 1
        found = [("check", _closed(rules, node, place) if ends else _next(node, place, node.paid, node.last_raise, 0))]
    else:
        called = msgspec.structs.replace(node, paid=(other, other))
        fold = Node(Kind.FOLD, node.level, node.player, node.paid, node.street_start, 0, 0, place)
        found = [("fold", fold), ("call", _closed(rules, called, place))]
    stack, faced = rules.stack - node.street_start, other - node.street_start
    if faced == stack or (rules.bets_max is not None and node.bets >= rules.bets_max):
        return found
    sizes = rules.streets[node.level][1 if faced else 0]
    least = faced + max(node.last_raise, 1)
    for amount in amounts(sizes, pot=rules.pot + 2 * other, faced=faced, least=least, stack=stack):
        name = "all-in" if amount == stack else "raise" if faced else "bet"
        total = node.street_start + amount
        paid = (total, other) if node.player == 0 else (other, total)
        found.append((f"{name} {amount}", _next(node, place, paid, amount - faced, 1)))
    return found


def _next(node: Node, place: int, paid: tuple[int, int], last_raise: int, bets: int) -> Node:
    """The other player's decision on the same street."""
    return Node(
        Kind.DECISION, node.level, 1 - node.player, paid, node.street_start, last_raise, node.bets + bets, place
    )


def _closed(rules: Betting, node: Node, place: int) -> Node:
    """The end of a street without a fold."""
    last = len(rules.streets) - 1
    kind = Kind.SHOWDOWN if node.level == last else Kind.ALL_IN if node.matched == rules.stack else Kind.DEAL
    return Node(kind, node.level, -1, node.paid, node.street_start, 0, 0, place)

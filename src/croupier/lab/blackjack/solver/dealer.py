"""The exact chances of the dealer's final totals, from any shoe.

The dealer decides nothing. So the chance of an end is a sum over the hands from which the dealer still draws: the
chance of the hand, times the number of orders in which its cards can come, times the chance of the one rank that leads
to that end. The hands form a tree of cards in ascending order. One pass over the tree computes a block of shoes, with
the same few operations on all of them. Hands of one total need the same ranks, so their weights are added first. A hand
that holds cards of the rank it needs gets a correction.

No figure here includes a dealer's blackjack: if the rules have it, the chances add up to the chance of none.
"""

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from croupier.lab.blackjack.solver.compositions import ACE, RANKS, TARGET, TEN, Floats, Ints
from croupier.lab.compiler import kernel

BLOCK: Final = 256
"""Shoes of a block: enough to make loops pay, few enough for their arrays to stay in the cache."""
NONE: Final = -1
IMPOSSIBLE: Final = -2


class DealerRules(NamedTuple):
    """The options that decide what the dealer does."""

    stands_on: int
    hits_soft_17: bool
    ace_is_one: bool
    has_blackjack: bool

    @property
    def ends(self) -> int:
        """The number of ends: each total from `stands_on` to 21, then bust."""
        return TARGET - self.stands_on + 2

    def blackjack_rank(self, up: int) -> int:
        """The hole card's rank that makes a blackjack, or `NONE`."""
        if not self.has_blackjack or up not in (ACE, TEN):
            return NONE
        return TEN if up == ACE else ACE


class Tree(NamedTuple):
    """The hands from which the dealer draws after an upcard. Each follows the hand without its highest card."""

    rank: Ints
    """The card that leads to the node; the first node is the upcard alone."""
    taken: Ints
    """How many cards of that rank were drawn before it."""
    depth: Ints
    """How many cards were drawn, with the hole card."""
    orders: Floats
    """In how many orders the dealer can draw the cards; 0 for a node that only leads to others."""
    group: Ints
    """Nodes of one group need the same ranks."""
    last: Ints
    """The rank that leads a group to each end but bust, `[group, end]`, or `NONE`."""
    held_from: Ints
    """Where the corrections of a node begin. The last element is the end of them all."""
    held_end: Ints
    """The end that a correction is for."""
    held: Floats
    """How many cards of the needed rank the node holds itself."""


@lru_cache
def tree(rules: DealerRules, up: int) -> Tree:
    """All the hands from which the dealer draws after an upcard."""
    orders: dict[tuple[int, ...], int] = {(): 1}
    newest = orders
    while newest:
        longer: dict[tuple[int, ...], int] = {}
        for cards, ways in newest.items():
            for rank, end in enumerate(_ends_after(rules, up, cards)):
                if end == NONE:
                    extended = tuple(sorted((*cards, rank)))
                    longer[extended] = longer.get(extended, 0) + ways
        orders = orders | longer
        newest = longer
    nodes = sorted({cards[:length] for cards in orders for length in range(len(cards) + 1)})
    groups: dict[tuple[int, ...], int] = {}
    group, held_from, held_end, held = [], [0], [], []
    for cards in nodes:
        lasts = _lasts(rules, up, cards) if cards in orders else (NONE,) * (rules.ends - 1)
        group.append(groups.setdefault(lasts, len(groups)))
        for end, rank in enumerate(lasts):
            if rank in cards:
                held_end.append(end)
                held.append(cards.count(rank))
        held_from.append(len(held))
    return Tree(
        rank=np.array([cards[-1] if cards else NONE for cards in nodes], np.int32),
        taken=np.array([cards.count(cards[-1]) - 1 if cards else 0 for cards in nodes], np.int32),
        depth=np.array([len(cards) for cards in nodes], np.int32),
        orders=np.array([orders.get(cards, 0) for cards in nodes], np.float64),
        group=np.array(group, np.int32),
        last=np.array(list(groups), np.int32),
        held_from=np.array(held_from, np.int32),
        held_end=np.array(held_end, np.int32),
        held=np.array(held, np.float64),
    )


def _lasts(rules: DealerRules, up: int, cards: tuple[int, ...]) -> tuple[int, ...]:
    """The rank that leads from a hand to each end but bust. No two ranks lead to the same total."""
    ends = _ends_after(rules, up, cards)
    return tuple(ends.index(end) if end in ends else NONE for end in range(rules.ends - 1))


def _ends_after(rules: DealerRules, up: int, cards: tuple[int, ...]) -> tuple[int, ...]:
    """The end that each rank leads to, from the upcard and these cards; see `_ends`."""
    hole = rules.blackjack_rank(up) if not cards else NONE
    return _ends(rules, up + 1 + sum(cards) + len(cards), ACE in (up, *cards), hole)


@lru_cache(maxsize=1024)
def _ends(rules: DealerRules, hard: int, with_ace: bool, hole: int) -> tuple[int, ...]:
    """The number of the end that each rank leads to, from a hand of `hard` points with aces as ones.

    `NONE` if the dealer draws again, `IMPOSSIBLE` for `hole`, the hole card of a blackjack.
    """
    found = []
    for rank in range(RANKS):
        points = hard + rank + 1
        soft = (with_ace or rank == ACE) and not rules.ace_is_one and points + 10 <= TARGET
        total = points + 10 if soft else points
        if rank == hole:
            found.append(IMPOSSIBLE)
        elif total > TARGET:
            found.append(rules.ends - 1)
        elif total < rules.stands_on or (rules.hits_soft_17 and soft and total == 17):
            found.append(NONE)
        else:
            found.append(total - rules.stands_on)
    return tuple(found)


@kernel
def chances(left: Floats, gone: Ints, blackjack_rank: int, tree: Tree, found: Floats) -> None:
    """Fill in `found[shoe, end]`, the chances of each end.

    `left[rank]` has the cards without the upcard, `gone[shoe, rank]` the cards missing from each shoe. A shoe that
    lacks more cards than there are is skipped.
    """
    depths = 0
    for depth in tree.depth:
        depths = max(depths, depth + 1)
    ends = found.shape[1]
    wanted = np.empty(len(gone), np.int32)
    shoes = 0
    for shoe in range(len(gone)):
        wanted[shoes] = shoe
        shoes += 1
        for rank in range(RANKS):
            if gone[shoe, rank] > left[rank]:
                shoes -= 1
                break
    block = np.empty(BLOCK, np.int32)
    size = np.empty(BLOCK)
    cards = np.empty((RANKS, BLOCK))
    share = np.empty((depths, BLOCK))
    total = np.empty((ends, BLOCK))
    for begin in range(0, shoes, BLOCK):
        count = min(BLOCK, shoes - begin)
        # An incomplete block repeats its last shoe, so the inner loops have a fixed length.
        block[:count] = wanted[begin : begin + count]
        block[count:] = wanted[begin + count - 1]
        size[:] = 0.0
        for rank in range(RANKS):
            for place in range(BLOCK):
                cards[rank, place] = left[rank] - gone[block[place], rank]
                size[place] += cards[rank, place]
        for depth in range(depths):
            for place in range(BLOCK):
                share[depth, place] = 1.0 / max(size[place] - depth, 1.0)
        _block(cards, share, tree, total)
        for place in range(count):
            shoe = wanted[begin + place]
            bust = 1.0
            if blackjack_rank != NONE:
                bust -= cards[blackjack_rank, place] * share[0, place]
            for end in range(ends - 1):
                found[shoe, end] = total[end, place]
                bust -= total[end, place]
            found[shoe, ends - 1] = bust


@kernel
def _block(cards: Floats, share: Floats, tree: Tree, total: Floats) -> None:
    """The chances of every end but bust for one block of shoes, `[end, place]`."""
    rank, taken, depths, orders, group = tree.rank, tree.taken, tree.depth, tree.orders, tree.group
    # The chance of a node's cards in one order, times the chance of any one card in the next draw.
    weight = np.empty_like(share)
    grouped = np.zeros((len(tree.last), BLOCK))
    weight[0] = share[0]
    grouped[group[0]] = share[0]
    total[:] = 0.0
    for node in range(1, len(rank)):
        depth, card, into = depths[node], rank[node], group[node]
        already, ways = float(taken[node]), orders[node]
        before, after, sums = weight[depth - 1], weight[depth], grouped[into]
        drawn, part = cards[card], share[depth]
        for place in range(BLOCK):
            chance = before[place] * (drawn[place] - already) * part[place]
            after[place] = chance
            sums[place] += ways * chance
        for correction in range(tree.held_from[node], tree.held_from[node + 1]):
            end, held = tree.held_end[correction], ways * tree.held[correction]
            for place in range(BLOCK):
                total[end, place] -= held * weight[depth, place]
    for into in range(len(tree.last)):
        for end in range(len(total) - 1):
            card = tree.last[into, end]
            if card != NONE:
                for place in range(BLOCK):
                    total[end, place] += grouped[into, place] * cards[card, place]

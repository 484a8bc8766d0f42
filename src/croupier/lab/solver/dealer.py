"""What the dealer ends with, exactly, from any shoe.

The dealer decides nothing, so the chance of an end is a sum over the hands from which the dealer still draws, each
weighed by the number of orders in which its cards can come, times the chance of the one rank that leads from there to
that end. These hands are kept as a tree of cards in ascending order, which one pass over a block of shoes at a time
turns into probabilities: the same few operations on many shoes side by side. Hands of one total need the same ranks,
so their weights are added up first; a hand that holds cards of the rank it needs is corrected for these by itself.

A blackjack of the dealer is left out of every figure here: where the rules know it, the chances add up to the chance
that the dealer has none.
"""

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from croupier.lab.compiling import kernel
from croupier.lab.solver.compositions import ACE, RANKS, TARGET, TEN, Floats, Ints

BLOCK: Final = 256
"""Shoes side by side: so many that a loop is worth its beginning, so few that their arrays stay in the cache."""
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
        """How many ends there are: each total from `stands_on` to 21, then bust."""
        return TARGET - self.stands_on + 2

    def blackjack_rank(self, up: int) -> int:
        """The rank under the upcard that makes it a blackjack, or `NONE`."""
        if not self.has_blackjack or up not in (ACE, TEN):
            return NONE
        return TEN if up == ACE else ACE


class Tree(NamedTuple):
    """The hands from which the dealer draws after an upcard, each after the one that lacks its highest card."""

    rank: Ints
    """The card that leads to the node; the first node is the upcard alone."""
    taken: Ints
    """How many cards of that rank were drawn before it."""
    depth: Ints
    """How many cards were drawn, the hole card included."""
    orders: Floats
    """In how many orders the cards can come with the dealer drawing all the way; 0 for a mere step in the tree."""
    group: Ints
    """Nodes of one group need the same ranks."""
    last: Ints
    """The rank that leads a group to each end but bust, `[group, end]`, or `NONE`."""
    held_from: Ints
    """Where the corrections of a node begin; those of the last node end at the last element."""
    held_end: Ints
    """The end that a correction is for."""
    held: Floats
    """How many cards of the rank that leads there the node holds itself."""


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
    """The rank that leads from a hand to each end but bust: never more than one makes a total of another."""
    ends = _ends_after(rules, up, cards)
    return tuple(ends.index(end) if end in ends else NONE for end in range(rules.ends - 1))


def _ends_after(rules: DealerRules, up: int, cards: tuple[int, ...]) -> tuple[int, ...]:
    """The end that each rank leads to from the upcard and these cards, as `_ends` has it."""
    hole = rules.blackjack_rank(up) if not cards else NONE
    return _ends(rules, up + 1 + sum(cards) + len(cards), ACE in (up, *cards), hole)


@lru_cache(maxsize=1024)
def _ends(rules: DealerRules, hard: int, with_ace: bool, hole: int) -> tuple[int, ...]:
    """The end that the dealer comes to by each rank, by number, from a hand of so many points with aces as ones:
    `NONE` where another card is drawn, and `IMPOSSIBLE` for `hole`, the hole card of a blackjack."""
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
    """Fills `found[shoe, end]`, where `left[rank]` are the cards without the upcard and `gone[shoe, rank]` are those
    that are missing from each shoe. Nothing is filled in for a shoe that would lack more than there is."""
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
        # A block that is not full repeats its last shoe, so that the inner loops have a fixed length.
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
    # The chance of a node's cards in one order, times the share of one card in what is left for the next draw.
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

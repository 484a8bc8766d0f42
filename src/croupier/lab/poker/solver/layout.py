"""The betting tree as arrays, in the order in which the kernels go through it.

A *block* is a part of the tree on one street that is computed in one go for a board: the first street, one line that
leads to the second of three streets, or the lines of a block that lead to the last street. Its first nodes are its
*entries*; parents stand before their children, and the children of a node side by side.

While a player is being improved, the opponent's reach only changes where the opponent acts. So nodes share *slots*,
rows of reach: the player's own actions lead to the slot of their node.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.lab.poker.solver.betting import Betting, Kind, Node

BLOCK_NODES_MAX: Final = 192
"""Lines of the last street share a block up to this many nodes: enough to fill vectors, few enough for the cache."""

Integers = NDArray[np.int64]


class Tree(NamedTuple):
    """Blocks and nodes. `starts[b]` to `starts[b + 1]` are the nodes of block `b`, and so for the other lists."""

    levels: Integers
    """The street of each block."""
    starts: Integers
    parents: Integers
    """The block before; -1 for the first."""
    children: Integers
    """The first child block; the children of a block stand side by side from `children[b]` to `children[b + 1]`."""
    entry_starts: Integers
    entries: Integers
    """For each entry of a block, the node of the block before that leads to it."""
    slots_of: Integers
    """How many slots each block needs, by player being improved."""
    bases: Integers
    """Where the numbers of a block's first board begin."""
    chunks: Integers
    """How many numbers each board of a block has."""
    scale_bases: Integers
    decisions: Integers
    """How many decisions each block has."""
    fold_starts: Integers
    folds: Integers
    """Ends without a showdown on the last street: folds, and all-ins before it."""
    showdown_starts: Integers
    showdowns: Integers
    actors: Integers
    """The player who acts at each node; -1 where nobody does."""
    kinds: Integers
    counts: Integers
    """How many actions each node has."""
    first: Integers
    """The first child in the same block."""
    slots: Integers
    """The slot of each node, by player being improved."""
    offsets: Integers
    """Where a node's numbers begin in the chunk of its block."""
    scales: Integers
    """The number of a decision in its block."""
    shares: NDArray[np.float64]
    """What an end is worth to each player: `shares` × equity + `fixed` × chance that the hands can meet."""
    fixed: NDArray[np.float64]


class Layout(NamedTuple):
    """The arrays, and where each node of the betting tree stands in them."""

    tree: Tree
    places: Integers
    """The place of each node of the betting tree; a DEAL and the node after it have places of their own."""
    blocks: Integers
    """The block of each node of the betting tree."""
    number_count: int
    """How many regrets there are; the average strategy has as many."""
    decision_count: int


def layout(rules: Betting, nodes: list[Node], widths: tuple[int, int], boards: tuple[int, ...]) -> Layout:
    """Arrange a betting tree. `widths` are the padded numbers of hands, `boards` the numbers of boards by street."""
    blocks, parents = _blocks(nodes, len(rules.streets))
    order = [node for block in blocks for node in block]
    places = np.full(len(nodes), -1, np.int64)
    places[order] = np.arange(len(order))
    block_of = np.empty(len(nodes), np.int64)
    for number, block in enumerate(blocks):
        block_of[block] = number
    return _arranged(rules, nodes, blocks, parents, places, block_of, widths, boards)


def _blocks(nodes: list[Node], levels: int) -> tuple[list[list[int]], list[int]]:
    """The nodes of each block, breadth first, and each block's parent. Children of a block stand side by side."""
    blocks, parents = [_breadth_first(nodes, [0])], [-1]
    done = 0
    while done < len(blocks):
        entries = [nodes[node].children[0] for node in blocks[done] if nodes[node].kind is Kind.DEAL]
        group: list[int] = []
        size = 0
        last = bool(entries) and nodes[entries[0]].level == levels - 1
        for entry in entries:
            below = len(_breadth_first(nodes, [entry]))
            if group and (not last or size + below > BLOCK_NODES_MAX):
                blocks.append(_breadth_first(nodes, group))
                parents.append(done)
                group, size = [], 0
            group.append(entry)
            size += below
        if group:
            blocks.append(_breadth_first(nodes, group))
            parents.append(done)
        done += 1
    return blocks, parents


def _breadth_first(nodes: list[Node], roots: list[int]) -> list[int]:
    """The nodes of one street from some roots on."""
    found = list(roots)
    done = 0
    while done < len(found):
        node = nodes[found[done]]
        if node.kind is Kind.DECISION:
            found.extend(node.children)
        done += 1
    return found


class _Places:
    """The arrays of the tree, filled in node by node."""

    def __init__(self, count: int) -> None:
        self.actors = np.full(count, -1, np.int64)
        self.kinds = np.zeros(count, np.int64)
        self.counts = np.zeros(count, np.int64)
        self.first = np.zeros(count, np.int64)
        self.slots = np.zeros((2, count), np.int64)
        self.offsets = np.zeros(count, np.int64)
        self.scales = np.zeros(count, np.int64)
        self.shares = np.zeros((2, count))
        self.fixed = np.zeros((2, count))

    def put_decision(self, node: Node, place: int, below: Integers, used: list[int]) -> None:
        """`below` are the places of the children. `used` counts each player's slots of the block."""
        self.actors[place], self.counts[place], self.first[place] = node.player, len(node.actions), below[0]
        for player in (0, 1):
            if node.player == player:
                self.slots[player, below] = self.slots[player, place]
            else:
                self.slots[player, below] = used[player] + np.arange(len(below))
                used[player] += len(below)


def _arranged(
    rules: Betting,
    nodes: list[Node],
    blocks: list[list[int]],
    parents: list[int],
    places: Integers,
    block_of: Integers,
    widths: tuple[int, int],
    boards: tuple[int, ...],
) -> Layout:
    at = _Places(len(places))
    slots_of = np.zeros((2, len(blocks)), np.int64)
    chunks, decisions = np.zeros(len(blocks), np.int64), np.zeros(len(blocks), np.int64)
    entries: list[list[int]] = []
    folds: list[list[int]] = []
    showdowns: list[list[int]] = []
    for number, block in enumerate(blocks):
        roots = [node for node in block if nodes[node].parent < 0 or nodes[nodes[node].parent].kind is Kind.DEAL]
        entries.append([int(places[nodes[node].parent]) for node in roots if nodes[node].parent >= 0])
        used = [len(roots), len(roots)]
        at.slots[:, places[roots]] = np.arange(len(roots))
        folds.append([])
        showdowns.append([])
        for name in block:
            node, place = nodes[name], int(places[name])
            at.kinds[place] = node.kind
            match node.kind:
                case Kind.DECISION:
                    at.put_decision(node, place, places[list(node.children)], used)
                    at.offsets[place], at.scales[place] = chunks[number], decisions[number]
                    chunks[number] += len(node.actions) * widths[node.player]
                    decisions[number] += 1
                case Kind.SHOWDOWN:
                    showdowns[-1].append(place)
                case Kind.FOLD | Kind.ALL_IN:
                    folds[-1].append(place)
                case Kind.DEAL:
                    pass
            at.shares[:, place], at.fixed[:, place] = _worth(rules, node)
        slots_of[:, number] = used
    levels = np.array([nodes[block[0]].level for block in blocks])
    sizes, marks = chunks * np.array(boards)[levels], decisions * np.array(boards)[levels]
    parent_list = np.array(parents)
    tree = Tree(
        levels=levels,
        starts=_starts(blocks),
        parents=parent_list,
        children=np.searchsorted(parent_list, np.arange(len(blocks) + 1)),
        entry_starts=_starts(entries),
        entries=_flat(entries),
        slots_of=slots_of,
        bases=np.concatenate([[0], np.cumsum(sizes)[:-1]]),
        chunks=chunks,
        scale_bases=np.concatenate([[0], np.cumsum(marks)[:-1]]),
        decisions=decisions,
        fold_starts=_starts(folds),
        folds=_flat(folds),
        showdown_starts=_starts(showdowns),
        showdowns=_flat(showdowns),
        **vars(at),
    )
    return Layout(tree, places, block_of, int(sizes.sum()), int(marks.sum()))


def _worth(rules: Betting, node: Node) -> tuple[list[float], list[float]]:
    """`shares` and `fixed` of an end, by player; zeros elsewhere.

    An all-in before the last street is computed from player 0's equity: player 1 gets what is left.
    """
    if node.kind in (Kind.DECISION, Kind.DEAL):
        return [0.0, 0.0], [0.0, 0.0]
    pot = rules.pot + 2 * node.matched
    won, paid = float(pot - rules.rake_of(pot)), float(node.matched)
    match node.kind:
        case Kind.FOLD:
            fixed = [won - paid, won - paid]
            fixed[node.player] = -paid
            return [0.0, 0.0], fixed
        case Kind.ALL_IN:
            return [won, -won], [-paid, won - paid]
        case _:
            return [won, won], [-paid, -paid]


def _starts(lists: list[list[int]]) -> Integers:
    return np.cumsum([0, *map(len, lists)])


def _flat(lists: list[list[int]]) -> Integers:
    return np.array([each for some in lists for each in some], np.int64)

# ruff: noqa: PLR0913, PLR0917  # kernels take arrays one by one
"""Values of the average strategies, and of best responses to them, in floats of 64 bits.

This goes through the tree as `regrets` does, but has steps of its own: it reads the average strategy only, changes
nothing, and takes the best action of each hand where the responding player acts. A locked hand keeps its lock.
"""

import numpy as np
from numpy.typing import NDArray

from croupier.lab.compiler import vectorised
from croupier.lab.poker.solver.deal import Deal
from croupier.lab.poker.solver.ends import Equities, Workspace, value_ends
from croupier.lab.poker.solver.lanes import WIDTH, largest, load, load_short, splat, store, where_positive, widened_like
from croupier.lab.poker.solver.layout import Tree
from croupier.lab.poker.solver.regrets import Numbers, clear_deals, decision_at, enter, gather, numbers_at

_TINY = 1e-30


@vectorised
def read_strategy(numbers: Numbers, at: int, count: int, width: int, shares: NDArray[np.float64]) -> None:
    """The average strategy of a decision, by action and hand."""
    nothing, tiny, even = splat(shares, 0.0), splat(shares, _TINY), splat(shares, 1.0 / count)
    one = splat(shares, 1.0)
    for hand in range(0, width, WIDTH):
        total = nothing
        for action in range(count):
            place = action * width + hand
            if numbers.compact:
                part = widened_like(shares, load_short(numbers.short_average, at + place))
            else:
                part = widened_like(shares, load(numbers.average, at + place))
            store(shares, place, part)
            total = total + part
        factor = one / largest(total, tiny)
        rest = where_positive(total, nothing, even)
        for action in range(count):
            place = action * width + hand
            store(shares, place, load(shares, place) * factor + rest)


@vectorised
def _forward(tree: Tree, deal: Deal, numbers: Numbers, work: Workspace, block: int, board: int, player: int) -> None:
    opponent = 1 - player
    width, base = deal.widths[opponent], work.reach_bases[tree.levels[block]]
    for node in range(tree.starts[block], tree.starts[block + 1]):
        if tree.actors[node] == opponent:
            row = base + tree.slots[player, node] * width
            to = base + tree.slots[player, tree.first[node]] * width
            count = tree.counts[node]
            read_strategy(numbers, numbers_at(tree, deal, block, board, node), count, width, work.wide)
            for action in range(count):
                for hand in range(0, width, WIDTH):
                    place = action * width + hand
                    store(work.reach, to + place, load(work.reach, row + hand) * load(work.wide, place))


@vectorised
def _backward(
    tree: Tree, deal: Deal, numbers: Numbers, work: Workspace, block: int, board: int, player: int, best: bool
) -> None:
    width, base = deal.widths[player], work.value_bases[tree.levels[block]]
    start = tree.starts[block]
    nothing = splat(work.values, 0.0)
    for node in range(tree.starts[block + 1] - 1, start - 1, -1):
        actor, count = tree.actors[node], tree.counts[node]
        if actor < 0:
            continue
        to, below = base + (node - start) * width, base + (tree.first[node] - start) * width
        if actor == player and not best:
            read_strategy(numbers, numbers_at(tree, deal, block, board, node), count, width, work.wide)
        for hand in range(0, width, WIDTH):
            value = load(work.values, below + hand)
            if actor == player and not best:
                value = nothing
                for action in range(count):
                    place = action * width + hand
                    value = value + load(work.wide, place) * load(work.values, below + place)
            else:
                for action in range(1, count):
                    more = load(work.values, below + action * width + hand)
                    value = largest(value, more) if actor == player else value + more
            store(work.values, to + hand, value)
        if actor == player and best and len(numbers.locked):
            _value_locks(numbers, decision_at(tree, deal, block, board, node), work.values, below, count, width, to)


@vectorised
def _value_locks(
    numbers: Numbers, decision: int, values: NDArray[np.float64], below: int, count: int, width: int, to: int
) -> None:
    lock = numbers.locked[decision]
    if lock < 0:
        return
    for number in range(numbers.lock_starts[lock], numbers.lock_starts[lock + 1]):
        hand, first = numbers.lock_hands[number], numbers.lock_places[number]
        value = 0.0
        for action in range(count):
            value += np.float64(numbers.lock_frequencies[first + action]) * values[below + action * width + hand]
        values[to + hand] = value


@vectorised
def visit_average(
    tree: Tree,
    deal: Deal,
    equities: Equities,
    numbers: Numbers,
    work: Workspace,
    block: int,
    board: int,
    player: int,
    best: bool,
) -> None:
    """Value a block on a board, with what follows, from the reach of its entries. The values stay in the workspace."""
    _forward(tree, deal, numbers, work, block, board, player)
    value_ends(tree, deal, equities, work, block, board, player)
    clear_deals(tree, deal, work, block, player)
    level = tree.levels[block]
    for below in range(deal.next_starts[board], deal.next_starts[board + 1]):
        for child in range(tree.children[block], tree.children[block + 1]):
            enter(tree, deal, work, work.reach, child, player)
            _visit_below(tree, deal, equities, numbers, work, child, below, player, best)
            gather(
                tree,
                deal,
                work.values,
                work.value_bases[level],
                work.values,
                work.value_bases[level + 1],
                child,
                below,
                player,
            )
    _backward(tree, deal, numbers, work, block, board, player, best)


@vectorised
def _visit_below(
    tree: Tree,
    deal: Deal,
    equities: Equities,
    numbers: Numbers,
    work: Workspace,
    block: int,
    board: int,
    player: int,
    best: bool,
) -> None:
    """The same one street later: compiled code does not call itself here."""
    _forward(tree, deal, numbers, work, block, board, player)
    value_ends(tree, deal, equities, work, block, board, player)
    clear_deals(tree, deal, work, block, player)
    level = tree.levels[block]
    for below in range(deal.next_starts[board], deal.next_starts[board + 1]):
        for child in range(tree.children[block], tree.children[block + 1]):
            enter(tree, deal, work, work.reach, child, player)
            _forward(tree, deal, numbers, work, child, below, player)
            value_ends(tree, deal, equities, work, child, below, player)
            _backward(tree, deal, numbers, work, child, below, player, best)
            gather(
                tree,
                deal,
                work.values,
                work.value_bases[level],
                work.values,
                work.value_bases[level + 1],
                child,
                below,
                player,
            )
    _backward(tree, deal, numbers, work, block, board, player, best)


@vectorised
def open_average(tree: Tree, deal: Deal, equities: Equities, numbers: Numbers, work: Workspace, player: int) -> None:
    """The first street on the way down, from the reach that stands in the workspace."""
    root, board = tree.starts[0], deal.level_starts[0]
    _forward(tree, deal, numbers, work, root, board, player)
    value_ends(tree, deal, equities, work, root, board, player)
    clear_deals(tree, deal, work, root, player)


@vectorised
def visit_tasks(
    tree: Tree,
    deal: Deal,
    equities: Equities,
    numbers: Numbers,
    work: Workspace,
    source: NDArray[np.float64],
    tasks: NDArray[np.int64],
    begin: int,
    end: int,
    results: NDArray[np.float64],
    player: int,
    best: bool,
) -> None:
    """Value some blocks of the second street, each on one board, and keep the values of their entries."""
    width = deal.widths[player]
    for task in range(begin, end):
        block, board, to = tasks[task, 0], tasks[task, 1], tasks[task, 2] * width
        enter(tree, deal, work, source, block, player)
        _visit_below(tree, deal, equities, numbers, work, block, board, player, best)
        row = work.value_bases[tree.levels[block]]
        for place in range(0, (tree.entry_starts[block + 1] - tree.entry_starts[block]) * width, WIDTH):
            store(results, to + place, load(work.values, row + place))


@vectorised
def close_average(
    tree: Tree,
    deal: Deal,
    numbers: Numbers,
    work: Workspace,
    tasks: NDArray[np.int64],
    results: NDArray[np.float64],
    player: int,
    best: bool,
) -> None:
    """The first street on the way up."""
    width = deal.widths[player]
    for task in range(len(tasks)):
        gather(
            tree,
            deal,
            work.values,
            work.value_bases[0],
            results,
            tasks[task, 2] * width,
            tasks[task, 0],
            tasks[task, 1],
            player,
        )
    _backward(tree, deal, numbers, work, tree.starts[0], deal.level_starts[0], player, best)

# ruff: noqa: PLR0913, PLR0917  # kernels take arrays one by one
"""The solver's iteration: discounted regret minimisation in vector form, over all hands of a player at once.

For a board and a block, reach flows from the entries to the ends, the ends are valued, and values flow back. Where the
player acts, regrets and the average strategy are updated on the way.

Numbers are kept as floats of 32 bits or, compact, as integers of 16 bits: a decision's regrets in parts of a scale of
its own, the average strategy in parts of `UNIT`.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.lab.compiler import vectorised
from croupier.lab.poker.solver.deal import Deal
from croupier.lab.poker.solver.ends import Equities, Workspace, value_ends
from croupier.lab.poker.solver.lanes import (
    WIDTH,
    lane,
    largest,
    load,
    load_short,
    splat,
    store,
    store_short,
    where_positive,
)
from croupier.lab.poker.solver.layout import Tree

UNIT: Final = 65535.0
SHORT_MAX: Final = 32767.0
_TINY: Final = 1e-30


class Numbers(NamedTuple):
    """Regrets and average strategy of all decisions, by block, board, node, action and hand.

    Either the floats or the integers are used; the other arrays are empty. `locked` has, for each decision of a block
    and board, the number of its lock, or is empty.
    """

    compact: bool
    regrets: NDArray[np.float32]
    average: NDArray[np.float32]
    short_regrets: NDArray[np.int16]
    short_average: NDArray[np.uint16]
    scales: NDArray[np.float32]
    locked: NDArray[np.int32]
    lock_starts: NDArray[np.int64]
    """Each lock's first hand in `lock_hands`."""
    lock_hands: NDArray[np.int64]
    lock_places: NDArray[np.int64]
    """Where the frequencies of each of these hands begin in `lock_frequencies`."""
    lock_frequencies: NDArray[np.float32]


class Weights(NamedTuple):
    """One iteration's discounts: what is kept of regrets above and below 0, and the weight of the newest strategy."""

    above: float
    below: float
    newest: float


@vectorised
def numbers_at(tree: Tree, deal: Deal, block: int, board: int, node: int) -> int:
    """Where the numbers of a decision begin."""
    ordinal = board - deal.level_starts[tree.levels[block]]
    place: int = tree.bases[block] + ordinal * tree.chunks[block] + tree.offsets[node]
    return place


@vectorised
def decision_at(tree: Tree, deal: Deal, block: int, board: int, node: int) -> int:
    """The number of a decision among all blocks and boards."""
    ordinal = board - deal.level_starts[tree.levels[block]]
    place: int = tree.scale_bases[block] + ordinal * tree.decisions[block] + tree.scales[node]
    return place


@vectorised
def _spread(
    regrets: NDArray[np.float32], at: int, count: int, width: int, reach: NDArray[np.float32], row: int, to: int
) -> None:
    """The opponent's reach after each action, by the current strategy."""
    nothing, tiny, even = splat(reach, 0.0), splat(reach, _TINY), splat(reach, 1.0 / count)
    for hand in range(0, width, WIDTH):
        total = nothing
        for action in range(count):
            total = total + largest(load(regrets, at + action * width + hand), nothing)
        whole = load(reach, row + hand)
        factor = whole / largest(total, tiny)
        rest = where_positive(total, nothing, whole * even)
        for action in range(count):
            place = action * width + hand
            store(reach, to + place, largest(load(regrets, at + place), nothing) * factor + rest)


@vectorised
def _spread_short(
    regrets: NDArray[np.int16], at: int, count: int, width: int, reach: NDArray[np.float32], row: int, to: int
) -> None:
    """Like `_spread`. A decision's scale does not matter for its strategy."""
    nothing, tiny, even = splat(reach, 0.0), splat(reach, _TINY), splat(reach, 1.0 / count)
    for hand in range(0, width, WIDTH):
        total = nothing
        for action in range(count):
            total = total + largest(load_short(regrets, at + action * width + hand), nothing)
        whole = load(reach, row + hand)
        factor = whole / largest(total, tiny)
        rest = where_positive(total, nothing, whole * even)
        for action in range(count):
            place = action * width + hand
            store(reach, to + place, largest(load_short(regrets, at + place), nothing) * factor + rest)


@vectorised
def _improve(
    numbers: Numbers,
    at: int,
    count: int,
    width: int,
    values: NDArray[np.float32],
    below: int,
    to: int,
    weights: Weights,
) -> None:
    """Value a decision by its current strategy; update regrets and average."""
    regrets, average = numbers.regrets, numbers.average
    nothing, tiny, even = splat(values, 0.0), splat(values, _TINY), splat(values, 1.0 / count)
    one = splat(values, 1.0)
    kept_above, kept_below = splat(values, weights.above), splat(values, weights.below)
    newest, older = splat(values, weights.newest), splat(values, 1.0 - weights.newest)
    for hand in range(0, width, WIDTH):
        total = nothing
        for action in range(count):
            total = total + largest(load(regrets, at + action * width + hand), nothing)
        factor = one / largest(total, tiny)
        rest = where_positive(total, nothing, even)
        value = nothing
        for action in range(count):
            place = action * width + hand
            share = largest(load(regrets, at + place), nothing) * factor + rest
            value = value + share * load(values, below + place)
            store(average, at + place, load(average, at + place) * older + share * newest)
        for action in range(count):
            place = action * width + hand
            regret = load(regrets, at + place)
            regret = where_positive(regret, regret * kept_above, regret * kept_below)
            store(regrets, at + place, regret + load(values, below + place) - value)
        store(values, to + hand, value)


@vectorised
def _improve_short(
    numbers: Numbers,
    at: int,
    decision: int,
    count: int,
    width: int,
    values: NDArray[np.float32],
    below: int,
    to: int,
    weights: Weights,
    wide: NDArray[np.float32],
) -> None:
    """Like `_improve`, in 16 bits. The regrets are made in `wide` first, since their scale is known at the end."""
    regrets, average = numbers.short_regrets, numbers.short_average
    nothing, tiny, even = splat(values, 0.0), splat(values, _TINY), splat(values, 1.0 / count)
    one, half = splat(values, 1.0), splat(values, 0.5)
    scale = numbers.scales[decision]
    kept_above, kept_below = splat(values, weights.above * scale), splat(values, weights.below * scale)
    newest, older = splat(values, weights.newest * UNIT), splat(values, 1.0 - weights.newest)
    highest, lowest = nothing, nothing
    for hand in range(0, width, WIDTH):
        total = nothing
        for action in range(count):
            total = total + largest(load_short(regrets, at + action * width + hand), nothing)
        factor = one / largest(total, tiny)
        rest = where_positive(total, nothing, even)
        value = nothing
        for action in range(count):
            place = action * width + hand
            share = largest(load_short(regrets, at + place), nothing) * factor + rest
            value = value + share * load(values, below + place)
            mean = load_short(average, at + place) * older + share * newest
            store_short(average, at + place, mean + half)
        for action in range(count):
            place = action * width + hand
            regret = load_short(regrets, at + place)
            regret = where_positive(regret, regret * kept_above, regret * kept_below)
            regret = regret + load(values, below + place) - value
            highest, lowest = largest(highest, regret), largest(lowest, nothing - regret)
            store(wide, place, regret)
        store(values, to + hand, value)
    highest = largest(highest, lowest)
    top = np.float32(_TINY)
    for k in range(WIDTH):
        top = max(top, lane(highest, k))
    numbers.scales[decision] = top / np.float32(SHORT_MAX)
    factor = splat(values, SHORT_MAX / top)
    for place in range(0, count * width, WIDTH):
        regret = load(wide, place) * factor
        store_short(regrets, at + place, regret + where_positive(regret, half, nothing - half))


@vectorised
def keep_locks(numbers: Numbers, at: int, decision: int, count: int, width: int) -> None:
    """Write the frequencies of locked hands over their regrets and their average: both strategies are the lock."""
    lock = numbers.locked[decision]
    if lock < 0:
        return
    for number in range(numbers.lock_starts[lock], numbers.lock_starts[lock + 1]):
        hand, first = numbers.lock_hands[number], numbers.lock_places[number]
        for action in range(count):
            frequency, place = numbers.lock_frequencies[first + action], at + action * width + hand
            if numbers.compact:
                numbers.short_regrets[place] = np.int16(frequency * SHORT_MAX + 0.5)
                numbers.short_average[place] = np.uint16(frequency * UNIT + 0.5)
            else:
                numbers.regrets[place] = numbers.average[place] = frequency


@vectorised
def forward(tree: Tree, deal: Deal, numbers: Numbers, work: Workspace, block: int, board: int, player: int) -> None:
    """Carry the opponent's reach from the entries of a block to its ends."""
    opponent = 1 - player
    width, base = deal.widths[opponent], work.reach_bases[tree.levels[block]]
    chunk = numbers_at(tree, deal, block, board, tree.starts[block])
    for node in range(tree.starts[block], tree.starts[block + 1]):
        if tree.actors[node] == opponent:
            row = base + tree.slots[player, node] * width
            to = base + tree.slots[player, tree.first[node]] * width
            at = chunk + tree.offsets[node]
            if numbers.compact:
                _spread_short(numbers.short_regrets, at, tree.counts[node], width, work.reach, row, to)
            else:
                _spread(numbers.regrets, at, tree.counts[node], width, work.reach, row, to)


@vectorised
def _sum_rows(values: NDArray[np.float32], below: int, count: int, width: int, to: int) -> None:
    for hand in range(0, width, WIDTH):
        total = load(values, below + hand)
        for action in range(1, count):
            total = total + load(values, below + action * width + hand)
        store(values, to + hand, total)


@vectorised
def backward(
    tree: Tree, deal: Deal, numbers: Numbers, work: Workspace, block: int, board: int, player: int, weights: Weights
) -> None:
    """Carry values from the ends of a block to its entries, and improve the player's decisions."""
    width, base = deal.widths[player], work.value_bases[tree.levels[block]]
    start = tree.starts[block]
    chunk = numbers_at(tree, deal, block, board, start)
    first_decision = decision_at(tree, deal, block, board, start)
    for node in range(tree.starts[block + 1] - 1, start - 1, -1):
        actor, count = tree.actors[node], tree.counts[node]
        if actor < 0:
            continue
        to, below = base + (node - start) * width, base + (tree.first[node] - start) * width
        if actor != player:
            _sum_rows(work.values, below, count, width, to)
            continue
        at, decision = chunk + tree.offsets[node], first_decision + tree.scales[node]
        if numbers.compact:
            _improve_short(numbers, at, decision, count, width, work.values, below, to, weights, work.wide)
        else:
            _improve(numbers, at, count, width, work.values, below, to, weights)
        if len(numbers.locked):
            keep_locks(numbers, at, decision, count, width)


@vectorised
def enter(tree: Tree, deal: Deal, work: Workspace, source: NDArray[Any], block: int, player: int) -> None:
    """Copy the reach of a block's entries from the block before, which may be another thread's."""
    width, level, parent = deal.widths[1 - player], tree.levels[block], tree.levels[block] - 1
    first = tree.entry_starts[block]
    for entry in range(first, tree.entry_starts[block + 1]):
        row = work.reach_bases[parent] + tree.slots[player, tree.entries[entry]] * width
        to = work.reach_bases[level] + (entry - first) * width
        for hand in range(0, width, WIDTH):
            store(work.reach, to + hand, load(source, row + hand))


@vectorised
def gather(
    tree: Tree,
    deal: Deal,
    values: NDArray[Any],
    value_base: int,
    found: NDArray[Any],
    found_base: int,
    block: int,
    board: int,
    player: int,
) -> None:
    """Add the values of a block's entries on one board, and on all boards that it stands for, to the deals before
    it."""
    width, parent = deal.widths[player], tree.parents[block]
    chance = deal.chances[tree.levels[parent]]
    first = tree.entry_starts[block]
    times = splat(values, chance)
    for entry in range(first, tree.entry_starts[block + 1]):
        to = value_base + (tree.entries[entry] - tree.starts[parent]) * width
        row = found_base + (entry - first) * width
        for hand in range(0, width, WIDTH):
            store(values, to + hand, load(values, to + hand) + times * load(found, row + hand))
        for member in range(deal.member_starts[board] + 1, deal.member_starts[board + 1]):
            exchange = deal.members[member]
            for hand in range(deal.hands[player]):
                values[to + hand] += chance * found[row + np.int64(deal.moved[exchange, player, hand])]


@vectorised
def clear_deals(tree: Tree, deal: Deal, work: Workspace, block: int, player: int) -> None:
    """Set the values of a block's deals to 0 before they are gathered."""
    width, base = deal.widths[player], work.value_bases[tree.levels[block]]
    nothing = splat(work.values, 0.0)
    for child in range(tree.children[block], tree.children[block + 1]):
        for entry in range(tree.entry_starts[child], tree.entry_starts[child + 1]):
            to = base + (tree.entries[entry] - tree.starts[block]) * width
            for hand in range(0, width, WIDTH):
                store(work.values, to + hand, nothing)


@vectorised
def _visit_last(
    tree: Tree,
    deal: Deal,
    equities: Equities,
    numbers: Numbers,
    work: Workspace,
    block: int,
    board: int,
    player: int,
    weights: Weights,
) -> None:
    forward(tree, deal, numbers, work, block, board, player)
    value_ends(tree, deal, equities, work, block, board, player)
    backward(tree, deal, numbers, work, block, board, player, weights)


@vectorised
def visit(
    tree: Tree,
    deal: Deal,
    equities: Equities,
    numbers: Numbers,
    work: Workspace,
    source: NDArray[Any],
    tasks: NDArray[np.int64],
    begin: int,
    end: int,
    results: NDArray[np.float32],
    player: int,
    weights: Weights,
) -> None:
    """Go through some blocks of the second street, each on one board, and keep the values of their entries.

    A task is a block, a board, and where its results go.
    """
    width = deal.widths[player]
    for task in range(begin, end):
        block, board, to = tasks[task, 0], tasks[task, 1], tasks[task, 2] * width
        enter(tree, deal, work, source, block, player)
        forward(tree, deal, numbers, work, block, board, player)
        value_ends(tree, deal, equities, work, block, board, player)
        if tree.children[block] < tree.children[block + 1]:
            clear_deals(tree, deal, work, block, player)
            level = tree.levels[block]
            for below in range(deal.next_starts[board], deal.next_starts[board + 1]):
                for child in range(tree.children[block], tree.children[block + 1]):
                    enter(tree, deal, work, work.reach, child, player)
                    _visit_last(tree, deal, equities, numbers, work, child, below, player, weights)
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
        backward(tree, deal, numbers, work, block, board, player, weights)
        row = work.value_bases[tree.levels[block]]
        for place in range(0, (tree.entry_starts[block + 1] - tree.entry_starts[block]) * width, WIDTH):
            store(results, to + place, load(work.values, row + place))


@vectorised
def _start(deal: Deal, work: Workspace, player: int) -> None:
    for hand in range(deal.widths[1 - player]):
        work.reach[hand] = deal.weights[1 - player, hand]


@vectorised
def open_root(tree: Tree, deal: Deal, equities: Equities, numbers: Numbers, work: Workspace, player: int) -> None:
    """The first street on the way down."""
    root, board = tree.starts[0], deal.level_starts[0]  # zeros; written as such, everything would be compiled for them
    _start(deal, work, player)
    forward(tree, deal, numbers, work, root, board, player)
    value_ends(tree, deal, equities, work, root, board, player)
    clear_deals(tree, deal, work, root, player)


@vectorised
def close_root(
    tree: Tree,
    deal: Deal,
    numbers: Numbers,
    work: Workspace,
    tasks: NDArray[np.int64],
    results: NDArray[np.float32],
    player: int,
    weights: Weights,
) -> None:
    """The first street on the way up. Results are added in the order of the tasks, whoever did them."""
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
    backward(tree, deal, numbers, work, tree.starts[0], deal.level_starts[0], player, weights)


@vectorised
def solve_river(
    tree: Tree, deal: Deal, equities: Equities, numbers: Numbers, work: Workspace, discounts: NDArray[np.float64]
) -> None:
    """Whole iterations of a spot without further cards, one for each row of discounts."""
    for row in range(len(discounts)):
        weights = Weights(discounts[row, 0], discounts[row, 1], discounts[row, 2])
        for player in range(2):
            _start(deal, work, player)
            _visit_last(tree, deal, equities, numbers, work, tree.starts[0], deal.level_starts[0], player, weights)

# ruff: noqa: PLR0913, PLR0917  # kernels take arrays one by one
"""The values of the tree's ends to every hand of a player: folds, showdowns and all-ins.

Sixteen ends of a board are computed at once, one in each lane. A showdown takes one walk through both players' hands
from the weakest to the strongest, with running sums of the opponent's reach: of all hands, and by card. A hand meets
all but those that share a card with it, which are the sums of its two cards, less the same hand, which both contain.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.lab.compiler import vector_step, vectorised
from croupier.lab.poker.solver.deal import CARDS_MAX, Deal
from croupier.lab.poker.solver.lanes import WIDTH, lane, load, load_short, splat, store, widened_like
from croupier.lab.poker.solver.layout import Tree

ALL_IN = 3
"""`Kind.ALL_IN`, as kernels see it."""


class Equities(NamedTuple):
    """Player 0's equity for all-ins before the last street, by pairs of hands.

    `counts` is for boards of the street before the last: twice the wins, once the ties, over the cards to come.
    `shares` is for the first of three streets: the expected equity. Hands that cannot meet have 0.
    """

    counts: NDArray[np.uint8]
    shares: NDArray[np.float32]
    scale: float
    """What one of `counts` is worth."""
    first: int
    """The first board of `counts`."""


class Workspace(NamedTuple):
    """One thread's arrays: floats of 32 bits for the solver, of 64 bits for best responses."""

    reach: NDArray[Any]
    """The opponent's reach: rows by street and slot."""
    values: NDArray[Any]
    """Values of the player's hands: rows by street and node of the block."""
    reach_bases: NDArray[np.int64]
    value_bases: NDArray[np.int64]
    lanes: NDArray[Any]
    """The opponent's reach in lanes, by place in the board's list."""
    sums: NDArray[Any]
    """Running sums of reach, by card."""
    worth: NDArray[Any]
    shares: NDArray[Any]
    fixed: NDArray[Any]
    rows: NDArray[np.int64]
    targets: NDArray[np.int64]
    wide: NDArray[Any]
    """Room for the actions of one decision."""


@vector_step
def _set_lanes(
    tree: Tree,
    work: Workspace,
    player: int,
    nodes: NDArray[np.int64],
    begin: int,
    end: int,
    start: int,
    level: int,
    own: int,
    other: int,
) -> None:
    """Which rows the lanes read and write. Lanes without an end repeat the last one, and are worth nothing."""
    for k in range(WIDTH):
        node = nodes[min(begin + k, end - 1)]
        work.rows[k] = work.reach_bases[level] + tree.slots[player, node] * other
        work.targets[k] = work.value_bases[level] + (node - start) * own
        work.shares[k] = tree.shares[player, node] if tree.kinds[node] != ALL_IN else 0.0
        work.fixed[k] = tree.fixed[player, node]


@vector_step
def _read_lanes(deal: Deal, work: Workspace, board: int, opponent: int, count: int) -> None:
    # Lane by lane: the other way round, a row's start would be read again for every hand.
    for k in range(count):
        row = work.rows[k]
        for place in range(deal.alive[board, opponent]):
            work.lanes[place * WIDTH + k] = work.reach[row + np.int64(deal.order[board, opponent, place])]


@vector_step
def _write_lanes(deal: Deal, work: Workspace, board: int, player: int, count: int) -> None:
    nothing = splat(work.values, 0.0)
    for k in range(count):
        target = work.targets[k]
        for at in range(0, deal.widths[player], WIDTH):
            store(work.values, target + at, nothing)
        for place in range(deal.alive[board, player]):
            work.values[target + np.int64(deal.order[board, player, place])] = work.worth[place * WIDTH + k]


@vector_step
def _meet_all(deal: Deal, work: Workspace, board: int, player: int) -> None:
    """From the complete sums: how much of the opponent's reach each hand meets; add the fixed part of the ends.

    Where no equity was computed, the ends have no share of it.
    """
    every = load(work.sums, CARDS_MAX * WIDTH)
    shares, fixed = load(work.shares, 0), load(work.fixed, 0)
    for place in range(deal.alive[board, player]):
        hand = np.int64(deal.order[board, player, place])
        first, second = np.int64(deal.cards[player, hand, 0]), np.int64(deal.cards[player, hand, 1])
        met = every - load(work.sums, first * WIDTH) - load(work.sums, second * WIDTH)
        same = np.int64(deal.same[board, player, place])
        if same >= 0:
            met = met + load(work.lanes, same * WIDTH)
        store(work.worth, place * WIDTH, shares * load(work.worth, place * WIDTH) + fixed * met)


@vector_step
def _add(deal: Deal, work: Workspace, board: int, opponent: int, place: int) -> None:
    hand = np.int64(deal.order[board, opponent, place])
    first = np.int64(deal.cards[opponent, hand, 0]) * WIDTH
    second = np.int64(deal.cards[opponent, hand, 1]) * WIDTH
    more = load(work.lanes, place * WIDTH)
    store(work.sums, first, load(work.sums, first) + more)
    store(work.sums, second, load(work.sums, second) + more)
    every = CARDS_MAX * WIDTH
    store(work.sums, every, load(work.sums, every) + more)


@vector_step
def _clear_sums(work: Workspace) -> None:
    nothing = splat(work.sums, 0.0)
    for card in range(CARDS_MAX + 1):
        store(work.sums, card * WIDTH, nothing)


@vector_step
def _equity(deal: Deal, work: Workspace, board: int, player: int) -> None:
    """The reach that each hand beats, and half of what it ties with; the sums are complete afterwards."""
    opponent = 1 - player
    own, other = deal.alive[board, player], deal.alive[board, opponent]
    half = splat(work.sums, 0.5)
    every = CARDS_MAX * WIDTH
    place, added = 0, 0
    while place < own:
        rank = deal.ranks[board, player, place]
        while added < other and deal.ranks[board, opponent, added] < rank:
            _add(deal, work, board, opponent, added)
            added += 1
        end = place
        while end < own and deal.ranks[board, player, end] == rank:
            hand = np.int64(deal.order[board, player, end])
            first, second = np.int64(deal.cards[player, hand, 0]), np.int64(deal.cards[player, hand, 1])
            below = load(work.sums, every) - load(work.sums, first * WIDTH) - load(work.sums, second * WIDTH)
            store(work.worth, end * WIDTH, below)
            end += 1
        if added < other and deal.ranks[board, opponent, added] == rank:
            while added < other and deal.ranks[board, opponent, added] == rank:
                _add(deal, work, board, opponent, added)
                added += 1
            for tied in range(place, end):
                hand = np.int64(deal.order[board, player, tied])
                first, second = np.int64(deal.cards[player, hand, 0]), np.int64(deal.cards[player, hand, 1])
                upto = load(work.sums, every) - load(work.sums, first * WIDTH) - load(work.sums, second * WIDTH)
                same = np.int64(deal.same[board, player, tied])
                if same >= 0:
                    upto = upto + load(work.lanes, same * WIDTH)
                store(work.worth, tied * WIDTH, half * (load(work.worth, tied * WIDTH) + upto))
        place = end
    while added < other:
        _add(deal, work, board, opponent, added)
        added += 1


@vectorised
def value_ends(
    tree: Tree, deal: Deal, equities: Equities, work: Workspace, block: int, board: int, player: int
) -> None:
    """Write what each end of a block is worth to each hand of a player on a board."""
    start, level = tree.starts[block], tree.levels[block]
    own, other = deal.widths[player], deal.widths[1 - player]
    begin, end = tree.showdown_starts[block], tree.showdown_starts[block + 1]
    for first in range(begin, end, WIDTH):
        _set_lanes(tree, work, player, tree.showdowns, first, end, start, level, own, other)
        _read_lanes(deal, work, board, 1 - player, min(WIDTH, end - first))
        _clear_sums(work)
        _equity(deal, work, board, player)
        _meet_all(deal, work, board, player)
        _write_lanes(deal, work, board, player, min(WIDTH, end - first))
    begin, end = tree.fold_starts[block], tree.fold_starts[block + 1]
    for first in range(begin, end, WIDTH):
        _set_lanes(tree, work, player, tree.folds, first, end, start, level, own, other)
        _read_lanes(deal, work, board, 1 - player, min(WIDTH, end - first))
        _clear_sums(work)
        for place in range(deal.alive[board, 1 - player]):
            _add(deal, work, board, 1 - player, place)
        _meet_all(deal, work, board, player)
        _write_lanes(deal, work, board, player, min(WIDTH, end - first))
        for k in range(min(WIDTH, end - first)):
            node = tree.folds[first + k]
            if tree.kinds[node] == ALL_IN:
                _add_all_in(
                    deal, equities, work, board, player, tree.shares[player, node], work.rows[k], work.targets[k]
                )


@vectorised
def _add_all_in(
    deal: Deal, equities: Equities, work: Workspace, board: int, player: int, share: float, row: int, target: int
) -> None:
    """Add the share of the pot that is won on average over the cards to come."""
    if board >= equities.first:
        _add_matrix(
            deal,
            equities.counts,
            (board - equities.first) * deal.widths[0] * deal.widths[1],
            work,
            player,
            share * equities.scale,
            row,
            target,
        )
    else:
        _add_shares(deal, equities.shares, work, player, share, row, target)


@vector_step
def _add_matrix(
    deal: Deal, matrix: NDArray[np.uint8], base: int, work: Workspace, player: int, share: float, row: int, target: int
) -> None:
    width = deal.widths[1]
    for hand in range(deal.hands[0]):
        at = base + hand * width
        if player == 0:
            total = splat(work.values, 0.0)
            for place in range(0, width, WIDTH):
                total = total + widened_like(work.values, load_short(matrix, at + place)) * load(
                    work.reach, row + place
                )
            found = 0.0
            for k in range(WIDTH):
                found += lane(total, k)
            work.values[target + hand] += share * found
        else:
            factor = share * work.reach[row + hand]
            if factor != 0.0:
                times = splat(work.values, factor)
                for place in range(0, width, WIDTH):
                    more = widened_like(work.values, load_short(matrix, at + place)) * times
                    store(work.values, target + place, load(work.values, target + place) + more)


@vector_step
def _add_shares(
    deal: Deal, matrix: NDArray[np.float32], work: Workspace, player: int, share: float, row: int, target: int
) -> None:
    """Like `_add_matrix`, with floats."""
    width = deal.widths[1]
    for hand in range(deal.hands[0]):
        at = hand * width
        if player == 0:
            total = splat(work.values, 0.0)
            for place in range(0, width, WIDTH):
                total = total + widened_like(work.values, load(matrix, at + place)) * load(work.reach, row + place)
            found = 0.0
            for k in range(WIDTH):
                found += lane(total, k)
            work.values[target + hand] += share * found
        else:
            factor = share * work.reach[row + hand]
            if factor != 0.0:
                times = splat(work.values, factor)
                for place in range(0, width, WIDTH):
                    more = widened_like(work.values, load(matrix, at + place)) * times
                    store(work.values, target + place, load(work.values, target + place) + more)

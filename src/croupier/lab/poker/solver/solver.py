"""The solver: the arrays of a spot, iterations on all cores, and how far they are from equilibrium."""

import itertools
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from croupier.lab.poker.solver import best_response, matchups, regrets
from croupier.lab.poker.solver.betting import Betting, Node, betting_tree
from croupier.lab.poker.solver.deal import CARDS_MAX, Deal, Deck, Hands, board_counts, deal
from croupier.lab.poker.solver.ends import Equities, Workspace
from croupier.lab.poker.solver.errors import SolveError
from croupier.lab.poker.solver.lanes import WIDTH
from croupier.lab.poker.solver.layout import Layout, Tree, layout
from croupier.lab.poker.solver.regrets import Numbers, Weights
from croupier.lab.threads import core_count, pool

ABOVE_POWER: Final = 1.5
BELOW: Final = 0.5
AVERAGE_POWER: Final = 5
"""Strategy n counts about n to this power: what was played long ago only slows the average down."""
TASKS_PER_THREAD: Final = 8

WeightLists = tuple[NDArray[np.float64], NDArray[np.float64]]


def discounts(iteration: int) -> Weights:
    """The weights of an iteration, from 0 on."""
    grown = float(iteration) ** ABOVE_POWER
    # Of the rising powers n (n + 1) … (n + k - 1) up to now, the newest one is this part.
    newest = (AVERAGE_POWER + 1) / (iteration + AVERAGE_POWER + 1)
    return Weights(grown / (grown + 1), BELOW, newest)


class LockedHands:
    """The locks as arrays, for `Numbers`."""

    def __init__(self, decision_count: int) -> None:
        self._decision_count = decision_count
        self._by_decision: dict[int, dict[int, Sequence[float]]] = {}

    def add(self, decision: int, hand: int, frequencies: Sequence[float]) -> None:
        self._by_decision.setdefault(decision, {})[hand] = frequencies

    def arrays(self) -> tuple[NDArray[Any], ...]:
        """`locked` and the four lists of `Numbers`."""
        if not self._by_decision:
            return tuple(np.zeros(0, kind) for kind in (np.int32, np.int64, np.int64, np.int64, np.float32))
        locked = np.full(self._decision_count, -1, np.int32)
        locked[list(self._by_decision)] = np.arange(len(self._by_decision))
        rows = [(hand, row) for hands in self._by_decision.values() for hand, row in hands.items()]
        return (
            locked,
            np.cumsum([0, *map(len, self._by_decision.values())]),
            np.array([hand for hand, _ in rows]),
            np.cumsum([0, *(len(row) for _, row in rows)])[:-1],
            np.array([share for _, row in rows for share in row], np.float32),
        )


class Solver:
    """Two ranges, a deck and the bets allowed, on the way to an equilibrium. It fits any game whose hands are compared
    on a full board and exclude each other by their cards. Results depend on the input alone, not on the number of
    threads. `memory_bytes` is what the arrays need; with a `memory_max`, SolveError is raised before they are made.
    """

    def __init__(
        self,
        betting: Betting,
        deck: Deck,
        hands: tuple[Hands, Hands],
        weights: WeightLists,
        *,
        compact: bool = False,
        memory_max: int | None = None,
    ) -> None:
        self.betting, self.deck, self.compact = betting, deck, compact
        self.nodes: list[Node] = betting_tree(betting)
        counts = board_counts(deck)
        widths = tuple(-(-len(each) // WIDTH) * WIDTH for each in hands)
        self.layout: Layout = layout(betting, self.nodes, (widths[0], widths[1]), counts)
        self.memory_bytes = _memory(self.layout, counts, widths, compact)
        if memory_max is not None and self.memory_bytes > memory_max:
            raise SolveError("SOLVE_MEMORY", needed=megabytes(self.memory_bytes), limit=megabytes(memory_max))
        self.deal: Deal = deal(deck, hands, weights)
        self.tree: Tree = self.layout.tree
        self.iterations = 0
        self.numbers = _numbers(self.layout, compact, LockedHands(self.layout.decision_count))
        self.meet = _meetings(self.deal)
        self.total = float(self._weights(0) @ self.meet @ self._weights(1))
        self.equities = _equities(self.deal, deck.streets)
        threads = core_count()
        self._work = [_workspace(self.tree, self.deal, np.float32) for _ in range(threads)]
        self._exact = [_workspace(self.tree, self.deal, np.float64) for _ in range(threads)]
        self._tasks, rows = _tasks(self.tree, self.deal)
        self._results = np.zeros(rows * int(self.deal.widths.max()), np.float32)
        self._exact_results = np.zeros(len(self._results))

    def _weights(self, player: int) -> NDArray[np.float64]:
        return self.deal.weights[player, : self.deal.hands[player]]

    def lock(self, locks: LockedHands) -> None:
        """Fix the frequencies of hands from now on."""
        locked, starts, hands, places, frequencies = locks.arrays()
        self.numbers = self.numbers._replace(
            locked=locked, lock_starts=starts, lock_hands=hands, lock_places=places, lock_frequencies=frequencies
        )
        self._write_locks()

    def _write_locks(self) -> None:
        """Give locked hands their frequencies before the first iteration."""
        for decision in np.flatnonzero(self.numbers.locked >= 0).tolist():
            block = int(np.searchsorted(self.tree.scale_bases, decision, side="right")) - 1
            while self.tree.decisions[block] == 0:
                block -= 1
            board, which = divmod(int(decision - self.tree.scale_bases[block]), int(self.tree.decisions[block]))
            for node in range(self.tree.starts[block], self.tree.starts[block + 1]):
                if self.tree.actors[node] >= 0 and self.tree.scales[node] == which:
                    at = self.tree.bases[block] + board * self.tree.chunks[block] + self.tree.offsets[node]
                    width = self.deal.widths[self.tree.actors[node]]
                    regrets.keep_locks(self.numbers, at, decision, self.tree.counts[node], width)

    def iterate(self, count: int) -> None:
        """Improve both players' strategies `count` times."""
        weights = [discounts(self.iterations + each) for each in range(count)]
        shared = self.tree, self.deal, self.equities, self.numbers
        if len(self._tasks) == 0:
            regrets.solve_river(*shared, self._work[0], np.array(weights))
            self.iterations += count
            return
        for each in weights:
            for player in (0, 1):
                regrets.open_root(*shared, self._work[0], player)
                self._share_out(regrets.visit, self._work, self._results, player, each)
                close = self.tree, self.deal, self.numbers, self._work[0], self._tasks, self._results, player, each
                regrets.close_root(*close)
            self.iterations += 1

    def _share_out(self, visit: Callable[..., None], works: list[Workspace], *last: Any) -> None:
        """Share the tasks among all threads."""
        count = len(self._tasks)
        step = max(1, count // (TASKS_PER_THREAD * len(works)))
        numbers = itertools.count()
        source = works[0].reach

        def help_out(work: Workspace) -> None:
            while (begin := next(numbers) * step) < count:
                end = min(count, begin + step)
                shared = self.tree, self.deal, self.equities, self.numbers
                visit(*shared, work, source, self._tasks, begin, end, *last)

        helpers = [pool().submit(help_out, work) for work in works[1:]]
        help_out(works[0])
        for helper in helpers:
            helper.result()

    def values(self, player: int, *, best: bool, reach: NDArray[np.float64] | None = None) -> Workspace:
        """Value all nodes of the first street for a player, by the average strategies or by a best response.

        The values stand in the workspace that is returned until the next call. `reach` replaces the opponent's range.
        """
        work, opponent = self._exact[0], 1 - player
        width = int(self.deal.widths[opponent])
        work.reach[:width] = self.deal.weights[opponent, :width] if reach is None else reach
        best_response.open_average(self.tree, self.deal, self.equities, self.numbers, work, player)
        if len(self._tasks):
            self._share_out(best_response.visit_tasks, self._exact, self._exact_results, player, best)
        close = self.tree, self.deal, self.numbers, work, self._tasks, self._exact_results, player, best
        best_response.close_average(*close)
        return work

    def values_of(self, block: int, board: int, player: int, entries: NDArray[np.float64]) -> Workspace:
        """Value all nodes of a later block on a board by the average strategies, from the opponent's reach at entry."""
        work, width = self._exact[0], int(self.deal.widths[1 - player])
        base = int(work.reach_bases[self.tree.levels[block]])
        work.reach[base : base + entries.size] = entries.reshape(-1)
        assert entries.shape[1] == width
        shared = self.tree, self.deal, self.equities, self.numbers
        best_response.visit_average(*shared, work, block, board, player, False)
        return work

    def expected(self, player: int, *, best: bool) -> float:
        """The chips that a player wins on average out of the pot at the start."""
        count = int(self.deal.hands[player])
        work = self.values(player, best=best)
        return float(work.values[:count] @ self._weights(player)) / self.total

    def exploitability(self) -> float:
        """Half of what both players could gain by a best response, as a share of the pot at the start."""
        best = sum(self.expected(player, best=True) for player in (0, 1))
        # Without rake both players' winnings add up to the pot, whatever they play.
        raked = self.betting.rake > 0
        played = sum(self.expected(player, best=False) for player in (0, 1)) if raked else self.betting.pot
        return (best - played) / 2 / self.betting.pot

    def strategy(self, block: int, board: int, node: int) -> NDArray[np.float64]:
        """The average strategy at a decision, by action and padded hand."""
        width, count = int(self.deal.widths[self.tree.actors[node]]), int(self.tree.counts[node])
        shares = np.zeros(count * width)
        at = regrets.numbers_at(self.tree, self.deal, block, board, node)
        best_response.read_strategy(self.numbers, at, count, width, shares)
        return shares.reshape(count, width)


def megabytes(size: int) -> str:
    """Bytes as they are told; small spots need parts of a megabyte."""
    return f"{size / 1e6:,.0f} MB" if size >= 10**7 else f"{size / 1e6:.3g} MB"


def _numbers(arranged: Layout, compact: bool, locks: LockedHands) -> Numbers:
    count = arranged.number_count
    full, short = (0, count) if compact else (count, 0)
    return Numbers(
        compact,
        np.zeros(full, np.float32),
        np.zeros(full, np.float32),
        np.zeros(short, np.int16),
        np.zeros(short, np.uint16),
        np.zeros(arranged.decision_count if compact else 0, np.float32),
        *locks.arrays(),
    )


def _rows(tree: Tree, levels: int) -> tuple[list[int], list[int]]:
    """The most slots and nodes of a block, by street."""
    nodes = np.diff(tree.starts)
    slots = [int(tree.slots_of[:, tree.levels == level].max(initial=0)) for level in range(levels)]
    return slots, [int(nodes[tree.levels == level].max(initial=0)) for level in range(levels)]


def _memory(arranged: Layout, boards: tuple[int, ...], widths: tuple[int, ...], compact: bool) -> int:
    """The bytes of all arrays that grow with the spot."""
    width = max(widths)
    stored = arranged.number_count * (4 if compact else 8) + (4 * arranged.decision_count if compact else 0)
    lists = sum(boards) * 2 * (3 * 2 * width + 8)
    matrices = boards[-2] * widths[0] * widths[1] + 4 * widths[0] * widths[1] if len(boards) > 1 else 0
    meetings = 8 * widths[0] * widths[1]
    slots, nodes = _rows(arranged.tree, len(boards))
    rows = sum(slots) + sum(nodes) + 2 * WIDTH + int(arranged.tree.counts.max())
    results = (boards[1] if len(boards) > 1 else 0) * int((arranged.tree.levels == 1).sum() + nodes[0]) * width * 12
    return stored + lists + matrices + meetings + results + core_count() * rows * width * 12


def _meetings(dealt: Deal) -> NDArray[np.float64]:
    """1 for each pair of hands without a common card, else 0."""
    one, other = (dealt.cards[player, : dealt.hands[player]] for player in (0, 1))
    shared = np.zeros((len(one), len(other)), np.bool_)
    for first, second in itertools.product(range(2), range(2)):
        shared |= one[:, first, np.newaxis] == other[np.newaxis, :, second]
    return (~shared).astype(np.float64)


def _equities(dealt: Deal, streets: int) -> Equities:
    if streets == 1:
        return Equities(np.zeros(0, np.uint8), np.zeros(0, np.float32), 0.0, 0)
    size = int(dealt.widths[0] * dealt.widths[1])
    first, end = (int(dealt.level_starts[streets - each]) for each in (2, 1))
    counts, scale = np.zeros((end - first) * size, np.uint8), float(dealt.chances[streets - 2]) / 2

    def count(board: int) -> None:
        strengths = np.zeros((2, int(dealt.widths.max())), np.int16)
        matchups.count_wins(dealt, board, (board - first) * size, counts, strengths)

    list(pool().map(count, range(first, end)))
    shares = np.zeros(size if streets > 2 else 0, np.float32)
    if streets > 2:
        matchups.average_wins(dealt, counts, scale * float(dealt.chances[0]), shares)
    return Equities(counts, shares, scale, first)


def _workspace(tree: Tree, dealt: Deal, kind: type[np.floating[Any]]) -> Workspace:
    width = int(dealt.widths.max())
    slots, nodes = _rows(tree, len(dealt.level_starts))
    return Workspace(
        reach=np.zeros(sum(slots) * width, kind),
        values=np.zeros(sum(nodes) * width, kind),
        reach_bases=np.cumsum([0, *slots]) * width,
        value_bases=np.cumsum([0, *nodes]) * width,
        lanes=np.zeros(width * WIDTH, kind),
        sums=np.zeros((CARDS_MAX + 1) * WIDTH, kind),
        worth=np.zeros(width * WIDTH, kind),
        shares=np.zeros(WIDTH, kind),
        fixed=np.zeros(WIDTH, kind),
        rows=np.zeros(WIDTH, np.int64),
        targets=np.zeros(WIDTH, np.int64),
        wide=np.zeros(int(tree.counts.max()) * width, kind),
    )


def _tasks(tree: Tree, dealt: Deal) -> tuple[NDArray[np.int64], int]:
    """Every block of the second street on every board, with the row of its results, and the number of rows."""
    tasks, rows = [], 0
    for board in range(dealt.next_starts[0], dealt.next_starts[1]):
        for block in range(tree.children[0], tree.children[1]):
            tasks.append((block, board, rows))
            rows += int(tree.entry_starts[block + 1] - tree.entry_starts[block])
    return np.array(tasks, np.int64).reshape(-1, 3), rows

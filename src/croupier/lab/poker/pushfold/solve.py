"""Push/fold equilibria, by discounted regret minimisation over all 169 hands at once.

Heads-up pots use exact equities, pots of three the sampled table of `three_way`. Three players at most go all-in: those
behind them fold. Every player's possible gain is measured by a best response to the strategies that are returned: a
player decides once in a hand, so the best response takes the better of two values at every decision.
"""

from collections.abc import Callable
from concurrent.futures import Future
from functools import lru_cache
from itertools import combinations
from time import perf_counter
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.lab.poker.hand_classes import COMBINATIONS, HANDS, SIDE, range_text, share
from croupier.lab.poker.pushfold import kernels
from croupier.lab.poker.pushfold.heads_up import heads_up
from croupier.lab.poker.pushfold.kernels import Ends, Profile, Table, Values, pair_number
from croupier.lab.poker.pushfold.spot import Spot, check, final_stacks, walk_stacks, worth
from croupier.lab.poker.pushfold.three_way import ORDERS, WAYS, ThreeWay, three_way
from croupier.lab.threads import pool
from croupier.notebook import table_html

Floats = NDArray[np.float64]

COUNT: Final = len(HANDS)
ITERATIONS_MAX: Final = 20_000
TARGET: Final = 1e-4
"""A solution is good enough when nobody could gain more: in big blinds, or with prizes as a part of all prizes."""
FIRST_ITERATIONS: Final = 100
"""The iterations before overcalls are considered: by then few hands are pushed and called."""
MEASURED_EVERY: Final = 100
REFRESHED_EVERY: Final = {3: 5, 4: 6, 5: 8, 6: 10, 7: 14, 8: 18, 9: 20}
"""How often, in iterations, three-way pots are recomputed, by the number of players. They take nearly all the time."""
POSITIVE_POWER: Final = 1.5
NEGATIVE_FACTOR: Final = 0.5
AVERAGE_POWER: Final = 3.0
CLEAN: Final = 0.002
"""A frequency this close to 0 or 1 is rounded to it before anything is measured."""


class Decision(msgspec.Struct, frozen=True):
    """A decision of a seat after some others went all-in: frequencies and values by hand, and how likely it is.

    `go` and `fold` are what the two are worth, as changes against the beginning of the hand.
    """

    seat: int
    after: tuple[int, ...]
    frequencies: tuple[float, ...]
    go: tuple[float, ...]
    fold: tuple[float, ...]
    reach: tuple[float, ...]


class Solution(msgspec.Struct, frozen=True):
    """An approximate equilibrium: nobody could win more than `gains` by deviating alone."""

    spot: Spot
    expected: tuple[float, ...]
    gains: tuple[float, ...]
    decisions: tuple[Decision, ...]
    iterations: int
    seconds: float

    def to_numpy(self) -> Floats:
        """How often each hand goes all-in, `[decision, row, column]` of the usual grid of starting hands."""
        return np.array([each.frequencies for each in self.decisions]).reshape(-1, SIDE, SIDE)

    def to_pandas(self) -> Any:
        """The same as a data frame, hands by rows and decisions by columns. Needs pandas."""
        import pandas as pd

        columns = [" ".join(self._names(each)) for each in self.decisions]
        return pd.DataFrame({name: each.frequencies for name, each in zip(columns, self.decisions, strict=True)}, HANDS)

    def _repr_html_(self) -> str:
        players = zip(self.spot.seats, self.spot.stacks, self.expected, self.gains, strict=True)
        seats = [(seat, f"{stack:g}", f"{ev:+.4f}", f"{gain:.6f}") for seat, stack, ev, gain in players]
        ranges = [
            (*self._names(each), f"{share(each.frequencies):.1%}", range_text(each.frequencies))
            for each in self.decisions
        ]
        return table_html(("seat", "stack", "expected", "possible gain"), seats) + table_html(
            ("seat", "all-in before", "share", "range"), ranges
        )

    def _names(self, decision: Decision) -> tuple[str, str]:
        """The player to decide, and the players who are all-in already."""
        seats = self.spot.seats
        return seats[decision.seat], " + ".join(seats[seat] for seat in decision.after)


class Progress(msgspec.Struct, frozen=True):
    """The state of a solver, to go on from in another process."""

    iterations: int
    refreshes: int
    arrays: bytes
    seconds: float


@lru_cache(maxsize=4)
def _ends(spot: Spot) -> Ends:
    n = spot.players
    before = worth(spot, spot.stacks)

    def value(stacks: list[float]) -> Floats:
        return worth(spot, stacks) - before

    steal, two = np.zeros((n, n)), np.zeros((n, n, 3, n))
    three = np.zeros((n, n, n, WAYS, n))
    for i in range(n - 1):
        steal[i] = value(final_stacks(spot, {i: 0}))
    for i, j in combinations(range(n), 2):
        for way, order in enumerate(((0, 1), (0, 0), (1, 0))):
            two[i, j, way] = value(final_stacks(spot, dict(zip((i, j), order, strict=True))))
    for seats in combinations(range(n), 3):
        for way, places in enumerate(ORDERS):
            three[(*seats, way)] = value(final_stacks(spot, dict(zip(seats, places, strict=True))))
    return Ends(value(walk_stacks(spot)), steal, two, three)


def _zeros(n: int) -> Profile:
    return Profile(np.zeros((n, COUNT)), np.zeros((n, n, COUNT)), np.zeros((n, n, n, COUNT)))


class Solver:
    """Solves a spot step by step."""

    def __init__(self, spot: Spot, progress: Progress | None = None) -> None:
        check(spot)
        self.spot, n = spot, spot.players
        self._table = Table(*heads_up())
        self._three: ThreeWay | None = three_way() if n > 2 else None
        self._ends = _ends(spot)
        self._counts = np.array(COMBINATIONS, np.float64)
        self._pairs = list(combinations(range(n), 2))
        self._called = np.empty((len(self._pairs), n, COUNT, COUNT))
        self._values = Values(_zeros(n), _zeros(n), _zeros(n))
        self._go, self._stay, self._sums = _zeros(n), _zeros(n), _zeros(n)
        self._stale = True
        self._refreshes = 0
        self.iterations = 0
        self.seconds = 0.0
        self._load()
        if progress is not None:
            self._restore(progress)

    def _load(self) -> None:
        """Load the kernels, so that `seconds` does not include compiling them."""
        self._update_called(_zeros(self.spot.players), overcalls=False)
        if self._three is not None:
            self._overcalls(0, 1, _zeros(self.spot.players))
        self._evaluate(_zeros(self.spot.players))

    def save(self) -> Progress:
        arrays = np.concatenate([each.ravel() for kept in (self._go, self._stay, self._sums) for each in kept])
        return Progress(self.iterations, self._refreshes, arrays.tobytes(), self.seconds)

    def _restore(self, progress: Progress) -> None:
        arrays, start = np.frombuffer(progress.arrays), 0
        for kept in (self._go, self._stay, self._sums):
            for each in kept:
                each[:] = arrays[start : start + each.size].reshape(each.shape)
                start += each.size
        self.iterations, self._refreshes, self.seconds = progress.iterations, progress.refreshes, progress.seconds

    @property
    def _overcalling(self) -> bool:
        return self._three is not None and self.iterations >= FIRST_ITERATIONS

    def run(self, iterations: int, until: float = float("inf")) -> None:
        """Run this many iterations, or until `perf_counter` passes `until`; at least one."""
        begun = perf_counter()
        for _ in range(iterations):
            self._iterate()
            if perf_counter() >= until:
                break
        self.seconds += perf_counter() - begun

    def _iterate(self) -> None:
        every = REFRESHED_EVERY.get(self.spot.players, 1)
        current = self._current()
        if self._overcalling and (self._stale or self.iterations % every == 0):
            self._update_called(current, overcalls=True)
            self._learn(2, current, self._refreshes)
            self._refreshes += 1
        elif self._stale:
            self._update_called(current, overcalls=False)
        self._stale = False
        self._evaluate(current)
        self._learn(0, current, self.iterations)
        self._learn(1, current, self.iterations)
        self.iterations += 1

    def _current(self) -> Profile:
        """The frequencies that the regrets ask for."""
        found = []
        for depth, (go, stay) in enumerate(zip(self._go, self._stay, strict=True)):
            up, down = np.maximum(go, 0), np.maximum(stay, 0)
            total = up + down
            blank = 0.0 if depth == 2 else 0.5
            found.append(np.divide(up, total, out=np.full_like(total, blank), where=total > 0))
        return Profile(*found)

    def _learn(self, depth: int, current: Profile, learned: int) -> None:
        """Add the regrets of all decisions with so many all-in before, and the strategy to its average.

        `learned` is how often that was done before.
        """
        t = learned + 1.0
        go, stay, often = self._go[depth], self._stay[depth], current[depth]
        better = self._values.go[depth] - self._values.fold[depth]
        keep = t**POSITIVE_POWER / (t**POSITIVE_POWER + 1)
        go *= np.where(go > 0, keep, NEGATIVE_FACTOR)
        go += (1 - often) * better
        stay *= np.where(stay > 0, keep, NEGATIVE_FACTOR)
        stay -= often * better
        sums = self._sums[depth]
        sums *= (t / (t + 1)) ** AVERAGE_POWER
        sums += often

    def average(self) -> Profile:
        """The strategies that the iterations approach, with frequencies next to 0 and 1 rounded to them."""
        found = []
        for depth, sums in enumerate(self._sums):
            learned = self._refreshes if depth == 2 else self.iterations
            weight = float(((np.arange(learned) + 2.0) ** AVERAGE_POWER).sum()) / (learned + 1) ** AVERAGE_POWER
            often = sums / weight if weight else np.zeros_like(sums)
            often[often < CLEAN] = 0
            often[often > 1 - CLEAN] = 1
            found.append(often)
        return Profile(*found)

    def _evaluate(self, profile: Profile) -> Floats:
        expected = np.empty(self.spot.players)
        kernels.evaluate(self._table, self._ends, profile, self._called, self._values, expected)
        return expected

    def _update_called(self, profile: Profile, *, overcalls: bool) -> None:
        """The values of being called, with everything that may follow; with `overcalls`, also their values."""
        if not overcalls or self._three is None:
            for pair, (i, j) in enumerate(self._pairs):
                kernels.called_values(self._table, self._ends, i, j, self._called[pair])
            return
        # The pair that acts first has the most players behind it, and takes the longest.
        waiting: list[Future[None]] = [pool().submit(self._overcalls, i, j, profile) for i, j in self._pairs]
        for each in waiting:
            each.result()

    def _overcalls(self, i: int, j: int, profile: Profile) -> None:
        table, ends, three, n = self._table, self._ends, self._three, self.spot.players
        assert three is not None
        values = self._called[pair_number(n, i, j)]
        kernels.called_values(table, ends, i, j, values)
        push, call = profile.push[i], profile.call[i, j]
        needed = (push > kernels.NEVER)[:, np.newaxis] | (call > kernels.NEVER)[np.newaxis, :]
        folded, folds = np.empty((n, COUNT, COUNT)), np.ones((n, COUNT, COUNT))
        for k in range(n - 1, j, -1):
            folded[k] = values[k]
            calls = profile.overcall[i, j, k]
            if calls.max() > kernels.NEVER:
                kernels.add_overcalls(table, three, self._counts, ends.three[i, j, k], calls, needed, values, folds[k])
        before = push * table.dealt
        for between in range(i + 1, j):
            before = before * (1 - table.given @ profile.call[i, between])
        reach = before[:, np.newaxis] * table.given * call[np.newaxis, :]
        result = np.empty((3, COUNT))
        for k in range(j + 1, n):
            worths = np.ascontiguousarray(ends.three[i, j, k, :, k])
            kernels.overcall_values(table, three, self._counts, worths, reach, folded[k], result)
            met = result[2] > 0
            for kept, row in zip((self._values.go, self._values.fold), result[:2], strict=True):
                np.divide(row, result[2], out=kept.overcall[i, j, k], where=met)
                kept.overcall[i, j, k, ~met] = 0
            self._values.reach.overcall[i, j, k] = result[2]
            reach = reach * folds[k]

    def measure(self) -> Solution:
        """The average strategies, what they are worth, and what each player could gain against them."""
        profile, n = self.average(), self.spot.players
        self._update_called(profile, overcalls=self._overcalling)
        expected = self._evaluate(profile)
        values = self._values
        stays = 1.0
        for i in range(n - 1):
            values.reach.overcall[i] *= stays
            stays *= 1 - float(profile.push[i] @ self._table.dealt)
        gains = np.zeros(n)
        decisions = []
        for seat, after in _decisions(n):
            often, go, fold, reach = (
                part[len(after)][(*after, seat)] for part in (profile, values.go, values.fold, values.reach)
            )
            gains[seat] += float(reach @ (np.maximum(go, fold) - often * go - (1 - often) * fold))
            decisions.append(Decision(seat, after, *(tuple(part.tolist()) for part in (often, go, fold, reach))))
        self._stale = True
        found = tuple(expected.tolist()), tuple(gains.tolist()), tuple(decisions)
        return Solution(self.spot, *found, self.iterations, self.seconds)


def _decisions(n: int) -> list[tuple[int, tuple[int, ...]]]:
    """Every decision there is: the seat, and who is all-in before it."""
    found: list[tuple[int, tuple[int, ...]]] = [(seat, ()) for seat in range(n - 1)]
    found += [(j, (i,)) for i, j in combinations(range(n), 2)]
    return found + [(k, (i, j)) for i, j, k in combinations(range(n), 3)]


def unit(spot: Spot) -> float:
    """What gains are measured in: a big blind, or all prizes together."""
    return sum(spot.payouts) if spot.payouts else spot.big_blind


def solve(
    spot: Spot,
    target: float = TARGET,
    seconds: float = 60.0,
    progress: Callable[[Solution], None] = lambda solution: None,
) -> Solution:
    """Solve a spot until nobody could gain more than `target` (see `TARGET`), or for so many seconds.

    Raises EquityError that names what is wrong with the spot.
    """
    solver = Solver(spot)
    begun = perf_counter()
    while True:
        solver.run(MEASURED_EVERY, begun + seconds)
        solution = solver.measure()
        progress(solution)
        done = max(solution.gains) <= target * unit(spot) and solver.iterations >= 2 * FIRST_ITERATIONS
        if done or perf_counter() - begun >= seconds or solver.iterations >= ITERATIONS_MAX:
            return solution

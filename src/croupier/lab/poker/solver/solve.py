"""Solve a Hold'em spot: until the strategies are close enough to equilibrium, the time is up, or somebody stops it."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any, Final, TypeAlias

import msgspec
import numpy as np

from croupier.lab.poker.solver import archive
from croupier.lab.poker.solver.errors import SolveError
from croupier.lab.poker.solver.locks import apply_locks
from croupier.lab.poker.solver.solver import Solver
from croupier.lab.poker.solver.spot import Lock, Setting, Spot, deck, setting
from croupier.lab.poker.solver.walk import NodeFigures, PlayerFigures, node_figures, player_figures, walk
from croupier.notebook import table_html

TARGET_DEFAULT: Final = 0.003
SECONDS_DEFAULT: Final = 60.0
MEMORY_DEFAULT: Final = 2_000_000_000
FIRST_CHECK: Final = 16
"""Exploitability is measured for the first time after this many iterations."""
GROWTH: Final = 1 / 12, 1 / 4
"""It is measured again after at least and at most this part more of them. A measurement takes as long as a few."""
FALL_POWER: Final = 1.5
"""Exploitability falls about as this power of the iterations: the next measurement is when it may reach the target."""
STRETCH_SECONDS: Final = 0.25
"""How long the solver works before it looks at the clock, if an iteration is shorter."""

Progress: TypeAlias = Callable[["Solution"], None]
"""Called after each measurement."""


class Solution:
    """A spot and its solver, with what is known about the result so far."""

    def __init__(self, case: Setting, solver: Solver) -> None:
        self.case, self.solver = case, solver
        self.exploitability = float("inf")
        self.seconds = 0.0

    @property
    def iterations(self) -> int:
        return self.solver.iterations

    @property
    def memory_bytes(self) -> int:
        return self.solver.memory_bytes

    def save(self, path: Path) -> None:
        archive.save(path, self.solver, self.case.spot, self.seconds)


class Report(msgspec.Struct, frozen=True, rename="camel"):
    """What `croupier solve holdem --json` prints."""

    board: str
    pot: int
    stack: int
    exploitability: float
    iterations: int
    seconds: float
    memory_bytes: int
    path: str
    players: tuple[PlayerFigures, PlayerFigures]
    root: NodeFigures

    def to_numpy(self) -> Any:
        """How often each hand takes each action of the decision, one row a hand."""
        return np.array([hand.strategy for hand in self.root.hands.values()])

    def to_pandas(self) -> Any:
        """The same as a data frame, with hands and actions as names. Needs pandas."""
        import pandas as pd

        actions = [each.action for each in self.root.actions]
        return pd.DataFrame(self.to_numpy(), index=list(self.root.hands), columns=actions)

    def _repr_html_(self) -> str:
        rows = [
            (hand, f"{each.ev:+.2f}", f"{each.equity:.1%}", *(f"{often:.0%}" for often in each.strategy))
            for hand, each in self.root.hands.items()
        ]
        shares = [f"{each.action} ({each.frequency:.0%})" for each in self.root.actions]
        said = f"{self.root.player} on {self.root.board}, pot {self.root.pot}; exploitability {self.exploitability:.2%}"
        return table_html(("hand", "ev", "equity", *shares), rows, said)


def prepare(
    spot: Spot, *, compact: bool = False, memory: int = MEMORY_DEFAULT, bets_max: int | None = None
) -> Solution:
    """Check a spot and make its arrays. Raises SolveError or EquityError, also if it needs more than `memory` bytes.

    `bets_max` limits the bets and raises of a street together.
    """
    case = setting(spot)
    if bets_max is not None:
        case = msgspec.structs.replace(case, betting=msgspec.structs.replace(case.betting, bets_max=bets_max))
    load_kernels(compact)
    begun = perf_counter()
    dealt = deck(case)
    weights = np.array(case.weights[0]), np.array(case.weights[1])
    hands = case.hands(0), case.hands(1)
    solution = Solution(case, Solver(case.betting, dealt, hands, weights, compact=compact, memory_max=memory))
    apply_locks(solution.solver, case)
    solution.seconds = perf_counter() - begun
    return solution


def load(path: Path, *, memory: int = MEMORY_DEFAULT, locks: tuple[Lock, ...] | None = None) -> Solution:
    """Open a saved solution, to look at it or go on. With `locks`, these replace its own. Raises SolveError."""
    header = archive.read_header(path)
    spot = header.spot if locks is None else msgspec.structs.replace(header.spot, locks=locks)
    solution = prepare(spot, compact=header.compact, memory=memory)
    archive.load_into(path, solution.solver, header, relocked=spot.locks != header.spot.locks)
    apply_locks(solution.solver, solution.case)
    solution.seconds = header.seconds
    solution.exploitability = solution.solver.exploitability()
    return solution


def run(
    solution: Solution,
    *,
    target: float = TARGET_DEFAULT,
    seconds: float = SECONDS_DEFAULT,
    progress: Progress = lambda solution: None,
    stopped: Callable[[], bool] = lambda: False,
) -> None:
    """Improve a solution until its exploitability is at most `target` (a share of the pot) or the time is up."""
    before, begun = solution.seconds, perf_counter()
    solver = solution.solver

    def spent() -> float:
        return perf_counter() - begun

    pace = 0.0
    while solution.exploitability > target:
        until = _next_check(solution, target)
        while solver.iterations < until and not stopped() and spent() < seconds:
            count = until - solver.iterations
            if pace:
                count = min(count, max(1, int(min(STRETCH_SECONDS, seconds - spent()) / pace)))
            elif len(solver.deck.board) < 5:
                count = 1
            started = perf_counter()
            solver.iterate(count)
            pace = (perf_counter() - started) / count
        solution.exploitability = solver.exploitability()
        solution.seconds = before + spent()
        progress(solution)
        if stopped() or spent() >= seconds:
            return


def _next_check(solution: Solution, target: float) -> int:
    """The iteration after which to measure exploitability again."""
    least, most = GROWTH
    needed = (solution.exploitability / target) ** (1 / FALL_POWER) - 1 if target > 0 else most
    return max(FIRST_CHECK, solution.iterations + max(1, int(solution.iterations * min(max(needed, least), most))))


def report(solution: Solution, path: str = "") -> Report:
    """All figures at the start or at the end of a path. Raises SolveError if the path leads nowhere."""
    case, solver = solution.case, solution.solver
    place = walk(solver, case, path)
    root = node_figures(solver, case, place)
    return Report(
        board="".join(map(str, case.board)),
        pot=case.betting.pot,
        stack=case.betting.stack,
        exploitability=solution.exploitability,
        iterations=solution.iterations,
        seconds=solution.seconds,
        memory_bytes=solution.memory_bytes,
        path=path,
        players=player_figures(solver, place),
        root=root,
    )


@cache
def load_kernels(compact: bool) -> None:
    """Compile or load the kernels, once a process, so that `seconds` does not include them."""
    for board in ("2c3c4d5dTh", "2c3c4d"):
        case = setting(Spot(board, ("AsKs,QhQd", "AhKh,JhJd"), 10, 10, bets="a", raises="a"))
        weights = np.array(case.weights[0]), np.array(case.weights[1])
        solver = Solver(case.betting, deck(case), (case.hands(0), case.hands(1)), weights, compact=compact)
        solver.iterate(1)
        solver.exploitability()
        report(Solution(case, solver))


def parse_target(text: str) -> float:
    """A share of the pot: `0.3%`. Raises SolveError."""
    found = text.strip().removesuffix("%")
    try:
        share = float(found) / 100
    except ValueError:
        share = -1.0
    if not text.strip().endswith("%") or not 0 <= share <= 1:
        raise SolveError("SOLVE_TARGET", target=text)
    return share

"""Solves of Hold'em for the web: questions and messages as values, and the process that works on them.

One process keeps one solution: it solves, says how far it is, and shows any point of the tree, also while it solves. A
new question takes the place of the old one. Importing this module loads neither NumPy nor numba.
"""

import os
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from time import perf_counter
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import msgspec

from croupier.game.refusal import Refusal
from croupier.lab.web_jobs import lower_priority

if TYPE_CHECKING:
    from croupier.lab.poker.solver.solve import Solution
    from croupier.lab.poker.solver.spot import Spot
    from croupier.lab.poker.solver.study import Study

MEMORY_BESIDE: Final = 2_000_000_000
"""The memory that a process may need besides the arrays of its spot: interpreter, kernels, the tree under
construction."""
REPORT_SECONDS: Final = 0.25


class HandLock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`lab.poker.solver.spot.Lock`, as the page sends it."""

    path: str
    frequencies: dict[str, float]
    hands: str = ""


class SolverQuestion(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A spot to solve, `lab.poker.solver.spot.Spot`, and how long. `study` names a solution that it may replace."""

    board: str
    ranges: tuple[str, str]
    pot: int
    stack: int
    bets: str = "50%,100%,a"
    raises: str = "2.5x,a"
    street_bets: dict[str, str] = {}
    street_raises: dict[str, str] = {}
    rake: str = ""
    locks: tuple[HandLock, ...] = ()
    target: float = 0.003
    seconds: float = 60.0
    compact: bool = False
    study: str = ""


class Solve(msgspec.Struct, frozen=True):
    """To the process: solve this, with at most so many bytes. What is under way ends."""

    number: int
    question: SolverQuestion
    memory: int


class Stop(msgspec.Struct, frozen=True):
    """To the process: stop solving, and keep what there is."""


class Forget(msgspec.Struct, frozen=True):
    """To the process: stop solving, and drop what there is."""


class Look(msgspec.Struct, frozen=True):
    """To the process: show the point at the end of a path, or the cards that may be dealt there."""

    number: int
    path: str
    cards: bool = False


Ending: TypeAlias = Literal["", "target", "time", "stopped"]


class Report(msgspec.Struct, frozen=True, rename="camel"):
    """From the process: how far solve `number` is. `ended` says why it ended, or is empty while it goes on."""

    number: int
    memory_bytes: int
    iterations: int
    exploitability: float | None
    seconds: float
    ended: Ending


class Refused(msgspec.Struct, frozen=True):
    """From the process: why solve `number` did not begin."""

    number: int
    refusal: Refusal


class Shown(msgspec.Struct, frozen=True):
    """From the process: the answer to a `Look`, as JSON, or why there is none."""

    number: int
    found: bytes | Refusal


Order: TypeAlias = Solve | Stop | Forget | Look
Message: TypeAlias = Report | Refused | Shown


def work(pipe: Connection) -> None:
    """Take commands from a pipe until its other end is closed; then end at once, even during a solve."""
    lower_priority()
    orders: queue.SimpleQueue[Order] = queue.SimpleQueue()

    def listen() -> None:
        with suppress(EOFError, OSError):
            while True:
                orders.put(pipe.recv())
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    SolverProcess(orders, pipe.send).run()


class SolverProcess:
    """Carries out the commands of a process, one after the other."""

    def __init__(self, orders: "queue.SimpleQueue[Order]", send: Callable[[Message], None]) -> None:
        self._orders, self._send = orders, send
        self._study: Study | None = None
        self._next: Solve | Forget | None = None

    def run(self) -> None:
        while True:
            order = self._next or self._orders.get()
            self._next = None
            if isinstance(order, Solve):
                self._solve(order)
            elif isinstance(order, Forget):
                self._study = None
            elif isinstance(order, Look):
                self._look(order)

    def _solve(self, order: Solve) -> None:
        from croupier.lab.poker.ranges import EquityError
        from croupier.lab.poker.solver.errors import SolveError

        self._study = None
        _limit_memory(order.memory)
        try:
            self._improve(order)
        except (SolveError, EquityError) as error:
            self._send(Refused(order.number, _for_the_page(error.refusal)))
        except MemoryError:
            self._send(Refused(order.number, Refusal("SOLVER_TOO_BIG")))

    def _improve(self, order: Solve) -> None:
        from croupier.lab.poker.solver import solve
        from croupier.lab.poker.solver.study import Study

        asked = order.question
        solution = solve.prepare(_spot(asked), compact=asked.compact, memory=order.memory)
        self._study = Study(solution)
        self._report(order, solution, "")
        until = perf_counter() + REPORT_SECONDS
        halted = False

        def stopped() -> bool:
            nonlocal until, halted
            if perf_counter() >= until:
                self._report(order, solution, "")
                until = perf_counter() + REPORT_SECONDS
            halted = halted or self._is_called()
            return halted

        solve.run(solution, target=asked.target, seconds=asked.seconds, stopped=stopped)
        reached = solution.exploitability <= asked.target
        self._report(order, solution, "target" if reached else "stopped" if halted else "time")

    def _is_called(self) -> bool:
        """Carry out the commands that arrived meanwhile. Return whether to stop, for good or for another solve."""
        while True:
            try:
                order = self._orders.get_nowait()
            except queue.Empty:
                return False
            if isinstance(order, Look):
                self._look(order)
                continue
            if not isinstance(order, Stop):
                self._next = order
            return True

    def _report(self, order: Solve, solution: "Solution", ended: Ending) -> None:
        share = solution.exploitability
        found = Report(
            number=order.number,
            memory_bytes=solution.memory_bytes,
            iterations=solution.iterations,
            exploitability=share if share < float("inf") else None,
            seconds=solution.seconds,
            ended=ended,
        )
        self._send(found)

    def _look(self, order: Look) -> None:
        from croupier.lab.poker.ranges import EquityError
        from croupier.lab.poker.solver.errors import SolveError

        if self._study is None:
            self._send(Shown(order.number, Refusal("SOLVER_GONE")))
            return
        try:
            look = self._study.cards if order.cards else self._study.view
            self._send(Shown(order.number, msgspec.json.encode(look(order.path))))
        except (SolveError, EquityError) as error:
            self._send(Shown(order.number, error.refusal))


def _spot(asked: SolverQuestion) -> "Spot":
    from croupier.lab.poker.solver.spot import Lock, Spot

    return Spot(
        asked.board,
        asked.ranges,
        asked.pot,
        asked.stack,
        bets=asked.bets,
        raises=asked.raises,
        street_bets=asked.street_bets,
        street_raises=asked.street_raises,
        rake=asked.rake,
        locks=tuple(Lock(each.path, each.frequencies, each.hands) for each in asked.locks),
    )


def _for_the_page(refusal: Refusal) -> Refusal:
    """Refusals that name options of the command line, without these options."""
    return Refusal("SOLVER_MEMORY", refusal.facts) if refusal.code == "SOLVE_MEMORY" else refusal


def _limit_memory(arrays: int) -> None:
    """Have the system bound the memory, where it can."""
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    limit = arrays + MEMORY_BESIDE
    resource.setrlimit(resource.RLIMIT_DATA, (limit if most < 0 else min(limit, most), most))

"""The lab's jobs for the web: questions as values, and long answers in steps.

`step` works for about STEP_SECONDS and returns what is known so far, with the state to continue from. The caller may
stop after any step. No answer depends on anything kept here.

Questions and steps are plain values without arrays. So they can be sent to a worker process (`prepare_worker`), and
importing this module loads neither NumPy nor numba.
"""

import os
import signal
import threading
from contextlib import suppress
from functools import lru_cache
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec

from croupier.game.refusal import Refusal
from croupier.games.blackjack import BlackjackRules
from croupier.games.poker.rules.events import Street
from croupier.lab.blackjack.rule_options import bad_option
from croupier.lab.blackjack.simulation.tally import Tally

if TYPE_CHECKING:
    from croupier.lab.blackjack.simulate import Simulation
    from croupier.lab.blackjack.solve import Solution
    from croupier.lab.blackjack.strategy import StrategyTable

STEP_SECONDS: Final = 0.2
EARLY_ROUNDS: Final = (1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000)
"""Points of a simulation's plot before its first block is complete."""
PUSHFOLD_ITERATIONS: Final = 300
"""Good enough: nobody could gain a thousandth of a big blind."""
PUSHFOLD_STEP_SECONDS: Final = 2.0
STRATEGIES: Final = ("basic", "dealer", *(f"stand-{total}" for total in range(12, 21)))
PLAYERS_MAX: Final = 7
NICENESS: Final = 10
OOM_SCORE: Final = Path("/proc/self/oom_score_adj")
OOM_FIRST: Final = "1000"


class EquityQuestion(msgspec.Struct, frozen=True, tag="equity", forbid_unknown_fields=True):
    """The equity of 2 to 10 hands or ranges. Enumerated if that takes seconds, unless `sampled`."""

    hands: tuple[str, ...]
    board: str = ""
    dead: str = ""
    sampled: bool = False
    samples: int = 20_000_000
    seed: int = 0


class SimulationQuestion(msgspec.Struct, frozen=True, tag="simulation", forbid_unknown_fields=True):
    """A simulation of some rounds by one of STRATEGIES; every seat plays the same."""

    rules: BlackjackRules
    strategy: str = "basic"
    rounds: int = 100_000_000
    players: int = 1
    seed: int = 0


class PushfoldQuestion(msgspec.Struct, frozen=True, tag="pushfold", rename="camel", forbid_unknown_fields=True):
    """A push/fold spot: `lab.poker.pushfold.spot.Spot`, as the page sends it."""

    stacks: tuple[float, ...]
    small_blind: float = 0.5
    big_blind: float = 1.0
    ante: float = 0.0
    big_blind_ante: float = 0.0
    payouts: tuple[float, ...] = ()


class StreetsQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hand that was played: each player's cards, "" if nobody saw them, and the street on which a player folded."""

    hands: tuple[str, ...]
    board: str = ""
    folded: dict[int, Street] = {}


Question: TypeAlias = EquityQuestion | SimulationQuestion | PushfoldQuestion


class EquityState(msgspec.Struct, frozen=True):
    """The state of a sampled equity: blocks done, boards won by which players, seconds of work."""

    blocks: int
    outcomes: tuple[int, ...]
    seconds: float


class SimulationState(msgspec.Struct, frozen=True):
    """The state of a simulation: blocks done, their sums, seconds of work."""

    blocks: int
    tally: Tally
    seconds: float


class PushfoldState(msgspec.Struct, frozen=True):
    """The state of a push/fold solver: `lab.poker.pushfold.solve.Progress`."""

    iterations: int
    refreshes: int
    arrays: bytes
    seconds: float


State: TypeAlias = EquityState | SimulationState | PushfoldState


class Step(msgspec.Struct, frozen=True):
    """The results so far, as JSON, and the state to continue from; None when finished."""

    line: bytes
    state: State | None


def prepare_worker(parent: Connection) -> None:
    """Make this process a worker: low priority, no reaction to Ctrl-C.

    It ends at once, even during a job, when the parent closes its end of the pipe or dies.
    """
    lower_priority()

    def end_with_parent() -> None:
        wait([parent])
        os._exit(0)

    threading.Thread(target=end_with_parent, daemon=True).start()


def lower_priority() -> None:
    """Take the lowest priority on the machine, and leave Ctrl-C to the process that started this one.

    When memory runs out, the system ends this process and not the card room.
    """
    os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError):
        OOM_SCORE.write_text(OOM_FIRST, encoding="ascii")


def strategy(rules: BlackjackRules) -> bytes:
    """The whole solution of a rule set, as `croupier solve blackjack --json` prints it."""
    from croupier.lab.blackjack.report import report

    return msgspec.json.encode(report(_solution(rules)))


def hand(rules: BlackjackRules, cards: str, up: str, pair: str = "") -> bytes | None:
    """What the plays of a hand are worth, unsplit or from a split of `pair`; None for an impossible hand."""
    solution = _solution(rules)
    try:
        return msgspec.json.encode(solution.split_hand(cards, pair, up) if pair else solution.hand(cards, up))
    except ValueError:
        return None


def streets(question: StreetsQuestion) -> bytes | Refusal:
    """Every player's equity on every street that the board reached; see `street_equities`."""
    from croupier.lab.poker.ranges import EquityError
    from croupier.lab.poker.streets import street_equities

    try:
        return msgspec.json.encode(street_equities(question.hands, question.board, question.folded))
    except EquityError as error:
        return error.refusal


def step(question: Question, state: State | None = None) -> Step | Refusal:
    """The next step of an answer; without a state, the first."""
    match question:
        case EquityQuestion():
            assert state is None or isinstance(state, EquityState)
            return _equity_step(question, state)
        case SimulationQuestion():
            assert state is None or isinstance(state, SimulationState)
            return _simulation_step(question, state)
        case PushfoldQuestion():
            assert state is None or isinstance(state, PushfoldState)
            return _pushfold_step(question, state)


def _equity_step(question: EquityQuestion, state: EquityState | None) -> Step | Refusal:
    import numpy as np

    from croupier.lab.poker.equity import SAMPLES_MAX, Method, Sampling, equity, summary
    from croupier.lab.poker.ranges import EquityError
    from croupier.lab.poker.situations import situation

    if not 1 <= question.samples <= SAMPLES_MAX:
        return bad_option("samples", str(question.samples), f"1 – {SAMPLES_MAX}")
    written = question.hands, question.board, question.dead
    method = Method.MONTE_CARLO if question.sampled else None
    try:
        if state is None:
            # One sample shows whether enumeration is quick and whether the hands can be dealt.
            found = equity(*written, method=method, samples=1, seed=question.seed)
            if found.method is Method.EXACT:
                return Step(_line(found, done=found.boards, total=found.boards), None)
        work = Sampling(situation(*written), question.samples, question.seed)
        begun = perf_counter()
        at = state or EquityState(0, (0,) * (1 << len(question.hands)), 0.0)
        blocks, outcomes = at.blocks, at.outcomes
        while blocks < work.blocks and (blocks == at.blocks or perf_counter() - begun < STEP_SECONDS):
            outcomes = tuple(map(sum, zip(outcomes, work.block(blocks).tolist(), strict=True)))
            blocks += 1
    except EquityError as error:
        return error.refusal
    done, seconds = sum(outcomes), at.seconds + perf_counter() - begun
    found = summary(work.case, np.array(outcomes), done, seconds)
    after = EquityState(blocks, outcomes, seconds) if blocks < work.blocks else None
    return Step(_line(found, done=done, total=question.samples), after)


def _simulation_step(question: SimulationQuestion, state: SimulationState | None) -> Step | Refusal:
    from croupier.lab.blackjack.simulate import ROUNDS_MAX, SEED_MAX, Outcome, report

    limits = {
        "rounds": (question.rounds, 1, ROUNDS_MAX),
        "players": (question.players, 1, PLAYERS_MAX),
        "seed": (question.seed, 0, SEED_MAX),
    }
    for name, (value, low, high) in limits.items():
        if not low <= value <= high:
            return bad_option(name, str(value), f"{low} – {high}")
    if question.strategy not in STRATEGIES:
        return bad_option("strategy", str(question.strategy), ", ".join(STRATEGIES))
    simulation, exact = _simulation(question)
    points = [] if state else _early_points(simulation)
    begun = perf_counter()
    blocks, tally = (state.blocks, state.tally) if state else (1, simulation.block(0))
    first = blocks
    while blocks < simulation.blocks and (blocks == first or perf_counter() - begun < STEP_SECONDS):
        tally += simulation.block(blocks)
        blocks += 1
    seconds = (state.seconds if state else 0.0) + perf_counter() - begun
    complete = blocks == simulation.blocks
    figures = report(Outcome(tally, seconds, complete, ()), simulation)
    points.append(_point(tally))
    after = None if complete else SimulationState(blocks, tally, seconds)
    return Step(_line(figures, done=tally.rounds, total=question.rounds, exact=exact, course=points), after)


def _pushfold_step(question: PushfoldQuestion, state: PushfoldState | None) -> Step | Refusal:
    from croupier.lab.poker.pushfold.report import chart, report
    from croupier.lab.poker.pushfold.solve import Progress, Solver
    from croupier.lab.poker.pushfold.spot import Spot
    from croupier.lab.poker.ranges import EquityError

    try:
        spot = Spot(**msgspec.structs.asdict(question))
        solver = Solver(spot, Progress(**msgspec.structs.asdict(state)) if state else None)
    except EquityError as error:
        return error.refusal
    # With three or more players, a measurement takes as long as many iterations.
    seconds = STEP_SECONDS if spot.players == 2 else PUSHFOLD_STEP_SECONDS
    solver.run(PUSHFOLD_ITERATIONS - solver.iterations, perf_counter() + seconds)
    found = solver.measure()
    done = solver.iterations >= PUSHFOLD_ITERATIONS
    charts = [chart(spot, each) for each in found.decisions]
    figures = {"done": solver.iterations, "total": PUSHFOLD_ITERATIONS, "charts": charts}
    after = None if done else PushfoldState(**msgspec.structs.asdict(solver.save()))
    return Step(_line(report(found, decisions=False), **figures), after)


@lru_cache(maxsize=16)
def _solution(rules: BlackjackRules) -> "Solution":
    from croupier.lab.blackjack.solve import solve

    return solve(rules)


@lru_cache(maxsize=16)
def _simulation(question: SimulationQuestion) -> tuple["Simulation", float | None]:
    """The simulation, and its exact expected value if that is known: one seat, a fresh shoe every round."""
    from croupier.lab.blackjack.simulate import Simulation
    from croupier.lab.blackjack.simulation.blocks import flat_game
    from croupier.lab.blackjack.solve import won_and_staked

    table = _table(question)
    known = question.players == 1 and question.rules.penetration == 0
    exact = won_and_staked(_solution(question.rules).prepared, table)[0] if known else None
    return Simulation(flat_game(question.rules, table, question.players), question.rounds, question.seed), exact


def _table(question: SimulationQuestion) -> "StrategyTable":
    from croupier.lab.blackjack.simulate import like_dealer
    from croupier.lab.blackjack.strategy import stand_on

    name, _, total = question.strategy.partition("-")
    if name == "basic":
        return _solution(question.rules).strategy
    return stand_on(int(total)) if name == "stand" else like_dealer(question.rules)


def _early_points(simulation: "Simulation") -> list[tuple[int, float, float]]:
    """Points of the plot from the first rounds of the first block."""
    return [
        _point(msgspec.structs.replace(simulation, rounds=rounds).block(0))
        for rounds in EARLY_ROUNDS
        if rounds < simulation.rounds
    ]


def _point(tally: Tally) -> tuple[int, float, float]:
    """Rounds, expected value, standard error."""
    return tally.rounds, tally.return_per_initial_bet, tally.standard_error


def _line(figures: object, **more: object) -> bytes:
    known: dict[str, Any] = msgspec.to_builtins(figures)
    return msgspec.json.encode(known | more)

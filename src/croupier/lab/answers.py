"""What people ask the lab on a page: questions as values, and answers that come a moment at a time.

`step` works for about STEP_SECONDS, says what is known by then, and from where it would go on. Whoever asks may stop
at any point by not asking again, and may do other things in between; nothing is kept here that an answer depends on.

Questions and steps are plain values without an array in them, so that they cross to a process of their own (see
`prepare_worker`), and that importing this loads neither NumPy nor Numba.
"""

import os
import signal
import threading
from functools import lru_cache
from multiprocessing.connection import Connection, wait
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec

from croupier.lab.simulation.tally import Tally
from croupier.rules.blackjack import BlackjackRules
from croupier.rules.blackjack.codes import BlackjackCode
from croupier.rules.holdem.events import Street
from croupier.rules.refusal import Refusal

if TYPE_CHECKING:
    from croupier.lab.simulate import Simulation
    from croupier.lab.solve import Solution
    from croupier.lab.strategy import StrategyTable

STEP_SECONDS: Final = 0.2
EARLY_ROUNDS: Final = (1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000)
"""Where the course of a simulation is looked at before its first block is full."""
STRATEGIES: Final = ("basic", "dealer", *(f"stand-{total}" for total in range(12, 21)))
PLAYERS_MAX: Final = 7
BOARD_CARDS: Final = {Street.PREFLOP: 0, Street.FLOP: 3, Street.TURN: 4, Street.RIVER: 5}
UNSEEN_SAMPLES: Final = 500_000
"""How many boards are sampled where hands that nobody saw may be anything."""
NICENESS: Final = 10


class EquityQuestion(msgspec.Struct, frozen=True, tag="equity", forbid_unknown_fields=True):
    """2 to 10 hands or ranges. Enumerated where that takes seconds, unless `sampled`."""

    hands: tuple[str, ...]
    board: str = ""
    dead: str = ""
    sampled: bool = False
    samples: int = 20_000_000
    seed: int = 0


class SimulationQuestion(msgspec.Struct, frozen=True, tag="simulation", forbid_unknown_fields=True):
    """So many rounds by one of STRATEGIES; every seat plays the same."""

    rules: BlackjackRules
    strategy: str = "basic"
    rounds: int = 100_000_000
    players: int = 1
    seed: int = 0


class StreetsQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hand that was played: everybody's cards, "" where nobody saw them, and on which street somebody folded."""

    hands: tuple[str, ...]
    board: str = ""
    folded: dict[int, Street] = {}


Question: TypeAlias = EquityQuestion | SimulationQuestion


class Sampled(msgspec.Struct, frozen=True):
    """How far an equity is sampled: blocks done, boards won by which players, seconds at work."""

    blocks: int
    outcomes: tuple[int, ...]
    seconds: float


class Played(msgspec.Struct, frozen=True):
    """How far a simulation has come."""

    blocks: int
    tally: Tally
    seconds: float


class Step(msgspec.Struct, frozen=True):
    """What is known so far, as JSON, and from where to go on; None when all is done."""

    line: bytes
    state: Sampled | Played | None


def prepare_worker(lifeline: Connection) -> None:
    """Makes this process one that only answers: it gives way to others, leaves Ctrl-C to them, and ends at once, also
    in the middle of an answer, when the other end of the lifeline is closed, or whoever held it is gone."""
    os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def follow() -> None:
        wait([lifeline])
        os._exit(0)

    threading.Thread(target=follow, daemon=True).start()


def strategy(rules: BlackjackRules) -> bytes:
    """The whole solution of a rule set, as `croupier solve blackjack --json` prints it."""
    from croupier.lab.report import report

    return msgspec.json.encode(report(_solution(rules)))


def hand(rules: BlackjackRules, cards: str, up: str, pair: str = "") -> bytes | None:
    """What the plays of a hand are worth, by itself or from a split of `pair`; None for one that there cannot be."""
    solution = _solution(rules)
    try:
        return msgspec.json.encode(solution.split_hand(cards, pair, up) if pair else solution.hand(cards, up))
    except ValueError:
        return None


def streets(question: StreetsQuestion) -> bytes | Refusal:
    """Everybody's equity on every street that the board reached.

    Where two hands or more were seen, they are compared with each other, exactly, and what nobody saw is left out:
    null. Where one alone was seen, it meets as many hands of any cards as there were. `unseen` says how many of those
    still in had cards that nobody saw.
    """
    from croupier.lab.ranges import EquityError
    from croupier.lab.situations import read_cards

    try:
        board = read_cards(question.board)
        if len(board) not in BOARD_CARDS.values():
            raise EquityError("EQUITY_BOARD_COUNT", count=len(board))
        reached = [(street, count) for street, count in BOARD_CARDS.items() if count <= len(board)]
        found = [_on_street(question, street, board[:count]) for street, count in reached]
    except EquityError as error:
        return error.refusal
    return msgspec.json.encode(found)


def _on_street(question: StreetsQuestion, street: Street, board: tuple[Any, ...]) -> dict[str, Any]:
    from croupier.lab.equity import equity

    order = list(BOARD_CARDS)
    folded = {seat for seat, when in question.folded.items() if when in order[: order.index(street)]}
    out = [seat for seat in range(len(question.hands)) if seat in folded]
    live = [seat for seat in range(len(question.hands)) if seat not in out]
    seen = [seat for seat in live if question.hands[seat]]
    unseen = len(live) - len(seen)
    dead = "".join(question.hands[seat] for seat in out)
    equities: dict[int, float] = {seat: 0.0 for seat in out if question.hands[seat]}
    met = [question.hands[seat] for seat in seen] + (["random"] * unseen if len(seen) == 1 else [])
    if len(met) > 1:
        result = equity(met, board, dead, samples=UNSEEN_SAMPLES)
        equities |= {seat: each.equity for seat, each in zip(seen, result.hands, strict=False)}
    elif seen:
        equities[seen[0]] = 1.0
    shown = [equities.get(seat) for seat in range(len(question.hands))]
    return {"street": street, "board": [str(card) for card in board], "equities": shown, "unseen": unseen}


def step(question: Question, state: Sampled | Played | None = None) -> Step | Refusal:
    """The next moment of a question's answer; the first when there is no state yet."""
    match question:
        case EquityQuestion():
            assert state is None or isinstance(state, Sampled)
            return _equity_step(question, state)
        case SimulationQuestion():
            assert state is None or isinstance(state, Played)
            return _simulation_step(question, state)


def _equity_step(question: EquityQuestion, state: Sampled | None) -> Step | Refusal:
    import numpy as np

    from croupier.lab.equity import SAMPLES_MAX, Method, Sampling, equity, summary
    from croupier.lab.ranges import EquityError
    from croupier.lab.situations import situation

    if not 1 <= question.samples <= SAMPLES_MAX:
        return _wrong("samples", question.samples, f"1 – {SAMPLES_MAX}")
    written = question.hands, question.board, question.dead
    method = Method.MONTE_CARLO if question.sampled else None
    try:
        if state is None:
            # One sample is enough to learn whether enumeration is quick, and that everything can be dealt.
            found = equity(*written, method=method, samples=1, seed=question.seed)
            if found.method is Method.EXACT:
                return Step(_line(found, done=found.boards, total=found.boards), None)
        work = Sampling(situation(*written), question.samples, question.seed)
        begun = perf_counter()
        at = state or Sampled(0, (0,) * (1 << len(question.hands)), 0.0)
        blocks, outcomes = at.blocks, at.outcomes
        while blocks < work.blocks and (blocks == at.blocks or perf_counter() - begun < STEP_SECONDS):
            outcomes = tuple(map(sum, zip(outcomes, work.block(blocks).tolist(), strict=True)))
            blocks += 1
    except EquityError as error:
        return error.refusal
    done, seconds = sum(outcomes), at.seconds + perf_counter() - begun
    found = summary(work.case, np.array(outcomes), done, seconds)
    after = Sampled(blocks, outcomes, seconds) if blocks < work.blocks else None
    return Step(_line(found, done=done, total=question.samples), after)


def _simulation_step(question: SimulationQuestion, state: Played | None) -> Step | Refusal:
    from croupier.lab.simulate import ROUNDS_MAX, SEED_MAX, Outcome, report

    limits = {
        "rounds": (question.rounds, 1, ROUNDS_MAX),
        "players": (question.players, 1, PLAYERS_MAX),
        "seed": (question.seed, 0, SEED_MAX),
    }
    for name, (value, low, high) in limits.items():
        if not low <= value <= high:
            return _wrong(name, value, f"{low} – {high}")
    if question.strategy not in STRATEGIES:
        return _wrong("strategy", question.strategy, ", ".join(STRATEGIES))
    simulation, exact = _simulation(question)
    course = [] if state else _early(simulation)
    begun = perf_counter()
    blocks, tally = (state.blocks, state.tally) if state else (1, simulation.block(0))
    first = blocks
    while blocks < simulation.blocks and (blocks == first or perf_counter() - begun < STEP_SECONDS):
        tally += simulation.block(blocks)
        blocks += 1
    seconds = (state.seconds if state else 0.0) + perf_counter() - begun
    complete = blocks == simulation.blocks
    figures = report(Outcome(tally, seconds, complete, ()), simulation)
    course.append(_point(tally))
    after = None if complete else Played(blocks, tally, seconds)
    return Step(_line(figures, done=tally.rounds, total=question.rounds, exact=exact, course=course), after)


@lru_cache(maxsize=16)
def _solution(rules: BlackjackRules) -> "Solution":
    from croupier.lab.solve import solve

    return solve(rules)


@lru_cache(maxsize=16)
def _simulation(question: SimulationQuestion) -> tuple["Simulation", float | None]:
    """The simulation, and what it must come to, where that is known exactly: one seat, a fresh shoe every round."""
    from croupier.lab.simulate import Simulation
    from croupier.lab.simulation.blocks import game
    from croupier.lab.solve import earns

    table = _table(question)
    known = question.players == 1 and question.rules.penetration == 0
    exact = earns(_solution(question.rules).prepared, table)[0] if known else None
    return Simulation(game(question.rules, table, question.players), question.rounds, question.seed), exact


def _table(question: SimulationQuestion) -> "StrategyTable":
    from croupier.lab.simulate import like_dealer
    from croupier.lab.strategy import stand_on

    name, _, total = question.strategy.partition("-")
    if name == "basic":
        return _solution(question.rules).strategy
    return stand_on(int(total)) if name == "stand" else like_dealer(question.rules)


def _early(simulation: "Simulation") -> list[tuple[int, float, float]]:
    """What the first rounds say: each time the beginning of the same first block."""
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


def _wrong(option: str, value: object, allowed: str) -> Refusal:
    return Refusal(BlackjackCode.BAD_OPTION, {"option": option, "value": str(value)[:40], "allowed": allowed})

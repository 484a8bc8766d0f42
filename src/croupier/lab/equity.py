"""Poker equity: how often each of 2 to 10 hands or ranges wins, ties, and what share of the pot it can expect.

Exact by enumeration whenever that takes seconds, else by random sampling with an interval. Both give the same kind of
answer: `win` is the part of all boards that a hand wins alone, `tie` the part that it shares, `equity` its expected
part of the pot.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import permutations
from math import comb, prod, sqrt
from time import perf_counter
from typing import Final, TypeAlias

import msgspec
import numpy as np

from croupier.cards import Card
from croupier.lab import poker_kernels
from croupier.lab.cluster import parts
from croupier.lab.evaluator_tables import tables
from croupier.lab.poker_kernels import Cards, Field, Outcomes, Weights
from croupier.lab.ranges import EquityError, Range
from croupier.lab.runouts import runouts
from croupier.lab.situations import HANDS_MAX, Hand, Situation, Written, field, situation
from croupier.lab.workers import core_count, pool
from croupier.rules.holdem.events import Street

MATCHUPS_MAX: Final = 4_000_000
"""The most match-ups that are ever written down to be enumerated."""
LOOKUPS_MAX: Final = 500_000_000
"""What is enumerated without being asked: some three seconds on two cores. Any two ranges from the flop on are less."""
LOOKUPS_BY_MISSING: Final = {5: 40_000, 2: 180, 1: 60, 0: 40}
"""About how many lookups a player a match-up is worth, by the number of cards to come; measured."""
_PART_LOOKUPS: Final = 4_000_000
"""A piece of work that is worth a thread's while."""
CLASSED_PLAYERS_MAX: Final = 5
"""With more players, exchanges of suits are not recognised."""
SAMPLES_DEFAULT: Final = 10_000_000
SAMPLES_MAX: Final = 10**12
SEED_MAX: Final = 2**64 - 1
BLOCK_SAMPLES: Final = 1 << 16
CONFIDENCE: Final = 0.95
_SIGMAS: Final = 1.959963984540054
"""How many standard deviations to either side hold 95 % of a normal distribution."""

Progress: TypeAlias = Callable[[int, int], None]
"""Is told how much is done, and of how much."""


class Method(StrEnum):
    EXACT = "exact"
    MONTE_CARLO = "monte-carlo"


class HandEquity(msgspec.Struct, frozen=True, omit_defaults=True):
    """One player's part. `wins` and `ties` count boards, where all cards are known and the result is exact.

    `low` and `high` hold the true equity with 95 % confidence, where the result is sampled.
    """

    hand: str
    win: float
    tie: float
    equity: float
    wins: int | None = None
    ties: int | None = None
    low: float | None = None
    high: float | None = None


class Equity(msgspec.Struct, frozen=True, omit_defaults=True):
    """`boards` counts pairs of a match-up and a board: with known hands, the boards.

    `seconds` is the time of the computation, without loading the kernels.
    """

    method: Method
    boards: int
    hands: tuple[HandEquity, ...]
    seconds: float
    confidence: float | None = None


class StreetEquity(msgspec.Struct, frozen=True):
    """Everybody's equity when a street has been dealt; 0 for who folded before."""

    street: Street
    board: tuple[Card, ...]
    equities: tuple[float, ...]


def equity(
    hands: Sequence[Hand],
    board: Written = "",
    dead: Written = "",
    *,
    method: Method | None = None,
    samples: int = SAMPLES_DEFAULT,
    seed: int = 0,
    cluster: str = "",
    progress: Progress = lambda done, total: None,
) -> Equity:
    """The equity of hands or ranges (`AsKs`, `QQ+,AKs`, `random`; see `ranges`).

    Exact if asked, or if not asked and quick enough. Sampling gives the same result for the same seed, whatever the
    number of threads or, with a Dask scheduler's address as `cluster`, of machines. Raises EquityError that names what
    cannot be computed.
    """
    if not 1 <= samples <= SAMPLES_MAX:
        raise EquityError("EQUITY_SAMPLES", count=samples, limit=SAMPLES_MAX)
    if not 0 <= seed <= SEED_MAX:
        raise EquityError("EQUITY_SEED", seed=seed, limit=SEED_MAX)
    case = situation(hands, board, dead)
    _load_enumeration()
    started = perf_counter()
    listed = None if method is Method.MONTE_CARLO else _matchups(case)
    if method is Method.EXACT and listed is None:
        raise EquityError("EQUITY_TOO_WIDE", limit=MATCHUPS_MAX)
    if listed is not None and (method is Method.EXACT or _is_quick(case, len(listed[0]))):
        return _exact(case, *listed, progress, started)
    if cluster:
        return _sampled_on_cluster(Sampling(case, samples, seed), cluster, progress)
    _load_sampling()
    return _sampled(case, samples, seed, progress, perf_counter())


def street_equities(
    hands: Sequence[Hand], board: Written = "", folded: Mapping[int, Street] | None = None
) -> tuple[StreetEquity, ...]:
    """The equities of a hand that was played, on every street that its board reached.

    `folded` says on which street a player folded. That player still counts when that street is dealt, and from the
    next street on has nothing; the folded cards are known and cannot come any more.
    """
    case = situation(hands, board)
    if not case.is_concrete:
        raise EquityError("EQUITY_UNKNOWN_HAND")
    streets = (Street.PREFLOP, Street.FLOP, Street.TURN, Street.RIVER)
    found = []
    for order, (street, shown) in enumerate(zip(streets, (0, 3, 4, 5), strict=True)):
        if shown > len(case.board):
            break
        out = {player for player, when in (folded or {}).items() if streets.index(when) < order}
        found.append(StreetEquity(street, case.board[:shown], _of_the_live(case.ranges, case.board[:shown], out)))
    return tuple(found)


def _of_the_live(ranges: Sequence[Range], board: tuple[Card, ...], out: set[int]) -> tuple[float, ...]:
    live = [player for player in range(len(ranges)) if player not in out]
    if len(live) == 1:
        return tuple(float(player in live) for player in range(len(ranges)))
    dead = [card for player in out for pair in ranges[player].weights for card in pair]
    result = equity([ranges[player] for player in live], board, dead, method=Method.EXACT)
    equities = {player: hand.equity for player, hand in zip(live, result.hands, strict=True)}
    return tuple(equities.get(player, 0.0) for player in range(len(ranges)))


@cache
def _load_enumeration() -> None:
    """Makes the tables and loads the kernels, once a process, so that `seconds` tells what the question itself took."""
    case = situation(["AsKs", "QhQd,JhJd"], "2c3c4d5dTh")
    listed = _matchups(case)
    assert listed is not None
    _exact(case, *listed, lambda done, total: None, 0.0)


@cache
def _load_sampling() -> None:
    sample_block(situation(["AsKs", "QhQd"]), seed=0, block=0, samples=1)


def _matchups(case: Situation) -> tuple[Cards, Weights] | None:
    """Every way to deal the hands, two cards a player a row, with its weight; None if there are too many."""
    product = prod(len(each.weights) for each in case.ranges)
    if product > MATCHUPS_MAX:
        return None
    rows = np.empty((product, 2 * len(case.ranges)), np.uint8)
    weights = np.empty(product, np.float64)
    count = poker_kernels.list_matchups(field(case, deal_random=False), rows, weights)
    if count == 0:
        raise EquityError("EQUITY_NO_DEAL")
    return rows[:count], weights[:count]


def _is_quick(case: Situation, matchups: int) -> bool:
    """Whether enumeration is worth it. Exchanging suits makes about one out of so many as there are exchanges."""
    exchanges = len(_suit_orders(case)) if len(case.ranges) <= CLASSED_PLAYERS_MAX and matchups > 1 else 1
    return matchups * len(case.ranges) * LOOKUPS_BY_MISSING[case.missing] <= LOOKUPS_MAX * exchanges


def _suit_orders(case: Situation) -> Cards:
    """The exchanges of suits that leave the board and the dead cards as they are."""
    board, dead = ({card.number for card in some} for some in (case.board, case.dead))

    def keeps(some: set[int], order: tuple[int, ...]) -> bool:
        return {number // 4 * 4 + order[number % 4] for number in some} == some

    return np.array([order for order in permutations(range(4)) if keeps(board, order) and keeps(dead, order)], np.uint8)


def _classes(case: Situation, rows: Cards, weights: Weights) -> tuple[Cards, Weights]:
    """One of each class of match-ups that differ only by an exchange of suits, with the weight of all."""
    if len(rows) == 1 or len(case.ranges) > CLASSED_PLAYERS_MAX:
        return rows, weights
    names = np.empty(len(rows), np.uint64)
    poker_kernels.name_classes(rows, _suit_orders(case), names)
    _, first, which = np.unique(names, return_index=True, return_inverse=True)
    return np.ascontiguousarray(rows[first]), np.bincount(which, weights=weights).astype(np.float64)


def _exact(case: Situation, rows: Cards, weights: Weights, progress: Progress, started: float) -> Equity:
    left = 52 - len(case.board) - len(case.dead) - 2 * len(case.ranges)
    boards_each = comb(left, case.missing)
    boards, weight = boards_each * len(rows), boards_each * float(weights.sum())
    outcomes = _enumerated(case, *_classes(case, rows, weights), lambda part: progress(round(part * boards), boards))
    hands = []
    for player, some_range in enumerate(case.ranges):
        wins, ties, pots = _results(outcomes, player)
        counts = (round(wins), round(ties)) if case.is_concrete else (None, None)
        hands.append(HandEquity(some_range.written, wins / weight, ties / weight, pots / weight, *counts))
    return Equity(Method.EXACT, boards, tuple(hands), perf_counter() - started)


def _enumerated(case: Situation, rows: Cards, weights: Weights, tell: Callable[[float], None]) -> Weights:
    """How much weight was won by which players, over all match-ups and boards."""
    players = len(case.ranges)
    board = np.array([card.number for card in case.board], np.uint8)
    gone = np.uint64(sum(1 << (16 * (card.number % 4) + card.number // 4) for card in (*case.board, *case.dead)))
    ready, endings = tables(7), runouts()
    size = max(1, _PART_LOOKUPS // (LOOKUPS_BY_MISSING[case.missing] * players))

    def count(start: int) -> Weights:
        outcomes = np.zeros(1 << players)
        part = rows[start : start + size], weights[start : start + size]
        poker_kernels.count_matchups(ready, endings, board, gone, *part, outcomes)
        return outcomes

    starts = range(0, len(rows), size)
    outcomes = np.zeros(1 << players)
    # What is done in a millisecond is not worth handing to another thread.
    for start, counted in zip(
        starts, map(count, starts) if len(starts) == 1 else pool().map(count, starts), strict=True
    ):
        outcomes += counted
        tell(min(1.0, (start + size) / len(rows)))
    return outcomes


def _results(outcomes: Outcomes | Weights, player: int) -> tuple[float, float, float]:
    """What a player won alone, what the player tied, and the pots that this makes."""
    places = np.arange(len(outcomes))
    among = (places >> player & 1).astype(np.bool_)
    winners = (places[:, np.newaxis] >> np.arange(HANDS_MAX) & 1).sum(axis=1)
    wins = float(outcomes[1 << player])
    return wins, float(outcomes[among].sum()) - wins, float((outcomes[among] / winners[among]).sum())


def sample_block(case: Situation, seed: int, block: int, samples: int = BLOCK_SAMPLES) -> Outcomes:
    """How many boards of one block were won by which players: bit `p` of the place stands for player `p`.

    They depend on these arguments alone, so blocks can run on any machine in any order, and their sum is the result.
    """
    return _sample(case, field(case, deal_random=True), seed, block, samples)


def _sample(case: Situation, arrays: Field, seed: int, block: int, samples: int) -> Outcomes:
    outcomes = np.zeros(1 << len(case.ranges), np.int64)
    board = np.array([card.number for card in case.board], np.uint8)
    dealt = poker_kernels.sample_boards(tables(7), arrays, board, np.uint64(seed), block, samples, outcomes)
    if dealt < 0:
        raise EquityError("EQUITY_RARE_DEAL", attempts=samples * poker_kernels.ATTEMPTS_MAX)
    return outcomes


def _sampled(case: Situation, samples: int, seed: int, progress: Progress, started: float) -> Equity:
    arrays = field(case, deal_random=True)
    blocks = range(-(-samples // BLOCK_SAMPLES))

    def count(block: int) -> Outcomes:
        return _sample(case, arrays, seed, block, min(BLOCK_SAMPLES, samples - block * BLOCK_SAMPLES))

    outcomes = np.zeros(1 << len(case.ranges), np.int64)
    # A few blocks at a time: an interrupt or an error then waits for these only.
    step = 8 * core_count()
    for start in range(0, len(blocks), step):
        for counted in pool().map(count, blocks[start : start + step]):
            outcomes += counted
        progress(min(samples, (start + step) * BLOCK_SAMPLES), samples)
    return summary(case, outcomes, samples, perf_counter() - started)


class Sampling(msgspec.Struct, frozen=True):
    """A question to be sampled: `Work` for a cluster."""

    case: Situation
    samples: int
    seed: int

    @property
    def blocks(self) -> int:
        return -(-self.samples // BLOCK_SAMPLES)

    def block(self, number: int) -> Outcomes:
        return sample_block(self.case, self.seed, number, min(BLOCK_SAMPLES, self.samples - number * BLOCK_SAMPLES))


def _sampled_on_cluster(work: Sampling, cluster: str, progress: Progress) -> Equity:
    started = perf_counter()
    outcomes = np.zeros(1 << len(work.case.ranges), np.int64)
    for part in parts(work, work.blocks, cluster=cluster):
        outcomes += part
        progress(int(outcomes.sum()), work.samples)
    return summary(work.case, outcomes, work.samples, perf_counter() - started)


def summary(case: Situation, outcomes: Outcomes, samples: int, seconds: float) -> Equity:
    """What the added outcomes of blocks say after so many samples."""
    hands = []
    for player, some_range in enumerate(case.ranges):
        win, tie, share = (part / samples for part in _results(outcomes, player))
        low, high = interval(share, samples)
        hands.append(HandEquity(some_range.written, win, tie, share, low=low, high=high))
    return Equity(Method.MONTE_CARLO, samples, tuple(hands), seconds, CONFIDENCE)


def interval(mean: float, samples: int) -> tuple[float, float]:
    """Wilson's interval for a proportion. Split pots make equity vary less than that, so it errs on the wide side."""
    spread = _SIGMAS**2 / samples
    centre = (mean + spread / 2) / (1 + spread)
    reach = sqrt(mean * (1 - mean) * spread + spread**2 / 4) / (1 + spread)
    return max(0.0, centre - reach), min(1.0, centre + reach)

"""Poker equity: how often each of 2 to 10 hands or ranges wins and ties, and its expected share of the pot.

Enumeration is exact and is used if it takes seconds. Otherwise random samples give an estimate with an interval. In
both results, `win` is the share of boards that a hand wins alone, `tie` the share that it ties, `equity` its expected
share of the pot.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import cache
from itertools import permutations
from math import comb, prod, sqrt
from time import perf_counter
from typing import Any, Final, TypeAlias

import msgspec
import numpy as np

from croupier.lab.cluster import block_results, check_address
from croupier.lab.confidence import CONFIDENCE, SIGMAS
from croupier.lab.poker import family, sampling_kernels
from croupier.lab.poker import kernels as poker_kernels
from croupier.lab.poker.evaluator_tables import tables
from croupier.lab.poker.kernels import Cards, Deals, Outcomes, RangeArrays, Weights
from croupier.lab.poker.ranges import EquityError
from croupier.lab.poker.runouts import runouts
from croupier.lab.poker.situations import (
    HANDS_MAX,
    CardsInput,
    Hand,
    Situation,
    deals_together,
    range_arrays,
    situation,
    written,
)
from croupier.lab.poker.variants import HOLDEM, VARIANTS
from croupier.lab.threads import core_count, pool
from croupier.notebook import table_html

MATCHUPS_MAX: Final = 4_000_000
"""The most match-ups that are ever enumerated."""
LOOKUPS_MAX: Final = 500_000_000
"""Enumeration up to here is the default: about three seconds on two cores. Two ranges from the flop on are below."""
LOOKUPS_BY_MISSING: Final = {5: 40_000, 2: 180, 1: 60, 0: 40}
"""Roughly how many lookups a match-up costs per player, by the number of cards to come; measured."""
_PART_LOOKUPS: Final = 4_000_000
"""The lookups of one task for a thread."""
CLASSED_PLAYERS_MAX: Final = 5
"""With more players, match-ups that differ only by suits are not merged."""
SAMPLES_DEFAULT: Final = 10_000_000
SAMPLES_MAX: Final = 10**12
SEED_MAX: Final = 2**64 - 1
BLOCK_SAMPLES: Final = 1 << 16

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the amount done and the total."""


class Method(StrEnum):
    EXACT = "exact"
    MONTE_CARLO = "monte-carlo"


class HandEquity(msgspec.Struct, frozen=True, omit_defaults=True):
    """One player's result. `wins` and `ties` count boards, if all hands are known and the result is exact.

    `low` and `high` are the 95 % confidence interval of a sampled equity.
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
    """The result of all players. `boards` counts pairs of a match-up and a board; with known hands, boards.

    `seconds` is the time of the computation without loading the kernels.
    """

    method: Method
    boards: int
    hands: tuple[HandEquity, ...]
    seconds: float
    confidence: float | None = None
    variant: str = HOLDEM.name

    def to_numpy(self) -> Any:
        """One row a player: win, tie, equity."""
        return np.array([(hand.win, hand.tie, hand.equity) for hand in self.hands])

    def to_pandas(self) -> Any:
        """The same as a data frame, with the hands as names. Needs pandas."""
        import pandas as pd

        names = [hand.hand for hand in self.hands]
        return pd.DataFrame(self.to_numpy(), index=names, columns=["win", "tie", "equity"])

    def _repr_html_(self) -> str:
        rows = [(hand.hand, f"{hand.win:.2%}", f"{hand.tie:.2%}", f"{hand.equity:.2%}") for hand in self.hands]
        return table_html(("hand", "win", "tie", "equity"), rows, f"{self.method}, {self.boards:,} boards")


def equity(  # noqa: PLR0913  # an option each
    hands: Sequence[Hand],
    board: CardsInput = "",
    dead: CardsInput = "",
    *,
    variant: str = HOLDEM.name,
    board2: CardsInput = "",
    method: Method | None = None,
    samples: int = SAMPLES_DEFAULT,
    seed: int = 0,
    cluster: str = "",
    progress: Progress = lambda done, total: None,
) -> Equity:
    """The equity of hands or ranges (`AsKs`, `QQ+,AKs`, `15%`, `random`; see `ranges`), in any of the `VARIANTS`.

    In a game with more than two hole cards, hands are written out: `AsAhKsKh`, or several with commas.

    Without `method`, exact if that is quick. Samples with the same seed give the same result for any number of threads
    or machines; `cluster` is the address of a Dask scheduler. Raises EquityError that names what cannot be computed.
    """
    if not 1 <= samples <= SAMPLES_MAX:
        raise EquityError("EQUITY_SAMPLES", count=samples, limit=SAMPLES_MAX)
    if not 0 <= seed <= SEED_MAX:
        raise EquityError("EQUITY_SEED", seed=seed, limit=SEED_MAX)
    if variant not in VARIANTS:
        raise EquityError("EQUITY_VARIANT", variant=variant, allowed=", ".join(VARIANTS))
    if cluster:
        check_address(cluster)  # also where the answer comes without it
    if variant != HOLDEM.name or board2:
        texts = [written(hand) for hand in hands]
        other = family.family_case(VARIANTS[variant], texts, [board, board2], dead)
        return _in_family(other, method, samples, seed, progress)
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


def _in_family(case: family.FamilyCase, method: Method | None, samples: int, seed: int, progress: Progress) -> Equity:
    """The equity in any variant, on this machine."""
    if method is Method.EXACT and not 0 < case.matchups <= family.MATCHUPS_MAX:
        raise EquityError("EQUITY_TOO_WIDE", limit=family.MATCHUPS_MAX)
    family.load_kernels()
    elapsed = family.timer()
    is_exact = method is Method.EXACT or (method is None and family.is_quick(case))
    deals, weight, sums = family.enumerated(case) if is_exact else (samples, float(samples), None)
    if sums is None:
        sums = family.sampled(case, samples, seed, progress)
    is_concrete = is_exact and case.matchups == 1
    hands = []
    for text, (wins, ties, shares) in zip(case.written, sums.tolist(), strict=True):
        won, tied = (round(wins), round(ties)) if is_concrete else (None, None)
        low, high = (None, None) if is_exact else interval(shares / weight, samples)
        hands.append(HandEquity(text, wins / weight, ties / weight, shares / weight, won, tied, low, high))
    how, confidence = (Method.EXACT, None) if is_exact else (Method.MONTE_CARLO, CONFIDENCE)
    return Equity(how, deals, tuple(hands), elapsed(), confidence, case.variant.name)


@cache
def _load_enumeration() -> None:
    """Make the tables and load the kernels, once a process, so that `seconds` does not include them."""
    case = situation(["AsKs", "QhQd,JhJd"], "2c3c4d5dTh")
    listed = _matchups(case)
    assert listed is not None
    _exact(case, *listed, lambda done, total: None, 0.0)


@cache
def _load_sampling() -> None:
    sample_block(situation(["AsKs", "QQ,JJ"]), seed=0, block=0, samples=1)


def _matchups(case: Situation) -> tuple[Cards, Weights] | None:
    """All match-ups, one a row with two cards a player, and their weights; None if there are too many."""
    product = prod(len(each.weights) for each in case.ranges)
    if product > MATCHUPS_MAX:
        return None
    rows = np.empty((product, 2 * len(case.ranges)), np.uint8)
    weights = np.empty(product, np.float64)
    count = poker_kernels.list_matchups(range_arrays(case, deal_random=False), rows, weights)
    if count == 0:
        raise EquityError("EQUITY_NO_DEAL")
    return rows[:count], weights[:count]


def _is_quick(case: Situation, matchups: int) -> bool:
    """Whether enumeration is quick. With n exchanges of suits, about one match-up in n must be computed."""
    exchanges = len(_suit_orders(case)) if len(case.ranges) <= CLASSED_PLAYERS_MAX and matchups > 1 else 1
    return matchups * len(case.ranges) * LOOKUPS_BY_MISSING[case.missing] <= LOOKUPS_MAX * exchanges


def _suit_orders(case: Situation) -> Cards:
    """The exchanges of suits that keep the board and the dead cards."""
    board, dead = ({card.number for card in some} for some in (case.board, case.dead))

    def keeps(some: set[int], order: tuple[int, ...]) -> bool:
        return {number // 4 * 4 + order[number % 4] for number in some} == some

    return np.array([order for order in permutations(range(4)) if keeps(board, order) and keeps(dead, order)], np.uint8)


def _classes(case: Situation, rows: Cards, weights: Weights) -> tuple[Cards, Weights]:
    """One match-up for each class that differs only by an exchange of suits, with the weight of the class."""
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
    """The weights won by each set of players, over all match-ups and boards."""
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
    # A task of a millisecond is not worth another thread.
    for start, counted in zip(
        starts, map(count, starts) if len(starts) == 1 else pool().map(count, starts), strict=True
    ):
        outcomes += counted
        tell(min(1.0, (start + size) / len(rows)))
    return outcomes


def _results(outcomes: Outcomes | Weights, player: int) -> tuple[float, float, float]:
    """A player's sole wins, ties, and pots won."""
    places = np.arange(len(outcomes))
    among = (places >> player & 1).astype(np.bool_)
    winners = (places[:, np.newaxis] >> np.arange(HANDS_MAX) & 1).sum(axis=1)
    wins = float(outcomes[1 << player])
    return wins, float(outcomes[among].sum()) - wins, float((outcomes[among] / winners[among]).sum())


def sample_block(case: Situation, seed: int, block: int, samples: int = BLOCK_SAMPLES) -> Outcomes:
    """How many boards of a block each set of players won. Bit `p` of a place stands for player `p`.

    The result depends on these arguments alone, so blocks can run on any machine in any order.
    """
    arrays = range_arrays(case, deal_random=True)
    return _sample(case, arrays, deals_together(arrays), seed, block, samples)


def _sample(case: Situation, arrays: RangeArrays, deals: Deals, seed: int, block: int, samples: int) -> Outcomes:
    outcomes = np.zeros(1 << len(case.ranges), np.int64)
    board = np.array([card.number for card in case.board], np.uint8)
    dealt = sampling_kernels.sample_boards(tables(7), arrays, deals, board, np.uint64(seed), block, samples, outcomes)
    if dealt < 0:
        raise EquityError("EQUITY_RARE_DEAL", attempts=samples * sampling_kernels.ATTEMPTS_MAX)
    return outcomes


def _sampled(case: Situation, samples: int, seed: int, progress: Progress, started: float) -> Equity:
    arrays = range_arrays(case, deal_random=True)
    deals = deals_together(arrays)
    blocks = range(-(-samples // BLOCK_SAMPLES))

    def count(block: int) -> Outcomes:
        return _sample(case, arrays, deals, seed, block, min(BLOCK_SAMPLES, samples - block * BLOCK_SAMPLES))

    outcomes = np.zeros(1 << len(case.ranges), np.int64)
    # A few blocks at a time, so an interrupt or an error waits for these only.
    step = 8 * core_count()
    for start in range(0, len(blocks), step):
        for counted in pool().map(count, blocks[start : start + step]):
            outcomes += counted
        progress(min(samples, (start + step) * BLOCK_SAMPLES), samples)
    return summary(case, outcomes, samples, perf_counter() - started)


class Sampling(msgspec.Struct, frozen=True):
    """A situation to be sampled: `Work` for a cluster."""

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
    for part in block_results(work, work.blocks, cluster=cluster):
        outcomes += part
        progress(int(outcomes.sum()), work.samples)
    return summary(work.case, outcomes, work.samples, perf_counter() - started)


def summary(case: Situation, outcomes: Outcomes, samples: int, seconds: float) -> Equity:
    """The equity from the summed outcomes of blocks."""
    hands = []
    for player, some_range in enumerate(case.ranges):
        win, tie, share = (part / samples for part in _results(outcomes, player))
        low, high = interval(share, samples)
        hands.append(HandEquity(some_range.written, win, tie, share, low=low, high=high))
    return Equity(Method.MONTE_CARLO, samples, tuple(hands), seconds, CONFIDENCE)


def interval(mean: float, samples: int) -> tuple[float, float]:
    """Wilson's interval for a proportion. With split pots equity varies less, so the interval is rather too wide."""
    spread = SIGMAS**2 / samples
    centre = (mean + spread / 2) / (1 + spread)
    reach = sqrt(mean * (1 - mean) * spread + spread**2 / 4) / (1 + spread)
    return max(0.0, centre - reach), min(1.0, centre + reach)

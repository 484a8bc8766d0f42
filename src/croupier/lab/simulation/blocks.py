"""A simulation in blocks: a picklable `Game` and a block's number give that block's `Tally`, always the same one.

Blocks are independent of each other, so that threads, processes and machines can share them out as they like, and
their tallies are whole numbers, so that the sum does not depend on the order in which they come.
"""

from functools import lru_cache
from typing import Any, Final

import msgspec
import numpy as np

from croupier.lab.simulation import lockstep, start, tally
from croupier.lab.simulation.lockstep import new_lanes, new_sums, play_lockstep
from croupier.lab.simulation.program import (
    PLAN_RECORD,
    Bytes,
    Numbers,
    Plan,
    RuleNumbers,
    flat_plan,
    full_shoe,
    new_table,
    rule_numbers,
    wishes,
)
from croupier.lab.simulation.random import seeded
from croupier.lab.simulation.shoes import play_shoes, shuffle
from croupier.lab.simulation.start import start_table
from croupier.lab.simulation.tally import Tally
from croupier.lab.strategy import StrategyTable
from croupier.rules.blackjack import BlackjackRules

BLOCK_ROUNDS: Final = 1 << 19
"""Some tens of milliseconds: long enough to cost nothing to start, short enough for a lively progress bar."""

CARDS_PER_HAND: Final = 2.7
"""About how many cards a seat or the dealer takes."""


class Game(msgspec.Struct, frozen=True):
    """What is simulated. `plan` is the plan record's bytes, so that a game can be sent to another machine."""

    rules: BlackjackRules
    plan: bytes
    players: int = 1

    @property
    def rounds_per_shoe(self) -> int:
        """About how many; with fresh shoes, one."""
        return 1 + int(self.rules.penetration * 52 * self.rules.decks / (CARDS_PER_HAND * (self.players + 1)))

    @property
    def is_lockstep(self) -> bool:
        """Whether the fast kernel can play it: one seat, fresh shoes, no counting."""
        return self.players == 1 and self.rules.penetration == 0 and not read_plan(self.plan).counting


def game(rules: BlackjackRules, table: StrategyTable, players: int = 1) -> Game:
    """A game in which every seat plays one table and always bets one."""
    return Game(rules, write_plan(flat_plan(wishes(table, rules))), players)


def write_plan(plan: Plan) -> bytes:
    record: Any = plan
    return bytes(record.tobytes())


def read_plan(packed: bytes) -> Plan:
    plan: Plan = np.frombuffer(bytearray(packed), PLAN_RECORD).view(np.recarray)[0]
    return plan


@lru_cache(maxsize=8)
def prepared_start(played: Game) -> Any:
    """The start table of a game, made once for all threads, which only read it."""
    return start_table(rule_numbers(played.rules, played.players), read_plan(played.plan).wishes[0])


class Player:
    """Plays blocks of one game. It keeps what does not depend on the block, and is not for two threads at a time."""

    def __init__(self, played: Game, seed: int) -> None:
        self._seed = seed
        self._rules: RuleNumbers = rule_numbers(played.rules, played.players)
        self._plan = read_plan(played.plan)
        self._full: Bytes = full_shoe(played.rules.decks)
        self._table = new_table()
        self._start: Any = prepared_start(played) if played.is_lockstep else None
        self._lanes: Any = new_lanes() if played.is_lockstep else None

    def play(self, block: int, rounds: int) -> Tally:
        """The first `rounds` rounds of a block."""
        assert 0 < rounds <= BLOCK_ROUNDS
        if self._start is None:
            return self.tallied(*self.shoes(block, rounds, rounds))
        sums = new_sums()
        self._table.generator[:] = seeded(self._seed, block)
        shuffle(self._plan, self._table, self._full)
        play_lockstep(self._rules, self._plan, self._table, self._start, self._lanes, rounds, sums)
        return _lockstep_tally(self._rules, rounds, *sums)

    def shoes(self, block: int, rounds: int, shoes_max: int) -> tuple[Numbers, Numbers]:
        """By the general kernel: the sums of every shoe of a block, and the counts of all of them."""
        counts = np.zeros(tally.COUNTS, np.int64)
        sums = np.zeros((shoes_max, tally.SUMS), np.int64)
        key = seeded(self._seed, block)[0]
        used = play_shoes(self._rules, self._plan, self._table, self._full, key, rounds, sums, counts)
        return sums[:used], counts

    def tallied(self, sums: Numbers, counts: Numbers) -> Tally:
        """The tally of some shoes."""
        return Tally(
            int(self._rules.unit),
            len(sums),
            _whole(sums.sum(axis=0)),
            tuple(_whole(row) for row in sums.T @ sums),
            _whole(counts),
        )


def _lockstep_tally(rules: RuleNumbers, rounds: int, ends: Numbers, splits: Numbers, counts: Numbers) -> Tally:
    """Every round is a shoe of its own; how a round without a split ended says its profit and its stake."""
    unit = int(rules.unit)
    profit, staked, profit_squares, products, staked_squares = _whole(splits)
    for end, (won, stake) in _profits(unit, int(rules.blackjack_win)).items():
        count = int(ends[end])
        profit += count * won
        staked += count * stake
        profit_squares += count * won * won
        products += count * won * stake
        staked_squares += count * stake * stake
        counts[tally.COUNT_WINS if won > 0 else tally.COUNT_LOSSES if won < 0 else tally.COUNT_PUSHES] += count
        counts[[tally.COUNT_ROUNDS, tally.COUNT_SEAT_ROUNDS, tally.COUNT_HANDS]] += count
        counts[tally.COUNT_DOUBLES] += count if stake > unit else 0
        counts[tally.COUNT_SQUARES] += count * won * won
    counts[tally.COUNT_BLACKJACKS] += ends[start.BLACKJACK_WON] + ends[start.BLACKJACK_PUSHED]
    counts[tally.COUNT_BUSTS] += ends[lockstep.BUST] + ends[lockstep.DOUBLE_BUST] + ends[lockstep.DOUBLE_BUST_ONE]
    counts[tally.COUNT_SURRENDERS] += ends[start.SURRENDERED_HALF] + ends[start.SURRENDERED_WHOLE]
    counts[tally.COUNT_DEALER_BUSTS] += ends[lockstep.DEALER_BUST]
    counts[tally.COUNT_DEALER_BLACKJACKS] += (
        ends[start.DEALER_BLACKJACK] + ends[start.BLACKJACK_PUSHED] + ends[lockstep.DEALER_LATE_BLACKJACK]
    )
    assert counts[tally.COUNT_ROUNDS] == rounds, "every round must have ended in exactly one way"
    bets = unit * rounds
    return Tally(
        unit,
        rounds,
        (profit, bets, staked, rounds),
        (
            (profit_squares, profit * unit, products, profit),
            (profit * unit, bets * unit, staked * unit, bets),
            (products, staked * unit, staked_squares, staked),
            (profit, bets, staked, rounds),
        ),
        _whole(counts),
    )


def _profits(unit: int, blackjack_win: int) -> dict[int, tuple[int, int]]:
    """What every end of a round without a split wins, and what was staked for it."""
    return {
        start.BLACKJACK_WON: (blackjack_win, unit),
        start.BLACKJACK_PUSHED: (0, unit),
        start.DEALER_BLACKJACK: (-unit, unit),
        start.SURRENDERED_HALF: (-unit // 2, unit),
        start.SURRENDERED_WHOLE: (-unit, unit),
        lockstep.WON: (unit, unit),
        lockstep.PUSHED: (0, unit),
        lockstep.LOST: (-unit, unit),
        lockstep.BUST: (-unit, unit),
        lockstep.DOUBLE_WON: (2 * unit, 2 * unit),
        lockstep.DOUBLE_PUSHED: (0, 2 * unit),
        lockstep.DOUBLE_LOST: (-2 * unit, 2 * unit),
        lockstep.DOUBLE_BUST: (-2 * unit, 2 * unit),
        lockstep.DOUBLE_LOST_ONE: (-unit, 2 * unit),
        lockstep.DOUBLE_BUST_ONE: (-unit, 2 * unit),
    }


def _whole(numbers: Numbers) -> tuple[int, ...]:
    return tuple(int(number) for number in numbers)

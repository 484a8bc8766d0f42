"""A simulation in blocks: a `SimulatedGame`, a seed and a block's number always give the same `Tally`.

Blocks are independent, so threads, processes and machines can share them. Tallies hold whole numbers, so the order in
which they are added does not matter.
"""

from functools import lru_cache
from typing import Any, Final

import msgspec
import numpy as np

from croupier.games.blackjack import BlackjackRules
from croupier.lab.blackjack.simulation import first_cards, lockstep, tally
from croupier.lab.blackjack.simulation.first_cards import start_table
from croupier.lab.blackjack.simulation.inputs import (
    PLAN_RECORD,
    Bytes,
    Numbers,
    Plan,
    RuleNumbers,
    flat_plan,
    full_shoe,
    new_table,
    preferences,
    rule_numbers,
)
from croupier.lab.blackjack.simulation.lockstep import new_lanes, new_sums, play_lockstep
from croupier.lab.blackjack.simulation.shoes import play_shoes, shuffle
from croupier.lab.blackjack.simulation.tally import Tally
from croupier.lab.blackjack.strategy import StrategyTable
from croupier.lab.random_numbers import seeded

BLOCK_ROUNDS: Final = 1 << 19
"""Some tens of milliseconds of work: starting a block costs nothing, and the progress bar still moves."""

CARDS_PER_HAND: Final = 2.7
"""About how many cards a seat or the dealer takes."""


class SimulatedGame(msgspec.Struct, frozen=True):
    """The rules, the plan and the number of players. `plan` is the plan record's bytes, so it can be pickled."""

    rules: BlackjackRules
    plan: bytes
    players: int = 1

    @property
    def rounds_per_shoe(self) -> int:
        """An estimate; exactly 1 with fresh shoes."""
        return 1 + int(self.rules.penetration * 52 * self.rules.decks / (CARDS_PER_HAND * (self.players + 1)))

    @property
    def is_lockstep(self) -> bool:
        """Whether the fast kernel can play it: one seat, fresh shoes, no counting."""
        return self.players == 1 and self.rules.penetration == 0 and not read_plan(self.plan).counting


def flat_game(rules: BlackjackRules, table: StrategyTable, players: int = 1) -> SimulatedGame:
    """A game in which every seat plays by one table and bets one."""
    return SimulatedGame(rules, write_plan(flat_plan(preferences(table, rules))), players)


def write_plan(plan: Plan) -> bytes:
    record: Any = plan
    return bytes(record.tobytes())


def read_plan(packed: bytes) -> Plan:
    plan: Plan = np.frombuffer(bytearray(packed), PLAN_RECORD).view(np.recarray)[0]
    return plan


@lru_cache(maxsize=8)
def prepared_start(played: SimulatedGame) -> Any:
    """The table of first cards of a game, made once; threads only read it."""
    return start_table(rule_numbers(played.rules, played.players), read_plan(played.plan).preferences[0])


class BlockPlayer:
    """Plays blocks of one game. It keeps everything that does not depend on the block. Not thread-safe."""

    def __init__(self, played: SimulatedGame, seed: int) -> None:
        self._seed = seed
        self._rules: RuleNumbers = rule_numbers(played.rules, played.players)
        self._plan = read_plan(played.plan)
        self._full: Bytes = full_shoe(played.rules.decks)
        self._table = new_table()
        self._start: Any = prepared_start(played) if played.is_lockstep else None
        self._lanes: Any = new_lanes() if played.is_lockstep else None

    def play(self, block: int, rounds: int) -> Tally:
        """Play the first `rounds` rounds of a block."""
        assert 0 < rounds <= BLOCK_ROUNDS
        if self._start is None:
            return self.tallied(*self.shoes(block, rounds, rounds))
        sums = new_sums()
        self._table.generator[:] = seeded(self._seed, block)
        shuffle(self._plan, self._table, self._full)
        play_lockstep(self._rules, self._plan, self._table, self._start, self._lanes, rounds, sums)
        return _lockstep_tally(self._rules, rounds, *sums)

    def shoes(self, block: int, rounds: int, shoes_max: int) -> tuple[Numbers, Numbers]:
        """Play a block by the general kernel: the sums of each shoe, and the counts over all shoes."""
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
    """The tally of lockstep rounds: every round is a shoe, and its end decides its profit and stake."""
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
    counts[tally.COUNT_BLACKJACKS] += ends[first_cards.BLACKJACK_WON] + ends[first_cards.BLACKJACK_PUSHED]
    counts[tally.COUNT_BUSTS] += ends[lockstep.BUST] + ends[lockstep.DOUBLE_BUST] + ends[lockstep.DOUBLE_BUST_ONE]
    counts[tally.COUNT_SURRENDERS] += ends[first_cards.SURRENDERED_HALF] + ends[first_cards.SURRENDERED_WHOLE]
    counts[tally.COUNT_DEALER_BUSTS] += ends[lockstep.DEALER_BUST]
    counts[tally.COUNT_DEALER_BLACKJACKS] += (
        ends[first_cards.DEALER_BLACKJACK] + ends[first_cards.BLACKJACK_PUSHED] + ends[lockstep.DEALER_LATE_BLACKJACK]
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
    """The profit and the stake of every end of a round without a split."""
    return {
        first_cards.BLACKJACK_WON: (blackjack_win, unit),
        first_cards.BLACKJACK_PUSHED: (0, unit),
        first_cards.DEALER_BLACKJACK: (-unit, unit),
        first_cards.SURRENDERED_HALF: (-unit // 2, unit),
        first_cards.SURRENDERED_WHOLE: (-unit, unit),
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

"""Bankrolls: risk of ruin, N0 and SCORE by formula, and trips simulated round by round.

Let a round win μ bets of one on average, with variance σ², and let the bankroll be B bets of one.

- N0 = σ² / μ²: after so many rounds, the expected win equals one standard deviation.
- SCORE = 1 000 000 / N0: the win of 100 rounds on a bankroll of 10 000, at equal risk.
- Risk of ruin: exp(-2μB/σ²) in the long run, and 1 if μ ≤ 0. Within n rounds, the chance that a Brownian motion with
  this drift falls by B. Both are approximations; the simulated trips check them.

A bankroll is ruined when nothing is left. A bet that it cannot cover in full is still played.
"""

from math import exp, inf, sqrt
from statistics import NormalDist
from typing import Any, Final

import msgspec
import numpy as np

from croupier.lab.blackjack.simulation.blocks import SimulatedGame, read_plan
from croupier.lab.blackjack.simulation.inputs import (
    Bytes,
    Numbers,
    Plan,
    RuleNumbers,
    Table,
    full_shoe,
    new_table,
    rule_numbers,
)
from croupier.lab.blackjack.simulation.rounds import new_shoe, play_round
from croupier.lab.blackjack.simulation.shoes import is_shoe_done
from croupier.lab.blackjack.simulation.tally import Tally
from croupier.lab.compiler import kernel
from croupier.lab.random_numbers import reseed, seeded

TRIPS_PER_BLOCK: Final = 16
POINTS_MAX: Final = 400
"""How many points of a trip are kept."""
TRACED_MAX: Final = 60
"""How many trips are kept point by point."""


class Prospects(msgspec.Struct, frozen=True, rename="camel"):
    """A bankroll's figures by formula. An infinite N0 is None."""

    bankroll: int
    win_per_round: float
    standard_deviation: float
    n0: float | None
    score: float
    risk_of_ruin: float


def prospects(found: Tally, bankroll: int) -> Prospects:
    """From the simulated mean and variance of one seat's rounds, rounds without a bet included."""
    mean, variance = found.profit_per_round, found.variance_per_round
    score = 1e6 * mean * mean / variance if mean > 0 and variance else 0.0
    return Prospects(
        bankroll=bankroll,
        win_per_round=mean,
        standard_deviation=sqrt(variance),
        n0=variance / (mean * mean) if mean > 0 else None,
        score=score,
        risk_of_ruin=risk_of_ruin(mean, variance, bankroll),
    )


def risk_of_ruin(mean: float, variance: float, bankroll: float, rounds: float = inf) -> float:
    """The chance of losing the bankroll within `rounds` rounds."""
    if variance <= 0:
        return float(mean < 0 and -mean * rounds >= bankroll)
    if rounds == inf:
        return 1.0 if mean <= 0 else exp(-2 * mean * bankroll / variance)
    spread = sqrt(variance * rounds)
    below = NormalDist().cdf((-bankroll - mean * rounds) / spread)
    returned = NormalDist().cdf((-bankroll + mean * rounds) / spread)
    exponent = -2 * mean * bankroll / variance
    # For a heavy loser `exp` would overflow while `returned` vanishes; their product is at most 1.
    return min(1.0, below + (exp(exponent) * returned if exponent < 700 else 0.0))


class Trips(msgspec.Struct, frozen=True):
    """Many trips with one bankroll, each from a new shoe: `Work` for threads or a cluster."""

    game: SimulatedGame
    bankroll: int
    rounds: int
    trips: int
    seed: int = 0

    @property
    def blocks(self) -> int:
        return -(-self.trips // TRIPS_PER_BLOCK)

    def block(self, number: int) -> "TripTotals":
        rules, plan = rule_numbers(self.game.rules, self.game.players), read_plan(self.game.plan)
        full, table = full_shoe(self.game.rules.decks), new_table()
        count = min(TRIPS_PER_BLOCK, self.trips - number * TRIPS_PER_BLOCK)
        points = np.zeros((count, min(self.rounds, POINTS_MAX) + 1), np.int64)
        key = seeded(self.seed, number, TRIPS_PER_BLOCK)[0]
        ruined = play_trips(rules, plan, table, full, key, self.bankroll * rules.unit, self.rounds, points)
        first = number * TRIPS_PER_BLOCK
        paths = tuple(
            (first + trip, tuple(float(chips) / int(rules.unit) for chips in row))
            for trip, row in enumerate(points)
            if first + trip < TRACED_MAX
        )
        return TripTotals(count, int(ruined), paths)


class TripTotals(msgspec.Struct, frozen=True):
    """How trips ended; `paths` has some of them point by point, with their numbers."""

    trips: int
    ruined: int
    paths: tuple[tuple[int, tuple[float, ...]], ...]

    def __add__(self, other: "TripTotals") -> "TripTotals":
        return TripTotals(
            self.trips + other.trips, self.ruined + other.ruined, tuple(sorted((*self.paths, *other.paths)))
        )

    @property
    def risk(self) -> tuple[float, float]:
        """The share of ruined trips, and its standard error."""
        part = self.ruined / self.trips
        return part, sqrt(part * (1 - part) / self.trips)


@kernel
def play_trips(
    rules: RuleNumbers, plan: Plan, table: Table, full: Bytes, key: Any, bankroll: int, rounds: int, points: Numbers
) -> int:
    """Play a trip for each row of `points`, fill in its bankroll at even distances, and return how many were ruined.

    The bankroll is the first seat's. A ruined one stays at 0.
    """
    ruined = 0
    last = points.shape[1] - 1
    for trip in range(points.shape[0]):
        reseed(table.generator, key, trip)
        chips = bankroll
        points[trip, 0] = chips
        point, done = 1, True
        for played in range(rounds):
            if done:
                new_shoe(plan, table, full, 0)
            play_round(rules, plan, table)
            done = is_shoe_done(rules, table)
            chips += table.seat_profit[0]
            if chips <= 0:
                ruined += 1
                break
            while point <= last and (played + 1) * last >= point * rounds:
                points[trip, point] = chips
                point += 1
    return ruined

"""What a way to play means for somebody's money: risk of ruin, N0, SCORE, and bankrolls followed round by round.

With a mean of μ and a variance of σ² bets of one a round, and a bankroll of B bets of one:

- N0 = σ² / μ² is the number of rounds after which what is expected to be won equals one standard deviation.
- SCORE = 1 000 000 / N0: for players who risk the same, what 100 rounds earn on a bankroll of 10 000.
- Ruin in the long run has the chance exp(-2μB/σ²), and 1 where nothing is won on average; within n rounds it is the
  chance that a Brownian motion with this drift falls by B. Both are approximations, which the followed bankrolls check.

A bankroll is ruined when nothing is left of it; a bet that it can no longer cover in full is still played.
"""

from math import exp, inf, sqrt
from statistics import NormalDist
from typing import Any, Final

import msgspec
import numpy as np

from croupier.lab.compiling import kernel
from croupier.lab.simulation.blocks import Game, read_plan
from croupier.lab.simulation.program import Bytes, Numbers, Plan, RuleNumbers, Table, full_shoe, new_table, rule_numbers
from croupier.lab.simulation.random import reseed, seeded
from croupier.lab.simulation.rounds import new_shoe, play_round
from croupier.lab.simulation.shoes import is_shoe_done
from croupier.lab.simulation.tally import Tally

TRIPS_PER_BLOCK: Final = 16
POINTS_MAX: Final = 400
"""How many points of a followed bankroll are kept."""
TRACED_MAX: Final = 60
"""How many followed bankrolls are kept point by point."""


class Prospects(msgspec.Struct, frozen=True, rename="camel"):
    """A bankroll's prospects by formula; infinite figures are None."""

    bankroll: int
    win_per_round: float
    standard_deviation: float
    n0: float | None
    score: float
    risk_of_ruin: float


def prospects(found: Tally, bankroll: int) -> Prospects:
    """By the simulated mean and variance of one seat's rounds, watched ones too."""
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
    """The chance that the bankroll is lost within so many rounds."""
    if variance <= 0:
        return float(mean < 0 and -mean * rounds >= bankroll)
    if rounds == inf:
        return 1.0 if mean <= 0 else exp(-2 * mean * bankroll / variance)
    spread = sqrt(variance * rounds)
    below = NormalDist().cdf((-bankroll - mean * rounds) / spread)
    returned = NormalDist().cdf((-bankroll + mean * rounds) / spread)
    exponent = -2 * mean * bankroll / variance
    # Far on the losing side the first factor overflows where the second vanishes; their product is at most one.
    return min(1.0, below + (exp(exponent) * returned if exponent < 700 else 0.0))


class Trips(msgspec.Struct, frozen=True):
    """Many bankrolls, each followed for so many rounds from a new shoe on: `Work` for threads or a cluster."""

    game: Game
    bankroll: int
    rounds: int
    trips: int
    seed: int = 0

    @property
    def blocks(self) -> int:
        return -(-self.trips // TRIPS_PER_BLOCK)

    def block(self, number: int) -> "Followed":
        rules, plan = rule_numbers(self.game.rules, self.game.players), read_plan(self.game.plan)
        full, table = full_shoe(self.game.rules.decks), new_table()
        count = min(TRIPS_PER_BLOCK, self.trips - number * TRIPS_PER_BLOCK)
        points = np.zeros((count, min(self.rounds, POINTS_MAX) + 1), np.int64)
        key = seeded(self.seed, number, TRIPS_PER_BLOCK)[0]
        ruined = follow(rules, plan, table, full, key, self.bankroll * rules.unit, self.rounds, points)
        first = number * TRIPS_PER_BLOCK
        paths = tuple(
            (first + trip, tuple(float(chips) / int(rules.unit) for chips in row))
            for trip, row in enumerate(points)
            if first + trip < TRACED_MAX
        )
        return Followed(count, int(ruined), paths)


class Followed(msgspec.Struct, frozen=True):
    """How followed bankrolls fared; some of them point by point, with their numbers."""

    trips: int
    ruined: int
    paths: tuple[tuple[int, tuple[float, ...]], ...]

    def __add__(self, other: "Followed") -> "Followed":
        return Followed(
            self.trips + other.trips, self.ruined + other.ruined, tuple(sorted((*self.paths, *other.paths)))
        )

    @property
    def risk(self) -> tuple[float, float]:
        """The part that was ruined, and its standard error."""
        part = self.ruined / self.trips
        return part, sqrt(part * (1 - part) / self.trips)


@kernel
def follow(
    rules: RuleNumbers, plan: Plan, table: Table, full: Bytes, key: Any, bankroll: int, rounds: int, points: Numbers
) -> int:
    """Follows a bankroll a row of `points`, which gets it at even distances; how many were ruined. The first seat's
    money is followed; a ruined bankroll stays at 0."""
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

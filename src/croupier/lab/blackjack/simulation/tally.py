"""The sums of a simulation. They are whole numbers, so tallies can be added in any order with the same result."""

from math import inf, sqrt
from typing import Final

import msgspec

# The sums of one shoe. Results within a shoe depend on each other, so a shoe is one sample; a fresh shoe is one round.
SUM_PROFIT: Final = 0
SUM_BETS: Final = 1
SUM_STAKED: Final = 2
SUM_ROUNDS: Final = 3
SUMS: Final = 4

COUNT_ROUNDS: Final = 0
COUNT_SEAT_ROUNDS: Final = 1
COUNT_WINS: Final = 2
COUNT_LOSSES: Final = 3
COUNT_PUSHES: Final = 4
COUNT_BLACKJACKS: Final = 5
COUNT_BUSTS: Final = 6
COUNT_DOUBLES: Final = 7
COUNT_SPLITS: Final = 8
COUNT_SURRENDERS: Final = 9
COUNT_INSURED: Final = 10
COUNT_DEALER_BLACKJACKS: Final = 11
COUNT_DEALER_BUSTS: Final = 12
COUNT_HANDS: Final = 13
COUNT_VOIDS: Final = 14
COUNT_SQUARES: Final = 15
COUNTS: Final = 16


class Tally(msgspec.Struct, frozen=True):
    """The sums of some rounds. `a + b` is the tally of both. A bet of one is `unit` chips."""

    unit: int
    shoes: int
    sums: tuple[int, ...]
    products: tuple[tuple[int, ...], ...]
    """For every two of the sums, their product within a shoe, added up over the shoes."""
    counts: tuple[int, ...]

    def __add__(self, other: "Tally") -> "Tally":
        assert self.unit == other.unit, "tallies of different rules"
        return Tally(
            self.unit,
            self.shoes + other.shoes,
            _added(self.sums, other.sums),
            tuple(_added(mine, theirs) for mine, theirs in zip(self.products, other.products, strict=True)),
            _added(self.counts, other.counts),
        )

    @property
    def rounds(self) -> int:
        """Rounds dealt; a round counts once for all its seats."""
        return self.counts[COUNT_ROUNDS]

    @property
    def return_per_initial_bet(self) -> float:
        """The net win per chip bet before the cards."""
        return ratio(self.sums[SUM_PROFIT], self.sums[SUM_BETS])

    @property
    def return_per_total_bet(self) -> float:
        """The net win per chip staked, doubles, splits and insurance included."""
        return ratio(self.sums[SUM_PROFIT], self.sums[SUM_STAKED])

    @property
    def standard_error(self) -> float:
        """Of `return_per_initial_bet`."""
        return self.ratio_error(SUM_PROFIT, SUM_BETS)

    @property
    def standard_error_per_total_bet(self) -> float:
        return self.ratio_error(SUM_PROFIT, SUM_STAKED)

    @property
    def standard_deviation(self) -> float:
        """Of one seat's result in one round, in initial bets of one."""
        seat_rounds = self.counts[COUNT_SEAT_ROUNDS]
        if seat_rounds == 0:
            return 0.0
        mean = self.sums[SUM_PROFIT] / seat_rounds
        return sqrt(max(0.0, self.counts[COUNT_SQUARES] / seat_rounds - mean * mean)) / self.unit

    @property
    def average_bet(self) -> float:
        """The mean initial bet of a seat that bets, in bets of one."""
        return ratio(self.sums[SUM_BETS], self.unit * self.counts[COUNT_SEAT_ROUNDS])

    @property
    def average_staked(self) -> float:
        """The mean stake of a seat that bets, in bets of one."""
        return ratio(self.sums[SUM_STAKED], self.unit * self.counts[COUNT_SEAT_ROUNDS])

    @property
    def profit_per_round(self) -> float:
        """In bets of one, over all rounds dealt, rounds without a bet included."""
        return ratio(self.sums[SUM_PROFIT], self.unit * self.rounds)

    @property
    def variance_per_round(self) -> float:
        """The long-run variance, in squared bets of one. It includes the dependence within a shoe."""
        error = self.ratio_error(SUM_PROFIT, SUM_ROUNDS) / self.unit
        return error * error * self.rounds

    def frequency(self, count: int) -> float:
        """How often something happened per round of a seat."""
        return ratio(self.counts[count], self.counts[COUNT_SEAT_ROUNDS])

    def ratio_error(self, above: int, below: int) -> float:
        """The standard error of one sum divided by another, with whole shoes as the independent samples."""
        if self.shoes < 2 or self.sums[below] == 0:
            return inf
        value = self.sums[above] / self.sums[below]
        squares = self.products[above][above] - 2 * value * self.products[above][below]
        squares += value * value * self.products[below][below]
        mean_below = self.sums[below] / self.shoes
        return sqrt(max(0.0, squares) / (self.shoes * (self.shoes - 1))) / mean_below


def ratio(above: int, below: int) -> float:
    return above / below if below else 0.0


def _added(mine: tuple[int, ...], theirs: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(first + second for first, second in zip(mine, theirs, strict=True))

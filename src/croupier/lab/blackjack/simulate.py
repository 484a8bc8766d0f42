"""Simulations of blackjack: any rules, any strategy table, with or without counting, on threads or on a cluster.

The same seed gives the same figures for any number of threads, processes or machines. A simulation is cut into fixed
blocks of rounds, each with its own random numbers, and the blocks' whole-number sums are added up.

*Per initial bet* means per chip bet before the cards. *Per total bet* includes what doubles, splits and insurance add
to the stake. The house edge is the loss per initial bet. Standard errors treat a shoe as one sample, since the rounds
of a shoe depend on each other. With fresh shoes, every round is a sample.
"""

import threading
from collections.abc import Callable
from time import perf_counter
from typing import Any, Final

import msgspec
import numpy as np

from croupier.games.blackjack import BlackjackRules
from croupier.lab.blackjack.simulation import tally
from croupier.lab.blackjack.simulation.blocks import BLOCK_ROUNDS, BlockPlayer, SimulatedGame
from croupier.lab.blackjack.simulation.tally import SUM_BETS, SUM_PROFIT, Tally
from croupier.lab.blackjack.strategy import StrategyTable, build
from croupier.lab.cluster import block_results
from croupier.lab.confidence import CONFIDENCE, SIGMAS
from croupier.notebook import table_html

ROUNDS_MAX: Final = 10**13
SEED_MAX: Final = 2**64 - 1
HISTORY_MAX: Final = 512
"""Points of a simulation's history. When it is full, every second point is dropped."""

OUTCOMES: Final = {
    "win": tally.COUNT_WINS,
    "lose": tally.COUNT_LOSSES,
    "push": tally.COUNT_PUSHES,
    "blackjack": tally.COUNT_BLACKJACKS,
    "bust": tally.COUNT_BUSTS,
    "double": tally.COUNT_DOUBLES,
    "split": tally.COUNT_SPLITS,
    "surrender": tally.COUNT_SURRENDERS,
    "insurance": tally.COUNT_INSURED,
}
DEALER_OUTCOMES: Final = {"dealerBlackjack": tally.COUNT_DEALER_BLACKJACKS, "dealerBust": tally.COUNT_DEALER_BUSTS}


def like_dealer(rules: BlackjackRules) -> StrategyTable:
    """The strategy table of a player who plays by the dealer's rules."""

    def entry(kind: str, hand: str, up: str) -> str:
        if kind == "pairs":
            return "-"
        hits_soft_17 = rules.dealer_hits_soft_17 and (kind, hand) == ("soft", "17")
        return "H" if int(hand) < rules.dealer_stands_on or hits_soft_17 else "S"

    return build(entry)


class Simulation(msgspec.Struct, frozen=True):
    """Some rounds of a game, from a seed: `Work` for threads or a cluster."""

    game: SimulatedGame
    rounds: int
    seed: int = 0

    @property
    def blocks(self) -> int:
        return -(-self.rounds // BLOCK_ROUNDS)

    def block(self, number: int) -> Tally:
        return _player(self.game, self.seed).play(number, min(BLOCK_ROUNDS, self.rounds - number * BLOCK_ROUNDS))


class Point(msgspec.Struct, frozen=True):
    """A point of a simulation's history: its estimate after so many rounds."""

    rounds: int
    ev: float
    standard_error: float


class Outcome(msgspec.Struct, frozen=True):
    """The result of a simulation. `complete` is false if it was stopped early."""

    tally: Tally
    seconds: float
    complete: bool
    history: tuple[Point, ...]

    def to_numpy(self) -> Any:
        """How the result settled, one row a moment: rounds, return per initial bet, standard error."""
        return np.array([(point.rounds, point.ev, point.standard_error) for point in self.history])

    def to_pandas(self) -> Any:
        """The same as a data frame. Needs pandas."""
        import pandas as pd

        return pd.DataFrame(self.to_numpy(), columns=["rounds", "return", "standard error"])

    def _repr_html_(self) -> str:
        tally = self.tally
        figures = f"{tally.rounds:,}", f"{tally.return_per_initial_bet:+.4%}", f"{tally.standard_error:.4%}"
        return table_html(("rounds", "return per initial bet", "standard error"), [figures])


def simulate(
    simulation: Simulation, *, workers: int = 0, cluster: str = "", progress: Callable[[Tally], None] = lambda _: None
) -> Outcome | None:
    """Run a simulation and pass the sums so far to `progress`.

    After Ctrl-C it returns the result so far, or None if there is none. `seconds` excludes compiling.
    """
    total: Tally | None = None
    history: list[Point] = []
    complete = False
    if not cluster:
        _player(simulation.game, simulation.seed).play(0, 1)
    started = perf_counter()
    try:
        for part in block_results(simulation, simulation.blocks, workers, cluster):
            total = part if total is None else total + part
            history.append(Point(total.rounds, total.return_per_initial_bet, total.standard_error))
            if len(history) == HISTORY_MAX:
                del history[::2]
            progress(total)
        complete = True
    except KeyboardInterrupt:
        pass
    if total is None:
        return None
    return Outcome(total, perf_counter() - started, complete, tuple(history))


class PairedTally(msgspec.Struct, frozen=True):
    """Several games on the same shoes: their tallies, and the products of their profits and bets, shoe by shoe."""

    tallies: tuple[Tally, ...]
    products: tuple[tuple[int, ...], ...]

    def __add__(self, other: "PairedTally") -> "PairedTally":
        return PairedTally(
            tuple(mine + theirs for mine, theirs in zip(self.tallies, other.tallies, strict=True)),
            tuple(
                tuple(first + second for first, second in zip(mine, theirs, strict=True))
                for mine, theirs in zip(self.products, other.products, strict=True)
            ),
        )

    def difference(self, game: int) -> tuple[float, float]:
        """How much more a game returns per initial bet than the first one, and the standard error of the difference.

        On the same shoes most of the luck is shared, so the error is far smaller than that of either game.
        """
        first, other = self.tallies[0], self.tallies[game]
        weights = np.zeros(len(self.products))
        for sign, place, each in ((-1, 0, first), (1, game, other)):
            bets = each.sums[SUM_BETS] / each.shoes
            weights[2 * place] += sign / bets
            weights[2 * place + 1] -= sign * each.return_per_initial_bet / bets
        squares = float(weights @ np.array(self.products, float) @ weights)
        error = np.sqrt(max(0.0, squares) / (first.shoes * max(1, first.shoes - 1)))
        return other.return_per_initial_bet - first.return_per_initial_bet, float(error)


COMPARED_BLOCK_ROUNDS: Final = 1 << 16


class Comparison(msgspec.Struct, frozen=True):
    """Several games with the same rules on the same shoes: about `rounds` rounds each, in whole shoes."""

    games: tuple[SimulatedGame, ...]
    rounds: int
    seed: int = 0

    @property
    def shoes_per_block(self) -> int:
        return max(2, min(self.rounds, COMPARED_BLOCK_ROUNDS) // self.games[0].rounds_per_shoe)

    @property
    def blocks(self) -> int:
        return -(-self.rounds // (self.shoes_per_block * self.games[0].rounds_per_shoe))

    def block(self, number: int) -> PairedTally:
        tallies, columns = [], []
        for game in self.games:
            player = _player(game, self.seed)
            sums, counts = player.shoes(number, 52 * 8 * self.shoes_per_block, self.shoes_per_block)
            tallies.append(player.tallied(sums, counts))
            columns += [sums[:, SUM_PROFIT], sums[:, SUM_BETS]]
        matrix = np.array(columns)
        return PairedTally(tuple(tallies), tuple(tuple(int(value) for value in row) for row in matrix @ matrix.T))


def compare(
    comparison: Comparison, *, workers: int = 0, cluster: str = "", progress: Callable[[Tally], None] = lambda _: None
) -> PairedTally | None:
    """Run a comparison. After Ctrl-C it returns the result so far, or None if there is none."""
    total: PairedTally | None = None
    try:
        for part in block_results(comparison, comparison.blocks, workers, cluster):
            total = part if total is None else total + part
            progress(total.tallies[0])
    except KeyboardInterrupt:
        pass
    return total


def report(outcome: Outcome, simulation: Simulation) -> dict[str, Any]:
    """The figures of a simulation for JSON. Amounts are in bets of one."""
    found = outcome.tally
    ev, error = found.return_per_initial_bet, found.standard_error
    return {
        "ev": ev,
        "rtp": 1 + ev,
        "houseEdge": -ev,
        "standardError": error,
        "confidence": CONFIDENCE,
        "interval": [ev - SIGMAS * error, ev + SIGMAS * error],
        "perTotalBet": {
            "ev": found.return_per_total_bet,
            "rtp": 1 + found.return_per_total_bet,
            "standardError": found.standard_error_per_total_bet,
        },
        "standardDeviation": found.standard_deviation,
        "averageBet": found.average_bet,
        "averageStaked": found.average_staked,
        "profitPerRound": found.profit_per_round,
        "outcomes": outcomes(found),
        "rounds": found.rounds,
        "shoes": found.shoes,
        "players": simulation.game.players,
        "seed": simulation.seed,
        "complete": outcome.complete,
        "seconds": outcome.seconds,
        "roundsPerSecond": found.rounds / outcome.seconds if outcome.seconds else 0.0,
    }


def outcomes(found: Tally) -> dict[str, float]:
    """Frequencies of outcomes: per round of a seat, with each doubled and bust hand counted, and per dealer's round."""
    of_seats = {name: found.frequency(count) for name, count in OUTCOMES.items()}
    return of_seats | {name: tally.ratio(found.counts[count], found.rounds) for name, count in DEALER_OUTCOMES.items()}


_players = threading.local()


def _player(game: SimulatedGame, seed: int) -> BlockPlayer:
    """This thread's player of a game, made at its first block and kept for the next ones."""
    kept: dict[tuple[SimulatedGame, int], BlockPlayer] = _players.__dict__.setdefault("kept", {})
    if (game, seed) not in kept:
        if len(kept) >= PLAYERS_KEPT_MAX:
            kept.clear()
        kept[game, seed] = BlockPlayer(game, seed)
    return kept[game, seed]


PLAYERS_KEPT_MAX: Final = 16

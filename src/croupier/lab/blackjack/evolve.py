"""A genetic algorithm over strategy tables: from random tables to basic strategy, by selection alone.

A generation is a population of tables. The best few survive (elitism). Every other place goes to a child of two
parents, each the winner of a small tournament. A child takes each upcard's column whole from one of its parents, since
the entries of a column depend on each other and the columns do not. Then some entries mutate: to a random play, or to
the play of a neighbour in the table.

Fitness is the expected value per initial bet. `exact` comes from the solver, without noise, and only changed columns
are computed again. `simulated` plays the same rounds with every table of a generation.

Chance depends on the seed and the generation's number alone. So a run resumed from a checkpoint ends with the same
tables as an uninterrupted one.
"""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from croupier.game.refusal import Refusal
from croupier.games.blackjack import BlackjackRules
from croupier.lab.blackjack import strategy
from croupier.lab.blackjack.solve import Prepared, prepare, table_of
from croupier.lab.blackjack.solver.compositions import RANKS, TARGET, Floats
from croupier.lab.blackjack.solver.model import SOFT_ROWS, TABLE_ROWS
from croupier.lab.blackjack.solver.values import evaluate_each
from croupier.lab.blackjack.strategy import StrategyTable
from croupier.lab.file_errors import reason

COLUMN: Final = TABLE_ROWS + RANKS
"""Entries of one upcard: rows by total, then pairs."""
ELITE_SHARE: Final = 0.05
TOURNAMENT: Final = 6
COLUMNS_CHANGED_MEAN: Final = 1.0
"""How many of a child's ten columns mutate, on average."""
CHECKPOINT_VERSION: Final = 1

Genes: TypeAlias = npt.NDArray[np.uint8]
"""Tables as numbers of entries, `[table, upcard, row or pair]`."""


class Code(StrEnum):
    EVOLVE_RANGE = "EVOLVE_RANGE"
    EVOLVE_CHECKPOINT = "EVOLVE_CHECKPOINT"


class EvolveError(ValueError):
    """A search that cannot be run or resumed. `refusal` says why."""

    def __init__(self, code: Code, **facts: str | int) -> None:
        self.refusal = Refusal(code, dict(facts))
        super().__init__(f"{code}: {facts}")


RANGES: Final = {
    "population": (4, 100_000),
    "generations": (1, 1_000_000),
    "seed": (0, 2**63 - 1),
    "rounds": (1_000, 10**9),
}


class Settings(msgspec.Struct, frozen=True):
    """The settings of a search, without its length."""

    rules: BlackjackRules
    population: int = 100
    seed: int = 0
    fitness: str = "exact"
    rounds: int = 500_000
    """Rounds that each table plays in a generation, for simulated fitness."""

    def __post_init__(self) -> None:
        for name in ("population", "seed", "rounds"):
            check_range(name, getattr(self, name))
        if self.fitness not in ("exact", "simulated"):
            raise EvolveError(Code.EVOLVE_RANGE, option="fitness", value=self.fitness, allowed="exact, simulated")


class Generation(msgspec.Struct, frozen=True):
    """The fitness of one generation: expected values per initial bet."""

    number: int
    best: float
    mean: float
    worst: float


class State(msgspec.Struct, frozen=True):
    """The state of a search, and its checkpoint: the population, best table first, as strings of entries."""

    settings: Settings
    history: tuple[Generation, ...]
    population: tuple[str, ...]
    version: int = CHECKPOINT_VERSION

    @property
    def best(self) -> StrategyTable:
        """The best table of the newest generation."""
        return _table(self.settings.rules, _genes(self.population[:1])[0])


def check_range(name: str, value: int) -> None:
    """Raise EvolveError unless a setting is within its range."""
    low, high = RANGES[name]
    if not low <= value <= high:
        raise EvolveError(Code.EVOLVE_RANGE, option=name, value=value, allowed=f"{low} – {high}")


def evolve(settings: Settings, generations: int, resumed: State | None = None) -> Iterator[State]:
    """Yield the state after each generation, up to `generations` in all. The first generation is random."""
    check_range("generations", generations)
    search = _Search(settings)
    if resumed is None:
        genes = search.random()
        values = search.values(genes, None, 0)
        state = _sorted(settings, (), genes, values)
        yield state[0]
    else:
        genes = _genes(resumed.population)
        last = resumed.history[-1].number
        state = (resumed, genes, search.values(genes, None, last))
    while state[0].history[-1].number + 1 < generations:
        before, genes, values = state
        number = before.history[-1].number + 1
        children, inherited = search.children(genes, values, number)
        state = _sorted(settings, before.history, children, search.values(children, inherited, number))
        yield state[0]


def save_checkpoint(state: State, path: Path) -> None:
    """Write a checkpoint. At any moment the file is complete, the old one or the new."""
    unfinished = path.with_name(path.name + ".part")
    try:
        unfinished.write_bytes(msgspec.json.encode(state))
        unfinished.replace(path)
    except OSError as error:
        raise EvolveError(Code.EVOLVE_CHECKPOINT, file=str(path), reason=reason(error)) from None


def load_checkpoint(path: Path) -> State:
    """Read a checkpoint. Raises EvolveError if the file is none."""
    try:
        state = msgspec.json.decode(path.read_bytes(), type=State)
    except (OSError, msgspec.DecodeError, ValueError, RecursionError) as error:
        raise EvolveError(Code.EVOLVE_CHECKPOINT, file=str(path), reason=reason(error)) from None
    sound = (
        state.version == CHECKPOINT_VERSION
        and bool(state.history)
        and len(state.population) == state.settings.population
        and all(len(text) == RANKS * COLUMN and set(text) <= set("012345678") for text in state.population)
    )
    if not sound:
        raise EvolveError(Code.EVOLVE_CHECKPOINT, file=str(path), reason=f"version {CHECKPOINT_VERSION}?")
    return state


class _Search:
    """One search: what all its generations share."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._prepared: Prepared | None = prepare(settings.rules) if settings.fitness == "exact" else None
        self._places = _places(settings.rules)
        self._choices = [_choices(settings.rules, place >= TABLE_ROWS) for place in self._places]
        self._neighbours = _neighbours(self._places)
        self._elite = max(1, round(ELITE_SHARE * settings.population))

    def _generator(self, number: int) -> np.random.Generator:
        return np.random.default_rng([self._settings.seed, number])

    def random(self) -> Genes:
        """The first generation."""
        chance = self._generator(0)
        genes = np.full((self._settings.population, RANKS, COLUMN), strategy.HIT, np.uint8)
        if self._settings.rules.hands_max == 1:
            genes[:, :, TABLE_ROWS:] = strategy.BY_TOTAL
        for place, choices in zip(self._places, self._choices, strict=True):
            genes[:, :, place] = chance.choice(choices, genes.shape[:2])
        return genes

    def children(self, genes: Genes, values: Floats, number: int) -> tuple[Genes, Floats]:
        """The next generation of a population that has its best table first, and the values of the inherited columns.

        The value of a mutated column is not a number.
        """
        chance = self._generator(number)
        population = len(genes)
        born = population - self._elite
        # The population is sorted, so the lowest place wins a tournament.
        parents = chance.integers(population, size=(2, born, TOURNAMENT)).min(axis=2)
        from_first = chance.random((born, RANKS)) < 0.5
        source = np.where(from_first, parents[0][:, None], parents[1][:, None])
        columns = np.arange(RANKS)[None, :]
        children, inherited = genes[source, columns], values[source, columns]
        for child, count in enumerate(np.minimum(RANKS, chance.poisson(COLUMNS_CHANGED_MEAN, born))):
            for column in chance.choice(RANKS, count, replace=False):
                self._change(children[child], int(column), chance)
                inherited[child, column] = np.nan
        return np.concatenate([genes[: self._elite], children]), np.concatenate([values[: self._elite], inherited])

    def _change(self, table: Genes, column: int, chance: np.random.Generator) -> None:
        """Mutate one or two entries of a column."""
        for _ in range(1 + int(chance.random() < 0.3)):
            index = int(chance.integers(len(self._places)))
            place = self._places[index]
            if chance.random() < 0.5:
                table[column, place] = chance.choice(self._choices[index])
            elif chance.random() < 0.5:
                table[column, place] = table[column, self._neighbours[index][int(chance.integers(2))]]
            else:
                # The ace's neighbours are the ten and the two, as in a chart.
                table[column, place] = table[(column + int(chance.choice((-1, 1)))) % RANKS, place]

    def values(self, genes: Genes, known: Floats | None, number: int) -> Floats:
        """The value of every column of every table, weighted by the frequency of its upcard, `[table, upcard]`."""
        if self._prepared is None:
            return self._simulated(genes, number)
        values = np.full(genes.shape[:2], np.nan) if known is None else known.copy()
        prepared = self._prepared

        def evaluated(up: int) -> None:
            wanted = np.nonzero(np.isnan(values[:, up]))[0]
            plays = np.ascontiguousarray(genes[wanted, up, :TABLE_ROWS])
            pairs = np.ascontiguousarray(genes[wanted, up, TABLE_ROWS:])
            won = np.empty(len(wanted))
            evaluate_each(
                prepared.structure, prepared.options, prepared.columns[up], plays, pairs, prepared.workspace(), won
            )
            values[wanted, up] = prepared.shares[up] * won

        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            list(pool.map(evaluated, range(RANKS)))
        return values

    def _simulated(self, genes: Genes, number: int) -> Floats:
        """Simulated values. They belong to whole tables, so they are spread evenly over the columns."""
        from croupier.lab.blackjack.simulate import Simulation, simulate
        from croupier.lab.blackjack.simulation.blocks import flat_game

        values = np.empty(genes.shape[:2])
        for place, table in enumerate(genes):
            played = flat_game(self._settings.rules, _table(self._settings.rules, table))
            outcome = simulate(Simulation(played, self._settings.rounds, self._settings.seed + number))
            if outcome is None or not outcome.complete:
                raise KeyboardInterrupt
            values[place] = outcome.tally.return_per_initial_bet / RANKS
        return values


def _sorted(
    settings: Settings, history: tuple[Generation, ...], genes: Genes, values: Floats
) -> tuple[State, Genes, Floats]:
    """A generation with the best table first."""
    totals = values.sum(axis=1)
    order = np.argsort(-totals, kind="stable")
    genes, values, totals = genes[order], values[order], totals[order]
    number = history[-1].number + 1 if history else 0
    figures = Generation(number, float(totals[0]), float(totals.mean()), float(totals[-1]))
    return State(settings, (*history, figures), _texts(genes)), genes, values


def _places(rules: BlackjackRules) -> list[int]:
    """The rows and pairs of a column that can be reached and leave something to decide."""
    if rules.ace == "one":
        totals = list(range(2, TARGET))
    else:
        totals = [*range(4, TARGET), *(SOFT_ROWS + total for total in range(12, TARGET))]
    return totals + ([TABLE_ROWS + rank for rank in range(RANKS)] if rules.hands_max > 1 else [])


def _choices(rules: BlackjackRules, pair: bool) -> list[int]:
    """The entries that make sense by the rules."""
    choices = [strategy.HIT, strategy.STAND]
    if rules.double != "no":
        choices += [strategy.DOUBLE, strategy.DOUBLE_STAND]
    if rules.surrender != "no":
        choices += [strategy.SURRENDER, strategy.SURRENDER_STAND]
    if pair:
        choices.append(strategy.SPLIT)
        if rules.surrender != "no":
            choices.append(strategy.SURRENDER_SPLIT)
    return choices


def _neighbours(places: list[int]) -> list[tuple[int, int]]:
    """The rows above and below each row; at an edge of the table, the row itself."""
    found = []
    for place in places:
        low, high = place - 1, place + 1
        same = [other in places and (other >= TABLE_ROWS) == (place >= TABLE_ROWS) for other in (low, high)]
        found.append((low if same[0] else place, high if same[1] else place))
    return found


def _table(rules: BlackjackRules, genes: Genes) -> StrategyTable:
    columns = [genes[up] for up in range(RANKS)]
    plays = tuple(column[:TABLE_ROWS] for column in columns)
    return table_of(plays, tuple(column[TABLE_ROWS:] for column in columns), rules.ace == "one")


def _texts(genes: Genes) -> tuple[str, ...]:
    return tuple((table.ravel() + ord("0")).tobytes().decode("ascii") for table in genes)


def _genes(texts: tuple[str, ...]) -> Genes:
    packed = np.frombuffer("".join(texts).encode("ascii"), np.uint8) - ord("0")
    return packed.reshape(len(texts), RANKS, COLUMN).astype(np.uint8)


def history_csv(history: tuple[Generation, ...]) -> str:
    """A search's history as CSV, one line a generation."""
    lines = [f"{row.number},{row.best!r},{row.mean!r},{row.worst!r}" for row in history]
    return "\n".join(["generation,best,mean,worst", *lines]) + "\n"

"""What an operator scrapes: counted where it happens, for all kinds of tables alike.

Every action is counted, so counting is adding to a number; Prometheus's own types are made of them when it asks.
"""

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from itertools import accumulate
from operator import add
from typing import Final, Literal, TypeAlias, TypeVar

import msgspec
from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

T = TypeVar("T")
Kind: TypeAlias = Literal["room", "casino", "classroom"]
"""Of a table: in the casino it is a player's session."""

COMMIT_SECONDS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""The bounds by which commits are counted."""


class Tally(msgspec.Struct, frozen=True):
    """All that was counted at one moment."""

    tables: dict[str, int]
    connections: int
    commands: dict[str, int]
    refusals: dict[str, int]
    turned_away: dict[str, int]
    commits: tuple[int, ...]
    """Between each two of the bounds, and beyond the last."""
    commit_seconds: float

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            _sums(self.tables, other.tables),
            self.connections + other.connections,
            _sums(self.commands, other.commands),
            _sums(self.refusals, other.refusals),
            _sums(self.turned_away, other.turned_away),
            tuple(map(add, self.commits, other.commits)),
            self.commit_seconds + other.commit_seconds,
        )

    def ended(self) -> "Tally":
        """What stays counted when whoever counted is gone."""
        return msgspec.structs.replace(self, tables={}, connections=0)


def _sums(some: dict[str, int], others: dict[str, int]) -> dict[str, int]:
    return {key: some.get(key, 0) + others.get(key, 0) for key in {**some, **others}}


class Figures(Collector):
    """Nothing here names a person or a card. Only the event loop may count."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.tables: dict[Kind, Callable[[], int]] = {}
        """How many tables of each kind are in memory, when asked."""
        self.connections: Callable[[], int] = lambda: 0
        self.commands: Counter[Kind] = Counter({"room": 0, "casino": 0, "classroom": 0})
        """Commands done."""
        self.refusals: Counter[str] = Counter()
        """By code."""
        self.turned_away: Mapping[str, int] = {}
        """Connections refused or ended for what they do, by reason."""
        self.elsewhere: Callable[[], Iterable[Tally]] = tuple
        """What was counted in other processes of this server."""
        self._commits = [0] * (len(COMMIT_SECONDS) + 1)
        self._commit_seconds = 0.0
        self.registry.register(self)

    async def timed(self, commit: Awaitable[T]) -> T:
        """What the store says to an append; how long it took is counted, unless it failed."""
        began = time.perf_counter()
        outcome = await commit
        self.count_commit(time.perf_counter() - began)
        return outcome

    def count_commit(self, seconds: float) -> None:
        """An append that took so long until it was durable."""
        self._commits[bisect_left(COMMIT_SECONDS, seconds)] += 1
        self._commit_seconds += seconds

    def tally(self) -> Tally:
        """What was counted in this process."""
        return Tally(
            {kind: count() for kind, count in self.tables.items()},
            self.connections(),
            dict(self.commands.items()),
            dict(self.refusals),
            dict(self.turned_away),
            tuple(self._commits),
            self._commit_seconds,
        )

    def collect(self) -> Iterator[Metric]:
        """All of it, as Prometheus has it."""
        tally = sum(self.elsewhere(), start=self.tally())
        tables = GaugeMetricFamily("croupier_tables", "Tables in memory, by kind", labels=["kind"])
        for kind in self.tables:
            tables.add_metric([kind], tally.tables.get(kind, 0))
        yield tables
        yield GaugeMetricFamily("croupier_connections", "Open connections", tally.connections)
        for name, meaning, label, counts in (
            ("croupier_commands", "Commands done, by kind of table", "kind", tally.commands),
            ("croupier_refusals", "Refusals by code", "code", tally.refusals),
            ("croupier_turned_away", "Connections refused or ended, by reason", "reason", tally.turned_away),
        ):
            family = CounterMetricFamily(name, meaning, labels=[label])
            for key, number in counts.items():
                family.add_metric([key], number)
            yield family
        bounds = (*map(str, COMMIT_SECONDS), "+Inf")
        yield HistogramMetricFamily(
            "croupier_commit_seconds",
            "From a command's being decided to its being stored",
            buckets=list(zip(bounds, accumulate(tally.commits), strict=True)),
            sum_value=tally.commit_seconds,
        )

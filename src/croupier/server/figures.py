"""What an operator scrapes: counted where it happens, for all kinds of tables alike.

Every action is counted, so counting is adding to a number; Prometheus's own types are made of them when it asks.
"""

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from itertools import accumulate
from typing import Final, Literal, TypeAlias, TypeVar

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

T = TypeVar("T")
Kind: TypeAlias = Literal["room", "casino", "classroom"]
"""Of a table: in the casino it is a player's session."""

COMMIT_SECONDS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""The bounds by which commits are counted."""


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

    def collect(self) -> Iterator[Metric]:
        """All of it, as Prometheus has it."""
        tables = GaugeMetricFamily("croupier_tables", "Tables in memory, by kind", labels=["kind"])
        for kind, count in self.tables.items():
            tables.add_metric([kind], count())
        yield tables
        yield GaugeMetricFamily("croupier_connections", "Open connections", self.connections())
        for name, meaning, label, counts in (
            ("croupier_commands", "Commands done, by kind of table", "kind", self.commands),
            ("croupier_refusals", "Refusals by code", "code", self.refusals),
        ):
            family = CounterMetricFamily(name, meaning, labels=[label])
            for key, number in counts.items():
                family.add_metric([key], number)
            yield family
        bounds = (*map(str, COMMIT_SECONDS), "+Inf")
        yield HistogramMetricFamily(
            "croupier_commit_seconds",
            "From a command's being decided to its being stored",
            buckets=list(zip(bounds, accumulate(self._commits), strict=True)),
            sum_value=self._commit_seconds,
        )

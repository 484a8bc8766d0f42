"""Metrics for the operator, counted where things happen, in the same way for every kind of table. Counting is on the
path of every action, so it only adds to a number. Prometheus's own types are made when it scrapes.
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

from croupier.server.process import LAG_SECONDS, LoopLag, memory_bytes, open_files, open_files_max

T = TypeVar("T")
Kind: TypeAlias = Literal["room", "casino", "classroom"]
"""The kind of a table. In the casino a table is a player's session."""

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
    """Commits between each two bounds, and beyond the last."""
    commit_seconds: float
    lags: tuple[int, ...] = (0,) * (len(LAG_SECONDS) + 1)
    """Lags of the event loop between each two bounds, and beyond the last."""
    lag_seconds: float = 0.0
    queues: dict[str, int] = {}
    """How many wait, by what they wait for."""
    memory_bytes: int = 0
    open_files: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            _sums(self.tables, other.tables),
            self.connections + other.connections,
            _sums(self.commands, other.commands),
            _sums(self.refusals, other.refusals),
            _sums(self.turned_away, other.turned_away),
            tuple(map(add, self.commits, other.commits)),
            self.commit_seconds + other.commit_seconds,
            tuple(map(add, self.lags, other.lags)),
            self.lag_seconds + other.lag_seconds,
            _sums(self.queues, other.queues),
            self.memory_bytes + other.memory_bytes,
            self.open_files + other.open_files,
        )

    def ended(self) -> "Tally":
        """The counts that remain when the process that counted is gone."""
        return msgspec.structs.replace(self, tables={}, connections=0, queues={}, memory_bytes=0, open_files=0)


def _sums(some: dict[str, int], others: dict[str, int]) -> dict[str, int]:
    return {key: some.get(key, 0) + others.get(key, 0) for key in {**some, **others}}


class Metrics(Collector):
    """The counters of a server. They name no person and no card. Only the event loop may count."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.tables: dict[Kind, Callable[[], int]] = {}
        """Returns how many tables of each kind are in memory."""
        self.connections: Callable[[], int] = lambda: 0
        self.commands: Counter[Kind] = Counter({"room": 0, "casino": 0, "classroom": 0})
        """Commands done."""
        self.refusals: Counter[str] = Counter()
        """By code."""
        self.turned_away: Mapping[str, int] = {}
        """Connections refused or ended for their behaviour, by reason."""
        self.lag = LoopLag()
        self.queues: dict[str, Callable[[], int]] = {}
        """Returns the lengths of the queues."""
        self.waiting_commits = 0
        """Appends that the store has not answered yet."""
        self.elsewhere: Callable[[], Iterable[Tally]] = tuple
        """The counts of other processes of this server."""
        self._commits = [0] * (len(COMMIT_SECONDS) + 1)
        self._commit_seconds = 0.0
        self.registry.register(self)

    async def timed(self, commit: Awaitable[T]) -> T:
        """The store's answer to an append. Counts how long it took, unless it failed."""
        began = time.perf_counter()
        self.waiting_commits += 1
        try:
            outcome = await commit
        finally:
            self.waiting_commits -= 1
        self.count_commit(time.perf_counter() - began)
        return outcome

    def count_commit(self, seconds: float) -> None:
        """Counts an append by how long it took to become durable."""
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
            tuple(self.lag.counts),
            self.lag.seconds,
            {"commits": self.waiting_commits, **{name: count() for name, count in self.queues.items()}},
            memory_bytes(),
            open_files(),
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
        queues = GaugeMetricFamily("croupier_queue", "What waits, by what it waits for", labels=["queue"])
        for queue, number in tally.queues.items():
            queues.add_metric([queue], number)
        yield queues
        yield GaugeMetricFamily("croupier_memory_bytes", "Memory in use, of all processes", tally.memory_bytes)
        yield GaugeMetricFamily("croupier_open_files", "Open files and sockets, of all processes", tally.open_files)
        yield GaugeMetricFamily("croupier_open_files_max", "How many one process may open", open_files_max())
        yield _histogram(
            "croupier_commit_seconds",
            "From a command's being decided to its being stored",
            COMMIT_SECONDS,
            tally.commits,
            tally.commit_seconds,
        )
        yield _histogram(
            "croupier_loop_lag_seconds",
            "How much later than due the event loop does its work",
            LAG_SECONDS,
            tally.lags,
            tally.lag_seconds,
        )


def _histogram(
    name: str, meaning: str, bounds: tuple[float, ...], counts: tuple[int, ...], seconds: float
) -> HistogramMetricFamily:
    marks = (*map(str, bounds), "+Inf")
    return HistogramMetricFamily(
        name, meaning, buckets=list(zip(marks, accumulate(counts), strict=True)), sum_value=seconds
    )

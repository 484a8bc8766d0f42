"""What an operator scrapes: counted where it happens, for all kinds of tables alike."""

import time
from collections.abc import Awaitable
from typing import TypeVar

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

T = TypeVar("T")


class Figures:
    """Nothing here names a person or a card. Kinds of tables are `room`, `casino` (a player's session) and
    `classroom`."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.tables = Gauge("croupier_tables", "Tables in memory, by kind", ["kind"], registry=self.registry)
        self.connections = Gauge("croupier_connections", "Open connections", registry=self.registry)
        commands = Counter("croupier_commands", "Commands done, by kind of table", ["kind"], registry=self.registry)
        self.room_commands = commands.labels("room")
        self.casino_commands = commands.labels("casino")
        self.classroom_commands = commands.labels("classroom")
        self._refusals = Counter("croupier_refusals", "Refusals by code", ["code"], registry=self.registry)
        self._commits = Histogram(
            "croupier_commit_seconds",
            "From a command's being decided to its being stored",
            buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
            registry=self.registry,
        )

    def refused(self, code: str) -> None:
        self._refusals.labels(code).inc()

    async def timed(self, commit: Awaitable[T]) -> T:
        """What the store says to an append; how long it took is counted, unless it failed."""
        began = time.perf_counter()
        outcome = await commit
        self._commits.observe(time.perf_counter() - began)
        return outcome

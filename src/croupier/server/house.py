"""What all parts of the server share: store, clock, chance, figures. Tests put their own clock and chance here."""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from croupier.server.messages import Message
from croupier.store.port import Store

log = logging.getLogger("croupier")


def now_ms() -> int:
    return time.time_ns() // 1_000_000


class Figures:
    """What an operator scrapes. Refusals are counted by code; nothing here names a person or a card."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.rooms = Gauge("croupier_rooms", "Rooms in memory", registry=self.registry)
        self.connections = Gauge("croupier_connections", "Open connections", registry=self.registry)
        self.commands = Counter("croupier_commands", "Commands done", registry=self.registry)
        self.refusals = Counter("croupier_refusals", "Refusals by code", ["code"], registry=self.registry)
        self.commits = Histogram(
            "croupier_commit_seconds",
            "From a command's being decided to its being stored",
            buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
            registry=self.registry,
        )


@dataclass
class House:
    store: Store
    clock_ms: Callable[[], int] = now_ms
    monotonic: Callable[[], float] = time.monotonic
    """Seconds that never go back, for rates and patience."""
    secret: Callable[[], bytes] = lambda: secrets.token_bytes(32)
    random: Random = field(default_factory=secrets.SystemRandom)
    figures: Figures = field(default_factory=Figures)
    bot_delay_seconds: float = 0.7
    """How long a bot seems to think, so that people can follow."""
    node: str = field(default_factory=lambda: secrets.token_hex(4))
    """This server among those that share the store; another one at every start."""
    tell: Callable[[Message], None] = lambda message: None
    """Says something to the other nodes, sooner or later or never."""

    def later(self, seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(max(0.0, seconds), call)

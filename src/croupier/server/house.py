"""What all parts of the server share: store, clock, chance, figures. Tests put their own clock and chance here."""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from croupier.server.figures import Figures
from croupier.server.messages import Message
from croupier.store.port import Store

log = logging.getLogger("croupier")


def now_ms() -> int:
    return time.time_ns() // 1_000_000


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

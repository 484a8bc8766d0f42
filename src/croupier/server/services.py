"""What all parts of the server share: store, clock, chance, figures. Tests put their own clock and chance here."""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from croupier.server.clock import ForwardClock
from croupier.server.messages import Message
from croupier.server.metrics import Figures
from croupier.server.replays import Replays
from croupier.server.turned_away import TurnedAway
from croupier.store.port import Store
from croupier.table.room import Room
from croupier.table.snapshot import EVERY

log = logging.getLogger("croupier")


@dataclass
class House:
    store: Store
    clock_ms: Callable[[], int] = field(default_factory=ForwardClock)
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
    close_empty_hours: int = 0
    """After so long a room that nobody is connected to is given up; never for 0."""
    snapshot_every: int = EVERY
    """After so many commands a room takes its next chance for a snapshot."""
    replays: Replays = field(default_factory=Replays)
    turned_away: TurnedAway = field(init=False)

    def __post_init__(self) -> None:
        self.turned_away = TurnedAway(log, self.later)
        self.figures.turned_away = self.turned_away.counts

    def close_at_ms(self, room: Room) -> int | None:
        """When a room that sleeps is given up."""
        if room.asleep_at_ms is None or room.closed or not self.close_empty_hours:
            return None
        return room.asleep_at_ms + 3_600_000 * self.close_empty_hours

    def later(self, seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(max(0.0, seconds), call)

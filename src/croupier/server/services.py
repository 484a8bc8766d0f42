"""What all parts of the server share: store, clock, randomness, metrics. Tests supply their own clock and seeds."""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from croupier.server.clock import ForwardClock
from croupier.server.messages import Message
from croupier.server.metrics import Metrics
from croupier.server.offered_games import OfferedGames
from croupier.server.replays import Replays
from croupier.server.turned_away import TurnedAway
from croupier.store.port import Store
from croupier.table.room import Room
from croupier.table.snapshot import EVERY

log = logging.getLogger("croupier")


@dataclass
class Services:
    store: Store
    clock_ms: Callable[[], int] = field(default_factory=ForwardClock)
    monotonic: Callable[[], float] = time.monotonic
    """Seconds that never go back, for rates and patience."""
    secret: Callable[[], bytes] = lambda: secrets.token_bytes(32)
    random: Random = field(default_factory=secrets.SystemRandom)
    metrics: Metrics = field(default_factory=Metrics)
    bot_delay_seconds: float = 0.7
    """How long a bot appears to think, so that people can follow."""
    node: str = field(default_factory=lambda: secrets.token_hex(4))
    """The id of this server among those that share the store; new at every start."""
    tell: Callable[[Message], None] = lambda message: None
    """Sends a message to the other nodes. It may arrive late, or never."""
    shares_store: Callable[[], bool] = lambda: False
    """Whether there may be other nodes on the store."""
    games: OfferedGames = field(default_factory=OfferedGames)
    close_empty_hours: int = 0
    """After how long a room without a connection is closed; 0 means never."""
    snapshot_every: int = EVERY
    """After this many commands, a room takes a snapshot at the next opportunity."""
    replays: Replays = field(default_factory=Replays)
    turned_away: TurnedAway = field(init=False)

    def __post_init__(self) -> None:
        self.turned_away = TurnedAway(log, self.later)
        self.metrics.turned_away = self.turned_away.counts

    def close_at_ms(self, room: Room) -> int | None:
        """When a sleeping room is closed; None for never."""
        if room.asleep_at_ms is None or room.closed or not self.close_empty_hours:
            return None
        return room.asleep_at_ms + 3_600_000 * self.close_empty_hours

    def later(self, seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(max(0.0, seconds), call)

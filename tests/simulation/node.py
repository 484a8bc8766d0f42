"""One server process: the real services, lobby, casino and router, put together as `croupier.server.app` does."""

from random import Random
from typing import TYPE_CHECKING, Any, Final

from croupier.server.casino import Casino
from croupier.server.clock import ForwardClock
from croupier.server.connection import Connection
from croupier.server.limits import Limits
from croupier.server.lobby import Lobby
from croupier.server.metrics import Metrics
from croupier.server.router import Router
from croupier.server.services import Services
from croupier.table.snapshot import EVERY
from tests.simulation.database import Database, NodeStore
from tests.simulation.faults import Faults
from tests.simulation.world import EPOCH_MS, World

if TYPE_CHECKING:
    from tests.simulation.lies import Liar
    from tests.simulation.network import Network, Wire

LIMITS: Final = Limits(
    messages_per_second=1000, messages_burst=1000, newcomers_burst=1000, guesses_burst=1000, outbox_frames_max=16
)
RESTART_SECONDS: Final = 0.5
FIGURES: Final = Metrics()
"""Counters are costly to make, and nobody reads these."""


class Node:
    """A server that can be killed, and started again on the same store."""

    def __init__(self, world: World, number: int, database: Database, network: "Network", faults: Faults) -> None:
        self.world = world
        self.url = f"ws://node{number}"
        self.faults = faults
        self.liar: Liar | None = None
        """What makes this node lie to whoever is connected to it; None for an honest one."""
        self.reachable = True
        self.reaches_store = True
        self._number = number
        self._database = database
        self._network = network
        self._random = world.stream(f"node{number}")
        self._skew_ms = self._random.randint(-faults.skew_ms, faults.skew_ms)
        self._starts = 0

    def start(self) -> None:
        """A new process, which knows nothing but what the store knows."""
        self._starts += 1
        self.place = self.world.place(f"node{self._number}.{self._starts}")
        clock_ms = ForwardClock(self._wall_ms, lambda: round(1000 * self.world.loop.time()))
        self.services = Services(
            NodeStore(self._database, self),
            clock_ms=clock_ms,
            monotonic=self.world.loop.time,
            secret=lambda: self._random.randbytes(32),
            random=Random(self._random.random()),
            metrics=FIGURES,
            bot_delay_seconds=0.1,
            node=self.place.name,
            snapshot_every=self.faults.snapshots_every or EVERY,
        )
        self.lobby = Lobby(self.services, LIMITS)
        casino = Casino(self.services.store, clock_ms=clock_ms, new_seed=lambda: self._random.randbytes(32).hex())
        self.router = Router(self.services, self.lobby, casino, LIMITS, "en")
        self.place.call(self.lobby.start)
        self.world.note("starts", self.place.name)

    def crash(self, why: str) -> None:
        """The process is gone at once. It comes back by itself."""
        if self.place.dead:
            return
        self.world.note(f"crashes {why}", self.place.name)
        self.place.dead = True
        self._network.cut(self)
        self.world.later(self._random.random() * RESTART_SECONDS, self.start)

    def cut_off(self, seconds: float) -> None:
        """For a while this node reaches no store, or nobody reaches it."""
        if self._random.random() < 0.5:
            self.world.note(f"is cut off from the store for {seconds:.1f} s", self.place.name)
            self.reaches_store = False
        else:
            self.world.note(f"is cut off from everybody for {seconds:.1f} s", self.place.name)
            self.reachable = False
            self._network.cut(self)
        self.world.later(seconds, self.reconnect)

    def reconnect(self) -> None:
        self.reachable = self.reaches_store = True

    def accept(self, wire: "Wire") -> None:
        """A client has connected."""
        self.place.call(lambda: self.world.loop.create_task(self._serve(wire)))

    async def _serve(self, wire: "Wire") -> None:
        with self.router.addresses.admitted("127.0.0.1") as address:
            assert address is not None
            server_end: Any = wire.server
            await Connection(server_end, self.router, address).serve()

    def set_clock(self, seconds: float) -> None:
        """Somebody sets the machine's clock, so much ahead of the right time, or behind it."""
        self.world.note(f"has a clock that is {seconds:.1f} s ahead", self.place.name)
        self._skew_ms = round(1000 * seconds)

    def _wall_ms(self) -> int:
        return EPOCH_MS + self._skew_ms + round(1000 * self.world.loop.time())

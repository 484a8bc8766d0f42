"""Connections as they really are: in order while they last, late, clogged, cut at any moment with frames on the way.

A cut is noticed by the two ends at different times. Connections overtake each other, so a command that is sent again
over a new connection can arrive before the first one, or with it.
"""

from collections import deque
from typing import TYPE_CHECKING, Any, Final

from websockets.exceptions import ConnectionClosed

from tests.simulation.lies import Forged
from tests.simulation.loop import here
from tests.simulation.world import World

if TYPE_CHECKING:
    from tests.simulation.audit import Audit
    from tests.simulation.faults import Faults
    from tests.simulation.node import Node

CLOGGED_FRAMES: Final = 12


class Network:
    """Who can be reached, and every connection that is open."""

    def __init__(self, world: World, faults: "Faults", audit: "Audit") -> None:
        self.world = world
        self.faults = faults
        self.audit = audit
        self.random = world.stream("network")
        self.nodes: dict[str, Node] = {}
        self.wires: list[Wire] = []

    def dial(self, url: str, _patience: float) -> "_Dialing":
        return _Dialing(self, url)

    def cut(self, node: "Node | None" = None, one: bool = False) -> None:
        """Cuts the connections of a node, or one connection at random."""
        wires = [wire for wire in self.wires if not wire.is_cut and (node is None or wire.node is node)]
        if one and wires:
            wires = [self.random.choice(wires)]
        for wire in wires:
            wire.cut()

    def opened(self, wire: "Wire") -> None:
        self.wires = [each for each in self.wires if not each.is_cut]
        self.wires.append(wire)


class _Dialing:
    """One try to connect."""

    def __init__(self, network: Network, url: str) -> None:
        self._network = network
        self._url = url
        self._wire: Wire | None = None

    async def __aenter__(self) -> "ClientEnd":
        network, world = self._network, self._network.world
        await _sleep(world, network.faults.network_seconds(network.random))
        node = network.nodes[self._url]
        if node.place.dead or not node.reachable or network.random.random() < network.faults.dial_fails:
            world.note(f"cannot reach {self._url}")
            raise OSError(f"{self._url}: nobody answers")
        self._wire = Wire(network, node)
        network.opened(self._wire)
        world.note(f"connects to {self._url}")
        node.accept(self._wire)
        return self._wire.client

    async def __aexit__(self, *_: object) -> None:
        if self._wire is not None:
            self._wire.cut()


async def _sleep(world: World, seconds: float) -> None:
    waited = world.loop.create_future()
    world.loop.call_later(seconds, _wake, waited)
    await waited


def _wake(future: Any) -> None:
    if not future.done():
        future.set_result(None)


class _Lane:
    """One direction: frames arrive in order, each not before its time."""

    def __init__(self, wire: "Wire", seconds: float) -> None:
        self.wire = wire
        self.seconds = seconds
        self.frames: deque[Any] = deque()
        self._last = 0.0

    def send(self, frame: Any, arrive: Any) -> None:
        network = self.wire.network
        seconds = self.seconds * (0.5 + network.random.random())
        if network.random.random() < network.faults.stall:
            seconds += network.random.uniform(0.5, 6.0)
        self._last = max(self._last, network.world.now + seconds)
        self.frames.append(frame)
        network.world.loop.call_at(self._last, arrive, context=network.world.outside)


class Wire:
    """One connection, with its two ends."""

    def __init__(self, network: Network, node: "Node") -> None:
        self.network = network
        self.node = node
        self.program = here()
        """The client's process."""
        self.is_cut = False
        self.up = _Lane(self, network.faults.network_seconds(network.random))
        self.down = _Lane(self, network.faults.network_seconds(network.random))
        self.client = ClientEnd(self)
        self.server = ServerEnd(self)
        self.asked: dict[str, Any] = {}
        """The requests that were sent, by their id."""

    def cut(self) -> None:
        """Nothing arrives any more. Each end notices when it does."""
        if self.is_cut:
            return
        self.is_cut = True
        self.up.frames.clear()
        self.down.frames.clear()
        network = self.network
        seconds = network.faults.notice_seconds
        network.world.note(f"a connection to {self.node.url} is cut")
        network.world.later(network.random.random() * seconds, self.client.lose)
        network.world.later(network.random.random() * seconds, self.server.lose)


class ClientEnd:
    """What a client holds: as much of a WebSocket as it uses."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._came: deque[str] = deque()
        self._waiter: Any = None
        self._closed = False

    async def send(self, message: str) -> None:
        if self._closed:
            raise ConnectionClosed(None, None)
        wire, network = self._wire, self._wire.network
        network.audit.asks(wire, message)
        if not wire.is_cut:
            wire.up.send(message, wire.server.arrive)
            if '"DEAL_CUT"' in message and network.random.random() < network.faults.cut_lost:
                network.world.later(network.faults.network_seconds(network.random) * 2, wire.cut)

    def __aiter__(self) -> "ClientEnd":
        return self

    async def __anext__(self) -> str:
        while not self._came:
            if self._closed:
                raise StopAsyncIteration
            self._waiter = self._wire.network.world.loop.create_future()
            await self._waiter
        return self._came.popleft()

    async def close(self) -> None:
        self._wire.cut()

    def arrive(self) -> None:
        """A frame has come over the line."""
        if self._wire.down.frames and not self._closed:
            frame = self._wire.down.frames.popleft()
            if frame is None:
                self._wire.cut()
                self.lose()
                return
            text = frame.decode()
            if not isinstance(frame, Forged):
                self._wire.network.audit.hears(self._wire, text)
            self._came.append(text)
            if self._waiter is not None:
                _wake(self._waiter)
            self._wire.server.drain()

    def lose(self) -> None:
        self._closed = True
        if self._waiter is not None:
            _wake(self._waiter)


class ServerEnd:
    """What a server's connection holds: as much of `DirectSocket` as it uses."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self.reader: Any = None
        self._paused = False
        self._arrived = 0
        self._lost = False
        self.is_clogged = False

    def take_over(self, reader: Any) -> None:
        self.reader = reader
        self._pump()
        if self._lost:
            reader.lost()

    def write(self, text: bytes) -> None:
        wire = self._wire
        wire.network.audit.tells(wire, text)
        if wire.node.liar is not None:
            text = wire.node.liar.tell(wire, text)
        if not wire.is_cut:
            wire.down.send(text, wire.client.arrive)
            self.is_clogged = len(wire.down.frames) > CLOGGED_FRAMES

    def end(self, code: int) -> None:
        self._wire.network.world.note(f"closes a connection with {code}")
        if not self._wire.is_cut:
            self._wire.down.send(None, self._wire.client.arrive)

    def pause_reading(self) -> None:
        self._paused = True

    def resume_reading(self) -> None:
        if self._paused:
            self._paused = False
            self._wire.network.world.later(0.0, self._pump)

    def arrive(self) -> None:
        """A frame has come over the line; it is read when the server reads."""
        self._arrived += 1
        self._pump()

    def _pump(self) -> None:
        while self.reader is not None and not self._paused and self._arrived and self._wire.up.frames:
            self._arrived -= 1
            text = self._wire.up.frames.popleft()
            self._wire.network.audit.takes(self._wire, text)
            liar = self._wire.node.liar
            forged = None if liar is None else liar.swallow(self._wire, text)
            if forged is not None:
                self._wire.down.send(forged, self._wire.client.arrive)
                continue
            self._wire.node.place.call(self.reader.received, text)

    def drain(self) -> None:
        """The client has read something."""
        if self.is_clogged and len(self._wire.down.frames) <= CLOGGED_FRAMES // 2:
            self.is_clogged = False
            self._wire.node.place.call(self.reader.drained)

    def lose(self) -> None:
        if not self._lost:
            self._lost = True
            if self.reader is not None:
                self._wire.node.place.call(self.reader.lost)

"""Bounds on what one connection, or one address, may do. Over a bound the answer is a code, never a crash."""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from ipaddress import IPv6Address
from typing import Annotated, Final, TypeAlias

import msgspec

FRAME_BYTES_MAX: Final = 64 * 1024
ADDRESSES_KEPT_MAX: Final = 10_000

Count: TypeAlias = Annotated[int, msgspec.Meta(ge=1)]
PerSecond: TypeAlias = Annotated[float, msgspec.Meta(gt=0)]
Seconds: TypeAlias = Annotated[float, msgspec.Meta(gt=0)]


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every bound of the server, by name; an operator may change them."""

    connections_max: Count = 10_000
    connections_per_address_max: Count = 400
    """Open connections of one address, of every kind: a browser has up to seven for a moment."""
    arrivals_per_second: PerSecond = 50.0
    """Connections that one address may open."""
    arrivals_burst: Count = 500
    request_seconds: Seconds = 10.0
    """How long a connection may take to send a request over plain HTTP, the handshake of a WebSocket too."""
    stalled_seconds: Seconds = 60.0
    """How long the answer to such a request may wait for a client that does not read."""
    requests_per_second: PerSecond = 50.0
    """Requests over plain HTTP on one connection; further ones wait."""
    requests_burst: Count = 200
    rooms_max: Count = 5_000
    rooms_per_person_max: Count = 20
    """Rooms in memory that one person opened."""
    rooms_per_address_max: Count = 200
    """Rooms in memory that were opened from one address, and as many that its connections may hear."""
    messages_per_second: PerSecond = 30.0
    messages_burst: Count = 120
    address_share: Count = 20
    """How many connections' worth of messages an address may send: enough for a class behind one router."""
    guesses_per_second: PerSecond = 0.5
    """Rooms asked for that do not exist, for one address: so that codes cannot be guessed in bulk."""
    guesses_burst: Count = 20
    newcomers_per_second: PerSecond = 2.0
    """New people and new rooms of one address, because they stay in the store."""
    newcomers_burst: Count = 100
    pages_per_second: PerSecond = 20.0
    """Lists, records and hand histories of one address over plain HTTP."""
    pages_burst: Count = 200
    chats_per_second: PerSecond = 0.5
    chats_burst: Count = 5
    over_rate_closes_after: Count = 200
    """Messages over the rate, after which the connection is closed."""
    outbox_frames_max: Count = 64
    outbox_bytes_max: Count = 256 * 1024
    """How many frames, and bytes, are held for a client that does not read; then it gets only the newest state."""
    lags_max: Count = 5
    """How often a connection may fall behind before it is dropped."""
    idle_seconds: Seconds = 7200.0
    hello_seconds: Seconds = 60.0
    """How long a connection may take to greet."""


@dataclass(slots=True)
class Bucket:
    """A token bucket: tokens return with time, and each message takes one."""

    per_second: float
    burst: float
    tokens: float
    filled_at: float

    @classmethod
    def full(cls, per_second: float, burst: float, now: float) -> "Bucket":
        return cls(per_second, burst, burst, now)

    def take(self, now: float) -> bool:
        """Take a token if there is one."""
        tokens = self.tokens + (now - self.filled_at) * self.per_second
        # Every message comes here twice, and a call of `min` costs nearly as much as all the rest.
        tokens = tokens if tokens < self.burst else self.burst
        enough = tokens >= 1
        self.tokens, self.filled_at = tokens - enough, now
        return enough

    def has(self, now: float) -> bool:
        """Whether there is a token."""
        enough = self.take(now)
        self.tokens += enough
        return enough


@dataclass(slots=True)
class Address:
    """The open connections of one address, and its rates."""

    network: str
    connections: int
    """WebSockets that are served."""
    sockets: int
    """All that are open, whatever they are for."""
    arrivals: Bucket
    requests: Bucket
    messages: Bucket
    guesses: Bucket
    newcomers: Bucket
    pages: Bucket
    rooms: Counter[str] = field(default_factory=Counter)
    """How many of its connections hear each room: those stay in memory, and play on."""


def network(host: str) -> str:
    """The network that counts as one address: an IPv4 address, or an IPv6 /64, which belongs to one user."""
    try:
        address = IPv6Address(host.partition("%")[0])
    except ValueError:
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(IPv6Address(int(address) >> 64 << 64))


class Rate:
    """How fast one connection may send: as its own bucket allows, and its address's."""

    def __init__(self, own: Bucket, shared: Bucket, monotonic: Callable[[], float]) -> None:
        self.own = own
        self._shared = shared
        self._monotonic = monotonic

    @classmethod
    def of_messages(cls, limits: Limits, address: Address, monotonic: Callable[[], float] = time.monotonic) -> "Rate":
        """The rate for messages over a WebSocket."""
        own = Bucket.full(limits.messages_per_second, limits.messages_burst, monotonic())
        return cls(own, address.messages, monotonic)

    @classmethod
    def of_requests(cls, limits: Limits, address: Address, monotonic: Callable[[], float] = time.monotonic) -> "Rate":
        """The rate for requests over plain HTTP."""
        own = Bucket.full(limits.requests_per_second, limits.requests_burst, monotonic())
        return cls(own, address.requests, monotonic)

    def allows(self) -> bool:
        """Count a message; False if it is one too many."""
        now = self._monotonic()
        return self.own.take(now) and self._shared.take(now)


class Addresses:
    """The addresses that connect. Those not seen for longest are forgotten first."""

    def __init__(self, limits: Limits, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self._monotonic = monotonic
        self.connections = 0
        """WebSockets that are served."""
        self.sockets = 0
        """All that are open, whatever they are for."""
        self._known: OrderedDict[str, Address] = OrderedDict()

    @contextmanager
    def admitted(self, host: str) -> Iterator[Address | None]:
        """Count a connection while it is open; None if there are too many, in all or from this address."""
        address, limits = self.of(host, self._monotonic()), self.limits
        if self.connections >= limits.connections_max or address.connections >= limits.connections_per_address_max:
            yield None
            return
        self.connections += 1
        address.connections += 1
        try:
            yield address
        finally:
            self.connections -= 1
            address.connections -= 1

    def of(self, host: str, now: float) -> Address:
        """The address that a connection comes from."""
        key = network(host)
        known = self._known.get(key)
        if known is None:
            self._forget()
            known = self._known[key] = self._stranger(key, now)
        self._known.move_to_end(key)
        return known

    def _stranger(self, network: str, now: float) -> Address:
        limits, share = self.limits, self.limits.address_share
        return Address(
            network=network,
            connections=0,
            sockets=0,
            arrivals=Bucket.full(limits.arrivals_per_second, limits.arrivals_burst, now),
            requests=Bucket.full(share * limits.requests_per_second, share * limits.requests_burst, now),
            messages=Bucket.full(share * limits.messages_per_second, share * limits.messages_burst, now),
            guesses=Bucket.full(limits.guesses_per_second, limits.guesses_burst, now),
            newcomers=Bucket.full(limits.newcomers_per_second, limits.newcomers_burst, now),
            pages=Bucket.full(limits.pages_per_second, limits.pages_burst, now),
        )

    def _forget(self) -> None:
        """Make room for one more address, unless all have connections; those are bounded elsewhere."""
        if len(self._known) >= ADDRESSES_KEPT_MAX:
            unused = next((key for key, known in self._known.items() if not (known.connections or known.sockets)), None)
            if unused is not None:
                del self._known[unused]

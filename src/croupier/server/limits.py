"""Bounds on what one connection, or one address, may do. Over a bound there is a code, never a crash."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

import msgspec

FRAME_BYTES_MAX: Final = 64 * 1024
ADDRESSES_KEPT_MAX: Final = 10_000


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Every bound of the server, by name; an operator may change them."""

    connections_max: int = 10_000
    connections_per_address_max: int = 200
    rooms_max: int = 5_000
    messages_per_second: float = 30.0
    messages_burst: int = 120
    guesses_per_second: float = 0.5
    """Rooms asked for that do not exist, for one address: so that codes cannot be guessed in bulk."""
    guesses_burst: int = 20
    newcomers_per_second: float = 2.0
    newcomers_burst: int = 100
    chats_per_second: float = 0.5
    chats_burst: int = 5
    over_rate_closes_after: int = 200
    """Messages over the rate, after which the connection is closed."""
    outbox_frames_max: int = 64
    lags_max: int = 5
    """How often a connection may fall behind before it is dropped."""
    idle_seconds: float = 7200.0


@dataclass(slots=True)
class Bucket:
    """Tokens that come back with time. Each thing done takes one."""

    per_second: float
    burst: float
    tokens: float
    filled_at: float

    @classmethod
    def full(cls, per_second: float, burst: float, now: float) -> "Bucket":
        return cls(per_second, burst, burst, now)

    def take(self, now: float) -> bool:
        """Takes a token if there is one."""
        self.tokens = min(self.burst, self.tokens + (now - self.filled_at) * self.per_second)
        self.filled_at = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


@dataclass(slots=True)
class Address:
    connections: int
    guesses: Bucket
    newcomers: Bucket


class Addresses:
    """What is known of the addresses that connect; the ones not seen for longest are forgotten first."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._known: OrderedDict[str, Address] = OrderedDict()

    def of(self, address: str, now: float) -> Address:
        known = self._known.get(address)
        if known is None:
            limits = self._limits
            known = Address(
                0,
                Bucket.full(limits.guesses_per_second, limits.guesses_burst, now),
                Bucket.full(limits.newcomers_per_second, limits.newcomers_burst, now),
            )
            self._known[address] = known
            self._forget()
        self._known.move_to_end(address)
        return known

    def _forget(self) -> None:
        for address in list(self._known):
            if len(self._known) <= ADDRESSES_KEPT_MAX:
                return
            if not self._known[address].connections:
                del self._known[address]

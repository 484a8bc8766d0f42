"""What a client needs from outside: a connection, random bytes, storage, a clock. A simulation provides its own."""

import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final, Protocol
from urllib.parse import urlsplit

from websockets.asyncio.client import connect

from croupier.clients.vault import MemoryVault, Vault, user_vault

FRAME_BYTES_MAX: Final = 4 * 1024 * 1024
ID_BYTES: Final = 16
DEVICE: Final = "device"
"""The key of this device's secret name in the vault."""
OPEN_SECONDS_MAX: Final = 2.0
PING_SECONDS: Final = 1.0
PONG_SECONDS_MAX: Final = 1.5
CLOSE_SECONDS_MAX: Final = 0.3
"""A server that is silent for so long is given up. Trying another one, or reconnecting, is cheap."""
PATIENCE_MAX: Final = 4.0
SLOW_SECONDS: Final = 1.0, 10.0
"""A line that lasted between these bounds was given up on a server that is slow, not gone."""


class Socket(Protocol):
    """One connection to a server. Sending and reading raise `ConnectionClosed` when it is lost."""

    async def send(self, message: str) -> None: ...

    def __aiter__(self) -> AsyncIterator[str | bytes]: ...

    async def close(self) -> None: ...


def dial(url: str, patience: float = 1.0) -> AbstractAsyncContextManager[Socket]:
    """Connect over the network. `patience` multiplies the time that a silent server has before the line is given up."""
    return connect(
        url,
        max_size=FRAME_BYTES_MAX,
        compression=None,
        open_timeout=patience * OPEN_SECONDS_MAX,
        ping_interval=PING_SECONDS,
        ping_timeout=patience * PONG_SECONDS_MAX,
        close_timeout=CLOSE_SECONDS_MAX,
    )


def patience_after(line_seconds: float, patience: float) -> float:
    """The patience for the next line, after one that lasted so many seconds. Giving up too soon, again and again, would
    only keep a slow server slow."""
    shortest, longest = SLOW_SECONDS
    if line_seconds < shortest:
        return patience
    return min(2 * patience, PATIENCE_MAX) if line_seconds < longest else 1.0


def wall_ms() -> int:
    """Milliseconds since 1970, by the player's clock."""
    return time.time_ns() // 1_000_000


def _vault() -> Vault:
    return user_vault()


@dataclass(frozen=True)
class Environment:
    """The real network, chance, storage and clock, unless others are given."""

    dial: Callable[[str, float], AbstractAsyncContextManager[Socket]] = dial
    chance: Callable[[int], bytes] = secrets.token_bytes
    """Return that many unpredictable bytes."""
    vault: Vault = field(default_factory=_vault)
    """Keeps this player's secrets and log."""
    clock_ms: Callable[[], int] = wall_ms
    """The player's clock, for the times in the log."""

    @classmethod
    def in_memory(cls) -> "Environment":
        """The real environment, but with nothing kept beyond the end of the program: for a room in the same program."""
        return cls(vault=MemoryVault())

    def device(self, server: str) -> str:
        """The name of this device for one server. It is always the same, and differs from server to server. Empty if
        nothing can be stored."""
        try:
            self.vault.put(DEVICE, self.chance(ID_BYTES).hex())
            secret = self.vault.get(DEVICE) or ""
        except OSError:
            return ""
        return sha256(f"{secret} {urlsplit(server).netloc}".encode()).hexdigest()

    def new_id(self) -> str:
        """A unique id for a command."""
        return self.chance(ID_BYTES).hex()

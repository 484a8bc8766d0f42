"""What a client takes from the world: a way to the server, chance, a memory, a clock. A simulation gives its own."""

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
"""Under which key the vault keeps the secret name of this device."""
OPEN_SECONDS_MAX: Final = 2.0
PING_SECONDS: Final = 1.0
PONG_SECONDS_MAX: Final = 1.5
CLOSE_SECONDS_MAX: Final = 0.3
"""A server that is frozen or cut off says nothing. Going to another, or coming back, costs little."""


class Socket(Protocol):
    """One connection to a server. Sending and reading raise `ConnectionClosed` when it is lost."""

    async def send(self, message: str) -> None: ...

    def __aiter__(self) -> AsyncIterator[str | bytes]: ...

    async def close(self) -> None: ...


def dial(url: str) -> AbstractAsyncContextManager[Socket]:
    """Connects over the network."""
    return connect(
        url,
        max_size=FRAME_BYTES_MAX,
        compression=None,
        open_timeout=OPEN_SECONDS_MAX,
        ping_interval=PING_SECONDS,
        ping_timeout=PONG_SECONDS_MAX,
        close_timeout=CLOSE_SECONDS_MAX,
    )


def wall_ms() -> int:
    """Milliseconds since 1970, by the player's clock."""
    return time.time_ns() // 1_000_000


def _vault() -> Vault:
    return user_vault()


@dataclass(frozen=True)
class Surroundings:
    """The real world, unless something else is given."""

    dial: Callable[[str], AbstractAsyncContextManager[Socket]] = dial
    chance: Callable[[int], bytes] = secrets.token_bytes
    """So many bytes that nobody can foresee."""
    vault: Vault = field(default_factory=_vault)
    """Where this player's secrets and log are kept."""
    clock_ms: Callable[[], int] = wall_ms
    """The player's clock, for the times in the log."""

    @classmethod
    def fleeting(cls) -> "Surroundings":
        """The real world, with nothing kept beyond the program's end: for a room in the same program."""
        return cls(vault=MemoryVault())

    def device(self, server: str) -> str:
        """A name of this device for one server, always the same: no other server can know the device by it. Empty when
        nothing can be remembered."""
        try:
            self.vault.put(DEVICE, self.chance(ID_BYTES).hex())
            secret = self.vault.get(DEVICE) or ""
        except OSError:
            return ""
        return sha256(f"{secret} {urlsplit(server).netloc}".encode()).hexdigest()

    def new_id(self) -> str:
        """A name for a command that no other command has."""
        return self.chance(ID_BYTES).hex()

"""Where people connect from, as far as a room remembers it: hashes with a key that only the room's servers have.
Addresses are few enough that a hash without a secret could be reversed. The key is a secret of the room's table in the
store, so all nodes hash alike, and no two rooms do.
"""

import hmac
from typing import Final, NamedTuple

from croupier.table.room import UNKNOWN, Origin

KEY_NAME: Final = "origins"
"""The name of a room's key among its secrets. Rooms of earlier releases have none."""
HASH_LETTERS: Final = 32


class Whereabouts(NamedTuple):
    """The network that a connection comes from, and what its client calls the device. Neither is ever stored."""

    network: str
    device: str = ""


class Origins:
    """Hashes whereabouts for one room."""

    def __init__(self, key: bytes) -> None:
        """Without a key nothing is remembered."""
        self._key = key

    def of(self, place: Whereabouts | None) -> Origin:
        """What the room may remember. Clients of one network that do not name their device count as one."""
        if place is None or not self._key:
            return UNKNOWN
        device = f"named {place.device}" if place.device else f"unnamed {place.network}"
        return Origin(self._hash(f"address {place.network}"), self._hash(f"device {device}"))

    def _hash(self, text: str) -> str:
        return hmac.digest(self._key, text.encode(), "sha256").hex()[:HASH_LETTERS]

"""Connections that were negotiated but not begun: the key that opens each, its lifetime, and their number."""

import secrets
from collections.abc import Callable
from typing import Final, NamedTuple

from croupier.server.signalr.limits import Limits

TOKEN_BYTES: Final = 32
ID_BYTES: Final = 16


def new_id() -> str:
    """A connection's public id, by which others know it."""
    return secrets.token_urlsafe(ID_BYTES)


class _Negotiated(NamedTuple):
    connection_id: str
    address: str
    until: float


class Negotiations:
    """The ids behind the tokens that were given out.

    Each is valid once and for a while. Over the bound of an address, its own oldest is forgotten. Over the bound of
    all, the oldest of the address with the most is forgotten, so that one greedy address cannot displace the others.
    """

    def __init__(self, limits: Limits, monotonic: Callable[[], float]) -> None:
        self._limits = limits
        self._monotonic = monotonic
        self._given: dict[str, _Negotiated] = {}
        """By token; the oldest first."""
        self._of_address: dict[str, dict[str, None]] = {}
        """The tokens of each address; the oldest first."""

    def __len__(self) -> int:
        return len(self._given)

    def give(self, address: str, *, with_token: bool) -> tuple[str, str]:
        """A new connection's id, and what opens it: a secret token, or, for old clients, the id itself."""
        self._forget_old()
        if len(self._of_address.get(address, ())) >= self._limits.negotiated_per_address_max:
            self._forget_first(address)
        elif len(self._given) >= self._limits.negotiated_max:
            self._forget_first(max(self._of_address, key=lambda each: len(self._of_address[each])))
        connection_id = new_id()
        token = secrets.token_urlsafe(TOKEN_BYTES) if with_token else connection_id
        until = self._monotonic() + self._limits.negotiated_seconds
        self._given[token] = _Negotiated(connection_id, address, until)
        self._of_address.setdefault(address, {})[token] = None
        return connection_id, token

    def take(self, token: str) -> str | None:
        """The id behind a token, once; None when it is unknown, used or too old."""
        self._forget_old()
        return self._remove(token).connection_id if token in self._given else None

    def __contains__(self, token: str) -> bool:
        self._forget_old()
        return token in self._given

    def _forget_old(self) -> None:
        now = self._monotonic()
        while self._given:
            token, negotiated = next(iter(self._given.items()))
            if negotiated.until > now:
                return
            self._remove(token)

    def _forget_first(self, address: str) -> None:
        self._remove(next(iter(self._of_address[address])))

    def _remove(self, token: str) -> _Negotiated:
        negotiated = self._given.pop(token)
        tokens = self._of_address[negotiated.address]
        del tokens[token]
        if not tokens:
            del self._of_address[negotiated.address]
        return negotiated

"""Admission of connections: decided right after the accept, before anything is read or made for them."""

import time
from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Final

from croupier.server.config import SettingsError
from croupier.server.limits import Address, Addresses
from croupier.server.turned_away import TurnedAway

EVERY_ADDRESS: Final = "*"


class Visit:
    """An open connection, from when it was admitted to its end."""

    __slots__ = ("_addresses", "address", "is_proxy")

    def __init__(self, addresses: Addresses, address: Address, is_proxy: bool) -> None:
        self.address = address
        self.is_proxy = is_proxy
        """Whether it carries the requests of many people. Then each is counted by the address that the proxy gives."""
        self._addresses: Addresses | None = addresses
        addresses.sockets += 1
        address.sockets += 1

    def end(self) -> None:
        """Note that the connection is closed. Calling this again changes nothing."""
        if self._addresses is not None:
            self._addresses.sockets -= 1
            self.address.sockets -= 1
            self._addresses = None


class Gate:
    """Bounds the number of open connections, in all and per address, and how fast an address opens them."""

    def __init__(self, addresses: Addresses, turned_away: TurnedAway, proxies: Iterable[str] = ()) -> None:
        """`proxies` are addresses and networks whose connections are many people's; `*` is every address.

        Raises SettingsError for anything else.
        """
        self.addresses = addresses
        self.turned_away = turned_away
        named = tuple(proxies)
        self._all_are_proxies = EVERY_ADDRESS in named
        self._proxies = tuple(_network(name) for name in named if name != EVERY_ADDRESS)

    def admit(self, host: str) -> Visit | None:
        """Count a connection of this host while it is open; None if it is one too many."""
        limits, now = self.addresses.limits, time.monotonic()
        address = self.addresses.of(host, now)
        is_proxy = self._is_proxy(host)
        if self.addresses.sockets >= limits.connections_max:
            self.turned_away.note("server_full", address.network)
        elif not is_proxy and address.sockets >= limits.connections_per_address_max:
            self.turned_away.note("address_full", address.network)
        elif not is_proxy and not address.arrivals.take(now):
            self.turned_away.note("arrives_too_fast", address.network)
        else:
            return Visit(self.addresses, address, is_proxy)
        return None

    def _is_proxy(self, host: str) -> bool:
        if self._all_are_proxies or not self._proxies:
            return self._all_are_proxies
        try:
            address = ip_address(host.partition("%")[0])
        except ValueError:
            return False
        return any(address in network for network in self._proxies)


def _network(name: str) -> IPv4Network | IPv6Network:
    try:
        return ip_network(name, strict=False)
    except ValueError as error:
        raise SettingsError(f"proxies: {error}") from None

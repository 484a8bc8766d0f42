"""Access to `/metrics`: open to everybody, or to requests with the token or from an address that the settings name."""

import hmac
from collections.abc import Iterable
from ipaddress import ip_address, ip_network

from starlette.requests import HTTPConnection

from croupier.server.caller import host
from croupier.server.config import SettingsError


class MetricsAccess:
    def __init__(self, token: str = "", networks: Iterable[str] = ()) -> None:
        """Raises SettingsError for text that is not a network."""
        self._token = token
        try:
            self._networks = [ip_network(each, strict=False) for each in networks]
        except ValueError as error:
            raise SettingsError(f"metrics_from: {error}") from None

    def allows(self, caller: HTTPConnection) -> bool:
        if not self._token and not self._networks:
            return True
        scheme, _, token = caller.headers.get("authorization", "").partition(" ")
        if (
            self._token
            and scheme.lower() == "bearer"
            and hmac.compare_digest(token.strip().encode(), self._token.encode())
        ):
            return True
        try:
            address = ip_address(host(caller).partition("%")[0])
        except ValueError:
            return False
        return any(address in network for network in self._networks)

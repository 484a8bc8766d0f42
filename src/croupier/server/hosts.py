"""Which names this server answers to, so that no page elsewhere can reach it by a name of its own (DNS rebinding).

A page of `evil.example` may point its name at this machine, and then has the same origin as the server here. But its
requests carry that name. Numeric addresses cannot be misused like this, so links in a local network work.
"""

import socket
from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

import msgspec
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from croupier.locales import text
from croupier.server.openapi import Refused

CODE = "HOST_UNKNOWN"
SHOWN_MAX = 100
HEADER_MAX = 253 + len(":65535")
"""The longest name that there is, with a port: nothing longer comes into a link or a QR code."""
LOCAL = "localhost"


def own_names() -> frozenset[str]:
    """The machine's own names, also in the local network."""
    name = socket.gethostname().lower().rstrip(".")
    return frozenset((name, f"{name.partition('.')[0]}.local"))


def host_name(header: str) -> str:
    """The name in a Host header, without its port."""
    try:
        return (urlsplit(f"//{header}").hostname or "").rstrip(".")
    except ValueError:
        return ""


class KnownHosts:
    """Refuses requests under a name that is not this server's, WebSockets too."""

    def __init__(self, app: ASGIApp, names: Iterable[str], origins: Iterable[str], language: str) -> None:
        """`origins` are addresses of this card room, like `https://one.example.org`."""
        self._app = app
        self._language = language
        self._names = own_names() | {name.lower() for name in names} | {urlsplit(each).hostname for each in origins}

    def knows(self, header: str) -> bool:
        if len(header) > HEADER_MAX:
            return False
        name = host_name(header)
        if name in self._names or name == LOCAL or name.endswith(f".{LOCAL}") or "*" in self._names:
            return True
        try:
            ip_address(name.partition("%")[0])
        except ValueError:
            return False
        return True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        hosts = [value.decode("latin-1") for name, value in scope.get("headers", ()) if name == b"host"]
        if scope["type"] == "lifespan" or all(map(self.knows, hosts)):
            await self._app(scope, receive, send)
            return
        facts = {"host": hosts[0][:SHOWN_MAX]}
        refused = Refused(CODE, text(self._language, f"code.{CODE}", **facts), facts)
        answer = Response(msgspec.json.encode(refused), 421, media_type="application/json")
        # A handshake is denied by the same answer.
        await answer(scope, receive, send)

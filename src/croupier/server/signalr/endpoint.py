"""The way in to a hub: negotiation, and who may connect."""

import asyncio
import secrets
from collections.abc import Callable
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from croupier.locales import LANGUAGES
from croupier.server.limits import Addresses, Rate
from croupier.server.signalr.connection import Connection, Hub
from croupier.server.signalr.limits import Limits

NEGOTIATE_VERSION: Final = 1
VERSION_DIGITS_MAX: Final = 9
TOKEN_BYTES: Final = 32
ID_BYTES: Final = 16
TRANSPORTS: Final = [{"transport": "WebSockets", "transferFormats": ["Text"]}]
LANGUAGES_HEEDED_MAX: Final = 20

AllowsOrigin: TypeAlias = Callable[[HTTPConnection], bool]


def same_origin(connection: HTTPConnection) -> bool:
    """Whether a page of this very host asks, or no page at all: only browsers say where they come from."""
    origin = connection.headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == connection.headers.get("host")
    except ValueError:
        return False


class Endpoint:
    """Connects clients to a hub.

    A connection has a public id, by which others know it, and a secret token, which opens it once. A client that does
    not negotiate gets a new id when it connects.
    """

    def __init__(
        self,
        hub: Hub,
        limits: Limits,
        allows_origin: AllowsOrigin,
        language: str,
        addresses: Addresses | None = None,
    ) -> None:
        self._hub = hub
        self._limits = limits
        self._allows_origin = allows_origin
        self._language = language
        self._addresses = addresses
        self._negotiated: dict[str, tuple[str, float]] = {}
        """The id behind each token that was given out and not used, and until when it can be; the oldest first."""
        self._open: set[str] = set()
        """The tokens, or ids of those without, of all open connections."""

    def routes(self, path: str) -> list[BaseRoute]:
        return [
            Route(f"{path}/negotiate", self.negotiate, methods=["POST", "OPTIONS"]),
            WebSocketRoute(path, self.connect),
        ]

    async def negotiate(self, request: Request) -> Response:
        """Gives out a connection id and, from version 1 on, a token apart from it."""
        if not self._allows_origin(request):
            return JSONResponse({"error": "Pages of this origin may not connect."}, 403)
        headers = _cross_origin(request)
        if request.method == "OPTIONS":
            return Response(status_code=204, headers=headers)
        wish = request.query_params.get("negotiateVersion", "0")
        if not wish.isascii() or not wish.isdigit() or len(wish) > VERSION_DIGITS_MAX:
            return JSONResponse({"error": "negotiateVersion must be a whole number."}, 400, headers)
        if len(self._open) >= self._limits.connections_max:
            return JSONResponse({"error": "The table is full; try again later."}, headers=headers)
        version = min(int(wish), NEGOTIATE_VERSION)
        connection_id = secrets.token_urlsafe(ID_BYTES)
        token = secrets.token_urlsafe(TOKEN_BYTES) if version else connection_id
        self._remember(token, connection_id)
        answer: dict[str, object] = {
            "negotiateVersion": version,
            "connectionId": connection_id,
            "availableTransports": TRANSPORTS,
        }
        if version:
            answer["connectionToken"] = token
        return JSONResponse(answer, headers={**headers, "cache-control": "no-store"})

    async def connect(self, websocket: WebSocket) -> None:
        """Serves one WebSocket to its end, or answers with the HTTP status that says why not."""
        if self._addresses is None:
            return await self._admit(websocket, lambda: True)
        with self._addresses.admitted(websocket.client.host if websocket.client is not None else "") as address:
            if address is None:
                return await _deny(websocket, 503, "Too many connections; try again later.")
            return await self._admit(websocket, Rate(self._addresses.limits, address).allows)

    async def _admit(self, websocket: WebSocket, may_send: Callable[[], bool]) -> None:
        token = websocket.query_params.get("id")
        self._forget_old()
        if not self._allows_origin(websocket):
            return await _deny(websocket, 403, "Pages of this origin may not connect.")
        if token in self._open:
            return await _deny(websocket, 409, "This connection is open already.")
        if len(self._open) >= self._limits.connections_max:
            return await _deny(websocket, 503, "The table is full; try again later.")
        if token is None:
            token = connection_id = secrets.token_urlsafe(ID_BYTES)
        elif token in self._negotiated:
            connection_id, _ = self._negotiated.pop(token)
        else:
            return await _deny(websocket, 404, "There is no such connection; negotiate first.")
        self._open.add(token)
        try:
            await websocket.accept()
            language = language_wished(websocket, self._language)
            await Connection(websocket, connection_id, language, self._limits, may_send).run(self._hub)
        finally:
            self._open.remove(token)

    def _remember(self, token: str, connection_id: str) -> None:
        self._forget_old()
        if len(self._negotiated) == self._limits.negotiated_max:
            del self._negotiated[next(iter(self._negotiated))]
        self._negotiated[token] = connection_id, _now() + self._limits.negotiated_seconds

    def _forget_old(self) -> None:
        now = _now()
        while self._negotiated:
            token, (_, until) = next(iter(self._negotiated.items()))
            if until > now:
                return
            del self._negotiated[token]


def language_wished(connection: HTTPConnection, default: str) -> str:
    """The language of messages: the query's `lang`, else the best known of Accept-Language, else the default."""
    wish = connection.query_params.get("lang", "")[:2].lower()
    if wish in LANGUAGES:
        return wish
    heeded = connection.headers.get("accept-language", "").split(",")[:LANGUAGES_HEEDED_MAX]
    weighed = [(_weight(entry), entry.strip()[:2].lower()) for entry in heeded]
    known = [(weight, language) for weight, language in weighed if weight > 0 and language in LANGUAGES]
    return max(known, key=lambda each: each[0])[1] if known else default


def _weight(entry: str) -> float:
    """The q of an entry of Accept-Language; 0 when it cannot be read."""
    _, _, weight = entry.partition(";q=")
    try:
        return float(weight or 1)
    except ValueError:
        return 0.0


def _cross_origin(request: Request) -> dict[str, str]:
    """Lets the page of an allowed origin read the answer; a browser asks for that."""
    origin = request.headers.get("origin")
    if origin is None:
        return {}
    return {
        "access-control-allow-origin": origin,
        "access-control-allow-credentials": "true",
        "access-control-allow-headers": "x-requested-with, x-signalr-user-agent",
        "access-control-allow-methods": "POST",
        "vary": "Origin",
    }


async def _deny(websocket: WebSocket, status: int, error: str) -> None:
    await websocket.send_denial_response(JSONResponse({"error": error}, status))


def _now() -> float:
    return asyncio.get_running_loop().time()

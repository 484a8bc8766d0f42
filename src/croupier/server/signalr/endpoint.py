"""The endpoint of a hub: negotiation, the three transports, and admission."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Final, TypeAlias

from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from croupier.server.caller import host, language_wished
from croupier.server.limits import Addresses, Rate, network
from croupier.server.signalr.connection import STOPPING, Connection, Hub
from croupier.server.signalr.event_stream import MEDIA_TYPE, EventStream, EventStreamResponse
from croupier.server.signalr.limits import Limits
from croupier.server.signalr.negotiation import Negotiations, new_id
from croupier.server.signalr.polling import LongPolling
from croupier.server.signalr.transport import Posts, Transport
from croupier.server.signalr.websocket import WebSocketTransport
from croupier.server.websocket import EXTENSION

NEGOTIATE_VERSION: Final = 1
VERSION_DIGITS_MAX: Final = 9
TRANSPORTS: Final = [
    {"transport": name, "transferFormats": ["Text"]} for name in ("WebSockets", "ServerSentEvents", "LongPolling")
]
"""What a client may use; it tries them in this order."""
_PLAIN: Final = {"content-type": "text/plain; charset=utf-8", "cache-control": "no-cache, no-store"}

_log = logging.getLogger(__name__)

AllowsOrigin: TypeAlias = Callable[[HTTPConnection], bool]


class RefusedError(Exception):
    """A request is refused with this HTTP status."""

    def __init__(self, status: int, error: str) -> None:
        super().__init__(error)
        self.status = status
        self.error = error


class Endpoint:
    """Connects clients to a hub.

    A connection has a public id, by which others know it, and a secret token, which opens it once. A client of
    WebSockets that does not negotiate gets a new id when it connects.
    """

    def __init__(
        self,
        hub: Hub,
        limits: Limits,
        allows_origin: AllowsOrigin,
        language: str,
        addresses: Addresses,
    ) -> None:
        """Connections, messages and negotiations count towards the limits of their address."""
        self._hub = hub
        self._limits = limits
        self._allows_origin = allows_origin
        self._language = language
        self._addresses = addresses
        self._negotiations = Negotiations(limits, time.monotonic)
        self._open: dict[str, Connection] = {}
        """All open connections, by the token, or by the id of those without."""
        self._of_address: Counter[str] = Counter()
        """How many of them each address has."""
        self._polled: set[asyncio.Task[None]] = set()
        """Connections by long polling: no request of theirs lasts as long as they do."""
        self._ended: dict[str, None] = {}
        """Tokens of connections that the server ended, oldest first; the client's next poll is told so."""

    def routes(self, path: str) -> list[BaseRoute]:
        return [
            Route(f"{path}/negotiate", self.negotiate, methods=["POST", "OPTIONS"]),
            Route(path, self.request, methods=["GET", "POST", "DELETE", "OPTIONS"]),
            WebSocketRoute(path, self.connect),
        ]

    def stop(self) -> None:
        """Ends all connections; their clients may come back."""
        for connection in tuple(self._open.values()):
            connection.finish(STOPPING)

    async def close(self) -> None:
        """Ends all connections, and returns when those by long polling have."""
        self.stop()
        await asyncio.gather(*self._polled)

    async def negotiate(self, request: Request) -> Response:
        """Give out a connection id and, from version 1 on, a separate token."""
        return await self._answered(request, self._negotiate)

    async def request(self, request: Request) -> Response:
        """A plain request of a client that uses no WebSocket."""
        return await self._answered(request, self._request)

    async def connect(self, websocket: WebSocket) -> None:
        """Serves one WebSocket to its end, or answers with the HTTP status that says why not."""
        try:
            if not self._allows_origin(websocket):
                raise _foreign()
            with self._opened(websocket, WebSocketTransport(websocket)) as connection:
                await websocket.accept()
                await connection.run(self._hub)
        except RefusedError as refused:
            await websocket.send_denial_response(JSONResponse({"error": refused.error}, refused.status))

    async def _answered(self, request: Request, answer: Callable[[Request], Awaitable[Response]]) -> Response:
        """An answer that only pages of allowed origins may read."""
        headers: dict[str, str] = {}
        try:
            if not self._allows_origin(request):
                raise _foreign()
            headers = _cross_origin(request)
            response = Response(status_code=204) if request.method == "OPTIONS" else await answer(request)
        except RefusedError as refused:
            # The rest of an unread body is discarded.
            ending = {"connection": "close"} if refused.status in (408, 413) else {}
            response = JSONResponse({"error": refused.error}, refused.status, ending)
        response.headers.update(headers)
        return response

    async def _negotiate(self, request: Request) -> Response:
        wish = request.query_params.get("negotiateVersion", "0")
        if not wish.isascii() or not wish.isdigit() or len(wish) > VERSION_DIGITS_MAX:
            raise RefusedError(400, "negotiateVersion must be a whole number.")
        now = time.monotonic()
        if not self._addresses.of(host(request), now).pages.take(now):
            raise RefusedError(429, "Too many requests; try again later.")
        if len(self._open) >= self._limits.connections_max:
            # What a client shows of a refused negotiation is this field.
            return JSONResponse({"error": "The table is full; try again later."})
        version = min(int(wish), NEGOTIATE_VERSION)
        connection_id, token = self._negotiations.give(network(host(request)), with_token=version > 0)
        answer: dict[str, object] = {
            "negotiateVersion": version,
            "connectionId": connection_id,
            "availableTransports": TRANSPORTS,
        }
        if version:
            answer["connectionToken"] = token
        return JSONResponse(answer, headers={"cache-control": "no-store"})

    async def _request(self, request: Request) -> Response:
        token = request.query_params.get("id", "")
        if not token or request.method == "HEAD":
            raise RefusedError(400, "The id of a connection is needed.")
        if request.method == "POST":
            return await self._post(request, token)
        if request.method == "DELETE":
            return self._delete(token)
        if MEDIA_TYPE in request.headers.get("accept", ""):
            return self._stream(request)
        return await self._poll(request, token)

    def _stream(self, request: Request) -> Response:
        """Begin a connection by server-sent events; it lasts as long as the answer."""
        stream = EventStream(Posts(self._limits.posts_waiting_max))
        opened = ExitStack()
        connection = opened.enter_context(self._opened(request, stream))
        return EventStreamResponse(stream, opened, lambda: connection.run(self._hub))

    async def _poll(self, request: Request, token: str) -> Response:
        """Answer a poll. The first one begins the connection and is answered at once."""
        if token in self._ended:
            del self._ended[token]
            return Response(status_code=204)
        connection = self._open.get(token)
        if connection is None:
            self._begin_polling(request, token)
            return Response(headers=_PLAIN)
        if not isinstance(connection.transport, LongPolling):
            raise _changed_transport()
        records = await connection.transport.poll(request.receive)
        if not records:
            connection.polled_in_vain()
        return Response(status_code=204) if records is None else Response(records, headers=_PLAIN)

    def _begin_polling(self, request: Request, token: str) -> None:
        opened = ExitStack()
        polling = LongPolling(Posts(self._limits.posts_waiting_max), self._limits)
        connection = opened.enter_context(self._opened(request, polling))

        async def run() -> None:
            try:
                with opened:
                    await connection.run(self._hub)
            except Exception:
                _log.exception("a connection by long polling failed")
            if not polling.is_gone:
                self._remember_end(token)
            polling.lose()

        task = asyncio.create_task(run())
        self._polled.add(task)
        task.add_done_callback(self._polled.discard)

    def _remember_end(self, token: str) -> None:
        self._ended[token] = None
        if len(self._ended) > self._limits.connections_max:
            del self._ended[next(iter(self._ended))]

    async def _post(self, request: Request, token: str) -> Response:
        """Take what the client posts, as soon as there is room for it."""
        transport = self._transport(token)
        if not isinstance(transport, EventStream | LongPolling):
            raise RefusedError(405, "A client with a WebSocket sends over that.")
        if not transport.posts.enter():
            raise RefusedError(429, "Too many requests at once.")
        try:
            body = await self._body(request)
            if not await transport.posts.put(body):
                raise RefusedError(404, "The connection has ended.")
        finally:
            transport.posts.leave()
        if len(body) > self._limits.message_bytes_max:
            raise RefusedError(413, f"A message may have at most {self._limits.message_bytes_max} bytes.")
        return Response(headers=_PLAIN)

    async def _body(self, request: Request) -> bytes:
        """The posted bytes. Of a body that is too long, only the beginning; the connection then ends."""
        body = bytearray()
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                async for part in request.stream():
                    body += part
                    if len(body) > self._limits.message_bytes_max:
                        break
        except TimeoutError:
            raise RefusedError(408, "The request took too long to come.") from None
        except ClientDisconnect:
            raise RefusedError(400, "The request broke off.") from None
        return bytes(body[: self._limits.message_bytes_max + 1])

    def _delete(self, token: str) -> Response:
        """A client of long polling leaves. The others end by closing what they have open."""
        transport = self._transport(token)
        if not isinstance(transport, LongPolling):
            raise RefusedError(400, "Only connections by long polling are ended like this.")
        transport.lose()
        return Response(status_code=202, headers=_PLAIN)

    def _transport(self, token: str) -> Transport:
        if token in self._open:
            return self._open[token].transport
        if token in self._negotiations:
            raise RefusedError(409, "The connection has not begun.")
        raise RefusedError(404, "There is no such connection; negotiate first.")

    @contextmanager
    def _opened(self, caller: HTTPConnection, transport: Transport) -> Iterator[Connection]:
        """A connection, while it is open. Raises RefusedError when it may not be."""
        with ExitStack() as stack:
            address = stack.enter_context(self._addresses.admitted(host(caller)))
            if address is None:
                raise RefusedError(503, "Too many connections; try again later.")
            if self._of_address[address.network] >= self._limits.connections_per_address_max:
                raise RefusedError(503, "Too many connections; try again later.")
            token, connection_id = self._taken(caller.query_params.get("id"), transport)
            language = language_wished(caller, self._language)
            may_send = Rate.of_messages(self._addresses.limits, address).allows
            direct = caller.scope.get("extensions", {}).pop(EXTENSION, None)
            if direct is not None:
                # Frames that hold no message count where they are read.
                direct.admits = Rate.of_messages(self._addresses.limits, address).allows
            self._open[token] = Connection(transport, connection_id, language, self._limits, may_send)
            self._of_address[address.network] += 1
            try:
                yield self._open[token]
            finally:
                del self._open[token]
                self._of_address[address.network] -= 1
                if not self._of_address[address.network]:
                    del self._of_address[address.network]

    def _taken(self, token: str | None, transport: Transport) -> tuple[str, str]:
        """The key by which a connection is found, and its id; the token that opens it is used up."""
        if token in self._open:
            if type(self._open[token].transport) is not type(transport):
                raise _changed_transport()
            raise RefusedError(409, "This connection is open already.")
        if len(self._open) >= self._limits.connections_max:
            raise RefusedError(503, "The table is full; try again later.")
        if token is None:
            connection_id = new_id()
            return connection_id, connection_id
        known = self._negotiations.take(token)
        if known is None:
            raise RefusedError(404, "There is no such connection; negotiate first.")
        return token, known


def _foreign() -> RefusedError:
    return RefusedError(403, "Pages of this origin may not connect.")


def _changed_transport() -> RefusedError:
    return RefusedError(400, "A connection cannot change its transport.")


def _cross_origin(request: Request) -> dict[str, str]:
    """Lets the page of an allowed origin read the answer; a browser asks for that."""
    origin = request.headers.get("origin")
    if origin is None:
        return {}
    return {
        "access-control-allow-origin": origin,
        "access-control-allow-credentials": "true",
        "access-control-allow-headers": "content-type, x-requested-with, x-signalr-user-agent",
        "access-control-allow-methods": "GET, POST, DELETE",
        "vary": "Origin",
    }

"""A line for every request and every WebSocket, as one JSON object. It is off by default: a busy room has many.

No line holds a query, a token or a name: the token in a query of the hub opens a connection.
"""

import json
import logging
import time
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.shown_text import harmless

PATH_SHOWN_MAX: Final = 200
log = logging.getLogger("croupier.access")


class AccessLog:
    """Logs each request when it has been answered, and each WebSocket when it has ended."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        began, told = time.perf_counter(), _Told()

        async def watched(message: Message) -> None:
            told.hear(message)
            await send(message)

        try:
            await self._app(scope, receive, watched)
        finally:
            client = scope.get("client")
            fields: dict[str, Any] = {
                "client": client[0] if client else "",
                "kind": scope["type"],
                "method": scope.get("method", "GET"),
                "path": harmless(scope["path"][:PATH_SHOWN_MAX]),
                "status": told.status,
                "bytes": told.bytes,
                "ms": round(1000 * (time.perf_counter() - began), 1),
            }
            log.info("%s", json.dumps(fields), extra={"fields": fields})


class _Told:
    """The status and size of an answer."""

    status = 0
    bytes = 0

    def hear(self, message: Message) -> None:
        match message["type"]:
            case "http.response.start" | "websocket.http.response.start":
                self.status = message["status"]
            case "http.response.body" | "websocket.http.response.body":
                self.bytes += len(message.get("body", b""))
            case "websocket.accept":
                self.status = 101
            case "websocket.close" if not self.status:
                self.status = 403

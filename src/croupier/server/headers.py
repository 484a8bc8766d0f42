"""Security headers, on every answer of every part of the server."""

from collections.abc import Iterable
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY: Final = b"content-security-policy"
SECURITY_HEADERS: Final = (
    (
        POLICY,
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        b"font-src 'self'; media-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        b"frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=()"),
    (b"cache-control", b"no-store"),
)
"""Browsers cache only answers that allow it."""
DOCUMENT_HEADERS: Final = frozenset((b"x-frame-options", b"cross-origin-opener-policy", b"permissions-policy"))
"""Browsers look at these in documents only: on the seventy scripts and styles of a first load they would be 10 KB."""
PARTS: Final = (b"text/javascript", b"text/css")
"""Types of what is never a document."""

_STARTS: Final = ("http.response.start", "websocket.http.response.start")


class SecurityHeaders:
    """Adds the headers to every answer that does not set them, also where a WebSocket is denied."""

    def __init__(self, app: ASGIApp, nodes: Iterable[str] = ()) -> None:
        """Pages may also connect to the WebSockets of these nodes."""
        self._app = app
        sources = "".join(f" {node.replace('http', 'ws', 1)}" for node in nodes).encode()
        policy = dict(SECURITY_HEADERS)[POLICY].replace(b"connect-src 'self'", b"connect-src 'self'" + sources)
        self._headers = ((POLICY, policy), *(pair for pair in SECURITY_HEADERS if pair[0] != POLICY))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] in _STARTS:
                present = {name.lower(): value for name, value in message["headers"]}
                is_part = present.get(b"content-type", b"").startswith(PARTS)
                left_out = present.keys() | DOCUMENT_HEADERS if is_part else present.keys()
                added = (pair for pair in self._headers if pair[0] not in left_out)
                message["headers"] = [*message["headers"], *added]
            await send(message)

        await self._app(scope, receive, send if scope["type"] == "lifespan" else guarded)

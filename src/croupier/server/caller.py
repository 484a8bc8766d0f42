"""What a request reveals of its caller: origin, address, language."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.types import Receive

from croupier.locales import LANGUAGES

T = TypeVar("T")

LANGUAGES_HEEDED_MAX: Final = 20


def same_origin(connection: HTTPConnection) -> bool:
    """Whether the request comes from a page of this very host, or from no page: only browsers send an origin."""
    origin = connection.headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == connection.headers.get("host")
    except ValueError:
        return False


def host(connection: HTTPConnection) -> str:
    """The caller's address; empty if unknown."""
    return connection.client.host if connection.client is not None else ""


async def disconnected(receive: Receive) -> None:
    """Return when the caller has given up the request."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def while_there(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """The outcome of some work, which is cancelled when the caller disconnects. Then raises ClientDisconnect."""
    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(disconnected(request.receive))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()


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

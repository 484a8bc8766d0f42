"""What the page needs besides its files: every text that it shows, in the language that its reader chose."""

import gzip
from functools import lru_cache
from hashlib import sha256

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from croupier import locales

TERMINAL_ONLY = ("cli.", "mcp.", "play.", "stepping.", "arena.")
"""Texts that no page shows."""


@lru_cache(maxsize=len(locales.LANGUAGES))
def _texts(language: str) -> tuple[bytes, str]:
    """The catalogue as compressed JSON, and the tag by which a browser knows whether it has changed."""
    shown = {key: text for key, text in locales.catalogue(language).items() if not key.startswith(TERMINAL_ONLY)}
    content = gzip.compress(msgspec.json.encode(shown), mtime=0)
    return content, f'"{sha256(content).hexdigest()[:32]}"'


@lru_cache(maxsize=len(locales.LANGUAGES))
def _plain(language: str) -> bytes:
    return gzip.decompress(_texts(language)[0])


async def texts(request: Request) -> Response:
    language = request.path_params["language"]
    if language not in locales.LANGUAGES:
        return Response(status_code=404)
    content, tag = _texts(language)
    headers = {"etag": tag, "cache-control": "no-cache", "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(content, headers={**headers, "content-encoding": "gzip"}, media_type="application/json")
    return Response(_plain(language), headers=headers, media_type="application/json")


def routes() -> list[BaseRoute]:
    return [Route("/api/texts/{language}.json", texts)]

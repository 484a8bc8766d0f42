"""The name of a request, by which its answer is told from others, even where nothing else of it can be read."""

import json
from typing import Any, Final

import msgspec

SHOWN_MAX: Final = 64
"""How many characters of a wrong `requestId` are repeated."""
UNREADABLE: Final = (msgspec.DecodeError, UnicodeError, RecursionError)


class _Named(msgspec.Struct, rename="camel"):
    """The part of a frame that identifies the request, whatever else is wrong with it."""

    request_id: Any = ""


_named = msgspec.json.Decoder(_Named)


def request_id_in(text: str | None) -> str:
    """The `requestId` of a frame that is not read any further; empty when there is none."""
    if text is None:
        return ""
    try:
        request_id = _named.decode(text).request_id
    except UNREADABLE:
        request_id = _beside_fault(text)
    return request_id[:SHOWN_MAX] if isinstance(request_id, str) else ""


def _beside_fault(text: str) -> str:
    """The same of a frame with half a surrogate pair somewhere, which is JSON but no text."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    request_id = found.get("requestId") if isinstance(found, dict) else None
    return request_id.encode(errors="replace").decode() if isinstance(request_id, str) else ""

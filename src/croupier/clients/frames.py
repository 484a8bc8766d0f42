"""Read frames of a server without trusting it."""

import json
from typing import Any, Final

from croupier.shown_text import harmless_within

MALFORMED: Final = "MALFORMED"
"""The type that stands for a frame that cannot be read."""


def read_frame(text: str | bytes) -> dict[str, Any]:
    """A frame of the server; an unreadable one becomes a frame that says so."""
    if isinstance(text, bytes):
        return {"type": MALFORMED, "fault": "bytes"}
    try:
        frame = json.loads(text)
        if not text.isascii() or "\\" in text:
            # What the server sends is shown in a terminal.
            frame = harmless_within(frame)
    except (ValueError, RecursionError):
        return {"type": MALFORMED, "fault": "JSON"}
    if not isinstance(frame, dict) or not isinstance(frame.get("type"), str):
        return {"type": MALFORMED, "fault": "type"}
    if not isinstance(frame.get("requestId", ""), str):
        return {"type": MALFORMED, "fault": "requestId"}
    if frame["type"] == "ERROR" and not _is_error(frame):
        return {"type": MALFORMED, "fault": "ERROR"}
    public = frame.get("public")
    if frame["type"] == "ROOM_STATE" and not (isinstance(public, dict) and isinstance(public.get("roomCode"), str)):
        return {"type": MALFORMED, "fault": "roomCode"}
    return frame


def _is_error(frame: dict[str, Any]) -> bool:
    kinds = (("code", str), ("message", str), ("facts", dict))
    return all(isinstance(frame.get(name), kind) for name, kind in kinds)

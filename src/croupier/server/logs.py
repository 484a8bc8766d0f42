"""The server's log: lines for people, or one JSON object a line. No secret, card or name is ever written to it."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any, Final

from croupier.shown_text import harmless

_CLIENTS_FAULTS: Final = (
    "Invalid UTF-8 sequence received",
    "ASGI callable returned without completing handshake",
    "Invalid HTTP request received",
    "Unsupported upgrade request",
)
"""Messages of the HTTP server that are no failures of ours: broken requests, and refused clients."""


class JsonLines(logging.Formatter):
    """An object a line, with the time in UTC."""

    def format(self, entry: logging.LogRecord) -> str:
        fields = {
            "at": datetime.fromtimestamp(entry.created, UTC).isoformat(timespec="milliseconds"),
            "level": entry.levelname,
            "part": entry.name,
            "message": harmless(entry.getMessage()),
        }
        fields.update(getattr(entry, "fields", {}))
        if entry.exc_info:
            fields["error"] = self.formatException(entry.exc_info)
        # In ASCII, because a traceback can hold anything.
        return json.dumps(fields)


class TextLines(logging.Formatter):
    """A line for people: always a single line, with any traceback below it."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 -- the library's name
        record.message = harmless(record.message)
        return super().formatMessage(record)

    def formatException(self, ei: Any) -> str:  # noqa: N802 -- the library's name
        # Each line keeps its indentation.
        lines = super().formatException(ei).split("\n")
        return "\n".join(line[: len(line) - len(line.lstrip(" "))] + harmless(line) for line in lines)


def is_ours(entry: logging.LogRecord) -> bool:
    """Whether a line is about the server itself. A client that sends garbage must not fill the log."""
    return not str(entry.msg).startswith(_CLIENTS_FAULTS)


def log_to_stderr(form: str) -> None:
    """Log to standard error in the format of the settings."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    handler.addFilter(is_ours)
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)

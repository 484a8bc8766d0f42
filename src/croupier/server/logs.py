"""The server's log: lines for people, or one JSON object a line. No secret, card or name is ever written to it."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Final

_CLIENTS_FAULTS: Final = ("Invalid UTF-8 sequence received", "ASGI callable returned without completing handshake")
"""What the HTTP server takes for a failure of ours: a client's broken text, and a client who was turned away."""


class JsonLines(logging.Formatter):
    """An object a line, with the time in UTC."""

    def format(self, entry: logging.LogRecord) -> str:
        fields = {
            "at": datetime.fromtimestamp(entry.created, UTC).isoformat(timespec="milliseconds"),
            "level": entry.levelname,
            "part": entry.name,
            "message": entry.getMessage(),
        }
        if entry.exc_info:
            fields["error"] = self.formatException(entry.exc_info)
        return json.dumps(fields, ensure_ascii=False)


def is_ours(entry: logging.LogRecord) -> bool:
    """Whether a line tells something about the server: who sends rubbish cannot fill its log."""
    return not str(entry.msg).startswith(_CLIENTS_FAULTS)


def log_to_stderr(form: str) -> None:
    """Writes what happens to the standard error stream, in the form that the settings name."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    handler.addFilter(is_ours)
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)

"""The text of a record before anything is made of it: of a bearable length, and with no name twice in an object.

Where a name stands twice, one reader takes the first value and another the last.
"""

import json
from typing import Any, Final

LINE_BYTES_MAX: Final = 16 * 2**20
"""Longer than any record of a room: a hand with hundreds of void deals has a few MiB."""


class RecordTextError(ValueError):
    """A line that is no JSON as records have it."""


def check_text(text: str | bytes) -> None:
    """Raises RecordTextError for a line that is too long, no JSON, nested too deep, or has a name twice."""
    if len(text) > LINE_BYTES_MAX:
        raise RecordTextError(f"a line of {len(text)} bytes; at most {LINE_BYTES_MAX} are read")
    try:
        json.loads(text, object_pairs_hook=_named_once)
    except RecursionError as error:
        raise RecordTextError("nested too deep") from error
    except RecordTextError:
        raise
    except ValueError as error:
        raise RecordTextError(str(error)) from error


def unknown_name(given: Any, read: Any, path: str = "$") -> str:
    """The first name in a JSON value that whoever read it into `read` passed over; empty if there is none."""
    if isinstance(given, dict) and isinstance(read, dict):
        for name, value in given.items():
            found = f"{path}.{name}" if name not in read else unknown_name(value, read[name], f"{path}.{name}")
            if found:
                return found
    if isinstance(given, list) and isinstance(read, list):
        for index, (value, known) in enumerate(zip(given, read, strict=False)):
            found = unknown_name(value, known, f"{path}[{index}]")
            if found:
                return found
    return ""


def _named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = dict(pairs)
    if len(names) != len(pairs):
        doubled = next(name for index, (name, _) in enumerate(pairs) if name in dict(pairs[:index]))
        raise RecordTextError(f"the name {doubled!r} twice")
    return names

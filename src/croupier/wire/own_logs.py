"""The logs that players' clients write, as text: one JSON object per line.

A room's log has what the guard saw and did (`clients/room_guard.py`), the casino's what the server showed and the
player bet (`clients/casino.py`). The page writes the same lines.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias

import msgspec

from croupier.dealing.findings import Finding, shown
from croupier.dealing.shuffle1_log import Began, Line
from croupier.table.casino_log import CasinoLog
from croupier.table.deal_check import fault
from croupier.table.own_log import LogLine, OwnLog
from croupier.table.verdict import Notice

Text: TypeAlias = str | bytes
TEXT_SHOWN: Final = 40
"""How many characters of a damaged line to show."""

_MALFORMED: Final = (msgspec.DecodeError, UnicodeError, RecursionError)
_CASINO_LINE: Final[msgspec.json.Decoder[Line]] = msgspec.json.Decoder(Line)
_ROOM_LINE: Final = msgspec.json.Decoder(LogLine)


def write_casino_line(line: Line) -> str:
    """A line of a casino's log as text."""
    return msgspec.json.encode(line).decode()


def write_room_line(at_ms: int, program: str, entry: dict[str, Any]) -> str:
    """A line of a room's log as text."""
    return msgspec.json.encode({"atMs": at_ms, "program": program, **entry}).decode()


def read_casino_lines(texts: Iterable[Text]) -> Iterator[tuple[int, Line | None]]:
    """The lines of a casino's log with their numbers, from 1; None for a damaged line, as after a crash."""
    for number, text in enumerate(texts, start=1):
        try:
            yield number, _CASINO_LINE.decode(text)
        except _MALFORMED:
            yield number, None


def read_own_log(texts: Iterable[Text]) -> OwnLog | CasinoLog:
    """The log of a room or of the casino, without blank lines. A line that cannot be read is the Finding that says
    so."""
    lines = [(number, text) for number, text in enumerate(texts, start=1) if text.strip()]
    if lines and isinstance(_casino_line(lines[0][1]), Began):
        return CasinoLog(tuple((number, _casino_line(text)) for number, text in lines))
    return OwnLog(tuple((number, _room_line(text)) for number, text in lines))


def _casino_line(text: Text) -> Line | Finding:
    try:
        return _CASINO_LINE.decode(text)
    except _MALFORMED:
        return fault(Notice.LOG_UNREADABLE, fault=shown(str(text[:TEXT_SHOWN])))


def _room_line(text: Text) -> LogLine | Finding:
    try:
        return _ROOM_LINE.decode(text)
    except _MALFORMED as error:
        return fault(Notice.LOG_UNREADABLE, fault=shown(str(error)))

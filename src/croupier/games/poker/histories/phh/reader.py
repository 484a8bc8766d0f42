"""The hands of a file, one after the other, in memory that does not grow with the file.

A `.phh` file is one hand: fields without a table. A `.phhs` file has one table per hand. Every table is read as TOML by
itself, so that a broken one spoils no other.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any, Final, NamedTuple

from croupier.game.refusal import Refusal
from croupier.games.poker.histories.phh.notation import Entry, PhhCode, entry

HAND_CHARACTERS_MAX: Final = 1_000_000

_HEADER: Final = re.compile(r"\[\s*(?P<name>[\w-]+|\"[^\"]*\"|'[^']*')\s*\]\s*(#.*)?$")
"""A line that begins a hand. No value of a hand has a line like this."""
_IDLE: Final = re.compile(r"\s*(#.*)?$")
_AT_LINE: Final = re.compile(r"at line (\d+)")
_ONLY_HAND: Final = "1"
_BYTE_ORDER_MARK: Final = "\ufeff"


class _Piece(NamedTuple):
    """The lines of one hand; those that would make it too long are not kept."""

    name: str | None
    """As its header says; None for what comes before the first header."""
    first_line: int
    lines: list[str]
    characters: int


def read(lines: Iterable[str]) -> Iterator[Entry]:
    """Every hand as soon as its last line is there; for a file without any, one entry that says so.

    Lines keep their ends, and may come in parts where they are very long. A byte that is no UTF-8 comes as a lone
    surrogate (`surrogateescape`).
    """
    found = False
    for piece in _pieces(lines):
        for hand in _hands(piece):
            found = True
            yield hand
    if not found:
        yield Entry("", Refusal(PhhCode.PHH_NO_HANDS))


def _pieces(lines: Iterable[str]) -> Iterator[_Piece]:
    """Cuts a file before the header of every hand. A field before the first header makes the file a single hand."""
    name: str | None = None
    kept: list[str] = []
    first_line = 1
    characters = 0
    is_single = False
    for number, line in enumerate(lines, start=1):
        text = line.removeprefix(_BYTE_ORDER_MARK) if number == 1 else line
        header = None if is_single else _HEADER.match(text)
        if header is not None:
            yield _Piece(name, first_line, kept, characters)
            name, first_line, kept, characters = header["name"].strip("\"'"), number, [], 0
        is_single = is_single or (name is None and not _IDLE.match(text))
        characters += len(text)
        if characters <= HAND_CHARACTERS_MAX:
            kept.append(text)
    yield _Piece(name, first_line, kept, characters)


def _hands(piece: _Piece) -> Iterator[Entry]:
    """The hand of a piece, or what is wrong with it; nothing where it is empty."""
    name = piece.name or _ONLY_HAND
    if piece.characters > HAND_CHARACTERS_MAX:
        yield Entry(name, Refusal(PhhCode.PHH_HAND_TOO_LONG, {"allowed": HAND_CHARACTERS_MAX}))
        return
    fields = _fields("".join(piece.lines), piece.first_line)
    if isinstance(fields, Refusal):
        yield Entry(name, fields)
    elif all(isinstance(value, Mapping) for value in fields.values()):
        for table, value in fields.items():
            yield entry(table, value)
    else:
        yield entry(name, fields)


def _fields(text: str, first_line: int) -> dict[str, Any] | Refusal:
    """What TOML makes of the text of a hand that begins in this line of its file."""
    try:
        text.encode()
        return tomllib.loads(text, parse_float=Decimal)
    except UnicodeEncodeError as error:
        line = first_line + text.count("\n", 0, error.start)
        return Refusal(PhhCode.PHH_NOT_TOML, {"fault": f"Not UTF-8 (at line {line})"})
    except (ValueError, ArithmeticError, RecursionError) as error:
        # Besides what is no TOML: a number that Python does not take, or tables in tables without end.
        fault = _AT_LINE.sub(lambda found: f"at line {int(found[1]) + first_line - 1}", str(error))
        return Refusal(PhhCode.PHH_NOT_TOML, {"fault": fault})

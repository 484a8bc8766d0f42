"""Files of hand histories: which format a file has, and its lines."""

from collections.abc import Iterator
from typing import IO

from croupier.games.poker.histories.formats import Format, format_of
from croupier.games.poker.histories.phh import HAND_CHARACTERS_MAX


def history_format(start: bytes) -> Format | None:
    """The format of a file that begins so; None for a file of records."""
    return format_of(start.decode(errors="surrogateescape"))


def history_lines(opened: IO[bytes]) -> Iterator[str]:
    """The lines of a file. A very long line comes in parts."""
    while line := opened.readline(HAND_CHARACTERS_MAX):
        yield line.decode(errors="surrogateescape")

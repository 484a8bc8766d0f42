"""The formats of hand histories, and how to tell a file's."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import assert_never

from croupier.games.poker.histories import ohh, phh, sites
from croupier.games.poker.histories.headings import START
from croupier.games.poker.histories.phh import Entry


class Format(StrEnum):
    PHH = "phh"
    OHH = "ohh"
    SITE = "site"


def is_json(head: str) -> bool:
    return head.lstrip("\ufeff \r\n\t").startswith("{")


def format_of(head: str) -> Format | None:
    """The format of a file that begins so; None for JSON that is no hand history."""
    if is_json(head):
        return Format.OHH if '"ohh"' in head[:200] or '"spec_version"' in head else None
    return Format.SITE if any(map(START.match, head.splitlines())) else Format.PHH


def read(kind: Format, lines: Iterable[str]) -> Iterator[Entry]:
    """Every hand of a file, or why it is none."""
    match kind:
        case Format.PHH:
            return phh.read(lines)
        case Format.OHH:
            return ohh.read(lines)
        case Format.SITE:
            return sites.read(lines)
        case _:
            assert_never(kind)

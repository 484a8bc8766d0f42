"""The names in what a command prints with `--json`."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

REFERENCE: Final = Path(__file__).parents[2] / "docs" / "reference" / "command-line.md"
OF_DATA = frozenset(("hands", "hard", "soft", "pairs", "insurance", "bySeat", "givenAway", "scoreByTeam"))
"""Below these, names are data: hands, totals, upcards, seats, teams."""
CAMEL_CASE = re.compile(r"[a-z][a-zA-Z0-9]*")


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, part in value.items():
            yield name
            if not (name in OF_DATA and isinstance(part, dict)):
                yield from _names(part)
    elif isinstance(value, list):
        for part in value:
            yield from _names(part)


def assert_camel_case(printed: Any) -> None:
    """Names are in camelCase, except where they are data, and the reference describes those of the object itself."""
    assert isinstance(printed, dict)
    described = set(re.findall(r"`(\w+)`", REFERENCE.read_text(encoding="utf-8").partition("## JSON")[2]))
    assert set(printed) <= described
    assert [name for name in _names(printed) if not CAMEL_CASE.fullmatch(name)] == []

"""Every text that a person reads, in every language: one catalogue for the terminal and the page.

A folder a language, a TOML file an area; `[code] NOT_YOUR_TURN = "…"` is the key `code.NOT_YOUR_TURN`. Facts stand in
braces: `{low}`. A test holds that all languages have the same keys with the same facts.
"""

import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

LANGUAGES: Final = ("en", "ko", "zh", "ru")


@lru_cache
def catalogue(language: str) -> dict[str, str]:
    """All texts of a language by key."""
    folder = files(__package__).joinpath(language)
    found: dict[str, str] = {}
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".toml"):
            found.update(_flat(tomllib.loads(file.read_text(encoding="utf-8"))))
    return found


def text(language: str, key: str, /, **facts: object) -> str:
    """The text for `key`, filled in with the facts; a fact of several values is written with commas."""
    written = {name: ", ".join(map(str, value)) if isinstance(value, tuple) else value for name, value in facts.items()}
    return catalogue(language)[key].format(**written)


def finding_text(language: str, code: str, facts: Mapping[str, object], kind: str = "finding") -> str:
    """What a finding or a notice says to people, who count cards, moves and seats from 1."""
    return text(language, f"{kind}.{code}", **{name: _counted(name, value) for name, value in facts.items()})


_COUNTED: Final = frozenset(("card", "k", "move", "pack", "place", "proof", "seat", "shuffle"))


def _counted(name: str, value: object) -> object:
    if name in _COUNTED and type(value) is int:
        return value + 1
    if name == "seats" and isinstance(value, str):
        return " ".join(str(int(seat) + 1) if seat.isdecimal() else seat for seat in value.split())
    return value


def preferred(environment: Mapping[str, str]) -> str:
    """The language that an environment asks for: CROUPIER_LANG, then LC_ALL, LC_MESSAGES and LANG; else English."""
    for name in ("CROUPIER_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        wish = environment.get(name, "")[:2].lower()
        if wish in LANGUAGES:
            return wish
        if wish:
            break
    return "en"


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value

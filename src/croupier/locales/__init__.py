"""Every text that a person reads, in every language: one catalogue for the terminal and the page.

The texts that belong to no game stand here, in a folder per language with a TOML file per area. A game's texts stand in
its package, as `locales/<language>/*.toml` or `locales/<language>.toml`. `[code] NOT_YOUR_TURN = "…"` is the key
`code.NOT_YOUR_TURN`; facts stand in braces: `{low}`. Where a package lacks a language or a text, its English is used.
"""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from croupier.game.refusal import Refusal

LANGUAGES: Final = ("en", "ko", "zh", "ru")


class TextClashError(ValueError):
    """Two packages, or two files of one package, claim one text key."""


@cache
def texts_of(package: str, language: str) -> dict[str, str]:
    """The texts in a package's own files of a language, by key. The package is not imported.

    Raises TextClashError if two of its files have the same key.
    """
    folder = _folder(package)
    files = [folder / f"{language}.toml", *sorted((folder / language).glob("*.toml"))]
    found: dict[str, tuple[str, str]] = {}
    for file in files:
        if file.is_file():
            for key, text in _flat(tomllib.loads(file.read_text(encoding="utf-8"))):
                _claim(found, key, text, str(file))
    return {key: text for key, (text, _) in found.items()}


@cache
def shell(language: str) -> dict[str, str]:
    """The texts that belong to no game."""
    return _with_english("croupier", language)


@cache
def catalogue(language: str) -> dict[str, str]:
    """All texts of a language by key: the shell's, and those of every installed game.

    Raises TextClashError if two packages have the same key.
    """
    from croupier.game.registry import GAMES

    found: dict[str, tuple[str, str]] = {}
    for package in ("croupier", *(GAMES.package(game) for game in GAMES)):
        for key, text in _with_english(package, language).items():
            _claim(found, key, text, package)
    return {key: text for key, (text, _) in found.items()}


def has_text(language: str, key: str) -> bool:
    """Whether there is a text for this key. Games are looked for only if the shell has none."""
    return key in shell(language) or key in catalogue(language)


def text(language: str, key: str, /, **facts: object) -> str:
    """The text for `key`, filled in with the facts; a fact of several values is written with commas.

    Games are looked for only if the shell has no such text: help texts need none.
    """
    found = shell(language).get(key)
    return (catalogue(language)[key] if found is None else found).format(**_written(facts))


def refusal_text(language: str, refusal: "Refusal") -> str:
    """The text of a refusal. If the code has no text, or its text needs other facts: code and facts."""
    try:
        return text(language, f"code.{refusal.code}", **refusal.facts)
    except KeyError:
        facts = ", ".join(f"{name}={value}" for name, value in _written(refusal.facts).items())
        return f"{refusal.code}: {facts}" if facts else refusal.code


def bot_name(language: str, game: str, bot: str) -> str:
    """The name of a bot: from its game's texts, else from the shell's; else its own name."""
    keys = (f"bot.{game}.{bot}.name", f"bot.{bot}.name")
    return next((text(language, key) for key in keys if has_text(language, key)), bot)


def game_name(language: str, game: str) -> str:
    """The name of a game; its registry name if it has no texts."""
    return text(language, f"{game}.name") if has_text(language, f"{game}.name") else game


def finding_text(language: str, code: str, facts: Mapping[str, object], kind: str = "finding") -> str:
    """The text of a finding or a notice, for people, who count cards, moves and seats from 1."""
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


def _with_english(package: str, language: str) -> dict[str, str]:
    return {**texts_of(package, "en"), **texts_of(package, language)}


def _folder(package: str) -> Path:
    """Where a package has its texts. A game in a single module has them beside it."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"there is no package {package!r} to read texts from", name=package)
    return Path(spec.origin).parent / "locales"


def _claim(found: dict[str, tuple[str, str]], key: str, text: str, owner: str) -> None:
    _, other = found.setdefault(key, (text, owner))
    if other != owner:
        raise TextClashError(f"{other} and {owner} both have a text {key!r}")


def _written(facts: Mapping[str, object]) -> dict[str, object]:
    return {name: ", ".join(map(str, value)) if isinstance(value, tuple) else value for name, value in facts.items()}


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value

"""Whether a game brings the texts that the table, the terminal and the page show."""

import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from string import Formatter
from typing import Any

import msgspec

from croupier.game.game import Game, View

_BASE_FIELDS = frozenset(View.__struct_fields__)


def check_texts(game: Game, package: str) -> None:
    """Check that every text of the game exists in English, and uses only facts that its action or event has."""
    texts = english_texts(package)
    wanted = dict(wanted_texts(game))
    missing = sorted(wanted.keys() - texts.keys())
    assert not missing, f"{package}/locales/en.toml lacks {', '.join(missing)}"
    for key, facts in wanted.items():
        asked = {name for _, name, _, _ in Formatter().parse(texts[key]) if name}
        assert asked <= facts, f"{key} asks for {sorted(asked - facts)}; there are {sorted(facts)}"


def wanted_texts(game: Game) -> Iterator[tuple[str, set[str]]]:
    """The keys of a game's texts, each with the facts that it may use."""
    yield f"{game.name}.name", set()
    yield f"{game.name}.about", set()
    for preset in game.presets:
        yield f"{game.name}.preset.{preset}", set()
    for option in msgspec.structs.fields(game.rules):
        if option.name != "edition":
            yield f"{game.name}.option.{option.name}", set()
    for field in msgspec.structs.fields(game.view):
        if field.name not in _BASE_FIELDS:
            yield f"{game.name}.field.{field.name}", set()
    for area, union in (("action", game.action), ("event", game.event)):
        for kind in getattr(union, "__args__", (union,)):
            facts = {field.encode_name for field in msgspec.structs.fields(kind)}
            yield f"{area}.{kind.__struct_config__.tag}", facts


def english_texts(package: str) -> dict[str, str]:
    """The English texts of a package, by key: from `locales/en.toml`, or from all files of `locales/en/`."""
    folder = files(package).joinpath("locales")
    single, several = folder.joinpath("en.toml"), folder.joinpath("en")
    assert single.is_file() or several.is_dir(), f"{package} has neither locales/en.toml nor locales/en/"
    found = [single] if single.is_file() else [file for file in several.iterdir() if file.name.endswith(".toml")]
    texts: dict[str, str] = {}
    for file in found:
        texts.update(_flat(tomllib.loads(file.read_text(encoding="utf-8"))))
    return texts


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value

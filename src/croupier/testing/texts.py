"""Whether a game brings the texts that the table, the terminal and the page show."""

from collections.abc import Iterator
from string import Formatter
from typing import get_args, get_type_hints

import msgspec

from croupier import locales
from croupier.game.game import Game, SeatView, View

_BASE_FIELDS = frozenset((*View.__struct_fields__, *SeatView.__struct_fields__))


def check_texts(game: Game, package: str) -> None:
    """Check that every text of the game exists in English, and uses only facts that its action or event has."""
    texts = locales.texts_of(package, "en")
    assert texts, f"{package} has neither locales/en.toml nor files in locales/en/"
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
    for kind in (game.view, _seat_type(game)):
        for field in msgspec.structs.fields(kind):
            if field.name not in _BASE_FIELDS:
                yield f"{game.name}.field.{field.name}", set()
    for area, union in (("action", game.action), ("event", game.event)):
        for kind in getattr(union, "__args__", (union,)):
            facts = {field.encode_name for field in msgspec.structs.fields(kind)}
            yield f"{area}.{kind.__struct_config__.tag}", facts


def _seat_type(game: Game) -> type[SeatView]:
    """What the game's view has for each seat."""
    found: type[SeatView] = get_args(get_type_hints(game.view)["seats"])[0]
    return found

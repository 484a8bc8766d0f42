"""Everything the page must know of every game, made from its types: seats, presets, options with bounds, bots,
packs."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import islice
from typing import Any, Final

import msgspec

from croupier import bots
from croupier.game.game import AnyRules, Draw, Game, Over, Turn
from croupier.game.options import EDITION, Option, options_of
from croupier.game.refusal import OptionError, Refusal
from croupier.game.registry import FORMER_NAMES, GAMES
from croupier.server.services import log
from croupier.table.commands import RoomOptions
from croupier.table.lobby import customary_seats

STEPS_MAX: Final = 100
"""The most steps before a round has asked for its pack and let somebody act."""
PAGE: Final = "page"
"""The folder of a game's own page, beside its rules."""


class PresetShape(msgspec.Struct, frozen=True, rename="camel"):
    """Ready-made rules."""

    name: str
    seats: tuple[int, int]
    """The fewest and the most."""
    customary_seats: int
    bots: int
    """How many play against one person by default."""
    rules: dict[str, Any]
    """The value of every option."""
    changeable: tuple[str, ...]
    """The options that can have another value without changing a second one."""
    pack: tuple[str, ...]
    """The cards of the first shuffle, in order."""
    keeps_seats: bool
    """Whether nobody can leave during a round."""


class PageParts(msgspec.Struct, frozen=True):
    """Which files a game brings to the page, under `/games/<name>/`. Generic parts stand in for missing ones."""

    index: bool = False
    """`index.js`: its table."""
    style: bool = False
    """`style.css`"""
    engine: bool = False
    """`engine.js`: its rules, for the checks."""


class FormerShape(msgspec.Struct, frozen=True, rename="camel"):
    """What earlier releases called a game. Rules up to this edition are written under that name."""

    name: str
    last_edition: int


class GameShape(msgspec.Struct, frozen=True, rename="camel"):
    """One game."""

    name: str
    page: PageParts
    presets: tuple[PresetShape, ...]
    """The presets that rooms are opened with, the default one first."""
    options: tuple[Option, ...]
    bots: tuple[str, ...]
    """The default one first."""
    filling_bots: tuple[str, ...]
    """The bots that take turns to fill free seats."""
    former_names: tuple[FormerShape, ...]


class GameList(msgspec.Struct, frozen=True):
    """Every game that rooms can be opened for, and the options of any room."""

    games: tuple[GameShape, ...]
    room: tuple[Option, ...]
    room_values: dict[str, Any] = msgspec.field(name="roomValues")
    """The defaults."""


def game_list(games: tuple[str, ...]) -> GameList:
    """The description of these games, and of every room."""
    names = {field.name: field.encode_name for field in msgspec.structs.fields(RoomOptions)}
    room = tuple(msgspec.structs.replace(each, name=names[each.name]) for each in options_of(RoomOptions).values())
    return GameList(tuple(shape(GAMES[name]) for name in games), room, msgspec.to_builtins(RoomOptions()))


def installed_games() -> tuple[str, ...]:
    """The games that can be loaded. One that cannot is logged and left out, so that the others work."""
    found = []
    for name in GAMES:
        try:
            GAMES[name]
        except Exception:
            log.exception("the game %r cannot be loaded, and is left out", name)
        else:
            found.append(name)
    return tuple(found)


def shape(game: Game) -> GameShape:
    """The description of one game."""
    rules: type[msgspec.Struct] = game.rules
    options = tuple(option for name, option in options_of(rules).items() if name != EDITION)
    presets = game.room_presets or tuple(game.presets)
    return GameShape(
        name=game.name,
        page=_page_parts(game.name),
        presets=tuple(_preset(game, name, options) for name in presets),
        options=options,
        bots=bots.names(game.name),
        filling_bots=bots.filling_bots(game.name),
        former_names=tuple(
            FormerShape(name, former.last_edition) for name, former in FORMER_NAMES.items() if former.game == game.name
        ),
    )


def page_folder(name: str) -> Traversable | None:
    """The folder of a game's own page; None if it brings none."""
    folder = files(GAMES.package(name)).joinpath(PAGE)
    return folder if folder.is_dir() else None


def _page_parts(name: str) -> PageParts:
    folder = page_folder(name)
    if folder is None:
        return PageParts()
    return PageParts(*(folder.joinpath(file).is_file() for file in ("index.js", "style.css", "engine.js")))


def _preset(game: Game, name: str, options: tuple[Option, ...]) -> PresetShape:
    rules = game.presets[name]
    first = _first_turn(rules)
    return PresetShape(
        name=name,
        seats=rules.seat_range,
        customary_seats=customary_seats(rules),
        bots=bots.customary_bots(game.name, name),
        rules=msgspec.to_builtins(rules),
        changeable=tuple(option.name for option in options if _can_change(rules, option)),
        pack=first.pack,
        keeps_seats=first.keeps_seats,
    )


def _can_change(rules: Any, option: Option) -> bool:
    """Whether another value of this option is possible with all other options as they are."""
    present = getattr(rules, option.name)
    match option.kind:
        case "switch":
            values: tuple[Any, ...] = (not present,)
        case "number":
            near = () if present is None else (present - 1, present + 1)
            values = tuple(value for value in (option.low, option.high, *near) if value is not None)
        case "choice" | "text":
            values = option.choices
        case "other":
            return False
    return any(value != present and option.admits(value) and _holds(rules, option, value) for value in values)


def _holds(rules: Any, option: Option, value: Any) -> bool:
    changed = {**msgspec.to_builtins(rules), option.name: int(value) if option.whole else value}
    try:
        msgspec.convert(changed, type(rules))
    except (msgspec.ValidationError, OptionError):
        return False
    return True


class _Start(msgspec.Struct, frozen=True):
    pack: tuple[str, ...]
    keeps_seats: bool


def _first_turn(rules: AnyRules) -> _Start:
    """How a round begins, played by the first offers with the cards in order: its pack, and whether the first to act
    with cards could leave."""
    opened = rules.opening(rules.setup(customary_seats(rules)))
    assert not isinstance(opened, Refusal), opened
    state, shoe, pack = opened.state, iter(()), ()
    for _ in range(STEPS_MAX):
        match rules.awaits(state):
            case Draw() as draw:
                if draw.pack:
                    pack, shoe = pack or draw.pack, iter(draw.pack)
                state = rules.deal(state, tuple(islice(shoe, draw.count))).state
            case Turn(seats=seats):
                if pack:
                    left = rules.leave(state, seats[0])
                    return _Start(tuple(map(str, pack)), isinstance(left, Refusal))
                step = rules.act(state, seats[0], rules.menu(state, seats[0])[0].action)
                assert not isinstance(step, Refusal), step
                state = step.state
            case Over():
                break
    return _Start(tuple(map(str, pack)), keeps_seats=False)

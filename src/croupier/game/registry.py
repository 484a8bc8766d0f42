"""The games there are: found through the entry-point group `croupier.games`, each loaded when it is first asked for."""

from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, NamedTuple

from croupier.game.game import Game

GROUP: Final = "croupier.games"


class FormerName(NamedTuple):
    """What earlier releases called a game. Records of its first editions keep that name for ever."""

    game: str
    """Its name today."""
    last_edition: int
    presets: Mapping[str, str]
    """The presets that have another name today."""


FORMER_NAMES: Final[Mapping[str, FormerName]] = {
    "holdem": FormerName("poker", last_edition=2, presets={"tournament": "holdem"}),
}
"""What records, stores and clients of earlier releases call a game."""


class GameClashError(ValueError):
    """Two packages claim the same name or message type."""


class GameLoadError(ValueError):
    """The object that an entry point names cannot be loaded, or is not that game."""


def current_name(name: str) -> str:
    """The name of a game today: names of earlier releases are read here, and in `current_preset`."""
    former = FORMER_NAMES.get(name)
    return name if former is None else former.game


def current_preset(game: str, preset: str) -> str:
    """The name of a preset today; the game may have its former name."""
    today = current_name(game)
    renamed = (former.presets.get(preset) for former in FORMER_NAMES.values() if former.game == today)
    return next((name for name in renamed if name is not None), preset)


def written_name(game: str, edition: int) -> str:
    """The name under which proofs and records of this edition are written. Digests are over it, so it never changes."""
    written = (name for name, former in FORMER_NAMES.items() if former.game == game and edition <= former.last_edition)
    return next(written, game)


class Registry(Mapping[str, Game]):
    """Every game by name. Former names are found, too, but not listed."""

    def __init__(self, points: Mapping[str, EntryPoint] | None = None) -> None:
        self._points = points
        self._games: dict[str, Game] = {}
        self._tags: dict[str, str] = {}

    def __getitem__(self, name: str) -> Game:
        found = self._games.get(name)
        return self._load(current_name(name)) if found is None else found

    def __iter__(self) -> Iterator[str]:
        return iter(self._found())

    def __len__(self) -> int:
        return len(self._found())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and current_name(name) in self._found()

    def package(self, name: str) -> str:
        """The module that a game's entry point names: its page and texts stand in the same package."""
        return self._found()[current_name(name)].module

    def named(self, word: str, preset: str = "") -> tuple[str, str] | None:
        """The game and the preset that a player means by one word: a game's name, or the name of a preset that only one
        game has. An empty preset is the default one. None for any other word."""
        if word in self:
            return current_name(word), current_preset(word, preset)
        games = [] if preset else [name for name, game in self.items() if word in game.presets]
        return (games[0], word) if len(games) == 1 else None

    def _found(self) -> Mapping[str, EntryPoint]:
        if self._points is None:
            self._points = _by_name(entry_points(group=GROUP))
        return self._points

    def _load(self, name: str) -> Game:
        if name not in self._games:
            self.add(_loaded(name, self._found()[name]))
        return self._games[name]

    def add(self, game: Game) -> None:
        """Add a game. Raises GameClashError if one of its message types is another game's."""
        tags = [str(action.__struct_config__.tag) for action in game.actions]
        for tag in tags:
            other = self._tags.get(tag, game.name)
            if other != game.name:
                raise GameClashError(f"the games {other!r} and {game.name!r} both have an action {tag!r}")
        self._tags.update(dict.fromkeys(tags, game.name))
        self._games[game.name] = game


def _by_name(points: Any) -> dict[str, EntryPoint]:
    """The entry points by name, the built-in games first. Raises GameClashError where a name is claimed twice."""
    found: dict[str, EntryPoint] = {}
    for point in sorted(points, key=lambda point: (not point.value.startswith("croupier.games."), point.name)):
        other = found.setdefault(point.name, point)
        if other.value != point.value:
            raise GameClashError(f"two packages have a game {point.name!r}: {other.value} and {point.value}")
    return found


def _loaded(name: str, point: EntryPoint) -> Game:
    try:
        game = point.load()
    except Exception as error:  # a package's own fault, whatever it is
        raise GameLoadError(f"the game {name!r} cannot be loaded from {point.value}: {error}") from error
    if not isinstance(game, Game) or game.name != name:
        raise GameLoadError(f"{point.value} should be a Game called {name!r}, and is {game!r}")
    return game


GAMES: Final = Registry()

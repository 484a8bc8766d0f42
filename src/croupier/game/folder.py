"""A game given as a value: its package, like `croupier.poker`, so that a type checker knows its actions and views."""

from types import ModuleType
from typing import Any, Protocol, TypeAlias, TypeVar

from croupier.game.game import Action, Game, View
from croupier.game.registry import GAMES

A = TypeVar("A", bound=Action)
V = TypeVar("V", bound=View)


class GameFolder(Protocol[A, V]):
    """A game as its package: `croupier.poker`, or any module with a `GAME`."""

    @property
    def GAME(self) -> Game[Any, A, V]: ...  # noqa: N802 -- the name that every game's package has


AnyGame: TypeAlias = GameFolder[A, V] | Game[Any, A, V]


def game_name(game: object) -> str:
    """The name of a game that is given as its package, its `Game` or its name. Raises ValueError that names the games
    there are."""
    if isinstance(game, ModuleType):
        game = getattr(game, "GAME", game)
    name = game.name if isinstance(game, Game) else game
    if not isinstance(name, str) or name not in GAMES:
        raise ValueError(f"there is no game {name!r}; there are: {', '.join(GAMES)}")
    return name

"""The games that this server offers, and the other games that have rooms in its store."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

import msgspec

from croupier.game.refusal import Refusal
from croupier.game.registry import GAMES, current_name
from croupier.store.port import TableRow
from croupier.table.codes import RoomCode

GAME_SHOWN_MAX: Final = 64


class _Listing(msgspec.Struct):
    """The part of a room's listing that names its game."""

    game: str = ""


class GameNotOfferedError(Exception):
    """A room cannot be served here: its game is not installed, or not allowed by the operator."""

    def __init__(self, game: str) -> None:
        super().__init__(f"the game {game!r} is not offered by this server")
        self.refusal = Refusal(RoomCode.GAME_NOT_OFFERED, {"game": game[:GAME_SHOWN_MAX]})


class OfferedGames:
    """The installed games that the operator allows; by default, all."""

    def __init__(self, allowed: Sequence[str] = ()) -> None:
        self._allowed = frozenset(map(current_name, allowed))
        self.not_offered: dict[str, int] = {}
        """How many rooms the store has of each game that is not offered, as counted at the start."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The games, loaded. Raises GameClashError or GameLoadError, which name the packages at fault."""
        names = tuple(name for name in GAMES if not self._allowed or name in self._allowed)
        for name in names:
            GAMES[name]
        return names

    def has(self, game: str) -> bool:
        return current_name(game) in self.names

    def check(self, game: str) -> None:
        """Raises GameNotOfferedError."""
        if not self.has(game):
            raise GameNotOfferedError(game)

    def serves(self, row: TableRow) -> bool:
        """Whether a room can be served, going by its listing."""
        game = game_of(row)
        return not game or self.has(game)

    def count(self, rows: Iterable[TableRow]) -> None:
        """Note the rooms whose games are not offered."""
        self.not_offered = dict(Counter(game_of(row)[:GAME_SHOWN_MAX] for row in rows if not self.serves(row)))


def game_of(row: TableRow) -> str:
    """The game of a room; empty if its listing does not say."""
    try:
        return msgspec.json.decode(row.listing, type=_Listing).game
    except msgspec.DecodeError:
        return ""

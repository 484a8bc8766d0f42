"""The log of a room in bytes: each entry is one JSON object."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final

import msgspec

from croupier.game.registry import GAMES
from croupier.table.commands import RoomCreate
from croupier.table.log import START, ChainError, Logged, chained

write_entry: Final = msgspec.json.Encoder().encode
"""An entry as the store keeps it."""


@cache
def _decoder(game: str) -> "msgspec.json.Decoder[Logged[Any]]":
    """Reads the entries of a room of this game; without one, the entry that opens a room."""
    return msgspec.json.Decoder(Logged[GAMES[game].action if game else Any])  # type: ignore[misc] # known when it runs


def read_entry(record: bytes, game: str = "") -> Logged[Any]:
    """An entry as recorded, without a check of the chain. Without the game, actions stay plain values."""
    return _decoder(game).decode(record)


class LogReader:
    """Reads a log's entries in order, and checks the chain."""

    def __init__(self, game: str = "", head: bytes = START, count: int = 0) -> None:
        """`head` is the chain after the first `count` entries. The first entry says which game it is."""
        self.head = head
        self.count = count
        self.game = game

    def read(self, record: bytes) -> Logged[Any]:
        """The next entry. Raises ChainError when it does not follow from those before it."""
        self.count += 1
        try:
            logged = read_entry(record, self.game)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ChainError(f"entry {self.count} of the log cannot be read: {error}") from error
        if logged.before and logged.before != self.head.hex():
            raise ChainError(f"entry {self.count} of the log does not follow from those before it")
        if isinstance(logged.command, RoomCreate):
            self.game = logged.command.game
        self.head = chained(self.head, record)
        return logged


def read_log(records: Iterable[bytes]) -> Iterator[Logged[Any]]:
    """The entries of a whole log. Raises ChainError where one does not follow from those before it."""
    reader = LogReader()
    for record in records:
        yield reader.read(record)

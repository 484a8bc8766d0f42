"""Why the room, not a game, refuses something: the table's codes, for the messages here."""

from croupier.table.codes import RoomCode

__all__ = ["RoomCode"]

"""The codes of refusals by the room, not by a game: the table's codes, for the messages here."""

from croupier.table.codes import RoomCode

__all__ = ["RoomCode"]

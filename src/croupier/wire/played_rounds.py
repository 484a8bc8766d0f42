"""Finished rounds of a room for replay, as one viewer heard them."""

from typing import Any

import msgspec


class Seated(msgspec.Struct, frozen=True, rename="camel"):
    """The person in a seat."""

    id: str
    name: str
    bot: str | None


class PlayedRound(msgspec.Struct, frozen=True, rename="camel"):
    """One round."""

    hand: int
    rules: Any
    own: int | None
    """The viewer's seat; none for a spectator."""
    seats: tuple[Seated | None, ...]
    events: tuple[Any, ...]


class RoomReplay(msgspec.Struct, frozen=True, rename="camel"):
    """Rounds of a room, the oldest first."""

    room_code: str
    game: str
    hands: tuple[PlayedRound, ...]

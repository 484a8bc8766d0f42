"""A room as a client sees it: the JSON of `ROOM_STATE`, with the types of what every room has.

`docs/protocol.md` describes each name. What belongs to a game, its view, menu, rules and events, is read by the game.
"""

from typing import Any, TypedDict


class Member(TypedDict):
    """A person or bot in the room."""

    id: str
    name: str
    bot: str
    seat: int | None
    teamId: str
    ready: bool
    away: bool
    missed: int
    bankMs: int
    promised: bool
    owes: int | None
    backAtHand: int
    buying: int
    bought: int
    sitsNext: str
    stands: bool


class PublicState(TypedDict):
    """What everybody sees of a room."""

    roomCode: str
    roomId: str
    game: str
    edition: int
    preset: str
    rules: dict[str, Any]
    options: dict[str, Any]
    phase: str
    paused: bool
    host: str
    members: list[Member]
    hand: int
    version: int
    gameVersion: int
    turn: list[int]
    deadlineMs: int | None
    nextRoundAtMs: int | None
    scheme: str
    deal: int
    waitsFor: list[int]
    agreeing: list[str]
    gathering: bool
    payouts: list[int] | None
    openTable: bool
    entry: str
    waiting: list[dict[str, str]]
    removed: list[dict[str, str]]


class OwnState(TypedDict):
    """What this viewer sees of a room."""

    seat: int | None
    view: Any
    menu: list[Any]


class RoomState(TypedDict):
    """A room after a change. It is empty until the first state has come and passed the checks."""

    public: PublicState
    you: OwnState
    events: list[Any]
    moves: list[dict[str, Any]]
    deals: list[dict[str, Any]]
    openings: list[dict[str, Any]]
    whole: bool

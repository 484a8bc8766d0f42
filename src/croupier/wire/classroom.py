"""The messages of the classroom table over the WebSocket: the same table that the SignalR hub serves."""

from typing import Annotated, Final, TypeAlias

import msgspec

from croupier.games.blackjack.classroom import Classroom, ClassroomView
from croupier.wire.frames import Answer, Request


class ClassroomWatch(Request, frozen=True, tag="CLASSROOM_WATCH"):
    """Shows the table without a seat at it: for a projector."""


class ClassroomJoin(Request, frozen=True, tag="CLASSROOM_JOIN"):
    """Sits down; with the right key, as the dealer."""

    name: Annotated[str, msgspec.Meta(max_length=200)]
    dealer_key: Annotated[str, msgspec.Meta(max_length=200)] = ""


class ClassroomStart(Request, frozen=True, tag="CLASSROOM_START_ROUND"):
    """Begins a round. Only the dealer may ask."""


class ClassroomHit(Request, frozen=True, tag="CLASSROOM_HIT"):
    """Takes a card."""


class ClassroomStand(Request, frozen=True, tag="CLASSROOM_STAND"):
    """Takes no more cards."""


class ClassroomLeave(Request, frozen=True, tag="CLASSROOM_LEAVE"):
    """Leaves the table, as losing the connection does."""


ClassroomRequest: TypeAlias = (
    ClassroomWatch | ClassroomJoin | ClassroomStart | ClassroomHit | ClassroomStand | ClassroomLeave
)
CLASSROOM_REQUESTS: Final = {str(request.__struct_config__.tag): request for request in ClassroomRequest.__args__}


class ClassroomDone(Answer, frozen=True, tag="CLASSROOM_DONE"):
    """A request was done. `playerId` is the caller's own at this table."""

    player_id: str


class ClassroomOptions(msgspec.Struct, frozen=True, rename="camel"):
    """What the table was set up with. Names are measured in UTF-16 code units, as browsers and .NET do it."""

    deck_count: int
    dealer_stand_score: int
    min_players_to_start: int
    min_name_length: int
    max_name_length: int


def options_of(classroom: Classroom) -> ClassroomOptions:
    return ClassroomOptions(
        deck_count=classroom.rules.decks,
        dealer_stand_score=classroom.rules.dealer_stands_on,
        min_players_to_start=classroom.players_min,
        min_name_length=classroom.name_length_min,
        max_name_length=classroom.name_length_max,
    )


class ClassroomShown(Answer, frozen=True, tag="CLASSROOM_STATE"):
    """The table as everybody sees it."""

    state: ClassroomView
    options: ClassroomOptions


class ClassroomNotice(Answer, frozen=True, tag="CLASSROOM_NOTICE"):
    """Something that ended the round or the game for everybody; the state comes next."""

    code: str
    message: str

"""The messages of the classroom table over the WebSocket: the same table that the SignalR hub serves."""

from typing import Annotated, Final, TypeAlias

import msgspec

from croupier.rules.blackjack.classroom import ClassroomView
from croupier.wire.frames import Answer, Request


class ClassroomWatch(Request, frozen=True, tag="CLASSROOM_WATCH"):
    """Sees the table without sitting at it: for the beamer."""


class ClassroomJoin(Request, frozen=True, tag="CLASSROOM_JOIN"):
    """Sits down; with the right key, as the dealer."""

    name: Annotated[str, msgspec.Meta(max_length=200)]
    dealer_key: Annotated[str, msgspec.Meta(max_length=200)] = ""


class ClassroomStart(Request, frozen=True, tag="CLASSROOM_START_ROUND"):
    pass


class ClassroomHit(Request, frozen=True, tag="CLASSROOM_HIT"):
    pass


class ClassroomStand(Request, frozen=True, tag="CLASSROOM_STAND"):
    pass


class ClassroomLeave(Request, frozen=True, tag="CLASSROOM_LEAVE"):
    pass


ClassroomRequest: TypeAlias = (
    ClassroomWatch | ClassroomJoin | ClassroomStart | ClassroomHit | ClassroomStand | ClassroomLeave
)
CLASSROOM_REQUESTS: Final = {str(request.__struct_config__.tag): request for request in ClassroomRequest.__args__}


class ClassroomDone(Answer, frozen=True, tag="CLASSROOM_DONE"):
    """A request was done. `playerId` is the caller's own at this table."""

    player_id: str


class ClassroomShown(Answer, frozen=True, tag="CLASSROOM_STATE"):
    """The table as everybody sees it."""

    state: ClassroomView


class ClassroomNotice(Answer, frozen=True, tag="CLASSROOM_NOTICE"):
    """Something that ended the round or the game for everybody; the state comes next."""

    code: str
    message: str

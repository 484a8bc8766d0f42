"""What the nodes of one store say to each other. None of it is kept, any of it may be lost."""

from typing import Final, TypeAlias

import msgspec

PEOPLE_TOLD_MAX: Final = 300
"""So many people of a node are told to the others: they must fit into one message."""


class Heard(msgspec.Struct, frozen=True, tag="heard"):
    """A frame for everybody who listens to a room: chat, reactions."""

    room: str
    frame: msgspec.Raw


class Here(msgspec.Struct, frozen=True, tag="here"):
    """Who listens to which room on a node: everybody, whoever was told before."""

    node: str
    rooms: dict[str, tuple[str, ...]]


class Alive(msgspec.Struct, frozen=True, tag="alive"):
    """A node lives: what it told of its people still holds."""

    node: str


class WhoIsThere(msgspec.Struct, frozen=True, tag="who"):
    """Asks all nodes for their people in a room, or, without one, in all of theirs."""

    room: str = ""


class SignedOut(msgspec.Struct, frozen=True, tag="out"):
    """A person has a new token, of this hash: connections by any other are ended."""

    person: str
    token_hash: bytes


Message: TypeAlias = Heard | Here | Alive | WhoIsThere | SignedOut

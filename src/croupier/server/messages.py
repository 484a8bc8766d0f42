"""What the nodes of one store say to each other. None of it is kept, any of it may be lost."""

from typing import Final, TypeAlias

import msgspec

PEOPLE_TOLD_MAX: Final = 300
"""How many people of a node are told to the others: they must fit into one message."""


class Heard(msgspec.Struct, frozen=True, tag="heard"):
    """A frame for everybody who listens to a room: chat, reactions."""

    room: str
    frame: msgspec.Raw


class Here(msgspec.Struct, frozen=True, tag="here"):
    """All people who listen to each of these rooms on a node. It replaces what was told before."""

    node: str
    rooms: dict[str, tuple[str, ...]]


class Alive(msgspec.Struct, frozen=True, tag="alive"):
    """A node lives: what it told of its people still holds."""

    node: str


class WhoIsThere(msgspec.Struct, frozen=True, tag="who"):
    """Asks all nodes for their people in a room, or, without one, in all of theirs."""

    room: str = ""


class SignedOut(msgspec.Struct, frozen=True, tag="out"):
    """A person has a new token with this hash: connections by any other token are ended."""

    person: str
    token_hash: bytes


Message: TypeAlias = Heard | Here | Alive | WhoIsThere | SignedOut

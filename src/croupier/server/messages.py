"""Messages between the nodes of one store. They are not stored, and any of them may be lost."""

from typing import Final, TypeAlias

import msgspec

PEOPLE_TOLD_MAX: Final = 300
"""How many people a node reports to the others: they must fit into one message."""


class Heard(msgspec.Struct, frozen=True, tag="heard"):
    """A frame for all listeners of a room: chat, reactions."""

    room: str
    frame: msgspec.Raw


class Here(msgspec.Struct, frozen=True, tag="here"):
    """All people who listen to each of these rooms on a node. It replaces earlier reports."""

    node: str
    rooms: dict[str, tuple[str, ...]]


class Alive(msgspec.Struct, frozen=True, tag="alive"):
    """A node is alive: its last report of its people still holds."""

    node: str


class WhoIsThere(msgspec.Struct, frozen=True, tag="who"):
    """A request to all nodes for their people in a room or, without one, in all rooms."""

    room: str = ""


class SignedOut(msgspec.Struct, frozen=True, tag="out"):
    """A person has a new token with this hash: connections with any other token end."""

    person: str
    token_hash: bytes


Message: TypeAlias = Heard | Here | Alive | WhoIsThere | SignedOut

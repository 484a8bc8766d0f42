"""What all messages share. JSON text frames, `{"type": "UPPER_SNAKE", ...camelCase}`, one message a frame."""

from collections.abc import Mapping
from typing import Annotated, TypeAlias

import msgspec

Id: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=r"^[ -~]+(?!\n)$")]
"""A client's own name for a request or a command: printable ASCII, because it reaches the store. The look ahead is
there because Python's `$` also stands before a last line feed."""
Version: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
Facts: TypeAlias = Mapping[str, int | float | str | tuple[int | str, ...]]
"""A refusal's facts, in a type that JSON Schema can say."""


class Request(msgspec.Struct, frozen=True, kw_only=True, rename="camel", tag_field="type", forbid_unknown_fields=True):
    """Base of what a client asks. Every request is answered, with its `requestId`: by what it asks for, or an ERROR."""

    request_id: Id


class Command(Request, frozen=True, kw_only=True):
    """Base of a request that changes something.

    `expectedVersion` is the version that the client has seen; another one is refused as STALE_VERSION. The same
    `commandId` again is answered with the first answer, and not done twice.
    """

    expected_version: Version
    command_id: Id


class Answer(msgspec.Struct, frozen=True, kw_only=True, rename="camel", tag_field="type"):
    """Base of what the server sends. `requestId` is there when it answers a request."""

    request_id: str | msgspec.UnsetType = msgspec.UNSET


class Error(Answer, frozen=True, tag="ERROR"):
    """A request was refused, and nothing changed. `message` is in the caller's language."""

    code: str
    message: str
    facts: Facts

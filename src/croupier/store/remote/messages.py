"""The messages of a line: a client's numbered requests, and the owner's answers to these numbers.

A step and its usual answer have messages of their own. Every other method of a store is called by its name, with its
arguments and its answer packed by the types in `port`.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Final, get_type_hints

import msgspec

from croupier.store.port import Append, Store


class Write(msgspec.Struct, frozen=True, array_like=True, tag=0):
    """A step to append."""

    number: int
    append: Append


class Ask(msgspec.Struct, frozen=True, array_like=True, tag=1):
    """Another method of the store."""

    number: int
    method: str
    arguments: msgspec.Raw


class Done(msgspec.Struct, frozen=True, array_like=True, tag=0):
    """These steps are durable."""

    numbers: list[int]


class Passed(msgspec.Struct, frozen=True, array_like=True, tag=1):
    """This step is `Stale`."""

    number: int
    version: int


class DoneBefore(msgspec.Struct, frozen=True, array_like=True, tag=2):
    """This step is `Repeated`."""

    number: int
    version: int
    answer: bytes


class Answered(msgspec.Struct, frozen=True, array_like=True, tag=3):
    """What the method returned."""

    number: int
    answer: msgspec.Raw


class Failed(msgspec.Struct, frozen=True, array_like=True, tag=4):
    """What was raised: a `ValueError`, or, with a code, a `StoreError`."""

    number: int
    words: str
    code: str = ""
    facts: dict[str, Any] = {}


class Heard(msgspec.Struct, frozen=True, array_like=True, tag=5):
    """Writes and messages of others."""

    written: list[str]
    said: list[str]


Request = Write | Ask
Answer = Done | Passed | DoneBefore | Answered | Failed | Heard


def words(value: object) -> str:
    """The value as text that can be sent: a file name may hold bytes that are not text."""
    return str(value).encode(errors="replace").decode()


pack: Final = msgspec.msgpack.Encoder(enc_hook=words)


class _Question:
    """How the arguments and the answer of a method are unpacked."""

    def __init__(self, method: Callable[..., Awaitable[Any]]) -> None:
        *arguments, answer = get_type_hints(method).values()
        self.arguments = msgspec.msgpack.Decoder(tuple[*arguments])  # type: ignore[valid-type]  # known when it runs
        self.answer = msgspec.msgpack.Decoder(answer)


QUESTIONS: Final = {
    method.__name__: _Question(method)
    for method in (
        Store.records,
        Store.news,
        Store.secrets,
        Store.forget_secrets,
        Store.snapshot,
        Store.save_snapshot,
        Store.table,
        Store.tables,
        Store.due,
        Store.answer,
        Store.balance,
        Store.ledger,
        Store.total,
        Store.save_person,
        Store.person,
        Store.person_by_token,
        Store.tell,
        Store.check,
    )
}

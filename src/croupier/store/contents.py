"""What a store holds, row by row with its seals, for checks."""

from typing import Any, Protocol

import msgspec

from croupier.store.port import Person
from croupier.store.seals import next_head


class KeptSecret(msgspec.Struct, frozen=True):
    secret: bytes
    seal: bytes


class KeptTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table's row, and everything kept beside its records."""

    name: str
    version: int
    open: bool
    deadline_ms: int | None
    listing: bytes
    head: bytes
    unsealed: int
    seal: bytes
    listing_seal: bytes
    snapshot: bytes | None
    secrets: dict[str, KeptSecret]


class KeptStep(msgspec.Struct, frozen=True, gc=False):
    """A record with its ledger entries."""

    version: int
    at_ms: int
    command_id: str | None
    record: bytes
    answer: bytes
    entries: tuple[tuple[str, int], ...]

    def head_after(self, before: bytes, table: str) -> bytes:
        """The chain of its table after this step."""
        parts = self.version, self.at_ms, self.command_id, self.record, self.answer, self.entries
        return next_head(before, table, *parts)


class Head(msgspec.Struct, frozen=True):
    """A table's version, and the head of a chain of all its steps, sealed or not."""

    table: str
    version: int
    head: bytes


class Reader(Protocol):
    """Receives everything that a store holds: the people, then each table with its steps in order."""

    def person(self, person: Person, seal: bytes) -> None: ...

    def begin(self, kept: KeptTable) -> None:
        """The next table."""

    def step(self, step: KeptStep) -> None:
        """The next step of that table."""

    def end(self) -> None:
        """The table had no more."""


def kept_table(row: Any, secrets: dict[str, KeptSecret]) -> KeptTable:
    """From a row of name, version, open, deadline, listing, head, unsealed, seal, listing seal, snapshot."""
    name, version, is_open, deadline_ms, listing, head, unsealed, seal, listing_seal, snapshot = row
    return KeptTable(
        name=name,
        version=version,
        open=bool(is_open),
        deadline_ms=deadline_ms,
        listing=listing,
        head=head,
        unsealed=unsealed,
        seal=seal,
        listing_seal=listing_seal,
        snapshot=snapshot,
        secrets=secrets,
    )

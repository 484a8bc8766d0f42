"""The promises of every store, whatever it is built on.

- A table's records are numbered 1, 2, 3 … without gaps, and never change.
- `append` is all or nothing: the record, its ledger entries, its secrets and the answer to its command become durable
  together, before it returns. Of two writers of the same version, one gets `Stale`.
- The entries of one append sum to zero, so the sum over all accounts is always zero.
- Secrets are kept apart from records: reading records never shows one.
- A table has at most one snapshot. It adds nothing to the records, so it may be lost at any time.
- A store that cannot write raises `StoreError`, and then nothing of that append is kept.
- A step that no caller may ask for is a bug in the caller: it raises `ValueError`, and nothing of it is kept. Examples:
  entries that do not sum to zero, a step of a closed table, more than `limits` allows.
"""

from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from typing import Final, Protocol

import msgspec

ANY_TABLE: Final = ""
"""Instead of a name: any table may have been written, because nobody listened for a while."""
LISTED: Final = b'"listed":true'
"""Marks the listing of a table that everybody may find."""


class Entry(msgspec.Struct, frozen=True):
    """Chips that come to an account, or leave it."""

    account: str
    chips: int


class Append(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a table: what is written together."""

    table: str
    version: int
    """The number of the new record: one more than the table's last."""
    record: bytes
    at_ms: int
    """When it happened, in milliseconds since 1970; the caller's clock."""
    command_id: str = ""
    """The command's id, so that a retry is answered and not done twice. Empty if no client asked for the step."""
    answer: bytes = b""
    entries: tuple[Entry, ...] = ()
    secrets: tuple[tuple[str, bytes], ...] = ()
    """Named secrets of this table to keep; a name that exists is replaced."""
    deadline_ms: int | None = None
    """When the table must be looked at again; None if nothing is due."""
    listing: bytes | None = None
    """What lists of tables show of it; None if that did not change. One with the bytes `LISTED` is found quickly."""
    open: bool = True
    """Whether the table stays open; a closed one can only be read."""
    sealed: bool = True
    """Whether it is in the table's chain. Only records moved from a store without chains are not, and none of these
    follows a sealed one."""


class Stale(msgspec.Struct, frozen=True):
    """Somebody else wrote that version, or the caller missed some. The table is at `version`."""

    version: int


class Repeated(msgspec.Struct, frozen=True):
    """This command was done before, as `version`, with this answer."""

    version: int
    answer: bytes


class Stored(msgspec.Struct, frozen=True, gc=False):
    """A stored record."""

    version: int
    at_ms: int
    record: bytes


class TableRow(msgspec.Struct, frozen=True):
    """A table without its records."""

    table: str
    version: int
    open: bool
    deadline_ms: int | None
    listing: bytes


class Person(msgspec.Struct, frozen=True):
    """Somebody who has been here. The token itself is never stored, only its SHA-256."""

    id: str
    name: str
    token_hash: bytes
    language: str
    created_ms: int


class LedgerLine(msgspec.Struct, frozen=True):
    """A stored entry, and its record."""

    table: str
    version: int
    account: str
    chips: int
    at_ms: int


class Written(msgspec.Struct, frozen=True):
    """Another node wrote to this table; or to any, for `ANY_TABLE`."""

    table: str


class Said(msgspec.Struct, frozen=True):
    """What another node said by `tell`."""

    message: str


class StoreError(Exception):
    """The store cannot be used: it is full, read-only, corrupt or gone. The message says what is wrong, and where.

    The same text stands in every language's catalogue as `store.<code>`, to be filled in with `facts`.
    """

    def __init__(self, message: str, code: str = "STORE_BROKEN", facts: Mapping[str, object] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.facts = dict(facts or {})


class Store(Protocol):
    """A store of tables. Every method may be called from any task; appends to one table come one at a time."""

    def append(self, append: Append) -> Awaitable[Stale | Repeated | None]:
        """Write one step, even if nobody waits for it; returns None when it is durable.

        A repeated command is answered before its version is looked at, so that a retry need not know it. A caller that
        is cancelled while it waits must read the table to find out whether the step was kept.
        """

    async def records(self, table: str, after: int = 0) -> Sequence[Stored]:
        """A table's records with a version above `after`, in order."""

    async def news(self, known: Mapping[str, int]) -> Mapping[str, Sequence[Stored]]:
        """For many tables at once: the records above the known version. Tables with no new record are left out."""

    async def secrets(self, table: str, names: Sequence[str] | None = None) -> dict[str, bytes]:
        """A table's secrets: those of these names, or all."""

    async def forget_secrets(self, table: str, names: Sequence[str]) -> None:
        """Drop secrets that are revealed or no longer needed."""

    async def snapshot(self, table: str) -> bytes | None:
        """The table's newest snapshot."""

    async def save_snapshot(self, table: str, snapshot: bytes) -> None:
        """Keep a snapshot in place of the last one. Do nothing for a table that does not exist."""

    async def table(self, table: str) -> TableRow | None: ...

    async def tables(
        self, prefix: str = "", only_open: bool = True, most: int = 1000, only_listed: bool = False
    ) -> Sequence[TableRow]:
        """Tables whose names have this prefix, the last changed first. With `only_listed`, open ones whose listing has
        the bytes `LISTED`: these are found without looking at the others."""

    async def due(self, now_ms: int, most: int = 100) -> Sequence[TableRow]:
        """Open tables whose deadline has passed, the longest overdue first."""

    async def answer(self, table: str, command_id: str) -> Repeated | None:
        """The answer to a command, if it was done."""

    async def balance(self, account: str) -> int:
        """The sum of an account's entries; 0 for one that has none."""

    async def ledger(self, account: str, most: int = 100) -> Sequence[LedgerLine]:
        """An account's last entries, the newest first."""

    async def total(self) -> int:
        """The sum over all accounts: zero, unless the store is broken."""

    async def save_person(self, person: Person) -> None:
        """Add a person, or replace an existing one. Another person's token is a `ValueError`."""

    async def person(self, person: str) -> Person | None: ...

    async def person_by_token(self, token_hash: bytes) -> Person | None: ...

    def changes(self) -> AsyncIterator[Written | Said]:
        """Writes and messages of other nodes as they happen, until the store is closed.

        These are only hints to look sooner. A hint may come late, twice or never, so a caller that depends on them also
        asks for `news` from time to time. `ANY_TABLE` comes first, and again whenever hints may have been missed. A
        single node's store never yields anything.
        """

    async def tell(self, message: str) -> None:
        """Send a message to all other nodes that are listening. It is not stored and may be lost."""

    async def check(self) -> Sequence[str]:
        """Every broken promise that can be found, in words; empty if all is well."""

    async def close(self) -> None:
        """Finish the queue, then close."""

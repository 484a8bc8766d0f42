"""Digests that reveal an edit of a store.

Every table has a chain: its head is a hash over the head before and all of a step, the answer and the ledger entries
included. To change, drop or move a record or an entry, a forger must recompute every later head, and these then differ
from heads exported earlier. Rows with present values only (a table's row, its listing, its secrets, people) have their
own seals.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from croupier.dealing.hash_input import HASH_BYTES, frame
from croupier.store.port import Append, Person

START: Final = bytes(HASH_BYTES)
"""The head of a table without a step in its chain."""


def next_head(
    before: bytes,
    table: str,
    version: int,
    at_ms: int,
    command_id: str | None,
    record: bytes,
    answer: bytes,
    entries: Iterable[tuple[str, int]],
) -> bytes:
    """The chain after a step. `command_id` is None for a step without a command."""
    moved = [part for account, chips in entries for part in (account.encode(), b"%d" % chips)]
    asked = b"" if command_id is None else b"=" + command_id.encode()
    name, number, at = table.encode(), b"%d" % version, b"%d" % at_ms
    return sha256(frame(b"croupier step", before, name, number, at, asked, record, answer, *moved)).digest()


def head_after(before: bytes, append: Append) -> bytes:
    """The chain after a step that is about to be written."""
    entries = [(entry.account, entry.chips) for entry in append.entries]
    command_id = append.command_id or None
    return next_head(
        before, append.table, append.version, append.at_ms, command_id, append.record, append.answer, entries
    )


def table_seal(table: str, head: bytes, unsealed: int, version: int, is_open: bool, deadline_ms: int | None) -> bytes:
    """The seal of a table's row. The first `unsealed` records are not in the chain."""
    deadline = b"" if deadline_ms is None else b"%d" % deadline_ms
    numbers = b"%d" % unsealed, b"%d" % version, b"%d" % is_open, deadline
    return sha256(frame(b"croupier table", table.encode(), head, *numbers)).digest()


def listing_seal(table: str, listing: bytes) -> bytes:
    return sha256(frame(b"croupier listing", table.encode(), listing)).digest()


def secret_seal(table: str, name: str, secret: bytes) -> bytes:
    return sha256(frame(b"croupier secret", table.encode(), name.encode(), secret)).digest()


def person_seal(person: Person) -> bytes:
    parts = person.id.encode(), person.name.encode(), person.token_hash, person.language.encode()
    return sha256(frame(b"croupier person", *parts, b"%d" % person.created_ms)).digest()

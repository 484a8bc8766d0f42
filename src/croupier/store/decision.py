"""Whether a step is accepted: one decision for every database."""

from collections.abc import Mapping, Sequence

import msgspec

from croupier.store.port import Append, Entry, Repeated, Stale
from croupier.store.seals import START, head_after

Outcome = Stale | Repeated | ValueError | None
"""The outcome of a step; None if it was written."""


class TableHead(msgspec.Struct):
    """A table after the steps accepted so far."""

    id: int = 0
    version: int = 0
    open: bool = True
    head: bytes = START
    unsealed: int = 0
    deadline_ms: int | None = None
    """Known once a step was accepted."""

    def accept(self, append: Append) -> None:
        self.version = append.version
        self.open = append.open
        self.deadline_ms = append.deadline_ms
        if append.sealed:
            self.head = head_after(self.head, append)
        else:
            self.unsealed = append.version


def decision(append: Append, table: TableHead | None, done: Mapping[tuple[str, str], Repeated]) -> Outcome:
    """Why a step is not accepted, apart from its entries; None if it may be. `table` is None for a new table; `done`
    has the answers to earlier commands.
    """
    if append.command_id and (repeated := done.get((append.table, append.command_id))):
        return repeated
    version = table.version if table else 0
    if append.version != version + 1:
        return Stale(version)
    if table and not table.open:
        return ValueError(f"{append.table} is closed")
    if not append.sealed and table and table.unsealed != version:
        return ValueError(f"{append.table}: its chain has begun, and every step belongs to it")
    return None


def moved_chips(entries: Sequence[Entry]) -> dict[str, int]:
    """How many chips the entries move into each account."""
    moved: dict[str, int] = {}
    for entry in entries:
        moved[entry.account] = moved.get(entry.account, 0) + entry.chips
    return moved

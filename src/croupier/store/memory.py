"""A store in plain dictionaries, gone with its process. The reference for the other stores."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field

from croupier.store.faults import fault
from croupier.store.findings import Finding
from croupier.store.limits import hold_append, hold_balance, hold_message, hold_person, hold_snapshot
from croupier.store.port import LISTED, Append, LedgerLine, Person, Repeated, Said, Stale, Stored, TableRow, Written
from croupier.store.single_node import silence


@dataclass
class _Table:
    """Everything kept of one table."""

    records: list[Stored] = field(default_factory=list)
    answers: dict[str, Repeated] = field(default_factory=dict)
    secrets: dict[str, bytes] = field(default_factory=dict)
    open: bool = True
    deadline_ms: int | None = None
    listing: bytes = b""
    snapshot: bytes | None = None
    changed: int = 0
    """The number, over all tables, of the last step."""


class MemoryStore:
    """Keeps every promise of `Store` except durability."""

    def __init__(self) -> None:
        self._tables: dict[str, _Table] = {}
        self._ledger: list[LedgerLine] = []
        self._balances: Counter[str] = Counter()
        self._people: dict[str, Person] = {}
        self._steps = 0
        self._closing = asyncio.Event()

    async def append(self, append: Append) -> Stale | Repeated | None:
        self._hold_open()
        hold_append(append)
        table = self._tables.get(append.table) or _Table()
        if append.command_id and (done := table.answers.get(append.command_id)):
            return done
        if append.version != len(table.records) + 1:
            return Stale(len(table.records))
        if not table.open:
            raise ValueError(f"{append.table} is closed")
        self._hold_balances(append)
        self._steps += 1
        self._write(table, append)
        return None

    def _write(self, table: _Table, append: Append) -> None:
        self._tables[append.table] = table
        table.records.append(Stored(append.version, append.at_ms, append.record))
        if append.command_id:
            table.answers[append.command_id] = Repeated(append.version, append.answer)
        table.secrets.update(append.secrets)
        table.open = append.open
        table.deadline_ms = append.deadline_ms
        table.changed = self._steps
        if append.listing is not None:
            table.listing = append.listing
        for entry in append.entries:
            line = LedgerLine(append.table, append.version, entry.account, entry.chips, append.at_ms)
            self._ledger.append(line)
            self._balances[entry.account] += entry.chips

    async def records(self, table: str, after: int = 0) -> Sequence[Stored]:
        self._hold_open()
        return self._tables[table].records[max(after, 0) :] if table in self._tables else []

    async def news(self, known: Mapping[str, int]) -> dict[str, Sequence[Stored]]:
        read = {table: await self.records(table, after) for table, after in known.items()}
        return {table: records for table, records in read.items() if records}

    async def secrets(self, table: str, names: Sequence[str] | None = None) -> dict[str, bytes]:
        self._hold_open()
        found = self._tables[table].secrets if table in self._tables else {}
        return {name: secret for name, secret in found.items() if names is None or name in names}

    async def forget_secrets(self, table: str, names: Sequence[str]) -> None:
        self._hold_open()
        if table in self._tables:
            for name in names:
                self._tables[table].secrets.pop(name, None)

    async def snapshot(self, table: str) -> bytes | None:
        self._hold_open()
        return self._tables[table].snapshot if table in self._tables else None

    async def save_snapshot(self, table: str, snapshot: bytes) -> None:
        self._hold_open()
        hold_snapshot(table, snapshot)
        if table in self._tables:
            self._tables[table].snapshot = snapshot

    async def table(self, table: str) -> TableRow | None:
        self._hold_open()
        return self._row(table) if table in self._tables else None

    async def tables(
        self, prefix: str = "", only_open: bool = True, most: int = 1000, only_listed: bool = False
    ) -> Sequence[TableRow]:
        self._hold_open()
        found = [
            name
            for name, table in self._tables.items()
            if name.startswith(prefix)
            and (table.open or not (only_open or only_listed))
            and (LISTED in table.listing or not only_listed)
        ]
        found.sort(key=lambda name: -self._tables[name].changed)
        return [self._row(name) for name in found[:most]]

    async def due(self, now_ms: int, most: int = 100) -> Sequence[TableRow]:
        self._hold_open()
        overdue = [
            (table.deadline_ms, name)
            for name, table in self._tables.items()
            if table.open and table.deadline_ms is not None and table.deadline_ms <= now_ms
        ]
        return [self._row(name) for _, name in sorted(overdue)[:most]]

    async def answer(self, table: str, command_id: str) -> Repeated | None:
        self._hold_open()
        return self._tables[table].answers.get(command_id) if table in self._tables else None

    async def balance(self, account: str) -> int:
        self._hold_open()
        return self._balances[account]

    async def ledger(self, account: str, most: int = 100) -> Sequence[LedgerLine]:
        self._hold_open()
        return [line for line in reversed(self._ledger) if line.account == account][:most]

    async def total(self) -> int:
        self._hold_open()
        return self._balances.total()

    async def save_person(self, person: Person) -> None:
        self._hold_open()
        hold_person(person)
        holder = await self.person_by_token(person.token_hash)
        if holder is not None and holder.id != person.id:
            raise ValueError(f"{person.id}: this token is somebody else's")
        self._people[person.id] = person

    async def person(self, person: str) -> Person | None:
        self._hold_open()
        return self._people.get(person)

    async def person_by_token(self, token_hash: bytes) -> Person | None:
        self._hold_open()
        return next((person for person in self._people.values() if person.token_hash == token_hash), None)

    def changes(self) -> AsyncIterator[Written | Said]:
        return silence(self._closing)

    async def tell(self, message: str) -> None:
        self._hold_open()
        hold_message(message)

    async def check(self) -> Sequence[str]:
        """Dictionaries do not break by themselves: only the balances are compared with the ledger."""
        self._hold_open()
        sums: Counter[str] = Counter()
        for line in self._ledger:
            sums[line.account] += line.chips
        return [
            Finding("BALANCE", account=account, chips=self._balances[account], sum=sums[account])
            for account in sums | self._balances
            if sums[account] != self._balances[account]
        ]

    async def close(self) -> None:
        self._closing.set()

    def _hold_open(self) -> None:
        if self._closing.is_set():
            raise fault("STORE_CLOSED", place="memory:")

    def _hold_balances(self, append: Append) -> None:
        moved: Counter[str] = Counter()
        for entry in append.entries:
            moved[entry.account] += entry.chips
        for account, chips in moved.items():
            hold_balance(account, self._balances[account] + chips)

    def _row(self, name: str) -> TableRow:
        table = self._tables[name]
        return TableRow(name, len(table.records), table.open, table.deadline_ms, table.listing)

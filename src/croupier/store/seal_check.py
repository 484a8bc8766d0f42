"""Checks everything in a store against its seals, heads exported earlier, and a replay of each table."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Protocol

from croupier.store.contents import Head, KeptStep, KeptTable
from croupier.store.findings import FINDINGS_MAX, Finding
from croupier.store.port import Person
from croupier.store.seals import START, listing_seal, person_seal, secret_seal, table_seal

PROGRESS_STEPS: Final = 256
"""Progress is reported after this many records."""


def silent(done: int, total: int) -> None:
    """Reports no progress."""


def counted(progress: Callable[[int, int], None], total: int) -> Callable[[], None]:
    """A function to call for every record. It reports progress now and then."""
    done = 0

    def count() -> None:
        nonlocal done
        done += 1
        if done % PROGRESS_STEPS == 0 or done == total:
            progress(done, total)

    return count


class Follower(Protocol):
    """Replays one table and returns its findings, none after the first fault."""

    def step(self, step: KeptStep) -> Iterable[Finding]: ...

    def end(self) -> Iterable[Finding]: ...


class Heads:
    """Heads and people as they were exported."""

    def __init__(self, tables: Mapping[str, Head], people: Iterable[str]) -> None:
        self.tables = dict(tables)
        self.people = set(people)


NO_HEADS: Final = Heads({}, ())


class SealCheck:
    """Reads a whole store (as a `contents.Reader`), and collects findings."""

    def __init__(self, heads: Heads = NO_HEADS, follow: Callable[[KeptTable], Follower] | None = None) -> None:
        self._found: dict[str, list[Finding]] = {}
        self._follow = follow
        self._follower: Follower | None = None
        self._kept: KeptTable | None = None
        self._head = START
        self._whole = START
        """The chain from the first record on, where some are not sealed."""
        self._version = 0
        self._exported = dict(heads.tables)
        self._people = set(heads.people)
        self.unsealed_records = 0
        """How many records are in no chain, ..."""
        self.unsealed_tables = 0
        """... and in how many tables."""

    @property
    def findings(self) -> list[Finding]:
        return [found for kind in self._found.values() for found in kind]

    def person(self, person: Person, seal: bytes) -> None:
        self._people.discard(person.id)
        if person_seal(person) != seal:
            self._add(Finding("PERSON_SEAL", person=person.id))

    def begin(self, kept: KeptTable) -> None:
        self._kept, self._head, self._whole, self._version = kept, START, START, 0
        self._follower = None if self._follow is None else self._follow(kept)
        if kept.unsealed:
            self.unsealed_tables += 1
            self.unsealed_records += kept.unsealed

    def step(self, step: KeptStep) -> None:
        kept = self._table()
        self._version = step.version
        if step.version > kept.unsealed:
            self._head = step.head_after(self._head, kept.name)
        if kept.unsealed:
            self._whole = step.head_after(self._whole, kept.name)
        exported = self._exported.get(kept.name)
        if exported is not None and exported.version == step.version:
            del self._exported[kept.name]
            if exported.head != (self._whole if kept.unsealed else self._head):
                self._add(Finding("HEAD_OTHER", table=kept.name, version=step.version))
        if self._follower is not None:
            self._add(*self._follower.step(step))

    def end(self) -> None:
        kept = self._table()
        if self._head != kept.head:
            self._add(Finding("CHAIN", table=kept.name))
        row = kept.name, kept.head, kept.unsealed, kept.version, kept.open, kept.deadline_ms
        if table_seal(*row) != kept.seal:
            self._add(Finding("TABLE_SEAL", table=kept.name))
        if listing_seal(kept.name, kept.listing) != kept.listing_seal:
            self._add(Finding("LISTING_SEAL", table=kept.name))
        for name, secret in kept.secrets.items():
            if secret_seal(kept.name, name, secret.secret) != secret.seal:
                self._add(Finding("SECRET_SEAL", table=kept.name, name=name))
        exported = self._exported.pop(kept.name, None)
        if exported is not None:
            self._add(Finding("HEAD_SHORT", table=kept.name, version=exported.version, found=self._version))
        if self._follower is not None:
            self._add(*self._follower.end())
        self._kept = self._follower = None

    def close(self) -> None:
        """The whole store was read: everything else in the heads is missing from it."""
        for head in self._exported.values():
            self._add(Finding("HEAD_GONE", table=head.table, version=head.version))
        for person in sorted(self._people):
            self._add(Finding("PERSON_GONE", person=person))

    def _table(self) -> KeptTable:
        if self._kept is None:
            raise ValueError("a step comes after the table it belongs to")
        return self._kept

    def _add(self, *found: Finding) -> None:
        for each in found:
            kind = self._found.setdefault(each.code, [])
            if len(kind) < FINDINGS_MAX:
                kind.append(each)

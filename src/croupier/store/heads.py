"""Heads of a store in a file, to be kept where nobody who can edit the store can reach it.

The file has one JSON value a line. The first has the format's number. Then comes one for each table, with its version
and the head of its chain, and one for each person. The last has the SHA-256 of all before it. The file holds no secret.
"""

import hashlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from croupier.store.contents import Head, KeptStep, KeptTable
from croupier.store.faults import fault
from croupier.store.port import Person
from croupier.store.seal_check import Heads
from croupier.store.seals import START

FORMAT: Final = 1


class First(msgspec.Struct, frozen=True, tag="croupier-heads", tag_field="line", forbid_unknown_fields=True):
    format: int
    at_ms: int


class TableLine(msgspec.Struct, frozen=True, tag="table", tag_field="line", forbid_unknown_fields=True):
    table: str
    version: int
    head: str


class PersonLine(msgspec.Struct, frozen=True, tag="person", tag_field="line", forbid_unknown_fields=True):
    person: str


class End(msgspec.Struct, frozen=True, tag="end", tag_field="line", forbid_unknown_fields=True):
    sha256: str


_LINES: Final = msgspec.json.Decoder(First | TableLine | PersonLine | End)


class HeadReader:
    """Reads a whole store (as a `contents.Reader`), and keeps the head of each table and the ids of all people."""

    def __init__(self) -> None:
        self.heads: list[Head] = []
        self.people: list[str] = []
        self._table = ""
        self._version = 0
        self._head = START

    def person(self, person: Person, seal: bytes) -> None:
        self.people.append(person.id)

    def begin(self, kept: KeptTable) -> None:
        self._table, self._version, self._head = kept.name, 0, START

    def step(self, step: KeptStep) -> None:
        self._version, self._head = step.version, step.head_after(self._head, self._table)

    def end(self) -> None:
        self.heads.append(Head(self._table, self._version, self._head))


def write_heads(file: Path, heads: Iterable[Head], people: Iterable[str], at_ms: int) -> None:
    """Write a new file. Raises StoreError if it exists: heads are kept, not replaced."""
    tables = [TableLine(head.table, head.version, head.head.hex()) for head in heads]
    lines = [First(FORMAT, at_ms), *tables, *(PersonLine(person) for person in people)]
    text = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
    text += msgspec.json.encode(End(hashlib.sha256(text).hexdigest())) + b"\n"
    try:
        with file.open("xb") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
    except FileExistsError as error:
        raise fault("STORE_FILE_THERE", file=file) from error
    except OSError as error:
        raise fault("STORE_FILE_FAULT", file=file, fault=error.strerror or error) from error


def read_heads(file: Path) -> Heads:
    """Raises StoreError for a file that cannot be read, or is not whole."""
    try:
        raw = file.read_bytes().splitlines(keepends=True)
    except OSError as error:
        raise fault("STORE_FILE_FAULT", file=file, fault=error.strerror or error) from error
    lines = [_line(file, number, line) for number, line in enumerate(raw, start=1)]
    digest = hashlib.sha256(b"".join(raw[:-1])).hexdigest()
    if not lines or not isinstance(lines[0], First) or lines[-1] != End(digest):
        raise fault("STORE_HEADS_CUT", file=file)
    if lines[0].format > FORMAT:
        raise fault("STORE_FILE_NEWER", file=file, found=lines[0].format, known=FORMAT)
    return _heads(file, lines)


def _heads(file: Path, lines: Sequence[First | TableLine | PersonLine | End]) -> Heads:
    tables: dict[str, Head] = {}
    people: list[str] = []
    for number, line in enumerate(lines[1:-1], start=2):
        match line:
            case TableLine(table, version, head):
                tables[table] = Head(table, version, _digest(file, number, head))
            case PersonLine(person):
                people.append(person)
            case _:
                raise fault("STORE_HEADS_CUT", file=file)
    return Heads(tables, people)


def _line(file: Path, number: int, raw: bytes) -> First | TableLine | PersonLine | End:
    try:
        line: First | TableLine | PersonLine | End = _LINES.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise fault("STORE_HEADS_LINE", file=file, line=number, fault=error) from error
    return line


def _digest(file: Path, number: int, text: str) -> bytes:
    try:
        digest = bytes.fromhex(text)
    except ValueError as error:
        raise fault("STORE_HEADS_LINE", file=file, line=number, fault=error) from error
    if len(digest) != len(START):
        raise fault("STORE_HEADS_LINE", file=file, line=number, fault=f"a head has {len(START)} bytes")
    return digest

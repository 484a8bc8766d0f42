"""The rounds of files, one after the other: of records, and of every kind of hand history that is read here."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Final, TypeAlias

import msgspec

from croupier.dealing.findings import Finding
from croupier.game.refusal import Refusal
from croupier.games.poker.histories.formats import Format, read
from croupier.games.poker.histories.phh import PhhHand, replay
from croupier.lab.dataset.origins import origin_of
from croupier.lab.dataset.rows import Origin, Rows, rows_of
from croupier.lab.poker.history_files import history_format, history_lines
from croupier.table.record import Record
from croupier.table.record_check import RecordCheck
from croupier.table.verdict import RecordFault
from croupier.wire.records import LINE_BYTES_MAX, Text, read_lines

PEEK_BYTES: Final = 4096


class Fault(msgspec.Struct, frozen=True):
    """What is wrong with a round of a file."""

    file: str
    place: int
    """The line of a record, or the number of the hand in its file."""
    found: Finding | Refusal
    name: str = ""
    action: int = 0
    """The action of a hand history at which it went wrong, from 1; 0 for none."""
    text: str = ""
    more: int = 0
    """How many more faults the same record has."""


Found: TypeAlias = Rows | Fault


def rounds_of_file(path: Path, *, file: str = "") -> Iterator[Found]:
    """Every round of a file as rows, and what is wrong with the others. A record whose proofs do not hold comes with
    its faults, and `verified` false. Raises OSError if the file cannot be read."""
    file = file or str(path)
    with path.open("rb") as opened:
        kind = history_format(opened.peek(PEEK_BYTES)[:PEEK_BYTES])
        if kind is None:
            yield from rounds_of_records(file, _lines(opened))
        else:
            yield from _histories(file, kind, opened)


def rounds_of_records(
    file: str, lines: Iterable[Text], players: tuple[str, ...] = (), first: int = 1
) -> Iterator[Found]:
    """The rounds of records, each checked by itself. `players` has names by seat; the lines count from `first`."""
    found = False
    for number, entry in read_lines(lines):
        found = True
        place = first + number - 1
        if isinstance(entry, Finding):
            yield Fault(file, place, entry)
        elif isinstance(entry, Record):
            yield from _record(file, place, entry, players)
    if not found:
        yield Fault(file, first, Finding(RecordFault.FILE_EMPTY))


def _record(file: str, place: int, record: Record, players: tuple[str, ...]) -> Iterator[Found]:
    check = RecordCheck()
    check.run(record)
    if check.findings:
        yield Fault(file, place, check.findings[0], more=len(check.findings) - 1)
    if check.round is not None:
        verified, units = not check.findings, record.chip
        origin = Origin(file=file, place=place, players=players, units_per_chip=units, verified=verified)
        yield rows_of(check.round, origin)


def _histories(file: str, kind: Format, opened: IO[bytes]) -> Iterator[Found]:
    for place, entry in enumerate(read(kind, history_lines(opened)), start=1):
        if not isinstance(entry.hand, PhhHand):
            yield Fault(file, place, entry.hand, entry.name)
            continue
        outcome = replay(entry.hand)
        if outcome.fault is not None:
            fault = outcome.fault
            yield Fault(file, place, fault.refusal, entry.name, fault.action, fault.text)
        elif outcome.played is None:
            yield Fault(file, place, Refusal("DATASET_HAND_UNDEALT"), entry.name)
        else:
            yield rows_of(outcome.played, origin_of(file, place, entry.hand, outcome))


def _lines(opened: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file. Of one that is too long for a record only the beginning is kept."""
    while line := opened.readline(LINE_BYTES_MAX + 1):
        if len(line) > LINE_BYTES_MAX:
            while (rest := opened.readline(LINE_BYTES_MAX)) and not rest.endswith(b"\n"):
                pass
        yield line

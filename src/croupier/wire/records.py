"""Records as text: one JSON object per line. Digests are over these lines, so their bytes never change.

`verify` checks records and a player's own log from nothing but their text.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias

import msgspec

from croupier.dealing.findings import Finding, shown
from croupier.game.registry import GAMES
from croupier.table.deal_check import fault
from croupier.table.file_check import check_records
from croupier.table.record import TABLE_FORMAT, Record, RecordedMove, TableEnd
from croupier.table.verdict import RecordFault, Verdict
from croupier.wire.own_logs import read_own_log

LINE_BYTES_MAX: Final = 16 * 2**20
"""Longer than any record of a room: a hand with hundreds of void deals takes a few MiB."""

Text: TypeAlias = str | bytes
_MALFORMED: Final = (msgspec.DecodeError, UnicodeError)


class RecordTextError(ValueError):
    """A line that is not the JSON of a record."""


class _Format(msgspec.Struct):
    format: str = ""


# Parts that are checked separately are first read as text: each has its own finding.
class _MoveText(RecordedMove, frozen=True, kw_only=True, forbid_unknown_fields=True):
    action: msgspec.Raw


class _RecordText(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    rules: msgspec.Raw
    setup: msgspec.Raw
    proofs: tuple[msgspec.Raw, ...]
    moves: tuple[_MoveText, ...]
    voids: tuple[msgspec.Raw, ...] = ()


class _EndText(TableEnd, frozen=True, kw_only=True, forbid_unknown_fields=True):
    voids: tuple[msgspec.Raw, ...] = ()


def line(entry: Record | TableEnd) -> str:
    """The line of an entry, without its line break."""
    return msgspec.json.encode(entry).decode()


def verify(lines: Iterable[Text], own_log: Iterable[Text] | None = None) -> Verdict:
    """Check records, one per line, in the order in which they were played. Blank lines are ignored.

    `own_log` are the lines of the log that a player's client wrote: with them the records must agree with it.
    """
    return check_records(read_lines(lines), None if own_log is None else read_own_log(own_log))


def read_lines(lines: Iterable[Text]) -> Iterator[tuple[int, Record | TableEnd | Finding]]:
    """The entries of a file with the numbers of their lines, from 1, without blank lines. A line that cannot be read is
    the Finding that says why."""
    for number, text in enumerate(lines, start=1):
        if text.strip():
            yield number, _read_end(text) if _is_end(text) else read_record(text)


def read_record(text: Text) -> Record | Finding:
    """The record in a line, or the Finding that says why there is none."""
    try:
        check_text(text)
        read = msgspec.json.decode(text, type=_RecordText)
        moves = tuple(RecordedMove(move.seat, msgspec.json.decode(move.action)) for move in read.moves)
    except (*_MALFORMED, RecordTextError) as error:
        return fault(RecordFault.RECORD_MALFORMED, fault=shown(str(error)))
    game = GAMES.get(read.game)
    return Record(
        game=read.game,
        edition=read.edition,
        rules=_part(read.rules, RecordFault.RULES_MALFORMED, Any if game is None else game.rules),
        setup=_part(read.setup, RecordFault.SETUP_MALFORMED, Any if game is None else game.setup),
        proofs=_parts(read.proofs),
        cards=read.cards,
        moves=moves,
        payouts=read.payouts,
        voids=_parts(read.voids),
        format=read.format,
        chip=read.chip,
    )


def _is_end(text: Text) -> bool:
    if len(text) > LINE_BYTES_MAX:
        return False
    try:
        return msgspec.json.decode(text, type=_Format).format == TABLE_FORMAT
    except (*_MALFORMED, RecursionError):
        return False


def _read_end(text: Text) -> TableEnd | Finding:
    try:
        check_text(text)
        read = msgspec.json.decode(text, type=_EndText)
    except (*_MALFORMED, RecordTextError) as error:
        return fault(RecordFault.END_MALFORMED, fault=shown(str(error)))
    return TableEnd(read.room, read.deals, read.closing, _parts(read.voids), read.format)


def _parts(raws: tuple[msgspec.Raw, ...]) -> tuple[Any, ...]:
    return tuple(_part(raw, RecordFault.RECORD_MALFORMED) for raw in raws)


def _part(raw: msgspec.Raw, code: RecordFault, kind: Any = Any) -> Any:
    """The plain value of a part. For one that has a number out of range, the Finding that says what `kind` expects."""
    try:
        return msgspec.json.decode(raw)
    except _MALFORMED as error:
        try:
            msgspec.json.decode(raw, type=kind)
        except _MALFORMED as expected:
            return fault(code, fault=shown(str(expected)))
        return fault(code, fault=shown(str(error)))


def check_text(text: Text) -> None:
    """Raise RecordTextError for a line that is too long, not JSON, nested too deep, or has a name twice in an object.

    Where a name appears twice, one reader takes the first value and another the last.
    """
    if len(text) > LINE_BYTES_MAX:
        raise RecordTextError(f"a line of {len(text)} bytes; at most {LINE_BYTES_MAX} are read")
    try:
        json.loads(text, object_pairs_hook=_named_once)
    except RecursionError as error:
        raise RecordTextError("nested too deep") from error
    except RecordTextError:
        raise
    except ValueError as error:
        raise RecordTextError(str(error)) from error


def _named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = dict(pairs)
    if len(names) != len(pairs):
        doubled = next(name for index, (name, _) in enumerate(pairs) if name in dict(pairs[:index]))
        raise RecordTextError(f"the name {doubled!r} twice")
    return names

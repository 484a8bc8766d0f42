"""Checks records from nothing but their text: commitments, seeds, nonces, every card, every action, every payout, and
how one round follows from the other.

Each fault is named (`Finding`), with the line it stands on. Nothing in a record makes this raise. A record alone shows
only that it agrees with itself: with the own log of somebody who was there it is held to what they saw.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import msgspec

from croupier.dealing.findings import Finding, shown
from croupier.dealing.history import check_history
from croupier.dealing.proof import Cut1Proof, Proof, Shuffle1Proof
from croupier.table.casino_log import CasinoLogCheck, is_casino_log
from croupier.table.deal_check import fault
from croupier.table.own_log import OwnLogCheck
from croupier.table.purses import check_purses
from croupier.table.record import TABLE_FORMAT, TableEnd
from croupier.table.record_check import RecordCheck
from croupier.table.record_text import LINE_BYTES_MAX, RecordTextError, check_text
from croupier.table.table_check import TableCheck
from croupier.table.verdict import Checked, Notice, RecordFault, Verdict

Checks: TypeAlias = Sequence[tuple[int, RecordCheck]]


class _Format(msgspec.Struct):
    format: str = ""


def verify(lines: Iterable[str | bytes], own_log: Iterable[str | bytes] | None = None) -> Verdict:
    """Checks records, one a line, in the order in which they were played. Blank lines are passed over.

    `own_log` are the lines of the log that a player's client wrote: with them the records are held to it.
    """
    checks: list[tuple[int, RecordCheck]] = []
    ends: list[tuple[int, RecordCheck]] = []
    findings: list[tuple[int, Finding]] = []
    table = TableCheck()
    for number, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        check = RecordCheck()
        if _is_end(text):
            ends.append((number, check))
            _take_end(number, text, check, table)
        else:
            checks.append((number, check))
            check.run(text)
            table.take(number, check)
        findings += [(number, found) for found in check.findings]
    if not checks and not ends:
        findings.append((1, Finding(RecordFault.FILE_EMPTY)))
    table.finish()
    findings += [*table.findings, *_successions(checks), *check_purses(checks)]
    notices = [*table.notices, *_notices(checks)]
    log_lines = None
    if own_log is None:
        notices.append((0, Finding(Notice.RECORD_ALONE)))
    else:
        log = list(own_log)
        own = CasinoLogCheck(checks) if is_casino_log(log) else OwnLogCheck([*checks, *ends])
        own.run(log)
        findings += own.findings
        notices += own.notices
        log_lines = own.lines
    rounds = tuple(check.round for _, check in checks)
    return Verdict(rounds, _by_line(findings), _by_line(notices), _checked(checks, table, log_lines))


def _is_end(text: str | bytes) -> bool:
    if len(text) > LINE_BYTES_MAX:
        return False
    try:
        return msgspec.json.decode(text, type=_Format).format == TABLE_FORMAT
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return False


def _take_end(number: int, text: str | bytes, check: RecordCheck, table: TableCheck) -> None:
    try:
        check_text(text)
        end = msgspec.json.decode(text, type=TableEnd)
    except (msgspec.DecodeError, UnicodeError, RecordTextError) as error:
        check.findings.append(fault(RecordFault.END_MALFORMED, fault=shown(str(error))))
        return
    check.run_voids(end.voids)
    table.end(number, end, check)


def _successions(checks: Checks) -> Iterator[tuple[int, Finding]]:
    """How shuffles by `shuffle-1` and `cut-1` follow each other."""
    history: list[tuple[int, Proof]] = []
    undealt: dict[int, int] = {}
    waiting = 0
    for line, check in checks:
        if check.record is not None and not check.has_own_deal:
            waiting += 1
        for proof in check.shuffles:
            undealt[len(history)], waiting = waiting, 0
            history.append((line, proof))
    for found in check_history([proof for _, proof in history], undealt=undealt):
        yield history[int(found.facts["proof"])][0], found


def _notices(checks: Checks) -> Iterator[tuple[int, Finding]]:
    old = [line for line, check in checks if any(isinstance(proof, Cut1Proof) for proof in check.proofs)]
    if old:
        yield old[0], Finding(Notice.CUT_1_PROVES_LESS)
    unproven = [line for line, check in checks if any(map(_is_unrevealed, check.proofs))]
    if unproven:
        yield unproven[0], Finding(Notice.ROUNDS_UNPROVEN, {"count": len(unproven)})


def _is_unrevealed(proof: Proof) -> bool:
    return isinstance(proof, Shuffle1Proof) and proof.server_seed is None


def _checked(checks: Checks, table: TableCheck, log_lines: int | None) -> Checked:
    return Checked(
        rounds=sum(1 for _, check in checks if check.round is not None),
        deals=sum(len(check.starts) for _, check in checks),
        voids=table.voids,
        cards=sum(check.cards for _, check in checks),
        unseen=sum(check.unseen for _, check in checks),
        links=table.links,
        log_lines=log_lines,
    )


def _by_line(found: list[tuple[int, Finding]]) -> tuple[tuple[int, Finding], ...]:
    return tuple(sorted(found, key=lambda entry: entry[0]))

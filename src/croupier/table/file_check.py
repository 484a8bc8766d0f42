"""The check of a file of records: commitments, seeds, nonces, every card, every action, every payout, and that each
round follows from the one before.

Each fault is named (`Finding`), with the number of its line. Nothing in a record makes this raise. A record alone shows
only that it agrees with itself; the log of somebody who was there shows whether it agrees with what they saw.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from croupier.dealing.findings import Finding
from croupier.dealing.history import check_history
from croupier.dealing.proof import Cut1Proof, Proof, Shuffle1Proof
from croupier.table.casino_log import CasinoLog, CasinoLogCheck
from croupier.table.own_log import OwnLog, OwnLogCheck
from croupier.table.purses import check_purses
from croupier.table.record import Record, TableEnd
from croupier.table.record_check import RecordCheck
from croupier.table.table_check import TableCheck
from croupier.table.verdict import Checked, Notice, RecordFault, Verdict

Checks: TypeAlias = Sequence[tuple[int, RecordCheck]]


def check_records(
    lines: Iterable[tuple[int, Record | TableEnd | Finding]], own_log: OwnLog | CasinoLog | None = None
) -> Verdict:
    """Check the entries of a file, with the numbers of their lines, in the order in which they were played. A line that
    could not be read is the Finding that says why.

    With `own_log`, which a player's client wrote, the records must agree with it.
    """
    checks: list[tuple[int, RecordCheck]] = []
    ends: list[tuple[int, RecordCheck]] = []
    findings: list[tuple[int, Finding]] = []
    table = TableCheck()
    for number, entry in lines:
        check = RecordCheck()
        if _is_end(entry):
            ends.append((number, check))
        else:
            checks.append((number, check))
        match entry:
            case TableEnd():
                check.run_voids(entry.voids)
                table.end(number, entry, check)
            case Record():
                check.run(entry)
                table.take(number, check)
            case Finding():
                check.findings.append(entry)
                if not _is_end(entry):
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
        own = _compared(own_log, checks, ends)
        findings += own.findings
        notices += own.notices
        log_lines = own.lines
    rounds = tuple(check.round for _, check in checks)
    return Verdict(rounds, _by_line(findings), _by_line(notices), _checked(checks, table, log_lines))


def _compared(own_log: OwnLog | CasinoLog, checks: Checks, ends: Checks) -> OwnLogCheck | CasinoLogCheck:
    match own_log:
        case CasinoLog():
            casino = CasinoLogCheck(checks)
            casino.run(own_log)
            return casino
        case OwnLog():
            own = OwnLogCheck([*checks, *ends])
            own.run(own_log)
            return own


def _is_end(entry: Record | TableEnd | Finding) -> bool:
    """Whether the line is meant as the last one of a room's records."""
    return isinstance(entry, TableEnd) or (isinstance(entry, Finding) and entry.code == RecordFault.END_MALFORMED)


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

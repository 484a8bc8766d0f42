"""Checks a whole store: its promises, its seals, a replay of every table, and heads that were exported before.

Everything is read once, row by row, so that the memory needed depends on the largest table's state, not on the store.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from croupier.assembly.store_replay import follow
from croupier.store.addresses import sqlite_path
from croupier.store.export import hold_kept
from croupier.store.findings import Finding
from croupier.store.heads import HeadReader, write_heads
from croupier.store.open import open_store
from croupier.store.port import StoreError
from croupier.store.seal_check import NO_HEADS, Heads, SealCheck, counted, silent

LOCK_WAIT_SECONDS = 5.0


class Report(msgspec.Struct, frozen=True):
    """What was found, and what cannot be known."""

    findings: Sequence[Finding]
    unsealed_records: int
    """How many records are from a version without chains, ..."""
    unsealed_tables: int
    """... and in how many tables."""


async def audit(url: str, heads: Heads = NO_HEADS, progress: Callable[[int, int], None] = silent) -> Report:
    """Checks a store. `progress` is told how many records were seen, and of how many."""
    await _bring_up_to_date(url)
    check = SealCheck(heads, follow)
    if path := sqlite_path(url):
        findings = audit_file(path, check, progress)
    else:
        from croupier.store.postgres import integrity
        from croupier.store.postgres.address import parse
        from croupier.store.postgres.database import translated

        address = parse(url)
        with translated(address):
            findings = await integrity.findings(address, check, progress)
    return Report(findings, check.unsealed_records, check.unsealed_tables)


async def export_heads(
    url: str, file: Path, at_ms: int, progress: Callable[[int, int], None] = silent
) -> tuple[int, int]:
    """Writes the heads of all tables into a new file. Returns how many tables and people it has."""
    await _bring_up_to_date(url)
    reader = HeadReader()
    if path := sqlite_path(url):
        from croupier.store.sqlite import contents
        from croupier.store.sqlite.database import open_reader, translated

        with translated(path), closing(open_reader(path, LOCK_WAIT_SECONDS)) as connection:
            connection.execute("BEGIN")
            contents.hand_out(connection, reader, counted(progress, contents.count_steps(connection)))
    else:
        from croupier.store.postgres.integrity import hand_all_out

        await hand_all_out(url, reader, progress)
    write_heads(file, reader.heads, reader.people, at_ms)
    return len(reader.heads), len(reader.people)


async def _bring_up_to_date(url: str) -> None:
    """Open the store and close it again, which brings its schema up to date."""
    hold_kept(url)
    store = open_store(url, create=False)
    try:
        await store.tables(most=1)
    finally:
        await store.close()


def audit_file(path: Path, check: SealCheck, progress: Callable[[int, int], None]) -> Sequence[Finding]:
    """The same for a SQLite file whose schema is the newest."""
    from croupier.store.sqlite import integrity
    from croupier.store.sqlite.database import open_reader, translated

    try:
        with translated(path), closing(open_reader(path, LOCK_WAIT_SECONDS)) as connection:
            return integrity.findings(connection, check, progress)
    except StoreError as error:
        if error.code in ("STORE_CORRUPT", "STORE_NOT_A_DATABASE"):
            return [Finding("DATABASE", words=error)]
        raise

"""Moves a whole store into a file and a file into an empty store, whatever kind each store is.

The file has one JSON value a line: a head with the format's number, everybody, every step in the order of writing, and
an end with the counts and the SHA-256 of all before it. A step is written as it was appended. Present values (secrets,
deadline, listing, whether the table is open) are written with a table's last step. An import appends the steps of the
file to a copy beside the store, through the checks of every step. The copy replaces the store, in one move, only when
it is complete and was checked. A failed import leaves no trace.
"""

import asyncio
import hashlib
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from croupier.store.addresses import ADDRESSES, is_postgres, sqlite_path
from croupier.store.faults import fault
from croupier.store.open import open_store
from croupier.store.port import Append, Person, Store, StoreError

FORMAT: Final = 1
STEPS_AT_ONCE: Final = 1000
BYTES_AT_ONCE: Final = 8 * 1024 * 1024


class Head(msgspec.Struct, frozen=True, tag="croupier-store", tag_field="line"):
    """The first line."""

    format: int


class PersonLine(msgspec.Struct, frozen=True, tag="person", tag_field="line"):
    person: Person


class StepLine(msgspec.Struct, frozen=True, tag="step", tag_field="line"):
    step: Append


class End(msgspec.Struct, frozen=True, tag="end", tag_field="line"):
    """The last line: the counts and the digest of the lines before it."""

    people: int
    steps: int
    sha256: str


Line = Head | PersonLine | StepLine | End
_LINES: Final = msgspec.json.Decoder(Line)


class Moved(msgspec.Struct):
    """How much was moved."""

    people: int = 0
    steps: int = 0


async def export_store(url: str, file: Path) -> Moved:
    """Write everything the store holds at this moment into a new file that only its owner may read."""
    hold_kept(url)
    if file.exists():
        raise fault("STORE_FILE_THERE", file=file)
    store = open_store(url, create=False)
    try:
        await store.tables(most=1)
        with _readable(file), tempfile.TemporaryDirectory(dir=file.parent, prefix=".export-") as folder:
            whole = Path(folder) / file.name
            with whole.open("xb") as out:
                moved = await _write_lines(_history(url), out)
                out.flush()
                os.fsync(out.fileno())
            whole.chmod(0o600)
            whole.rename(file)
    finally:
        await store.close()
    return moved


async def import_store(file: Path, url: str) -> Moved:
    """Import a file into a store that is empty or does not exist yet: all of it, or nothing."""
    hold_kept(url)
    with _readable(file), file.open("rb") as lines:
        async with _copy(url) as copy:
            moved = await _fill(copy, file, lines)
            if found := await copy.check():
                raise fault("STORE_COPY_BROKEN", file=file, fault=found[0])
    return moved


def hold_kept(url: str) -> None:
    """Raises `StoreError` for a store that would not outlive this process."""
    if url == "memory:":
        raise fault("STORE_NOT_KEPT", address=url, allowed=ADDRESSES.removeprefix("memory:, "))


async def _history(url: str) -> AsyncIterator[Person | Append]:
    if path := sqlite_path(url):
        from croupier.store.sqlite.history import history

        for each in history(path):
            yield each
    else:
        from croupier.store.postgres.history import history as postgres_history

        async for each in postgres_history(url):
            yield each


async def _write_lines(history: AsyncIterator[Person | Append], out: BinaryIO) -> Moved:
    moved, digest, encode = Moved(), hashlib.sha256(), msgspec.json.encode

    def write(line: Line) -> None:
        encoded = encode(line) + b"\n"
        digest.update(encoded)
        out.write(encoded)

    write(Head(FORMAT))
    async for each in history:
        if isinstance(each, Person):
            moved.people += 1
            write(PersonLine(each))
        else:
            moved.steps += 1
            write(StepLine(each))
    write(End(moved.people, moved.steps, digest.hexdigest()))
    return moved


async def _fill(store: Store, file: Path, lines: BinaryIO) -> Moved:
    """Write every line into the store, many at once; the steps queue in the order of the file."""
    moved = Moved()
    waiting: list[tuple[int, Append]] = []
    waiting_bytes = 0
    for number, line in _read_lines(file, lines):
        if isinstance(line, PersonLine):
            moved.people += 1
            try:
                await store.save_person(line.person)
            except ValueError as error:
                raise fault("STORE_FILE_LINE", file=file, line=number, fault=error) from error
            continue
        moved.steps += 1
        waiting.append((number, line.step))
        waiting_bytes += len(line.step.record) + len(line.step.answer)
        if len(waiting) == STEPS_AT_ONCE or waiting_bytes > BYTES_AT_ONCE:
            await _append(store, file, waiting)
            waiting, waiting_bytes = [], 0
    await _append(store, file, waiting)
    return moved


async def _append(store: Store, file: Path, steps: Sequence[tuple[int, Append]]) -> None:
    outcomes = await asyncio.gather(*(store.append(step) for _, step in steps), return_exceptions=True)
    for (number, step), outcome in zip(steps, outcomes, strict=True):
        if isinstance(outcome, ValueError):
            raise fault("STORE_FILE_LINE", file=file, line=number, fault=outcome) from outcome
        if isinstance(outcome, BaseException):
            raise outcome
        if outcome is not None:
            reason = f"{step.table} {step.version}: {type(outcome).__name__}"
            raise fault("STORE_FILE_LINE", file=file, line=number, fault=reason)


def _read_lines(file: Path, lines: BinaryIO) -> Iterator[tuple[int, PersonLine | StepLine]]:
    """Every person and step with its line's number. Head and end are checked against the lines between them."""
    digest = hashlib.sha256()
    moved, ended = Moved(), False
    for number, raw in enumerate(lines, start=1):
        line = _line(file, number, raw)
        if ended or isinstance(line, Head) != (number == 1):
            raise fault("STORE_FILE_CUT", file=file)
        match line:
            case Head():
                if line.format > FORMAT:
                    raise fault("STORE_FILE_NEWER", file=file, found=line.format, known=FORMAT)
            case End():
                ended = line == End(moved.people, moved.steps, digest.hexdigest())
                if not ended:
                    raise fault("STORE_FILE_CUT", file=file)
            case PersonLine():
                moved.people += 1
                yield number, line
            case StepLine():
                moved.steps += 1
                yield number, line
        digest.update(raw)
    if not ended:
        raise fault("STORE_FILE_CUT", file=file)


def _line(file: Path, number: int, raw: bytes) -> Line:
    try:
        line: Line = _LINES.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise fault("STORE_FILE_LINE", file=file, line=number, fault=error) from error
    return line


@asynccontextmanager
async def _copy(url: str) -> AsyncIterator[Store]:
    """An empty store beside the one at the address. It replaces that one unless something is raised."""
    if path := sqlite_path(url):
        async with _sqlite_copy(path) as store:
            yield store
    elif is_postgres(url):
        async with _postgres_copy(url) as store:
            yield store
    else:
        open_store(url)  # says what is wrong with the address
        raise AssertionError(url)


@asynccontextmanager
async def _sqlite_copy(path: Path) -> AsyncIterator[Store]:
    from croupier.store.sqlite import SqliteStore
    from croupier.store.sqlite.database import translated

    await _hold_empty_file(path)
    with translated(path):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(dir=path.parent, prefix=".import-"))
    try:
        store = SqliteStore(folder / path.name)
        try:
            yield store
        finally:
            await store.close()
        await _hold_empty_file(path)
        with translated(path):
            (folder / path.name).replace(path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


async def _hold_empty_file(path: Path) -> None:
    """Raises `StoreError` unless the file does not exist or is an empty store that nobody uses."""
    if not path.exists():
        return
    from croupier.store.sqlite import SqliteStore
    from croupier.store.sqlite.history import is_empty

    await SqliteStore(path).close()
    if not is_empty(path):
        raise fault("STORE_NOT_EMPTY", place=path)
    # Another program that has the file open would go on writing into a deleted file.
    if path.with_name(f"{path.name}-wal").exists():
        raise fault("STORE_LOCKED", place=path)


@asynccontextmanager
async def _postgres_copy(url: str) -> AsyncIterator[Store]:
    await open_store(url).close()  # says what is wrong with the address, or missing here
    from croupier.store.postgres import PostgresStore
    from croupier.store.postgres.history import copy_address, drop, hold_empty, put_in_place

    await hold_empty(url)
    copied = copy_address(url)
    store = PostgresStore(copied, lanes=1)
    try:
        try:
            yield store
        finally:
            await store.close()
        await put_in_place(copied, url)
    except BaseException:
        with suppress(StoreError):
            await drop(copied)
        raise


@contextmanager
def _readable(file: Path) -> Iterator[None]:
    """Turn the system's errors about the file into a `StoreError`."""
    try:
        yield
    except OSError as error:
        raise fault("STORE_FILE_FAULT", file=file, fault=error.strerror or error) from error

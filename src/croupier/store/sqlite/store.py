"""The SQLite store: writes through the writer's thread, reads on a thread of their own."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Concatenate, Final, ParamSpec, TypeVar

from croupier.store.faults import fault
from croupier.store.findings import Finding
from croupier.store.group_commit import Counters
from croupier.store.limits import hold_message, hold_person, hold_snapshot
from croupier.store.port import Append, LedgerLine, Person, Repeated, Said, Stale, Stored, StoreError, TableRow, Written
from croupier.store.seal_check import SealCheck
from croupier.store.seals import person_seal
from croupier.store.single_node import silence
from croupier.store.sqlite import integrity, queries
from croupier.store.sqlite.database import open_reader, open_writer, translated
from croupier.store.sqlite.writer import Writer

LOCK_WAIT_SECONDS: Final = 5.0
"""How long to wait for another process that has locked the file."""

LONG_RECORDS: Final = 2000
"""Tables with at least this many records are read on the second thread, so that small queries do not wait."""

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")


class _Reader:
    """A reading connection on its own thread."""

    def __init__(self, path: Path, lock_wait_seconds: float, name: str) -> None:
        self._path = path
        self._connection = open_reader(path, lock_wait_seconds)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"{name} of {path.name}")

    async def ask(
        self,
        question: Callable[Concatenate[sqlite3.Connection, Asked], Answer],
        *args: Asked.args,
        **kwargs: Asked.kwargs,
    ) -> Answer:
        def ask() -> Answer:
            with translated(self._path):
                return question(self._connection, *args, **kwargs)

        return await asyncio.get_running_loop().run_in_executor(self._thread, ask)

    def close(self) -> None:
        self._thread.shutdown()
        self._connection.close()


class SqliteStore:
    """A store in one file. Several processes may open it: every step is checked against the file, not against memory.

    Reads include every append that has returned. They wait for no commit.
    """

    def __init__(self, path: Path, lock_wait_seconds: float = LOCK_WAIT_SECONDS) -> None:
        self.path = path
        self._lock_wait_seconds = lock_wait_seconds
        connection = open_writer(path, lock_wait_seconds)
        self._readers: list[_Reader] = []
        try:
            for name in ("reader", "reader of whole tables"):
                self._readers.append(_Reader(path, lock_wait_seconds, name))
        except BaseException:
            for reader in self._readers:
                reader.close()
            connection.close()
            raise
        self._writer = Writer(connection, path)
        self._closing = asyncio.Event()

    @property
    def counters(self) -> Counters:
        """Counts of commits since the store was opened, for metrics."""
        return self._writer.counters

    def append(self, append: Append) -> Awaitable[Stale | Repeated | None]:
        return self._writer.write(append)

    async def records(self, table: str, after: int = 0) -> Sequence[Stored]:
        return await (await self._reader_of(table, after)).ask(queries.records, table, after)

    async def news(self, known: Mapping[str, int]) -> dict[str, list[Stored]]:
        return await self._read(queries.news, known)

    async def secrets(self, table: str, names: Sequence[str] | None = None) -> dict[str, bytes]:
        if names is not None:
            return await self._read(queries.secrets, table, names)
        return await (await self._reader_of(table)).ask(queries.secrets, table, names)

    async def forget_secrets(self, table: str, names: Sequence[str]) -> None:
        def forget(connection: sqlite3.Connection) -> None:
            connection.executemany(
                "DELETE FROM secret WHERE table_id = (SELECT id FROM game_table WHERE name = ?) AND name = ?",
                [(table, name) for name in names],
            )

        await self._writer.write(forget)

    async def snapshot(self, table: str) -> bytes | None:
        return await self._read(queries.snapshot, table)

    async def save_snapshot(self, table: str, snapshot: bytes) -> None:
        hold_snapshot(table, snapshot)

        def save(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO snapshot (table_id, snapshot) SELECT id, ?2 FROM game_table WHERE name = ?1"
                " ON CONFLICT (table_id) DO UPDATE SET snapshot = excluded.snapshot",
                (table, snapshot),
            )

        await self._writer.write(save)

    async def table(self, table: str) -> TableRow | None:
        return await self._read(queries.table_row, table)

    async def tables(
        self, prefix: str = "", only_open: bool = True, most: int = 1000, only_listed: bool = False
    ) -> Sequence[TableRow]:
        return await self._read(queries.table_rows, prefix, only_open, most, only_listed)

    async def due(self, now_ms: int, most: int = 100) -> Sequence[TableRow]:
        return await self._read(queries.due, now_ms, most)

    async def answer(self, table: str, command_id: str) -> Repeated | None:
        return await self._read(queries.answer, table, command_id)

    async def balance(self, account: str) -> int:
        return await self._read(queries.balance, account)

    async def ledger(self, account: str, most: int = 100) -> Sequence[LedgerLine]:
        return await self._read(queries.ledger, account, most)

    async def total(self) -> int:
        return await self._read(queries.total)

    async def save_person(self, person: Person) -> None:
        hold_person(person)

        def save(connection: sqlite3.Connection) -> None:
            holder = queries.person_by_token(connection, person.token_hash)
            if holder is not None and holder.id != person.id:
                raise ValueError(f"{person.id}: this token is somebody else's")
            connection.execute(
                "INSERT INTO person (id, name, token_hash, language, created_ms, seal) VALUES (?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (id) DO UPDATE SET name = excluded.name, token_hash = excluded.token_hash,"
                " language = excluded.language, created_ms = excluded.created_ms, seal = excluded.seal",
                (person.id, person.name, person.token_hash, person.language, person.created_ms, person_seal(person)),
            )

        await self._writer.write(save)

    async def person(self, person: str) -> Person | None:
        return await self._read(queries.person, person)

    async def person_by_token(self, token_hash: bytes) -> Person | None:
        return await self._read(queries.person_by_token, token_hash)

    def changes(self) -> AsyncIterator[Written | Said]:
        """Nothing: another process that writes to the file sends no hints. Only `news` shows what it wrote."""
        return silence(self._closing)

    async def tell(self, message: str) -> None:
        self._hold_open()
        hold_message(message)

    async def check(self) -> Sequence[str]:
        """Every broken promise. It uses its own thread and connection, because it reads everything."""
        self._hold_open()
        return await asyncio.to_thread(self._check)

    async def close(self) -> None:
        """Finish the queue, then close; the writer last, because only it can remove the log."""
        self._closing.set()
        for reader in self._readers:
            await asyncio.to_thread(reader.close)
        await self._writer.close()

    def _check(self) -> Sequence[str]:
        try:
            with translated(self.path), closing(open_reader(self.path, self._lock_wait_seconds)) as connection:
                return integrity.findings(connection, SealCheck())
        except StoreError as error:
            if error.code in ("STORE_CORRUPT", "STORE_NOT_A_DATABASE"):
                return [Finding("DATABASE", words=error)]
            raise

    async def _read(
        self,
        question: Callable[Concatenate[sqlite3.Connection, Asked], Answer],
        *args: Asked.args,
        **kwargs: Asked.kwargs,
    ) -> Answer:
        self._hold_open()
        return await self._readers[0].ask(question, *args, **kwargs)

    async def _reader_of(self, table: str, after: int = 0) -> _Reader:
        """The reader for the rest of a table: the second one if it is long."""
        row = await self._read(queries.table_row, table)
        return self._readers[1 if row is not None and row.version - after >= LONG_RECORDS else 0]

    def _hold_open(self) -> None:
        if self._closing.is_set():
            raise fault("STORE_CLOSED", place=self.path)

"""The shares of one store, one for each process."""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from functools import partial
from typing import Final

from croupier.store.faults import fault
from croupier.store.hints import Inbox, Listeners
from croupier.store.limits import hold_message
from croupier.store.port import (
    ANY_TABLE,
    Append,
    LedgerLine,
    Person,
    Repeated,
    Said,
    Stale,
    Store,
    Stored,
    TableRow,
    Written,
)

CARED_MAX: Final = 100_000
"""How many tables a share follows. When it has seen more, it forgets them and is told to check everything."""
PLACE: Final = "shared:"

Outcome = Stale | Repeated | None


class ShareGroup:
    """All shares of one store: each hears what the others do."""

    def __init__(self) -> None:
        self.shares: set[Share] = set()

    def hear_written(self, table: str, by: "Share | None" = None) -> None:
        for share in self.shares:
            if share is not by:
                share.hear_written(table)

    def hear_said(self, message: str, by: "Share | None" = None) -> None:
        for share in self.shares:
            if share is not by:
                share.hear_said(message)


class Share:
    """A store whose `changes` reports the writes and messages of the other shares. It reports only tables whose records
    were read or written through this share, so a table used by one process costs no hint. Closing a share leaves the
    store open.
    """

    def __init__(self, store: Store, group: ShareGroup) -> None:
        self._store = store
        self._group = group
        self._cared: set[str] = set()
        self._listeners = Listeners()
        self._under_way: set[asyncio.Future[Outcome]] = set()
        self._closed = False
        group.shares.add(self)

    def hear_written(self, table: str) -> None:
        if table in self._cared or table == ANY_TABLE:
            self._listeners.hear(written=(table,))

    def hear_said(self, message: str) -> None:
        self._listeners.hear(said=(message,))

    def put_into(self, inbox: Inbox) -> None:
        """Put into the inbox everything that `changes` would report from now on."""
        self._listeners.add(inbox)

    def append(self, append: Append) -> asyncio.Future[Outcome]:
        if self._closed:
            future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
            future.set_exception(fault("STORE_CLOSED", place=PLACE))
            return future
        self._care_for((append.table,))
        future = asyncio.ensure_future(self._store.append(append))
        self._under_way.add(future)
        future.add_done_callback(partial(self._appended, append.table))
        return future

    async def records(self, table: str, after: int = 0) -> Sequence[Stored]:
        self._care_for((table,))
        return await self._shared.records(table, after)

    async def news(self, known: Mapping[str, int]) -> Mapping[str, Sequence[Stored]]:
        self._care_for(known.keys())
        return await self._shared.news(known)

    async def secrets(self, table: str, names: Sequence[str] | None = None) -> dict[str, bytes]:
        return await self._shared.secrets(table, names)

    async def forget_secrets(self, table: str, names: Sequence[str]) -> None:
        await self._shared.forget_secrets(table, names)

    async def snapshot(self, table: str) -> bytes | None:
        return await self._shared.snapshot(table)

    async def save_snapshot(self, table: str, snapshot: bytes) -> None:
        await self._shared.save_snapshot(table, snapshot)

    async def table(self, table: str) -> TableRow | None:
        return await self._shared.table(table)

    async def tables(
        self, prefix: str = "", only_open: bool = True, most: int = 1000, only_listed: bool = False
    ) -> Sequence[TableRow]:
        return await self._shared.tables(prefix, only_open, most, only_listed)

    async def due(self, now_ms: int, most: int = 100) -> Sequence[TableRow]:
        return await self._shared.due(now_ms, most)

    async def answer(self, table: str, command_id: str) -> Repeated | None:
        return await self._shared.answer(table, command_id)

    async def balance(self, account: str) -> int:
        return await self._shared.balance(account)

    async def ledger(self, account: str, most: int = 100) -> Sequence[LedgerLine]:
        return await self._shared.ledger(account, most)

    async def total(self) -> int:
        return await self._shared.total()

    async def save_person(self, person: Person) -> None:
        await self._shared.save_person(person)

    async def person(self, person: str) -> Person | None:
        return await self._shared.person(person)

    async def person_by_token(self, token_hash: bytes) -> Person | None:
        return await self._shared.person_by_token(token_hash)

    def changes(self) -> AsyncIterator[Written | Said]:
        return self._listeners.listen()

    async def tell(self, message: str) -> None:
        store = self._shared
        hold_message(message)
        self._group.hear_said(message, by=self)
        await store.tell(message)

    async def check(self) -> Sequence[str]:
        return await self._shared.check()

    def leave(self) -> None:
        """Stop hearing and asking. Appends under way go on, and the others are told of them."""
        self._closed = True
        self._group.shares.discard(self)
        self._listeners.close()

    async def close(self) -> None:
        self.leave()
        if self._under_way:
            await asyncio.wait(self._under_way)

    @property
    def _shared(self) -> Store:
        if self._closed:
            raise fault("STORE_CLOSED", place=PLACE)
        return self._store

    def _care_for(self, tables: Collection[str]) -> None:
        """Follow these tables. Called before the store is asked, so that nothing written in between is missed."""
        self._cared.update(tables)
        if len(self._cared) > CARED_MAX:
            self._cared.clear()
            self._listeners.hear(written=(ANY_TABLE,))

    def _appended(self, table: str, future: asyncio.Future[Outcome]) -> None:
        """Tell the others of a step, even if its caller stopped waiting: it may have been written."""
        self._under_way.discard(future)
        if future.cancelled() or (future.exception() is None and future.result() is None):
            self._group.hear_written(table, by=self)

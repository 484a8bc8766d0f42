"""The store in another process: every call goes over the line to the owner of the store."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import msgspec

from croupier.store.faults import fault
from croupier.store.hints import Listeners
from croupier.store.port import (
    Append,
    LedgerLine,
    Person,
    Repeated,
    Said,
    Stale,
    Store,
    Stored,
    StoreError,
    TableRow,
    Written,
)
from croupier.store.remote.line import Line
from croupier.store.remote.messages import (
    QUESTIONS,
    Answer,
    Answered,
    Ask,
    Done,
    DoneBefore,
    Failed,
    Heard,
    Passed,
    Request,
    Write,
    pack,
)

WAITING_MAX: Final = 10_000
"""How many calls may be unanswered. Further ones wait before they are sent."""
WAITING_SECONDS: Final = 0.01
"""How long they wait before they try again."""
PLACE: Final = "remote:"

Asked = ParamSpec("Asked")
Told = TypeVar("Told")

_answers: Final = msgspec.msgpack.Decoder(Answer)


class RemoteStore:
    """A store that another process of this server owns. It is made, and used, in the running loop.

    Errors are those of the owner's store, with their facts as plain values. When the owner is gone everything raises
    `STORE_LINE_LOST`, and `changes` ends. Steps that were under way were done whole or not at all.
    """

    def __init__(self, line: socket.socket) -> None:
        """Take over this connected Unix socket, whose other end was given to `StoreOwner.serve`."""
        self._loop = asyncio.get_running_loop()
        self._line = Line(line, _answers, self._take, self._lose)
        self._number = 0
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._listeners = Listeners()
        self._over: Callable[[], StoreError] | None = None
        """Why the store can no longer be used."""
        self._answered = asyncio.Event()
        """Set when a closed store waits for nothing."""

    def append(self, append: Append) -> Awaitable[Stale | Repeated | None]:
        if len(self._waiting) >= WAITING_MAX:
            return self._append_later(append)
        self._number += 1
        return self._request(Write(self._number, append))

    async def _append_later(self, append: Append) -> Stale | Repeated | None:
        await self._wait_outside()
        return await self.append(append)

    async def records(self, table: str, after: int = 0) -> Sequence[Stored]:
        return await self._ask(Store.records, table, after)

    async def news(self, known: Mapping[str, int]) -> Mapping[str, Sequence[Stored]]:
        return await self._ask(Store.news, dict(known))

    async def secrets(self, table: str, names: Sequence[str] | None = None) -> dict[str, bytes]:
        return await self._ask(Store.secrets, table, names)

    async def forget_secrets(self, table: str, names: Sequence[str]) -> None:
        await self._ask(Store.forget_secrets, table, names)

    async def snapshot(self, table: str) -> bytes | None:
        return await self._ask(Store.snapshot, table)

    async def save_snapshot(self, table: str, snapshot: bytes) -> None:
        await self._ask(Store.save_snapshot, table, snapshot)

    async def table(self, table: str) -> TableRow | None:
        return await self._ask(Store.table, table)

    async def tables(
        self, prefix: str = "", only_open: bool = True, most: int = 1000, only_listed: bool = False
    ) -> Sequence[TableRow]:
        return await self._ask(Store.tables, prefix, only_open, most, only_listed)

    async def due(self, now_ms: int, most: int = 100) -> Sequence[TableRow]:
        return await self._ask(Store.due, now_ms, most)

    async def answer(self, table: str, command_id: str) -> Repeated | None:
        return await self._ask(Store.answer, table, command_id)

    async def balance(self, account: str) -> int:
        return await self._ask(Store.balance, account)

    async def ledger(self, account: str, most: int = 100) -> Sequence[LedgerLine]:
        return await self._ask(Store.ledger, account, most)

    async def total(self) -> int:
        return await self._ask(Store.total)

    async def save_person(self, person: Person) -> None:
        await self._ask(Store.save_person, person)

    async def person(self, person: str) -> Person | None:
        return await self._ask(Store.person, person)

    async def person_by_token(self, token_hash: bytes) -> Person | None:
        return await self._ask(Store.person_by_token, token_hash)

    def changes(self) -> AsyncIterator[Written | Said]:
        return self._listeners.listen()

    async def tell(self, message: str) -> None:
        await self._ask(Store.tell, message)

    async def check(self) -> Sequence[str]:
        return await self._ask(Store.check)

    async def close(self) -> None:
        """Wait for all outstanding answers, then close the line."""
        if self._over is None:
            self._over = partial(fault, "STORE_CLOSED", place=PLACE)
        self._listeners.close()
        if self._waiting:
            await self._answered.wait()
        self._line.close()

    async def _ask(
        self,
        method: Callable[Concatenate[Store, Asked], Awaitable[Told]],
        *arguments: Asked.args,
        **_none: Asked.kwargs,
    ) -> Told:
        """Call a method of the owner's store, with all arguments, by position."""
        if len(self._waiting) >= WAITING_MAX:
            await self._wait_outside()
        name = method.__name__
        self._number += 1
        told = await self._request(Ask(self._number, name, msgspec.Raw(pack.encode(arguments))))
        answer: Told = QUESTIONS[name].answer.decode(told)
        return answer

    async def _wait_outside(self) -> None:
        while len(self._waiting) >= WAITING_MAX:
            await asyncio.sleep(WAITING_SECONDS)

    def _request(self, request: Request) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = self._loop.create_future()
        try:
            if self._over is not None:
                raise self._over()
            self._line.send(request)
        except (StoreError, ValueError) as error:
            future.set_exception(error)
        else:
            self._waiting[request.number] = future
        return future

    def _take(self, message: Answer) -> None:
        match message:
            case Done(numbers):
                for number in numbers:
                    self._resolve(number, None)
            case Passed(number, version):
                self._resolve(number, Stale(version))
            case DoneBefore(number, version, answer):
                self._resolve(number, Repeated(version, answer))
            case Answered(number, raw):
                self._resolve(number, raw)
            case Failed(number, words, code, facts):
                self._reject(number, StoreError(words, code, facts) if code else ValueError(words))
            case Heard(written, said):
                self._listeners.hear(written, said)
        if self._over is not None and not self._waiting:
            self._answered.set()

    def _resolve(self, number: int, result: object) -> None:
        """Pass the answer to its caller, unless the caller was cancelled. An unknown number ends the line."""
        future = self._waiting.pop(number)
        if not future.done():
            future.set_result(result)

    def _reject(self, number: int, error: Exception) -> None:
        future = self._waiting.pop(number)
        if not future.done():
            future.set_exception(error)

    def _lose(self) -> None:
        if self._over is None:
            self._over = partial(fault, "STORE_LINE_LOST")
        self._listeners.close()
        for number in list(self._waiting):
            self._reject(number, fault("STORE_LINE_LOST"))
        self._answered.set()

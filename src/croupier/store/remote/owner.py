"""The process that has the store: it serves every client over a line, and has a share of its own."""

import asyncio
import logging
import socket
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import msgspec

from croupier.store.faults import fault
from croupier.store.hints import Inbox
from croupier.store.port import Repeated, Said, Stale, Store, StoreError, Written
from croupier.store.remote.line import Line
from croupier.store.remote.messages import (
    QUESTIONS,
    Answered,
    Done,
    DoneBefore,
    Failed,
    Heard,
    Passed,
    Request,
    Write,
    pack,
    words,
)
from croupier.store.remote.share_group import PLACE, Outcome, Share, ShareGroup

UNDER_WAY_MAX: Final = 2_000
"""How many requests of a client may be under way. At this number, reading from it stops."""

_log = logging.getLogger(__name__)
_requests: Final = msgspec.msgpack.Decoder(Request)


class StoreOwner:
    """Serves a store to other processes. The maker of the store still closes it.

    It is made, and used, in the running loop.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._group = ShareGroup()
        self._clients: set[_Client] = set()
        self.own: Store = Share(store, self._group)
        """The store for this process itself."""
        self._following = asyncio.create_task(self._follow())

    def serve(self, line: socket.socket) -> None:
        """Serves a `RemoteStore` at the other end of this connected Unix socket, until either end closes it.

        The socket is the owner's from then on. Requests of a client that died are still carried out.
        """
        self._clients.add(_Client(line, Share(self._store, self._group), self._clients.discard))

    async def close(self) -> None:
        """Answer all requests, then close every line. The store stays open."""
        await asyncio.gather(*(client.close() for client in self._clients))
        await self.own.close()
        self._following.cancel()
        await asyncio.gather(self._following, return_exceptions=True)

    async def _follow(self) -> None:
        """Pass on what the store hears from other machines."""
        try:
            async for change in self._store.changes():
                match change:
                    case Written(table):
                        self._group.hear_written(table)
                    case Said(message):
                        self._group.hear_said(message)
        except Exception:
            _log.exception("what other nodes write and say is not passed on any more")


class _Client:
    """One client's share, and the line to it."""

    def __init__(self, line: socket.socket, share: Share, ended: "Callable[[_Client], None]") -> None:
        self._share = share
        self._ended = ended
        self._line = Line(line, _requests, self._take, self._end, self._gather)
        self._heard = Inbox(self._line.wake)
        share.put_into(self._heard)
        self._done: list[int] = []
        """Steps that became durable in this turn."""
        self._under_way: set[asyncio.Future[Any]] = set()
        self._closing = False

    async def close(self) -> None:
        self._closing = True
        self._regulate()
        if self._under_way:
            await asyncio.wait(self._under_way)
        self._line.close()

    def _take(self, request: Request) -> None:
        if isinstance(request, Write):
            future: asyncio.Future[Any] = self._share.append(request.append)
            future.add_done_callback(partial(self._answer_step, request.number))
        else:
            arguments = QUESTIONS[request.method].arguments.decode(request.arguments)
            future = asyncio.ensure_future(getattr(self._share, request.method)(*arguments))
            future.add_done_callback(partial(self._answer_question, request.number))
        self._under_way.add(future)
        self._regulate()

    def _answer_step(self, number: int, future: asyncio.Future[Outcome]) -> None:
        self._under_way.discard(future)
        if error := _error(future):
            self._fail(number, error)
            return
        match future.result():
            case None:
                self._done.append(number)
                self._line.wake()
            case Stale(version):
                self._line.send(Passed(number, version))
            case Repeated(version, answer):
                self._line.send(DoneBefore(number, version, answer))

    def _answer_question(self, number: int, future: asyncio.Future[Any]) -> None:
        self._under_way.discard(future)
        if error := _error(future):
            self._fail(number, error)
            return
        try:
            self._line.send(Answered(number, msgspec.Raw(pack.encode(future.result()))))
        except ValueError as too_long:
            self._fail(number, fault("STORE_BROKEN", place=PLACE, fault=too_long))

    def _fail(self, number: int, error: BaseException) -> None:
        match error:
            case StoreError():
                # Numbers stay numbers: texts choose their plural by them.
                facts = {
                    name: fact if isinstance(fact, int | float) else words(fact) for name, fact in error.facts.items()
                }
                self._line.send(Failed(number, words(error), error.code, facts))
            case ValueError():
                self._line.send(Failed(number, words(error)))
            case _:
                _log.error("a shared store failed", exc_info=error)
                self._fail(number, fault("STORE_BROKEN", place=PLACE, fault=repr(error)))

    def _gather(self) -> None:
        """At the end of a turn, send its answers and hints together."""
        if self._done:
            self._line.send(Done(self._done))
            self._done = []
        if heard := self._heard.take():
            written = [hint.table for hint in heard if isinstance(hint, Written)]
            self._line.send(Heard(written, [hint.message for hint in heard if isinstance(hint, Said)]))
        self._regulate()

    def _regulate(self) -> None:
        """Stop reading while this end, or the other one, is behind."""
        self._line.hold(len(self._under_way) >= UNDER_WAY_MAX or self._line.is_full or self._closing)

    def _end(self) -> None:
        self._share.leave()
        self._ended(self)


def _error(future: asyncio.Future[Any]) -> BaseException | None:
    """Why there is no result. Only the end of the loop cancels a client's requests."""
    return asyncio.CancelledError() if future.cancelled() else future.exception()

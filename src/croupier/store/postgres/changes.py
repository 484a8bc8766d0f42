"""Hints between nodes: which tables were written. A hint may be late, lost or needless; the version check is the truth.

Every transaction that writes tells the names of its tables by NOTIFY, in one message unless they do not fit into one.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from typing import Final

import asyncpg
import msgspec

from croupier.store.port import StoreError
from croupier.store.postgres.address import Address
from croupier.store.postgres.opening import FAILED, connect

ANY_TABLE: Final = ""
"""In place of a name: anything may have been written, because for a while nobody listened."""
HINT_BYTES_MAX: Final = 7_900
"""PostgreSQL takes less than 8000 bytes in one message."""
NAMES_WAITING_MAX: Final = 10_000
RETRY_SECONDS: Final = 0.5
PING_SECONDS: Final = 10.0
"""How often the connection is tried when it is silent: one that was cut off says nothing for ever."""


def channel(address: Address) -> str:
    """Where the nodes of one store hear each other."""
    return f"croupier_{address.schema}"


def hints(node: str, tables: Iterable[str]) -> list[str]:
    """The messages that tell others that `node` wrote these tables: a JSON list of the node and the names."""
    messages = []
    message = opening = msgspec.json.encode(node).decode()
    length = len(opening)
    for table in tables:
        # Escaped, a character may be longer than its bytes, but no name grows beyond six times its bytes.
        name = msgspec.json.encode(table).decode()
        name_bytes = len(name.encode()) + 1
        if length + name_bytes > HINT_BYTES_MAX - 2:
            messages.append(f"[{message}]")
            message, length = opening, len(opening)
        message = f"{message},{name}"
        length += name_bytes
    messages.append(f"[{message}]")
    return messages


class _Inbox:
    """Names heard and not yet told, each once; too many become `ANY_TABLE`."""

    def __init__(self, node: str) -> None:
        self._node = node
        self._names: dict[str, None] = {ANY_TABLE: None}
        self.woken = asyncio.Event()
        self.lost = False

    def hear(self, _connection: object, _sender: int, _channel: str, message: str) -> None:
        with suppress(msgspec.DecodeError):
            node, *names = msgspec.json.decode(message, type=list[str])
            if node != self._node:
                self._names.update(dict.fromkeys(names))
                if len(self._names) > NAMES_WAITING_MAX:
                    self._names = {ANY_TABLE: None}
                self.woken.set()

    def lose(self, _connection: object) -> None:
        self.lost = True
        self.woken.set()

    def take(self) -> list[str]:
        names, self._names = list(self._names), {}
        self.woken.clear()
        return names


async def listen(address: Address, node: str, closing: asyncio.Event) -> AsyncIterator[str]:
    """Names of tables that nodes other than `node` wrote, until `closing`; `ANY_TABLE` whenever listening begins."""
    while not closing.is_set():
        try:
            connection = await connect(address)
        except StoreError:
            await _wait(closing, RETRY_SECONDS)
            continue
        inbox = _Inbox(node)
        stopping = asyncio.create_task(_wake_at(closing, inbox))
        try:
            connection.add_termination_listener(inbox.lose)
            await connection.add_listener(channel(address), inbox.hear)
            while not (inbox.lost or closing.is_set()):
                for name in inbox.take():
                    yield name
                await _hear(connection, inbox)
        except FAILED:
            await _wait(closing, RETRY_SECONDS)
        finally:
            stopping.cancel()
            connection.terminate()


async def _hear(connection: asyncpg.Connection, inbox: _Inbox) -> None:
    """Waits for something to tell. In a long silence it asks whether the connection still lives."""
    if not await _wait(inbox.woken, PING_SECONDS):
        await connection.execute("SELECT 1")


async def _wake_at(closing: asyncio.Event, inbox: _Inbox) -> None:
    await closing.wait()
    inbox.woken.set()


async def _wait(event: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            return await event.wait()
    except TimeoutError:
        return False

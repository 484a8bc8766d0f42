"""Hints between nodes: which tables were written. A hint may be late, lost or needless; the version check decides.
Every transaction that writes sends the names of its tables by NOTIFY, in as few messages as possible: a JSON list of
the node and the names. Messages between nodes go the same way, after a mark and the node.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from typing import Final

import asyncpg
import msgspec

from croupier.store.hints import Inbox
from croupier.store.port import ANY_TABLE, Said, StoreError, Written
from croupier.store.postgres.address import Address
from croupier.store.postgres.database import FAILED, connect

SAID: Final = "!"
"""The first character of a message; a hint begins with a bracket."""
HINT_BYTES_MAX: Final = 7_900
"""PostgreSQL takes less than 8000 bytes in one message."""
RETRY_SECONDS: Final = 0.5
PING_SECONDS: Final = 2.0
PONG_SECONDS_MAX: Final = 2.0
"""How long a silent connection may take to answer a ping: a broken one stays silent for ever."""


def channel(address: Address) -> str:
    """The channel on which the nodes of one store hear each other."""
    return f"croupier_{address.schema}"


def hints(node: str, tables: Iterable[str]) -> list[str]:
    """The messages that tell others that `node` wrote these tables."""
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


def said(node: str, message: str) -> str:
    """A message of `node` to the others."""
    return f"{SAID}{node} {message}"


class _Inbox(Inbox):
    """Hints and messages received on one connection from other nodes."""

    def __init__(self, node: str) -> None:
        self.woken = asyncio.Event()
        self.lost = False
        self._node = node
        super().__init__(self.woken.set)
        self.hear(written=(ANY_TABLE,))

    def receive(self, _connection: object, _sender: int, _channel: str, payload: str) -> None:
        if payload.startswith(SAID):
            node, _, message = payload.removeprefix(SAID).partition(" ")
            if node != self._node:
                self.hear(said=(message,))
            return
        with suppress(msgspec.DecodeError):
            node, *names = msgspec.json.decode(payload, type=list[str])
            if node != self._node:
                self.hear(written=names)

    def lose(self, _connection: object) -> None:
        self.lost = True
        self.woken.set()


async def listen(address: Address, node: str, closing: asyncio.Event) -> AsyncIterator[Written | Said]:
    """Writes and messages of nodes other than `node`, until `closing`; `ANY_TABLE` whenever listening begins."""
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
            await connection.add_listener(channel(address), inbox.receive)
            while not (inbox.lost or closing.is_set()):
                inbox.woken.clear()
                for heard in inbox.take():
                    yield heard
                await _hear(connection, inbox)
        except FAILED:
            await _wait(closing, RETRY_SECONDS)
        finally:
            stopping.cancel()
            connection.terminate()


async def _hear(connection: asyncpg.Connection, inbox: _Inbox) -> None:
    """Wait for a hint or message. After a long silence, check that the connection is alive."""
    if not await _wait(inbox.woken, PING_SECONDS):
        await connection.execute("SELECT 1", timeout=PONG_SECONDS_MAX)


async def _wake_at(closing: asyncio.Event, inbox: _Inbox) -> None:
    await closing.wait()
    inbox.woken.set()


async def _wait(event: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            return await event.wait()
    except TimeoutError:
        return False

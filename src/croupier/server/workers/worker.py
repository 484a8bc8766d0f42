"""A worker's process: a node on a remote store, for the connections that the front hands over.

It lives as long as its standard input is open: when the front is gone, however it went, the worker goes too.
"""

import asyncio
import signal
import socket
import sys
from typing import Final

import msgspec
import uvloop

from croupier.server.config import Settings
from croupier.server.gc_tuning import spare_the_collector
from croupier.server.logs import log_to_stderr
from croupier.server.node import Node
from croupier.server.router import Give
from croupier.server.workers.handover import Adopted
from croupier.server.workers.homes import home
from croupier.server.workers.line import Counted, Handed, Line, Message, Ready
from croupier.store.remote import RemoteStore

COUNT_SECONDS: Final = 0.5
"""How often the counts are reported to the front."""


class Orders(msgspec.Struct, frozen=True):
    """The settings that the front gives a worker at its start, in one line of its standard input."""

    number: int
    settings: Settings
    """Without its secrets."""
    language: str


class Worker:
    """Serves the rooms whose home it is. A connection with any other request goes back to the front."""

    def __init__(self, orders: Orders, store: RemoteStore, line: socket.socket) -> None:
        self._number, self._workers = orders.number, orders.settings.workers
        self._node = Node(orders.settings, store, orders.language)
        self._node.router.places = self
        self._node.lobby.looks_after = self._is_home
        self._adopted = Adopted(self._node)
        self._line = Line(line, self._received)

    def of_room(self, room_code: str) -> Give | None:
        return None if self._is_home(room_code) else self._line.send

    def of_classroom(self) -> Give | None:
        return self._line.send

    async def serve(self, stopped: asyncio.Event) -> None:
        async with self._node.at_work():
            self._line.send(Ready())
            while not stopped.is_set():
                try:
                    async with asyncio.timeout(COUNT_SECONDS):
                        await stopped.wait()
                except TimeoutError:
                    self._line.send(Counted(self._node.services.metrics.tally()))
            await self._adopted.close()

    def _is_home(self, room_code: str) -> bool:
        return home(room_code, self._workers) == self._number

    def _received(self, message: Message, descriptor: int | None) -> None:
        assert isinstance(message, Handed), "the front hands connections over, and says nothing else"
        assert descriptor is not None
        self._adopted.take(message, descriptor)


async def work(orders: Orders, store_end: int, line_end: int) -> None:
    """Serves until the front closes the standard input, or is gone."""
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    # A terminal or a supervisor sends these to all processes at once. They are for the front, which then stops its
    # workers in order.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    # Nothing follows the orders but the end.
    loop.add_reader(sys.stdin.fileno(), stopped.set)
    store = RemoteStore(socket.socket(fileno=store_end))
    worker = Worker(orders, store, socket.socket(fileno=line_end))
    spare_the_collector()
    await worker.serve(stopped)
    loop.remove_reader(sys.stdin.fileno())
    await store.close()


def main() -> None:
    store_end, line_end = map(int, sys.argv[1:])
    orders = msgspec.json.decode(sys.stdin.buffer.readline(), type=Orders)
    log_to_stderr(orders.settings.log)
    uvloop.run(work(orders, store_end, line_end))

"""Accepts connections, a few in one turn of the loop. A refused one costs an accept and a close."""

import asyncio
import socket
from collections.abc import Callable
from typing import Final

from croupier.server.gate import Gate, Visit
from croupier.server.services import log

ACCEPTED_A_TURN_MAX: Final = 2
RETRY_SECONDS: Final = 1.0
"""How long to accept nothing after the system ran out of files or memory."""


class Acceptor:
    """One listening socket, with the interface of an asyncio server, for uvicorn."""

    def __init__(self, line: socket.socket, gate: Gate, protocol: Callable[[Visit], asyncio.Protocol]) -> None:
        self.sockets = (line,)
        self._line = line
        self._gate = gate
        self._protocol = protocol
        self._loop = asyncio.get_running_loop()
        self._retry: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._listen()

    def _listen(self) -> None:
        self._retry = None
        self._loop.add_reader(self._line, self._accept)

    def _accept(self) -> None:
        for _ in range(ACCEPTED_A_TURN_MAX):
            try:
                accepted, address = self._line.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                log.error("no connection can be accepted: %s", error)
                self._loop.remove_reader(self._line)
                self._retry = self._loop.call_later(RETRY_SECONDS, self._listen)
                return
            visit = self._gate.admit(str(address[0]))
            if visit is None:
                accepted.close()
            else:
                accepted.setblocking(False)
                task = self._loop.create_task(self._connect(accepted, visit))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _connect(self, accepted: socket.socket, visit: Visit) -> None:
        try:
            await self._loop.connect_accepted_socket(lambda: self._protocol(visit), accepted)
        except OSError:
            # Gone already.
            accepted.close()
            visit.end()

    def close(self) -> None:
        """Stop accepting."""
        if self._retry is not None:
            self._retry.cancel()
        elif self._line.fileno() >= 0:
            self._loop.remove_reader(self._line)

    async def wait_closed(self) -> None:
        await asyncio.gather(*self._tasks, return_exceptions=True)

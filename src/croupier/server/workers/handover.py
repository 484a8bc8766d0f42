"""Connections that another process of the server has handed over."""

import asyncio
import socket
from typing import Any

from uvicorn.server import ServerState

from croupier.server.connection import CLOSE_TOO_MANY, Connection
from croupier.server.node import Node
from croupier.server.replays import BusyError
from croupier.server.services import log
from croupier.server.uvicorn_config import uvicorn_config
from croupier.server.websocket import CLOSING_SECONDS_MAX, DirectSocket
from croupier.server.workers.line import Handed
from croupier.store.port import StoreError


class Adopted:
    """Serves each connection from where it was handed over to its end."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._tasks: set[asyncio.Task[None]] = set()
        self._state = ServerState()
        self._config = uvicorn_config(_no_application)

    def take(self, handed: Handed, descriptor: int) -> None:
        """Continue a connection; its socket belongs to this process from now on."""
        task = asyncio.create_task(self._serve(handed, socket.socket(fileno=descriptor)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """End all connections, as a stopping server does. Cut those that do not answer in time."""
        for connection in tuple(self._state.connections):
            connection.shutdown()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=CLOSING_SECONDS_MAX)
        for connection in tuple(self._state.connections):
            connection.transport.abort()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, handed: Handed, line: socket.socket) -> None:
        router = self._node.router
        with router.addresses.admitted(handed.network) as address:
            direct = DirectSocket(self._config, self._state, {})
            known = address or router.addresses.of(handed.network, router.services.monotonic())
            connection = Connection(direct, router, known)
            connection.take(handed)
            direct.adopt(connection, handed.partial)
            await asyncio.get_running_loop().connect_accepted_socket(lambda: direct, line)
            direct.start_keepalive()
            if address is None:
                connection.close(CLOSE_TOO_MANY)
            try:
                await self._node.serve(connection, handed.rooms)
            except (StoreError, BusyError) as error:
                log.error("a connection cannot go on: %s", error)
            if direct.close_timer is None:
                direct.transport.close()


async def _no_application(scope: Any, receive: Any, send: Any) -> None:
    raise AssertionError("what was handed over is past its handshake")

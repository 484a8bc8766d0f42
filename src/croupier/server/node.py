"""The parts of every process of a server: rooms, casino, and the router of requests."""

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from croupier.server.casino import Casino
from croupier.server.config import Settings
from croupier.server.connection import CLOSE_CUT_OFF, CLOSE_SIGNED_OUT, Connection
from croupier.server.lobby import Lobby
from croupier.server.offered_games import OfferedGames
from croupier.server.router import Router
from croupier.server.services import Services
from croupier.server.store_watchdog import StoreWatchdog
from croupier.store.port import Store

SWITCH_SECONDS: Final = 0.001
"""The interpreter's switch interval, as bots, replays and documents are computed on threads. A command needs several
turns; with Python's default of 5 ms each, players would wait too long."""


class Node:
    """The parts of one process. The caller opens and closes the store."""

    def __init__(self, settings: Settings, store: Store, language: str) -> None:
        self.settings = settings
        self.language = language
        self.services = Services(
            store,
            bot_delay_seconds=settings.bot_delay_seconds,
            games=OfferedGames(settings.games),
            close_empty_hours=settings.close_empty_hours,
        )
        self.lobby = Lobby(self.services, settings.limits)
        metrics = self.services.metrics
        self.casino = Casino(store, clock_ms=self.services.clock_ms, metrics=metrics, replays=self.services.replays)
        self.lobby.nodes.written = self.casino.written
        self.lobby.nodes.signed_out = self.sign_out
        self.router = Router(self.services, self.lobby, self.casino, settings.limits, language, settings.nodes)
        self.router.sign_out = self.sign_out
        self.connections: set[Connection] = set()
        self.store_watchdog = StoreWatchdog(self.services, self._send_away)
        metrics.connections = lambda: self.router.addresses.connections
        metrics.queues = {
            "room_commands": lambda: self.lobby.commands_waiting,
            "replays": lambda: self.services.replays.waiting,
            "frames": lambda: sum(connection.frames_held for connection in self.connections),
        }
        metrics.tables = {"room": lambda: len(self.lobby), "casino": lambda: self.casino.sessions_held}

    async def serve(self, connection: Connection, rooms: Sequence[tuple[str, int]] = ()) -> None:
        """Serve one connection to its end. `rooms` are the rooms heard already, with the version known of each."""
        self.connections.add(connection)
        try:
            await connection.serve(rooms)
        finally:
            self.connections.discard(connection)

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        """Watch the rooms and, if there are other nodes, the store."""
        sys.setswitchinterval(SWITCH_SECONDS)
        self.lobby.start()
        self.services.metrics.lag.start()
        watching = asyncio.create_task(self.store_watchdog.watch()) if self.settings.nodes else None
        try:
            yield
        finally:
            if watching is not None:
                watching.cancel()
            self.services.metrics.lag.stop()
            await self.lobby.close()

    def sign_out(self, person: str, token_hash: bytes) -> None:
        """End a person's connections with any token but the one of this hash."""
        for connection in tuple(self.connections):
            whoever = connection.whoever
            if whoever is not None and whoever.id == person and whoever.token_hash != token_hash:
                connection.close(CLOSE_SIGNED_OUT)

    def _send_away(self) -> None:
        """Send all clients to another node, where they resume."""
        for connection in tuple(self.connections):
            connection.close(CLOSE_CUT_OFF)

"""What every process of a server has: rooms, casino, and the desk where requests come in."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from croupier.server.casino import Casino
from croupier.server.config import Settings
from croupier.server.connection import CLOSE_CUT_OFF, CLOSE_SIGNED_OUT, Connection
from croupier.server.lobby import Lobby
from croupier.server.router import Desk
from croupier.server.services import House
from croupier.server.store_watchdog import Lifeline
from croupier.store.port import Store


class Node:
    """The parts, put together. The store is opened and closed by whoever made it."""

    def __init__(self, settings: Settings, store: Store, language: str) -> None:
        self.settings = settings
        self.language = language
        self.house = House(
            store, bot_delay_seconds=settings.bot_delay_seconds, close_empty_hours=settings.close_empty_hours
        )
        self.lobby = Lobby(self.house, settings.limits)
        figures = self.house.figures
        self.casino = Casino(store, clock_ms=self.house.clock_ms, figures=figures, replays=self.house.replays)
        self.lobby.nodes.written = self.casino.written
        self.lobby.nodes.signed_out = self.sign_out
        self.desk = Desk(self.house, self.lobby, self.casino, settings.limits, language, settings.nodes)
        self.desk.sign_out = self.sign_out
        self.connections: set[Connection] = set()
        self.lifeline = Lifeline(self.house, self._send_away)
        figures.connections = lambda: self.desk.addresses.connections
        figures.queues = {
            "room_commands": lambda: self.lobby.commands_waiting,
            "replays": lambda: self.house.replays.waiting,
            "frames": lambda: sum(connection.frames_held for connection in self.connections),
        }
        figures.tables = {"room": lambda: len(self.lobby), "casino": lambda: self.casino.sessions_held}

    async def serve(self, connection: Connection, rooms: Sequence[tuple[str, int]] = ()) -> None:
        """One connection to its end; `rooms` are heard already, with the version known of each."""
        self.connections.add(connection)
        try:
            await connection.serve(rooms)
        finally:
            self.connections.discard(connection)

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        """Looks after the rooms, and, where people could go elsewhere, after the store."""
        self.lobby.start()
        self.house.figures.lag.start()
        watching = asyncio.create_task(self.lifeline.watch()) if self.settings.nodes else None
        try:
            yield
        finally:
            if watching is not None:
                watching.cancel()
            self.house.figures.lag.stop()
            await self.lobby.close()

    def sign_out(self, person: str, token_hash: bytes) -> None:
        """Ends the connections of a person that came by another token than the one of this hash."""
        for connection in tuple(self.connections):
            whoever = connection.whoever
            if whoever is not None and whoever.id == person and whoever.token_hash != token_hash:
                connection.close(CLOSE_SIGNED_OUT)

    def _send_away(self) -> None:
        """Everybody goes to another node, and resumes there."""
        for connection in tuple(self.connections):
            connection.close(CLOSE_CUT_OFF)

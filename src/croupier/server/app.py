"""The application: every part put together on one port."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from croupier.game.sealed import Sealed
from croupier.server.access_log import AccessLog
from croupier.server.caller import host, same_origin
from croupier.server.classroom import CLASSROOM_GAME, ClassroomTable
from croupier.server.config import Settings, classroom
from croupier.server.connection import CLOSE_CUT_OFF, CLOSE_TOO_MANY, Connection
from croupier.server.headers import SecurityHeaders
from croupier.server.hosts import KnownHosts
from croupier.server.http import Annex, Http
from croupier.server.hub import endpoint as hub_endpoint
from croupier.server.live_hand import LiveAnnex
from croupier.server.metrics_access import MetricsAccess
from croupier.server.node import Node
from croupier.server.pages import routes as page_routes
from croupier.server.signalr.endpoint import Endpoint
from croupier.server.websocket import EXTENSION
from croupier.server.workers.front import Workers
from croupier.server.workers.handover import Adopted
from croupier.store.port import Append, Repeated, Stale, Store, StoreError
from croupier.wire.hub import PATH

CLASSROOM = "classroom"


class Server(Node):
    """A running server's parts, and those of its front if it has workers."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        language: str,
        dealer_key: str,
        annexes: Sequence[Annex] = (),
    ) -> None:
        workers = Workers(settings, language, store) if settings.workers else None
        super().__init__(settings, store if workers is None else workers.store, language)
        metrics = self.services.metrics
        metrics.tables["classroom"] = lambda: 1
        self._dealer_key = Sealed(dealer_key)
        self._classroom_version = 0
        self._annexes = annexes
        self._workers = workers
        self._hub: Endpoint | None = None
        """The classroom's, when there is an application."""
        self._adopted = Adopted(self)
        if workers is not None:
            metrics.elsewhere = workers.tallies
            self.router.places = workers
            self.lobby.looks_after = lambda code: workers.of_room(code) is None

    async def app(self) -> Starlette:
        """The application, ready for requests once its lifespan has begun."""
        # The table lives in this process alone, and every node has one; so their packs must not have the same name.
        table = ClassroomTable(
            classroom(self.settings, self._dealer_key.open()),
            self._keep,
            name=f"{CLASSROOM}:{self.services.node}",
            metrics=self.services.metrics,
        )

        self.router.classroom = table
        hub = self._hub = hub_endpoint(
            table,
            self.router.addresses,
            allows_origin=self.allows_origin,
            language=self.language,
            metrics=self.services.metrics,
            enums=self.settings.hub_enums,
        )

        @asynccontextmanager
        async def lifespan(_: Starlette) -> AsyncIterator[None]:
            async with table:
                async with self.at_work():
                    if self._workers is not None:
                        await self._workers.start(self._adopted.take, self._send_home)
                    await self.lobby.count_not_offered()
                    yield
                    self.stop()
                    await hub.close()
                    await self._adopted.close()
                if self._workers is not None:
                    await self._workers.close()

        access = MetricsAccess(self.settings.metrics_token, self.settings.metrics_from)
        http = Http(self.services, self.lobby, self.casino, self.router.addresses, self.language, self._annexes, access)
        for annex in self._annexes:
            if isinstance(annex, LiveAnnex):
                annex.take_hands(http.live_hand)
        routes = [
            *page_routes(lambda: self.services.games.names),
            *(hub.routes(PATH) if self.services.games.has(CLASSROOM_GAME) else ()),
            WebSocketRoute("/ws", self.connect),
            *(route for annex in self._annexes for route in annex.routes(http.count)),
            *http.routes(),
        ]
        return Starlette(
            routes=routes,
            lifespan=lifespan,
            middleware=[
                *([Middleware(AccessLog)] if self.settings.access_log else []),
                Middleware(SecurityHeaders, nodes=self.settings.nodes),
                Middleware(KnownHosts, names=self._names(), origins=self.settings.nodes, language=self.language),
            ],
            exception_handlers=http.exception_handlers(),
        )

    def _names(self) -> tuple[str, ...]:
        return (*self.settings.hosts, self.settings.host)

    def stop(self) -> None:
        """End everything that would keep an answer open for long."""
        for annex in self._annexes:
            annex.close()
        if self._hub is not None:
            self._hub.stop()

    async def _keep(self, record_line: str) -> None:
        """Stores the record of a classroom round; all nodes write into one log."""
        while True:
            version = self._classroom_version + 1
            now = self.services.clock_ms()
            append = Append(table=CLASSROOM, version=version, record=record_line.encode(), at_ms=now)
            match await self.services.metrics.timed(self.services.store.append(append)):
                case Stale(last):
                    self._classroom_version = last
                case None:
                    self._classroom_version = version
                    return
                case Repeated():
                    raise StoreError("a record that no command is behind cannot have been done before")

    def allows_origin(self, connection: HTTPConnection) -> bool:
        """Allows pages of this server, of other nodes and of listed origins; and programs, which have no origin."""
        listed = self.settings.origins + self.settings.nodes
        return connection.headers.get("origin") in listed or same_origin(connection)

    def _send_home(self) -> None:
        """A worker is ready: hand over the connections that were served here in its place."""
        for connection in tuple(self.connections):
            connection.go_home()

    async def connect(self, socket: WebSocket) -> None:
        """One connection from beginning to end."""
        if not self.allows_origin(socket):
            await socket.close(1008)
            return
        await socket.accept()
        with self.router.addresses.admitted(host(socket)) as address:
            if address is None:
                await socket.close(CLOSE_TOO_MANY)
            elif self.store_watchdog.is_store_silent:
                await socket.close(CLOSE_CUT_OFF)
            else:
                await self.serve(Connection(socket.scope["extensions"].pop(EXTENSION), self.router, address))

"""uvicorn around the application: it serves on already open sockets, behind the gate."""

import asyncio
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final

import uvicorn
from uvicorn.config import STARTUP_FAILURE

from croupier.server.acceptor import Acceptor
from croupier.server.app import Server
from croupier.server.gate import Gate, Visit
from croupier.server.http_protocol import BoundedHttp
from croupier.server.listen_sockets import listen
from croupier.server.uvicorn_config import uvicorn_config
from croupier.server.websocket import DirectSocket

STOP_SECONDS_MAX: Final = 5
QUICK_STOP_SECONDS_MAX: Final = 1


class StoppableServer(uvicorn.Server):
    """Reports when it is ready, and treats a signal as a request to stop, not as a failure. `stop` is called before
    waiting for open answers, since some would take long.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        ready: Callable[[], None],
        stop: Callable[[], None],
        signals: Sequence[signal.Signals] = (signal.SIGINT, signal.SIGTERM),
    ) -> None:
        super().__init__(config)
        self._ready = ready
        self._stop = stop
        self._signals = signals

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._stop()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for number in self._signals:
            loop.add_signal_handler(number, self.handle_exit, number, None)
        yield


class GatedServer(StoppableServer):
    """Accepts only connections that the gate admits, and bounds what each may ask."""

    def __init__(self, gate: Gate, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._gate = gate

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await self.lifespan.startup()
        if self.lifespan.should_exit:
            sys.exit(STARTUP_FAILURE)
        self.servers: list[Any] = [Acceptor(line, self._gate, self._protocol) for line in sockets or ()]
        self.started = True
        self._ready()

    def _protocol(self, visit: Visit) -> asyncio.Protocol:
        return BoundedHttp(self.config, self.server_state, self.lifespan.state, visit=visit, gate=self._gate)


async def web_server(
    server: Server,
    ready: Callable[[], None],
    stop_seconds_max: int = STOP_SECONDS_MAX,
    log_level: str = "warning",
    **options: Any,
) -> GatedServer:
    """A server of an application; `options` are those of `StoppableServer`."""
    proxies = server.settings.proxies
    config = uvicorn_config(
        await server.app(),
        http="h11",
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        ws=DirectSocket,
        log_level=log_level,
        timeout_graceful_shutdown=stop_seconds_max,
    )
    gate = Gate(server.router.addresses, server.services.turned_away, proxies)
    return GatedServer(gate, config, ready, server.stop, **options)


@asynccontextmanager
async def served(server: Server, host: str, port: int = 0, log_level: str = "warning") -> AsyncIterator[int]:
    """Serve within another program, which keeps its own signals, until the `with` block ends. Yields the port."""
    sockets = listen(host, port)
    ready = asyncio.Event()
    running = await web_server(server, ready.set, QUICK_STOP_SECONDS_MAX, log_level, signals=())
    task = asyncio.create_task(running.serve(sockets))
    waiting = asyncio.create_task(ready.wait())
    await asyncio.wait((task, waiting), return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        waiting.cancel()
        raise OSError(f"nothing can be served on {host}") from task.exception()
    try:
        yield sockets[0].getsockname()[1]
    finally:
        running.should_exit = True
        await task

"""Runs a server until it is told to stop. Open tables stay in the store and go on after the next start."""

import asyncio
import os
import secrets
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import uvicorn

from croupier import locales
from croupier.server.app import Server
from croupier.server.collecting import spare_the_collector
from croupier.server.config import Settings, data_folder
from croupier.server.http import Annex
from croupier.server.limits import FRAME_BYTES_MAX
from croupier.server.listening import link, listen
from croupier.server.logs import log_to_stderr
from croupier.server.websocket import DirectSocket
from croupier.store.open import open_store

STOP_SECONDS_MAX: Final = 5


class _Uvicorn(uvicorn.Server):
    """Says when it is ready, and takes a signal as a wish to stop, not as a failure.

    Annexes are closed before open answers are waited for, since theirs may take long.
    """

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], annexes: Sequence[Annex]) -> None:
        super().__init__(config)
        self._ready = ready
        self._annexes = annexes

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for annex in self._annexes:
            annex.close()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        yield


def store_address(settings: Settings) -> str:
    """The store that the settings name, or the one in the user's data folder."""
    return settings.store or f"sqlite:///{data_folder(os.environ, sys.platform) / 'croupier.db'}"


def _listen(settings: Settings) -> list[socket.socket]:
    """Before anything else, so that a second server on the same port touches nothing of the first."""
    try:
        return listen(settings.host, settings.port)
    except OSError as error:
        raise OSError(error.errno, f"{settings.host}:{settings.port}: {error.strerror or error}") from None


async def serve(settings: Settings, ready: Callable[[str, str], None], annexes: Sequence[Annex] = ()) -> None:
    """Serves until SIGINT or SIGTERM. `ready` is told the link, and the dealer's key when it was made for this run."""
    log_to_stderr(settings.log)
    made_key = "" if settings.dealer_key else secrets.token_urlsafe(9)
    sockets = _listen(settings)
    store = open_store(store_address(settings))
    try:
        language = settings.lang or locales.preferred(os.environ)
        server = Server(settings, store, language, settings.dealer_key or made_key, annexes)
        config = uvicorn.Config(
            await server.app(),
            proxy_headers=bool(settings.proxies),
            forwarded_allow_ips=list(settings.proxies),
            ws=DirectSocket,
            ws_max_size=2 * FRAME_BYTES_MAX,
            ws_per_message_deflate=False,
            access_log=False,
            log_config=None,
            log_level="warning",
            server_header=False,
            timeout_graceful_shutdown=STOP_SECONDS_MAX,
        )
        spare_the_collector()
        address = link(settings.host, sockets[0].getsockname()[1])
        await _Uvicorn(config, lambda: ready(address, made_key), annexes).serve(sockets)
    finally:
        await store.close()

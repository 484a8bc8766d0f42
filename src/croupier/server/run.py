"""Runs a server until it is told to stop. Open tables stay in the store and go on after the next start."""

import asyncio
import json
import logging
import os
import secrets
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import uvicorn

from croupier import locales
from croupier.server.app import Server
from croupier.server.config import Settings, data_folder
from croupier.server.limits import FRAME_BYTES_MAX
from croupier.server.websocket import DirectSocket
from croupier.store.open import open_store

STOP_SECONDS_MAX: Final = 5


class _Uvicorn(uvicorn.Server):
    """Says when it is ready, and takes a signal as a wish to stop, not as a failure."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[str], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]  # uvicorn's own type
        await super().startup(sockets)  # type: ignore[arg-type]  # handed through
        if self.started:
            port = self.servers[0].sockets[0].getsockname()[1]
            host = self.config.host if ":" not in self.config.host else f"[{self.config.host}]"
            self._ready(f"http://{host}:{port}/")

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        yield


class _JsonLines(logging.Formatter):
    def format(self, entry: logging.LogRecord) -> str:
        fields = {"at": self.formatTime(entry), "level": entry.levelname, "message": entry.getMessage()}
        if entry.exc_info:
            fields["error"] = self.formatException(entry.exc_info)
        return json.dumps(fields, ensure_ascii=False)


def _log_to_stderr(form: str) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines() if form == "json" else logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)


def store_address(settings: Settings) -> str:
    """The store that the settings name, or the one in the user's data folder."""
    return settings.store or f"sqlite:///{data_folder(os.environ, sys.platform) / 'croupier.db'}"


async def serve(settings: Settings, ready: Callable[[str, str], None]) -> None:
    """Serves until SIGINT or SIGTERM. `ready` is told the link, and the dealer's key when it was made for this run."""
    _log_to_stderr(settings.log)
    made_key = "" if settings.dealer_key else secrets.token_urlsafe(9)
    store = open_store(store_address(settings))
    try:
        language = settings.lang or locales.preferred(os.environ)
        server = Server(settings, store, language, settings.dealer_key or made_key)
        config = uvicorn.Config(
            await server.app(),
            host=settings.host,
            port=settings.port,
            ws=DirectSocket,
            ws_max_size=2 * FRAME_BYTES_MAX,
            ws_per_message_deflate=False,
            access_log=False,
            log_config=None,
            log_level="warning",
            server_header=False,
            timeout_graceful_shutdown=STOP_SECONDS_MAX,
        )
        await _Uvicorn(config, lambda link: ready(link, made_key)).serve()
    finally:
        await store.close()

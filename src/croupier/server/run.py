"""Runs a server until it is told to stop. Open tables stay in the store and go on after the next start."""

import os
import secrets
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from croupier import locales
from croupier.server.app import Server
from croupier.server.config import Settings
from croupier.server.gc_tuning import spare_the_collector
from croupier.server.http import Annex
from croupier.server.listen_sockets import link, listen
from croupier.server.logs import log_to_stderr
from croupier.server.web_server import web_server
from croupier.store.addresses import data_folder, sqlite_path
from croupier.store.open import open_store
from croupier.store.sqlite.ownership import owned


def store_address(settings: Settings) -> str:
    """The store that the settings name, or the one in the user's data folder."""
    return settings.store or f"sqlite:///{data_folder(os.environ, sys.platform) / 'croupier.db'}"


def _listen(settings: Settings) -> list[socket.socket]:
    """Open the sockets, before anything else, so that a second server on the same port fails without touching the
    first."""
    try:
        return listen(settings.host, settings.port)
    except OSError as error:
        raise OSError(error.errno, f"{settings.host}:{settings.port}: {error.strerror or error}") from None


async def serve(settings: Settings, ready: Callable[[str, str], None], annexes: Sequence[Annex] = ()) -> None:
    """Serve until SIGINT or SIGTERM. `ready` is called with the link, and the dealer's key if it was made for this
    run."""
    log_to_stderr(settings.log)
    made_key = "" if settings.dealer_key else secrets.token_urlsafe(9)
    sockets = _listen(settings)
    with ExitStack() as held:
        if path := sqlite_path(store_address(settings)):
            held.enter_context(owned(path))
        await _serve(settings, sockets, made_key, ready, annexes)


async def _serve(
    settings: Settings,
    sockets: list[socket.socket],
    made_key: str,
    ready: Callable[[str, str], None],
    annexes: Sequence[Annex],
) -> None:
    store = open_store(store_address(settings))
    try:
        language = settings.lang or locales.preferred(os.environ)
        server = Server(settings, store, language, settings.dealer_key or made_key, annexes)
        address = link(settings.host, sockets[0].getsockname()[1])
        running = await web_server(server, lambda: ready(address, made_key))
        spare_the_collector()
        await running.serve(sockets)
    finally:
        await store.close()

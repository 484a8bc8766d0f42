"""One server for all tests of a module: the processes of its lab take a moment to start."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from tests.server.live import Live, live

START_SECONDS_MAX = 20.0


@pytest.fixture(scope="module")
def room() -> Iterator[Live]:
    ready, made = threading.Event(), []

    async def serve() -> None:
        async with live() as server:
            stop = asyncio.Event()
            made.append((server, asyncio.get_running_loop(), stop))
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert ready.wait(START_SECONDS_MAX)
    server, loop, stop = made[0]
    yield server
    loop.call_soon_threadsafe(stop.set)
    thread.join(START_SECONDS_MAX)

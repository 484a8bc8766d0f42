"""Asynchronous work for programs that are not asynchronous, in a notebook too, where an event loop runs already."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Do the work to its end: in an event loop of this thread or, where one runs, of another. Ctrl-C ends it early."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    running: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[T]]] = []

    async def known() -> T:
        task = asyncio.create_task(work)
        running.append((asyncio.get_running_loop(), task))
        return await task

    with ThreadPoolExecutor(1) as thread:
        done = thread.submit(asyncio.run, known())
        try:
            return done.result()
        except KeyboardInterrupt:
            for loop, task in running:
                loop.call_soon_threadsafe(task.cancel)
            raise

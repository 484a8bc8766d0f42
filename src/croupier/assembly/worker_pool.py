"""Processes of the lab that work for the server."""

import asyncio
import multiprocessing
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from croupier.game.refusal import Refusal
from croupier.lab.web_jobs import prepare_worker
from croupier.server.http import RefusedError

Result = TypeVar("Result")


class WorkerPool:
    """Processes that start with the first question and end with the server."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None
        self._parent_pipe: tuple[Connection, ...] = ()
        self.is_closed = False

    @property
    def is_running(self) -> bool:
        """Whether there are processes, and with them what earlier questions left there."""
        return self._pool is not None

    async def work(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Call a function in one of the processes.

        Raise RefusedError if the pool is closed or the process was ended from outside. The next question starts a new
        one.
        """
        if self.is_closed:
            raise RefusedError(503, Refusal("LAB_FAILED"))
        if self._pool is None:
            # A process that begins from nothing: a copy of this one would hold its sockets and its store open.
            fresh = multiprocessing.get_context("spawn")
            self._parent_pipe = fresh.Pipe(duplex=False)
            self._pool = ProcessPoolExecutor(
                self._processes, fresh, initializer=prepare_worker, initargs=self._parent_pipe[:1]
            )
        pool = self._pool
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, function, *arguments)
        except BrokenExecutor:
            if self._pool is pool:
                self._drop()
            raise RefusedError(503, Refusal("LAB_FAILED")) from None

    def close(self) -> None:
        """Stop for good. Questions under way get no answer."""
        self.is_closed = True
        self._drop()

    def _drop(self) -> None:
        if self._pool is not None:
            for end in self._parent_pipe:
                end.close()
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

"""A process of the lab that holds one solution, as the server sees it."""

import asyncio
import multiprocessing
import threading
from contextlib import suppress
from typing import Final

from croupier.game.refusal import Refusal
from croupier.lab.solver_jobs import (
    Forget,
    Look,
    Message,
    Order,
    Refused,
    Report,
    Shown,
    Solve,
    SolverQuestion,
    Stop,
    work,
)
from croupier.server.http import RefusedError

LOOKS_MAX: Final = 8
"""The most looks at one solution that wait for their answers."""


class Solving:
    """One solve: its reports as they come."""

    def __init__(self, number: int, process: "SolverProcess") -> None:
        self.number = number
        self._process = process
        self._reports: asyncio.Queue[Report | Refused | None] = asyncio.Queue()
        self.is_over = False
        """Whether the last report has come, read or not."""
        self.is_stopping = False

    def take(self, report: Report | Refused | None) -> None:
        self.is_over = self.is_over or not isinstance(report, Report) or bool(report.ended)
        self._reports.put_nowait(report)

    async def report(self) -> Report | Refused | None:
        """The next report; None if no more will come, because another solve began or the process ended."""
        return await self._reports.get()

    def stop(self) -> None:
        """End it, if it is still the newest, and keep what there is."""
        self.is_stopping = True
        self._process.stop(self)


class SolverProcess:
    """Solves one spot at a time and shows the newest solution. It ends when it is closed, or when this process does."""

    def __init__(self) -> None:
        # A process that begins from nothing: a copy of this one would hold its sockets and its store open.
        fresh = multiprocessing.get_context("spawn")
        self._pipe, self._theirs = fresh.Pipe()
        self._loop = asyncio.get_running_loop()
        self._process = fresh.Process(target=work, args=(self._theirs,), daemon=True, name="croupier-solver")
        self._solving: Solving | None = None
        self._solves = self._looked = 0
        self._looks: dict[int, asyncio.Future[bytes | Refusal]] = {}
        self.is_lost = False
        """Whether the process was closed, or has ended by itself or from outside."""

    async def start(self) -> None:
        await asyncio.to_thread(self._process.start)
        # The child has its own copy. Only without this one is its end noticed here.
        self._theirs.close()
        threading.Thread(target=self._listen, name="croupier-solver-pipe", daemon=True).start()

    def _listen(self) -> None:
        """Pass on what the process says, in a thread of its own."""
        with suppress(EOFError, OSError):
            while True:
                self._hand_over(self._pipe.recv())
        self._pipe.close()
        self._process.join()
        self._hand_over(None)

    def _hand_over(self, message: Message | None) -> None:
        # The loop may be closed by now.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._take, message)

    def _take(self, message: Message | None) -> None:
        if message is None:
            self._lose()
        elif isinstance(message, Shown):
            waiting = self._looks.pop(message.number)
            if not waiting.done():
                waiting.set_result(message.found)
        elif self._solving is not None and message.number == self._solving.number:
            self._solving.take(message)

    def _lose(self) -> None:
        self.is_lost = True
        if self._solving is not None:
            self._solving.take(None)
        for waiting in self._looks.values():
            if not waiting.done():
                waiting.set_result(Refusal("LAB_FAILED"))
        self._looks.clear()

    def _order(self, order: Order) -> None:
        if self.is_lost:
            raise RefusedError(503, Refusal("LAB_FAILED"))
        try:
            self._pipe.send(order)
        except OSError:
            raise RefusedError(503, Refusal("LAB_FAILED")) from None

    def solve(self, question: SolverQuestion, memory: int) -> Solving:
        """Begin a solve. The one under way ends; the earlier solution is dropped."""
        self._solves += 1
        self._order(Solve(self._solves, question, memory))
        if self._solving is not None:
            self._solving.take(None)
        self._solving = Solving(self._solves, self)
        return self._solving

    def stop(self, solving: Solving) -> None:
        if solving is self._solving and not solving.is_over:
            with suppress(RefusedError):
                self._order(Stop())

    def forget(self) -> None:
        """Drop what was solved and free its memory; the process stays for another solve."""
        self._order(Forget())
        if self._solving is not None:
            self._solving.take(None)
            self._solving = None

    async def look(self, path: str, *, cards: bool) -> bytes | Refusal:
        """What is at the end of a path, or the cards that may be dealt there."""
        if len(self._looks) >= LOOKS_MAX:
            raise RefusedError(429, Refusal("LAB_BUSY", {"limit": LOOKS_MAX}))
        self._looked += 1
        self._order(Look(self._looked, path, cards))
        waiting: asyncio.Future[bytes | Refusal] = self._loop.create_future()
        self._looks[self._looked] = waiting
        return await waiting

    def close(self) -> None:
        """End the process at once."""
        self._lose()
        self._process.kill()

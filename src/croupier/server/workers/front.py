"""The workers as the front sees them: it starts and watches them, replaces dead ones, and gives them connections."""

import asyncio
import socket
import sys
from collections.abc import Callable
from typing import Final

import msgspec

from croupier.server.config import Settings, SettingsError
from croupier.server.metrics import Tally
from croupier.server.router import Give
from croupier.server.services import log
from croupier.server.workers.homes import home
from croupier.server.workers.line import Counted, Handed, Line, Message, Ready
from croupier.server.workers.worker import Orders
from croupier.store.port import Store
from croupier.store.remote import StoreOwner

START_SECONDS_MAX: Final = 10.0
STOP_SECONDS_MAX: Final = 5.0
RESTART_SECONDS: Final = 0.5
"""The time from a worker's death to the next one's start."""
BEAT_SECONDS: Final = 1.0
SILENT_BEATS_MAX: Final = 15
"""A worker that is silent for this many of our heartbeats hangs, and its people cannot play: it is killed."""

Take = Callable[[Handed, int], None]


class Workers:
    """All workers. Until a worker is ready, and while it is gone, the front serves its rooms."""

    def __init__(self, settings: Settings, language: str, store: Store) -> None:
        if not hasattr(socket, "send_fds"):
            raise SettingsError("workers: this system cannot hand open connections to another process; allowed: 0")
        self._owner = owner = StoreOwner(store)
        self.store: Store = owner.own
        """The store for the front itself."""
        secretless = msgspec.structs.replace(settings, store="", dealer_key="", metrics_token="")
        self._workers = [_Process(Orders(number, secretless, language), owner) for number in range(settings.workers)]

    async def start(self, take: Take, ready: Callable[[], None]) -> None:
        """Return when all are ready, or after a time limit. `take` gets the connections that they hand back; `ready` is
        called whenever one has started."""
        for worker in self._workers:
            worker.start(take, ready)
        try:
            async with asyncio.timeout(START_SECONDS_MAX):
                for worker in self._workers:
                    await worker.ready.wait()
        except TimeoutError:
            log.error("not all workers are ready: until they are, their rooms are served without them")

    async def close(self) -> None:
        """Stop the workers and stop sharing the store. What they have stored goes on at the next start."""
        await asyncio.gather(*(worker.close() for worker in self._workers))
        await self._owner.close()

    def of_room(self, room_code: str) -> Give | None:
        worker = self._workers[home(room_code, len(self._workers))]
        return worker.give if worker.ready.is_set() else None

    def of_classroom(self) -> Give | None:
        return None

    def tallies(self) -> list[Tally]:
        return [tally for worker in self._workers for tally in (worker.past, worker.tally) if tally is not None]


class _Process:
    """One worker's process, and its successors."""

    def __init__(self, orders: Orders, owner: StoreOwner) -> None:
        self.ready = asyncio.Event()
        self.tally: Tally | None = None
        """The counts of the present process."""
        self.past: Tally | None = None
        """The counts of its predecessors."""
        self._orders = orders
        self._owner = owner
        self._line: Line | None = None
        self._silent_beats = 0
        self._closing = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self, take: Take, ready: Callable[[], None]) -> None:
        self._take, self._call_ready = take, ready
        self._task = asyncio.create_task(self._keep_running())

    async def close(self) -> None:
        self._closing.set()
        if self._task is not None:
            await self._task

    def give(self, handed: Handed, descriptor: int) -> bool:
        return self._line is not None and self._line.send(handed, descriptor)

    async def _keep_running(self) -> None:
        while not self._closing.is_set():
            try:
                code = await self._run()
            except OSError as error:
                log.error("worker %d cannot be started: %s", self._orders.number, error)
            else:
                if self._closing.is_set():
                    return
                log.error("worker %d ended with %d; the next one takes its place", self._orders.number, code)
            try:
                async with asyncio.timeout(RESTART_SECONDS):
                    await self._closing.wait()
            except TimeoutError:
                continue

    async def _run(self) -> int:
        """One process from its start to its end; its exit code."""
        store_here, store_there = socket.socketpair()
        line_here, line_there = Line.pair()
        try:
            ends = (store_there.fileno(), line_there.fileno())
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "croupier.server.workers", *map(str, ends)),
                stdin=asyncio.subprocess.PIPE,
                pass_fds=ends,
            )
        except OSError:
            store_here.close()
            line_here.close()
            raise
        finally:
            store_there.close()
            line_there.close()
        self._owner.serve(store_here)
        self._line = Line(line_here, self._received)
        assert process.stdin is not None
        process.stdin.write(msgspec.json.encode(self._orders) + b"\n")
        try:
            return await self._until_end(process)
        finally:
            self.ready.clear()
            self._line.close()
            self._line = None
            self._count_the_past()

    async def _until_end(self, process: asyncio.subprocess.Process) -> int:
        assert process.stdin is not None
        ending, closing = asyncio.create_task(process.wait()), asyncio.create_task(self._closing.wait())
        self._silent_beats = 0
        while not (ending.done() or closing.done()):
            await asyncio.wait((ending, closing), timeout=BEAT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            self._silent_beats += 1
            if self._silent_beats == SILENT_BEATS_MAX:
                log.error("worker %d is silent, and is killed", self._orders.number)
                process.kill()
        closing.cancel()
        process.stdin.close()
        try:
            async with asyncio.timeout(STOP_SECONDS_MAX):
                return await ending
        except TimeoutError:
            log.error("worker %d does not stop, and is killed", self._orders.number)
            process.kill()
            return await process.wait()

    def _received(self, message: Message, descriptor: int | None) -> None:
        self._silent_beats = 0
        match message:
            case Ready():
                self.ready.set()
                self._call_ready()
            case Counted(tally):
                self.tally = tally
            case Handed():
                assert descriptor is not None
                self._take(message, descriptor)

    def _count_the_past(self) -> None:
        if self.tally is not None:
            ended = self.tally.ended()
            self.past = ended if self.past is None else self.past + ended
            self.tally = None

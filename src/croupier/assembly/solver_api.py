"""The Hold'em solver over HTTP: solve a spot, watch it get better, walk its tree.

Every solution lives in a process of its own, which gives way to the card room, so that no solve ever holds up a table.
A solution has a secret name, which only its owner is told. Constants below bound how many solutions there are, how many
are being solved, for how long, and how much memory they take. A solution that nobody looks at is dropped.
"""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from croupier.assembly.lab_annex import LabAnnex
from croupier.assembly.lab_questions import body_of, wrong
from croupier.assembly.solver_process import SolverProcess, Solving
from croupier.game.refusal import Refusal
from croupier.lab import EXTRA, is_installed
from croupier.lab.poker.hand_order import HAND_ORDER
from croupier.lab.poker.position_ranges import position_ranges, pots
from croupier.lab.solver_jobs import Refused, Report, SolverQuestion
from croupier.server.caller import disconnected, host
from croupier.server.http import LINES, RefusedError
from croupier.server.openapi import Endpoint
from croupier.server.process import memory_of_machine

SOLUTIONS_MAX: Final = 4
SOLUTIONS_PER_ADDRESS_MAX: Final = 2
SOLVING_MAX: Final = 2
SOLVING_PER_ADDRESS_MAX: Final = 1
MEMORY_TOTAL_MAX: Final = min(2_000_000_000, memory_of_machine() // 2)
MEMORY_MAX: Final = min(1_000_000_000, MEMORY_TOTAL_MAX)
"""For one solution: the size of its arrays, which is known before the work begins."""
SECONDS_MAX: Final = 120.0
PREPARING_SECONDS_MAX: Final = 240.0
"""Until the first report: a minute if the kernels must be compiled first."""
SILENT_SECONDS_MAX: Final = 60.0
"""Between reports: an iteration and a measurement of the largest spot take a few seconds."""
IDLE_SECONDS_MAX: Final = 600.0
"""More than any solve takes."""
QUESTION_BYTES_MAX: Final = 64 * 1024
PATH_LENGTH_MAX: Final = 2000
ENDPOINTS: Final = (
    Endpoint(
        path="/api/lab/ranges",
        name="lab_ranges",
        summary="Usual ranges by position, usual pots of two players, and all starting hands in their order",
        statuses=(429,),
    ),
    Endpoint(
        path="/api/lab/solver",
        name="lab_solver",
        summary="A Hold'em spot of two ranges, a line a moment until it is solved; the first one names the solution",
        method="POST",
        media_type=LINES,
        statuses=(400, 429, 503),
    ),
    Endpoint(
        path="/api/lab/solver/look",
        name="lab_solver_look",
        summary="A point of the tree of a solution, or the cards that may be dealt there",
        method="POST",
        statuses=(400, 404, 429, 503),
    ),
    Endpoint(
        path="/api/lab/solver/end",
        name="lab_solver_end",
        summary="Puts a solution away",
        method="POST",
        statuses=(400, 429),
    ),
)


class LookQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A point of the tree: actions and cards from the start, separated by commas."""

    study: str
    path: str = ""
    cards: bool = False


class EndQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The solution that is not needed any more."""

    study: str


class Kept:
    """A solution: its process, whose it is, how much memory it takes, and when somebody last asked for it."""

    def __init__(self, address: str, process: SolverProcess) -> None:
        self.name = secrets.token_urlsafe(16)
        self.address = address
        self.process = process
        self.solving: Solving | None = None
        self.memory = MEMORY_MAX
        """In bytes. Until the spot is laid out, the most that it may take."""
        self.used_at = time.monotonic()
        self.timer: asyncio.TimerHandle | None = None

    @property
    def is_busy(self) -> bool:
        """Whether it is being solved, or about to be. One that was told to stop does so within a moment."""
        return self.solving is None or not (self.solving.is_over or self.solving.is_stopping)


class SolverApi(LabAnnex):
    """Solves Hold'em spots and shows the solutions."""

    endpoints = ENDPOINTS

    def __init__(self) -> None:
        self._kept: dict[str, Kept] = {}
        self._spare: SolverProcess | None = None
        """A process that has started and has no solution, so the next one need not wait for it."""
        self._is_closed = False

    def close(self) -> None:
        """End all work for good."""
        self._is_closed = True
        for each in list(self._kept.values()):
            self._drop(each)
        self._drop_spare(self._spare)

    @property
    def kept(self) -> tuple[Kept, ...]:
        """The solutions that there are."""
        return tuple(self._kept.values())

    async def lab_ranges(self, request: Request) -> Response:
        """Usual ranges by position, usual pots, and all hands from the best down, for `15%`."""
        self._count(request)
        known = {"ranges": position_ranges(), "pots": pots(), "order": HAND_ORDER}
        return Response(msgspec.json.encode(known), media_type="application/json")

    async def lab_solver(self, request: Request) -> Response:
        """The first line decides the status. A client that disconnects stops the solve; the solution stays a while."""
        self._count(request)
        question = await body_of(request, SolverQuestion, QUESTION_BYTES_MAX)
        _check(question)
        if not is_installed():
            raise RefusedError(503, Refusal("LAB_MISSING", {"extra": EXTRA}))
        if self._is_closed:
            raise RefusedError(503, Refusal("LAB_FAILED"))
        kept = await self._place(question.study, host(request))
        kept.memory = memory = self._memory_for(kept)
        solving = kept.solving = kept.process.solve(question, memory)
        self._use(kept)
        first = await self._first(request, kept, solving)
        return StreamingResponse(self._lines(kept, solving, first), media_type=LINES)

    async def _place(self, name: str, address: str) -> Kept:
        """Where to solve: in the process of the solution that is replaced, if it is there, or in a new one."""
        kept = self._kept.get(name)
        busy = [each for each in self._kept.values() if each.is_busy and each is not kept]
        own = sum(each.address == address for each in busy)
        if len(busy) >= SOLVING_MAX or own >= SOLVING_PER_ADDRESS_MAX:
            raise RefusedError(429, Refusal("SOLVER_BUSY", {"limit": SOLVING_MAX, "each": SOLVING_PER_ADDRESS_MAX}))
        if kept is not None and not kept.process.is_lost:
            return kept
        self._make_room(address)
        spare, self._spare = self._spare, None
        made = Kept(address, SolverProcess() if spare is None or spare.is_lost else spare)
        self._kept[made.name] = made
        if made.process is not spare:
            await made.process.start()
        return made

    def _make_room(self, address: str) -> None:
        """Drop the solutions that were unused for longest, until there is room for one more from this address."""
        while True:
            everybody = list(self._kept.values())
            own = [each for each in everybody if each.address == address]
            if len(own) >= SOLUTIONS_PER_ADDRESS_MAX:
                crowd = own
            elif len(everybody) >= SOLUTIONS_MAX:
                crowd = everybody
            else:
                return
            if not self._drop_resting(crowd):
                raise RefusedError(429, Refusal("SOLVER_BUSY", {"limit": SOLVING_MAX, "each": SOLVING_PER_ADDRESS_MAX}))

    def _memory_for(self, kept: Kept) -> int:
        """How much memory a solve may take. Idle solutions are dropped to make room for it."""
        while True:
            others = [each for each in self._kept.values() if each is not kept]
            left = MEMORY_TOTAL_MAX - sum(each.memory for each in others)
            if left >= MEMORY_MAX or not self._drop_resting(others):
                return min(MEMORY_MAX, left)

    def _drop_resting(self, those: list[Kept]) -> bool:
        """Drop the idle solution that was unused for longest. Return whether there was one."""
        resting = sorted((each for each in those if not each.is_busy), key=lambda each: each.used_at)
        if resting:
            self._drop(resting[0])
        return bool(resting)

    async def _first(self, request: Request, kept: Kept, solving: Solving) -> Report:
        """The first report. Nothing is kept for a client that disconnects before it, or asks for too much."""
        gone = asyncio.create_task(disconnected(request.receive))
        coming = asyncio.create_task(solving.report())
        try:
            await asyncio.wait((gone, coming), timeout=PREPARING_SECONDS_MAX, return_when=asyncio.FIRST_COMPLETED)
            first = coming.result() if coming.done() else None
        finally:
            gone.cancel()
            coming.cancel()
        if isinstance(first, Report):
            kept.memory = first.memory_bytes
            return first
        self._drop(kept)
        raise RefusedError(400, first.refusal) if first else RefusedError(503, Refusal("LAB_FAILED"))

    async def _lines(self, kept: Kept, solving: Solving, first: Report) -> AsyncIterator[bytes]:
        report: Report | Refused | None = first
        try:
            while isinstance(report, Report):
                yield _line(kept, report)
                if report.ended:
                    return
                async with asyncio.timeout(SILENT_SECONDS_MAX):
                    report = await solving.report()
        except TimeoutError:
            self._drop(kept)
        finally:
            solving.stop()
            self._use(kept)

    async def lab_solver_look(self, request: Request) -> Response:
        """A point of the tree, also while the spot is being solved."""
        self._count(request)
        asked = await body_of(request, LookQuestion)
        if len(asked.path) > PATH_LENGTH_MAX:
            raise wrong("path", asked.path[:40], f"≤ {PATH_LENGTH_MAX}")
        kept = self._kept.get(asked.study)
        if kept is None or kept.process.is_lost:
            raise RefusedError(404, Refusal("SOLVER_GONE"))
        self._use(kept)
        found = await kept.process.look(asked.path, cards=asked.cards)
        if isinstance(found, Refusal):
            status = {"SOLVER_GONE": 404, "LAB_FAILED": 503}.get(found.code, 400)
            raise RefusedError(status, found)
        return Response(found, media_type="application/json")

    async def lab_solver_end(self, request: Request) -> Response:
        """Drop a solution, if it is still there."""
        self._count(request)
        kept = self._kept.get((await body_of(request, EndQuestion)).study)
        if kept is not None:
            self._drop(kept)
        return Response(b"{}", media_type="application/json")

    def _use(self, kept: Kept) -> None:
        """Extend the life of a solution that somebody looks at."""
        kept.used_at = time.monotonic()
        if kept.timer is not None:
            kept.timer.cancel()
        if kept.name in self._kept and not self._is_closed:
            kept.timer = asyncio.get_running_loop().call_later(IDLE_SECONDS_MAX, self._drop, kept)

    def _drop(self, kept: Kept) -> None:
        """Drop a solution. Its process is kept for the next one if it is idle."""
        if kept.timer is not None:
            kept.timer.cancel()
        self._kept.pop(kept.name, None)
        rests = kept.solving is not None and kept.solving.is_over and not kept.process.is_lost
        if self._is_closed or self._spare is not None or not rests:
            kept.process.close()
            return
        self._spare = kept.process
        self._spare.forget()
        asyncio.get_running_loop().call_later(IDLE_SECONDS_MAX, self._drop_spare, self._spare)

    def _drop_spare(self, process: SolverProcess | None) -> None:
        """End a process that is still spare."""
        if process is not None and process is self._spare:
            process.close()
            self._spare = None


def _check(question: SolverQuestion) -> None:
    limits: dict[str, tuple[float, Callable[[float], bool], str]] = {
        "target": (question.target, lambda share: 0 <= share <= 1, "0 – 1"),
        "seconds": (question.seconds, lambda seconds: 0 < seconds <= SECONDS_MAX, f"> 0, ≤ {SECONDS_MAX:g}"),
    }
    for name, (value, fits, allowed) in limits.items():
        if not fits(value):
            raise wrong(name, str(value), allowed)


def _line(kept: Kept, report: Report) -> bytes:
    known: dict[str, Any] = msgspec.to_builtins(report)
    return msgspec.json.encode({"study": kept.name, **known}) + b"\n"

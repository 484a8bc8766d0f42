"""The coach over HTTP: for finished hands, and for the current hand of a player whose opponents are all bots. It works
in a process of its own at a lower priority than the card room: one lesson at a time, the others wait. Constants below
bound how many wait and how long a lesson takes. A lesson ends when its client disconnects.
"""

import asyncio
import secrets
from collections import Counter
from collections.abc import AsyncIterator
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from croupier.assembly.lab_annex import LabAnnex
from croupier.assembly.lab_api import counted
from croupier.assembly.lab_questions import body_of
from croupier.assembly.worker_pool import WorkerPool
from croupier.game.refusal import Refusal
from croupier.lab import EXTRA, coach_jobs, is_installed
from croupier.lab.coach_jobs import CoachQuestion, CoachStep
from croupier.lab.poker.coach.hand import CoachRules
from croupier.server.caller import host
from croupier.server.http import LINES, RefusedError
from croupier.server.live_hand import LiveHandOf
from croupier.server.openapi import Endpoint

WAITING_MAX: Final = 4
PER_ADDRESS_MAX: Final = 2
SECONDS_MAX: Final = 180.0
"""How long one lesson may take, after its kernels are compiled."""
ENDPOINTS: Final = (
    Endpoint(
        path="/api/lab/coach",
        name="lab_coach",
        summary="A hand that is over beside what the solver plays, a line a moment until every choice is valued",
        method="POST",
        media_type=LINES,
        statuses=(400, 429, 503),
    ),
    Endpoint(
        path="/api/rooms/{code}/coach",
        name="room_coach",
        summary="What the solver plays in the caller's present hand, at a table where all others are bots",
        method="POST",
        media_type=LINES,
        statuses=(400, 401, 403, 404, 409, 429, 503),
        with_token=True,
    ),
)


class LiveQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ranges to take instead of those by position, out of position first."""

    ranges: tuple[str, str] | None = None


class CoachApi(LabAnnex):
    """Coaches hands of poker."""

    endpoints = ENDPOINTS

    def __init__(self) -> None:
        self._pool = WorkerPool(1)
        self._turn = asyncio.Lock()
        self._asking: Counter[str] = Counter()

    def take_hands(self, live_hand: LiveHandOf) -> None:
        """Set the function that finds the hand that a caller is playing."""
        self._live_hand = live_hand

    def close(self) -> None:
        """Stop for good. Lessons under way stay unfinished."""
        self._pool.close()

    async def lab_coach(self, request: Request) -> Response:
        """Coach a finished hand. An unfinished one is refused: it could be from a table with other people."""
        self._count(request)
        question = await body_of(request, CoachQuestion)
        if not question.is_over or question.own is not None:
            raise RefusedError(400, Refusal("COACH_NOT_OVER"))
        return await self._stream(request, question)

    async def room_coach(self, request: Request) -> Response:
        """Coach the caller's current hand as the server knows it. Refused where another person sits: that would be
        cheating."""
        self._count(request)
        asked = await body_of(request, LiveQuestion)
        hand = await self._live_hand(request)
        rules = msgspec.convert(msgspec.to_builtins(hand.rules), CoachRules)
        return await self._stream(request, CoachQuestion(rules, hand.events, asked.ranges, hand.seat))

    async def _stream(self, request: Request, question: CoachQuestion) -> Response:
        """The first line decides the status."""
        if not is_installed():
            raise RefusedError(503, Refusal("LAB_MISSING", {"extra": EXTRA}))
        address = host(request)
        if self._asking.total() >= WAITING_MAX or self._asking[address] >= PER_ADDRESS_MAX:
            raise RefusedError(429, Refusal("COACH_BUSY", {"limit": WAITING_MAX}))
        lines = self._lines(msgspec.json.encode(question), address)
        first = await anext(lines, None)
        if first is None:
            raise RefusedError(503, Refusal("LAB_FAILED"))
        return StreamingResponse(_with_first(first, lines), media_type=LINES)

    async def _lines(self, asked: bytes, address: str) -> AsyncIterator[bytes]:
        """Give one lesson when its turn comes. Raises RefusedError if it cannot begin."""
        name = secrets.token_hex(8)
        with counted(self._asking, address):
            async with self._turn:
                until: float | None = None
                step = await self._pool.work(coach_jobs.begin, name, asked)
                if isinstance(step, Refusal):
                    raise RefusedError(400, step)
                try:
                    while isinstance(step, CoachStep):
                        yield step.line + b"\n"
                        now = asyncio.get_running_loop().time()
                        until = until or now + SECONDS_MAX
                        if step.ended or now > until:
                            return
                        step = await self._pool.work(coach_jobs.following, name)
                finally:
                    await asyncio.shield(asyncio.ensure_future(self._let_go(name)))

    async def _let_go(self, name: str) -> None:
        """Free the arrays of a lesson whose client has gone."""
        if self._pool.is_running and not self._pool.is_closed:
            await self._pool.work(coach_jobs.drop, name)


async def _with_first(first: bytes, lines: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The lines of an answer whose first line is known. It ends early if the lab fails."""
    try:
        yield first
        async for line in lines:
            yield line
    except RefusedError:
        return
    finally:
        await lines.aclose()  # type: ignore[attr-defined]

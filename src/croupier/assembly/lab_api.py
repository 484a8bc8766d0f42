"""The lab over HTTP: strategy tables of any rules, equities, simulations that report while they run.

The lab works in processes of its own, which give way to the card room, so that no question ever holds up a table. A
question that takes long is answered in lines, one JSON object each, as the answer takes shape. It ends when the client
disconnects. Constants below bound how many may ask at once and for how long.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from croupier.assembly.lab_annex import LabAnnex
from croupier.assembly.lab_questions import (
    body_of,
    converted,
    described,
    ranks_of,
    rules_of,
    written,
    wrong,
)
from croupier.assembly.worker_pool import WorkerPool
from croupier.game.refusal import Refusal
from croupier.games.blackjack import GAME
from croupier.lab import EXTRA, is_installed, web_jobs
from croupier.lab.blackjack.rule_options import FIELDS
from croupier.lab.web_jobs import EquityQuestion, PushfoldQuestion, Question, SimulationQuestion, StreetsQuestion
from croupier.server.caller import host
from croupier.server.http import LINES, RefusedError
from croupier.server.openapi import Endpoint

Result = TypeVar("Result")

PROCESSES_MAX: Final = 2
RUNNING_MAX: Final = 6
RUNNING_PER_ADDRESS_MAX: Final = 2
RUNNING_SECONDS_MAX: Final = 120.0
WAITING_MAX: Final = 64
WAITING_PER_ADDRESS_MAX: Final = 32
ANSWERS_KEPT_MAX: Final = 512
HAND_CARDS_MAX: Final = 21
ENDPOINTS: Final = (
    Endpoint(
        path="/api/lab/rules",
        name="lab_rules",
        summary="Every option of blackjack with what it takes, and the presets",
        statuses=(429,),
    ),
    Endpoint(
        path="/api/lab/strategy",
        name="lab_strategy",
        summary="Blackjack solved exactly for any rules: values, strategy table, insurance",
        statuses=(400, 429, 503),
    ),
    Endpoint(
        path="/api/lab/hand",
        name="lab_hand",
        summary="What each play of a blackjack hand is worth",
        statuses=(400, 429, 503),
    ),
    Endpoint(
        path="/api/lab/streets",
        name="lab_streets",
        summary="Everybody's equity on every street of a Hold'em hand that was played",
        method="POST",
        statuses=(400, 429, 503),
    ),
    Endpoint(
        path="/api/lab/equity",
        name="lab_equity",
        summary="The equity of hands or ranges, a line a moment until it is known",
        method="POST",
        media_type=LINES,
        statuses=(400, 429, 503),
    ),
    Endpoint(
        path="/api/lab/pushfold",
        name="lab_pushfold",
        summary="A push/fold spot of two to nine players, a line a moment until it is solved",
        method="POST",
        media_type=LINES,
        statuses=(400, 429, 503),
    ),
    Endpoint(
        path="/api/lab/simulation",
        name="lab_simulation",
        summary="A simulation of blackjack, a line a moment while it runs",
        method="POST",
        media_type=LINES,
        statuses=(400, 429, 503),
    ),
)


class LabApi(LabAnnex):
    """Answers questions to the lab. Each question is computed once, and its answer is cached."""

    endpoints = ENDPOINTS

    def __init__(self) -> None:
        self._pool = WorkerPool(PROCESSES_MAX)
        self._answers: dict[Hashable, asyncio.Task[Any]] = {}
        self._running: Counter[str] = Counter()
        self._waiting = 0
        self._asking: Counter[str] = Counter()
        """How many questions of each address are being answered."""

    def close(self) -> None:
        """Stop for good. Questions under way get no answer."""
        self._pool.close()

    async def lab_rules(self, request: Request) -> Response:
        """Every option of blackjack with what it takes, and the presets: all that a form needs."""
        self._count(request)
        options = [{"name": name, **described(name)} for name in FIELDS]
        return _json(
            msgspec.json.encode({"options": options, "presets": GAME.presets, "strategies": web_jobs.STRATEGIES})
        )

    async def lab_strategy(self, request: Request) -> Response:
        """The whole solution of a preset with options changed (`decks=2`), as `croupier solve blackjack` prints it."""
        self._count(request)
        return _json(await self._answer(request, web_jobs.strategy, rules_of(request.query_params)))

    async def lab_hand(self, request: Request) -> Response:
        """What each play of a hand (`cards=A52`) against an upcard (`up=T`) is worth, per bet of that hand. A hand from
        a split (`split=8`) is valued beside one other hand, of which only that card is known."""
        self._count(request)
        options = {name: value for name, value in request.query_params.items() if name not in ("cards", "up", "split")}
        cards, up = "".join(sorted(ranks_of(request, "cards", 2, HAND_CARDS_MAX))), ranks_of(request, "up", 1, 1)
        pair = ranks_of(request, "split", 1, 1) if "split" in request.query_params else ""
        values = await self._answer(request, web_jobs.hand, rules_of(options), cards, up, pair)
        if values is None:
            raise wrong("cards", cards, f"{pair}…, ≤ 21" if pair else "≤ 21")
        return _json(values)

    async def lab_streets(self, request: Request) -> Response:
        """Each player's equity on each street of a played hand."""
        self._count(request)
        found = await self._answer(request, web_jobs.streets, await body_of(request, StreetsQuestion))
        if isinstance(found, Refusal):
            raise RefusedError(400, found)
        return _json(found)

    async def lab_equity(self, request: Request) -> Response:
        """The equity of hands or ranges: one line if exact, else one every moment as the interval narrows."""
        return await self._stream(request, await body_of(request, EquityQuestion))

    async def lab_pushfold(self, request: Request) -> Response:
        """A push/fold spot: charts, values and everybody's possible gain, better with every line."""
        return await self._stream(request, await body_of(request, PushfoldQuestion))

    async def lab_simulation(self, request: Request) -> Response:
        """A simulation: every moment a line with all figures so far, and the new points of the plot."""
        asked = await body_of(request, dict[str, Any])
        options = asked.pop("rules", {})
        if not isinstance(options, dict):
            raise wrong("rules", str(options), "{}")
        rules = rules_of({name: written(value) for name, value in options.items()})
        return await self._stream(request, converted({**asked, "rules": rules}, SimulationQuestion))

    async def _stream(self, request: Request, question: Question) -> Response:
        """The first line decides the status; the answer then continues until the caller disconnects."""
        self._count(request)
        address = host(request)
        if self._running[address] >= RUNNING_PER_ADDRESS_MAX or self._running.total() >= RUNNING_MAX:
            raise RefusedError(429, Refusal("LAB_BUSY", {"limit": RUNNING_PER_ADDRESS_MAX}))
        with counted(self._running, address):
            first = await self._work(web_jobs.step, question, None)
        if isinstance(first, Refusal):
            raise RefusedError(400, first)
        return StreamingResponse(self._lines(question, first, address), media_type=LINES)

    async def _lines(self, question: Question, step: web_jobs.Step, address: str) -> AsyncIterator[bytes]:
        """Ends early if its time is up or the lab fails; the last line says how far it got."""
        until = time.monotonic() + RUNNING_SECONDS_MAX
        # Counted here and not by the caller: a stream whose reader has gone already is never begun.
        with counted(self._running, address):
            yield step.line + b"\n"
            while step.state is not None and time.monotonic() < until:
                try:
                    following = await self._work(web_jobs.step, question, step.state)
                except RefusedError:
                    return
                assert isinstance(following, web_jobs.Step), "what could begin can go on"
                step = following
                yield step.line + b"\n"

    async def _answer(self, request: Request, function: Callable[..., Result], *arguments: Any) -> Result:
        """Works the same question out once, also for callers that ask meanwhile."""
        key = msgspec.json.encode((function.__name__, arguments))
        task = self._answers.pop(key, None)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = asyncio.create_task(self._asked(host(request), function, *arguments))
        self._answers[key] = task
        if len(self._answers) > ANSWERS_KEPT_MAX:
            del self._answers[next(iter(self._answers))]
        return await asyncio.shield(task)

    async def _asked(self, address: str, function: Callable[..., Result], *arguments: Any) -> Result:
        """The answer to a question, if this address has not asked too many others."""
        if self._asking[address] >= WAITING_PER_ADDRESS_MAX:
            raise RefusedError(429, Refusal("LAB_BUSY", {"limit": WAITING_PER_ADDRESS_MAX}))
        with counted(self._asking, address):
            return await self._work(function, *arguments)

    async def _work(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Run it in a process of the lab, unless too many questions are waiting for one."""
        if not is_installed():
            raise RefusedError(503, Refusal("LAB_MISSING", {"extra": EXTRA}))
        if self._waiting >= WAITING_MAX:
            raise RefusedError(429, Refusal("LAB_BUSY", {"limit": WAITING_MAX}))
        self._waiting += 1
        try:
            return await self._pool.work(function, *arguments)
        finally:
            self._waiting -= 1


def _json(content: bytes) -> Response:
    return Response(content, media_type="application/json")


@contextmanager
def counted(counter: Counter[str], address: str) -> Iterator[None]:
    """Counts something of an address while it lasts."""
    counter[address] += 1
    try:
        yield
    finally:
        counter[address] -= 1
        if not counter[address]:
            del counter[address]

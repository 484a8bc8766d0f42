"""The lab over HTTP: what the exact solver says of a rule set and of a hand, for the page's trainer.

The lab is imported when somebody first asks, and works in its own thread:
the first answer takes as long as the kernels take to compile, later ones come from memory.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from croupier.rules.blackjack import CASINO, CLASSROOM, TRAINER
from croupier.rules.blackjack.codes import BlackjackCode
from croupier.rules.refusal import Refusal
from croupier.server.http import Count, RefusedError
from croupier.server.openapi import Endpoint

if TYPE_CHECKING:
    from croupier.lab.solve import Solution

Result = TypeVar("Result")

RANKS: Final = "A23456789T"
HAND_CARDS_MAX: Final = 21
PRESETS: Final = {"casino": CASINO, "trainer": TRAINER, "classroom": CLASSROOM}
ENDPOINTS: Final = (
    Endpoint(
        path="/api/lab/strategy",
        name="lab_strategy",
        summary="Blackjack solved exactly for a preset: values, strategy table, insurance",
        statuses=(400, 429),
    ),
    Endpoint(
        path="/api/lab/hand",
        name="lab_hand",
        summary="What each play of a blackjack hand is worth",
        statuses=(400, 429),
    ),
)


@lru_cache(maxsize=len(PRESETS))
def _solution(preset: str) -> "Solution":
    from croupier.lab.solve import solve

    return solve(PRESETS[preset])


@lru_cache(maxsize=len(PRESETS))
def _report(preset: str) -> bytes:
    from croupier.lab.report import report

    return msgspec.json.encode(report(_solution(preset)))


@lru_cache(maxsize=4096)
def _hand(preset: str, cards: str, up: str) -> bytes | None:
    """What the plays of a hand are worth as JSON; None for a hand that is bust."""
    try:
        return msgspec.json.encode(_solution(preset).hand(cards, up))
    except ValueError:
        return None


class LabApi:
    """Answers questions to the lab, one at a time: what others ask meanwhile waits for the same answer."""

    endpoints = ENDPOINTS

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="lab")

    def routes(self, count: Count) -> list[BaseRoute]:
        self._count = count
        return [Route(each.path, getattr(self, each.name), methods=[each.method]) for each in self.endpoints]

    async def lab_strategy(self, request: Request) -> Response:
        """The whole solution of a preset, as `croupier solve blackjack --json` prints it."""
        self._count(request)
        return _json(await self._work(_report, _preset(request)))

    async def lab_hand(self, request: Request) -> Response:
        """What each play of a hand (`cards=A52`) against an upcard (`up=T`) is worth, per bet."""
        self._count(request)
        preset = _preset(request)
        cards = "".join(sorted(_ranks(request, "cards", 2, HAND_CARDS_MAX)))
        values = await self._work(_hand, preset, cards, _ranks(request, "up", 1, 1))
        if values is None:
            raise _wrong("cards", cards, "≤ 21")
        return _json(values)

    async def _work(self, function: Callable[..., Result], *arguments: str) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, *arguments)


def _preset(request: Request) -> str:
    preset = request.query_params.get("preset", "casino")
    if preset not in PRESETS:
        raise _wrong("preset", preset, ", ".join(PRESETS))
    return preset


def _ranks(request: Request, name: str, low: int, high: int) -> str:
    """So many ranks from the question; ten, jack, queen and king are all `T`."""
    ranks = request.query_params.get(name, "").upper().translate(str.maketrans("JQK", "TTT"))
    if not low <= len(ranks) <= high or not set(ranks) <= set(RANKS):
        raise _wrong(name, ranks, f"{low} – {high} × {RANKS}")
    return ranks


def _wrong(option: str, value: str, allowed: str) -> RefusedError:
    facts: dict[str, Any] = {"option": option, "value": value[:40], "allowed": allowed}
    return RefusedError(400, Refusal(BlackjackCode.BAD_OPTION, facts))


def _json(content: bytes) -> Response:
    return Response(content, media_type="application/json")

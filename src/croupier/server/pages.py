"""What the page needs besides its files: the list of games, and all texts."""

import asyncio
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from croupier import locales
from croupier.server.game_list import game_list, installed_games
from croupier.server.web_files import WebFile, answer, json_file

TERMINAL_ONLY: Final = (
    "cli.",
    "mcp.",
    "play.",
    "replay.",
    "arena.",
    "store.",
    "evolve.",
    "solve.",
    "lab.",
    "pushfold.",
)
"""Keys of texts that no page shows."""
_LAB_CODES: Final = (
    *("ARENA_", "CLUSTER_", "COACH_", "COUNT_", "DATASET_", "EQUITY_", "EVOLVE_", "FAMILY_", "HISTORY_", "ICM_"),
    *("INDEX_", "INDICES_", "LAB_", "OHH_", "PHH_", "PUSHFOLD_", "RAMP_", "RANGE_", "RESEARCH_", "SOLVE", "STRATEGY_"),
)
"""Refusals of the lab and the command line."""
LATER: Final = (
    *(f"code.{code}" for code in _LAB_CODES),
    *("event.", "alarm.", "web.alarm.", "web.cash.", "web.cut.", "web.generic.", "web.removal.", "web.replay."),
    *("finding.", "notice.", "web.finding.", "web.notice.", "picture.", "strategy."),
    *("web.turn.", "web.ended.", "web.help.", "how."),
    *("web.verify.", "web.lab.", "web.fairness.", "web.casino.", "web.classroom.", "web.coach."),
)
"""Texts that the lobby does not show. The page loads them with the first place that is not the lobby."""
IN_LOBBY: Final = (".title", ".about", "web.fairness.enter")
"""The lobby's names of the places whose texts load later."""


def is_later(key: str) -> bool:
    """Whether the page loads a text later than its lobby."""
    return key.startswith(LATER) and not (key.startswith("web.") and key.count(".") == 2 and key.endswith(IN_LOBBY))


@lru_cache(maxsize=2 * len(locales.LANGUAGES))
def _texts(language: str, later: bool) -> WebFile:
    texts = locales.catalogue(language).items()
    return json_file({k: text for k, text in texts if not k.startswith(TERMINAL_ONLY) and is_later(k) == later})


async def texts(request: Request) -> Response:
    return _text_answer(request, later=False)


async def more_texts(request: Request) -> Response:
    return _text_answer(request, later=True)


def _text_answer(request: Request, later: bool) -> Response:
    language = request.path_params["language"]
    if language not in locales.LANGUAGES:
        return Response(status_code=404)
    return answer(request, _texts(language, later))


@lru_cache(maxsize=16)
def _games(names: tuple[str, ...]) -> WebFile:
    return json_file(game_list(names))


def routes(offered: Callable[[], tuple[str, ...]] = installed_games) -> list[BaseRoute]:
    """The same for a server and for the installed page: what may run in the page comes from one place. `offered` says
    which games there are."""

    async def games(request: Request) -> Response:
        """Made at the first request, in a thread, because every game is loaded for it."""
        return answer(request, await asyncio.to_thread(lambda: _games(offered())))

    return [
        Route("/api/texts/{language}.json", texts),
        Route("/api/texts/{language}/more.json", more_texts),
        Route("/api/games", games),
    ]

"""The lab over HTTP: what the solver says of a preset and of a hand, and what is refused."""

import asyncio
import json
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from croupier.lab.solve import solve
from croupier.rules.blackjack import CASINO
from tests.server.live import live


def _ask(*paths: str) -> list[tuple[int, Any]]:
    def get(link: str) -> tuple[int, Any]:
        try:
            with urlopen(link) as answer:
                return answer.status, json.load(answer)
        except HTTPError as error:
            return error.code, json.load(error)

    async def ask() -> list[tuple[int, Any]]:
        async with live() as server:
            return [await asyncio.to_thread(get, server.link + path) for path in paths]

    return asyncio.run(ask())


def test_a_hand_has_the_solver_s_values_whatever_the_order_and_suit_of_tens() -> None:
    values = solve(CASINO).hand("6T", "T")
    ((status, one), (_, other)) = _ask("/api/lab/hand?cards=T6&up=T", "/api/lab/hand?cards=6K&up=Q&preset=casino")
    assert status == 200
    assert one == other
    assert one["best"] == values.best
    assert one["hit"] == pytest.approx(values.hit)


def test_the_strategy_is_the_report_of_the_preset() -> None:
    ((status, report),) = _ask("/api/lab/strategy")
    assert status == 200
    assert report["strategy"]["hard"]["16"]["T"] in ("H", "R")
    assert report["rules"]["decks"] == CASINO.decks


@pytest.mark.parametrize(
    ("path", "option"),
    [
        ("/api/lab/strategy?preset=other", "preset"),
        ("/api/lab/hand?cards=A&up=T", "cards"),
        ("/api/lab/hand?cards=XY&up=T", "cards"),
        ("/api/lab/hand?cards=TTT&up=T", "cards"),
        ("/api/lab/hand?cards=AT&up=", "up"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused_with_what_is_allowed(path: str, option: str) -> None:
    ((status, refused),) = _ask(path)
    assert status == 400
    assert refused["code"] == "BAD_OPTION"
    assert refused["facts"]["option"] == option

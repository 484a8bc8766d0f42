"""A game that brings nothing but rules and English texts, at the table for any game: full screen, lines, assistants."""

import asyncio
import subprocess
import sys
from contextlib import suppress
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from croupier import locales
from croupier.assembly.room import local_room
from croupier.cards import Card
from croupier.clients.connection import Client, RefusedError
from croupier.clients.mcp import Seat
from croupier.clients.terminal.facts import fact, facts_of
from croupier.clients.terminal.words import Words
from croupier.game.game import Action
from tests.clients.tables import table

SECONDS_MAX = 60


@pytest.mark.usefixtures("crazy_eights")
def test_a_round_is_played_to_its_end_by_keys_on_the_full_screen() -> None:
    async def run() -> None:
        async with table("crazy_eights", preset="quick", bots=1, language="ko") as driver:
            assert "Crazy Eights – Quick: three cards each" in driver.text("#header")
            assert "Suit to follow: " in driver.text("#scene")
            assert "Ann" in driver.text("#scene")
            assert "[1] " in driver.text("#prompt")
            while not driver.is_over:
                version = driver.snapshot.public.version
                await driver.press("1")
                await driver.until(lambda table, seen=version: table.snapshot.public.version > seen)
                await driver.my_turn_or_over()
            told = driver.log()
            assert "Ann plays " in told or "Ann draws a card." in told
            change = driver.snapshot.public.payouts[0]
            assert locales.text("ko", "play.result", change=f"{change:+}") in told
            assert f"{change}" in await driver.notice(), "the match is over, and the points are shown"
            assert driver.session.room.checker.findings == []

    asyncio.run(run())


def test_a_round_is_played_to_its_end_line_by_line(crazy_eights: dict[str, str]) -> None:
    command = [sys.executable, "-m", "croupier", "play", "crazy_eights", "--plain", "--nickname", "Ann"]
    done = subprocess.run(
        [*command, "--preset", "quick"],
        input="1\n" * 300,
        capture_output=True,
        text=True,
        env={**crazy_eights, "CROUPIER_LANG": "en"},
        check=False,
        timeout=SECONDS_MAX,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Your cards: " in done.stdout
    assert "On top: " in done.stdout
    assert "Random 1: cards: " in done.stdout
    assert "This round brings you " in done.stdout
    assert "Points" in done.stdout


def test_seats_suits_and_words_among_the_fields_of_a_game_are_written_for_people() -> None:
    members = tuple(SimpleNamespace(seat=seat, name=name, bot="") for seat, name in enumerate(("Ann", "Bob")))
    public: Any = SimpleNamespace(game="blackjack", members=members)
    written = partial(fact, words=Words("en"), public=public)
    assert [written(name, 1) for name in ("seat", "to_seat", "toSeat")] == ["Bob"] * 3
    assert written("askedSeats", (1, 0)) == "Bob, Ann"
    assert written("trump_suit", "h") == "♥"
    assert written("rank", "T") == "T"
    assert written("seats_left", 1) == "1"


class _PassCard(Action, frozen=True, tag="TEST_PASS_CARD"):
    hand_index: int


def test_a_place_in_the_hand_is_written_as_the_card_that_lies_there() -> None:
    public: Any = SimpleNamespace(game="blackjack", members=())
    hand = (Card("As"), None)
    written = [facts_of(_PassCard(place), Words("en"), public, hand)["handIndex"] for place in range(3)]
    assert written == ["A♠", "2", "3"]


@pytest.mark.usefixtures("crazy_eights")
def test_an_assistant_learns_the_game_and_plays_it_to_its_end() -> None:
    async def run() -> None:
        async with (
            local_room() as local,
            Client(local.url, nickname="Ann") as ann,
            Client(local.url, nickname="robot") as bot,
        ):
            room = await ann.create("crazy_eights", preset="quick", options={"seats": 2, "turnSeconds": 600})
            seat = Seat(bot, "ru")
            await seat.join(room.code)
            await room.command("PLAYER_READY_SET", ready=True)
            await room.command("HOST_START_GAME")
            explained = await seat.explain_rules()
            assert explained["rules"] == "Get rid of your cards first. Eights fit anywhere."
            while room.phase != "ended":
                with suppress(RefusedError):
                    if room.menu:
                        await room.act(room.menu[0]["action"])
                seen: dict[str, Any] = await seat.view(0.2)
                offers = (await seat.legal_actions())["actions"]
                if offers:
                    seen = await seat.act(offers[0]["action"])
            assert seen["view"]["seats"]

    asyncio.run(run())

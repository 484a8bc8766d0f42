"""Bots of one's own, at real tables: here, at a room by token, and in another process."""

import asyncio
import sys
import time
from typing import Any

import pytest

from croupier import locales
from croupier.clients.connection import RefusedError
from croupier.clients.join import socket_address
from croupier.game.game import Offer
from croupier.games.blackjack import CASINO, TRAINER
from croupier.games.blackjack.rules.actions import Insurance, PlaceBet, SitOut, Stand
from croupier.games.poker import CASH, Call, Check, Fold
from croupier.games.poker.rules.actions import AllIn
from croupier.sdk import Program, Slip, join_there, load, play, play_here
from tests.server.live import live


def careful(view: Any, menu: Any) -> Any:
    """As in the README."""
    can = {type(offer.action): offer.action for offer in menu}
    pair = view.own is not None and view.own.category != "HIGH_CARD"
    likes = pair or view.to_call <= view.big_blind
    return can.get(Check) or (likes and can.get(Call)) or menu[0].action


def first(view: Any, menu: Any) -> Any:
    return menu[0].action


def heard() -> tuple[list[Slip], Any]:
    slips: list[Slip] = []
    return slips, slips.append


def test_a_bot_of_ten_lines_plays_against_the_house_bots() -> None:
    outcome = play(careful, "poker", against=["solid", "caller"], rounds=15)
    assert (outcome.rounds, outcome.slips) == (15, ())
    assert outcome.net == sum(outcome.payouts)


@pytest.mark.parametrize(("game", "preset"), [("blackjack", "trainer"), ("blackjack", "casino"), ("sequence", "house")])
def test_every_game_can_be_played_by_a_bot(game: str, preset: str) -> None:
    outcome = play(first, game, preset=preset, rounds=2)
    assert (outcome.rounds, outcome.slips) == (2, ())


def test_a_match_that_ends_is_followed_by_another() -> None:
    def push(view: Any, menu: Any) -> Any:
        return next((offer.action for offer in menu if isinstance(offer.action, AllIn)), menu[0].action)

    assert play(push, "poker", against=["random"], rounds=12).rounds == 12


def test_a_class_is_a_bot_that_remembers() -> None:
    class Counting:
        asked = 0

        def __call__(self, view: Any, menu: Any) -> Any:
            type(self).asked += 1
            return menu[0].action

    play(Counting, "blackjack", rounds=3)
    assert Counting.asked >= 3


def test_a_late_bot_is_played_for_and_told_so() -> None:
    slips, told = heard()
    outcome = play(lambda view, menu: time.sleep(0.2), "blackjack", rounds=2, seconds=0.02, told=told)
    assert outcome.rounds == 2
    assert {slip.reason for slip in slips} == {"late"}
    assert all(slip.played == SitOut() for slip in slips)


def test_an_illegal_answer_is_replaced_and_told() -> None:
    slips, told = heard()
    outcome = play(lambda view, menu: PlaceBet(10**9), "blackjack", rounds=2, told=told)
    assert outcome.slips == tuple(slips)
    assert {slip.reason for slip in slips} == {"illegal"}
    assert "PlaceBet(amount=1000000000)" in slips[0].text("en")


def test_a_bot_that_fails_does_not_stop_the_game() -> None:
    slips, told = heard()
    assert play(lambda view, menu: 1 // 0, "poker", against=["caller"], rounds=3, told=told).rounds == 3
    assert slips[0].reason == "failed"
    assert "ZeroDivisionError" in slips[0].detail
    assert slips[0].played in (Fold(), Check())


@pytest.mark.parametrize("language", locales.LANGUAGES)
def test_the_reason_is_told_in_every_language(language: str) -> None:
    assert "0.5" in Slip("late", "0.5", Fold()).text(language)


def test_what_is_played_instead_risks_no_chips() -> None:
    assert CASH.absent((Offer(Fold()), Offer(Check()), Offer(AllIn()))) == Check()
    assert CASH.absent((Offer(Fold()), Offer(Call()))) == Fold()
    assert TRAINER.absent((Offer(PlaceBet(1), "amount", 1, 9), Offer(SitOut()))) == SitOut()
    assert CASINO.absent((Offer(Insurance(take=True)), Offer(Insurance(take=False)))) == Insurance(take=False)
    assert CASINO.absent((Offer(Stand()),)) == Stand()


FIRST_BY_JSON = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    assert set(asked) == {"view", "menu"}
    print(json.dumps(asked["menu"][0]["action"]), flush=True)
"""


def test_a_program_plays_by_json_lines() -> None:
    program = Program([sys.executable, "-c", FIRST_BY_JSON])
    try:
        outcome = play(program, "blackjack", preset="trainer", rounds=3)
    finally:
        program.close()
    assert (outcome.rounds, outcome.slips) == (3, ())


@pytest.mark.parametrize("answer", ["nonsense", "[]", '{"type": "PLACE_BET"}', '{"type": "DANCE"}', ""])
def test_a_program_that_answers_nonsense_or_ends_is_played_for(answer: str) -> None:
    slips, told = heard()
    answering = f"import sys\nfor line in sys.stdin:\n    print('''{answer}''', flush=True)"
    program = Program([sys.executable, "-c", answering if answer else ""])
    try:
        assert play(program, "blackjack", rounds=2, told=told).rounds == 2
    finally:
        program.close()
    assert {slip.reason for slip in slips} == {"failed"}


def test_a_bot_is_found_by_file_module_or_command(tmp_path: Any) -> None:
    (tmp_path / "mine.py").write_text("def bot(view, menu):\n    return menu[0].action\n")
    assert play(load(f"{tmp_path / 'mine.py'}:bot"), "blackjack", rounds=1).slips == ()
    assert load("croupier.games.sequence.bots:block_and_build") is not None
    with pytest.raises(AttributeError, match="no nobody"):
        load(f"{tmp_path / 'mine.py'}:nobody")


def test_too_many_bots_are_an_error_that_says_how_many_there_may_be() -> None:
    with pytest.raises(ValueError, match="1 to 9 bots, not against 30"):
        play(first, "poker", against=30, rounds=1)


def test_bots_meet_at_a_room() -> None:
    async def run() -> None:
        async with live() as server, server.client("host") as host:
            room = await host.create("poker", preset="cash", options={"seats": 3, "pauseSeconds": 0})
            guests = [
                asyncio.create_task(join_there(careful, server.link, room.code.lower(), nickname=name, rounds=4))
                for name in ("one", "two")
            ]
            await room.wait(lambda r: sum(member["ready"] for member in r.state["public"]["members"]) == 2)
            await room.command("HOST_START_GAME")
            playing = asyncio.create_task(_play_as(room))
            outcomes = await asyncio.gather(*guests)
            assert all(outcome.rounds >= 4 and not outcome.slips for outcome in outcomes)
            playing.cancel()

    asyncio.run(run())


def test_a_bot_takes_the_place_of_whoever_has_the_token() -> None:
    async def run() -> None:
        async with live() as server, server.client("host") as host:
            room = await host.create("poker", preset="cash", options={"seats": 2, "pauseSeconds": 0})
            async with server.client("Ann") as ann:
                await ann.join(room.code)
                token, player = ann.token, ann.player_id
            joining = asyncio.create_task(join_there(careful, server.link, room.code, token=token, rounds=2))
            await room.wait(lambda r: any(m["ready"] and m["id"] == player for m in r.state["public"]["members"]))
            await room.command("HOST_START_GAME")
            playing = asyncio.create_task(_play_as(room))
            assert (await joining).rounds >= 2
            playing.cancel()

    asyncio.run(run())


async def _play_as(room: Any) -> None:
    """Folds whenever it is asked, so that the hands go on."""
    while True:
        await room.wait(lambda r: r.menu)
        try:
            version = await room.act(room.menu[0]["action"])
            await room.wait(lambda r, seen=version: r.version >= seen)
        except RefusedError:
            await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    ("server", "address"),
    [
        ("http://127.0.0.1:8021", "ws://127.0.0.1:8021/ws"),
        ("https://cards.example/", "wss://cards.example/ws"),
        ("http://[::1]:80/room", "ws://[::1]:80/room/ws"),
        ("ws://host/ws", "ws://host/ws"),
        ("host:8021", None),
        ("http://", None),
        ("http://host:99999", None),
        ("", None),
    ],
)
def test_the_address_of_a_page_leads_to_its_socket(server: str, address: str | None) -> None:
    assert socket_address(server) == address


def test_there_is_a_way_for_asynchronous_programs() -> None:
    assert asyncio.run(play_here(first, "blackjack", rounds=1)).rounds == 1

"""The coach over HTTP: hands that are over, live hands against bots, and what is refused."""

import asyncio
import json
from typing import Any

import httpx
import msgspec
import pytest

from croupier.assembly import coach_api
from croupier.clients.room_handle import RoomHandle
from tests.lab.test_coach import FLOP, RANGES, acted, hand, river
from tests.server.live import Live, live, suppress_codes

ANSWER_SECONDS = 240.0


def asked(events: list[Any], **more: Any) -> dict[str, Any]:
    return {"rules": {}, "events": msgspec.to_builtins(events), "ranges": RANGES, **more}


async def lines(server: Live, path: str, body: Any, token: str = "") -> tuple[int, list[Any]]:
    """The status and every line of an answer."""
    headers = {"authorization": f"Bearer {token}"} if token else {}
    async with httpx.AsyncClient(timeout=ANSWER_SECONDS) as http:
        answer = await http.post(server.link + path, json=body, headers=headers)
        return answer.status_code, [json.loads(line) for line in answer.text.splitlines()]


async def coach_of_hands() -> None:
    async with live() as server:
        status, found = await lines(server, "/api/lab/coach", asked(river("1 check", "0 bet 20", "1 fold")))
        assert status == 200
        assert [each["action"] for each in found[-1]["decisions"]] == ["check", "bet 20", "fold"]
        assert found[-1]["ended"]
        assert found[-1]["givenAway"].keys() == {"0", "1"}
        refused = {
            "COACH_NOT_OVER": asked(river("1 check", over=False)),
            "COACH_NOT_HEADS_UP": asked(hand()),
            "COACH_GAME": asked(river("1 check"), rules={"hole_cards": 4}),
            "RANGE_UNREADABLE": {**asked(river("1 check")), "ranges": ["QQ", "ZZ"]},
            "BAD_OPTION": {"events": "none"},
        }
        for code, body in refused.items():
            status, (told,) = await lines(server, "/api/lab/coach", body)
            assert (status, told["code"]) == (400, code)
        status, (told,) = await lines(server, "/api/lab/coach", asked(river("1 check"), own=0))
        assert (status, told["code"]) == (400, "COACH_NOT_OVER"), "an open decision is advised at its table alone"
        # The process is none the worse for it.
        assert (await lines(server, "/api/lab/coach", asked(river("1 check", "0 check"))))[0] == 200


def test_a_hand_that_is_over_is_coached_and_what_is_none_is_refused() -> None:
    asyncio.run(coach_of_hands())


async def to_the_flop(room: RoomHandle) -> None:
    """Check and call until there is a flop and a turn of one's own."""

    def waits(handle: RoomHandle) -> bool:
        return bool(handle.menu)

    for _ in range(60):
        await room.wait(waits, timeout=30)
        view = room.view
        if len(view["board"]) >= 3 and room.menu:
            return
        kinds = {offer["action"]["type"]: offer["action"] for offer in room.menu}
        stay = kinds.get("HOLDEM_CHECK") or kinds.get("HOLDEM_CALL") or room.menu[0]["action"]
        with suppress_codes("STALE_VERSION", "NOT_YOUR_TURN", "ROUND_OVER"):
            version = await room.act(dict(stay))
            await room.wait(lambda each, seen=version: each.version >= seen)
    raise AssertionError("no flop")


async def coach_at_tables() -> None:
    async with live() as server, server.client("ann") as ann, server.client("bob") as bob:
        options = {"pauseSeconds": 0, "turnSeconds": 600}
        room = await ann.create("poker", options=options, rules={"stack_chips": 30})
        path = f"/api/rooms/{room.code}/coach"
        await room.command("HOST_ADD_BOT", bot="caller")
        await room.command("HOST_START_GAME")
        await to_the_flop(room)
        body = {"ranges": ["QQ,AK,T9s", "JJ,AQ,98s"]}
        status, found = await lines(server, path, body, ann.token)
        assert status == 200, found
        advice = found[-1]["decisions"][-1]
        assert (advice["action"], advice["seat"], advice["lost"]) == ("", room.seat, None)
        own = next(seat for seat in room.view["seats"] if seat["seat"] == room.seat)
        assert {advice["hand"][:2], advice["hand"][2:]} == set(own["cards"])
        assert {each["seat"] for each in found[-1]["decisions"]} == {room.seat}, "nothing is told of the bot's cards"
        for token, wanted in (("", (401, "BAD_TOKEN")), (bob.token, (403, "COACH_NOT_SEATED"))):
            status, (told,) = await lines(server, path, body, token)
            assert (status, told["code"]) == wanted
        status, (told,) = await lines(server, "/api/rooms/NOWAY9/coach", body, ann.token)
        assert (status, told["code"]) == (404, "NO_SUCH_ROOM")

        shared = await ann.create("poker", options=options)
        await (await bob.join(shared.code)).command("PLAYER_READY_SET", ready=True)
        await shared.command("HOST_ADD_BOT", bot="caller")
        await shared.command("HOST_START_GAME")
        for token in (ann.token, bob.token):
            status, (told,) = await lines(server, f"/api/rooms/{shared.code}/coach", body, token)
            assert (status, told["code"]) == (403, "COACH_PEOPLE"), "that would be cheating"


def test_live_the_coach_helps_against_bots_and_never_where_another_person_sits() -> None:
    asyncio.run(coach_at_tables())


async def many_at_once() -> None:
    async with live() as server:
        body = {**asked(hand_of_a_flop()), "ranges": None}
        asking = [asyncio.create_task(first_line(server, body)) for _ in range(2)]
        await asyncio.sleep(0.5)
        status, (told,) = await lines(server, "/api/lab/coach", body)
        assert (status, told["code"]) == (429, "COACH_BUSY")
        assert await asyncio.gather(*asking) == [200, 200]
        # Both have gone away, so there is room again.
        status, _ = await lines(server, "/api/lab/coach", asked(river("1 check", "0 check")))
        assert status == 200


def hand_of_a_flop() -> list[Any]:
    return hand(FLOP, *acted("1 check", "0 bet 30", "1 fold"))


async def first_line(server: Live, body: Any) -> int:
    """Read one line, and go away."""
    async with (
        httpx.AsyncClient(timeout=ANSWER_SECONDS) as http,
        http.stream("POST", server.link + "/api/lab/coach", json=body) as answer,
    ):
        async for line in answer.aiter_lines():
            assert json.loads(line)["total"] == 1
            break
        return answer.status_code


def test_who_asks_too_much_at_once_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask() -> None:
        async with live() as server:
            status, (told,) = await lines(server, "/api/lab/coach", asked(river("1 check")))
            assert (status, told["code"]) == (429, "COACH_BUSY")

    monkeypatch.setattr(coach_api, "PER_ADDRESS_MAX", 0)
    asyncio.run(ask())


@pytest.mark.soak
def test_more_than_may_wait_are_refused_and_who_goes_away_ends_the_work() -> None:
    asyncio.run(many_at_once())


@pytest.mark.parametrize("kind", ["text/plain", ""])
def test_a_page_of_another_origin_cannot_put_the_coach_to_work(kind: str) -> None:
    async def ask() -> None:
        async with live() as server, httpx.AsyncClient() as http:
            headers = {"content-type": kind} if kind else {}
            answer = await http.post(f"{server.link}/api/lab/coach", content=b"{}", headers=headers)
            assert (answer.status_code, answer.json()["facts"]["allowed"]) == (400, "application/json")

    asyncio.run(ask())

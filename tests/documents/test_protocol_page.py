"""docs/protocol.md as a stranger reads it: what it shows can be sent as it stands, and its links lead somewhere."""

import asyncio
import json
import re
from contextlib import AsyncExitStack
from hashlib import sha256
from random import Random
from secrets import token_bytes
from typing import Any, Final

import httpx
import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from croupier import bots
from croupier.game.registry import GAMES
from croupier.locales import LANGUAGES
from croupier.wire.room import REACTIONS
from croupier.wire.schema import ANSWERS, REQUESTS, described
from tests.documents.gambler import SERVER_SEEDS
from tests.server.hub_room import SEPARATOR, Room, asynchronous, served
from tests.server.live import choose, live
from tests.server.make_protocol import FILE

PAGE: Final = FILE.read_text(encoding="utf-8")


def _section(title: str) -> str:
    """What stands under a heading, up to the next one of its kind or above."""
    found = re.search(rf"^(#+) {re.escape(title)}\n(.*?)(?=^#{{1,3}} |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[2]


@asynchronous
async def test_a_stranger_can_place_a_bet_with_the_frames_of_the_page() -> None:
    script = re.findall(r"^([→←]) (.*)$", _section("A round at the casino"), re.MULTILINE)
    assert [json.loads(text)["type"] for way, text in script if way == "→"] == [
        *("HELLO", "BLACKJACK_GET_STATE", "PLACE_BET", "BLACKJACK_STAND", "BLACKJACK_ROTATE_SEED")
    ]
    async with live() as server:
        seeds = iter(SERVER_SEEDS)
        server.server.casino._new_seed = lambda: next(seeds)
        async with connect(server.url, compression=None) as socket:
            asked, frame = "", {}
            for way, text in script:
                if way == "→":
                    assert frame.get("requestId", "") == asked, "the last that came is the answer"
                    await socket.send(text)
                    asked = json.loads(text)["requestId"]
                    continue
                frame = json.loads(await asyncio.wait_for(socket.recv(), 10))
                assert " ".join(filter(None, (frame["type"], frame.get("status")))) == text, frame
            assert frame["requestId"] == asked
            assert frame["revealed"] == SERVER_SEEDS[0]


@asynchronous
async def test_a_stranger_can_open_a_room_and_play_with_the_frames_of_the_page() -> None:
    """The cards are dealt by a secret that is always the same, so those of the page are in the hand."""
    script = re.findall(r"^([→←]) (.*)$", _section("A game of Sequence"), re.MULTILINE)
    asked = {json.loads(text)["type"]: json.loads(text) for way, text in script if way == "→"}
    assert asked["DEAL_PROMISE"]["promise"] == _promise(bytes.fromhex(asked["DEAL_CUT"]["value"]))
    async with live(bot_delay_seconds=0.5) as server:
        server.server.services.secret = lambda: bytes(32)
        async with connect(server.url, compression=None) as socket:
            for way, text in script:
                if way == "→":
                    await socket.send(text)
                    continue
                frame = await _heard(socket)
                phase, events = frame.get("public", {}).get("phase", ""), frame.get("events", [])
                shown = [frame["type"], phase, *(event["type"] for event in events)]
                assert " ".join(filter(None, shown)) == text, frame


@asynchronous
async def test_a_stranger_plays_a_whole_game_of_sequence_by_what_the_page_says() -> None:
    """By its five points, and with nothing that is not on the page."""
    async with live() as server, connect(server.url, compression=None) as socket:
        value, seen, number = token_bytes(32), {}, 0

        async def send(kind: str, **fields: Any) -> None:
            nonlocal number
            number += 1
            ids = {"requestId": f"r{number}", "commandId": f"c{number}"}
            await socket.send(json.dumps({"type": kind, **ids, **fields}))

        await socket.send('{"type":"HELLO","requestId":"1"}')
        await send("ROOM_CREATE", nickname="Ann", game="sequence", options={"seats": 2})
        await send("HOST_ADD_BOT")
        await send("DEAL_PROMISE", promise=_promise(value))
        await send("PLAYER_READY_SET", ready=True)
        await send("HOST_START_GAME")
        random, done, refused = Random(7), 0, 0
        while seen.get("public", {}).get("phase") != "ended":
            frame = await _heard(socket)
            refused += frame["type"] == "ERROR"
            if frame["type"] != "ROOM_STATE":
                continue
            seen, version, you = frame, frame["public"]["version"], frame["you"]
            if you["seat"] in frame["public"]["waitsFor"] and done < frame["public"]["deal"]:
                given, value, done = value, token_bytes(32), frame["public"]["deal"]
                await send("DEAL_CUT", deal=done, value=given.hex(), promise=_promise(value))
            elif you["menu"]:
                action = choose(you["menu"], random)
                await send(action.pop("type"), expectedVersion=version, **action)
        assert not refused
        assert seen["you"]["view"]["winner"] in ("A", "B")
        await send("HOST_REMATCH")
        while (await _heard(socket)).get("public", {}).get("phase") != "lobby":
            pass


@asynchronous
async def test_a_stranger_can_give_a_lesson_with_the_records_of_the_page() -> None:
    text = _section("The classroom table, as a SignalR hub")
    script = re.findall(r"^(kim|ann) ([→←]) (.*)$", text, re.MULTILINE)
    assert {json.loads(said).get("target") for _, way, said in script if way == "→"} == {
        *(None, "Join", "StartRound", "Stand", "Leave")
    }
    async with live() as server, connect(server.websocket_url) as kim, connect(server.websocket_url) as ann:
        sockets = {"kim": kim, "ann": ann}
        heard: dict[str, list[str]] = {"kim": [], "ann": []}
        for who, way, said in script:
            if way == "→":
                await sockets[who].send(said + SEPARATOR)
                continue
            if not heard[who]:
                heard[who] = str(await asyncio.wait_for(sockets[who].recv(), 10)).split(SEPARATOR)[:-1]
            record = heard[who].pop(0)
            frame = json.loads(record)
            match frame.get("target"):
                case "OnStateChanged":
                    record = f"OnStateChanged {frame['arguments'][0]['phase']}"
                case "OnError":
                    record = f"OnError {frame['arguments'][0]}"
            assert record == said, (who, frame)


TRANSPORTS: Final = ("WebSockets", "ServerSentEvents", "LongPolling")
_EVENTS: Final = {"accept": "text/event-stream"}


@pytest.mark.parametrize("begun", TRANSPORTS)
@asynchronous
async def test_a_connection_cannot_be_begun_again_by_another_transport_as_the_page_says(begun: str) -> None:
    """400 for another transport, 409 for the same one; a further poll is how long polling goes on."""
    assert "another transport was begun with it" in _section("The classroom table, as a SignalR hub")
    async with served() as room, httpx.AsyncClient() as http, AsyncExitStack() as stack:
        negotiated = (await http.post(f"{room.url}/negotiate?negotiateVersion=1")).json()
        token = f"?id={negotiated['connectionToken']}"
        if begun == "WebSockets":
            await stack.enter_async_context(connect(room.websocket_url + token))
        elif begun == "ServerSentEvents":
            await stack.enter_async_context(http.stream("GET", room.url + token, headers=_EVENTS))
        else:
            await http.get(room.url + token)
        for tried in TRANSPORTS:
            if tried != begun or tried != "LongPolling":
                assert await _refused(room, http, token, tried) == (409 if tried == begun else 400), tried


async def _refused(room: Room, http: httpx.AsyncClient, token: str, transport: str) -> int:
    if transport == "WebSockets":
        with pytest.raises(InvalidStatus) as refused:
            await connect(room.websocket_url + token)
        return refused.value.response.status_code
    headers = _EVENTS if transport == "ServerSentEvents" else {}
    return (await http.get(room.url + token, headers=headers)).status_code


async def _heard(socket: ClientConnection) -> dict[str, Any]:
    frame: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), 10))
    return frame


def _promise(value: bytes) -> str:
    """As the page says it in words."""
    name = b"croupier cut-2 promise"
    return sha256(bytes.fromhex("00000016") + name + bytes.fromhex("00000020") + value).hexdigest()


def test_lists_of_values_are_in_the_order_that_their_texts_speak_of() -> None:
    """Like "the first five" of a hand's statuses, or "best first"."""
    status = re.findall(r"`(\w+)`", _section("Status"))
    assert status == ["active", "stand", "busted", "blackjack", "surrendered", "win", "lose", "push"]
    assert re.findall(r"`(\w+)`", _section("Category"))[0] == "STRAIGHT_FLUSH"
    assert re.findall(r"`(\w+)`", _section("TablePhase")) == ["lobby", "playing", "ended"]


def test_fields_are_called_by_their_names_on_the_wire() -> None:
    """In texts, too: `firstSeat`, not `first_seat`. Options of rules are written with underscores in both."""
    rules = set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))
    assert not {name for name in re.findall(r"`([a-z]+_[a-z_]+)`", PAGE) if name not in rules} - _VALUES - _POKER


_VALUES: Final = {"cashed_out", "big_blind", "suit_rank_variant", "_j_1", "_j_2"}
_POKER: Final = {"no_limit", "pot_limit", "fixed_limit", "high_low", "two_boards", "two_seats"}


def test_every_game_preset_bot_reaction_and_language_is_named() -> None:
    named = set(re.findall(r"`([^`]+)`", _section("Names")))
    for game in GAMES.values():
        assert {game.name, *game.presets, *bots.names(game.name)} <= named
    assert {*REACTIONS, *LANGUAGES} <= named


def test_every_request_is_shown_with_all_its_fields() -> None:
    for tag, structs in REQUESTS.items():
        shown = set(re.findall(r"^\| `(\w+)` \|", _section(tag), re.MULTILINE))
        fields = {field.encode_name for struct in structs for field in msgspec.structs.fields(struct)}
        assert shown == fields - {"requestId"}, tag


def test_every_message_says_what_it_is_for() -> None:
    assert not [tag for tag, structs in {**REQUESTS, **ANSWERS}.items() if not described(structs)]


def test_every_link_within_the_page_leads_to_a_heading() -> None:
    headings = {
        re.sub(r"[^\w\- ]", "", name.lower()).replace(" ", "-") for name in re.findall(r"^#+ (.+)$", PAGE, re.M)
    }
    links = set(re.findall(r"\]\(#([^)]*)\)", PAGE))
    assert links <= headings, links - headings


def test_values_are_written_as_in_json() -> None:
    for default in re.findall(r"optional, else `([^`]*)`", PAGE):
        value: Any = json.loads(default)
        assert value is not None

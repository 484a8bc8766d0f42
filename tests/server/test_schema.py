"""The published descriptions are the code's own, and every frame that is really sent fits them."""

import asyncio
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator
from starlette.routing import Route

from croupier.clients.connection import RefusedError
from croupier.clients.room_handle import RoomHandle
from croupier.games.blackjack.rules.codes import BlackjackCode
from croupier.server.openapi import openapi, public_path
from croupier.wire.frames import Answer, Command, Request
from croupier.wire.hub import CALLBACKS, ENUMS, METHODS, PATH
from croupier.wire.room import EnterRequest, GameRequest, RoomRequest, RoomState
from croupier.wire.schema import ANSWERS, REQUESTS, asyncapi, json_schema
from tests.server.hub_tables import STRUCTS
from tests.server.live import ENDPOINTS, live, play
from tests.server.make_protocol import BEGIN, END, FILE, tables

CASES = [("poker", "holdem", 3), ("sequence", "house", 2), ("blackjack", "trainer", 2)]
FRAMES_OF_A_TYPE_MAX = 150
"""Checking takes a while; of more frames of a type, every second or third is checked."""


def _validator(kind: str, tag: str = "") -> Draft202012Validator:
    """Checks requests or answers; with a tag, by the schemas of that message type alone, which is quicker."""
    named = json_schema()["$defs"]
    chosen = [
        reference
        for reference in named[kind]["anyOf"]
        if not tag or tag in named[reference["$ref"].rpartition("/")[2]]["properties"]["type"]["enum"]
    ]
    assert chosen
    return Draft202012Validator({"$defs": named, "anyOf": chosen})


def _descendants(base: type[Any]) -> Iterator[type[Any]]:
    for child in base.__subclasses__():
        yield child
        yield from _descendants(child)


def test_what_is_served_is_what_the_code_makes() -> None:
    async def check() -> None:
        async with live() as server, httpx.AsyncClient() as http:
            for name, made in (("schema", json_schema()), ("asyncapi", asyncapi()), ("openapi", openapi(ENDPOINTS))):
                answer = await http.get(f"{server.link}/api/{name}.json")
                assert answer.headers["content-type"] == "application/json"
                assert answer.json() == made

    asyncio.run(check())


def test_every_message_that_the_code_knows_is_described() -> None:
    bases = (Request, Command, RoomRequest, EnterRequest, GameRequest, Answer)
    described = {struct for messages in (REQUESTS, ANSWERS) for structs in messages.values() for struct in structs}
    for base in (Request, Answer):
        for struct in _descendants(base):
            by_game = struct is RoomState
            # Another test may have asked for the requests of a game that is not installed here.
            home = getattr(struct, "command", struct).__module__
            if struct not in bases and home.startswith("croupier.") and not by_game:
                assert struct in described, f"{struct.__name__} is not described"
    assert len(ANSWERS["ROOM_STATE"]) == 3, "one for each game"


def test_the_schema_is_a_schema_and_refers_to_nothing_that_is_not_there() -> None:
    schema = json_schema()
    Draft202012Validator.check_schema(schema)
    for document, place in (
        (schema, "$defs"),
        (asyncapi(), "components/schemas"),
        (openapi(ENDPOINTS), "components/schemas"),
    ):
        named = document["$defs"] if place == "$defs" else document["components"]["schemas"]
        wanted = set(re.findall(rf'"#/{re.escape(place)}/([^"]+)"', json.dumps(document)))
        assert wanted <= set(named)
        assert all(re.fullmatch(r"[A-Za-z0-9]+", name) for name in named)


def test_the_asyncapi_document_has_every_message_once() -> None:
    document = asyncapi()
    assert document["asyncapi"].startswith("3.")
    messages = document["components"]["messages"]
    assert set(messages) == {*REQUESTS, *ANSWERS} == set(document["channels"]["room"]["messages"])
    asked = {each["$ref"].rpartition("/")[2] for each in document["operations"]["ask"]["messages"]}
    told = {each["$ref"].rpartition("/")[2] for each in document["operations"]["tell"]["messages"]}
    assert asked == set(REQUESTS)
    assert told == set(ANSWERS)
    assert document["channels"]["room"]["address"] == "/ws"


def test_the_openapi_document_lists_exactly_the_routes() -> None:
    async def paths() -> set[tuple[str, str]]:
        async with live() as server:
            app = await server.server.app()
            routes = [route for route in app.routes if isinstance(route, Route)]
            quiet = {"HEAD", "OPTIONS"}
            return {
                (public_path(route.path), method) for route in routes for method in (route.methods or set()) - quiet
            }

    listed = {(path, method.upper()) for path, ways in openapi(ENDPOINTS)["paths"].items() for method in ways}
    assert asyncio.run(paths()) == listed


def test_the_description_for_people_is_the_code_s() -> None:
    text = FILE.read_text(encoding="utf-8")
    _, _, rest = text.partition(BEGIN)
    made, found, _ = rest.partition(END)
    assert found
    assert made == tables(), "run: python -m tests.server.make_protocol"
    for tag in (*REQUESTS, *ANSWERS):
        assert f"\n### {tag}\n" in made


async def _heard(game: str, preset: str, players: int) -> list[str]:
    """Every frame that anybody gets in a whole game with talk, faults, a round at the casino and a class."""
    frames: list[str] = []
    async with live() as server:
        clients = [await server.client(f"player {n}", hears=frames.append).__aenter__() for n in range(players + 2)]
        host = await clients[0].create(game, preset=preset, options={"pauseSeconds": 0, "listed": True})
        rooms = [host, *[await client.join(host.code) for client in clients[1:players]]]
        await clients[players].join(host.code, watch=True)
        for room in rooms[1:]:
            await room.command("PLAYER_READY_SET", ready=True)
        await host.command("HOST_START_GAME")

        def until(room: RoomHandle) -> bool:
            public = room.state["public"]
            return public["phase"] == "ended" or public["hand"] > 3

        async with asyncio.timeout(60):
            await asyncio.gather(*(play(room, Random(f"schema{n}"), until) for n, room in enumerate(rooms)))
        await _talk(clients[0], host.code)
        await _visit_casino(clients[players + 1])
        await _visit_class(clients[0])
        await _let_in(clients[players + 1], clients[players])
        await rooms[-1].command("ROOM_LEAVE")
        for client in clients:
            await client.__aexit__(None, None, None)
    return frames


async def _talk(client: Any, code: str) -> None:
    await client.request("CHAT_SEND", text="good game", roomCode=code)
    await client.request("REACTION_SEND", reaction="👏", roomCode=code)
    await client.request("ROOM_WATCH", roomCode=code)
    await client.request("ROOM_LIST")
    history = await client.request("DEAL_HISTORY", roomCode=code, first=1)
    assert history["deals"][0]["context"]["deal"] == 1
    for kind, fields in (("CHAT_SEND", {"text": ""}), ("REACTION_SEND", {"reaction": "?"}), ("NO_SUCH_TYPE", {})):
        with pytest.raises(RefusedError):
            await client.request(kind, roomCode=code, **fields)


async def _visit_casino(client: Any) -> None:
    state = await client.request("BLACKJACK_GET_STATE")
    for number, bet in enumerate(range(10, 80, 10)):
        ids = {"commandId": f"bet{number}", "expectedVersion": state["version"]}
        state = await client.request(
            "PLACE_BET", amount=bet, clientSeed="a seed of my own", gameParams={"blackjack": {}}, **ids
        )
        await client.request("BLACKJACK_CHECK_ACTIVE")
        if state["menu"][0]["action"]["type"] != "PLACE_BET":
            await client.request("BLACKJACK_RESUME_GAME")
        while state["menu"][0]["action"]["type"] != "PLACE_BET":
            kind = "BLACKJACK_INSURANCE" if state["canInsure"] else "BLACKJACK_STAND"
            ids = {"commandId": f"act{state['version']}", "expectedVersion": state["version"]}
            state = await client.request(kind, **ids)
    await client.request("BLACKJACK_ROTATE_SEED", commandId="rotate", expectedVersion=state["version"])
    for kind in ("BLACKJACK_GET_PARAMS", "BLACKJACK_SEEDS", "BLACKJACK_HISTORY", "WALLET_GET"):
        await client.request(kind)


async def _let_in(host: Any, guest: Any) -> None:
    """A room by approval; and a token that is replaced."""
    room = await host.create("sequence", entry="approval")
    joining = asyncio.create_task(guest.join(room.code))
    await room.wait(lambda r: r.state["public"]["waiting"])
    await room.command("HOST_ADMIT", member=guest.player_id)
    await joining
    await guest.sign_out_everywhere()


async def _visit_class(client: Any) -> None:
    await client.request("CLASSROOM_WATCH")
    await client.request("CLASSROOM_JOIN", name="Ann", dealerKey="the key")
    await client.request("CLASSROOM_LEAVE")


@pytest.mark.parametrize(("game", "preset", "players"), CASES)
def test_every_frame_of_a_whole_game_fits_the_schema(game: str, preset: str, players: int) -> None:
    frames = asyncio.run(_heard(game, preset, players))
    by_type: dict[str, list[Any]] = defaultdict(list)
    for text in frames:
        frame = json.loads(text)
        by_type[frame["type"]].append(frame)
    missing = set(ANSWERS) - set(by_type)
    # Only a client that hardly reads is sent STATES_SKIPPED: see test_slow_consumers.
    assert missing <= {"CLASSROOM_NOTICE", "STATES_SKIPPED"}, "some kind of frame was not provoked"
    for tag, sent in by_type.items():
        validator = _validator("Answer", tag)
        for frame in sent[:: 1 + len(sent) // FRAMES_OF_A_TYPE_MAX]:
            faults = sorted(validator.iter_errors(frame), key=lambda fault: fault.path)
            assert not faults, f"{frame['type']}: {faults[0].context[:3]}"


def test_the_schema_refuses_what_no_message_is() -> None:
    validator = _validator("Request")
    hello = {"type": "HELLO", "requestId": "1", "nickname": "Ann"}
    assert validator.is_valid(hello)
    for wrong in ({**hello, "requestId": ""}, {**hello, "extra": 1}, {**hello, "type": "HALLO"}, {"type": "HELLO"}):
        assert not validator.is_valid(wrong)


def test_the_description_of_the_hub_names_all_that_it_serves() -> None:
    text = FILE.read_text(encoding="utf-8")
    section = text.partition("## The classroom table, as a SignalR hub")[2].partition("\n## ")[0]
    assert re.findall(r"`([A-Z]+(?:_[A-Z]+)+)`", section) == [code.value for code in islice(BlackjackCode, 13)]
    told = {int(status) for status in re.findall(r"\b4\d\d\b|\b503\b", section)}
    served = {status for each in ENDPOINTS if each.path.startswith(PATH) for status in each.statuses}
    assert told == {status for status in served if status >= 400}
    for method in (*METHODS, *CALLBACKS):
        assert f"| `{method.name}` | " in text
    for value in (*STRUCTS, *ENUMS):
        assert f"\n### Hub{value.__name__.removeprefix('Hub')}\n" in text

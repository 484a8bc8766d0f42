"""Frames read in one go, held to the plain way of reading them."""

import asyncio
import json
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from croupier.game.refusal import Refusal
from croupier.game.registry import GAMES
from croupier.server.limits import Limits
from croupier.server.lobby import Lobby
from croupier.server.origins import Whereabouts
from croupier.server.room import RoomActor
from croupier.server.router import _OUTSIDE_GAMES, Router
from croupier.server.services import Services
from croupier.store.memory import MemoryStore
from croupier.store.port import Person
from croupier.table.commands import RoomCreate
from croupier.wire.room import game_requests

ANN = Person("ann", "Ann", bytes(32), "en", 0)
ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1.5,
    2**53,
    10**30,
    "",
    "x",
    "é",
    "a\n",
    "x" * 65,
    [],
    {},
    [1, "x"],
    {"a": 1},
)


class _Listens(SimpleNamespace):
    """As much of a connection as reading takes."""

    def refuse(self, refusal: Refusal, request_id: str = "") -> None:
        self.told = (refusal, request_id)


def _read(how: Any, text: str, rooms: dict[str, RoomActor], room_code: str) -> Any:
    """The request, or what the client was told instead."""
    connection = _Listens(whoever=ANN, rooms=rooms, room_code=room_code, told=None)
    return how(connection, text) or connection.told


def _frame(random: Random, requests: dict[str, Any], codes: tuple[str, ...]) -> str:
    """An action, mostly with something wrong: a field odd, missing, unknown, twice, or the text broken."""
    kinds = (*requests, *requests, "HELLO", "ROOM_LEAVE", "CHAT_SEND", "BET_PLACE", "NONSENSE")
    kind = random.choice(kinds)
    own = msgspec.structs.fields(requests[kind].command) if kind in requests else ()
    fields = tuple(field.encode_name for field in own)
    frame: dict[str, Any] = {"type": kind, "requestId": "1", "commandId": "2", "expectedVersion": 3}
    for name in fields:
        frame[name] = random.choice((0, 1, 8, 100, "spade_9_2", "hit", True, [], [0], *ODD))
    for name in random.sample(tuple(frame), random.choice((0, 0, 1, len(frame) - 1))):
        del frame[name]
    for _ in range(random.choice((0, 0, 1, 2))):
        frame[random.choice((*frame, *fields, "roomCode", "type", "extra"))] = random.choice((*ODD, *codes, *kinds))
    if random.random() < 0.5:
        frame["roomCode"] = random.choice(codes)
    pairs = [f"{json.dumps(name)}:{json.dumps(value)}" for name, value in frame.items()]
    if random.random() < 0.1:
        pairs.append(random.choice(('"type":"HELLO"', '"roomCode":"x"', '"expectedVersion":7', pairs[0])))
    random.shuffle(pairs)
    text = "{" + ",".join(pairs) + "}"
    return text[: random.randrange(len(text))] if random.random() < 0.05 else text


@pytest.mark.parametrize("game", GAMES)
def test_a_frame_means_the_same_read_in_one_go_and_by_its_envelope(game: str) -> None:
    async def run() -> None:
        services, limits = Services(MemoryStore()), Limits()
        lobby = Lobby(services, limits)
        casino: Any = None
        router = Router(services, lobby, casino, limits, "en")
        rooms = {}
        for other in (game, *GAMES):
            actor = await lobby.create(ANN, ANN.name, Whereabouts(""), RoomCreate(other), f"{len(rooms)}")
            assert isinstance(actor, RoomActor)
            rooms[actor.room.code] = actor
        here = next(iter(rooms))
        random, taken, read = Random(game), 0, router._read_any
        for _ in range(3000):
            text = _frame(random, game_requests(game), ("", here, *rooms, "NOWHERE"))
            assert _read(router.read, text, rooms, here) == _read(read, text, rooms, here), text
            assert _read(router.read, text, {}, here) == _read(read, text, {}, here), text
            taken += router._read_action(_Listens(rooms=rooms, room_code=here), text) is not None  # type: ignore[arg-type]
        assert 50 < taken < 2950, "many were read in one go, and many were not"
        await lobby.close()

    asyncio.run(run())


def test_no_action_of_a_game_is_called_like_a_request_outside_of_games() -> None:
    for requests in map(game_requests, GAMES):
        assert not requests.keys() & _OUTSIDE_GAMES.keys()

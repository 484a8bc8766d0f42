"""Every answer to a request says which request it answers, whatever became of it."""

import asyncio
import json
from typing import Any, NoReturn

import pytest
from websockets.asyncio.client import ClientConnection, connect

from croupier.server.casino import REQUESTS_WAITING_MAX
from croupier.server.hub import _METHODS
from croupier.server.router import Router
from croupier.store.memory import MemoryStore
from croupier.store.port import StoreError
from croupier.wire.casino import GetState, PlaceBet
from croupier.wire.frames import Error
from croupier.wire.schema import REQUESTS, json_schema
from tests.server.casino_players import PARAMS, casino
from tests.server.hostile import BY_THEMSELVES, _plausible
from tests.server.hub_room import asynchronous, client, served
from tests.server.live import live

EVERY = [(tag, struct) for tag, structs in REQUESTS.items() for struct in structs]


async def _asked(socket: ClientConnection, text: str) -> Any:
    """What comes of a frame, apart from what everybody is told."""
    await socket.send(text)
    async with asyncio.timeout(20):
        while True:
            answer = json.loads(await socket.recv())
            if answer["type"] not in BY_THEMSELVES:
                return answer


def _request(tag: str, struct: type[Any]) -> dict[str, Any]:
    """A request with fields of the right types."""
    named = json_schema()["$defs"]
    schema = next(
        schema
        for schema in named.values()
        if schema.get("title") == struct.__name__ and schema["properties"].get("type", {}).get("enum") == [tag]
    )
    made: dict[str, Any] = _plausible(schema, named)
    return {**made, "requestId": f"my {tag}"}


@asynchronous
async def test_every_request_done_or_refused_is_answered_by_its_name() -> None:
    async with live() as server:
        for tag, struct in EVERY:
            async with connect(server.url, compression=None) as socket:
                request = _request(tag, struct)
                early = await _asked(socket, json.dumps(request))
                assert early["requestId"] == request["requestId"], f"before HELLO: {early}"
                if tag != "HELLO":
                    await _asked(socket, '{"type":"HELLO","requestId":"0","nickname":"Ann"}')
                for fields in (request, {**request, "surprise": 1}, {**request, "roomCode": 7}):
                    answer = await _asked(socket, json.dumps(fields))
                    assert answer["requestId"] == request["requestId"], answer


class _Broken(MemoryStore):
    """Keeps people, and nothing else."""

    async def append(self, append: Any) -> NoReturn:
        raise StoreError("the disk is full")

    async def tables(self, *_: Any, **__: Any) -> NoReturn:
        raise StoreError("the disk is gone")


@asynchronous
async def test_so_it_is_when_the_store_fails() -> None:
    async with live(_Broken()) as server, connect(server.url, compression=None) as socket:
        await _asked(socket, '{"type":"HELLO","requestId":"0","nickname":"Ann"}')
        for request in ('"type":"ROOM_LIST"', '"type":"ROOM_CREATE","commandId":"1","game":"poker"'):
            answer = await _asked(socket, f'{{"requestId":"mine",{request}}}')
            assert (answer["code"], answer["requestId"]) == ("STORE_FAILED", "mine")


@pytest.mark.parametrize("part", ["read", "handle"])
def test_so_it_is_when_the_server_fails(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> NoReturn:
        raise RuntimeError("a bug")

    async def go() -> None:
        async with live() as server, connect(server.url, compression=None) as socket:
            await _asked(socket, '{"type":"HELLO","requestId":"0","nickname":"Ann"}')
            monkeypatch.setattr(Router, part, fails)
            answer = await _asked(socket, '{"type":"ROOM_LIST","requestId":"mine"}')
            assert (answer["code"], answer["requestId"]) == ("FAILED", "mine")

    asyncio.run(go())


@asynchronous
async def test_the_casino_answers_every_request_by_its_name_however_many_wait() -> None:
    table = casino(MemoryStore())
    asked = [GetState(request_id=f"mine {number}") for number in range(3 * REQUESTS_WAITING_MAX)]
    answers = await asyncio.gather(*(table.handle("ann", "en", request) for request in asked))
    assert [answer[-1].request_id for answer in answers] == [request.request_id for request in asked]
    codes = {answer[-1].code for answer in answers if isinstance(answer[-1], Error)}
    assert codes == {"BUSY"}


@asynchronous
async def test_the_casino_names_the_request_that_the_store_failed_and_the_one_that_it_repeats() -> None:
    (failed,) = await casino(_Broken()).handle("ann", "en", GetState(request_id="mine"))
    assert isinstance(failed, Error)
    assert (failed.code, failed.request_id) == ("STORE_FAILED", "mine")
    table = casino(MemoryStore())
    await table.handle("ann", "en", GetState(request_id="0"))
    for name in ("first", "again"):
        ids: dict[str, Any] = {"request_id": name, "command_id": "c", "expected_version": 1}
        bet = PlaceBet(amount=1, client_seed="12345678", game_params=PARAMS, **ids)
        assert (await table.handle("ann", "en", bet))[-1].request_id == name


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ({"target": "Join", "arguments": ["ann", ""]}, None),
        ({"target": "Hit", "arguments": []}, None),
        ({"target": "Nonsense", "arguments": []}, "no such method"),
        ({"target": "Join", "arguments": ["ann"]}, "takes 2 arguments"),
        ({"target": "Join", "arguments": ["ann", 7]}, "argument 2"),
        ({"target": "Stand", "arguments": []}, "The server failed"),
    ],
)
def test_the_hub_completes_every_call_by_its_name(
    call: dict[str, Any], error: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: Any) -> NoReturn:
        raise RuntimeError("a bug")

    async def go() -> None:
        if call["target"] == "Stand":
            monkeypatch.setitem(_METHODS, "stand", (_METHODS["stand"][0], fails))
        async with served() as room, client(room) as ann:
            await ann.send({"type": 1, "invocationId": "mine", **call})
            while (answer := await ann.next())["type"] != 3:
                pass
            assert answer["invocationId"] == "mine"
            assert (error or "") in answer.get("error", "")
            assert ("error" in answer) is (error is not None)
            await ann.send({"type": 1, "invocationId": "next", "target": "Leave", "arguments": []})
            while (answer := await ann.next())["type"] != 3:
                pass
            assert answer["invocationId"] == "next", "the connection goes on"

    asyncio.run(go())

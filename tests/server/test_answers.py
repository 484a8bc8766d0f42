"""Every answer to a request says which request it answers, whatever became of it."""

import asyncio
import json
from typing import Any, NoReturn

import pytest
from websockets.asyncio.client import ClientConnection, connect

from croupier.server.router import Desk
from croupier.store.memory import MemoryStore
from croupier.store.port import StoreError
from croupier.wire.schema import REQUESTS, json_schema
from tests.server.hostile import BY_THEMSELVES, _plausible
from tests.server.hub_room import asynchronous
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
        for request in ('"type":"ROOM_LIST"', '"type":"ROOM_CREATE","commandId":"1","game":"holdem"'):
            answer = await _asked(socket, f'{{"requestId":"mine",{request}}}')
            assert (answer["code"], answer["requestId"]) == ("STORE_FAILED", "mine")


@pytest.mark.parametrize("part", ["read", "handle"])
def test_so_it_is_when_the_server_fails(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> NoReturn:
        raise RuntimeError("a bug")

    async def go() -> None:
        async with live() as server, connect(server.url, compression=None) as socket:
            await _asked(socket, '{"type":"HELLO","requestId":"0","nickname":"Ann"}')
            monkeypatch.setattr(Desk, part, fails)
            answer = await _asked(socket, '{"type":"ROOM_LIST","requestId":"mine"}')
            assert (answer["code"], answer["requestId"]) == ("FAILED", "mine")

    asyncio.run(go())

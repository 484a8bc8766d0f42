"""Whole games over real sockets: people and bots, every card checked by every client."""

import asyncio
from random import Random

import httpx
import pytest

from croupier.clients.connection import RefusedError
from croupier.clients.room_handle import RoomHandle
from croupier.wire.records import verify
from tests.server.live import live, play

pytestmark = pytest.mark.parametrize(
    ("game", "preset", "players"),
    [("poker", "holdem", 3), ("sequence", "house", 2), ("blackjack", "trainer", 2), ("poker", "cash", 2)],
)


async def _game(game: str, preset: str, players: int) -> None:
    async with live() as room_server:
        clients = [await room_server.client(f"player {n}").__aenter__() for n in range(players)]
        watcher = await room_server.client("watcher").__aenter__()
        options = {"pauseSeconds": 0}
        host = await clients[0].create(game, preset=preset, options=options)
        rooms = [host, *[await client.join(host.code) for client in clients[1:]]]
        watched = await watcher.join(host.code, watch=True)
        for room in rooms[1:]:
            await room.command("PLAYER_READY_SET", ready=True)
        with pytest.raises(RefusedError, match="NOT_HOST"):
            await rooms[-1].command("HOST_START_GAME")
        await host.command("HOST_START_GAME")

        def until(room: RoomHandle) -> bool:
            public = room.state["public"]
            waits_for_chips = room.phase == "playing" and not public["turn"] and public["deadlineMs"] is None
            return public["phase"] == "ended" or public["hand"] > 3 or waits_for_chips

        async with asyncio.timeout(60):
            await asyncio.gather(*(play(room, Random(f"{n}"), until) for n, room in enumerate(rooms)))
        for room in (*rooms, watched):
            assert room.checker.findings == []
        assert all(room.checker.checked > 4 for room in rooms)
        async with httpx.AsyncClient() as http:
            for token in ("", clients[0].token):
                headers = {"authorization": f"Bearer {token}"} if token else {}
                answer = await http.get(f"{room_server.link}/api/rooms/{host.code}/records.jsonl", headers=headers)
                assert answer.status_code == 200
                verdict = verify(answer.text.splitlines())
                assert verdict.findings == ()
                assert len(verdict.rounds) >= 1
        for client in (*clients, watcher):
            await client.__aexit__(None, None, None)


def test_a_game_between_people(game: str, preset: str, players: int) -> None:
    asyncio.run(_game(game, preset, players))

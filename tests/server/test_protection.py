"""What a hostile or careless client can do to others: nothing. Over a limit there is a code, never a crash."""

import asyncio
import contextlib
import gc
import logging
import os
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from croupier.clients.connection import RefusedError
from croupier.server.limits import ADDRESSES_KEPT_MAX, Addresses, Bucket, Limits, network
from croupier.store.sqlite import SqliteStore
from tests.server.hostile import Hostile, Victims, leaks
from tests.server.hub_room import asynchronous
from tests.server.live import FAST, Live, live, play

KEY = "the key"
"""The dealer's key of the live servers."""
GROWTH_BYTES_MAX = 40 * 1024 * 1024


def _memory_bytes() -> int:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def _attacked(frames: int, seed: int, caplog: pytest.LogCaptureFixture) -> None:
    """Two people play on while a hostile client sends frames; nothing of it shows."""
    async with live() as server:
        ann, bob = [await server.client(name).__aenter__() for name in ("Ann", "Bob")]
        room = await ann.create("holdem", preset="cash", options={"pauseSeconds": 0, "cutSeconds": 1})
        rooms = [room, await bob.join(room.code)]
        await rooms[1].command("PLAYER_READY_SET", ready=True)
        await room.command("HOST_START_GAME")
        own = await bob.create("sequence")
        victims = Victims(room.code, (ann.player_id, bob.player_id), room.version, own.code)
        hostile = Hostile(server.url, Random(seed), victims)
        stop = asyncio.Event()
        players = [asyncio.create_task(_keep_playing(each, Random(n), stop)) for n, each in enumerate(rooms)]
        await hostile.attack(frames // 10)
        before, heard_before = _memory_bytes(), hostile.heard
        hostile.heard = []
        await hostile.attack(frames - frames // 10)
        heard = [*heard_before, *hostile.heard]
        hand = room.state["public"]["hand"]
        await room.wait(lambda r: r.state["public"]["hand"] > hand)
        stop.set()
        await asyncio.gather(*players)
        grown = _memory_bytes() - before - sum(map(len, hostile.heard))
        assert grown < GROWTH_BYTES_MAX, f"{grown} bytes more"
        assert not list(leaks(heard, [ann.token, bob.token, KEY]))
        assert {"BAD_MESSAGE", "NOT_WELCOMED", "ALREADY_WELCOMED", "BAD_TOKEN", "NOT_IN_ROOM"} <= set(hostile.codes)
        assert {"1007", "1009"} <= set(hostile.codes)
        assert all(each.checker.findings == [] for each in rooms)
        assert {member["id"] for member in room.state["public"]["members"]} == {ann.player_id, bob.player_id}
        for client in (ann, bob):
            await client.__aexit__(None, None, None)
    assert not [entry for entry in caplog.records if entry.name.startswith("croupier")], "the server stumbled"


async def _keep_playing(room: Any, random: Random, stop: asyncio.Event) -> None:
    while not stop.is_set():
        with contextlib.suppress(TimeoutError):
            await play(room, random, lambda _: stop.is_set() or _broke(room))
        if _broke(room):
            with contextlib.suppress(RefusedError):
                await room.command("PLAYER_BUY_CHIPS", chips=1000)
            await asyncio.sleep(0.05)


def _broke(room: Any) -> bool:
    return not room.state["public"]["turn"]


def test_a_game_goes_on_beside_2000_malformed_frames(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    asyncio.run(_attacked(2_000, 5, caplog))


@pytest.mark.soak
def test_a_game_goes_on_beside_100000_malformed_frames(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    asyncio.run(_attacked(100_000, 6, caplog))

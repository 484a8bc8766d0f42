"""No token, key, secret, card or name is in any log line; no token is in the store."""

import asyncio
import contextlib
import json
import logging
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from croupier.clients.connection import Client, RefusedError
from croupier.game.registry import GAMES
from croupier.store.sqlite import SqliteStore
from tests.server.hub_room import Client as HubClient
from tests.server.live import Live, live, play

KEY = "the key"
WRONG_KEY = "not the key at all"
CLIENT_SEED = "a client seed of forty-two letters or fewer"
NAMES = ("Annabella", "Bartholomew")
CARD = re.compile(r"\b(?:[2-9TJQKA][cdhs]){1,7}\b|\b(?:spade|heart|diamond|club)_\w+_\d\b")


async def _evening(server: Live) -> list[str]:
    """Whole games of every kind, a round at the casino, a class, and faults; the secrets that were in use."""
    clients = [await server.client(name).__aenter__() for name in NAMES]
    for game, entry in GAMES.items():
        preset = {"blackjack": "trainer"}.get(game, next(iter(entry.presets)))
        host = await clients[0].create(game, preset=preset, options={"pauseSeconds": 0})
        rooms = [host, await clients[1].join(host.code)]
        await rooms[1].command("PLAYER_READY_SET", ready=True)
        await host.command("HOST_START_GAME")

        def until(room: Any) -> bool:
            return bool(room.state["public"]["phase"] == "ended" or room.state["public"]["hand"] > 2)

        async with asyncio.timeout(120):
            await asyncio.gather(*(play(room, Random(f"log{n}"), until) for n, room in enumerate(rooms)))
    for client in clients:
        await _at_the_casino(client)
    await _class_over_the_hub(server)
    await clients[0].request("CLASSROOM_JOIN", name=NAMES[0], dealerKey=KEY)
    for kind, fields in (
        ("NONSENSE", {}),
        ("CHAT_SEND", {"text": 1}),
        ("CLASSROOM_JOIN", {"name": "", "dealerKey": KEY}),
    ):
        with pytest.raises(Exception, match=r"[A-Z]{4}"):
            await clients[0].request(kind, **fields)
    tokens = [client.token for client in clients]
    for client in clients:
        await client.__aexit__(None, None, None)
    return tokens


async def _at_the_casino(client: Client) -> None:
    """Two rounds, a bet that is refused, and a new seed."""
    state = await client.request("BLACKJACK_GET_STATE")
    bet = {"clientSeed": CLIENT_SEED, "gameParams": {"blackjack": {}}}
    with pytest.raises(RefusedError, match=r"BET|FUNDS"):
        await client.request("PLACE_BET", amount=10**9, commandId="much", expectedVersion=state["version"], **bet)
    for number in range(2):
        ids = {"commandId": f"bet{number}", "expectedVersion": state["version"]}
        state = await client.request("PLACE_BET", amount=10, **ids, **bet)
        while state["status"] not in ("betting", "cashed_out"):
            kind = "BLACKJACK_INSURANCE" if state["canInsure"] else "BLACKJACK_STAND"
            state = await client.request(kind, commandId=f"v{state['version']}", expectedVersion=state["version"])
    await client.request("BLACKJACK_ROTATE_SEED", commandId="rotate", expectedVersion=state["version"])


async def _class_over_the_hub(server: Live) -> None:
    """A round of two with a dealer over SignalR, a wrong key and a call that there is not."""
    async with contextlib.AsyncExitStack() as stack:
        dealer, player = [await stack.enter_async_context(HubClient(server)) for _ in range(2)]
        for each in (dealer, player):
            assert await each.shake_hands() == {}
        assert await player.errors("Join", NAMES[1], WRONG_KEY) == [], "a wrong key makes a player, not a dealer"
        assert await player.errors("StartRound") == ["NOT_DEALER"]
        assert await dealer.errors("Join", NAMES[0], KEY) == []
        assert await dealer.errors("StartRound") == []
        await player.errors("Stand")
        assert await player.errors("Stand") == ["GAME_NOT_INROUND"]
        assert "no such method" in (await player.invoke("Peek", KEY))["error"]


def test_no_secret_is_in_any_log_line_nor_a_token_in_the_store(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def evening() -> tuple[list[str], list[str]]:
        store = SqliteStore(tmp_path / "rooms.db")
        async with live(store) as server:
            tokens = await _evening(server)
            rows = await store.tables()
            kept = [(row.table, secret) for row in rows for secret in (await store.secrets(row.table)).values()]
            assert {name.partition(":")[0] for name, _ in kept} == {"room", "casino"}
            secrets = [secret.decode() if name.startswith("casino:") else secret.hex() for name, secret in kept]
            monkeypatch.setattr(server.server.lobby, "listed", _failing)
            async with server.client(NAMES[0]) as ann:
                with pytest.raises(Exception, match="FAILED"):
                    await ann.request("ROOM_LIST")
                tokens.append(ann.token)
        await store.close()
        return tokens, secrets

    caplog.set_level(logging.DEBUG, "croupier")
    caplog.set_level(logging.WARNING, "uvicorn")
    tokens, secrets = asyncio.run(evening())
    formatter = logging.Formatter("%(name)s %(message)s")
    lines = [formatter.format(entry) for entry in caplog.records if entry.name.startswith(("croupier", "uvicorn"))]
    assert any("a request failed" in line for line in lines), "the fault that was made is in the log"
    assert secrets
    for line in lines:
        never = (*tokens, *secrets, *NAMES, KEY, WRONG_KEY, CLIENT_SEED)
        assert not [secret for secret in never if secret in line], line
        assert not CARD.search(line), line
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert NAMES[0].encode() in stored
    assert not [token for token in tokens if token.encode() in stored]


async def _failing() -> None:
    raise ZeroDivisionError


def test_who_takes_a_seat_between_two_hands_does_not_see_the_cards_of_who_sat_there() -> None:
    async def between_hands() -> None:
        async with live() as server:
            ann, bob, dan = [await server.client(name).__aenter__() for name in ("Ann", "Bob", "Dan")]
            host = await ann.create("poker", preset="cash", options={"pauseSeconds": 60, "seats": 2})
            rooms = [host, await bob.join(host.code)]
            await rooms[1].command("PLAYER_READY_SET", ready=True)
            await host.command("HOST_START_GAME")
            async with asyncio.timeout(60):
                await asyncio.gather(*(_fold(room) for room in rooms))
            cards = set(re.findall(r'"([2-9TJQKA][cdhs])"', json.dumps(rooms[1].view)))
            assert len(cards) == 2, "Bob has seen his own cards and no others"
            await rooms[1].command("ROOM_LEAVE")
            newcomer = await dan.join(host.code)
            assert newcomer.seat == 1
            assert not cards & set(re.findall(r'"([2-9TJQKA][cdhs])"', json.dumps(newcomer.state)))
            for client in (ann, bob, dan):
                await client.__aexit__(None, None, None)

    asyncio.run(between_hands())


async def _fold(room: Any) -> None:
    """Folds at the first chance, and waits for the end of the hand."""

    def over(r: Any) -> bool:
        return r.state["public"]["payouts"] is not None

    await room.wait(lambda r: r.menu or over(r))
    if not over(room):
        await room.act({"type": "HOLDEM_FOLD"})
    await room.wait(over)

"""Every byte that every kind of viewer receives over whole games holds no unshown card, seed, salt or token."""

import asyncio
import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from croupier.clients.connection import Client
from croupier.clients.room_handle import RoomHandle
from croupier.game.game import numbers_in
from croupier.game.registry import GAMES
from croupier.games.sequence.rules.cards import PACK as SEQUENCE_PACK
from croupier.server.room import table_name
from croupier.store.memory import MemoryStore
from croupier.table.apply import steps
from croupier.table.room import Room
from croupier.wire.log import read_log
from croupier.wire.room import CardOpening
from tests.server.live import live, play

CASES = [("poker", "holdem", 4), ("sequence", "house", 4), ("blackjack", "trainer", 2)]
CARD = re.compile(r'"((?:[2-9TJQKA][cdhs])|(?:' + "|".join(sorted(map(str, SEQUENCE_PACK))) + r'))"')


async def _recorded(game: str, preset: str, players: int) -> tuple[MemoryStore, str, dict[str, list[str]], list[str]]:
    """A whole match with every viewer's frames: each seat's, a spectator's, and somebody's who is not in the room."""
    store = MemoryStore()
    heard: dict[str, list[str]] = {}
    async with live(store) as server:
        clients: list[Client] = []
        for number in range(players + 2):
            frames: list[str] = []
            client = server.client(f"person {number}", hears=frames.append)
            clients.append(await client.__aenter__())
            heard[client.player_id] = frames
        options = {"pauseSeconds": 0}
        host = await clients[0].create(game, preset=preset, options=options)
        rooms = [host, *[await client.join(host.code) for client in clients[1:players]]]
        await clients[players].join(host.code, watch=True)
        for room in rooms[1:]:
            await room.command("PLAYER_READY_SET", ready=True)
        await host.command("HOST_START_GAME")

        def until(room: RoomHandle) -> bool:
            public = room.state["public"]
            return public["phase"] == "ended" or public["hand"] > 4

        async with asyncio.timeout(60):
            await asyncio.gather(*(play(room, Random(f"{game}{n}"), until) for n, room in enumerate(rooms)))
        tokens = [client.token for client in clients]
        for client in clients:
            await client.__aexit__(None, None, None)
        return store, host.code, heard, tokens


async def _truth(store: MemoryStore, code: str) -> tuple[list[Room], dict[str, bytes]]:
    log = read_log(entry.record for entry in await store.records(table_name(code)))
    secrets = await store.secrets(table_name(code))
    return list(steps(code, log, secrets)), secrets


def _states(frames: list[str]) -> Iterator[tuple[dict[str, Any], str]]:
    for text in frames:
        frame = json.loads(text)
        if frame["type"] == "ROOM_STATE":
            yield frame, text


@pytest.mark.parametrize(("game", "preset", "players"), CASES)
def test_nobody_receives_what_they_may_not_know(game: str, preset: str, players: int) -> None:
    asyncio.run(_nobody_receives_what_they_may_not_know(game, preset, players))


async def _nobody_receives_what_they_may_not_know(game: str, preset: str, players: int) -> None:
    store, code, heard, tokens = await _recorded(game, preset, players)
    rooms, secrets = await _truth(store, code)
    by_version = {room.version: room for room in rooms}
    assert secrets
    checked = 0
    for person, frames in heard.items():
        everything = "".join(frames)
        own_token = next(json.loads(text)["token"] for text in frames if '"WELCOME"' in text)
        for token in tokens:
            assert token == own_token or token not in everything, "somebody's token reached somebody else"
        for secret in secrets.values():
            assert secret.hex() not in everything, "the secret of a deal was sent"
        shown_salts = _shown_salts(rooms, person)
        for salt in _all_salts(rooms) - shown_salts:
            assert salt not in everything, "the salt of a card that was never shown was sent"
        for frame, text in _states(frames):
            room = by_version[frame["public"]["version"]]
            checked += 1
            _check_cards(room, room.viewer(person), text)
            _check_openings(room, frame, text)
    assert checked > 30


def _all_salts(rooms: list[Room]) -> set[str]:
    packs = {(room.hand, number): pack for room in rooms for number, pack in enumerate(room.packs)}
    return {pack.opening(k).salt for pack in packs.values() for k in range(pack.size)}


def _shown_salts(rooms: list[Room], person: str) -> set[str]:
    found = set()
    for room in rooms:
        for card in numbers_in(room.known(room.viewer(person))):
            shuffle, k = room.drawn_from(card)
            found.add(room.packs[shuffle].opening(k).salt)
    return found


def _check_openings(room: Room, frame: dict[str, Any], text: str) -> None:
    """The proofs in a frame, which are not written by way of their struct, are what it would be written as."""
    openings = []
    for sent in frame["openings"]:
        opening = room.packs[sent["shuffle"]].opening(sent["k"])
        openings.append(CardOpening(**msgspec.structs.asdict(opening), shuffle=sent["shuffle"]))
    assert f'"openings":{msgspec.json.encode(openings).decode()},"whole":' in text


def _check_cards(room: Room, viewer: int | None, text: str) -> None:
    """The cards in a frame are cards that this viewer has been shown by then; in blackjack, where six packs hold every
    card many times, the proofs stand for the cards."""
    if room.round is None or room.rules.game == "blackjack":
        return
    known = {str(room.round.dealt[card]) for card in numbers_in(room.known(viewer))}
    frame = json.loads(text)
    own = json.dumps([frame["you"]["view"], frame["events"], frame["openings"]])
    seen = set(CARD.findall(own))
    assert seen <= known, f"viewer {viewer} received {seen - known} in version {room.version}"


def test_the_check_of_cards_can_fail() -> None:
    assert set(CARD.findall('["As", "spade_a_1", "Ax", "As2"]')) == {"As", "spade_a_1"}
    assert set(GAMES) == {"blackjack", "poker", "sequence"}, "a new game needs a case here"

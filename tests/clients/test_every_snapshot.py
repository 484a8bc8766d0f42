"""Whole games at random: every snapshot can be told, drawn in 80 columns, and chosen from, in every language."""

import asyncio
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from croupier import locales
from croupier.assembly.room import local_room
from croupier.clients.connection import Client
from croupier.clients.snapshot import Snapshot
from croupier.clients.terminal.modes import Choosing
from croupier.clients.terminal.session import Session, room_choices
from croupier.clients.terminal.table import GameTable, table_of
from croupier.clients.terminal.words import Words
from croupier.game.game import offered
from croupier.game.registry import GAMES
from tests.server.live import suppress_codes

COLUMNS = 80
EVERYTHING = {
    "insurance": True,
    "surrender": "early",
    "hands_max": 4,
    "resplit_aces": True,
    "hit_split_aces": True,
    "seats_max": 4,
}
OPTIONS: dict[str, Any] = {"turnSeconds": 600, "pauseSeconds": 0}


async def _wander(game: str, bots: int, rounds: int, rules: dict[str, Any], preset: str = "") -> None:
    """Plays at random and looks at every snapshot with the eyes of four people."""
    random = Random(7)
    readers = [(words := Words(language), table_of(game, words)) for language in locales.LANGUAGES]
    async with local_room() as local, Client(local.url, nickname="홍길동홍길동홍길동홍길동") as client:
        options = {**OPTIONS, "seats": 1 + bots}
        room = await client.create(game, preset=preset, rules=rules, options=options)
        for _ in range(bots):
            await room.command("HOST_ADD_BOT", bot="random")
        await room.command("HOST_START_GAME")
        session = Session(client, room, alone=False, pace_bots=lambda _: None)
        while True:
            snapshot = await session.next(Words("en"))
            assert isinstance(snapshot, Snapshot), snapshot
            for words, table in readers:
                _look(snapshot, words, table)
            if snapshot.ended or snapshot.public.hand > rounds:
                return
            if snapshot.menu:
                await _act(session, snapshot, random)


async def _act(session: Session, snapshot: Snapshot, random: Random) -> None:
    choice = random.choice(table_of(snapshot.public.game, Words("en")).choices(snapshot))
    value = None
    if choice.offer.field:
        value = random.choice(choice.offer.among or (choice.offer.low, min(choice.offer.high, 3 * choice.offer.low)))
    assert offered(snapshot.menu, choice.action(value))
    with suppress_codes("STALE_VERSION"):
        await session.act(choice.action(value), snapshot)


def _look(snapshot: Snapshot, words: Words, table: GameTable) -> None:
    for line in table.told(snapshot):
        assert line.strip()
        assert "{" not in line
    table.standing(snapshot)
    offers = table.choices(snapshot)
    assert len({choice.key for choice in offers}) == len(offers), "every choice has a key of its own"
    mode = Choosing(offers, room_choices(snapshot, words))
    if snapshot.menu:
        assert table.situation(snapshot)
        for line in mode.prompt(words, COLUMNS - 2).plain.splitlines():
            assert cell_len(line) <= COLUMNS - 2
    assert cell_len(table.header(snapshot, COLUMNS - 2).plain) <= COLUMNS - 2
    for line in table.draw(snapshot, mode.focus).plain.splitlines():
        assert cell_len(line) <= COLUMNS, line


@pytest.mark.parametrize(
    ("game", "bots", "rounds", "rules", "preset"),
    [
        ("poker", 5, 12, {"ante": 2, "hands_per_level": 3}, ""),
        ("poker", 2, 8, {}, "cash"),
        ("blackjack", 3, 15, EVERYTHING, ""),
        ("blackjack", 2, 2, {}, "classroom"),
        ("sequence", 1, 1, {}, "classic"),
        ("sequence", 3, 1, {}, ""),
    ],
)
def test_every_snapshot_of_a_game(game: str, bots: int, rounds: int, rules: dict[str, Any], preset: str) -> None:
    asyncio.run(_wander(game, bots, rounds, rules, preset))


@pytest.mark.usefixtures("crazy_eights")
@pytest.mark.parametrize(("bots", "preset"), [(1, "quick"), (5, "standard")])
def test_every_snapshot_of_a_game_that_brings_nothing_but_rules_and_english_texts(bots: int, preset: str) -> None:
    asyncio.run(_wander("crazy_eights", bots, 1, {}, preset))


@pytest.mark.parametrize("game", GAMES)
def test_the_table_for_any_game_shows_every_snapshot_of_the_built_in_games(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES._games, game, replace(GAMES[game], terminal=""))
    rules = next(iter(GAMES[game].presets.values()))
    asyncio.run(_wander(game, rules.seat_range[0] - 1, 2, {}, ""))

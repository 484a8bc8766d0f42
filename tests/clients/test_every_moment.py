"""Whole games at random: every moment can be told, drawn in 80 columns, and chosen from, in every language."""

import asyncio
from random import Random
from typing import Any

import pytest
from rich.cells import cell_len

from croupier import locales
from croupier.assembly.room import local_room
from croupier.clients.connection import Client
from croupier.clients.snapshot import Moment
from croupier.clients.terminal.choices import choices
from croupier.clients.terminal.modes import Choosing
from croupier.clients.terminal.scene import draw
from croupier.clients.terminal.scene.header import header
from croupier.clients.terminal.session import Session, room_choices
from croupier.clients.terminal.story import Story, story_of, told
from croupier.clients.terminal.words import Words
from croupier.game.game import offered
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
    """Plays at random and looks at every moment with the eyes of four people."""
    random = Random(7)
    readers = [(words := Words(language), story_of(game, words)) for language in locales.LANGUAGES]
    async with local_room() as local, Client(local.url, nickname="홍길동홍길동홍길동홍길동") as client:
        options = {**OPTIONS, "seats": 1 + bots}
        room = await client.create(game, preset=preset, rules=rules, options=options)
        for _ in range(bots):
            await room.command("HOST_ADD_BOT", bot="random")
        await room.command("HOST_START_GAME")
        session = Session(client, room, alone=False, pace_bots=lambda _: None)
        while True:
            moment = await session.next(Words("en"))
            assert isinstance(moment, Moment), moment
            for words, story in readers:
                _look(moment, words, story)
            if moment.ended or moment.public.hand > rounds:
                return
            if moment.menu:
                await _act(session, moment, random)


async def _act(session: Session, moment: Moment, random: Random) -> None:
    choice = random.choice(choices(moment, Words("en")))
    value = None
    if choice.offer.field:
        value = random.choice(choice.offer.among or (choice.offer.low, min(choice.offer.high, 3 * choice.offer.low)))
    assert offered(moment.menu, choice.action(value))
    with suppress_codes("STALE_VERSION"):
        await session.act(choice.action(value), moment)


def _look(moment: Moment, words: Words, story: Story) -> None:
    for line in told(story, moment):
        assert line.strip()
        assert "{" not in line
    story.standing(moment)
    offers = choices(moment, words)
    assert len({choice.key for choice in offers}) == len(offers), "every choice has a key of its own"
    mode = Choosing(offers, room_choices(moment, words))
    if moment.menu:
        assert story.situation(moment)
        for line in mode.prompt(words, COLUMNS - 2).plain.splitlines():
            assert cell_len(line) <= COLUMNS - 2
    assert cell_len(header(moment, words, COLUMNS - 2).plain) <= COLUMNS - 2
    for line in draw(moment, words, mode.focus).plain.splitlines():
        assert cell_len(line) <= COLUMNS, line


@pytest.mark.parametrize(
    ("game", "bots", "rounds", "rules", "preset"),
    [
        ("holdem", 5, 12, {"ante": 2, "hands_per_level": 3}, ""),
        ("holdem", 2, 8, {}, "cash"),
        ("blackjack", 3, 15, EVERYTHING, ""),
        ("blackjack", 2, 2, {}, "classroom"),
        ("sequence", 1, 1, {}, "classic"),
        ("sequence", 3, 1, {}, ""),
    ],
)
def test_every_moment_of_a_game(game: str, bots: int, rounds: int, rules: dict[str, Any], preset: str) -> None:
    asyncio.run(_wander(game, bots, rounds, rules, preset))

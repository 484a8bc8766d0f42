"""The roster: every bot by game and name, and what all of them promise."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier import locales
from croupier.bots import RosterError, bot, names
from croupier.game.game import AnyRules, Over, Step, Turn
from croupier.game.policy import AnyPolicy
from croupier.game.registry import GAMES
from croupier.games.blackjack import TRAINER, BlackjackSetup, PlaceBet
from croupier.testing import driver

TABLES = [
    (game, preset, name, seats)
    for game in GAMES
    for preset, rules in GAMES[game].presets.items()
    for name in names(game)
    for seats in sorted({max(2, rules.seat_range[0]), min(6, rules.seat_range[1]), rules.seat_range[0]})
    if rules.seat_range[0] <= seats <= rules.seat_range[1]
]


def played(game: str, preset: str, name: str, seats: int, seed: int) -> driver.Played:
    """A round with this bot in every seat."""
    rules = GAMES[game].presets[preset]
    seated = [bot(game, name, Random(f"{seed} {seat}"), rules) for seat in range(seats)]
    return round_of(rules, rules.setup(seats), seated, Random(seed))


def round_of(rules: AnyRules, setup: Any, seated: list[AnyPolicy], random: Random) -> driver.Played:
    """A round between these bots, through the protocol alone."""
    round_ = driver.start(rules, setup)
    while True:
        driver.deal(round_, random)
        waiting = round_.awaited[-1]
        if isinstance(waiting, Over):
            return round_
        assert isinstance(waiting, Turn)
        seat = random.choice(waiting.seats)
        menu = rules.menu(round_.state, seat)
        action: Any = seated[seat](rules.view(round_.state, seat), menu)
        assert any(offer.admits(action) for offer in menu), f"{action}, offered was {menu}"
        driver.act(round_, seat, action)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_random_bot(game: str) -> None:
    assert "random" in names(game)


@pytest.mark.parametrize(("game", "preset", "name", "seats"), TABLES)
def test_a_bot_plays_whole_rounds_and_does_only_what_is_offered(game: str, preset: str, name: str, seats: int) -> None:
    for seed in range(3):
        played(game, preset, name, seats, seed)


@pytest.mark.parametrize(("game", "preset", "name", "seats"), TABLES)
def test_a_bot_with_the_same_seed_plays_the_same_round(game: str, preset: str, name: str, seats: int) -> None:
    assert played(game, preset, name, seats, 7).moves == played(game, preset, name, seats, 7).moves


@pytest.mark.parametrize("seed", range(3))
def test_bots_of_every_kind_play_a_tournament_to_its_end(seed: int) -> None:
    """With blinds that double, stacks of every depth and side pots come up."""
    rules = GAMES["poker"].presets["holdem"]
    random = Random(seed)
    kinds = names("poker")
    seated = [bot("poker", kinds[seat % len(kinds)], random, rules) for seat in range(2 * len(kinds))]
    setup = rules.setup(len(seated))
    chips = sum(rules.stacks(setup))
    for _ in range(500):
        state = round_of(rules, setup, seated, random).state
        setup = rules.following(state)
        assert sum(rules.stacks(setup)) == chips
        if rules.ended(state):
            return
    pytest.fail("a tournament ends")


def test_blackjack_bots_sit_out_when_they_cannot_bet_any_more() -> None:
    rules = replace(TRAINER, bet_min=300, bet_max=300)
    random = Random(1)
    seated = [bot("blackjack", "basic", random, rules) for _ in range(7)]
    setup: Any = BlackjackSetup((1000,) * 7)
    for _ in range(60):
        setup = rules.following(round_of(rules, setup, seated, random).state)
    assert min(setup.purses) < 300


def test_without_a_name_the_first_bot_of_the_game_sits_down() -> None:
    for game in GAMES:
        rules = next(iter(GAMES[game].presets.values()))
        first = names(game)[0]
        assert type(bot(game, "", Random(1), rules)) is type(bot(game, first, Random(1), rules))


def test_an_unknown_bot_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(RosterError, match="nobody") as error:
        bot("poker", "nobody", Random(1), GAMES["poker"].presets["cash"])
    assert error.value.refusal.facts == {"game": "poker", "bot": "nobody", "allowed": names("poker")}


def test_an_unknown_game_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(RosterError, match="whist") as error:
        names("whist")
    assert error.value.refusal.facts == {"game": "whist", "allowed": ("blackjack", "poker", "sequence")}


@pytest.mark.parametrize("language", locales.LANGUAGES)
def test_every_bot_has_a_name_and_a_description_in_every_language(language: str) -> None:
    written = {key for key in locales.catalogue(language) if key.startswith("bot.")}
    bots = {"random", *(f"{game}.{name}" for game in GAMES for name in names(game) if name != "random")}
    assert written == {f"bot.{bot}.{part}" for bot in bots for part in ("name", "about")}
    assert locales.text(language, "code.NO_SUCH_BOT", bot="nobody", allowed=names("poker"))
    assert locales.text(language, "code.UNKNOWN_BOT_GAME", game="whist", allowed=tuple(GAMES))


@given(seed=st.integers(0, 10**6), purse=st.integers(1, 10**6))
def test_regulars_bet_like_people_a_small_share_in_round_numbers(seed: int, purse: int) -> None:
    rules = replace(TRAINER, bet_max=10**6)
    opened = rules.opening(BlackjackSetup((purse,)))
    assert isinstance(opened, Step)
    menu, view = rules.menu(opened.state, 0), rules.view(opened.state, 0)
    bet = bot("blackjack", "regular", Random(seed), rules)(view, menu)
    assert isinstance(bet, PlaceBet)
    assert 1 <= bet.amount <= purse
    assert bet.amount == 1 or bet.amount % 5 == 0
    assert bet.amount <= max(0.1 * purse + 50, 1)

"""`/api/games`: what is described is what the server takes, and nothing beyond it."""

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import httpx
import msgspec
import pytest

from croupier import bots
from croupier.game.options import Option
from croupier.game.refusal import Refusal
from croupier.game.registry import GAMES
from croupier.server.game_list import GameShape, PresetShape, game_list, installed_games
from croupier.table.commands import RoomCreate, RoomOptions
from croupier.table.lobby import chosen_rules, resolve, seat_count
from tests.server.live import live

pytestmark = pytest.mark.anyio
GAME_LIST = game_list(installed_games())


def presets() -> Iterator[Any]:
    for game in GAME_LIST.games:
        for preset in game.presets:
            yield pytest.param(game, preset, id=f"{game.name}-{preset.name}")


def numbers() -> Iterator[Any]:
    for game in GAME_LIST.games:
        for option in game.options:
            if option.kind == "number":
                yield pytest.param(game, option, id=f"{game.name}-{option.name}")


def refused(game: GameShape, preset: str, **changes: Any) -> Refusal | None:
    chosen = chosen_rules(game.name, preset, changes)
    return chosen if isinstance(chosen, Refusal) else None


def test_every_game_of_the_registry_is_described() -> None:
    assert [game.name for game in GAME_LIST.games] == list(GAMES)


@pytest.mark.parametrize(("game", "preset"), [*presets()])
def test_a_preset_is_described_as_it_is(game: GameShape, preset: PresetShape) -> None:
    rules = GAMES[game.name].presets[preset.name]
    assert preset.rules == msgspec.to_builtins(rules)
    assert preset.seats == rules.seat_range
    assert preset.seats[0] <= preset.customary_seats <= preset.seats[1]
    assert preset.bots < preset.seats[1]
    assert len(preset.pack) >= 36


def test_a_number_that_may_be_left_open_says_what_holds_then() -> None:
    found = {(game.name, each.name): each.usual for game in GAME_LIST.games for each in game.options if each.usual}
    tournament = GAMES["poker"].presets["holdem"]
    assert tournament.hands_per_level is None
    assert found == {("poker", "hands_per_level"): tournament.level_hands}


@pytest.mark.parametrize(("game", "preset"), [*presets()])
def test_a_room_takes_the_seats_described_and_no_others(game: GameShape, preset: PresetShape) -> None:
    rules = GAMES[game.name].presets[preset.name]
    low, high = preset.seats
    for seats in (low, high):
        assert isinstance(seat_count(rules, RoomOptions(seats=seats)), RoomOptions)
    for seats in (low - 1, high + 1):
        # 0 stands for as many as is customary.
        assert seats == 0 or isinstance(seat_count(rules, RoomOptions(seats=seats)), Refusal)


@pytest.mark.parametrize(("game", "option"), [*numbers()])
def test_a_number_is_refused_by_name_just_outside_of_its_bounds(game: GameShape, option: Option) -> None:
    assert option.low is not None
    assert option.high is not None
    step = 1 if option.whole else 0.01
    for value in (option.low - step, option.high + step):
        refusal = refused(game, game.presets[0].name, **{option.name: int(value) if option.whole else value})
        assert refusal is not None
        assert (refusal.code, refusal.facts["option"]) == ("BAD_OPTION", option.name)
        assert refusal.facts["allowed"] == f"{option.low} – {option.high}"


@pytest.mark.parametrize(("game", "option"), [*numbers()])
def test_a_number_at_its_bounds_is_not_out_of_them(game: GameShape, option: Option) -> None:
    """It may still clash with another option, and is then refused as a clash."""
    for preset in game.presets:
        for value in (option.low, option.high):
            refusal = refused(game, preset.name, **{option.name: value})
            assert refusal is None or refusal.code == "OPTIONS_CLASH" or refusal.facts.get("option") == "seats_max"


@pytest.mark.parametrize(("game", "preset"), [*presets()])
def test_an_option_is_changeable_if_some_other_value_is_taken(game: GameShape, preset: PresetShape) -> None:
    for option in game.options:
        others = [value for value in tried(option, preset.rules[option.name]) if value != preset.rules[option.name]]
        taken = [value for value in others if refused(game, preset.name, **{option.name: value}) is None]
        assert bool(taken) == (option.name in preset.changeable), option.name


def tried(option: Option, present: Any) -> list[Any]:
    if option.kind == "switch":
        return [True, False]
    if option.kind == "number":
        return [option.low, option.high, (present or 1) - 1, (present or 0) + 1]
    return list(option.choices)


def test_choices_are_taken_and_other_words_refused() -> None:
    for game in GAME_LIST.games:
        for option in game.options:
            if option.kind == "choice":
                refusal = refused(game, game.presets[0].name, **{option.name: "nonsense"})
                assert refusal is not None
                assert refusal.facts["allowed"] == ", ".join(option.choices)


def test_bots_are_those_that_a_room_takes() -> None:
    for game in GAME_LIST.games:
        assert game.bots == bots.names(game.name)


def test_what_a_host_decides_about_any_room_has_its_bounds() -> None:
    for option in GAME_LIST.room:
        if option.kind == "number":
            for value in (option.low, option.high):
                msgspec.convert({option.name: value}, RoomOptions)
            for value in ((option.low or 0) - 1, (option.high or 0) + 1):
                with pytest.raises(msgspec.ValidationError):
                    msgspec.convert({option.name: value}, RoomOptions)
    assert GAME_LIST.room_values == msgspec.to_builtins(RoomOptions())


@pytest.mark.parametrize(("game", "preset"), [*presets()])
def test_what_the_form_would_send_unchanged_opens_a_room(game: GameShape, preset: PresetShape) -> None:
    changes = {name: preset.rules[name] for name in preset.changeable if preset.rules[name] is not None}
    command = RoomCreate(game.name, preset.name, changes, RoomOptions(seats=preset.customary_seats))
    assert not isinstance(resolve(game.name, command, preset.name), Refusal)


async def test_the_page_of_every_game_is_served_like_the_shell() -> None:
    async with live() as server, httpx.AsyncClient(base_url=server.link) as client:
        answer = await client.get("/api/games")
        assert answer.content == msgspec.json.encode(GAME_LIST)
        assert (await client.get("/api/games", headers={"if-none-match": answer.headers["etag"]})).status_code == 304
        for game in GAME_LIST.games:
            folder = files(GAMES.package(game.name)).joinpath("page")
            for file in ("index.js", "engine.js", "style.css"):
                answer = await client.get(f"/games/{game.name}/{file}")
                assert answer.content == folder.joinpath(file).read_bytes()
                assert answer.headers["content-security-policy"]
                tag = {"if-none-match": answer.headers["etag"]}
                assert (await client.get(f"/games/{game.name}/{file}", headers=tag)).status_code == 304
            for missing in ("../__init__.py", "__init__.py", "rules/", "%2e%2e/rules/rules.py"):
                assert (await client.get(f"/games/{game.name}/{missing}")).status_code == 404


@pytest.mark.parametrize("game", GAME_LIST.games, ids=lambda game: game.name)
def test_free_seats_are_filled_with_bots_of_the_game(game: GameShape) -> None:
    assert game.filling_bots
    assert set(game.filling_bots) <= set(game.bots)
    assert "random" not in game.filling_bots or game.bots == ("random",)

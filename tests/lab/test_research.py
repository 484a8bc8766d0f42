"""The research environments: the libraries' own tests, masks that are the menu, observations that are the view."""

import sys
import warnings
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from croupier.dealing.shoe import Shoe
from croupier.game.game import numbers_in, offered
from croupier.game.registry import GAMES
from croupier.lab.environments import ResearchError, blackjack_env, env, layout, raw_env
from croupier.lab.environments.episodes import Episodes
from croupier.table.round import Round, begin

pytest.importorskip("pettingzoo")
pytest.importorskip("gymnasium")

TABLES = [
    ("holdem", "cash", 2),
    ("holdem", "tournament", 6),
    ("blackjack", "casino", 1),
    ("blackjack", "trainer", 3),
    ("blackjack", "classroom", 3),
    ("sequence", "house", 2),
    ("sequence", "classic", 3),
    ("sequence", "classic", 6),
]


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """The libraries advise against dictionaries as observations, which their own masked environments have."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


@pytest.mark.parametrize(("game", "preset", "seats"), TABLES)
def test_pettingzoo_finds_the_environment_in_order(game: str, preset: str, seats: int) -> None:
    from pettingzoo.test import api_test

    api_test(env(game, preset=preset, seats=seats), num_cycles=60)
    api_test(raw_env(game, preset=preset, seats=seats), num_cycles=60)


@pytest.mark.parametrize(("game", "preset", "seats"), TABLES)
def test_pettingzoo_finds_that_the_same_seed_gives_the_same_episodes(game: str, preset: str, seats: int) -> None:
    from pettingzoo.test import seed_test

    seed_test(lambda: env(game, preset=preset, seats=seats), num_cycles=40)


def test_gymnasium_finds_one_player_blackjack_in_order() -> None:
    from gymnasium.utils.env_checker import check_env

    for preset in ("casino", "trainer"):
        check_env(blackjack_env(preset=preset, render_mode="ansi"), skip_render_check=False)


def played(game: str, preset: str, seats: int, episodes: int) -> Iterator[Episodes]:
    """Episodes with random choices, at every decision and at the end."""
    table = Episodes(GAMES[game].presets[preset], seats)
    random = np.random.default_rng(1)
    for number in range(episodes):
        table.begin(7 if number == 0 else None)
        while not table.round.over:
            yield table
            table.act(int(random.choice(list(table.choices))))
        yield table


@pytest.mark.parametrize(("game", "preset", "seats"), TABLES)
def test_every_choice_is_offered_once_and_every_observation_is_within_bounds(
    game: str, preset: str, seats: int
) -> None:
    for table in played(game, preset, seats, 4):
        for seat in range(seats):
            observation = table.observation(seat)
            assert observation.shape == (table.layout.size,)
            assert observation.min() >= 0
            assert observation.max() <= 1
        if not table.round.over:
            menu = table.round.menu(table.seat)
            chosen = list(table.choices.values())
            assert all(offered(menu, action) for action in chosen)
            assert len({repr(action) for action in chosen}) == len(chosen)
            assert sorted(table.choices) == list(np.flatnonzero(table.mask(table.seat)))


@pytest.mark.parametrize(("game", "preset", "seats"), [table for table in TABLES if table[0] != "blackjack"])
def test_an_observation_does_not_change_with_the_cards_of_others(game: str, preset: str, seats: int) -> None:
    table = Episodes(GAMES[game].presets[preset], seats)
    for seed in range(3):
        table.begin(seed)
        before = [table.observation(seat) for seat in range(seats)]
        table.round = dealt_anew(table.round, Random(seed), viewer=0)
        after = [table.observation(seat) for seat in range(seats)]
        assert np.array_equal(before[0], after[0])
        assert not np.array_equal(before[1], after[1])


def dealt_anew(played: Round, random: Random, viewer: int) -> Round:
    """The same round with other cards wherever the viewer has not seen them."""
    waiting = begin(played.rules, played.setup)
    assert waiting.wants is not None
    known = {place: played.dealt[place] for place in numbers_in(played.rules.known(played.state, viewer))}
    rest = [card for card in waiting.wants.pack if card not in known.values()]
    random.shuffle(rest)
    places = range(len(waiting.wants.pack))
    return waiting.supply(Shoe.stacked(known[place] if place in known else rest.pop() for place in places))


def test_every_kind_of_holdem_raise_is_met_and_no_two_are_the_same_amount() -> None:
    seen: set[int] = set()
    for table in played("holdem", "cash", 3, 60):
        seen |= set(table.choices)
    names = {layout("holdem").actions[number] for number in seen}
    assert names >= {"fold", "check_or_call", "raise_least", "raise_half_pot", "raise_pot", "raise_two_pots", "all_in"}


def test_rewards_are_in_big_blinds_and_sum_to_zero() -> None:
    table = raw_env("holdem", seats=4)
    for seed in range(5):
        table.reset(seed=seed)
        final: dict[str, float] = {}
        for agent in table.agent_iter():
            observation, reward, termination, truncation, _ = table.last()
            if termination or truncation:
                final[agent] = reward
                table.step(None)
            else:
                assert observation is not None
                table.step(int(np.flatnonzero(observation["action_mask"])[0]))
        assert sum(final.values()) == 0
        assert sorted(final.values()) == [-0.5, 0, 0, 0.5]  # all fold to the big blind


def test_what_the_mask_forbids_raises_in_the_raw_environment_and_loses_in_the_wrapped_one() -> None:
    raw = raw_env("holdem")
    raw.reset(seed=1)
    with pytest.raises(ValueError, match="check_or_call"):
        raw.step(8)
    wrapped = env("holdem")
    wrapped.reset(seed=1)
    loser = wrapped.agent_selection
    wrapped.step(8)
    assert wrapped.rewards[loser] == -1
    assert all(wrapped.terminations.values())


def test_one_player_blackjack_bets_first_and_says_when_an_action_was_illegal() -> None:
    names = layout("blackjack").actions
    table = blackjack_env()
    _, info = table.reset(seed=3)
    assert {names[number] for number in np.flatnonzero(info["action_mask"])} == {
        "bet_1", "bet_2", "bet_5", "bet_10", "sit_out",
    }  # fmt: skip
    _, reward, over, _, info = table.step(names.index("hit"))
    assert (reward, over, info["illegal"]) == (0.0, True, True)
    table.reset(seed=3)
    _, reward, over, _, info = table.step(names.index("bet_5"))
    assert not info["illegal"]
    while not over:
        _, reward, over, _, info = table.step(names.index("stand"))
    assert reward in (-5.0, 0.0, 5.0, 7.0)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"game": "whist"}, "RESEARCH_NO_GAME"),
        ({"game": "holdem", "preset": "house"}, "RESEARCH_NO_PRESET"),
        ({"game": "holdem", "seats": 11}, "WRONG_SEAT_COUNT"),
    ],
)
def test_an_environment_that_cannot_be_is_refused(arguments: dict[str, Any], code: str) -> None:
    with pytest.raises(ResearchError) as error:
        env(**arguments)
    assert error.value.refusal.code == code


@pytest.mark.parametrize(("make", "module"), [(lambda: raw_env("holdem"), "aec"), (blackjack_env, "solo")])
def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch, make: Any, module: str) -> None:
    monkeypatch.delitem(sys.modules, f"croupier.lab.environments.{module}", raising=False)
    for name in ("pettingzoo", "gymnasium"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ResearchError, match=r"croupier\[research\]"):
        make()

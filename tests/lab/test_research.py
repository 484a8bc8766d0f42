"""The research environments: the libraries' own tests, masks that are the menu, observations that are the view."""

import sys
import warnings
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from croupier.cards import PACK
from croupier.dealing.shoe import Shoe
from croupier.game.game import numbers_in, offered
from croupier.game.registry import GAMES
from croupier.games.poker.rules.config import EDITION
from croupier.games.poker.rules.events import Acted
from croupier.lab.environments import ResearchError, describe, env, layout, raw_env, solo_env
from croupier.lab.environments.episodes import Episodes
from croupier.table.round import Round, begin

pytest.importorskip("pettingzoo")
pytest.importorskip("gymnasium")

TABLES = [
    ("poker", "cash", 2),
    ("poker", "holdem", 6),
    ("blackjack", "casino", 1),
    ("blackjack", "trainer", 3),
    ("blackjack", "classroom", 3),
    ("sequence", "house", 2),
    ("sequence", "classic", 3),
    ("sequence", "classic", 6),
    ("crazy_eights", "quick", 2),
    ("crazy_eights", "standard", 5),
]
pytestmark = pytest.mark.usefixtures("crazy_eights")


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
        check_env(solo_env("blackjack", preset=preset, render_mode="ansi"), skip_render_check=False)


@pytest.mark.parametrize(("game", "seats"), [("poker", 3), ("sequence", 2), ("crazy_eights", 2), ("crazy_eights", 4)])
def test_gymnasium_finds_one_player_among_bots_in_order(game: str, seats: int) -> None:
    from gymnasium.utils.env_checker import check_env

    check_env(solo_env(game, seats=seats, against="random", render_mode="ansi"), skip_render_check=False)


def test_a_game_without_an_encoding_has_its_cards_fields_and_actions_by_name() -> None:
    found = layout("crazy_eights")
    assert {part.name for part in found.parts} > {"own_cards", "held", "top", "suit", "stock"}
    assert {"CRAZY_EIGHTS_PLAY:2c", "CRAZY_EIGHTS_PLAY_EIGHT:8h:s", "CRAZY_EIGHTS_TAKE"} < set(found.actions)
    for table in played("crazy_eights", "standard", 4, 3):
        if not table.round.over:
            names = {table.layout.actions[number] for number in table.choices}
            assert len(names) == len(table.round.menu(table.seat)), "every offer has a number of its own"


@pytest.mark.parametrize(("game", "preset", "seats"), TABLES)
def test_the_encoding_for_any_game_offers_something_legal_at_every_turn(
    game: str, preset: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = GAMES[game]
    monkeypatch.setitem(GAMES._games, game, replace(entry, environment=""))
    for table in played(game, preset, seats, 2):
        observation = table.observation(0)
        assert observation.min() >= 0
        assert observation.max() <= 1
        if not table.round.over:
            menu = table.round.menu(table.seat)
            assert all(offered(menu, action) for action in table.choices.values())


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
    for table in played("poker", "cash", 3, 60):
        seen |= set(table.choices)
    names = {layout("poker").actions[number] for number in seen}
    assert names >= {"fold", "check_or_call", "raise_least", "raise_half_pot", "raise_pot", "raise_two_pots", "all_in"}


def test_rewards_are_in_big_blinds_and_sum_to_zero() -> None:
    table = raw_env("poker", seats=4)
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
    raw = raw_env("poker")
    raw.reset(seed=1)
    with pytest.raises(ValueError, match="check_or_call"):
        raw.step(8)
    wrapped = env("poker")
    wrapped.reset(seed=1)
    loser = wrapped.agent_selection
    wrapped.step(8)
    assert wrapped.rewards[loser] == -1
    assert all(wrapped.terminations.values())


@pytest.mark.parametrize(
    "options",
    [
        {"run_times": 3, "stack_chips": 60},
        {"winner_shows": True, "hole_cards": 6, "used": "two"},
        {"straddle": True, "rabbit": True, "bomb_every": 2, "bomb_ante": 5},
        {"pot": "two_boards", "hole_cards": 4, "used": "two"},
        {"betting": "fixed_limit", "pot": "high_low", "rake_permille": 50},
        {"pack": "short", "blinds_from": "button", "small_blind": 0, "ante": 1, "missed_blinds": False},
    ],
    ids=lambda options: next(iter(options)),
)
def test_every_option_of_poker_can_be_played_and_described(options: dict[str, Any]) -> None:
    table = raw_env("poker", preset="cash", seats=3, edition=EDITION, **options)
    met: set[str] = set()
    random = np.random.default_rng(3)
    for seed in range(40):
        table.reset(seed=seed)
        for _ in table.agent_iter():
            observation, _, termination, truncation, _ = table.last()
            if termination or truncation:
                table.step(None)
                continue
            assert observation is not None
            assert observation["observation"].max() <= 1
            assert "to act" in describe("poker", observation["observation"])
            action = int(random.choice(np.flatnonzero(observation["action_mask"])))
            met.add(layout("poker").actions[action])
            table.step(action)
    wanted = {"run_times": {"run_1", "run_2", "run_3"}, "winner_shows": {"show", "muck"}}
    assert met >= wanted.get(next(iter(options)), {"fold", "check_or_call"})


def test_an_observation_of_poker_tells_the_whole_hand() -> None:
    """The decoder prints every action that the seats heard of, street by street."""
    table = Episodes(GAMES["poker"].presets["cash"], 3)
    random = np.random.default_rng(2)
    for seed in range(10):
        table.begin(seed)
        while not table.round.over:
            seat = table.seat
            lines = describe("poker", table.observation(seat)).splitlines()
            acted = [event for event in table.round.history(seat) if isinstance(event, Acted)]
            told = [line for line in lines if line.split(":")[0] in ("preflop", "flop", "turn", "river")]
            names = [f"seat +{(event.seat - seat) % 3} {event.move.lower()}," for event in acted]
            assert all(name in line for name, line in zip(names, told, strict=True))
            own = " ".join(str(card) for card in sorted(table.round.view(seat).seats[seat].cards, key=PACK.index))
            assert f"own cards: {own}" in lines[0]
            table.act(int(random.choice(list(table.choices))))


def test_a_shoe_goes_on_from_episode_to_episode_as_penetration_says() -> None:
    rules = GAMES["blackjack"].presets["trainer"].replace(decks=1, penetration=0.6)
    table = Episodes(rules, 2)
    random = np.random.default_rng(1)
    dealt: list[str] = []
    shuffles = 0
    table.begin(4)
    for _ in range(60):
        if not table.round.setup.gone:
            dealt, shuffles = [], shuffles + 1
        assert [str(card) for card in table.round.setup.gone] == dealt
        assert len(dealt) < 0.6 * 52
        assert set(table.round.setup.purses) == {rules.setup(2).purses[0]}
        while not table.round.over:
            table.act(int(random.choice(list(table.choices))))
        dealt += [str(card) for card in table.round.dealt]
        if shuffles and not table.round.state.reshuffled:
            assert len(set(dealt)) == len(dealt), "no card comes twice before a shuffle"
        table.begin(None)
    assert 3 < shuffles < 40


def test_a_table_without_cards_for_everybody_is_named_and_does_not_hang() -> None:
    table = raw_env("blackjack", preset="classroom", decks=1, seats=30, seats_max=200)
    with pytest.raises(ValueError, match="30 seats are too many"):
        table.reset(seed=1)


def test_stacks_can_be_chosen_seat_by_seat() -> None:
    table = raw_env("poker", seats=3, stacks=(100, 40, 700))
    for seed in (1, None):
        table.reset(seed=seed)
        assert table._episodes.round.setup.stacks == (100, 40, 700)
    for stacks in ((100, 40), (100, 40, -1)):
        with pytest.raises(ValueError, match="allowed: 3 whole numbers"):
            raw_env("poker", seats=3, stacks=stacks)
    with pytest.raises(ValueError, match="without chips"):
        raw_env("sequence", stacks=(1, 2))


def test_one_player_blackjack_bets_first_and_says_when_an_action_was_illegal() -> None:
    names = layout("blackjack").actions
    table = solo_env("blackjack")
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
        ({"game": "poker", "preset": "house"}, "RESEARCH_NO_PRESET"),
        ({"game": "poker", "seats": 11}, "WRONG_SEAT_COUNT"),
    ],
)
def test_an_environment_that_cannot_be_is_refused(arguments: dict[str, Any], code: str) -> None:
    with pytest.raises(ResearchError) as error:
        env(**arguments)
    assert error.value.refusal.code == code


@pytest.mark.parametrize(
    ("make", "module"), [(lambda: raw_env("poker"), "aec"), (lambda: solo_env("blackjack"), "solo")]
)
def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch, make: Any, module: str) -> None:
    monkeypatch.delitem(sys.modules, f"croupier.lab.environments.{module}", raising=False)
    for name in ("pettingzoo", "gymnasium"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ResearchError, match=r"croupier\[research\]"):
        make()

"""The environments on the batch engine, and every game in parallel: the libraries' own tests, masks, seeds, resets."""

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

import croupier.lab.gymnasium  # noqa: E402, F401  (it registers)
from croupier.game.refusal import OptionError  # noqa: E402
from croupier.game.registry import GAMES  # noqa: E402
from croupier.games.poker.environment import HoldemEncoding  # noqa: E402
from croupier.lab.batch.holdem import HoldemTables, Kind, Legal  # noqa: E402
from croupier.lab.environments import ResearchError, env, layout, parallel_env, raw_env, solo_env  # noqa: E402
from tests.lab.batch.holdem_twin import Twin  # noqa: E402

HOLDEM = "croupier/Holdem-v0"


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


def masked(mask: NDArray[np.int8], chance: np.random.Generator) -> NDArray[np.int64]:
    """A random legal number a row."""
    return np.where(mask, chance.random(mask.shape), -1.0).argmax(axis=1)


@pytest.mark.parametrize("options", [{}, {"seats": 6, "ante": 1, "opponents": "caller"}, {"bets": "continuous"}])
def test_gymnasium_finds_one_table_in_order(options: dict[str, Any]) -> None:
    from gymnasium.utils.env_checker import check_env

    check_env(gymnasium.make(HOLDEM, render_mode="ansi", **options).unwrapped, skip_render_check=False)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("opponents", ["random", "caller"])
def test_thousands_of_tables_play_on_by_themselves(mode: str, opponents: str) -> None:
    tables = gymnasium.make_vec(HOLDEM, num_envs=256, seats=4, opponents=opponents, autoreset_mode=mode)
    chance = np.random.default_rng(1)
    seen, infos = tables.reset(seed=5)
    assert seen in tables.observation_space
    over = np.zeros(256, bool)
    hands = 0
    for _ in range(40):
        assert infos["action_mask"].any(axis=1)[~over].all()
        seen, rewards, now_over, cut, infos = tables.step(masked(infos["action_mask"], chance))
        assert seen in tables.observation_space
        assert not cut.any()
        assert not infos["illegal"].any()
        assert not rewards[~now_over].any()
        if mode == "NextStep":
            assert not (over & now_over).any(), "the step after the end begins a hand and takes no action"
        elif now_over.any():
            assert (infos["_final_obs"] == now_over).all()
            assert infos["final_obs"][int(now_over.argmax())].shape == seen[0].shape
        over = now_over if mode == "NextStep" else np.zeros(256, bool)
        hands += int(now_over.sum())
    assert hands > 256


def test_the_same_seed_gives_the_same_episodes() -> None:
    def played(seed: int) -> list[float]:
        tables = gymnasium.make_vec(HOLDEM, num_envs=32, seats=3)
        chance = np.random.default_rng(2)
        _, infos = tables.reset(seed=seed)
        total: list[float] = []
        for _ in range(30):
            seen, rewards, _, _, infos = tables.step(masked(infos["action_mask"], chance))
            total += [float(seen.sum()), float(rewards.sum())]
        return total

    assert played(3) == played(3)
    assert played(3) != played(4)


def test_the_rewards_are_what_the_hand_paid_in_big_blinds() -> None:
    tables = gymnasium.make_vec(HOLDEM, num_envs=64, seats=2, opponents="caller", big_blind=20, stack_chips=500)
    tables.reset(seed=1)
    _, rewards, over, _, _ = tables.step(np.zeros(64, np.int64))  # everybody folds
    assert over.all()
    assert set(rewards.tolist()) == {-1.0, -0.25}


def test_the_menu_is_that_of_the_plain_encoding() -> None:
    vector = gymnasium.make_vec(HOLDEM, num_envs=64, seats=4, show_or_muck=True, opponents="random").unwrapped
    _, infos = vector.reset(seed=2)
    encoding = HoldemEncoding(vector.tables.rules)
    chance = np.random.default_rng(3)
    compared = 0
    for _ in range(25):
        for number in range(64):
            twin = replayed(vector.tables, number)
            if twin is None or vector.tables.over[number]:
                continue
            view, menu = twin.rules.view(twin.hand, 0), twin.rules.menu(twin.hand, 0)
            wanted = {
                encoding.layout.actions[choice]: action for choice, action in encoding.choices(view, menu).items()
            }
            names = {"raise_half_pot": "raise_0.5_pot", "raise_pot": "raise_1_pot", "raise_two_pots": "raise_2_pot"}
            assert {names.get(name, name) for name in wanted} == {
                vector.actions[action] for action in np.flatnonzero(infos["action_mask"][number])
            }
            compared += 1
        _, _, _, _, infos = vector.step(masked(infos["action_mask"], chance))
    assert compared > 500


def replayed(tables: HoldemTables, number: int) -> Twin | None:
    """The hand at a table in the plain rules, from its history."""
    twin = Twin(tables.rules, tables.setup(number))
    row = tables.rows[number]
    twin.deal(row["deck"])
    for word in tables.past[number]["words"][: row["actions"]].tolist():
        seat, kind, to = word & 15, word >> 4 & 15, word >> 12
        assert twin.act(seat, kind, to) is None
        twin.deal(row["deck"])
    return twin


def test_an_illegal_action_counts_as_not_acting() -> None:
    tables = gymnasium.make_vec(HOLDEM, num_envs=16, seats=2, show_or_muck=True)
    _, infos = tables.reset(seed=1)
    muck = len(tables.unwrapped.actions) - 1
    assert not infos["action_mask"][:, muck].any()
    _, _, _, _, infos = tables.step(np.full(16, muck))
    assert infos["illegal"].all()


def test_continuous_sizes_span_the_legal_range() -> None:
    tables = gymnasium.make_vec(HOLDEM, num_envs=3, seats=2, bets="continuous", opponents="caller").unwrapped
    tables.reset(seed=1)
    low, high = (array.copy() for array in tables.tables.legal()[1:])
    tables.step((np.full(3, Kind.RAISE), np.array([0.0, 0.5, 0.9], np.float32)))
    words = tables.tables.past["words"][:, 0]
    first = np.where((words & 15) == 0, words >> 12, tables.tables.past["words"][:, 1] >> 12)
    assert first[0] == low[0]
    assert low[1] < first[1] < high[1]


def test_opponents_can_be_a_function_of_all_tables() -> None:
    asked = []

    def folder(tables: HoldemTables, legal: Legal) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
        asked.append(len(legal.mask))
        return np.full(tables.tables, Kind.FOLD, np.int8), np.zeros(tables.tables, np.int64)

    tables = gymnasium.make_vec(HOLDEM, num_envs=8, seats=3, opponents=folder)
    tables.reset(seed=1)
    _, rewards, over, _, _ = tables.step(np.ones(8, np.int64))
    assert asked
    assert over.all()
    assert (rewards > 0).all()


@pytest.mark.parametrize("kind", [-1, 99, Kind.BET])
def test_an_opponent_without_a_legal_action_counts_as_absent(kind: int) -> None:
    def idle(tables: HoldemTables, legal: Legal) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return np.full(tables.tables, kind), np.zeros(tables.tables, np.int64)

    tables = gymnasium.make_vec(HOLDEM, num_envs=8, seats=3, opponents=idle)
    tables.reset(seed=1)
    ended = np.zeros(8, bool)
    for _ in range(5):  # the learner checks and calls, the others check or fold
        _, _, over, _, infos = tables.step(np.ones(8, np.int64))
        ended |= over
        assert not infos["illegal"].any()
    assert ended.all()


@pytest.mark.parametrize(
    ("options", "error", "told"),
    [
        ({"bets": "any"}, ValueError, "bets must be menu or continuous"),
        ({"opponents": "nobody"}, ValueError, "opponents must be random, caller or a function"),
        ({"pot_shares": [0]}, ValueError, "pot_shares must be numbers over 0"),
        ({"blind": 3}, OptionError, "there is no option blind; there are: edition"),
        ({"ante": "one"}, OptionError, "ante='one' is not possible; allowed: 0"),
        ({"betting": "x"}, OptionError, "betting='x' is not possible; allowed: no_limit, pot_limit, fixed_limit"),
        ({"small_blind": 20}, OptionError, "OPTIONS_CLASH"),
        ({"seats": 11}, OptionError, "WRONG_SEAT_COUNT"),
        ({"betting": "fixed_limit"}, OptionError, "betting=fixed_limit is not possible; allowed: no_limit"),
        ({"opponents": None}, ValueError, "opponents must be"),
        ({"pot_shares": [float("nan")]}, ValueError, "pot_shares must be"),
        ({"stacks": [100, 50, 5]}, ValueError, "allowed: 2 whole numbers"),
        ({"stacks": 100}, ValueError, "allowed: 2 whole numbers"),
        ({"stacks": [0, 50]}, ValueError, "the learner, seat 0, needs chips"),
        ({"stacks": [50, 0]}, OptionError, "TOO_FEW_PLAYERS"),
        ({"render_mode": "human"}, ValueError, "render_mode must be ansi or None, not human"),
    ],
)
def test_options_that_cannot_be_are_named(options: dict[str, Any], error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told):
        gymnasium.make_vec(HOLDEM, num_envs=2, **options)


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("poker", 2, {}),
        ("poker", 6, {"ante": 2, "stack_chips": 300}),
        ("blackjack", 3, {"preset": "trainer", "decks": 8}),
        ("sequence", 2, {}),
    ],
)
def test_pettingzoo_finds_the_parallel_environment_in_order(game: str, seats: int, options: dict[str, Any]) -> None:
    from pettingzoo.test import api_test, parallel_api_test

    parallel_api_test(parallel_env(game, seats=seats, **options), num_cycles=60)
    api_test(env(game, seats=seats, **options), num_cycles=20)


def test_the_sizes_on_the_menu_are_chosen_in_every_environment() -> None:
    from pettingzoo.test import api_test, parallel_api_test

    shares = (0.33, 0.75, 1.5)
    names = layout("poker", pot_shares=shares).actions
    assert names[:7] == (
        "fold",
        "check_or_call",
        "raise_least",
        "raise_0.33_pot",
        "raise_0.75_pot",
        "raise_1.5_pot",
        "all_in",
    )
    table = raw_env("poker", seats=2, pot_shares=shares)
    table.reset(seed=1)
    assert table.action_space("seat_0").n == len(names)
    # 5 and 10 are posted: the pot after the call is 20, and the bet goes to 10 and so much of it.
    amounts = {
        names[number]: action.to for number, action in table._episodes.choices.items() if "raise" in names[number]
    }
    assert amounts == {"raise_least": 20, "raise_0.75_pot": 25, "raise_1.5_pot": 40}
    api_test(env("poker", pot_shares=shares), num_cycles=20)
    parallel_api_test(parallel_env("poker", pot_shares=shares), num_cycles=20)
    assert gymnasium.make("croupier/Poker-v0", preset="omaha", pot_shares=(1.0,)).action_space.n == len(names) - 2
    with pytest.raises(ValueError, match="blackjack has no bets by the pot"):
        raw_env("blackjack", pot_shares=shares)
    for wrong in (3, [0], ["half"]):
        with pytest.raises(ValueError, match="pot_shares must be numbers over 0"):
            raw_env("poker", pot_shares=wrong)  # type: ignore[arg-type]


def test_in_parallel_only_the_action_of_the_seat_to_act_counts() -> None:
    both, alone = parallel_env("poker", seats=3), raw_env("poker", seats=3)
    told, infos = both.reset(seed=4)
    alone.reset(seed=4)
    while both.agents:
        agent = next(agent for agent in both.agents if infos[agent]["acts"])
        assert agent == alone.agent_selection
        action = int(np.flatnonzero(told[agent]["action_mask"])[0])
        told, rewards, _, _, infos = both.step({other: action if other == agent else 0 for other in both.agents})
        alone.step(action)
    assert rewards == alone.rewards
    other = parallel_env("poker", seats=2)
    other.reset(seed=1)
    with pytest.raises(ValueError, match="is to act"):
        other.step({})


def test_options_of_the_rules_reach_every_environment() -> None:
    table = raw_env("poker", seats=2, big_blind=50, small_blind=25, stack_chips=200)
    table.reset(seed=1)
    assert table._episodes.round.view().big_blind == 50
    assert solo_env("blackjack", decks=np.int64(2))._episodes.rules.decks == 2
    with pytest.raises(ResearchError, match="OPTIONS_CLASH"):
        raw_env("poker", small_blind=100)


@pytest.mark.parametrize("options", [{"stacks": [1, 100]}, {"seats": 3, "ante": 1000}])
def test_a_learner_who_never_has_anything_to_decide_is_named(options: dict[str, Any]) -> None:
    """Every hand is an all-in by the blinds or antes; the tables do not deal for ever."""
    tables = gymnasium.make_vec(HOLDEM, num_envs=2, **options)
    with pytest.raises(ValueError, match="1,000 hands in a row at table 0 left the learner nothing to decide"):
        tables.reset(seed=1)


def test_a_player_among_bots_who_never_has_anything_to_decide_is_named() -> None:
    table = solo_env("poker", seats=3, ante=20, stacks=(20, 1000, 1000))
    with pytest.raises(ValueError, match="100 rounds in a row left the player nothing to decide"):
        table.reset(seed=1)


def rising(**options: Any) -> Any:
    levels = [{"small_blind": 50, "big_blind": 100}, {"small_blind": 100, "big_blind": 200}]
    rules = {"mode": "tournament", "missed_blinds": False, "stack_chips": 10_000, "levels": levels}
    return gymnasium.make_vec(HOLDEM, num_envs=8, opponents="caller", hands_per_level=2, **rules, **options)


def test_a_reward_is_in_big_blinds_of_the_hand_s_own_level() -> None:
    tables = rising(seats=2, autoreset_mode="SameStep")
    tables.reset(seed=1)
    for _ in range(6):
        _, rewards, over, _, _ = tables.step(np.zeros(8, np.int64))  # fold at once
        assert over.all()
        assert set(rewards.tolist()) == {-1.0, -0.5}
    table = solo_env(
        "poker", seats=2, mode="tournament", missed_blinds=False, levels=[{"small_blind": 50, "big_blind": 100}]
    )
    table.reset(seed=1)
    assert table.step(0)[1] in {-0.5, -1.0}
    unit = GAMES["poker"].unit
    assert unit is not None
    assert unit.chips(table._episodes.rules) == 100, "the arena counts in the same"


def test_a_seed_begins_with_the_first_level_again() -> None:
    tables = rising(seats=3)

    def played() -> list[float]:
        seen, _ = tables.reset(seed=7)
        total = [float(seen.sum())]
        for _ in range(12):
            seen, rewards, _, _, _ = tables.step(np.ones(8, np.int64))
            total += [float(seen.sum()), float(rewards.sum())]
        return total

    assert played() == played()
    tables.reset(seed=[7] * 8)
    assert set(tables.unwrapped.tables.rows["hand"].tolist()) == {1}


def test_stacks_differ_from_seat_to_seat_in_every_hand() -> None:
    tables = gymnasium.make_vec(HOLDEM, num_envs=6, seats=3, stacks=[1000, 40, 0], opponents="random")
    _, infos = tables.reset(seed=1)
    assert set(tables.unwrapped.tables.rows["button"].tolist()) == {0, 1}
    chance = np.random.default_rng(1)
    for _ in range(20):
        assert (tables.unwrapped.tables.rows["began"][:, :3] == (1000, 40, 0)).all()
        _, _, _, _, infos = tables.step(masked(infos["action_mask"], chance))


def test_a_list_has_a_seed_for_each_table() -> None:
    tables = gymnasium.make_vec(HOLDEM, num_envs=3, seats=4)
    seen, _ = tables.reset(seed=[5, 6, 5])
    assert (seen[0] == seen[2]).all()
    for number, seed in enumerate((5, 6)):
        alone, _ = gymnasium.make(HOLDEM, seats=4).reset(seed=seed)
        assert (seen[number] == alone).all()
    again, _ = tables.reset(seed=[None, 6, None])
    assert (again[1] == seen[1]).all()
    assert (again[0] != seen[0]).any()
    with pytest.raises(ValueError, match="one a table: 3, not 2"):
        tables.reset(seed=[1, 2])


def test_a_seed_for_some_tables_leaves_the_hands_of_the_others_alone() -> None:
    tables = gymnasium.make_vec(HOLDEM, num_envs=2, seats=3, autoreset_mode="Disabled")
    seen, _ = tables.reset(seed=1)
    again, _ = tables.reset(seed=2, options={"reset_mask": np.array([True, False])})
    assert (again[1] == seen[1]).all()
    assert (again[0] != seen[0]).any()
    with pytest.raises(ValueError, match="where must be true or false"):
        tables.reset(options={"reset_mask": np.array([1, 0])})


@pytest.mark.parametrize(
    ("bets", "actions", "told"),
    [
        ("menu", [1, 99], "actions must be 0 to 6, not 99 as at table 1"),
        ("menu", [-1, 0], "actions must be 0 to 6, not -1"),
        ("menu", [0.5, 1.0], "actions must be whole numbers"),
        ("menu", [1], r"the shape \(2,\)"),
        ("continuous", ([4, 4], [0.5, float("nan")]), "shares must be numbers from 0 to 1"),
        ("continuous", ([4, 256], [0.5, 0.5]), "kinds must be 0 to 7, not 256"),
        ("continuous", [4, 4, 4], "actions must be two arrays"),
    ],
)
def test_what_is_no_action_is_named(bets: str, actions: Any, told: str) -> None:
    tables = gymnasium.make_vec(HOLDEM, num_envs=2, bets=bets)
    with pytest.raises(gymnasium.error.ResetNeeded):
        tables.step(actions)
    tables.reset(seed=1)
    with pytest.raises(ValueError, match=told):
        tables.step(actions)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("Poker", {"preset": "omaha-hilo", "seats": 3, "stacks": (500, 60, 700), "ante": 1}),
        ("Blackjack", {"decks": 8, "penetration": 0.75}),
        ("Sequence", {"seats": 3, "preset": "classic"}),
    ],
)
def test_every_game_is_registered_with_every_option(name: str, options: dict[str, Any]) -> None:
    from gymnasium.utils.env_checker import check_env

    check_env(gymnasium.make(f"croupier/{name}-v0", render_mode="ansi", **options).unwrapped, skip_render_check=False)
    tables = gymnasium.make_vec(f"croupier/{name}-v0", num_envs=2, **options)
    _, infos = tables.reset(seed=1)
    for _ in range(3):
        _, _, _, _, infos = tables.step(masked(np.stack(infos["action_mask"]), np.random.default_rng(1)))


@pytest.mark.parametrize("action", [None, 0.5, "fold"])
def test_a_step_without_a_number_or_without_an_episode_is_named(action: Any) -> None:
    table, both = solo_env("blackjack"), parallel_env("poker")
    with pytest.raises(ValueError, match="call reset"):
        raw_env("poker").step(action)
    for step in (lambda: table.step(action), lambda: both.step(dict.fromkeys(both.possible_agents, action))):
        with pytest.raises(ValueError, match=r"call reset|a number from 0"):
            step()
    table.reset(seed=1)
    both.reset(seed=1)
    with pytest.raises(ValueError, match="an action is a number from 0 to 11"):
        table.step(action)
    with pytest.raises(ValueError, match="an action is a number from 0"):
        both.step(dict.fromkeys(both.agents, action))
    table.step(table._episodes.layout.actions.index("sit_out"))
    with pytest.raises(ValueError, match="call reset"):
        table.step(0)

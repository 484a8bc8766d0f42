"""The games in OpenSpiel: its own test plays them, and its algorithms find the known values of small ones."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import pyspiel
import pytest
from open_spiel.python import policy as policies
from open_spiel.python.algorithms import best_response, cfr, expected_game_score, exploitability
from pokerkit import StandardHighHand

import croupier.lab.openspiel  # noqa: F401  # registers the games
from croupier.game.registry import GAMES
from croupier.lab.poker.solver.solver import Solver
from tests.lab.small_games import kuhn as kuhn_by_the_solver
from tests.lab.small_games import leduc

PRESETS = [f"croupier_{game}(preset={preset})" for game in ("poker", "blackjack") for preset in GAMES[game].presets]
OPTIONS = [
    "croupier_poker(players=6,stacks=40 200 35 1000 60 80,ante=2)",
    "croupier_poker(preset=omaha,players=3,run_times=3,straddle=1,winner_shows=1)",
    "croupier_blackjack(players=3,seats_max=3,penetration=0.5,decks=2)",
    "croupier_sequence(players=2)",
    "croupier_kuhn",
    "croupier_push_fold",
]
FIRST, SECOND = 1, 0
"""Seats of Kuhn poker: the button, seat 0, acts second on the river."""


def nodes(state: Any) -> Iterator[Any]:
    """Every node of the tree from here on."""
    yield state
    if not state.is_terminal():
        actions = [each for each, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        for action in actions:
            yield from nodes(state.child(action))


@pytest.mark.parametrize("name", [*PRESETS, *OPTIONS])
def test_openspiels_random_simulation_passes(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


def test_no_house_pays_more_than_the_game_says() -> None:
    game = pyspiel.load_game("croupier_blackjack(blackjack_pays=100:1,bet_min=1000)")
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    for card in ("As", "5h", "Ks", "9d"):
        outcomes = [number for number, _ in state.chance_outcomes()]
        state.apply_action(next(number for number in outcomes if state.action_to_string(number) == card))
    assert max(state.returns()) == game.max_utility() == 100_000


def test_an_author_s_game_is_registered_like_ours() -> None:
    names = set(pyspiel.registered_names())
    assert {f"croupier_{game}" for game in GAMES} <= names


@pytest.fixture(scope="module")
def kuhn() -> Any:
    return pyspiel.load_game("croupier_kuhn")


def _kuhn_choice(state: Any, bluff: float) -> dict[int, float]:
    """Kuhn's own solution: with a jack bet so often, with a king three times as often, and so on."""
    words = {state.action_to_string(action): action for action in state.legal_actions()}
    if "show" in words or "muck" in words:
        return {action: 1 / len(words) for action in words.values()}
    player = state.current_player()
    own = _own_card(state, player)
    faces_bet = json.loads(state.observation_string(player))["toCall"] > 0
    if not faces_bet:
        chance = {FIRST: {"J": bluff, "Q": 0.0, "K": 3 * bluff}, SECOND: {"J": 1 / 3, "Q": 0.0, "K": 1.0}}[player][own]
        return {words["all_in"]: chance, words["check_or_call"]: 1 - chance}
    chance = {FIRST: {"J": 0.0, "Q": bluff + 1 / 3, "K": 1.0}, SECOND: {"J": 0.0, "Q": 1 / 3, "K": 1.0}}[player][own]
    return {words["check_or_call"]: chance, words["fold"]: 1 - chance}


def _own_card(state: Any, player: int) -> str:
    heard = state.information_state_string(player)
    return next(rank for rank in "JQK" if f'"{rank}s"' in heard.partition('HOLDEM_HOLE_CARDS"')[2].partition("}")[0])


@pytest.mark.parametrize("bluff", [0.0, 0.2, 1 / 3])
def test_kuhns_solution_is_worth_an_eighteenth_and_cannot_be_exploited(kuhn: Any, bluff: float) -> None:
    solution = policies.tabular_policy_from_callable(kuhn, lambda state: _kuhn_choice(state, bluff))
    value = expected_game_score.policy_value(kuhn.new_initial_state(), [solution, solution])
    assert value[FIRST] == pytest.approx(-1 / 18)
    assert exploitability.exploitability(kuhn, solution) == pytest.approx(0, abs=1e-9)


def test_a_best_response_punishes_who_always_calls(kuhn: Any) -> None:
    """Against a second player who never bets and calls with every card, betting a king wins one chip more each time."""

    def calls(state: Any) -> dict[int, float]:
        words = {state.action_to_string(action): action for action in state.legal_actions()}
        return {words.get("check_or_call", next(iter(words.values()))): 1.0}

    station = policies.tabular_policy_from_callable(kuhn, calls)
    found = best_response.BestResponsePolicy(kuhn, FIRST, station)
    # K wins 2, Q half of the time 1, J loses 1.
    assert found.value(kuhn.new_initial_state()) == pytest.approx((2 + 0 - 1) / 3)


class _Solved:
    """A game of the Hold'em solver as a strategy for OpenSpiel's game of the same name."""

    def __init__(self, solver: Solver) -> None:
        solver.iterate(1000)
        self._solver = solver

    def __call__(self, state: Any) -> dict[int, float]:
        solver, cards = self._solver, []
        node = board = 0
        fresh = state.get_game().new_initial_state()
        for action in state.history():
            if fresh.is_chance_node():
                cards.append(action)
                if len(cards) > 2:
                    # The boards of the second street stand in the order of their cards.
                    node, board = solver.nodes[node].children[0], int(solver.deal.next_starts[0]) + action
            else:
                words = [fresh.action_to_string(each) for each in fresh.legal_actions()]
                node = solver.nodes[node].children[words.index(fresh.action_to_string(action))]
            fresh.apply_action(action)
        shares = solver.strategy(int(solver.layout.blocks[node]), board, int(solver.layout.places[node]))
        return dict(zip(state.legal_actions(), shares[:, cards[state.current_player()]].tolist(), strict=True))


@pytest.mark.parametrize(
    ("name", "solver", "value"), [("kuhn_poker", kuhn_by_the_solver, -1 / 18), ("leduc_poker", leduc, -0.0856)]
)
def test_openspiel_cannot_exploit_what_the_holdem_solver_finds(
    name: str, solver: Callable[[], Solver], value: float
) -> None:
    game = pyspiel.load_game(name)
    solution = policies.tabular_policy_from_callable(game, _Solved(solver()))
    assert exploitability.exploitability(game, solution) < 0.005
    found = expected_game_score.policy_value(game.new_initial_state(), [solution, solution])
    assert found[0] == pytest.approx(value, abs=0.002)


def test_cfr_finds_the_value(kuhn: Any) -> None:
    solver = cfr.CFRPlusSolver(kuhn)
    for _ in range(12):
        solver.evaluate_and_update_policy()
    found = solver.average_policy()
    value = expected_game_score.policy_value(kuhn.new_initial_state(), [found, found])
    assert value[FIRST] == pytest.approx(-1 / 18, abs=0.01)
    assert exploitability.exploitability(kuhn, found) < 0.02


def test_kuhn_has_twelve_situations_with_a_bet_to_decide(kuhn: Any) -> None:
    """So the others' cards are in no information state, and the own card and every action are."""
    betting = set()
    for state in nodes(kuhn.new_initial_state()):
        if state.is_chance_node() or state.is_terminal():
            continue
        words = {state.action_to_string(action) for action in state.legal_actions()}
        if "fold" in words:
            betting.add((state.current_player(), state.information_state_string()))
    assert len(betting) == 12


def test_push_or_fold_is_worth_what_counting_says() -> None:
    """The small blind calls for its last chip where that loses less than the chip that is in; counted by PokerKit."""
    game = pyspiel.load_game("croupier_push_fold")
    deck, board = ("As", "Ah", "Ks", "Kh", "Qs", "Qh"), "2c3d7h8c9d"
    total = 0.0
    for own in combinations(deck, 2):
        results = []
        for other in combinations(sorted(set(deck) - set(own)), 2):
            mine = StandardHighHand.from_game("".join(own), board)
            theirs = StandardHighHand.from_game("".join(other), board)
            results.append(2 * ((mine > theirs) - (mine < theirs)))
        total += max(-1.0, sum(results) / len(results)) / 15
    anybody = policies.UniformRandomPolicy(game)
    assert best_response.BestResponsePolicy(game, 0, anybody).value(game.new_initial_state()) == pytest.approx(total)


@pytest.mark.parametrize("name", ["croupier_poker(stack_chips=30)", "croupier_blackjack(decks=2)", "croupier_kuhn"])
def test_chance_is_a_shuffle(name: str) -> None:
    """Probabilities sum to one, and follow how many of each card are left."""
    state = pyspiel.load_game(name).new_initial_state()
    seen: list[int] = []
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = dict(state.chance_outcomes())
            assert sum(outcomes.values()) == pytest.approx(1)
            copies = 2 if "blackjack" in name else 1
            left = {card: copies - seen.count(card) for card in outcomes}
            assert all(left.values())
            whole = sum(left.values())
            assert outcomes == pytest.approx({card: count / whole for card, count in left.items()})
            seen.append(max(outcomes))
            state.apply_action(seen[-1])
        else:
            state.apply_action(state.legal_actions()[-1])


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("croupier_poker(players=1)", "players=1 is not possible; allowed: 2 – 10"),
        ("croupier_poker(preset=none)", "allowed: holdem, cash"),
        ("croupier_poker(ante=-5)", "ante=-5 is not possible; allowed: 0"),
        ("croupier_poker(betting=none)", "betting='none' is not possible; allowed: no_limit, pot_limit"),
        ("croupier_poker(deck=AsAs)", "deck: 2 × As, of which the pack has 1"),
        ("croupier_poker(preset=short-deck,cards=2c)", "cards: 1 × 2c, of which the pack has 0"),
        ("croupier_poker(stacks=5 5 5)", "allowed: 2 whole numbers from 0"),
    ],
)
def test_a_wrong_parameter_is_named(name: str, told: str) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        pyspiel.load_game(name)


def test_an_action_before_the_game_that_cannot_be_is_named() -> None:
    with pytest.raises(ValueError, match=r"played: show cannot be taken here; allowed: .*fold"):
        pyspiel.load_game("croupier_poker(cards=AsAhKsKh,played=show)")


def test_a_deck_that_runs_out_says_so() -> None:
    state = pyspiel.load_game("croupier_poker(deck=AsAhKs)").new_initial_state()
    for _ in range(3):
        state.apply_action(state.chance_outcomes()[0][0])
    with pytest.raises(ValueError, match="no card left"):
        state.chance_outcomes()


@pytest.mark.parametrize(
    ("code", "status", "told"),
    [
        ("import croupier.lab.openspiel", 0, ""),
        ("import sys; sys.modules['pyspiel'] = None; import croupier.lab.openspiel", 1, "croupier[openspiel]"),
    ],
)
def test_the_process_ends_in_order_and_the_extra_is_named(code: str, status: int, told: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert told in done.stderr

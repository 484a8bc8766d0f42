"""The contract checks are worth something: the honest toy passes, each broken one is caught."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from croupier.testing import checks
from croupier.testing.driver import Played, play
from tests.contract import toys

SEEDS = range(40)


def _over(rules: Any, check: Callable[[Played, Random], object], moves_max: int = 99) -> None:
    for seed in SEEDS:
        random = Random(seed)
        check(play(rules, rules.setup(2), random, random.randint(0, moves_max) if moves_max < 3 else moves_max), random)


def _leak(played: Played, random: Random) -> None:
    checks.check_no_leak(played, random)


def _chips(played: Played, _: Random) -> None:
    checks.check_chips_conserved(played)


def _shown(played: Played, _: Random) -> None:
    checks.check_known_is_shown(played)


def test_the_honest_game_passes_everything() -> None:
    rules = toys.HighCard()
    game = toys.toy(rules)
    for check in (_leak, _chips, _shown, checks.check_actions_tell_nothing):
        _over(rules, check)
        _over(rules, check, moves_max=1)
    for seed in SEEDS:
        random = Random(seed)
        played = play(rules, rules.setup(2), random)
        checks.check_round_ends(played)
        checks.check_offers(played, random, [toys.Stay(), toys.Bet(3)])
        checks.check_replay(game, played)
        checks.check_json(game, played)
        checks.check_clients_follow(game, played, random)
        checks.check_base_of_views(played)
        checks.check_match(game, rules, 2, random)


@pytest.mark.parametrize("leaky", [toys.LeakyView(), toys.LeakyMenu(), toys.LeakyEvent()])
def test_a_leaky_game_is_caught(leaky: Any) -> None:
    with pytest.raises(AssertionError, match="can tell cards"):
        _over(leaky, _leak, moves_max=1)


def test_the_first_difference_of_a_leak_is_told() -> None:
    with pytest.raises(AssertionError, match=r"at step 1 the viewer sees ToyView.* but with other .* ToyView"):
        _over(toys.LeakyView(), _leak, moves_max=1)
    with pytest.raises(AssertionError, match=r"at step 1 the viewer hears .*Dealt"):
        _over(toys.LeakyEvent(), _leak, moves_max=1)


@pytest.mark.parametrize("moves_max", [1, 99])
def test_a_game_whose_action_names_a_hidden_card_is_caught(moves_max: int) -> None:
    with pytest.raises(AssertionError, match=r"Name\(.*tells viewer None that seat 0 holds .*by its place"):
        _over(toys.Whisper(), checks.check_actions_tell_nothing, moves_max)


def test_a_card_may_be_named_that_the_seat_need_not_hold() -> None:
    _over(toys.Guess(), checks.check_actions_tell_nothing)


def test_a_game_that_clients_cannot_check_is_caught() -> None:
    rules = toys.HiddenReason()
    with pytest.raises(AssertionError, match=r"cannot follow after seat . chose Bet.*MOVE_REFUSED"):
        _over(rules, lambda played, random: checks.check_clients_follow(toys.toy(rules), played, random))


def test_a_game_whose_views_lack_their_base_is_caught() -> None:
    rules = toys.Anonymous()
    with pytest.raises(AssertionError, match="a view says whose it is"):
        checks.check_base_of_views(play(rules, rules.setup(2), Random(0)))


def test_a_chip_losing_game_is_caught() -> None:
    with pytest.raises(AssertionError, match="chips on the table went from"):
        _over(toys.Losing(), _chips)


def test_a_game_that_claims_too_much_is_known_is_caught() -> None:
    with pytest.raises(AssertionError, match="never saw it"):
        _over(toys.Boastful(), _shown, moves_max=1)

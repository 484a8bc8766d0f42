"""What a simulation says: right within its own error, the same for the same seed, honest about where it stopped."""

import json
import os
import subprocess
import sys
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from croupier.games.blackjack import CASINO, CLASSROOM, TRAINER, BlackjackRules
from croupier.lab.blackjack import strategy
from croupier.lab.blackjack.simulate import Comparison, Simulation, compare, like_dealer, report, simulate
from croupier.lab.blackjack.simulation import tally
from croupier.lab.blackjack.simulation.blocks import BLOCK_ROUNDS, BlockPlayer, flat_game
from croupier.lab.blackjack.simulation.first_cards import COLUMNS, start_table
from croupier.lab.blackjack.simulation.inputs import full_shoe, rule_numbers
from croupier.lab.blackjack.simulation.tally import SUM_BETS, SUM_PROFIT, Tally
from croupier.lab.blackjack.simulation_plot import convergence_chart
from croupier.lab.blackjack.solve import prepare, solve, won_and_staked
from croupier.lab.random_numbers import below, seeded
from tests.library.json_names import assert_camel_case

FRESH_TRAINER = replace(TRAINER, penetration=0.0)
RULE_SETS: list[BlackjackRules] = [
    CASINO,
    replace(CASINO, double="9-11", dealer_hits_soft_17=True),
    replace(FRESH_TRAINER, decks=2, resplit_aces=True, hit_split_aces=True),
    replace(CASINO, peek=False, decks=1, surrender="early", hands_max=3),
]
MORE_RULE_SETS: list[BlackjackRules] = [
    FRESH_TRAINER,
    CLASSROOM,
    *(replace(CASINO, decks=decks) for decks in (1, 2, 4, 8)),
    replace(CASINO, blackjack_pays="6:5", decks=1, dealer_hits_soft_17=True),
    replace(CASINO, double="no", hands_max=1),
    replace(CASINO, double_after_split=False, hands_max=4),
    replace(CASINO, surrender="late", dealer_hits_soft_17=True, decks=8),
    replace(CASINO, surrender="early"),
    replace(CASINO, peek=False, surrender="late"),
    replace(CASINO, peek=False, original_bets_only=True, hands_max=4, decks=1),
    replace(CASINO, hit_split_aces=True, hands_max=2, decks=1),
    replace(CASINO, resplit_aces=True, hands_max=4, decks=1),
    replace(CASINO, resplit_aces=True, hit_split_aces=True, hands_max=3, decks=2),
    replace(CASINO, dealer_stands_on=18),
    replace(CASINO, blackjack_pays="none", insurance=False),
    replace(CASINO, blackjack_pays="2:1", decks=4, hands_max=3),
    replace(CASINO, double="9-11", double_after_split=False, hands_max=1, dealer_hits_soft_17=True, decks=8),
]


def assert_within_three_errors(rules: BlackjackRules, rounds: int, seed: int) -> None:
    solution = solve(rules)
    outcome = simulate(Simulation(flat_game(rules, solution.strategy), rounds, seed))
    assert outcome is not None
    assert outcome.tally.rounds == rounds
    found, error = outcome.tally.return_per_initial_bet, outcome.tally.standard_error
    assert abs(found - solution.ev.per_initial_bet) < 3 * error
    found, error = outcome.tally.return_per_total_bet, outcome.tally.standard_error_per_total_bet
    assert abs(found - solution.ev.per_total_bet) < 3 * error


@pytest.mark.parametrize("place", range(len(RULE_SETS)))
def test_simulated_and_exact_value_agree(place: int) -> None:
    assert_within_three_errors(RULE_SETS[place], 8_000_000, seed=100 + place)


@pytest.mark.soak
@pytest.mark.parametrize("place", range(len(MORE_RULE_SETS)))
def test_simulated_and_exact_value_agree_over_many_rules(place: int) -> None:
    assert_within_three_errors(MORE_RULE_SETS[place], 200_000_000, seed=3000 + place)


def test_table_that_is_not_the_best_returns_what_is_computed_for_it() -> None:
    rules = replace(CASINO, decks=2, hands_max=3)
    table = like_dealer(rules)
    won, staked = won_and_staked(prepare(rules), table)
    outcome = simulate(Simulation(flat_game(rules, table), 4_000_000, 5))
    assert outcome is not None
    assert abs(outcome.tally.return_per_initial_bet - won) < 3 * outcome.tally.standard_error
    assert outcome.tally.average_staked == pytest.approx(staked) == 1


def basic_game(**changes: object):
    rules = replace(CASINO, **changes)
    return flat_game(rules, solve(rules).strategy)


def test_both_kernels_agree_on_every_frequency() -> None:
    """The general kernel plays the same game from fresh shoes; counts may differ by chance only."""
    played = basic_game(surrender="late", hands_max=4)
    rounds = 1 << 19
    fast = BlockPlayer(played, 1).play(0, rounds)
    player = BlockPlayer(played, 2)
    general = player.tallied(*player.shoes(0, rounds, rounds))
    for count in range(tally.COUNTS):
        if count != tally.COUNT_SQUARES:
            ours, theirs = fast.counts[count], general.counts[count]
            assert abs(ours - theirs) <= 5 * sqrt(ours + theirs + 1), count
    assert abs(fast.standard_deviation - general.standard_deviation) < 0.01


@pytest.mark.parametrize("changes", [{}, {"penetration": 0.75, "hands_max": 4}], ids=["fresh", "shoe"])
def test_same_seed_gives_the_same_figures_on_any_number_of_threads(changes: dict[str, object]) -> None:
    played = basic_game(**changes)
    rounds = 2 * BLOCK_ROUNDS + 12_345
    tallies = []
    for workers in (1, 2, 3):
        outcome = simulate(Simulation(played, rounds, seed=9), workers=workers)
        assert outcome is not None
        tallies.append(outcome.tally)
    assert tallies[0] == tallies[1] == tallies[2]
    assert tallies[0].rounds == rounds
    other = simulate(Simulation(played, rounds, seed=10))
    assert other is not None
    assert other.tally != tallies[0]


def test_several_seats_share_the_dealer_so_their_error_is_larger_than_that_of_as_many_lone_rounds() -> None:
    rules = replace(CASINO, penetration=0.5)
    outcome = simulate(Simulation(flat_game(rules, solve(rules).strategy, players=5), 200_000, 3))
    assert outcome is not None
    found = outcome.tally
    assert found.counts[tally.COUNT_SEAT_ROUNDS] == 5 * 200_000
    alone = found.standard_deviation / sqrt(5 * 200_000)
    assert 1.3 * alone < found.standard_error < sqrt(5) * alone


def test_standard_error_is_that_of_repeated_simulations() -> None:
    played = basic_game(penetration=0.75)
    player = BlockPlayer(played, 4)
    tallies = [player.play(block, 20_000) for block in range(200)]
    spread = np.std([each.return_per_initial_bet for each in tallies], ddof=1)
    claimed = np.mean([each.standard_error for each in tallies])
    assert 0.85 < spread / claimed < 1.15


def test_tallies_add_up_in_any_order() -> None:
    player = BlockPlayer(basic_game(), 4)
    first, second, third = (player.play(block, 1000) for block in range(3))
    assert first + second + third == third + (second + first)
    assert (first + second).sums[SUM_BETS] == 2000 * first.unit


def test_start_table_gives_every_start_exactly_its_chance() -> None:
    """A start's share of the columns is the number of ways in which its four cards can come in order."""
    rules = rule_numbers(replace(CASINO, decks=1))
    table = start_table(rules, np.zeros((3, 22, 11), np.uint8))
    total = int(table.weight_total)
    shares: dict[int, int] = {}
    for column in range(COLUMNS):
        own = int(table.thresholds[column])
        shares[column] = shares.get(column, 0) + own
        alias = int(table.aliases[column])
        shares[alias] = shares.get(alias, 0) + total - own
    assert total == 52 * 51 * 50 * 49
    for start in range(5500):
        cards = [int(table[name][start]) for name in ("first", "second", "up", "hole")]
        left = {points: 16 if points == 10 else 4 for points in range(1, 11)}
        ways = 1 if cards[0] == cards[1] else 2
        for card in cards:
            ways *= left[card]
            left[card] -= 1
        assert shares[start] == ways * COLUMNS


def test_numbers_below_a_bound_are_all_as_likely() -> None:
    generator = seeded(1)
    counts = np.bincount([below(generator, 13) for _ in range(130_000)], minlength=13)
    assert len(counts) == 13
    # Chi-squared with 12 degrees of freedom exceeds 40 once in ten thousand.
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 40


def test_shoe_has_four_of_each_rank_a_deck() -> None:
    assert np.bincount(full_shoe(6)).tolist() == [0, *[24] * 9, 96]


def test_compared_strategies_play_the_same_shoes() -> None:
    rules = replace(CASINO, penetration=0.6)
    best = solve(rules).strategy
    worse = strategy.build(lambda kind, hand, up: "S" if (hand, up) == ("16", "7") else best.play(kind, hand, up))
    games = (
        flat_game(rules, best),
        flat_game(rules, best),
        flat_game(rules, worse),
        flat_game(rules, like_dealer(rules)),
    )
    found = compare(Comparison(games, 400_000, seed=1))
    assert found is not None
    assert found.tallies[0] == found.tallies[1]
    assert found.difference(1) == pytest.approx((0.0, 0.0), abs=1e-15)
    difference, error = found.difference(3)
    assert abs(difference + 0.052) < 4 * error
    separate = sqrt(found.tallies[0].standard_error ** 2 + found.tallies[3].standard_error ** 2)
    assert error < 0.9 * separate
    difference, error = found.difference(2)
    prepared = prepare(rules)
    assert abs(difference - (won_and_staked(prepared, worse)[0] - won_and_staked(prepared, best)[0])) < 3 * error
    assert error < 0.4 * separate


def test_difference_of_fresh_shoes_is_the_plain_paired_one() -> None:
    games = (basic_game(), flat_game(CASINO, like_dealer(CASINO)))
    comparison = Comparison(games, 4096, seed=2)
    found = comparison.block(0)
    columns = [BlockPlayer(each, 2).shoes(0, 4096, 4096)[0] for each in games]
    gains = (columns[1][:, SUM_PROFIT] - columns[0][:, SUM_PROFIT]) / columns[0][:, SUM_BETS]
    difference, error = found.difference(1)
    assert difference == pytest.approx(gains.mean())
    assert error == pytest.approx(gains.std(ddof=1) / sqrt(len(gains)), rel=1e-6)


def test_interrupted_simulation_reports_what_it_has() -> None:
    def stop(sums: Tally) -> None:
        raise KeyboardInterrupt

    outcome = simulate(Simulation(basic_game(), 100 * BLOCK_ROUNDS), progress=stop)
    assert outcome is not None
    assert not outcome.complete
    assert outcome.tally.rounds == BLOCK_ROUNDS


def test_convergence_is_drawn(tmp_path) -> None:
    outcome = simulate(Simulation(basic_game(), 3 * BLOCK_ROUNDS))
    assert outcome is not None
    for ending in ("png", "svg"):
        path = tmp_path / f"picture.{ending}"
        convergence_chart(outcome.history, -0.0046, path, "casino")
        assert path.stat().st_size > 5000


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from croupier.cli import main; main()", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "CROUPIER_LANG": "en", **environment}, check=False
    )


def test_command_prints_json_with_the_figures() -> None:
    found = run("simulate", "blackjack", "--rounds", "1e6", "--seed", "3", "--json", "--workers", "1")
    assert found.returncode == 0, found.stderr
    figures = json.loads(found.stdout)
    assert figures["rounds"] == 1_000_000
    assert_camel_case(figures)
    assert figures["rtp"] == pytest.approx(1 + figures["ev"])
    assert figures["exact"]["ev"] == pytest.approx(solve(CASINO).ev.per_initial_bet)
    assert abs(figures["ev"] - figures["exact"]["ev"]) < 4 * figures["standardError"]
    assert figures["roundsPerSecond"] > 0
    expected = simulate(Simulation(basic_game(), 1_000_000, 3))
    assert expected is not None
    assert figures["ev"] == report(expected, Simulation(basic_game(), 1_000_000, 3))["ev"]


def test_one_round_has_no_error_to_tell_and_is_still_told_and_drawn(tmp_path: Path) -> None:
    picture = tmp_path / "one.png"
    found = run("simulate", "blackjack", "--rounds", "1", "--json", "--png", str(picture))
    assert found.returncode == 0, found.stderr
    figures = json.loads(found.stdout)
    assert (figures["rounds"], figures["standardError"], figures["interval"]) == (1, None, [None, None])
    assert figures["exact"]["sigmas"] is None
    assert picture.stat().st_size > 5000
    assert "inf" not in run("simulate", "blackjack", "--rounds", "1").stdout


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--rounds", "many"], "many"),
        (["--rounds", "0"], "“0”"),
        (["--players", "8"], "--players"),
        (["--penetration", "deep"], "deep"),
        (["--penetration", "0.99"], "0.95"),
        (["--strategy", "nowhere.toml"], "nowhere.toml"),
        (["--ramp", "1:2"], "--count"),
        (["--count", "hi-lo", "--ramp", "1:x"], "1:x"),
        (["--rule", "decks=9"], "decks"),
        (["--png", "pyproject.toml/x.png"], "x.png"),
        (["--compare", "dealer", "--png", "x.png"], "--png"),
    ],
)
def test_command_names_what_is_wrong(arguments: list[str], named: str) -> None:
    found = run("simulate", "blackjack", *arguments)
    assert found.returncode == 2
    assert named in found.stderr
    assert "Traceback" not in found.stderr


INTERRUPT_AFTER_TWO_BLOCKS = """
import os, signal
from croupier.lab.blackjack import simulate
running = simulate.block_results
def block_results(*arguments):
    for number, part in enumerate(running(*arguments)):
        yield part
        if number == 1:
            os.kill(os.getpid(), signal.SIGINT)
simulate.block_results = block_results
from croupier.cli import main
main()
"""


def test_ctrl_c_stops_with_what_there_is() -> None:
    arguments = ["simulate", "blackjack", "--rounds", "1e12", "--json", "--workers", "1"]
    found = subprocess.run(
        [sys.executable, "-c", INTERRUPT_AFTER_TWO_BLOCKS, *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "CROUPIER_LANG": "en"},
        check=False,
    )
    assert found.returncode == 0, found.stderr
    figures = json.loads(found.stdout)
    assert figures["complete"] is False
    assert figures["rounds"] >= 2 * BLOCK_ROUNDS
    assert "Stopped after" in found.stderr

"""Counting: the kernel counts, bets, insures and deviates as a counter at the plain table does; and the money."""

import random
from math import exp, sqrt

import pytest
from msgspec.structs import replace

from croupier.games.blackjack import CASINO, BlackjackRules
from croupier.lab.blackjack import card_count, strategy
from croupier.lab.blackjack.bankroll import TRACED_MAX, Trips, TripTotals, prospects, risk_of_ruin
from croupier.lab.blackjack.card_count import Count, CountingError, Indices, read_count, read_indices, read_ramp
from croupier.lab.blackjack.simulate import Simulation, simulate
from croupier.lab.blackjack.simulation.blocks import SimulatedGame, flat_game, write_plan
from croupier.lab.blackjack.solve import solve
from croupier.lab.cluster import block_results
from tests.lab import simulate_plainly
from tests.lab.simulate_plainly import PlainPlayer, random_rules, random_table
from tests.lab.test_simulate_kernels import played_plainly, played_stacked, stacked_shoes

SHOE = replace(CASINO, penetration=0.75)
RAMP = {0: 1, 1: 2, 2: 4, 3: 8}


def random_indices(chance: random.Random) -> Indices:
    plays = []
    for _ in range(60):
        kind = chance.choice(strategy.KINDS)
        hand = chance.choice([row for row in strategy.ROWS[kind] if row != "21"])
        allowed = strategy.PLAYS if kind == "pairs" else strategy.PLAYS_ON_TOTALS
        operator = chance.choice((">=", "<=", ">", "<"))
        count = chance.randint(-3, 3)
        plays.append(card_count.Index(kind, hand, chance.choice(strategy.UPS), chance.choice(allowed), operator, count))
    return Indices(tuple(plays), chance.randint(-2, 3))


@pytest.mark.parametrize("seed", [*range(8), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(8, 40))])
def test_counter_bets_insures_and_deviates_as_at_the_plain_table(seed: int) -> None:
    chance = random.Random(5000 + seed)
    rules = random_rules(chance, penetration=chance.choice([0.5, 0.75, 0.95]))
    players = chance.randint(1, 5)
    table, indices = random_table(chance), random_indices(chance)
    tags = {points: chance.randint(-2, 2) for points in range(1, 11)}
    count = Count({card_count.RANKS[points - 1]: tag for points, tag in tags.items()}, chance.random() < 0.7, -3)
    plan = card_count.plan(table, rules, count, RAMP, indices)
    shoes = stacked_shoes(rules, chance, 60)
    unit, ours = played_stacked(rules, plan, players, shoes, 60)
    player = PlainPlayer(
        rules,
        players,
        lambda now: card_count._changed(table, indices, now),
        lambda now: RAMP[max(min(RAMP), min(now, 3))],
        lambda now: now >= indices.insurance,
        simulate_plainly.Count(tags, -3 * (rules.decks - 1), count.true),
    )
    assert ours == played_plainly(player, unit, shoes, 60)


def counter(rules: BlackjackRules, ramp: str, indices: str = "illustrious-18") -> SimulatedGame:
    plan = card_count.plan(solve(rules).strategy, rules, read_count("hi-lo"), read_ramp(ramp), read_indices(indices))
    return SimulatedGame(rules, write_plan(plan))


def test_spread_by_hi_lo_turns_the_edge_around() -> None:
    flat = simulate(Simulation(flat_game(SHOE, solve(SHOE).strategy), 2_000_000, 1))
    spread = simulate(Simulation(counter(SHOE, "0:1,1:4,2:8,3:12,4:16"), 2_000_000, 1))
    assert flat is not None
    assert spread is not None
    assert flat.tally.return_per_initial_bet < -2 * flat.tally.standard_error
    assert spread.tally.return_per_initial_bet > 2 * spread.tally.standard_error
    assert spread.tally.average_bet > 2


def test_bet_of_zero_only_watches() -> None:
    outcome = simulate(Simulation(counter(SHOE, "0:0,1:1"), 200_000, 1))
    assert outcome is not None
    found = outcome.tally
    assert found.rounds == 200_000
    assert found.average_bet == 1
    assert 0.2 < found.counts[1] / found.rounds < 0.5


def test_tags_are_read_from_names_texts_and_files(tmp_path) -> None:
    hi_lo = read_count("hi-lo")
    assert hi_lo.tags == dict.fromkeys("23456", 1) | dict.fromkeys("TA", -1)
    assert read_count("2-6:1,T-A:-1") == hi_lo
    assert read_count("ko") == Count(dict.fromkeys("234567", 1) | dict.fromkeys("TA", -1), true=False, start=-4)
    file = tmp_path / "halves.toml"
    file.write_text("[tags]\n2 = 0.5\n5 = 1.5\nT = -1\n[count]\nstart = 2\n")
    halves = read_count(str(file))
    assert halves == Count({"2": 0.5, "5": 1.5, "T": -1}, start=2)
    plan = card_count.plan(solve(SHOE).strategy, SHOE, halves, {}, Indices())
    assert (plan.tag_scale, plan.tags[2], plan.tags[5], plan.tags[10], plan.start) == (2, 1, 3, -2, 2 * 2 * 5)


@pytest.mark.parametrize("text", ["2-6", "6-2:1", "B:1", "2:99", "2:0.001", "nowhere"])
def test_bad_count_is_named(text: str) -> None:
    with pytest.raises(CountingError) as caught:
        read_count(text)
    assert text.partition(":")[0] in str(caught.value.refusal.facts)


@pytest.mark.parametrize("text", ["1", "a:1", "1:x", "1:-1", "99:1", "1:0"])
def test_bad_ramp_is_refused(text: str) -> None:
    with pytest.raises(CountingError):
        read_ramp(text)


def test_ramp_holds_from_its_counts_on(tmp_path) -> None:
    file = tmp_path / "ramp"
    file.write_text("1:1\n2:2\n4:8\n")
    plan = card_count.plan(solve(SHOE).strategy, SHOE, read_count("hi-lo"), read_ramp(str(file)), Indices())
    bets = [int(plan.bets[now + card_count.COUNT_MAX]) for now in range(-2, 6)]
    assert bets == [1, 1, 1, 1, 2, 2, 8, 8]


@pytest.mark.parametrize(
    "text",
    ['[hard]\n"22 T" = "S >= 0"', '[hard]\n"16 T" = "P >= 0"', '[hard]\n"16 T" = "S 0"', "[sof]\n", 'insurance = "x"'],
)
def test_bad_index_play_is_named(text: str, tmp_path) -> None:
    file = tmp_path / "indices.toml"
    file.write_text(text)
    with pytest.raises(CountingError) as caught:
        read_indices(str(file))
    assert caught.value.refusal.code == "INDEX_PLAY"


def test_ruin_by_formula_has_its_limits() -> None:
    assert risk_of_ruin(0.02, 10.0, 400) == pytest.approx(exp(-1.6))
    assert risk_of_ruin(0.0, 10.0, 400) == 1
    assert risk_of_ruin(-0.01, 1.3, 10_000, 10) == pytest.approx(0, abs=1e-12)
    assert risk_of_ruin(0.02, 10.0, 400, 1e9) == pytest.approx(exp(-1.6), rel=1e-3)
    assert risk_of_ruin(-5.0, 1.3, 300, 1e6) == 1


def test_followed_bankrolls_are_ruined_as_often_as_the_formula_says() -> None:
    game = counter(SHOE, "0:1,1:2,2:4,3:6,4:8")
    outcome = simulate(Simulation(game, 2_000_000, 1))
    assert outcome is not None
    trips = Trips(game, bankroll=100, rounds=2000, trips=800, seed=2)
    found = TripTotals(0, 0, ())
    for part in block_results(trips, trips.blocks):
        found += part
    risk, error = found.risk
    formula = risk_of_ruin(outcome.tally.profit_per_round, outcome.tally.variance_per_round, 100, 2000)
    # Bets go down to the last chip in steps, not smoothly: the formula is a little off.
    assert abs(risk - formula) < 3 * error + 0.03
    assert [number for number, _ in found.paths] == list(range(TRACED_MAX))
    assert all(path[0] == 100 and (path[-1] > 0) == (0 not in path) for _, path in found.paths)


def test_n0_is_where_the_mean_reaches_one_deviation() -> None:
    outcome = simulate(Simulation(counter(SHOE, "0:1,1:4,2:8,3:12"), 1_000_000, 1))
    assert outcome is not None
    found = prospects(outcome.tally, 1000)
    assert found.n0 is not None
    assert found.win_per_round * found.n0 == pytest.approx(found.standard_deviation * sqrt(found.n0))
    assert found.score == pytest.approx(1e6 / found.n0)

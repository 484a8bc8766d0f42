"""Push or fold: the equilibrium against a linear program, published charts, and plain sums over all hands."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linprog

from croupier.lab.poker.equity import equity
from croupier.lab.poker.hand_classes import COMBINATIONS, HANDS, NUMBERS, range_text, share
from croupier.lab.poker.pushfold.heads_up import count, heads_up
from croupier.lab.poker.pushfold.report import report
from croupier.lab.poker.pushfold.solve import Decision, Solution, Solver, solve
from croupier.lab.poker.pushfold.spot import Spot, check, final_stacks, walk_stacks, worth
from croupier.lab.poker.pushfold.three_way import ORDERS, PERMUTATIONS, SAMPLES, three_way
from croupier.lab.poker.ranges import EquityError, parse

Array = NDArray[np.float64]


def _decision(solution: Solution, seat: str, *after: str) -> Decision:
    seats = solution.spot.seats
    wanted = seats.index(seat), tuple(seats.index(each) for each in after)
    return next(each for each in solution.decisions if (each.seat, each.after) == wanted)


@pytest.fixture(scope="module")
def ten() -> Solution:
    return solve(Spot((10.0, 10.0)), target=1e-6)


def test_a_solution_shows_itself_in_a_notebook_and_becomes_a_table(ten: Solution) -> None:
    assert ten.to_numpy().shape == (2, 13, 13)
    table = ten.to_pandas()
    assert list(table.columns) == ["SB ", "BB SB"]
    assert table.loc["AA"].min() == 1.0
    shown = ten._repr_html_()
    assert shown.count("<table>") == 2
    assert "AA" not in shown
    assert "22+" in shown


# The tables


@pytest.mark.parametrize("pair", [("AA", "KK"), ("AKs", "QQ"), ("72o", "A7o"), ("JTs", "JTs"), ("T9o", "22")])
def test_heads_up_figures_are_those_of_the_equity_calculator(pair: tuple[str, str]) -> None:
    one, other = (NUMBERS[hand] for hand in pair)
    found = equity(pair).hands[0]
    assert heads_up().win[one, other] == pytest.approx(found.win, abs=1e-12)
    assert heads_up().tie[one, other] == pytest.approx(found.tie, abs=1e-12)


@pytest.mark.soak
def test_the_kept_heads_up_table_is_what_counting_gives() -> None:
    wins, ties = count()
    kept = heads_up()
    boards = kept.given * 1225 * 1_712_304
    assert np.array_equal(np.rint(kept.win * boards), wins)
    assert np.array_equal(np.rint(kept.tie * boards), ties)


def test_heads_up_chances_are_even_for_both_and_add_up() -> None:
    table = heads_up()
    assert np.allclose(table.given.sum(axis=1), 1)
    both = table.dealt[:, np.newaxis] * table.given
    assert np.allclose(both, both.T)
    assert np.allclose(table.win + table.tie + table.win.T, 1)


def test_three_way_equities_are_those_of_the_equity_calculator() -> None:
    table = three_way()
    for hands in (("AA", "KK", "QQ"), ("AKs", "JJ", "T9s"), ("A5o", "K2o", "76s"), ("QQ", "QJo", "Q2s")):
        low, middle, high = sorted(NUMBERS[hand] for hand in hands)
        ways = table.ways[table.starts[low, middle] + high] / SAMPLES
        exact = equity([HANDS[low], HANDS[middle], HANDS[high]]).hands
        for player, hand in enumerate(exact):
            won = sum(part / order.count(0) for part, order in zip(ways, ORDERS, strict=True) if order[player] == 0)
            assert won == pytest.approx(hand.equity, abs=4 * 0.5 / SAMPLES**0.5)


def test_three_way_relabelling_keeps_every_hands_place() -> None:
    table = three_way()
    for number, permutation in enumerate(PERMUTATIONS):
        for way, order in enumerate(ORDERS):
            seen = ORDERS[table.relabelled[number, way]]
            assert [seen[permutation[place]] for place in range(3)] == list(order)


# What the ends of a hand are worth


amounts = st.floats(2.0, 50.0).map(lambda value: round(value, 2))


@given(st.lists(amounts, min_size=2, max_size=5), st.data())
def test_no_chip_is_lost_whoever_goes_all_in(stacks: list[float], data: st.DataObject) -> None:
    spot = Spot(tuple(stacks), ante=data.draw(st.sampled_from((0.0, 0.1))), big_blind_ante=0.5)
    check(spot)
    seats = data.draw(st.sets(st.integers(0, len(stacks) - 1), min_size=1))
    order = {seat: data.draw(st.integers(0, 2)) for seat in seats}
    assert sum(final_stacks(spot, order)) == pytest.approx(sum(stacks))
    assert sum(walk_stacks(spot)) == pytest.approx(sum(stacks))
    prizes = Spot(spot.stacks, payouts=(50.0, 30.0)[: len(stacks)])
    assert worth(prizes, final_stacks(spot, order)).sum() == pytest.approx(80.0)


def test_a_short_stack_wins_only_what_it_could_cover() -> None:
    spot = Spot((3.0, 10.0, 20.0), ante=0.1)
    assert final_stacks(spot, {0: 0, 1: 1, 2: 2}) == pytest.approx([3 + 2 * 2.9 + 0.2, 7 + 7, 10])
    assert final_stacks(spot, {0: 1, 1: 0}) == pytest.approx([0, 10 + 2.9 + 0.2 + 1, 18.9])
    assert final_stacks(spot, {1: 0}) == pytest.approx([2.9, 10 + 0.2 + 1, 18.9])


def test_of_two_who_are_out_the_bigger_stack_takes_the_better_place() -> None:
    spot = Spot((5.0, 8.0, 20.0), payouts=(50.0, 30.0, 20.0))
    assert worth(spot, [0.0, 0.0, 33.0]).tolist() == [20, 30, 50]
    assert worth(Spot((8.0, 8.0, 20.0), payouts=(50.0, 30.0, 20.0)), [0.0, 0.0, 36.0]).tolist() == [25, 25, 50]


# Heads-up


def _payoffs(spot: Spot) -> tuple[Array, Array, Array]:
    """Chances of hand pairs, the pusher's chips if called, if not called; written without the solver."""
    table = heads_up()
    live = min(spot.stacks) - spot.ante
    won = table.win * (live + spot.ante) - (1 - table.win - table.tie) * (live + spot.ante)
    return table.dealt[:, np.newaxis] * table.given, won, np.full(won.shape, spot.big_blind + spot.ante)


@pytest.mark.parametrize(("stack", "ante"), [(4.0, 0.0), (10.0, 0.0), (15.0, 0.125)])
def test_heads_up_value_is_that_of_a_linear_program(stack: float, ante: float) -> None:
    """The small blind's best guaranteed value, over all mixed strategies: maximise the sum of what each hand of the
    big blind concedes at most."""
    spot = Spot((stack, stack), ante=ante)
    both, called, stolen = _payoffs(spot)
    lost = -(spot.small_blind + ante)
    # Variables: push frequency by hand, then the value against each hand of the big blind.
    fold_value = both.sum(axis=0) * lost
    rows, limits = [], []
    for won in (called, stolen):
        gain = (both * (won - lost)).T
        rows.append(np.hstack([-gain, np.eye(169)]))
        limits.append(fold_value)
    cost = np.concatenate([np.zeros(169), -np.ones(169)])
    bounds = [(0, 1)] * 169 + [(None, None)] * 169
    found = linprog(cost, A_ub=np.vstack(rows), b_ub=np.concatenate(limits), bounds=bounds)
    solution = solve(spot, target=1e-6)
    assert solution.expected[0] == pytest.approx(-found.fun, abs=2e-6)
    assert solution.expected[1] == pytest.approx(found.fun, abs=2e-6)
    assert max(solution.gains) < 1e-5


def test_ten_big_blinds_heads_up_is_the_published_chart(ten: Solution) -> None:
    """The chart of Nash push/fold that every poker site prints: 58.3 % push, 37.4 % call."""
    push, call = _decision(ten, "SB"), _decision(ten, "BB", "SB")
    assert share(push.frequencies) == pytest.approx(0.583, abs=0.001)
    assert share(call.frequencies) == pytest.approx(0.374, abs=0.001)
    plays = {hand: push.frequencies[NUMBERS[hand]] for hand in HANDS}
    assert all(plays[hand] == 1 for hand in ("22", "K2o", "Q7o", "J8o", "76o", "J3s", "T4s", "95s", "74s", "53s"))
    assert all(plays[hand] == 0 for hand in ("Q6o", "J7o", "T7o", "65o", "J2s", "T3s", "94s", "73s", "63s", "32s"))
    calls = {hand: call.frequencies[NUMBERS[hand]] for hand in HANDS}
    assert all(calls[hand] == 1 for hand in ("22", "A2o", "K5o", "Q9o", "JTo", "K2s", "Q7s", "J8s", "T9s"))
    assert all(calls[hand] == 0 for hand in ("K4o", "Q8o", "J9o", "T9o", "Q5s", "J7s", "T8s"))


@pytest.mark.parametrize(
    ("stack", "seat", "hand", "goes"),
    [
        *((7.7, "SB", "T3s", True), (7.8, "SB", "T3s", False)),
        *((5.5, "BB", "Q2o", True), (5.7, "BB", "Q2o", False)),
        *((12.0, "SB", "Q8o", True), (12.0, "SB", "Q7o", False)),
        *((7.3, "SB", "63s", False), (7.0, "SB", "63s", True), (4.5, "SB", "63s", False), (2.1, "SB", "63s", True)),
    ],
)
def test_published_thresholds_and_the_gap_of_six_three_suited(stack: float, seat: str, hand: str, goes: bool) -> None:
    """Published: T3s is pushed up to 7.7 big blinds, Q2o calls up to 5.6, 63s is pushed from 5.1 to 7.1 and to 2.3."""
    solution = solve(Spot((stack, stack)))
    found = _decision(solution, seat, *(() if seat == "SB" else ("SB",)))
    assert (found.frequencies[NUMBERS[hand]] > 0.5) is goes


def test_prizes_for_two_change_nothing_heads_up() -> None:
    chips = solve(Spot((10.0, 10.0)))
    prizes = solve(Spot((10.0, 10.0), payouts=(70.0, 30.0)))
    for one, other in zip(chips.decisions, prizes.decisions, strict=True):
        assert share(one.frequencies) == pytest.approx(share(other.frequencies), abs=0.002)
    assert prizes.expected[0] == pytest.approx(chips.expected[0] * 40 / 20, abs=1e-3)


# Three and more


@pytest.fixture(scope="module")
def three() -> Solution:
    return solve(Spot((8.0, 12.0, 10.0), ante=0.1), target=1e-3, seconds=30)


def _three_plainly(solution: Solution) -> Array:
    """What the hand is worth to three players, by adding up all courses over all hands."""
    spot, table = solution.spot, heads_up()
    before = np.array(spot.stacks)
    often = {(each.seat, each.after): np.array(each.frequencies) for each in solution.decisions}
    dealt, given_one = table.dealt, table.given

    def two(i: int, j: int, win: Array, tie: Array) -> Array:
        ends = [np.array(final_stacks(spot, {i: a, j: b})) - before for a, b in ((0, 1), (0, 0), (1, 0))]
        lose = 1 - win - tie
        return win[..., None] * ends[0] + tie[..., None] * ends[1] + lose[..., None] * ends[2]

    ends = np.array([np.array(final_stacks(spot, dict(enumerate(order)))) - before for order in ORDERS])
    push, sb_call, bb_call, over = often[0, ()], often[1, (0,)], often[2, (0,)], often[2, (0, 1)]
    sb_push, bb_sb = often[1, ()], often[2, (1,)]
    after_sb = two(0, 1, table.win, table.tie)
    alone = after_sb.copy()
    for c in np.flatnonzero(over):
        deals, ways = _third(int(c))
        chance = over[c] * deals / (np.array(COMBINATIONS)[:, None] * np.maximum(given_one, 1e-9) * 1225 * 1128)
        after_sb += chance[..., None] * (ways @ ends - alone)
    steal = np.array(final_stacks(spot, {0: 0})) - before
    bb_calls = given_one * bb_call
    sb_folds = (1 - bb_calls.sum(axis=1))[:, None] * steal
    sb_folds = sb_folds + (bb_calls[..., None] * two(0, 2, table.win, table.tie)).sum(axis=1)
    sb_calls = given_one * sb_call
    pushed = (sb_calls[..., None] * after_sb).sum(axis=1) + (1 - sb_calls.sum(axis=1))[:, None] * sb_folds
    answered = given_one * bb_sb
    sb_pushed = (answered[..., None] * two(1, 2, table.win, table.tie)).sum(axis=1)
    sb_pushed += (1 - answered.sum(axis=1))[:, None] * (np.array(final_stacks(spot, {1: 0})) - before)
    walk = np.array(walk_stacks(spot)) - before
    folded = ((dealt * sb_push)[:, None] * sb_pushed).sum(axis=0) + (1 - dealt @ sb_push) * walk
    return np.asarray(((dealt * push)[:, None] * pushed).sum(axis=0) + (1 - dealt @ push) * folded)


@cache
def _third(c: int) -> tuple[Array, Array]:
    """For all first and second hands beside a third one: the deals, and the chances of the 13 ways to come in."""
    table = three_way()
    hands = np.stack([*np.indices((169, 169)), np.full((169, 169), c)])
    order = np.argsort(hands, axis=0, kind="stable")
    low, middle, high = np.sort(hands, axis=0)
    places = table.starts[low, middle] + high
    ways = np.empty((169, 169, len(ORDERS)))
    for number, permutation in enumerate(PERMUTATIONS):
        so = (order == np.array(permutation)[:, None, None]).all(axis=0)
        relabelled = np.empty((so.sum(), len(ORDERS)))
        relabelled[:, table.relabelled[number]] = table.ways[places[so]] / SAMPLES
        ways[so] = relabelled
    return table.deals[places].astype(np.float64), ways


def test_three_handed_values_are_the_plain_sum_over_all_courses(three: Solution) -> None:
    assert _three_plainly(three) == pytest.approx(np.array(three.expected), abs=2e-4)
    assert sum(three.expected) == pytest.approx(0, abs=1e-9)


def test_nobody_gains_much_three_handed_and_the_small_blind_plays_on_as_heads_up(three: Solution) -> None:
    assert all(0 <= gain <= 1e-3 for gain in three.gains)
    alone = solve(Spot((9.95, 9.95), ante=0.15))
    assert share(_decision(three, "SB").frequencies) == pytest.approx(
        share(_decision(alone, "SB").frequencies), abs=0.02
    )


def test_a_deviation_never_wins_more_than_the_possible_gain(three: Solution) -> None:
    """Play otherwise at random at one decision: the plain sum never exceeds value and possible gain together."""
    chance = np.random.default_rng(3)
    for number in (0, 1, 2, 3, 4):
        other = tuple(chance.random(169).tolist())
        changed = list(three.decisions)
        changed[number] = Decision(changed[number].seat, changed[number].after, other, (), (), ())
        seat = changed[number].seat
        worse = Solution(three.spot, three.expected, three.gains, tuple(changed), 0, 0.0)
        assert _three_plainly(worse)[seat] <= three.expected[seat] + three.gains[seat] + 2e-4


def test_near_the_bubble_calls_are_tighter_than_in_chips() -> None:
    stacks = (10.0, 10.0, 10.0)
    chips = solve(Spot(stacks), target=1e-3, seconds=20)
    prizes = solve(Spot(stacks, payouts=(50.0, 50.0)), target=1e-3, seconds=20)
    for seat, before in (("BB", "BTN"), ("BB", "SB"), ("SB", "BTN")):
        tight = share(_decision(prizes, seat, before).frequencies)
        assert tight < 0.8 * share(_decision(chips, seat, before).frequencies)
    assert sum(prizes.expected) == pytest.approx(0, abs=1e-9)


@pytest.mark.soak
def test_nine_handed_gains_are_small_and_later_seats_push_more() -> None:
    solution = solve(Spot((10.0,) * 9, ante=0.1), target=1e-3, seconds=120)
    assert max(solution.gains) <= 2e-3
    shares = [share(each.frequencies) for each in solution.decisions if not each.after]
    assert shares == sorted(shares)
    assert sum(solution.expected) == pytest.approx(0, abs=1e-9)


def test_a_solver_goes_on_from_what_was_saved() -> None:
    spot = Spot((6.0, 6.0))
    whole, first = Solver(spot), Solver(spot)
    whole.run(60)
    first.run(30)
    second = Solver(spot, first.save())
    second.run(30)
    assert second.measure().decisions == whole.measure().decisions


# Texts and input


@given(st.lists(st.sampled_from((0.0, 0.0, 1.0, 1.0, 0.25)), min_size=169, max_size=169))
@settings(max_examples=50)
def test_a_range_that_is_written_reads_as_the_same(frequencies: list[float]) -> None:
    text = range_text(frequencies)
    read = {} if text == "-" else parse(text).weights
    for name, often in zip(HANDS, frequencies, strict=True):
        assert {read.get(pair, 0.0) for pair in parse(name).weights} == {often}


def test_the_report_has_a_figure_for_every_hand_in_camel_case(ten: Solution) -> None:
    import msgspec

    found = msgspec.json.decode(msgspec.json.encode(report(ten)))
    assert found["unit"] == "chips"
    assert set(found) >= {"smallBlind", "bigBlindAnte", "iterations", "players", "decisions"}
    assert [player["seat"] for player in found["players"]] == ["SB", "BB"]
    assert list(found["decisions"][0]["hands"]) == list(HANDS)
    assert found["decisions"][1]["after"] == ["SB"]
    assert found["decisions"][1]["range"].startswith("22+,A2s+")


@pytest.mark.parametrize(
    ("spot", "code"),
    [
        (Spot((10.0,)), "PUSHFOLD_PLAYERS"),
        (Spot((10.0,) * 10), "PUSHFOLD_PLAYERS"),
        (Spot((10.0, 1.0)), "PUSHFOLD_STACK"),
        (Spot((0.5, 10.0)), "PUSHFOLD_STACK"),
        (Spot((10.0, float("nan"))), "PUSHFOLD_STACK"),
        (Spot((10.0, 1001.0)), "PUSHFOLD_STACK"),
        (Spot((10.0, 10.0), small_blind=2.0), "PUSHFOLD_BLINDS"),
        (Spot((10.0, 10.0), big_blind=0.0, small_blind=0.0), "PUSHFOLD_BLINDS"),
        (Spot((10.0, 10.0), ante=-0.1), "PUSHFOLD_AMOUNT"),
        (Spot((10.0, 10.0), payouts=(50.0, 60.0)), "ICM_PAYOUT"),
        (Spot((10.0, 10.0), payouts=(50.0, 30.0, 20.0)), "ICM_PAYOUTS"),
    ],
)
def test_a_spot_that_cannot_be_is_refused(spot: Spot, code: str) -> None:
    with pytest.raises(EquityError) as refused:
        solve(spot)
    assert refused.value.refusal.code == code


def test_seats_have_the_usual_names() -> None:
    names = [" ".join(Spot((10.0,) * players).seats) for players in range(2, 10)]
    assert names[0] == "SB BB"
    assert names[1] == "BTN SB BB"
    assert names[4] == "UTG HJ CO BTN SB BB"
    assert names[7] == "UTG UTG+1 UTG+2 LJ HJ CO BTN SB BB"
    assert [len(set(each.split())) for each in names] == list(range(2, 10))

"""Equity: exact against boards counted one by one, sampled against exact, and every street of a finished hand."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.cards import PACK, Card, cards, text
from croupier.games.poker.rules import evaluate as plain
from croupier.games.poker.rules.events import Street
from croupier.lab.poker import sampling_kernels
from croupier.lab.poker.equity import (
    BLOCK_SAMPLES,
    Equity,
    Method,
    equity,
    interval,
    sample_block,
    summary,
)
from croupier.lab.poker.evaluate import ranks
from croupier.lab.poker.ranges import EquityError, parse
from croupier.lab.poker.situations import deals_together, range_arrays, situation
from croupier.lab.poker.streets import street_equities


def showdowns(
    hands: Sequence[tuple[Card, ...]], board: tuple[Card, ...], dead: Iterable[Card] = ()
) -> list[list[Fraction]]:
    """Each hand's wins, ties and pots, board by board, with the plain evaluator."""
    left = [card for card in PACK if card not in {*board, *dead, *(card for hand in hands for card in hand)}]
    results = [[Fraction(0)] * 3 for _ in hands]
    for rest in combinations(left, 5 - len(board)):
        found = [plain.rank((*hand, *board, *rest)) for hand in hands]
        winners = [place for place, rank in enumerate(found) if rank == min(found)]
        for place in winners:
            results[place][len(winners) > 1] += 1
            results[place][2] += Fraction(1, len(winners))
    return results


def counted(result: Equity) -> list[tuple[int | None, int | None]]:
    return [(hand.wins, hand.ties) for hand in result.hands]


def test_ace_king_suited_against_queens_before_the_flop_has_the_published_counts() -> None:
    result = equity(["AsKs", "QhQd"])
    assert (result.method, result.boards) == (Method.EXACT, 1_712_304)
    assert counted(result) == [(787_966, 6_732), (917_606, 6_732)]
    assert result.hands[0].equity == pytest.approx((787_966 + 6_732 / 2) / 1_712_304, abs=1e-15)


@pytest.mark.parametrize(
    ("hands", "dead"),
    [
        (["AsKs", "QhQd"], ""),
        (["AsKs", "AhKh"], ""),
        (["7c2d", "7d2c"], "AsAhAdAc"),
        (["JsTs", "9s8s", "2c2d"], ""),
        (["AcAd", "AhAs", "KcKd", "6h5h"], "QcQd2c"),
    ],
)
def test_before_the_flop_every_board_is_counted_as_if_ranked_by_itself(hands: list[str], dead: str) -> None:
    known = [cards(hand) for hand in hands]
    out = {*cards(dead), *(card for hand in known for card in hand)}
    left = np.array([card.number for card in PACK if card not in out], np.uint8)
    boards = left[np.array(list(combinations(range(len(left)), 5)), np.uint8)]
    found = np.stack(
        [
            ranks(np.hstack([boards, np.tile(np.array([card.number for card in hand], np.uint8), (len(boards), 1))]))
            for hand in known
        ]
    )
    best = found == found.min(axis=0)
    alone = best.sum(axis=0) == 1
    assert counted(equity(hands, dead=dead)) == [(int((row & alone).sum()), int((row & ~alone).sum())) for row in best]


@settings(max_examples=60, deadline=None)
@given(st.permutations(range(52)), st.integers(2, 10), st.sampled_from([4, 5]), st.integers(0, 4))
def test_on_turn_and_river_every_board_is_counted(order: list[int], players: int, shown: int, gone: int) -> None:
    pack = [PACK[number] for number in order]
    hands = [(pack[2 * player], pack[2 * player + 1]) for player in range(players)]
    board, dead = tuple(pack[20 : 20 + shown]), tuple(pack[30 : 30 + gone])
    result = equity(hands, board, dead)
    expected = showdowns(hands, board, dead)
    assert counted(result) == [(int(wins), int(ties)) for wins, ties, _ in expected]
    for hand, (_, _, pots) in zip(result.hands, expected, strict=True):
        assert hand.equity == pytest.approx(float(pots / result.boards), abs=1e-12)


@pytest.mark.parametrize("board", ["2s3s4s", "QcQs2d", "9h8h7c", "AsKsQs", "TdTcTh"])
def test_on_the_flop_every_board_is_counted(board: str) -> None:
    hands = ["As9s" if "As" not in board else "JsTs", "8d8c", "Kh5h"]
    expected = showdowns([cards(hand) for hand in hands], cards(board))
    result = equity(hands, board)
    assert result.boards == comb(43, 2)
    assert counted(result) == [(int(wins), int(ties)) for wins, ties, _ in expected]


def test_ranges_meet_in_every_combination_with_its_weight() -> None:
    mine, theirs, board = parse("TT+,AKs:0.5,AsJs:0.25"), parse("99-JJ,A9s+,KQo:0.75"), cards("TsJd2s5s")
    weight = [Fraction(0), Fraction(0), Fraction(0)]
    total = Fraction(0)
    for one, one_weight in mine.weights.items():
        for other, other_weight in theirs.weights.items():
            if len({*one, *other, *board}) == 8:
                together = Fraction(one_weight) * Fraction(other_weight)
                won = showdowns([one, other], board)[0]
                weight = [sum_ + together * part for sum_, part in zip(weight, won, strict=True)]
                total += together * 44
    hand = equity([mine, theirs], board).hands[0]
    assert [hand.win, hand.tie, hand.equity] == pytest.approx([float(part / total) for part in weight], abs=1e-12)


def test_exchanging_suits_changes_nothing_but_the_time() -> None:
    whole = equity(["AKs", "QQ", "JTo"])
    parts = [equity([hand, "QQ", "JTo"]) for hand in ("AcKc", "AdKd", "AhKh", "AsKs")]
    assert whole.boards == sum(part.boards for part in parts)
    assert whole.hands[1].equity == pytest.approx(sum(part.hands[1].equity for part in parts) / 4, abs=1e-12)


def test_the_pot_is_always_given_away_whole() -> None:
    for result in (equity(["22+", "AK", "T9s-76s"], "2c7d9h"), equity(["random"] * 9, samples=50_000)):
        assert sum(hand.equity for hand in result.hands) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize(
    ("hands", "board"),
    [
        (["AsKs", "QhQd"], ""),
        (["AsKs", "QhQd", "7c7d"], ""),
        (["AKs:0.25,22", "QQ+"], "Qs7d2c"),
        (["AA,KK:0.1", "AK", "random"], "Ac8d3h9s"),
        (["KK+", "AA,QQ", "AKo"], ""),
        (["random", "T9s"], "Ts9s2d4c"),
        (["AA,KK", "AK", "KQs,QQ", "AQs,JJ"], "2c3dTh"),  # ranges that block each other
        (["AA:0.3,KK", "AK", "KQs:0.7,QQ"], "2c3dTh"),
        (["AsKs,AsQs", "AhKh,AsJs", "random"], "2c3dTh4s"),
        (["40%", "22+,A2+,K5+"], "2c7dThKs"),  # too many ways to list them
    ],
)
def test_samples_agree_with_enumeration(hands: list[str], board: str) -> None:
    exact = equity(hands, board, method=Method.EXACT)
    sampled = equity(hands, board, method=Method.MONTE_CARLO, samples=1_000_000, seed=5)
    for one, other in zip(exact.hands, sampled.hands, strict=True):
        # Four standard deviations of a proportion: one in 16,000, and the seed is fixed.
        reach = 4 * 0.5 / 1_000_000**0.5
        assert abs(one.equity - other.equity) < reach
        assert abs(one.win - other.win) < reach
        assert abs(one.tie - other.tie) < reach


def test_every_card_is_equally_likely_to_be_drawn() -> None:
    """Of the numbers of twelve bits every card has equally many, and after the others the next word decides."""
    drawn = [sampling_kernels.draw_card(np.uint64(0), np.uint64(number), 1, np.uint64(0)) for number in range(1 << 12)]
    assert Counter(int(card) for state, _, _, card in drawn if not state) == dict.fromkeys(range(52), 78)


@pytest.mark.parametrize(
    "hands", [["AA,KK", "AK"], ["AsKs", "KK,QQ", "random", "KQ"], ["AA,AKs", "AA,KK", "AA,QQ"], ["22+", "AsQs"]]
)
def test_ranges_are_dealt_together_in_every_way_that_repeats_no_card(hands: list[str]) -> None:
    arrays = range_arrays(situation(hands), deal_random=True)
    found = [[tuple(arrays.combinations[place].tolist()) for place in row] for row in deals_together(arrays).tolist()]
    known = [each.weights for each in map(parse, hands) if len(each.weights) < 1326]
    expected = [
        [tuple(card.number for card in pair) for pair, weights in zip(deal, known, strict=True) if len(weights) > 1]
        for deal in product(*known)
        if len({card for pair in deal for card in pair}) == 2 * len(deal)
    ]
    assert len(found) == len(expected) > 0
    assert sorted(found) == sorted(expected)


def test_ranges_of_other_weights_or_too_many_ways_are_not_listed() -> None:
    for hands in (["AA:0.5,KK", "QQ"], ["60%", "70%"], ["AsKs", "QhQd"], ["random"] * 3):
        assert not len(deals_together(range_arrays(situation(hands), deal_random=True)))


def test_sampling_is_the_sum_of_blocks_that_depend_on_seed_and_number_alone() -> None:
    case = situation(["AsKs", "QQ+", "random"])
    samples = 2 * BLOCK_SAMPLES + 1000
    last, first, middle = sample_block(case, 9, 2, 1000), sample_block(case, 9, 0), sample_block(case, 9, 1)
    together = summary(case, last + first + middle, samples, 0.0)
    whole = equity(["AsKs", "QQ+", "random"], method=Method.MONTE_CARLO, samples=samples, seed=9)
    assert together.hands == whole.hands
    assert (first != middle).any()
    assert (sample_block(case, 10, 0) != first).any()


def test_a_sampled_interval_holds_the_truth_about_nineteen_times_in_twenty() -> None:
    truth = equity(["AsKs", "QhQd"]).hands[0].equity
    held = 0
    for seed in range(200):
        hand = equity(["AsKs", "QhQd"], method=Method.MONTE_CARLO, samples=2_000, seed=seed).hands[0]
        assert hand.low is not None
        assert hand.high is not None
        held += hand.low <= truth <= hand.high
    assert 180 <= held <= 199


def test_an_interval_never_leaves_the_possible_and_never_closes() -> None:
    assert interval(0.0, 100)[0] == 0.0
    assert interval(0.0, 100)[1] > 0.03
    assert interval(1.0, 100)[0] < 0.97
    assert interval(1.0, 100)[1] == 1.0


def test_every_street_of_a_finished_hand_has_its_equities() -> None:
    streets = street_equities(["AsKs", "QhQd", "7c7d"], "Qs2s3s4c5c", {2: Street.FLOP})
    assert [each.street for each in streets] == [Street.PREFLOP, Street.FLOP, Street.TURN, Street.RIVER]
    assert [text(each.board) for each in streets] == ["", "Qs 2s 3s", "Qs 2s 3s 4c", "Qs 2s 3s 4c 5c"]
    assert streets[0].equities == tuple(hand.equity for hand in equity(["AsKs", "QhQd", "7c7d"]).hands)
    assert streets[1].equities[2] > 0
    turn = equity(["AsKs", "QhQd"], "Qs2s3s4c", dead="7c7d")
    assert streets[2].equities == (turn.hands[0].equity, turn.hands[1].equity, 0.0)
    assert streets[3].equities == (1.0, 0.0, 0.0)


def test_a_hand_that_ended_on_the_flop_has_two_streets_and_a_last_player_has_everything() -> None:
    streets = street_equities(["AsKs", "QhQd"], "Qs2s3s", {0: Street.PREFLOP})
    assert [each.equities for each in streets][1:] == [(0.0, 1.0)]


def test_equities_of_streets_need_known_hands() -> None:
    with pytest.raises(EquityError, match="two cards each"):
        street_equities(["AKs", "QhQd"])


@pytest.mark.parametrize(
    ("hands", "board", "dead", "code", "named"),
    [
        (["AsKs"], "", "", "EQUITY_HAND_COUNT", "not 1"),
        (["AA"] * 11, "", "", "EQUITY_HAND_COUNT", "not 11"),
        (["AsKs", "AsQd"], "", "", "EQUITY_CARD_REPEATED", "As"),
        (["AsKs", "QhQd"], "2c3c4c2c", "", "EQUITY_CARD_REPEATED", "2c"),
        (["AsKs", "QhQd"], "", "Qh", "EQUITY_CARD_REPEATED", "Qh"),
        (["AsKs", "QhQd"], "2c", "", "EQUITY_BOARD_COUNT", "not 1"),
        (["AsKs", "QhQd"], "2c3c4c5c6c7c", "", "EQUITY_BOARD_COUNT", "not 6"),
        (["AsKs", "QhQd"], "2c3c4x", "", "EQUITY_CARD_UNREADABLE", "4x"),
        (["AsKs", "QhQd"], "2c3c4", "", "EQUITY_CARD_UNREADABLE", "4"),
        (["AsKs", "AA"], "AhAdAc", "", "RANGE_EMPTY", "AA"),
        (["AsKs", ""], "", "", "RANGE_EMPTY", "holds no hand"),
        (["AA", "AA", "AA"], "", "", "EQUITY_NO_DEAL", "cannot be dealt together"),
        (["random", "random"], "", text(PACK[:44]), "EQUITY_NO_CARDS_LEFT", "8 cards"),
    ],
)
def test_what_cannot_be_dealt_is_named(hands: list[str], board: str, dead: str, code: str, named: str) -> None:
    with pytest.raises(EquityError, match=named) as caught:
        equity(hands, board, dead)
    assert caught.value.refusal.code == code


@pytest.mark.parametrize(("hands", "board"), [(["AA", "AA", "AA"], ""), (["AA", "AA"], "AsAh2c")])
def test_ranges_that_cannot_be_dealt_together_are_not_sampled(hands: list[str], board: str) -> None:
    with pytest.raises(EquityError, match="cannot be dealt together"):
        equity(hands, board, method=Method.MONTE_CARLO, samples=1_000)


def test_ranges_that_never_fit_are_told_from_slow_ones() -> None:
    pairs = "AA,KK,QQ,JJ"
    with pytest.raises(EquityError, match="overlap so much"):
        equity([pairs] * 9, samples=1_000)


def test_what_is_too_wide_to_enumerate_says_so_only_when_asked() -> None:
    with pytest.raises(EquityError, match="4000000"):
        equity(["random"] * 3, method=Method.EXACT)
    assert equity(["random"] * 3, samples=1_000).method is Method.MONTE_CARLO


@pytest.mark.parametrize(("samples", "seed"), [(0, 0), (-1, 0), (10**30, 0), (1, -1), (1, 2**64)])
def test_samples_and_seed_have_limits(samples: int, seed: int) -> None:
    with pytest.raises(EquityError, match="must be from"):
        equity(["AsKs", "QhQd"], samples=samples, seed=seed)

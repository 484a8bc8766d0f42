"""The fast evaluator: equal to the plain one, right over whole packs, and clear about hands it cannot rank."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from croupier.cards import PACK, cards
from croupier.games.poker.rules import evaluate as plain
from croupier.games.poker.rules.evaluate import LAST_RANK, Category
from croupier.lab.poker.evaluate import census, ranks
from croupier.lab.poker.evaluator_tables import RANK_BITS, rank_counts, rank_keys, tables

SEVEN_CARD_COUNTS = {
    Category.STRAIGHT_FLUSH: 41_584,
    Category.FOUR_OF_A_KIND: 224_848,
    Category.FULL_HOUSE: 3_473_184,
    Category.FLUSH: 4_047_644,
    Category.STRAIGHT: 6_180_020,
    Category.THREE_OF_A_KIND: 6_461_620,
    Category.TWO_PAIR: 31_433_400,
    Category.ONE_PAIR: 58_627_800,
    Category.HIGH_CARD: 23_294_460,
}
FIVE_CARD_COUNTS = {
    Category.STRAIGHT_FLUSH: 40,
    Category.FOUR_OF_A_KIND: 624,
    Category.FULL_HOUSE: 3_744,
    Category.FLUSH: 5_108,
    Category.STRAIGHT: 10_200,
    Category.THREE_OF_A_KIND: 54_912,
    Category.TWO_PAIR: 123_552,
    Category.ONE_PAIR: 1_098_240,
    Category.HIGH_CARD: 1_302_540,
}


def numbers(*hands: str) -> NDArray[np.uint8]:
    return np.array([[card.number for card in cards(hand)] for hand in hands], np.uint8)


def by_category(counts: NDArray[np.int64]) -> dict[Category, int]:
    firsts = [0, *(last + 1 for last in LAST_RANK.values())]
    return {
        kind: int(counts[first : last + 1].sum())
        for first, (kind, last) in zip(firsts, LAST_RANK.items(), strict=False)
    }


def random_hands(count: int, size: int, seed: int) -> NDArray[np.uint8]:
    shuffled = np.random.default_rng(seed).permuted(np.tile(np.arange(52, dtype=np.uint8), (count, 1)), axis=1)
    return shuffled[:, :size]


def test_the_scale_goes_from_the_royal_flush_to_seven_high() -> None:
    assert ranks(numbers("AsKsQsJsTs2c2d", "AcAdAhAsKcKdKh", "Ah2c3d4s5h9cTd", "9c8d7h5s4c3d2h")).tolist() == [
        1,  # the royal flush
        11,  # the best four of a kind, after ten straight flushes
        1609,  # the wheel, the last straight
        7414,
    ]
    assert ranks(numbers("5c4c3c2cAc", "7c5d4h3s2c")).tolist() == [10, 7462]


@pytest.mark.parametrize("size", [5, 6, 7])
def test_a_large_random_sample_ranks_as_the_plain_evaluator_does(size: int) -> None:
    hands = random_hands(150_000, size, seed=size)
    expected = [plain.rank([PACK[number] for number in hand]) for hand in hands]
    assert ranks(hands).tolist() == expected


@given(st.lists(st.integers(0, 51), min_size=5, max_size=7, unique=True), st.sampled_from("cdhs"))
def test_hands_full_of_one_suit_rank_as_the_plain_evaluator_does(hand: list[int], suit: str) -> None:
    suited = [number // 4 * 4 + "cdhs".index(suit) for number in hand]
    mixed = [number if suited.count(there) > 1 else there for number, there in zip(hand, suited, strict=True)]
    if len(set(mixed)) == len(mixed):
        assert ranks(np.array([mixed], np.uint8))[0] == plain.rank([PACK[number] for number in mixed])


def test_all_five_card_hands_fall_into_the_known_categories() -> None:
    hands = np.fromiter((card for hand in combinations(range(52), 5) for card in hand), np.uint8).reshape(-1, 5)
    assert by_category(np.bincount(ranks(hands), minlength=7463)) == FIVE_CARD_COUNTS


def test_all_seven_card_hands_fall_into_the_known_categories() -> None:
    counts = census()
    assert counts.sum() == comb(52, 7) == 133_784_560
    assert by_category(counts) == SEVEN_CARD_COUNTS


@pytest.mark.soak
def test_a_batch_of_every_seven_card_hand_agrees_with_the_census() -> None:
    last_five = np.array(list(combinations(range(52), 5)), np.uint8)
    counts = np.zeros(7463, np.int64)
    for first, second in combinations(range(47), 2):
        rest = last_five[last_five[:, 0] > second]
        start = np.tile(np.array([[first, second]], np.uint8), (len(rest), 1))
        counts += np.bincount(ranks(np.hstack([start, rest])), minlength=7463)
    assert by_category(counts) == SEVEN_CARD_COUNTS
    assert (counts == census()).all()


@pytest.mark.soak
def test_two_million_hands_rank_as_the_plain_evaluator_does() -> None:
    hands = random_hands(2_000_000, 7, seed=7)
    assert ranks(hands).tolist() == [plain.rank([PACK[number] for number in hand]) for hand in hands]


def test_a_seventh_card_never_makes_a_hand_worse_and_the_order_of_cards_never_matters() -> None:
    hands = random_hands(5_000, 7, seed=11)
    assert (ranks(hands) <= ranks(hands[:, :6])).all()
    assert (ranks(hands[:, :6]) <= ranks(hands[:, :5])).all()
    assert (ranks(hands) == ranks(hands[:, ::-1])).all()


@pytest.mark.parametrize("size", [5, 6, 7])
def test_no_two_combinations_of_ranks_share_a_sum_or_a_place(size: int) -> None:
    sums = rank_counts(size) @ rank_keys() % (1 << RANK_BITS)
    assert len(np.unique(sums)) == len(sums)
    assert np.count_nonzero(tables(size).ranks) == len(sums)


def test_no_hands_have_no_ranks() -> None:
    assert ranks(np.zeros((0, 7), np.uint8)).shape == (0,)


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        (np.zeros((1, 7), np.int64), "uint8, not int64"),
        ([[1, 2, 3, 4, 5]], "NumPy array of uint8, not list"),
        (np.zeros((1, 4), np.uint8), r"not \(1, 4\)"),
        (np.zeros(7, np.uint8), r"not \(7,\)"),
        (np.array([[0, 1, 2, 3, 4], [0, 1, 2, 3, 52]], np.uint8), "hand 1 has the card number 52: .* 0 to 51"),
        (np.array([[0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 51, 4, 5, 51]], np.uint8), "hand 1 has As more than once"),
        (np.array([[7, 7, 2, 3, 4, 5]], np.uint8), "hand 0 has 3s more than once"),
    ],
)
def test_a_hand_that_cannot_be_ranked_is_named(hands: NDArray[np.uint8], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ranks(hands)


@pytest.mark.parametrize("size", [5, 6, 7])
def test_no_byte_above_the_last_card_is_taken_for_one(size: int) -> None:
    for place in range(size):
        for number in range(52, 256):
            hands = np.tile(np.arange(size, dtype=np.uint8), (2, 1))
            hands[1, place] = number
            with pytest.raises(ValueError, match=f"hand 1 has the card number {number}:"):
                ranks(hands)


@pytest.mark.parametrize("size", [5, 6, 7])
def test_no_card_can_be_twice_in_a_hand_wherever_it_stands(size: int) -> None:
    for one, other in combinations(range(size), 2):
        for number in range(52):
            hands = np.tile(np.array([card for card in range(52) if card != number][:size], np.uint8), (2, 1))
            hands[1, [one, other]] = number
            with pytest.raises(ValueError, match=f"hand 1 has {PACK[number]} more than once:"):
                ranks(hands)

"""What a hand is worth."""

import itertools
import random
from collections import Counter

import pytest

from croupier.cards import PACK, cards
from croupier.games.poker.rules.evaluate import BEST, LAST_RANK, WORST, Category, best_five, category, rank


@pytest.mark.parametrize(
    ("text", "number", "kind"),
    [
        ("As Ks Qs Js Ts", 1, Category.STRAIGHT_FLUSH),
        ("5d 4d 3d 2d Ad", 10, Category.STRAIGHT_FLUSH),
        ("Ac Ad Ah As Kc", 11, Category.FOUR_OF_A_KIND),
        ("2c 2d 2h 2s 3c", 166, Category.FOUR_OF_A_KIND),
        ("Ac Ad Ah Ks Kc", 167, Category.FULL_HOUSE),
        ("2c 2d 2h 3s 3c", 322, Category.FULL_HOUSE),
        ("Ac Kc Qc Jc 9c", 323, Category.FLUSH),
        ("7h 5h 4h 3h 2h", 1599, Category.FLUSH),
        ("Ac Kd Qc Jc Tc", 1600, Category.STRAIGHT),
        ("5c 4d 3c 2c Ac", 1609, Category.STRAIGHT),
        ("Ac Ad Ah Ks Qc", 1610, Category.THREE_OF_A_KIND),
        ("2c 2d 2h 4s 3c", 2467, Category.THREE_OF_A_KIND),
        ("Ac Ad Kh Ks Qc", 2468, Category.TWO_PAIR),
        ("3c 3d 2h 2s 4c", 3325, Category.TWO_PAIR),
        ("Ac Ad Kh Qs Jc", 3326, Category.ONE_PAIR),
        ("2c 2d 5h 4s 3c", 6185, Category.ONE_PAIR),
        ("Ac Kd Qh Js 9c", 6186, Category.HIGH_CARD),
        ("7c 5d 4h 3s 2c", 7462, Category.HIGH_CARD),
    ],
)
def test_the_best_and_the_worst_hand_of_each_category(text: str, number: int, kind: Category) -> None:
    assert rank(cards(text)) == number
    assert category(number) is kind


def test_all_five_card_hands_have_the_known_counts_and_every_rank_occurs() -> None:
    ranks = Counter(map(rank, itertools.combinations(PACK, 5)))
    assert len(ranks) == WORST
    counts: Counter[Category] = Counter()
    for number, count in ranks.items():
        counts[category(number)] += count
    assert [counts[kind] for kind in Category] == [40, 624, 3744, 5108, 10200, 54912, 123552, 1098240, 1302540]


def test_six_and_seven_cards_are_worth_their_best_five() -> None:
    chance = random.Random(5)
    for _ in range(1500):
        for count in (6, 7):
            hand = chance.sample(PACK, count)
            best = min(itertools.combinations(hand, 5), key=rank)
            assert rank(hand) == rank(best)
            assert rank(best_five(hand)) == rank(best)
            assert set(best_five(hand)) <= set(hand)


@pytest.mark.parametrize(
    ("seven", "five"),
    [
        ("Ah As Kd Kc Qs Qd 2c", "As Ah Kd Kc Qs"),
        ("5h 4s 3d 2c As Kd Kc", "5h 4s 3d 2c As"),
        ("9c 9d 9h 5s 5c 5d 2h", "9h 9d 9c 5s 5d"),
        ("2s 4s 6s 8s Ts Qs Ad", "Qs Ts 8s 6s 4s"),
        ("7c 7d Kh Jh 9s 3s 2d", "7d 7c Kh Jh 9s"),
    ],
)
def test_the_five_cards_stand_in_the_order_in_which_they_count(seven: str, five: str) -> None:
    assert best_five(cards(seven)) == cards(five)


def test_categories_follow_on_each_other_without_a_gap() -> None:
    assert category(BEST) is Category.STRAIGHT_FLUSH
    for kind, following in itertools.pairwise(LAST_RANK):
        assert category(LAST_RANK[kind]) is kind
        assert category(LAST_RANK[kind] + 1) is following

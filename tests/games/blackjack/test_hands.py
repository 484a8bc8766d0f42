"""Values and hands."""

import pytest

from croupier.cards import PACK, cards
from croupier.games.blackjack.rules.hands import POINTS, is_blackjack, is_pair, total


def test_2_to_9_count_themselves_and_ten_jack_queen_king_ten() -> None:
    assert [POINTS[card] for card in cards("2c 3d 4h 5s 6c 7d 8h 9s")] == [2, 3, 4, 5, 6, 7, 8, 9]
    assert {POINTS[card] for card in PACK if card.rank in "TJQK"} == {10}


@pytest.mark.parametrize(
    ("hand", "hard", "soft", "best", "is_soft"),
    [
        ("As 6d", 7, 17, 17, True),
        ("As 6d Th", 17, 27, 17, False),
        ("As Ad", 2, 12, 12, True),
        ("As Ad 9h", 11, 21, 21, True),
        ("As Kd", 11, 21, 21, True),
        ("Th 6s", 16, 16, 16, False),
        ("Th 6s 9c", 25, 25, 25, False),
        ("Ac Ad Ah As 7c", 11, 21, 21, True),
    ],
)
def test_an_ace_counts_1_or_11_the_best_and_the_hand_is_soft_while_it_counts_11(
    hand: str, hard: int, soft: int, best: int, is_soft: bool
) -> None:
    found = total(cards(hand))
    assert (found.hard, found.soft, found.best, found.is_soft) == (hard, soft, best, is_soft)


def test_in_the_classroom_an_ace_always_counts_1() -> None:
    found = total(cards("As Kd"), ace="one")
    assert (found.best, found.is_soft) == (11, False)


def test_blackjack_is_an_ace_and_a_ten_valued_card_and_nothing_else() -> None:
    assert all(is_blackjack(cards(hand)) for hand in ("As Td", "Kc Ah", "Jd Ac", "Qs Ad"))
    assert not any(is_blackjack(cards(hand)) for hand in ("7s 7d 7h", "As 9d Ah", "As 9d", "Ts Jd"))


def test_a_pair_is_two_cards_of_the_same_point_value() -> None:
    assert is_pair(cards("Ts Kd"))
    assert is_pair(cards("8s 8d"))
    assert is_pair(cards("As Ad"))
    assert not is_pair(cards("9s Td"))
    assert not is_pair(cards("8s 8d 8c"))

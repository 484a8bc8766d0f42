"""The shoe that a round draws from."""

import pytest

from croupier.cards import PACK, cards, packs
from croupier.dealing.cut1 import CommittedPack, Context, Contribution
from croupier.dealing.shoe import Shoe
from croupier.dealing.shuffle import shuffle


def test_a_stacked_shoe_deals_what_was_written_down() -> None:
    shoe = Shoe.stacked(cards("As Kd 2c"))
    first, rest = shoe.draw(2)
    assert first == cards("As Kd")
    assert (rest.dealt, rest.left) == (2, 1)
    assert rest.draw(1)[0] == cards("2c")


def test_drawing_leaves_the_shoe_as_it_was() -> None:
    shoe = Shoe.stacked(PACK)
    assert shoe.draw(3)[0] == shoe.draw(3)[0] == PACK[:3]
    assert (shoe.dealt, shoe.left) == (0, 52)


def test_drawing_more_than_is_left_is_a_bug() -> None:
    _, empty = Shoe.stacked(cards("As")).draw(1)
    assert empty.draw(0) == ((), empty)
    with pytest.raises(AssertionError, match="1 cards asked of a shoe with 0"):
        empty.draw(1)


def test_a_shuffled_shoe_deals_in_the_order_of_shuffle_1() -> None:
    shoe = Shoe.shuffled(packs(6), "ab" * 32, "my own seed", 5)
    assert shoe.draw(312)[0] == shuffle(packs(6), "ab" * 32, "my own seed", 5)


def test_a_cut_shoe_deals_in_the_order_of_the_cut_and_opens_only_what_was_dealt() -> None:
    cut = CommittedPack(bytes(32), Context("t", 0, "r"), PACK).cut([Contribution(0)])
    shoe = Shoe.cut(cut)
    with pytest.raises(AssertionError, match="not dealt"):
        shoe.opening(0)
    dealt, shoe = shoe.draw(2)
    assert dealt == cut.order()[:2]
    assert shoe.opening(1) == cut.opening(1)
    with pytest.raises(AssertionError, match="not dealt"):
        shoe.opening(2)


def test_only_a_cut_shoe_has_openings() -> None:
    _, shoe = Shoe.stacked(PACK).draw(1)
    with pytest.raises(AssertionError, match="was cut"):
        shoe.opening(0)


def test_shoes_are_equal_when_they_dealt_and_will_deal_the_same() -> None:
    one, other = Shoe.stacked(PACK), Shoe.stacked(PACK)
    assert one == other
    assert hash(one) == hash(other)
    assert one != one.draw(1)[1]
    assert one != Shoe.stacked(PACK[::-1])

"""Ranges of starting hands: what each way of writing holds, and what is said about words that hold nothing."""

from contextlib import suppress
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import RANKS, cards
from croupier.lab.poker.ranges import Combination, EquityError, parse


def shapes(text: str) -> set[str]:
    """The range as words like AKs, without weights."""
    found = set()
    for high, low in parse(text).weights:
        suits = "" if high.rank == low.rank else "s" if high.suit == low.suit else "o"
        found.add(high.rank + low.rank + suits)
    return found


@pytest.mark.parametrize(
    ("text", "combinations"),
    [("QQ", 6), ("AK", 16), ("AKs", 4), ("AKo", 12), ("AsKs", 1), ("random", 1326), ("QQ+", 18), ("22+", 78)],
)
def test_a_word_holds_the_customary_number_of_combinations(text: str, combinations: int) -> None:
    assert len(parse(text).weights) == combinations


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("QQ+", "QQ KK AA"),
        ("A9s+", "A9s ATs AJs AQs AKs"),
        ("T9s+", "T9s"),
        ("KTo+", "KTo KJo KQo"),
        ("22-55", "22 33 44 55"),
        ("55-22", "22 33 44 55"),
        ("T9s-76s", "T9s 98s 87s 76s"),
        ("76s-T9s", "T9s 98s 87s 76s"),
        ("J9o-86o", "J9o T8o 97o 86o"),
        ("A5s-A2s", "A5s A4s A3s A2s"),
        ("AK-AT", "AKs AKo AQs AQo AJs AJo ATs ATo"),
        ("kas, qq", "AKs QQ"),
        ("QQ+ AKs,AKo", "QQ KK AA AKs AKo"),
    ],
)
def test_plus_and_dash_fill_in_what_lies_between(text: str, expected: str) -> None:
    assert shapes(text) == set(expected.split())


def test_a_weight_holds_for_its_word_and_the_last_word_counts() -> None:
    aces, kings = (tuple(cards(text)) for text in ("AsAh", "KsKh"))
    weights = parse("KK+,AA:0.25").weights
    assert (weights[aces], weights[kings]) == (0.25, 1.0)  # type: ignore[index]  # two cards each


def test_random_is_every_hand_at_one_weight() -> None:
    assert len(parse("random").weights) == comb(52, 2)
    assert set(parse("random:0.3").weights.values()) == {0.3}
    assert set(parse("random,AA:0.5").weights.values()) == {1.0, 0.5}


@given(st.sampled_from(RANKS), st.sampled_from(RANKS), st.sampled_from(["", "s", "o"]))
def test_suited_and_offsuit_make_up_the_whole_and_do_not_meet(one: str, other: str, suits: str) -> None:
    if one == other:
        return
    both = parse(one + other).weights.keys()
    suited, offsuit = parse(one + other + "s").weights.keys(), parse(one + other + "o").weights.keys()
    assert suited | offsuit == both
    assert not suited & offsuit
    assert parse(other + one + suits).weights.keys() == parse(one + other + suits).weights.keys()
    assert all(first.number > second.number for first, second in both)


@pytest.mark.parametrize(
    ("text", "code", "named"),
    [
        ("", "RANGE_EMPTY", "“” holds no hand"),
        (" , ", "RANGE_EMPTY", "“ , ” holds no hand"),
        ("XsKs", "RANGE_UNREADABLE", "XsKs"),
        ("AsKx", "RANGE_UNREADABLE", "AsKx"),
        ("As", "RANGE_UNREADABLE", "As"),
        ("AsKsQs", "RANGE_UNREADABLE", "AsKsQs"),
        ("QQ,AKx", "RANGE_UNREADABLE", "AKx"),
        ("1011", "RANGE_UNREADABLE", "1011"),
        ("QQ++", "RANGE_UNREADABLE", r"QQ\+\+"),
        ("AsKs+", "RANGE_UNREADABLE", r"AsKs\+"),
        ("22-", "RANGE_UNREADABLE", "22-"),
        ("22-33-44", "RANGE_UNREADABLE", "22-33-44"),
        ("QQs", "RANGE_SUITED_PAIR", "QQs"),
        ("AsAs", "EQUITY_CARD_REPEATED", "As"),
        ("T9s-76o", "RANGE_UNEVEN", "T9s-76o"),
        ("T9s-A2s", "RANGE_UNEVEN", "T9s-A2s"),
        ("22-AK", "RANGE_UNEVEN", "22-AK"),
        ("AKs:0", "RANGE_WEIGHT", "AKs:0"),
        ("AKs:1.5", "RANGE_WEIGHT", "AKs:1.5"),
        ("AKs:-1", "RANGE_WEIGHT", "AKs:-1"),
        ("AKs:nan", "RANGE_WEIGHT", "AKs:nan"),
        ("AKs:", "RANGE_WEIGHT", "AKs:"),
        ("AKs:٣", "RANGE_WEIGHT", "AKs:٣"),
    ],
)
def test_a_word_that_is_no_range_is_named(text: str, code: str, named: str) -> None:
    with pytest.raises(EquityError, match=named) as caught:
        parse(text)
    assert caught.value.refusal.code == code


@given(st.text(max_size=12))
def test_any_text_is_a_range_or_an_error_with_a_message(text: str) -> None:
    weights = {}
    with suppress(EquityError):
        weights = parse(text).weights
        assert weights
    assert all(0 < weight <= 1 for weight in weights.values())


def test_a_range_keeps_what_was_written() -> None:
    assert parse(" QQ+,AKs ").written == "QQ+,AKs"
    combination: Combination = next(iter(parse("KsAs").weights))
    assert [str(card) for card in combination] == ["As", "Ks"]

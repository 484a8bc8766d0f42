"""One frozen value with every option; nonsense is refused, naming both options."""

from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.game.refusal import OptionError
from croupier.games.blackjack import CASINO, CLASSROOM, TRAINER, BlackjackRules
from croupier.games.blackjack.rules.config import half, share


@pytest.mark.parametrize(
    ("first", "second", "options"),
    [
        ("original_bets_only", "peek", {"original_bets_only": True}),
        ("resplit_aces", "hands_max", {"resplit_aces": True}),
        ("hit_split_aces", "hands_max", {"hit_split_aces": True, "hands_max": 1}),
        ("insurance", "blackjack_pays", {"blackjack_pays": "none"}),
        ("dealer_hits_soft_17", "ace", {"dealer_hits_soft_17": True, "ace": "one"}),
        ("dealer_hits_soft_17", "dealer_stands_on", {"dealer_hits_soft_17": True, "dealer_stands_on": 16}),
        ("blackjack_pays", "ace", {"ace": "one"}),
        ("peek", "dealer_seat", {"dealer_seat": True}),
        ("bet_min", "bet_max", {"bet_min": 10, "bet_max": 5}),
        ("bet_min", "bet_max", {"bet_min": 0}),
        ("insurance", "bet_max", {"bet_min": 0, "bet_max": 0}),
        ("seats_min", "seats_max", {"seats_min": 3}),
    ],
)
def test_a_combination_that_makes_no_sense_names_both_options(first: str, second: str, options: dict[str, Any]) -> None:
    with pytest.raises(OptionError) as caught:
        BlackjackRules(**options)
    facts = caught.value.refusal.facts
    assert caught.value.refusal.code == "OPTIONS_CLASH"
    assert {facts["first"], facts["second"]} == {first, second}
    assert str(facts["firstValue"]) in str(caught.value)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("decks", 0),
        ("decks", 9),
        ("hands_max", 5),
        ("penetration", 1.0),
        ("blackjack_pays", "3-2"),
        ("blackjack_pays", "3:0"),
        ("blackjack_pays", ":"),
        ("blackjack_pays", "1000:1"),
        ("blackjack_pays", "²:1"),
        ("double", "10"),
        ("surrender", "maybe"),
        ("ace", "eleven"),
        ("seats_max", 8),
        ("bet_max", -1),
    ],
)
def test_an_impossible_value_names_the_option_and_what_is_allowed(option: str, value: Any) -> None:
    with pytest.raises(OptionError) as caught:
        replace(CASINO, **{option: value})
    assert caught.value.refusal.code == "BAD_OPTION"
    assert caught.value.refusal.facts["option"] == option
    assert caught.value.refusal.facts["allowed"]


def test_the_same_errors_come_from_json_with_the_option_named() -> None:
    for text in ('{"decks": 9}', '{"original_bets_only": true}', '{"decks": "six"}', '{"deck": 6}'):
        with pytest.raises(msgspec.ValidationError, match=r"deck|original_bets_only"):
            msgspec.json.decode(text, type=BlackjackRules)


def test_every_option_is_usable_on_its_own() -> None:
    usable = {
        "decks": range(1, 9),
        "dealer_hits_soft_17": [True, False],
        "blackjack_pays": ["3:2", "6:5", "1:1", "2:1", "7:5"],
        "peek": [True, False],
        "double": ["any", "9-11", "no"],
        "double_after_split": [True, False],
        "hands_max": [1, 2, 3, 4],
        "insurance": [True, False],
        "surrender": ["no", "late", "early"],
        "penetration": [0.0, 0.5, 0.95],
        "seats_max": range(1, 8),
        "dealer_stands_on": range(12, 22),
    }
    for option, values in usable.items():
        for value in values:
            assert getattr(replace(CASINO, **{option: value}), option) == value
    for hit, resplit, obo in product([True, False], repeat=3):
        replace(CASINO, hands_max=4, hit_split_aces=hit, resplit_aces=resplit, peek=False, original_bets_only=obo)


def test_the_presets_are_the_three_documents() -> None:
    assert (CASINO.decks, CASINO.blackjack_pays, CASINO.hands_max, CASINO.insurance) == (6, "3:2", 2, True)
    assert (CASINO.dealer_hits_soft_17, CASINO.double, CASINO.double_after_split) == (False, "any", True)
    assert (CASINO.surrender, CASINO.penetration, CASINO.seats_max) == ("no", 0.0, 1)
    assert (TRAINER.decks, TRAINER.blackjack_pays, TRAINER.hands_max) == (6, "1:1", 4)
    assert (TRAINER.surrender, TRAINER.insurance, TRAINER.dealer_hits_soft_17) == ("late", False, False)
    assert (CLASSROOM.decks, CLASSROOM.ace, CLASSROOM.dealer_stands_on, CLASSROOM.bet_max) == (4, "one", 17, 0)
    assert (CLASSROOM.hands_max, CLASSROOM.double, CLASSROOM.insurance) == (1, "no", False)


@given(amount=st.integers(0, 10**12), numerator=st.integers(0, 100), denominator=st.integers(1, 100))
def test_every_fraction_is_rounded_down_to_a_whole_chip(amount: int, numerator: int, denominator: int) -> None:
    found = share(amount, numerator, denominator)
    assert isinstance(found, int)
    assert found * denominator <= amount * numerator < (found + 1) * denominator


def test_3_to_2_of_an_odd_bet_and_half_of_it() -> None:
    assert share(15, 3, 2) == 22
    assert half(15) == 7

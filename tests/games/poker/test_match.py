"""From hand to hand: who is out in which place, statistics, cash tables, options."""

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.cards import PACK
from croupier.game.game import Change, Draw, Over, Step, Turn
from croupier.game.refusal import OptionError, Refusal
from croupier.games.poker import (
    CASH,
    TOURNAMENT,
    AnteFrom,
    Check,
    Fold,
    HoldemRules,
    HoldemSetup,
    Level,
    Mode,
    Muck,
    sit_in,
    sit_out,
    top_up,
)
from croupier.games.poker.rules.events import HandOver, KnockedOut
from tests.games.poker.driving import Table, random_action, stacks

RUNNING = {0: "AsAh", 1: "KsKh", 2: "QsQh", 3: "JsJh"}
DRY = "2c3d5h8s9c"


def test_who_goes_out_in_the_same_hand_is_ranked_by_the_chips_they_began_it_with() -> None:
    table = Table(stacks(1000, 200, 300, 400), RUNNING, DRY, TOURNAMENT).all_in(3).call(0, 1, 2)
    assert table.told(KnockedOut) == [KnockedOut(1, 4), KnockedOut(2, 3), KnockedOut(3, 2)]
    assert table.state.places == (1, 4, 3, 2)
    assert table.told(HandOver)[-1].winner == 0  # type: ignore[union-attr]  # the event asked for
    assert TOURNAMENT.ended(table.state)


def test_equal_stacks_that_go_out_together_share_the_place() -> None:
    table = Table(stacks(1000, 200, 200, 500), RUNNING, DRY, TOURNAMENT).fold(3).all_in(0).call(1, 2)
    assert table.state.places == (0, 3, 3, 0)
    following = table.rules.following(table.state)
    assert following.places == (0, 3, 3, 0)


def test_places_are_kept_through_the_following_hands() -> None:
    table = Table(stacks(1000, 200, 1000), {0: "AsAh", 1: "KsKh"}, DRY, TOURNAMENT).all_in(0).call(1).fold(2)
    following = table.rules.following(table.state)
    after = Table(following, rules=TOURNAMENT).fold(following.button)
    assert after.state.places == (0, 3, 0)


def test_in_a_cash_game_nobody_is_out_for_good() -> None:
    table = Table(stacks(1000, 200), {0: "AsAh", 1: "KsKh"}, DRY, CASH).all_in(0).call(1)
    assert table.told(KnockedOut) == []
    assert not CASH.ended(table.state)
    following = CASH.following(table.state)
    assert following.stacks == (1200, 0)
    assert CASH.opening(following) == Refusal("TOO_FEW_PLAYERS", {"players": 1})
    bought = CASH.amend(following, Change(1, "bought", 500))
    assert isinstance(bought, HoldemSetup)
    assert isinstance(CASH.opening(bought), Step)


def test_statistics_count_hands_wins_vpip_pfr_and_showdowns() -> None:
    table = Table(stacks(1000, 1000, 1000, 1000), RUNNING, DRY).fold(3).raise_to(0, 30).call(1).fold(2)
    table.check(1, 0, 1, 0, 1, 0)
    following = table.rules.following(table.state)
    figures = [(one.hands, one.won, one.vpip, one.pfr, one.showdowns) for one in following.statistics]
    assert figures == [(1, 1, 1, 1, 1), (1, 0, 1, 0, 1), (1, 0, 0, 0, 0), (1, 0, 0, 0, 0)]
    again = Table(following).fold(0, 1, 2)
    after = again.rules.following(again.state)
    assert [one.hands for one in after.statistics] == [2, 2, 2, 2]
    assert after.statistics[3].won == 1


def test_checking_the_big_blind_is_not_voluntary() -> None:
    table = Table(stacks(1000, 1000, 1000)).call(0, 1).check(2)
    assert table.state.entered == (0, 1)


def test_chips_are_bought_between_hands_up_to_the_limit_of_the_table() -> None:
    setup = stacks(300, 1000, 0)
    bought = top_up(CASH, setup, 0, 700)
    assert isinstance(bought, HoldemSetup)
    assert bought.stacks == (1000, 1000, 0)
    assert top_up(CASH, setup, 0, 701) == Refusal("TOP_UP_TOO_BIG", {"low": 1, "high": 700})
    assert top_up(CASH, setup, 0, -1) == Refusal("TOP_UP_TOO_SMALL", {"low": 1, "high": 700})
    assert top_up(CASH, setup, 3, 5) == Refusal("NO_SUCH_SEAT", {"seat": 3, "seats": 3})
    assert top_up(TOURNAMENT, setup, 0, 5) == Refusal("NOT_IN_TOURNAMENT")


def test_who_sits_out_is_not_dealt_in_and_the_button_moves_on() -> None:
    away = sit_out(CASH, stacks(1000, 1000, 1000, button=0), 0)
    assert isinstance(away, HoldemSetup)
    assert (away.sitting_out, away.button) == ((0,), 1)
    table = Table(away)
    assert table.state.order == (2, 1)
    back = sit_in(CASH, away, 0)
    assert isinstance(back, HoldemSetup)
    assert back.sitting_out == ()
    assert Table(back).state.order == (2, 0, 1)
    assert sit_out(TOURNAMENT, back, 0) == Refusal("NOT_IN_TOURNAMENT")


def test_who_does_not_act_in_time_checks_if_that_is_free_and_folds_or_mucks_otherwise() -> None:
    table = Table(stacks(1000, 1000, button=0), {0: "QsQh", 1: "KsKh"}, DRY)
    assert CASH.absent(CASH.menu(table.state, 0)) == Fold()
    table.call(0)
    assert CASH.absent(CASH.menu(table.state, 1)) == Check()
    table.check(1).check(1, 0, 1, 0, 1, 0)
    assert CASH.absent(CASH.menu(table.state, 0)) == Muck()


def test_a_seat_that_leaves_a_cash_table_takes_its_chips_along() -> None:
    left = CASH.amend(stacks(1000, 1000, 700, button=0), Change(0, "left"))
    assert isinstance(left, HoldemSetup)
    assert left.stacks == (0, 1000, 700)
    taken = CASH.amend(left, Change(0, "taken", 400))
    assert isinstance(taken, HoldemSetup)
    assert taken.stacks == (400, 1000, 700)


@pytest.mark.parametrize(
    ("options", "first", "second"),
    [
        ({"small_blind": 20, "big_blind": 10}, "small_blind", "big_blind"),
        ({"stack_chips": 9}, "stack_chips", "big_blind"),
        ({"ante_from": AnteFrom.BIG_BLIND}, "ante", "ante_from"),
        ({"ante": 1, "levels": (Level(5, 10),)}, "ante", "levels"),
        ({"mode": Mode.CASH, "hands_per_level": 10}, "mode", "hands_per_level"),
        ({"mode": Mode.CASH, "levels": (Level(5, 10),)}, "mode", "levels"),
        ({"top_up_to_chips": 2000}, "mode", "top_up_to_chips"),
        ({"mode": Mode.CASH, "top_up_to_chips": 500}, "stack_chips", "top_up_to_chips"),
    ],
)
def test_options_that_make_no_sense_together_are_refused_and_both_named(
    options: dict[str, Any], first: str, second: str
) -> None:
    with pytest.raises(OptionError) as caught:
        HoldemRules(**options)
    refusal = caught.value.refusal
    assert (refusal.code, refusal.facts["first"], refusal.facts["second"]) == ("OPTIONS_CLASH", first, second)


@pytest.mark.parametrize(
    "options", [{"big_blind": 0}, {"ante": -1}, {"hands_per_level": 0}, {"levels": (Level(9, 5),)}]
)
def test_an_option_out_of_range_is_refused_by_name(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError) as caught:
        HoldemRules(**options)
    assert caught.value.refusal.code == "BAD_OPTION"
    assert caught.value.refusal.facts["option"] == next(iter(options))


def test_rules_and_setups_go_through_json_unchanged() -> None:
    rules = HoldemRules(hands_per_level=3, levels=(Level(1, 2), Level(5, 10, 1)))
    assert msgspec.json.decode(msgspec.json.encode(rules), type=HoldemRules) == rules
    setup = rules.setup(6)
    assert msgspec.json.decode(msgspec.json.encode(setup), type=HoldemSetup) == setup


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), seats=st.integers(2, 10), ante=st.sampled_from([0, 2]))
def test_a_tournament_ends_with_all_chips_in_one_seat_and_every_place_given(seed: int, seats: int, ante: int) -> None:
    chance = random.Random(seed)
    rules = HoldemRules(stack_chips=200, ante=ante, hands_per_level=3)
    setup = rules.setup(seats)
    total = 200 * seats
    while True:
        step = rules.opening(setup)
        assert isinstance(step, Step)
        hand = step.state
        pack = chance.sample(PACK, len(PACK))
        while not isinstance(waiting := rules.awaits(hand), Over):
            assert sum(rules.chips(hand)) == total
            if isinstance(waiting, Draw):
                hand = rules.deal(hand, tuple(pack.pop() for _ in range(waiting.count))).state
                continue
            assert isinstance(waiting, Turn)
            after = rules.act(hand, waiting.seats[0], random_action(rules, hand, waiting.seats[0], chance))
            assert isinstance(after, Step)
            hand = after.state
        assert sum(hand.stacks) == total
        assert sum(waiting.payouts) == 0
        if rules.ended(hand):
            break
        setup = rules.following(hand)
    assert sorted(hand.stacks)[-1] == total
    assert min(hand.places) == 1
    assert hand.places.count(1) == 1

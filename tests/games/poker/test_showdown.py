"""Pots, side pots, odd chips, and who shows."""

import pytest

from croupier.game.refusal import OptionError, Refusal
from croupier.games.poker import CASH, TOURNAMENT, AnteFrom, Call, Fold, HoldemRules, Mode, OddChips
from croupier.games.poker.rules.evaluate import Category
from croupier.games.poker.rules.events import (
    BetReturned,
    HandNamed,
    Mucked,
    Pot,
    PotAwarded,
    PotsFormed,
    Shown,
    StreetDealt,
)
from tests.games.poker.driving import Table, stacks


def pots(table: Table) -> tuple[Pot, ...]:
    formed = table.told(PotsFormed)[-1]
    assert isinstance(formed, PotsFormed)
    return formed.pots


def shown(table: Table) -> list[int]:
    return [event.seat for event in table.events if isinstance(event, Shown)]


def test_the_part_of_a_bet_that_nobody_could_call_goes_back_before_the_pots_are_made() -> None:
    table = Table(stacks(1000, 200, button=0), {0: "2c7d", 1: "AsAh"}, "3h4h9s9dJc").all_in(0).call(1)
    assert table.told(BetReturned) == [BetReturned(0, 800)]
    assert pots(table) == (Pot(400, (1, 0)),)
    assert table.state.stacks == (800, 400)


def test_three_stacks_all_in_make_a_main_pot_and_a_side_pot() -> None:
    table = Table(stacks(100, 300, 1000), {0: "AsAh", 1: "KsKh", 2: "QsQh"}, "2c3d5h8s9c")
    table.all_in(0, 1).call(2)
    assert pots(table) == (Pot(300, (1, 2, 0)), Pot(400, (1, 2)))
    assert table.state.stacks == (300, 400, 700)


def test_folded_players_chips_stay_in_the_pots_they_reached() -> None:
    table = Table(stacks(100, 1000, 1000, 1000), {0: "AsAh", 1: "KsKh", 2: "QsQh", 3: "7c2d"}, "2c3d5h8s9c")
    table.raise_to(3, 60).all_in(0).raise_to(1, 300).call(2).fold(3)
    assert pots(table) == (Pot(360, (1, 2, 0)), Pot(400, (1, 2)))
    table.check(1, 2, 1, 2, 1, 2)
    assert table.turn == 2, "the queens are beaten in both pots"
    table.muck(2)
    assert table.state.stacks == (360, 1100, 700, 940)


def test_who_folds_above_a_short_stack_leaves_chips_in_the_side_pot_too() -> None:
    table = Table(stacks(50, 1000, 1000, 1000), {0: "AsAh", 1: "KsKh", 2: "QsQh", 3: "7c2d"}, "2c3d5h8s9c")
    table.raise_to(3, 200).all_in(0).raise_to(1, 600).call(2).fold(3)
    assert pots(table) == (Pot(200, (1, 2, 0)), Pot(150 + 550 * 2, (1, 2)))


def test_each_pot_is_awarded_by_itself() -> None:
    table = Table(stacks(100, 300, 1000), {0: "AsAh", 1: "QsQh", 2: "KsKh"}, "2c3d5h8s9c")
    table.all_in(0, 1).call(2)
    awarded = [
        (event.pot, event.amount, event.winners) for event in table.told(PotAwarded) if isinstance(event, PotAwarded)
    ]
    assert awarded == [(0, 300, (0,)), (1, 400, (2,))]


def test_a_tie_is_split_and_the_odd_chip_goes_left_of_the_button() -> None:
    table = Table(stacks(1000, 1000, 1000, button=2), {0: "AsKh", 1: "AhKs", 2: "7c2d"}, "AcKd9s8s3h")
    table.raise_to(2, 25).call(0).raise_to(1, 65).fold(2).call(0)
    table.check(0, 1, 0, 1, 0, 1)
    assert table.state.stacks == (1013, 1012, 975), "65 + 65 + 25 = 155; seat 0 is left of the button"


@pytest.mark.parametrize(
    ("edition", "odd_chips", "after"),
    [(1, OddChips.FIRST, (12, 10, 10)), (2, OddChips.FIRST, (12, 10, 10)), (2, OddChips.EACH, (11, 11, 10))],
)
def test_odd_chips_go_one_each_from_the_left_of_the_button_or_all_to_the_first(
    edition: int, odd_chips: OddChips, after: tuple[int, ...]
) -> None:
    rules = HoldemRules(edition=edition, odd_chips=odd_chips, mode=Mode.CASH, ante=2, ante_from=AnteFrom.BIG_BLIND)
    hole = {0: "AsKh", 1: "AhKs", 2: "AdKc"}
    table = Table(stacks(10, 12, 10, 1000, button=3), hole, "AcKd9s8s3h", rules).all_in(2).fold(3).call(0)
    assert table.state.stacks == (*after, 1000), "three tens and the ante of two"


def test_the_presets_play_the_newest_edition_and_edition_1_had_no_choice() -> None:
    assert {(rules.edition, rules.odd_chips) for rules in (TOURNAMENT, CASH)} == {(5, OddChips.EACH)}
    with pytest.raises(OptionError):
        HoldemRules(edition=1, odd_chips=OddChips.EACH)


def test_at_an_all_in_showdown_every_hand_is_named() -> None:
    table = Table(stacks(1000, 1000, 1000), {0: "7c2d", 1: "AsAh", 2: "KsKh"}, "2c3d5h8s9c").all_in(0).fold(1).call(2)
    named = {event.seat: event.category for event in table.events if isinstance(event, HandNamed)}
    assert named == {0: Category.ONE_PAIR, 2: Category.ONE_PAIR}
    assert [type(event) for event in table.events].index(HandNamed) > 0


def test_all_live_hands_are_face_up_before_the_board_is_run_out() -> None:
    table = Table(stacks(1000, 1000, 1000), {0: "7c2d", 1: "AsAh", 2: "KsKh"}, "2c3d5h8s9c").all_in(0).fold(1).call(2)
    kinds = [type(event) for event in table.events if isinstance(event, Shown | StreetDealt)]
    assert kinds == [Shown, Shown, StreetDealt, StreetDealt, StreetDealt]
    assert shown(table) == [2, 0]


def test_the_last_aggressor_of_the_river_shows_first() -> None:
    table = Table(stacks(1000, 1000, 1000), {0: "AsAh", 1: "KsKh", 2: "QsQh"}, "2c3d5h8s9c").call(0, 1).check(2)
    table.check(1, 2, 0, 1, 2, 0).check(1).bet(2, 50).call(0, 1)
    assert shown(table) == [2, 0]
    assert table.turn == 1
    table.show(1)
    assert shown(table) == [2, 0, 1]


def test_without_a_bet_on_the_river_the_first_live_seat_left_of_the_button_shows_first() -> None:
    table = Table(stacks(1000, 1000, 1000), {0: "QsQh", 1: "KsKh", 2: "AsAh"}, "2c3d5h8s9c").raise_to(0, 30).call(1, 2)
    table.bet(1, 10).call(2, 0).check(1, 2, 0, 1, 2, 0)
    assert shown(table) == [1, 2]
    table.muck(0)
    assert table.told(Mucked) == [Mucked(0)]
    assert table.is_over


def test_a_beaten_hand_is_asked_to_show_or_muck_and_nothing_else() -> None:
    table = Table(stacks(1000, 1000, button=0), {0: "QsQh", 1: "KsKh"}, "2c3d5h8s9c").call(0).check(1)
    table.check(1, 0, 1, 0, 1, 0)
    assert table.turn == 0
    assert table.menu == {"Show": (0, 0), "Muck": (0, 0)}
    assert table.attempt(0, Call()) == Refusal("SHOW_OR_MUCK")
    assert table.attempt(0, Fold()) == Refusal("SHOW_OR_MUCK")


def test_a_hand_that_ties_must_show() -> None:
    table = Table(stacks(1000, 1000, button=0), {0: "AsKs", 1: "AhKh"}, "2c3d5h8s9c").call(0).check(1)
    table.check(1, 0, 1, 0, 1, 0)
    assert table.is_over
    assert shown(table) == [1, 0]


def test_a_hand_beaten_in_the_main_pot_only_is_shown_for_the_side_pot() -> None:
    table = Table(stacks(100, 1000, 1000), {0: "AsAh", 1: "KsKh", 2: "QsQh"}, "2c3d5h8s9c")
    table.all_in(0).call(1, 2).check(1, 2, 1, 2).bet(1, 50).call(2)
    assert shown(table) == [1]
    assert table.turn == 2


def test_a_player_who_left_mucks_a_beaten_hand() -> None:
    table = Table(stacks(1000, 1000, button=0), {0: "QsQh", 1: "KsKh"}, "2c3d5h8s9c").call(0).check(1)
    table.check(1, 0, 1, 0, 1, 0).leave(0)
    assert table.is_over
    assert table.told(Mucked) == [Mucked(0)]


def test_the_board_plays_and_everybody_splits() -> None:
    table = Table(stacks(1000, 1000, 1000), {0: "2c3d", 1: "2h3h", 2: "2s4d"}, "AsKsQsJsTs").call(0, 1).check(2)
    table.check(1, 2, 0, 1, 2, 0, 1, 2, 0)
    assert table.state.stacks == (1000, 1000, 1000)
    awarded = table.told(PotAwarded)[0]
    assert isinstance(awarded, PotAwarded)
    assert awarded.winners == (1, 2, 0)


def test_who_can_pay_only_a_part_of_the_ante_competes_for_that_part_of_the_others() -> None:
    rules = HoldemRules(mode=Mode.CASH, ante=10)
    table = Table(stacks(2, 1010, 1010), {0: "AsAh", 1: "KsKh", 2: "QsQh"}, "2c3d5h8s9c", rules)
    table.call(1).check(2).check(1, 2, 1, 2, 1, 2).muck(2)
    assert table.state.stacks == (6, 1010 - 20 + 36, 990)


def test_a_big_blind_that_is_all_in_with_its_ante_can_win_only_the_ante() -> None:
    rules = HoldemRules(mode=Mode.CASH, ante=10, ante_from=AnteFrom.BIG_BLIND)
    table = Table(stacks(1000, 1000, 4), {0: "7c2d", 1: "KsKh", 2: "AsAh"}, "2c3d5h8s9c", rules)
    assert (table.state.dead, table.state.bets[2]) == (4, 0)
    table.call(0, 1)
    assert pots(table) == (Pot(4, (1, 2, 0)), Pot(20, (1, 0)))
    table.check(1, 0, 1, 0, 1, 0).muck(0)
    assert table.state.stacks == (990, 1010, 4)


def test_nothing_is_left_to_call_when_the_board_is_run_out() -> None:
    rules = HoldemRules(mode=Mode.CASH, small_blind=0, ante=10, ante_from=AnteFrom.BIG_BLIND)
    table = Table(stacks(1000, 4, button=0), {0: "7c2d", 1: "AsAh"}, "2c3d5h8s9c", rules)
    assert table.is_over, "the big blind is all-in with its ante, and nobody has bet"
    assert rules.view(table.state, None).bet == 0
    assert table.state.stacks == (1000, 4)

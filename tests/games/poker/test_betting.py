"""Legal actions with their limits, and what reopens the betting."""

import pytest

from croupier.game.refusal import Refusal
from croupier.games.poker import AllIn, Bet, Call, Check, Fold, HoldemAction, Muck, Raise, Show
from tests.games.poker.driving import Table, stacks


def refused(table: Table, seat: int, action: HoldemAction) -> Refusal:
    before = table.state
    refusal = table.attempt(seat, action)
    assert isinstance(refusal, Refusal)
    assert table.state is before
    return refusal


def test_the_first_player_may_fold_call_raise_to_twice_the_big_blind_or_go_all_in() -> None:
    table = Table(stacks(1000, 1000, 1000, 1000))
    assert table.menu == {"Fold": (0, 0), "Call": (0, 0), "Raise": (20, 1000), "AllIn": (0, 0)}
    assert table.rules.menu(table.state, 0) == ()


def test_the_big_blind_has_the_option_when_nobody_raised() -> None:
    table = Table(stacks(1000, 1000, 1000)).call(0, 1)
    assert table.turn == 2
    assert table.menu == {"Fold": (0, 0), "Check": (0, 0), "Raise": (20, 1000), "AllIn": (0, 0)}
    table.raise_to(2, 30)
    assert table.turn == 0


def test_the_minimum_bet_is_the_big_blind_and_the_minimum_raise_the_last_full_one() -> None:
    table = Table(stacks(1000, 1000, 1000)).call(0, 1).check(2)
    assert table.menu["Bet"] == (10, 990)
    table.bet(1, 30)
    assert table.menu["Raise"] == (60, 990)
    table.raise_to(2, 100)
    assert table.menu["Raise"] == (170, 990)
    table.call(0, 1)
    assert table.menu["Bet"] == (10, 890), "a new street starts again at the big blind"


def test_a_short_all_in_does_not_reopen_the_betting_for_who_has_acted() -> None:
    table = Table(stacks(1000, 1000, 1000, 160, button=0)).call(3, 0, 1).check(2)
    table.bet(1, 100).call(2).all_in(3)
    assert table.state.bet == 150
    assert table.menu["Raise"] == (250, 990), "the button has not acted yet"
    table.call(0)
    assert table.turn == 1
    assert table.menu == {"Fold": (0, 0), "Call": (0, 0)}
    assert refused(table, 1, Raise(300)).code == "BETTING_NOT_REOPENED"
    assert refused(table, 1, AllIn()) == Refusal("BETTING_NOT_REOPENED", {"toCall": 50})


def test_several_short_all_ins_that_add_up_to_a_full_raise_reopen_it() -> None:
    table = Table(stacks(1000, 1000, 1000, 170, 230, button=0)).call(3, 4, 0, 1).check(2)
    table.bet(1, 100).call(2).all_in(3, 4)
    assert table.state.bet == 220
    table.fold(0)
    assert table.turn == 1
    assert table.menu["Raise"] == (320, 990), "120 more than the bet of 100; the last full bet is still 100"


def test_who_called_the_first_short_all_in_is_not_asked_again_by_the_second_alone() -> None:
    table = Table(stacks(1000, 1000, 1000, 170, 230, button=0)).call(3, 4, 0, 1).check(2)
    table.check(1).bet(2, 100).all_in(3).fold(4).call(0)
    assert table.turn == 1
    assert table.menu["Raise"] == (260, 990), "a check is no answer to a full bet"
    table.call(1)
    assert table.turn == 2
    assert "Raise" not in table.menu


def test_a_full_all_in_raise_reopens_the_betting() -> None:
    table = Table(stacks(1000, 1000, 1000, 310)).call(3, 0, 1).check(2)
    table.bet(1, 100).call(2).all_in(3).fold(0)
    assert table.menu["Raise"] == (500, 990)


def test_an_all_in_below_the_minimum_bet_does_not_reopen_the_betting_after_a_check() -> None:
    table = Table(stacks(1000, 1000, 14, button=0)).call(0, 1).check(2)
    table.check(1).all_in(2)
    assert table.menu["Raise"][0] == 14, "the button has not acted"
    table.call(0)
    assert table.menu == {"Fold": (0, 0), "Call": (0, 0)}


def test_a_stack_below_the_minimum_can_only_go_all_in_beyond_calling() -> None:
    table = Table(stacks(1000, 1000, 1000, 17))
    assert table.menu == {"Fold": (0, 0), "Call": (0, 0), "AllIn": (0, 0)}
    assert refused(table, 3, Raise(17)) == Refusal("ONLY_ALL_IN", {"stack": 17})
    table.all_in(3)
    assert table.state.bet == 17
    assert table.menu["Raise"] == (27, 1000)


def test_a_stack_that_does_not_cover_the_call_may_call_or_go_all_in_and_both_are_the_same() -> None:
    setup = stacks(1000, 1000, 1000, 7)
    called, all_in = Table(setup).call(3), Table(setup).all_in(3)
    assert called.state == all_in.state
    assert called.state.stacks[3] == 0
    assert called.state.bet == 10


def test_nobody_raises_when_nobody_could_call() -> None:
    table = Table(stacks(1000, 200, button=0)).call(0).all_in(1)
    assert table.menu == {"Fold": (0, 0), "Call": (0, 0)}
    assert refused(table, 0, Raise(500)).code == "NOBODY_CAN_CALL"
    assert refused(table, 0, AllIn()).code == "NOBODY_CAN_CALL"


def test_a_street_ends_when_everybody_has_acted_and_matched() -> None:
    table = Table(stacks(1000, 1000, 1000)).raise_to(0, 30).call(1)
    assert table.state.street == "PREFLOP"
    table.call(2)
    assert table.state.street == "FLOP"
    table.check(1).bet(2, 20).fold(0)
    assert table.turn == 1
    table.call(1)
    assert table.state.street == "TURN"


def test_the_last_one_in_takes_the_pot_without_cards_or_showing() -> None:
    table = Table(stacks(1000, 1000, 1000)).raise_to(0, 30).fold(1, 2)
    assert table.is_over
    assert table.state.board == ()
    assert table.state.shown == ()
    assert table.state.stacks == (1015, 995, 990)


@pytest.mark.parametrize(
    ("action", "code", "facts"),
    [
        (Check(), "CANNOT_CHECK", {"toCall": 10}),
        (Bet(50), "BET_ALREADY_MADE", {"bet": 10}),
        (Raise(19), "RAISE_TOO_SMALL", {"low": 20, "high": 1000}),
        (Raise(-1), "RAISE_TOO_SMALL", {"low": 20, "high": 1000}),
        (Raise(1001), "RAISE_TOO_BIG", {"low": 20, "high": 1000}),
        (Raise(10**30), "RAISE_TOO_BIG", {"low": 20, "high": 1000}),
        (Show(), "NOT_SHOWDOWN", {}),
        (Muck(), "NOT_SHOWDOWN", {}),
    ],
)
def test_what_the_first_player_cannot_do_and_why(action: HoldemAction, code: str, facts: dict[str, int]) -> None:
    assert refused(Table(stacks(1000, 1000, 1000)), 0, action) == Refusal(code, {**facts})


@pytest.mark.parametrize(
    ("action", "code", "facts"),
    [
        (Call(), "NOTHING_TO_CALL", {}),
        (Raise(50), "NOTHING_TO_RAISE", {}),
        (Bet(9), "BET_TOO_SMALL", {"low": 10, "high": 990}),
        (Bet(-1), "BET_TOO_SMALL", {"low": 10, "high": 990}),
        (Bet(10**30), "BET_TOO_BIG", {"low": 10, "high": 990}),
    ],
)
def test_what_the_first_player_cannot_do_on_the_flop(action: HoldemAction, code: str, facts: dict[str, int]) -> None:
    table = Table(stacks(1000, 1000, 1000)).call(0, 1).check(2)
    assert refused(table, 1, action) == Refusal(code, {**facts})


def test_nobody_acts_out_of_turn_from_no_seat_or_after_the_end() -> None:
    table = Table(stacks(1000, 1000, 1000))
    assert refused(table, 1, Fold()) == Refusal("NOT_YOUR_TURN", {"turn": 0})
    assert refused(table, 3, Fold()) == Refusal("NO_SUCH_SEAT", {"seat": 3, "seats": 3})
    assert refused(table, -1, Fold()) == Refusal("NO_SUCH_SEAT", {"seat": -1, "seats": 3})
    table.fold(0, 1)
    assert refused(table, 2, Check()) == Refusal("ROUND_OVER")


def test_a_player_who_leaves_in_turn_folds_at_once() -> None:
    table = Table(stacks(1000, 1000, 1000)).leave(0)
    assert table.state.live == (1, 2)
    assert table.turn == 1


def test_a_player_who_leaves_out_of_turn_folds_when_the_turn_comes() -> None:
    table = Table(stacks(1000, 1000, 1000)).leave(2)
    assert table.state.live == (1, 2, 0)
    table.call(0, 1)
    assert table.state.live == (1, 0)
    assert table.state.street == "FLOP"


def test_when_all_but_one_have_left_the_last_one_wins_without_a_turn() -> None:
    table = Table(stacks(1000, 1000, 1000, 1000)).leave(0).leave(1).leave(2)
    table.call(3)
    assert table.is_over
    assert table.state.stacks == (1000, 995, 990, 1015)


def test_an_all_in_player_who_leaves_stays_in_for_the_pot() -> None:
    table = Table(stacks(100, 1000, 1000), {0: "AsAh", 1: "7c2d", 2: "KsKh"}, "AcKd9s8s3h")
    table.all_in(0).leave(0).fold(1).call(2)
    assert table.is_over
    assert table.state.stacks == (205, 995, 900)


def test_a_left_seat_sits_out_in_a_cash_game() -> None:
    table = Table(stacks(1000, 1000, 1000)).leave(0).fold(1)
    following = table.rules.following(table.state)
    assert following.sitting_out == (0,)
    assert following.button == 1

"""What each viewer sees and hears."""

import pytest

from croupier.cards import cards
from croupier.game.game import Step, UnseenCardError, numbers_in
from croupier.game.refusal import Refusal
from croupier.games.poker import CASH
from croupier.games.poker.rules.actions import Muck, Show
from croupier.games.poker.rules.evaluate import Category
from croupier.games.poker.rules.events import HoleCards
from tests.games.poker.driving import Table, stacks

HOLE = {0: "AsAh", 1: "KsKh", 2: "QsQh"}
BOARD = "Ac3d3h8s9c"


def test_a_seat_sees_its_own_cards_and_a_spectator_none() -> None:
    table = Table(stacks(1000, 1000, 1000), HOLE, BOARD)
    own, hidden = CASH.view(table.state, 0), (None, None)
    assert [seat.cards for seat in own.seats] == [cards("AsAh"), hidden, hidden]
    assert [seat.cards for seat in CASH.view(table.state, None).seats] == [hidden] * 3
    assert all(seat.has_cards for seat in own.seats)


def test_shown_hands_are_seen_by_everybody_and_mucked_ones_by_nobody() -> None:
    table = Table(stacks(1000, 1000, 1000), HOLE, BOARD).call(0, 1).check(2)
    table.check(1, 2, 0, 1, 2, 0).check(1, 2).bet(0, 50).call(1).fold(2).muck(1)
    spectator = CASH.view(table.state, None)
    assert [seat.cards for seat in spectator.seats] == [cards("AsAh"), (), ()]
    assert [award.category for award in spectator.awards] == [Category.FULL_HOUSE]


def test_the_viewers_own_hand_has_a_name_once_there_is_a_board() -> None:
    table = Table(stacks(1000, 1000, 1000), HOLE, BOARD)
    assert CASH.view(table.state, 0).own is None
    table.call(0, 1).check(2)
    own = CASH.view(table.state, 0).own
    assert own is not None
    assert (own.category, own.cards) == (Category.FULL_HOUSE, cards("AsAhAc3h3d"))
    assert CASH.view(table.state, None).own is None


def test_pots_bets_and_the_price_of_a_call_are_told() -> None:
    table = Table(stacks(1000, 1000, 1000), HOLE, BOARD).call(0, 1).check(2).bet(1, 50)
    view = CASH.view(table.state, None)
    assert [(pot.amount, pot.seats) for pot in view.pots] == [(30, (1, 2, 0))]
    assert (view.total, view.bet, view.to_act, view.to_call) == (80, 50, (2,), 50)
    assert (view.small_blind, view.big_blind, view.level) == (5, 10, 0)


def test_known_cards_are_the_own_two_and_the_board_and_never_a_burned_one() -> None:
    table = Table(stacks(1000, 1000, 1000), HOLE, BOARD)
    # Dealt from the button's left: seats 1, 2, 0, then again.
    assert numbers_in(CASH.known(table.state, 0)) == (2, 5)
    table.call(0, 1).check(2)
    assert numbers_in(CASH.known(table.state, None)) == (7, 8, 9)
    table.check(1, 2, 0, 1, 2, 0)
    assert numbers_in(CASH.known(table.state, 1)) == (0, 3, 7, 8, 9, 11, 13)


def test_each_player_alone_hears_their_cards() -> None:
    opened = CASH.opening(stacks(1000, 1000, 1000))
    assert isinstance(opened, Step)
    dealt = CASH.deal(opened.state, cards("Ks Qs As Kh Qh Ah"))
    private = {told.event.seat: told.to for told in dealt.told if isinstance(told.event, HoleCards)}
    assert {seat: [viewer for viewer in (0, 1, 2, None) if to.hears(viewer)] for seat, to in private.items()} == {
        0: [0], 1: [1], 2: [2],
    }  # fmt: skip


def test_hole_cards_do_not_leave_the_state_by_printing_it() -> None:
    table = Table(stacks(1000, 1000, 1000), HOLE, BOARD)
    assert "As" not in repr(table.state)


def test_hands_that_a_replay_was_never_shown_can_only_muck() -> None:
    opened = CASH.opening(stacks(1000, 1000, button=0))
    assert isinstance(opened, Step)
    hand = CASH.deal(opened.state, (*cards("Ks"), None, *cards("Kh"), None)).state
    table = Table(stacks(1000, 1000, button=0), HOLE, BOARD)
    table.state = hand
    table.call(0).check(1).check(1, 0, 1, 0, 1, 0)
    assert [offer.action.tag for offer in CASH.menu(table.state, 0)] == ["HOLDEM_MUCK"]
    assert isinstance(table.attempt(0, Show()), Refusal)
    mucked = table.attempt(0, Muck())
    assert isinstance(mucked, Step)
    table.state = mucked.state
    assert table.is_over
    assert table.state.shown == (1,)
    assert table.state.mucked == (0,)
    assert table.state.stacks == (990, 1010)


def test_a_board_card_must_be_known() -> None:
    table = Table(stacks(1000, 1000, button=0), HOLE, BOARD)
    opened = CASH.opening(stacks(1000, 1000, button=0))
    assert isinstance(opened, Step)
    table.state = CASH.deal(opened.state, (None,) * 4).state
    called = table.attempt(0, table.rules.menu(table.state, 0)[1].action)
    assert isinstance(called, Step)
    checked = CASH.act(called.state, 1, CASH.menu(called.state, 1)[1].action)
    assert isinstance(checked, Step)
    with pytest.raises(UnseenCardError):
        CASH.deal(checked.state, (None, None, *cards("AsKs")))

"""At a table where chips can be bought: purchases in and between hands, and sitting out."""

import pytest

from croupier.game.game import Change
from croupier.games.blackjack import PlaceBet
from croupier.table import commands as c
from croupier.table import game_flow
from croupier.table.room import Making
from croupier.table.roomview import MemberView, public
from tests.table.test_room import Play, finish_round, started


def _shown(play: Play, who: str) -> MemberView:
    return next(member for member in public(play.room).members if member.id == who)


def _stack(play: Play, seat: int) -> int:
    return int(play.room.rules.stacks(play.room.setup)[seat])


def _fold_to_the_end(play: Play) -> None:
    while play.room.turn:
        seat = play.room.turn[0]
        member = play.room.seated(seat)
        assert member is not None
        assert play.room.round is not None
        fold = next(each for each in play.room.round.menu(seat) if each.action.__class__.__name__ == "Fold")
        assert play.act(member.id, fold.action) is None


def test_chips_asked_for_in_a_hand_are_booked_for_its_end_and_cut_down_to_what_the_table_allows() -> None:
    play = started("poker", "cash", players=3)
    small = next(each for each in play.room.players if 0 < play.room.round.state.bets[each.seat] < 10)
    assert play.do(small.id, c.PlayerBuyChips(700)) is None
    assert _shown(play, small.id).buying == 700
    _fold_to_the_end(play)
    assert _stack(play, small.seat) == play.room.rules.top_up_limit_chips, "700 were asked for, few were missing"
    assert _shown(play, small.id).buying == 0
    assert sum(play.books.values()) == 0


def test_a_new_booking_replaces_the_old_and_more_than_the_table_allows_is_refused() -> None:
    play = started("poker", "cash", players=3)
    assert play.do("p1", c.PlayerBuyChips(700)) is None
    assert play.do("p1", c.PlayerBuyChips(300)) is None
    assert _shown(play, "p1").buying == 300
    assert play.do("p1", c.PlayerBuyChips(10**6)) == "TOP_UP_TOO_BIG"
    assert _shown(play, "p1").buying == 300


def test_what_is_booked_for_a_stack_that_has_grown_is_not_bought() -> None:
    play = started("poker", "cash", players=2)
    for who in ("ann", "p1"):
        assert play.do(who, c.PlayerBuyChips(5)) is None
    _fold_to_the_end(play)
    limit = play.room.rules.top_up_limit_chips
    assert sorted(_stack(play, seat) for seat in (0, 1)) == [limit, limit + 5]


def test_a_booking_that_the_table_does_not_allow_yet_keeps_nobody_from_coming_and_going() -> None:
    play = started("poker", "cash", players=4)
    assert play.do("p1", c.PlayerBuyChips(play.room.rules.top_up_limit_chips)) is None, "they may lose all they have"
    assert play.do("p1", c.PlayerSitOut()) is None
    assert play.do("p2", c.PlayerSitOut()) is None
    assert play.do("p3", c.PlayerSwitchToSpectator()) is None
    _fold_to_the_end(play)
    assert play.room.setup.sitting_out == (1, 2)
    assert play.room.member("p3").seat is None
    assert _stack(play, 1) == play.room.rules.top_up_limit_chips
    assert sum(play.books.values()) == 0


@pytest.mark.parametrize(("log_format", "is_refused"), [(3, True), (4, False)])
def test_a_log_is_replayed_as_it_was_when_a_booking_kept_others_from_sitting_out(
    log_format: int, is_refused: bool
) -> None:
    play = started("poker", "cash", players=3)
    assert play.do("p1", c.PlayerBuyChips(play.room.rules.top_up_limit_chips)) is None
    making = Making(play.room, 0, b"", log_format=log_format)
    assert (game_flow.amend(making, Change(2, "sat_out")) is not None) is is_refused


@pytest.mark.parametrize("chips", [1, 250])
def test_part_of_what_is_missing_can_be_bought_between_hands(chips: int) -> None:
    play = started("poker", "cash", players=2)
    while True:
        finish_round(play)
        stack = _stack(play, 1)
        if stack < play.room.rules.top_up_limit_chips - 300:
            break
        play.wait()
        if play.room.turn == () and play.room.cutting is None:
            return
    assert play.do("p1", c.PlayerBuyChips(chips)) is None
    assert _stack(play, 1) == stack + chips
    assert _shown(play, "p1").bought == chips, "the hand that is over does not show them yet"
    play.wait()
    play.cut_all()
    assert _shown(play, "p1").bought == 0


def test_sitting_out_in_a_hand_is_shown_until_it_happens() -> None:
    play = started("poker", "cash", players=3)
    assert play.do("p1", c.PlayerSitOut()) is None
    assert _shown(play, "p1").sits_next == "out"
    assert play.do("p1", c.PlayerSitIn()) is None
    assert _shown(play, "p1").sits_next == "in"
    assert play.do("p1", c.PlayerSitOut()) is None
    finish_round(play)
    assert play.room.setup.sitting_out == (1,)
    assert _shown(play, "p1").sits_next == "out", "the hand that is over does not show it yet"
    assert play.do("p1", c.PlayerSitIn()) is None
    assert _shown(play, "p1").sits_next == "in", "between two hands it is answered too"
    play.wait()
    play.cut_all()
    assert _shown(play, "p1").sits_next == ""


def test_who_misses_two_turns_is_sat_out_until_they_say_that_they_are_back() -> None:
    play = started("poker", "cash", players=4)
    missed = "p1"
    for _ in range(60):
        if not play.room.turn:
            play.wait()
            play.cut_all()
        elif play.room.seated(play.room.turn[0]).id == missed:
            play.wait()
        else:
            seat = play.room.turn[0]
            calm = next(each for each in play.room.round.menu(seat) if not each.field)
            assert play.act(play.room.seated(seat).id, calm.action) is None
        if play.room.member(missed).missed >= 2:
            break
    _fold_to_the_end(play)
    assert play.room.setup.sitting_out == (1,)
    play.wait()
    play.cut_all()
    assert 1 not in play.room.round.rules.dealt_in(play.room.round.state)
    assert play.do(missed, c.PlayerSitIn()) is None
    _fold_to_the_end(play)
    play.wait()
    play.cut_all()
    assert 1 in play.room.round.rules.dealt_in(play.room.round.state)


def test_at_a_tournament_nobody_is_sat_out() -> None:
    play = started("poker", "holdem", players=3)
    for _ in range(8):
        play.wait()
        play.cut_all()
    assert play.room.setup.sitting_out == ()


def test_what_waited_for_a_hand_that_is_called_off_is_done_in_the_order_it_was_asked_for() -> None:
    play = Play("blackjack", "trainer", seats=3)
    assert play.do("ann", c.HostStartGame()) is None
    assert play.act("ann", PlaceBet(5)) is None
    assert play.do("p1", c.RoomJoin()) is None
    assert _stack(play, 1) == 0, "a newcomer's chips come after the hand"
    play.wait()
    assert play.room.round is None, "nobody has cut"
    brought = _stack(play, 1)
    assert brought > 0
    assert play.do("p1", c.PlayerBuyChips(100)) is None
    assert _stack(play, 1) == brought + 100
    assert [(change.kind, change.seat) for change in play.room.since] == [("taken", 1), ("bought", 1)]
    assert sum(play.books.values()) == 0

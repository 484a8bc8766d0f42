"""A turn: what may be played, what is refused and why, and what follows."""

import pytest

from croupier.game.game import Draw, Turn
from croupier.game.refusal import Refusal
from croupier.games.sequence import HOUSE
from croupier.games.sequence.rules.actions import ExchangeDeadCard, asked
from croupier.games.sequence.rules.board import cells_in
from croupier.games.sequence.rules.events import CardDrawn, TurnPlayed
from croupier.games.sequence.rules.state import Phase
from tests.games.sequence.play import acted, all_actions, cards, events, normal, position, refused, remove, turn, wild

ROW_OF_B = (31, 32, 33, 34, 35)


def test_nobody_plays_once_the_game_has_ended() -> None:
    state = position("spade_2_1", "", phase=Phase.OVER)
    assert refused(state, normal("spade_2_1", 1)) == Refusal("ROUND_OVER")


def test_nobody_plays_out_of_turn() -> None:
    state = position("spade_2_1", "spade_3_1")
    assert HOUSE.menu(state, 1) == ()
    assert refused(state, normal("spade_3_1", 2), seat=1) == Refusal("NOT_YOUR_TURN", {"turn": 0})


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_seat_that_is_not_at_the_table_cannot_play(seat: int) -> None:
    state = position("spade_2_1", "spade_3_1")
    assert refused(state, normal("spade_2_1", 1), seat=seat) == Refusal("NO_SUCH_SEAT", {"seat": seat, "seats": 2})


@pytest.mark.parametrize("card", ["spade_2_2", "spade_3_1", "joker", ""])
def test_the_card_must_be_in_the_hand(card: str) -> None:
    state = position("spade_2_1", "spade_3_1")
    assert refused(state, normal(card, 1)) == Refusal("CARD_NOT_IN_HAND", {"card": card})


def test_a_normal_card_puts_a_chip_on_its_cell() -> None:
    after = turn(position("spade_2_1", "spade_3_1"), normal("spade_2_1", 86))
    assert HOUSE.view(after, None).chips_by_cell == {86: "A"}


@pytest.mark.parametrize("cell", [-1, 2, 100])
def test_the_target_must_carry_the_card(cell: int) -> None:
    facts = {"card": "spade_2_1", "cell": cell, "cells": (1, 86)}
    assert refused(position("spade_2_1", ""), normal("spade_2_1", cell)) == Refusal("WRONG_CELL", facts)


@pytest.mark.parametrize("team", ["A", "B"])
def test_the_target_must_be_empty(team: str) -> None:
    state = position("spade_2_1", "", chips={team: (1,)})
    assert refused(state, normal("spade_2_1", 1)) == Refusal("CELL_TAKEN", {"cell": 1})
    (offer,) = HOUSE.menu(state, 0)
    assert offer.among == (86,)


@pytest.mark.parametrize("suit", ["clover", "diamond", "heart", "spade"])
def test_a_two_eyed_jack_takes_any_empty_cell_corners_included(suit: str) -> None:
    state = position(f"{suit}_j_2", "spade_3_1", chips={"A": (11,), "B": (12,)})
    (offer,) = HOUSE.menu(state, 0)
    assert offer.among == tuple(cell for cell in range(100) if cell not in (11, 12))
    assert HOUSE.view(turn(state, wild(f"{suit}_j_2", 99)), None).chips_by_cell[99] == "A"


@pytest.mark.parametrize("cell", [11, 12])
def test_a_two_eyed_jack_takes_no_occupied_cell(cell: int) -> None:
    state = position("heart_j_2", "", chips={"A": (11,), "B": (12,)})
    assert refused(state, wild("heart_j_2", cell)) == Refusal("CELL_TAKEN", {"cell": cell})


@pytest.mark.parametrize("suit", ["clover", "diamond", "heart", "spade"])
def test_a_one_eyed_jack_takes_an_opponents_chip_away(suit: str) -> None:
    state = position(f"{suit}_j_1", "spade_3_1", chips={"A": (11,), "B": (12, 0)})
    (offer,) = HOUSE.menu(state, 0)
    assert (offer.field, offer.among) == ("removeCellId", (0, 12))
    assert HOUSE.view(turn(state, remove(f"{suit}_j_1", 12)), None).chips_by_cell == {11: "A", 0: "B"}


@pytest.mark.parametrize("cell", [11, 13])
def test_a_one_eyed_jack_takes_neither_an_own_chip_nor_an_empty_cell(cell: int) -> None:
    state = position("heart_j_1", "", chips={"A": (11,), "B": (12,)})
    assert refused(state, remove("heart_j_1", cell)) == Refusal("NOT_OPPONENT_CHIP", {"cell": cell})


def test_a_chip_in_a_completed_sequence_can_never_be_removed() -> None:
    state = position("heart_j_1", "", chips={"B": (36,)}, sequences={"B": [ROW_OF_B]})
    (offer,) = HOUSE.menu(state, 0)
    assert offer.among == (36,)
    for cell in ROW_OF_B:
        assert refused(state, remove("heart_j_1", cell)) == Refusal("CHIP_PROTECTED", {"cell": cell})


@pytest.mark.parametrize("cell", [-1, 100, 10**9])
def test_a_jack_cannot_leave_the_board(cell: int) -> None:
    state = position("heart_j_1 heart_j_2", "", chips={"B": (36,)})
    refusal = Refusal("NO_SUCH_CELL", {"cell": cell, "low": 0, "high": 99})
    assert refused(state, wild("heart_j_2", cell)) == refusal
    assert refused(state, remove("heart_j_1", cell)) == refusal


def test_a_jack_is_played_as_what_its_variant_says() -> None:
    state = position("spade_j_1 spade_j_2 spade_2_1", "", chips={"B": (36,)})
    wanted = {"card": "spade_j_1", "action": "TURN_PLAY_JACK_REMOVE"}
    assert refused(state, normal("spade_j_1", 1)) == Refusal("JACK_NEEDS_OWN_ACTION", wanted)
    wanted = {"card": "spade_j_2", "action": "TURN_PLAY_JACK_WILD"}
    assert refused(state, normal("spade_j_2", 1)) == Refusal("JACK_NEEDS_OWN_ACTION", wanted)
    for card in ("spade_j_1", "spade_2_1"):
        assert refused(state, wild(card, 1)) == Refusal("NOT_A_WILD_JACK", {"card": card})
    for card in ("spade_j_2", "spade_2_1"):
        assert refused(state, remove(card, 36)) == Refusal("NOT_A_REMOVE_JACK", {"card": card})


class TestTheCellJustCleared:
    """Cell 12 carries 4C, and B's chip there is taken away by seat 0."""

    @staticmethod
    def cleared(*others: str) -> object:
        state = position("heart_j_1 spade_7_1 spade_9_1", *others, chips={"B": (12,)})
        return turn(state, remove("heart_j_1", 12))

    def test_the_very_next_player_may_not_take_it_with_a_wild_jack(self) -> None:
        state = self.cleared("heart_j_2")
        assert HOUSE.view(state, None).cleared_cell_id == 12
        assert refused(state, wild("heart_j_2", 12)) == Refusal("CELL_JUST_CLEARED", {"cell": 12})
        (offer,) = HOUSE.menu(state, 1)
        assert offer.among == tuple(cell for cell in range(100) if cell != 12)

    def test_the_very_next_player_may_take_it_with_its_card(self) -> None:
        after = turn(self.cleared("clover_4_1"), normal("clover_4_1", 12))
        assert HOUSE.view(after, None).chips_by_cell == {12: "B"}

    def test_the_player_after_that_may_take_it_with_a_wild_jack(self) -> None:
        state = turn(self.cleared("spade_3_1", "heart_j_2", ""), normal("spade_3_1", 2))
        assert state.seat == 2
        assert HOUSE.view(state, None).cleared_cell_id is None
        assert HOUSE.view(turn(state, wild("heart_j_2", 12)), None).chips_by_cell[12] == "A"

    def test_the_bar_is_over_when_the_very_next_player_passes(self) -> None:
        # Seat 1 holds a one-eyed jack only, and there is no chip of team A to remove.
        state = self.cleared("diamond_j_1", "heart_j_2", "")
        assert state.seat == 2
        assert HOUSE.view(turn(state, wild("heart_j_2", 12)), None).chips_by_cell[12] == "A"

    def test_a_second_one_eyed_jack_moves_the_bar(self) -> None:
        state = position("heart_j_1 spade_7_1", "spade_j_1", "heart_j_2", "", chips={"A": (50,), "B": (12,)})
        state = turn(turn(state, remove("heart_j_1", 12)), remove("spade_j_1", 50))
        (offer,) = HOUSE.menu(state, 2)
        assert offer.among == tuple(cell for cell in range(100) if cell != 50)


class TestADeadCard:
    """2S stands on the cells 1 and 86."""

    state = position("spade_2_1 spade_3_1", "spade_4_1", chips={"A": (1,), "B": (86,)})

    def test_is_one_whose_two_cells_are_both_taken(self) -> None:
        assert HOUSE.view(self.state, 0).private.dead_cards == ("spade_2_1",)
        assert HOUSE.view(position("spade_2_1", "", chips={"A": (1,)}), 0).private.dead_cards == ()

    def test_is_never_a_jack(self) -> None:
        full = position("heart_j_1 heart_j_2", "", chips={"A": range(100)})
        assert HOUSE.view(full, 0).private.dead_cards == ()

    def test_cannot_be_played(self) -> None:
        assert [offer.action.card_id for offer in HOUSE.menu(self.state, 0)] == ["spade_3_1"]
        for cell in (1, 86):
            refusal = Refusal("DEAD_CARD", {"card": "spade_2_1", "cells": (1, 86)})
            assert refused(self.state, normal("spade_2_1", cell)) == refusal

    def test_stays_in_the_hand(self) -> None:
        after = turn(self.state, normal("spade_3_1", 2))
        assert HOUSE.view(after, 0).private.hand == cards("spade_2_1 clover_7_1")

    def test_is_not_exchanged(self) -> None:
        refusal = Refusal("NO_EXCHANGE", {"card": "spade_2_1"})
        assert refused(self.state, ExchangeDeadCard("spade_2_1")) == refusal

    def test_comes_alive_when_a_one_eyed_jack_clears_its_cell(self) -> None:
        state = position("spade_2_1 heart_j_1", "spade_4_1", chips={"A": (1,), "B": (86,)})
        after = turn(state, remove("heart_j_1", 86))
        assert HOUSE.view(after, 0).private.dead_cards == ()


class TestAfterAPlay:
    state = position("spade_2_1 heart_9_1", "spade_3_1 heart_8_1", turn_number=7)

    def test_the_card_lies_on_that_seats_discard_pile(self) -> None:
        after = turn(turn(self.state, normal("spade_2_1", 1)), normal("spade_3_1", 2))
        assert HOUSE.view(after, None).discard_top_by_seat == ("spade_2_1", "spade_3_1")
        after = turn(after, normal("heart_9_1", 28))
        assert HOUSE.view(after, None).discard_top_by_seat == ("heart_9_1", "spade_3_1")

    def test_one_card_is_drawn(self) -> None:
        step = acted(self.state, normal("spade_2_1", 1))
        assert HOUSE.awaits(step.state) == Draw(("draw:0:0",))
        after = HOUSE.deal(step.state, cards("diamond_5_2"))
        assert HOUSE.view(after.state, 0).private.hand == cards("heart_9_1 diamond_5_2")
        assert HOUSE.view(after.state, None).pack_left == 49

    def test_the_card_drawn_is_told_to_its_player_only(self) -> None:
        step = HOUSE.deal(acted(self.state, normal("spade_2_1", 1)).state, cards("diamond_5_2"))
        assert events(step) == [CardDrawn(0, "diamond_5_2", 2)]
        assert [viewer for viewer in (0, 1, None) if step.told[0].to.hears(viewer)] == [0]

    def test_the_turn_number_rises_by_one_and_the_next_seat_plays(self) -> None:
        after = turn(self.state, normal("spade_2_1", 1))
        assert HOUSE.view(after, None).turn_number == 8
        assert HOUSE.view(after, None).current_seat == 1
        assert HOUSE.awaits(after) == Turn((1,))

    def test_the_last_seat_is_followed_by_the_first(self) -> None:
        after = turn(turn(self.state, normal("spade_2_1", 1)), normal("spade_3_1", 2))
        assert HOUSE.awaits(after) == Turn((0,))

    def test_the_hand_version_of_the_player_rises_by_one(self) -> None:
        after = turn(self.state, normal("spade_2_1", 1))
        assert [HOUSE.view(after, seat).private.hand_version for seat in (0, 1)] == [2, 1]

    def test_the_last_action_is_noted(self) -> None:
        last = HOUSE.view(turn(self.state, normal("spade_2_1", 1)), None).last_action
        assert (last.seat, last.type, last.card_id, last.cell_id) == (0, "TURN_PLAY_NORMAL", "spade_2_1", 1)
        assert last.turn_number == 7

    def test_the_turn_is_told_to_everyone_with_card_and_cell(self) -> None:
        step = acted(self.state, normal("spade_2_1", 1))
        assert events(step) == [TurnPlayed(7, 0, asked(normal("spade_2_1", 1)))]
        assert all(step.told[0].to.hears(viewer) for viewer in (0, 1, None))

    def test_nobody_can_act_before_the_card_is_drawn(self) -> None:
        state = acted(self.state, normal("spade_2_1", 1)).state
        assert [HOUSE.menu(state, seat) for seat in (0, 1)] == [(), ()]
        assert refused(state, normal("heart_9_1", 28)).code == "NOT_YOUR_TURN"


def test_every_action_of_a_full_hand_is_offered_once() -> None:
    hand = "spade_2_1 spade_2_2 heart_j_1 heart_j_2"
    actions = all_actions(HOUSE.menu(position(hand, "", chips={"B": (1, 50)}), 0))
    assert len(actions) == len(set(actions)) == 1 + 1 + 2 + 98


def test_a_removed_chip_leaves_the_others_where_they_are() -> None:
    state = position("heart_j_1", "spade_3_1", chips={"A": (10, 20), "B": (30, 40)})
    assert [cells_in(chips) for chips in turn(state, remove("heart_j_1", 30)).chips] == [(10, 20), (40,)]

"""The classic game: free corners, dead cards exchanged, two or three teams."""

import pytest

from croupier.game.game import Draw, Over, Turn
from croupier.game.refusal import Refusal
from croupier.games.sequence import CLASSIC, SequenceSetup
from croupier.games.sequence.rules.actions import ExchangeDeadCard
from croupier.games.sequence.rules.events import CardDrawn, DeadCardExchanged, Passed
from croupier.games.sequence.rules.state import State
from tests.games.sequence.play import (
    acted,
    cards,
    events,
    normal,
    opened,
    position,
    refused,
    remove,
    turn,
    wild,
)

DEAD = {"A": (1, 2), "B": (86, 85)}
"""Chips on both cells of 2S and of 3S."""


def exchanged(state: State, card: str, draw: str) -> State:
    return turn(state, ExchangeDeadCard(card), draw=draw, rules=CLASSIC)


class TestAFreeCorner:
    def test_counts_for_every_team(self) -> None:
        for seat, team in ((0, "A"), (1, "B")):
            state = position("spade_5_1", "spade_5_2", chips={team: (1, 2, 3)}, seat=seat)
            card = ("spade_5_1", "spade_5_2")[seat]
            completed = acted(state, normal(card, 4), CLASSIC).state.completed
            assert [done.line.cells for done in completed] == [(0, 1, 2, 3, 4)]

    def test_counts_for_two_sequences_of_one_team(self) -> None:
        state = position("clover_9_1", "", chips={"A": (10, 20, 30)}, sequences={"A": [(0, 1, 2, 3, 4)]})
        assert CLASSIC.awaits(acted(state, normal("clover_9_1", 40), CLASSIC).state) == Over((1, -1))

    @pytest.mark.parametrize("corner", [0, 9, 90, 99])
    def test_never_takes_a_chip(self, corner: int) -> None:
        state = position("diamond_j_2", "")
        (offer,) = CLASSIC.menu(state, 0)
        assert len(offer.among) == 96
        assert refused(state, wild("diamond_j_2", corner), CLASSIC) == Refusal("CORNER_IS_FREE", {"cell": corner})

    def test_cannot_be_removed(self) -> None:
        state = position("heart_j_1", "", chips={"B": (50,)})
        assert refused(state, remove("heart_j_1", 0), CLASSIC) == Refusal("NOT_OPPONENT_CHIP", {"cell": 0})

    def test_does_not_make_three_chips_a_sequence(self) -> None:
        state = position("spade_4_1", "", chips={"A": (1, 2)})
        assert acted(state, normal("spade_4_1", 3), CLASSIC).state.completed == ()


class TestADeadCard:
    state = position("spade_2_1 spade_3_1 heart_9_1", "heart_8_1", chips=DEAD, turn_number=5)

    def test_may_be_exchanged_before_playing(self) -> None:
        step = acted(self.state, ExchangeDeadCard("spade_2_1"), CLASSIC)
        assert events(step) == [DeadCardExchanged(5, 0, "spade_2_1")]
        assert step.told[0].to.hears(None)
        assert CLASSIC.awaits(step.state) == Draw(("draw:0:0",))
        after = CLASSIC.deal(step.state, cards("heart_7_1"))
        assert events(after) == [CardDrawn(0, "heart_7_1", 2)]
        assert CLASSIC.view(after.state, 0).private.hand == cards("spade_3_1 heart_9_1 heart_7_1")

    def test_goes_to_the_discard_pile(self) -> None:
        after = exchanged(self.state, "spade_2_1", "heart_7_1")
        assert CLASSIC.view(after, None).discard_top_by_seat == ("spade_2_1", None)
        assert after.discards == cards("spade_2_1")
        last = CLASSIC.view(after, None).last_action
        assert (last.type, last.card_id, last.cell_id) == ("TURN_EXCHANGE_DEAD_CARD", "spade_2_1", None)

    def test_does_not_end_the_turn(self) -> None:
        after = exchanged(self.state, "spade_2_1", "heart_7_1")
        assert CLASSIC.awaits(after) == Turn((0,))
        assert after.turn_number == 5
        after = turn(after, normal("heart_7_1", 48), rules=CLASSIC)
        assert (after.seat, after.turn_number) == (1, 6)

    def test_is_exchanged_once_a_turn(self) -> None:
        after = exchanged(self.state, "spade_2_1", "heart_7_1")
        refusal = Refusal("ALREADY_EXCHANGED", {"card": "spade_3_1"})
        assert refused(after, ExchangeDeadCard("spade_3_1"), CLASSIC) == refusal

    def test_may_be_exchanged_again_on_the_next_turn(self) -> None:
        after = exchanged(self.state, "spade_2_1", "heart_7_1")
        after = turn(after, normal("heart_7_1", 48), rules=CLASSIC)
        after = turn(after, normal("heart_8_1", 38), rules=CLASSIC)
        assert ExchangeDeadCard("spade_3_1") in [offer.action for offer in CLASSIC.menu(after, 0)]

    @pytest.mark.parametrize("card", ["heart_9_1", "heart_j_1"])
    def test_must_be_dead(self, card: str) -> None:
        state = position("spade_2_1 heart_9_1 heart_j_1", "heart_8_1")
        assert refused(state, ExchangeDeadCard(card), CLASSIC) == Refusal("CARD_NOT_DEAD", {"card": card})

    def test_need_not_be_exchanged(self) -> None:
        assert turn(self.state, normal("heart_9_1", 28), rules=CLASSIC).seat == 1

    def test_cannot_be_played(self) -> None:
        assert refused(self.state, normal("spade_2_1", 1), CLASSIC).code == "DEAD_CARD"

    def test_is_exchanged_from_a_new_pack_when_the_pack_is_empty(self) -> None:
        state = position("spade_2_1 heart_9_1", "heart_8_1", chips=DEAD, pack_left=0, discards=cards("heart_k_1"))
        step = acted(state, ExchangeDeadCard("spade_2_1"), CLASSIC)
        assert CLASSIC.awaits(step.state) == Draw(("draw:0:0",), cards("heart_k_1 spade_2_1"))


def test_a_player_who_can_only_exchange_is_not_passed_over() -> None:
    state = position("heart_9_1", "spade_2_1", chips=DEAD)
    after = turn(state, normal("heart_9_1", 28), rules=CLASSIC)
    assert CLASSIC.awaits(after) == Turn((1,))


def test_a_player_passes_when_the_exchanged_card_cannot_be_played_either() -> None:
    state = position("spade_2_1", "heart_8_1", chips=DEAD)
    step = CLASSIC.deal(acted(state, ExchangeDeadCard("spade_2_1"), CLASSIC).state, cards("spade_3_1"))
    assert events(step)[-1] == Passed(1, 0)
    assert CLASSIC.awaits(step.state) == Turn((1,))


def test_a_pass_after_an_exchange_does_not_count_towards_the_draw() -> None:
    # Seat 1 holds a one-eyed jack only, and all of team A's chips are in a sequence.
    state = position("spade_2_1", "heart_j_1", chips={"B": (86, 85)}, sequences={"A": [(0, 1, 2, 3, 4)]})
    after = exchanged(state, "spade_2_1", "spade_3_1")
    assert CLASSIC.awaits(after) == Turn((0,))
    assert ExchangeDeadCard("spade_3_1") in [offer.action for offer in CLASSIC.menu(after, 0)]


def test_the_cell_just_cleared_may_be_taken_at_once() -> None:
    state = position("heart_j_1", "diamond_j_2", chips={"B": (12,)})
    after = turn(state, remove("heart_j_1", 12), rules=CLASSIC)
    assert 12 in CLASSIC.menu(after, 1)[0].among


@pytest.mark.parametrize(("seats", "hand_size"), [(3, 6), (6, 5), (9, 4), (12, 3)])
def test_three_teams_sit_alternately(seats: int, hand_size: int) -> None:
    state = opened(CLASSIC, SequenceSetup(seats=seats, teams=3)).state
    assert CLASSIC.view(state, None).team_by_seat == ("A", "B", "C") * (seats // 3)
    assert CLASSIC.awaits(state).count == seats * hand_size


def test_numbers_that_make_no_two_teams_play_as_three() -> None:
    teams = {seats: CLASSIC.setup(seats).teams for seats in (2, 3, 4, 6, 8, 9, 10, 12)}
    assert teams == {2: 2, 3: 3, 4: 2, 6: 2, 8: 2, 9: 3, 10: 2, 12: 2}


@pytest.mark.parametrize("seats", [5, 7, 11])
def test_numbers_that_make_no_equal_teams_are_refused(seats: int) -> None:
    refusal = CLASSIC.opening(CLASSIC.setup(seats))
    assert refusal == Refusal("TEAMS_NOT_EQUAL", {"seats": seats, "teams": 2, "allowed": (2, 4, 6, 8, 10, 12)})


def test_three_teams_win_with_one_sequence() -> None:
    state = position("spade_5_1", "", "", chips={"A": (1, 2, 3)}, teams=3)
    after = turn(state, normal("spade_5_1", 4), rules=CLASSIC)
    assert CLASSIC.awaits(after) == Over((2, -1, -1))


def test_two_teams_win_with_two_sequences() -> None:
    state = position("spade_5_1", "spade_6_1", chips={"A": (1, 2, 3)})
    after = turn(state, normal("spade_5_1", 4), rules=CLASSIC)
    assert CLASSIC.awaits(after) == Turn((1,))


def test_a_one_eyed_jack_takes_a_chip_of_either_other_team() -> None:
    state = position("heart_j_1", "", "", chips={"A": (50,), "B": (51,), "C": (52,)}, teams=3)
    assert CLASSIC.menu(state, 0)[0].among == (51, 52)

"""Passes, draws and the empty pack."""

from croupier.game.game import Draw, Over, Turn
from croupier.games.sequence import HOUSE
from croupier.games.sequence.rules.board import CELL_COUNT
from croupier.games.sequence.rules.cards import PACK, in_pack_order
from croupier.games.sequence.rules.events import CardDrawn, GameEnded, HandsDealt, PackReshuffled, Passed, TurnPlayed
from croupier.games.sequence.rules.state import Phase
from tests.games.sequence.play import acted, cards, events, normal, opened, position, remove, shown, turn, wild

DEAD = {"A": (1, 2), "B": (86, 85)}
"""Chips on both cells of 2S and of 3S."""


def test_a_player_with_no_playable_card_passes() -> None:
    state = position("heart_9_1", "spade_2_1 spade_3_1", "heart_8_1", "", chips=DEAD)
    after = turn(state, normal("heart_9_1", 28))
    assert HOUSE.awaits(after) == Turn((2,))


def test_a_pass_is_made_by_the_table_and_is_an_event() -> None:
    state = position("heart_9_1", "spade_2_1", "heart_8_1", "", chips=DEAD, turn_number=4)
    step = HOUSE.deal(acted(state, normal("heart_9_1", 28)).state, cards("heart_7_1"))
    assert events(step) == [CardDrawn(0, "heart_7_1", 2), Passed(5, 1)]
    assert all(step.told[1].to.hears(viewer) for viewer in (0, 1, 2, 3, None))
    assert step.state.turn_number == 6


def test_a_pass_draws_no_card_and_keeps_the_hand() -> None:
    state = position("heart_9_1", "spade_2_1", "heart_8_1", "", chips=DEAD)
    after = turn(state, normal("heart_9_1", 28))
    assert HOUSE.view(after, 1).private == HOUSE.view(state, 1).private
    assert after.pack_left == state.pack_left - 1


def test_one_eyed_jacks_without_a_chip_to_remove_make_the_first_player_pass() -> None:
    state = opened(HOUSE, HOUSE.setup(12)).state
    jacks = cards("heart_j_1 spade_j_1 clover_j_1")
    others = [card for card in PACK if card not in jacks][:33]
    hands = tuple(jacks[place // 12] if place % 12 == 0 else others.pop() for place in range(36))
    step = HOUSE.deal(state, hands)
    assert events(step)[0] == HandsDealt(0, 3, 68)
    assert events(step)[-1] == Passed(1, 0)
    assert HOUSE.awaits(step.state) == Turn((1,))


def test_when_every_player_passes_in_turn_and_the_pack_is_empty_the_game_is_a_draw() -> None:
    state = position("heart_9_1", "spade_2_1", chips=DEAD, pack_left=1, turn_number=40)
    step = HOUSE.deal(acted(state, normal("heart_9_1", 28)).state, cards("spade_3_1"))
    assert step.state.pack_left == 0
    assert events(step)[1:] == [Passed(41, 1), Passed(42, 0), GameEnded(42, None, {"A": 0, "B": 0})]
    assert HOUSE.awaits(step.state) == Over((0, 0))


def test_when_every_player_passes_nothing_can_change_so_cards_in_the_pack_do_not_matter() -> None:
    state = position("heart_9_1", "spade_2_1", chips=DEAD, pack_left=30)
    after = turn(state, normal("heart_9_1", 28), draw="spade_3_1")
    assert HOUSE.awaits(after) == Over((0, 0))


def test_the_game_goes_on_while_one_player_of_many_can_play() -> None:
    state = position("heart_9_1", "spade_2_1", "spade_2_2", "spade_3_2", chips=DEAD)
    state = turn(state, normal("heart_9_1", 28), draw="heart_7_1")
    assert HOUSE.awaits(state) == Turn((0,))
    assert state.idle_passes == 3
    state = turn(state, normal("heart_7_1", 48), draw="spade_3_1")
    assert HOUSE.awaits(state) == Over((0, 0, 0, 0))


def test_a_play_starts_the_count_of_passes_anew() -> None:
    state = position("heart_9_1", "spade_2_1", "heart_8_1", "spade_2_2", chips=DEAD)
    state = turn(state, normal("heart_9_1", 28), draw="spade_3_1")
    state = turn(state, normal("heart_8_1", 38), draw="heart_7_1")
    assert HOUSE.awaits(state) == Turn((2,)), shown(state)
    assert state.idle_passes == 3


def test_a_pass_for_the_bar_on_the_cleared_cell_does_not_count_towards_the_draw() -> None:
    # The board is full. Seat 0 clears cell 12 (4C); seat 1 holds a wild jack, for which 12 is the only empty cell.
    everywhere = {"A": range(0, CELL_COUNT, 2), "B": (12, *range(1, CELL_COUNT, 2))}
    everywhere["A"] = [cell for cell in everywhere["A"] if cell != 12]
    state = position("heart_j_1", "heart_j_2", chips=everywhere)
    step = HOUSE.deal(acted(state, remove("heart_j_1", 12)).state, cards("spade_2_1"))
    assert events(step)[1:] == [Passed(2, 1), Passed(3, 0)]
    assert HOUSE.awaits(step.state) == Turn((1,))
    after = turn(step.state, wild("heart_j_2", 12), draw="spade_2_2")
    assert HOUSE.awaits(after) == Over((0, 0))


def test_an_empty_pack_is_made_new_from_all_discards() -> None:
    state = position("heart_9_1 heart_8_1", "spade_3_1", pack_left=0, discards=cards("spade_k_2 clover_a_1"))
    step = acted(state, normal("heart_9_1", 28))
    assert HOUSE.awaits(step.state) == Draw(("draw:0:0",), cards("clover_a_1 heart_9_1 spade_k_2"))
    after = HOUSE.deal(step.state, cards("spade_k_2"))
    assert events(after)[0] == PackReshuffled(3)
    assert after.state.pack_left == 2
    assert after.state.discards == ()
    assert HOUSE.view(after.state, None).discard_top_by_seat == (None, None)
    assert HOUSE.view(after.state, 0).private.hand == cards("heart_8_1 spade_k_2")


def test_a_pack_with_cards_is_not_shuffled() -> None:
    state = acted(position("heart_9_1", "spade_3_1", pack_left=1), normal("heart_9_1", 28)).state
    assert HOUSE.awaits(state) == Draw(("draw:0:0",))


def test_the_new_pack_is_shuffled_from_the_written_order_whatever_the_order_of_play() -> None:
    first = position("heart_9_1", "", pack_left=0, discards=cards("spade_k_2 clover_a_1"))
    second = position("heart_9_1", "", pack_left=0, discards=cards("clover_a_1 spade_k_2"))
    waits = [HOUSE.awaits(acted(state, normal("heart_9_1", 28)).state) for state in (first, second)]
    assert waits[0] == waits[1]
    assert waits[0].pack == in_pack_order(waits[0].pack)


def test_the_play_that_wins_draws_no_card() -> None:
    state = position("spade_6_1", "", chips={"A": (1, 2, 3, 4)}, sequences={"A": [(50, 51, 52, 53, 54)]})
    step = acted(state, normal("spade_6_1", 5))
    assert step.state.phase is Phase.OVER
    assert isinstance(events(step)[0], TurnPlayed)
    assert events(step)[-1] == GameEnded(1, "A", {"A": 2, "B": 0})
    assert HOUSE.awaits(step.state) == Over((1, -1))
    assert HOUSE.view(step.state, None).current_seat is None
    assert HOUSE.view(step.state, None).winner == "A"

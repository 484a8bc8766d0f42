"""Five in a row: what counts, what does not, and the fast detection against one that looks at everything."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.game.game import Over
from croupier.games.sequence import HOUSE, SequenceRules
from croupier.games.sequence.rules.board import LINES, LINES_THROUGH, Line, cell_set
from croupier.games.sequence.rules.events import SequenceCompleted
from croupier.games.sequence.rules.lines import new_lines
from tests.games.sequence.play import acted, events, normal, position, refused, remove, shown, turn, wild

JACK = "heart_j_2"


def completes(own: tuple[int, ...], cell: int, *completed: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The cells of the sequences that team A gets by a wild jack on `cell`."""
    state = position(JACK, "", chips={"A": own}, sequences={"A": completed})
    step = acted(state, wild(JACK, cell))
    found = [event.cells for event in events(step) if isinstance(event, SequenceCompleted)]
    assert [done.line.cells for done in step.state.completed] == [*completed, *found], shown(step.state)
    return found


@pytest.mark.parametrize(
    ("line", "direction"),
    [
        ((42, 43, 44, 45, 46), "right"),
        ((24, 34, 44, 54, 64), "down"),
        ((22, 33, 44, 55, 66), "down-right"),
        ((26, 35, 44, 53, 62), "down-left"),
    ],
)
def test_five_chips_of_one_team_in_a_row_are_a_sequence(line: tuple[int, ...], direction: str) -> None:
    for last in line:
        others = tuple(cell for cell in line if cell != last)
        assert completes(others, last) == [line], direction


def test_four_chips_are_no_sequence() -> None:
    assert completes((42, 43, 44), 45) == []


def test_five_chips_of_two_teams_are_no_sequence() -> None:
    state = position(JACK, "", chips={"A": (42, 43, 45), "B": (44,)})
    assert acted(state, wild(JACK, 46)).state.completed == ()


def test_a_row_does_not_go_on_at_the_other_edge() -> None:
    assert completes((17, 18, 19, 20), 21) == []


def test_corners_count_when_occupied() -> None:
    assert completes((0, 11, 22, 33), 44) == [(0, 11, 22, 33, 44)]


def test_corners_count_only_when_occupied() -> None:
    assert completes((11, 22, 33), 44) == []


def test_a_corner_of_the_other_team_does_not_count() -> None:
    state = position(JACK, "", chips={"A": (11, 22, 33), "B": (0,)})
    assert acted(state, wild(JACK, 44)).state.completed == ()


def test_a_line_that_is_completed_already_is_ignored() -> None:
    assert completes((), 60, (50, 51, 52, 53, 54)) == []


def test_a_sixth_chip_is_not_a_second_sequence() -> None:
    assert completes((), 55, (50, 51, 52, 53, 54)) == []


@pytest.mark.parametrize("chips", [2, 3, 4])
def test_a_new_line_may_not_share_two_or_more_cells_with_a_completed_one(chips: int) -> None:
    row = tuple(range(55, 55 + 5 - chips))
    assert completes(row[:-1], row[-1], (50, 51, 52, 53, 54)) == []


def test_a_new_line_may_share_one_cell_with_a_completed_one() -> None:
    assert completes((55, 56, 57), 58, (50, 51, 52, 53, 54)) == [(54, 55, 56, 57, 58)]
    assert completes((14, 24, 34), 44, (54, 55, 56, 57, 58)) == [(14, 24, 34, 44, 54)]


def test_a_new_line_may_share_one_cell_with_each_of_two_completed_ones() -> None:
    assert completes((24, 34), 44, (10, 11, 12, 13, 14), (54, 55, 56, 57, 58)) == [(14, 24, 34, 44, 54)]


def test_the_other_teams_lines_do_not_matter() -> None:
    state = position(JACK, "", chips={"A": (14, 24, 34)}, sequences={"B": [(50, 51, 52, 53, 54)]})
    assert len(acted(state, wild(JACK, 44)).state.completed) == 1


def test_nine_in_a_row_are_two_sequences() -> None:
    assert completes((50, 51, 52, 53, 55, 56, 57, 58), 54) == [(50, 51, 52, 53, 54), (54, 55, 56, 57, 58)]


def test_eight_in_a_row_are_one_sequence() -> None:
    assert completes((50, 51, 52, 53, 55, 56, 57), 54) == [(50, 51, 52, 53, 54)]


def test_ten_in_a_row_are_two_sequences() -> None:
    assert completes((55, 56, 57, 58), 59, (50, 51, 52, 53, 54)) == [(55, 56, 57, 58, 59)]


def test_among_equal_choices_the_first_in_board_order_is_counted() -> None:
    assert completes((51, 52, 53, 55, 56, 57), 54) == [(51, 52, 53, 54, 55)]
    assert completes((55, 56, 57, 59), 58, (50, 51, 52, 53, 54)) == [(54, 55, 56, 57, 58)]


def test_a_play_that_completes_lines_in_two_directions_counts_both() -> None:
    assert completes((42, 43, 45, 46, 24, 34, 54, 64), 44) == [(42, 43, 44, 45, 46), (24, 34, 44, 54, 64)]


def test_one_play_may_complete_several_lines() -> None:
    star = tuple(44 + step * way for way in (1, 10, 11, 9) for step in (-4, -3, -2, -1, 1, 2, 3, 4))
    assert len(completes(star, 44)) == 8


def test_several_lines_that_overlap_are_chosen_so_that_most_are_counted() -> None:
    # Both ends of this row would do by themselves; only with the outer ones two are counted.
    own = (50, 51, 52, 53, 55, 56, 57, 58)
    candidates = [line for line in LINES_THROUGH[54] if line.cell_set & cell_set((*own, 54)) == line.cell_set]
    assert len(candidates) == 5
    assert len(completes(own, 54)) == 2


def test_a_sixth_chip_never_unlocks_the_first_five() -> None:
    row = (50, 51, 52, 53, 54)
    state = position(JACK, "heart_j_1", sequences={"A": [row]})
    state = turn(state, wild(JACK, 55))
    assert [offer.among for offer in HOUSE.menu(state, 1)] == [(55,)]
    for cell in row:
        assert refused(state, remove("heart_j_1", cell)).code == "CHIP_PROTECTED"


def test_a_cell_that_two_sequences_share_stays_protected() -> None:
    state = position("heart_j_1", "", chips={"B": (0,)}, sequences={"B": [(50, 51, 52, 53, 54), (14, 24, 34, 44, 54)]})
    assert [offer.among for offer in HOUSE.menu(state, 0)] == [(0,)]


def test_a_team_wins_with_two_sequences() -> None:
    state = position("spade_6_1", "", chips={"A": (1, 2, 3, 4)})
    state = turn(state, normal("spade_6_1", 5))
    assert HOUSE.view(state, None).score_by_team == {"A": 1, "B": 0}
    state = position(JACK, "", chips={"A": (60, 70, 80)}, sequences={"A": [(50, 51, 52, 53, 54)]})
    assert HOUSE.awaits(turn(state, wild(JACK, 90))) == Over((1, -1))


def test_both_sequences_can_come_at_once() -> None:
    state = position(JACK, "", chips={"A": (50, 51, 52, 53, 55, 56, 57, 58)})
    assert HOUSE.awaits(turn(state, wild(JACK, 54))) == Over((1, -1))


def test_a_team_wins_with_one_sequence_where_that_is_the_option() -> None:
    rules = SequenceRules(sequences_to_win=1)
    state = position("spade_6_1", "", chips={"A": (1, 2, 3, 4)})
    assert rules.awaits(turn(state, normal("spade_6_1", 5), rules=rules)) == Over((1, -1))


def test_one_sequence_of_each_team_is_no_win() -> None:
    state = position(JACK, "spade_3_1", chips={"A": (50, 60, 70, 80)}, sequences={"B": [(51, 52, 53, 54, 55)]})
    after = turn(state, wild(JACK, 90))
    assert HOUSE.view(after, None).score_by_team == {"A": 1, "B": 1}
    assert HOUSE.view(after, None).winner is None


def test_each_line_is_an_event_with_turn_team_and_cells() -> None:
    state = position("", JACK, chips={"B": (42, 43, 45, 46, 24, 34, 54, 64)}, seat=1, turn_number=9)
    step = acted(state, wild(JACK, 44))
    assert events(step)[1:3] == [
        SequenceCompleted(9, "B", (42, 43, 44, 45, 46)),
        SequenceCompleted(9, "B", (24, 34, 44, 54, 64)),
    ]
    assert all(told.to.hears(viewer) for told in step.told for viewer in (0, 1, None))
    assert [done.turn_number for done in HOUSE.view(step.state, None).completed_sequences] == [9, 9]


def all_lines() -> Iterator[tuple[int, ...]]:
    """Every line of the board, from coordinates and by no table, in board order."""
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(10):
            for column in range(10):
                cells = [(row + down * step, column + right * step) for step in range(5)]
                if all(0 <= y < 10 and 0 <= x < 10 for y, x in cells):
                    yield tuple(y * 10 + x for y, x in cells)


ALL_LINES = list(all_lines())


def every_new_line(own: set[int], completed: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The largest choice of new lines on the whole board, the first in board order, by trying all choices."""
    standing = [line for line in ALL_LINES if own.issuperset(line)]
    allowed = [line for line in standing if all(len({*line} & {*done}) <= 1 for done in completed)]
    for count in range(len(allowed), 0, -1):
        for choice in combinations(allowed, count):
            if all(len({*one} & {*other}) <= 1 for one, other in combinations(choice, 2)):
                return list(choice)
    return []


def found(own: set[int], cell: int, completed: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    return [line.cells for line in new_lines(cell_set(own), cell, tuple(map(line_of, completed)))]


def line_of(cells: tuple[int, ...]) -> Line:
    (line,) = (line for line in LINES if line.cells == cells)
    return line


def test_the_table_of_lines_is_all_lines_in_board_order() -> None:
    assert [line.cells for line in LINES] == ALL_LINES
    assert all(line.cell_set == cell_set(line.cells) for line in LINES)


@given(st.integers(0, 2**32))
def test_detection_equals_brute_force_while_a_random_board_fills(seed: int) -> None:
    random = Random(seed)
    own: set[int] = set()
    completed: list[tuple[int, ...]] = []
    for _ in range(80):
        removable = sorted(own - {cell for line in completed for cell in line})
        if removable and random.random() < 0.1:
            own.remove(random.choice(removable))
        cell = random.choice([cell for cell in range(100) if cell not in own])
        own.add(cell)
        expected = every_new_line(own, completed)
        board = position("", "", chips={"A": own}, sequences={"A": completed})
        assert found(own, cell, completed) == expected, f"cell {cell}\n{shown(board)}"
        completed += expected


@given(st.integers(0, 99), st.integers(0, 2**32))
def test_detection_equals_brute_force_where_many_lines_meet(cell: int, seed: int) -> None:
    random = Random(seed)
    near = sorted({other for line in ALL_LINES if cell in line for other in line} - {cell})
    own = {cell, *(other for other in near if random.random() < 0.85)}
    assert found(own, cell, []) == every_new_line(own, [])

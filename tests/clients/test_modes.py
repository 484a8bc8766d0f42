"""What keys mean: the parts of the full-screen table that need no screen."""

from rich.cells import cell_len
from rich.text import Text

from croupier.clients.terminal.choices import Choice, Preset
from croupier.clients.terminal.modes import Amount, Cell, Choosing, Do, Say, flow
from croupier.clients.terminal.words import Words, pad, pad_left
from croupier.game.game import Offer
from croupier.games.poker.rules.actions import Fold, Raise
from croupier.games.sequence.rules.actions import PlayJackWild
from croupier.games.sequence.rules.cards import CardId

WORDS = Words("en")
RAISE = Choice("r", "Raise", Offer(Raise(20), "to", 20, 300), (Preset("m", "min", 20), Preset("x", "max", 300)))
FOLD = Choice("f", "Fold", Offer(Fold()))
CELLS = (11, 15, 51, 55, 58)
JACK = Choice("3", "J", Offer(PlayJackWild(CardId("spade_j_2"), 11), "targetCellId", among=CELLS), columns=10)
CHOOSING = Choosing((FOLD, RAISE, JACK))


def pressed(mode: object, *keys: str) -> object:
    for key in keys:
        mode = mode.press(key, WORDS)  # type: ignore[attr-defined]  # every mode has it
    return mode


def test_a_plain_choice_is_done_at_once() -> None:
    assert pressed(CHOOSING, "f") == Do(Fold())


def test_an_amount_is_typed_and_confirmed() -> None:
    assert pressed(CHOOSING, "r", "1", "2", "5", "enter") == Do(Raise(125))


def test_enter_without_digits_takes_the_least() -> None:
    assert pressed(CHOOSING, "r", "enter") == Do(Raise(20))


def test_up_and_down_stay_within_the_limits() -> None:
    amount = pressed(CHOOSING, "r", "x", "up")
    assert isinstance(amount, Amount)
    assert amount.value == 300
    lowest = pressed(CHOOSING, "r", "down")
    assert isinstance(lowest, Amount)
    assert lowest.value == 20


def test_an_amount_outside_of_the_limits_says_the_limits() -> None:
    said = pressed(CHOOSING, "r", "9", "enter")
    assert isinstance(said, Say)
    assert "20–300" in said.text


def test_escape_goes_back_to_the_choices() -> None:
    assert pressed(CHOOSING, "r", "1", "escape") == CHOOSING
    assert pressed(CHOOSING, "3", "escape") == CHOOSING


def test_the_cursor_jumps_to_the_nearest_possible_cell() -> None:
    cell = pressed(CHOOSING, "3")
    assert isinstance(cell, Cell)
    for keys, expected in ((("right",), 15), (("down",), 51), (("right", "down"), 55), (("left",), 11)):
        moved = pressed(cell, *keys)
        assert isinstance(moved, Cell)
        assert moved.cursor == expected, keys


def test_every_possible_cell_is_reached_by_arrows() -> None:
    start = pressed(CHOOSING, "3")
    reached, waiting = {11}, [start]
    while waiting:
        cell = waiting.pop()
        for key in ("up", "down", "left", "right"):
            moved = pressed(cell, key)
            assert isinstance(moved, Cell)
            if moved.cursor not in reached:
                reached.add(moved.cursor)
                waiting.append(moved)
    assert reached == set(CELLS)


def test_a_cell_is_typed_by_its_number() -> None:
    assert pressed(CHOOSING, "3", "5", "8", "enter") == Do(PlayJackWild(CardId("spade_j_2"), 58))
    said = pressed(CHOOSING, "3", "7", "7")
    assert isinstance(said, Say)
    assert "11, 15, 51, 55, 58" in said.text


def test_a_clicked_cell_is_played_and_another_one_refused() -> None:
    assert pressed(CHOOSING, "cell:55", "cell:51") == Do(PlayJackWild(CardId("spade_j_2"), 51))
    assert isinstance(pressed(CHOOSING, "cell:77"), Say)


def test_a_row_of_keys_is_broken_between_them() -> None:
    lines = flow([Text("[f] 폴드"), Text("[c] 콜 10"), Text("[r] 레이즈")], 20).plain.split("\n")
    assert lines == ["[f] 폴드  [c] 콜 10", "[r] 레이즈"]


def test_columns_count_wide_characters_as_two() -> None:
    for text in ("홍길동", "小明", "Ann", "홍a길b동"):
        for cells in range(1, 9):
            assert cell_len(pad(text, cells)) == cells
            assert cell_len(pad_left(text, cells)) == cells

"""Cards and board, sentence by sentence."""

from collections import Counter

import pytest

from croupier.game.game import Draw
from croupier.game.refusal import OptionError
from croupier.games.sequence import CLASSIC, HOUSE, SequenceRules
from croupier.games.sequence.rules.actions import PlayJackRemove, PlayJackWild
from croupier.games.sequence.rules.board import CELLS_OF, CORNERS, FACES, LINES, LINES_THROUGH, cell_set, cells_in, face
from croupier.games.sequence.rules.cards import KINDS, PACK, RANKS, SUITS, Jacks, Kind, in_pack_order, is_jack
from tests.games.sequence.play import normal, opened, position, refused, remove, shown, turn, wild

CUSTOMARY = """
XX 2S 3S 4S 5S 6S 7S 8S 9S XX
6C 5C 4C 3C 2C AH KH QH TH TS
7C AS 2D 3D 4D 5D 6D 7D 9H QS
8C KS 6C 5C 4C 3C 2C 8D 8H KS
9C QS 7C 6H 5H 4H AH 9D 7H AS
TC TS 8C 7H 2H 3H KH TD 6H 2D
QC 9S 9C 8H 9H TH QH QD 5H 3D
KC 8S TC QC KC AC AD KD 4H 4D
AC 7S 6S 5S 4S 3S 2S 2H 3H 5D
XX AD KD QD TD 9D 8D 7D 6D XX
"""


def test_two_packs_are_104_different_cards() -> None:
    assert len(PACK) == len(set(PACK)) == 104


def test_a_card_id_is_suit_rank_and_variant() -> None:
    assert SUITS == ("clover", "diamond", "heart", "spade")
    assert RANKS == ("a", "2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k")
    assert set(PACK) == {f"{suit}_{rank}_{variant}" for suit in SUITS for rank in RANKS for variant in "12"}


def test_the_pack_has_one_written_order() -> None:
    assert PACK[:3] == ("clover_a_1", "clover_2_1", "clover_3_1")
    assert PACK[51:53] == ("spade_k_1", "clover_a_2")
    assert in_pack_order(tuple(reversed(PACK))) == PACK
    places = tuple(f"hand:{seat}:{number}" for number in range(7) for seat in (0, 1))
    assert HOUSE.awaits(opened(HOUSE, HOUSE.setup(2)).state) == Draw(places, PACK)


def test_in_the_house_game_the_kind_of_a_jack_is_its_variant_not_its_colour() -> None:
    assert HOUSE.jacks is Jacks.VARIANT
    for suit in SUITS:
        assert KINDS[HOUSE.jacks][f"{suit}_j_1"] is Kind.REMOVE
        assert KINDS[HOUSE.jacks][f"{suit}_j_2"] is Kind.WILD


def test_in_the_classic_game_the_kind_of_a_jack_is_that_of_the_printed_card() -> None:
    assert CLASSIC.jacks is Jacks.PRINTED
    for suit, kind in {"spade": Kind.REMOVE, "heart": Kind.REMOVE, "clover": Kind.WILD, "diamond": Kind.WILD}.items():
        assert {KINDS[CLASSIC.jacks][f"{suit}_j_{variant}"] for variant in (1, 2)} == {kind}
    state = position("heart_j_2 clover_j_1", "", chips={"B": (50,)})
    assert [type(offer.action) for offer in CLASSIC.menu(state, 0)] == [PlayJackRemove, PlayJackWild]
    assert [type(offer.action) for offer in HOUSE.menu(state, 0)] == [PlayJackWild, PlayJackRemove]
    assert refused(state, wild("heart_j_2", 5), CLASSIC).code == "NOT_A_WILD_JACK"
    assert refused(state, remove("clover_j_1", 50), CLASSIC).code == "NOT_A_REMOVE_JACK"


def test_rules_without_a_word_about_jacks_and_the_first_edition_go_by_the_variant() -> None:
    assert SequenceRules().jacks is Jacks.VARIANT
    with pytest.raises(OptionError, match="OPTIONS_CLASH"):
        SequenceRules(edition=1, jacks=Jacks.PRINTED)


def test_there_are_four_jacks_of_each_kind_and_96_normal_cards() -> None:
    for kinds in KINDS.values():
        assert Counter(kinds.values()) == {Kind.WILD: 4, Kind.REMOVE: 4, Kind.NORMAL: 96}


def test_the_board_is_exactly_the_customary_one() -> None:
    assert [" ".join(FACES[row * 10 : row * 10 + 10]) for row in range(10)] == CUSTOMARY.strip().splitlines()


def test_every_card_but_the_jacks_stands_on_the_board_exactly_twice() -> None:
    printed = Counter(FACES)
    assert len(FACES) == 100
    assert printed.pop("XX") == 4
    assert sorted(printed) == sorted({face(card) for card in PACK if not is_jack(card)})
    assert set(printed.values()) == {2}


def test_a_cell_is_row_times_ten_plus_column() -> None:
    assert FACES[19] == "TS"
    assert FACES[53] == "7H"
    assert cells_in(CELLS_OF["diamond_2_1"]) == (22, 59)


def test_the_four_corners_carry_no_card() -> None:
    assert cells_in(CORNERS) == (0, 9, 90, 99)
    assert not any(cells & CORNERS for cells in CELLS_OF.values())


def test_either_copy_of_a_card_may_be_played_on_either_of_its_cells() -> None:
    for copy in ("diamond_2_1", "diamond_2_2"):
        (offer,) = HOUSE.menu(position(copy, ""), 0)
        assert offer.among == (22, 59)
        for cell in (22, 59):
            assert cells_in(turn(position(copy, "spade_3_1"), normal(copy, cell)).chips[0]) == (cell,)


def test_nobody_owns_the_corners_from_the_start() -> None:
    state = position("spade_5_1", "", chips={"A": (1, 2, 3)})
    after = turn(state, normal("spade_5_1", 4))
    assert after.completed == (), shown(after)
    assert HOUSE.view(after, None).chips_by_cell == {1: "A", 2: "A", 3: "A", 4: "A"}


def test_a_two_eyed_jack_reaches_a_corner_and_then_it_counts() -> None:
    state = position("heart_j_2", "spade_3_1", chips={"A": (1, 2, 3, 4)})
    after = turn(state, wild("heart_j_2", 0))
    assert [done.line.cells for done in after.completed] == [(0, 1, 2, 3, 4)], shown(after)


def test_only_a_two_eyed_jack_reaches_a_corner() -> None:
    for card in PACK:
        offers = HOUSE.menu(position(card, "", chips={"B": (50,)}), 0)
        assert any(0 in offer.among for offer in offers) == (KINDS[HOUSE.jacks][card] is Kind.WILD)
    assert refused(position("spade_2_1", ""), normal("spade_2_1", 0)).code == "WRONG_CELL"


def test_sets_of_cells_read_back() -> None:
    for cells in ((), (0,), (99,), (0, 7, 8, 63, 64, 99), tuple(range(100))):
        assert cells_in(cell_set(cells)) == cells


def test_there_are_192_lines_of_five_and_each_cell_knows_its_own() -> None:
    assert len(LINES) == len({frozenset(line.cells) for line in LINES}) == 60 + 60 + 36 + 36
    assert sum(map(len, LINES_THROUGH)) == 192 * 5
    assert max(map(len, LINES_THROUGH)) == 20

"""The batch engine of Hold'em is the plain rules, table by table and step by step."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from croupier.cards import PACK
from croupier.game.refusal import OptionError
from croupier.games.poker import CASH, DOUBLE_BOARD_OMAHA, LIMIT_HOLDEM, OMAHA, SHORT_DECK, HoldemRules, Level, OddChips
from croupier.games.poker.rules.events import Street
from croupier.lab.batch.holdem import CODES, NO_ACTION, STREETS, HoldemTables, Kind, Legal, action_names
from tests.lab.batch.holdem_twin import Twin, compare, play_beside, provoke, random_batch

CHUNK = 100


def checked_down(count: int) -> tuple[HoldemTables, list[Twin]]:
    """Hands that were checked or called to the end: at most of these tables a beaten hand is asked to show or muck."""
    tables = HoldemTables(count, 3, seed=4)
    tables.reset()
    twins = [Twin(tables.rules, tables.setup(number)) for number in range(count)]
    while (tables.rows["street"] < STREETS.index(Street.SHOWDOWN)).any():
        compare(tables, twins)
        mask, turns = tables.legal().mask, tables.turn.tolist()
        kinds = np.where(mask[:, Kind.CHECK], Kind.CHECK, np.where(mask[:, Kind.CALL], Kind.CALL, NO_ACTION))
        assert not tables.step(kinds).any()
        for twin, seat, kind in zip(twins, turns, kinds.tolist(), strict=True):
            if kind != NO_ACTION:
                assert twin.act(seat, kind, 0) is None
    assert (tables.rows["street"] == STREETS.index(Street.SHOWDOWN)).mean() > 0.5
    return tables, twins


@pytest.mark.parametrize(
    "seed", [*range(20), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(20, 1000))]
)
def test_every_step_of_every_table_is_that_of_the_plain_rules(seed: int) -> None:
    chance = random.Random(seed)
    play_beside(*random_batch(chance, CHUNK), chance)


def test_every_refusal_is_met() -> None:
    met: set[str] = set()
    for seed in range(6):
        chance = random.Random(1000 + seed)
        met |= play_beside(*random_batch(chance, 60), chance)
    met |= play_beside(*checked_down(60), chance)
    never = {"NOT_OFFERED"}  # a number that is no action; the plain rules have no such thing
    assert met == set(CODES) - {""} - never


def test_a_number_that_is_no_action_is_not_offered() -> None:
    tables = HoldemTables(3, 2)
    tables.reset()
    assert [CODES[code] for code in tables.step([8, -2, 1000])] == ["NOT_OFFERED"] * 3


def test_the_next_hand_has_the_same_stacks_and_the_next_button() -> None:
    chance = random.Random(5)
    tables, twins = random_batch(chance, 40)
    play_beside(tables, twins, chance)
    before = [tables.setup(number) for number in range(40)]
    tables.reset(tables.over)
    for number, old in enumerate(before):
        new = tables.setup(number)
        order = twins[number].hand.order
        assert (new.stacks, new.hand, new.button) == (old.stacks, old.hand + 1, order[0])
    play_beside(tables, [Twin(tables.rules, tables.setup(number)) for number in range(40)], chance)


def test_where_a_table_is_not_chosen_nothing_changes() -> None:
    tables = HoldemTables(4, 3, seed=3)
    tables.reset()
    before = tables.rows.copy()
    tables.reset([True, False, True, False], stacks=50)
    assert (tables.rows[[1, 3]] == before[[1, 3]]).all()
    assert tables.rows["began"][[0, 2], :3].tolist() == [[50] * 3] * 2


def test_the_first_button_is_seat_0_or_the_next_in_play() -> None:
    tables = HoldemTables(2, 4)
    tables.reset(stacks=[[100] * 4, [0, 0, 100, 100]])
    assert tables.rows["button"].tolist() == [0, 2]


@pytest.mark.parametrize("threads", [1, 2])
def test_the_same_seed_gives_the_same_hands_on_any_number_of_threads(threads: int) -> None:
    def played(seed: int, on: int) -> list[list[int]]:
        tables = HoldemTables(2048, 4, seed=seed, threads=on)
        totals, _ = tables.play_random(3)
        return totals[:50].tolist()

    assert played(7, 1) == played(7, threads)
    assert played(7, 1) != played(8, threads)


def test_seeding_again_begins_the_deals_anew() -> None:
    tables = HoldemTables(16, 6, seed=9)
    tables.reset()
    first = tables.rows["hole"].copy()
    tables.reset()
    assert (tables.rows["hole"] != first).any()
    tables.seed(9)
    tables.reset(buttons=0)
    assert (tables.rows["hole"] == first).all()


def test_every_card_is_dealt_equally_often() -> None:
    tables = HoldemTables(5200, 10, seed=11)
    counts = np.zeros(len(PACK), np.int64)
    for _ in range(4):
        tables.reset()
        counts += np.bincount(tables.rows["hole"].reshape(-1), minlength=len(PACK))
    expected = counts.sum() / len(PACK)
    # A seat holds two of 52 cards; 51 degrees of freedom, and five standard deviations to either side.
    chi_square = float(((counts - expected) ** 2 / expected).sum()) / (1 - 20 / 52)
    assert abs(chi_square - 51) < 5 * (2 * 51) ** 0.5


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"stacks": [[100, 0, 0]]}, "TOO_FEW_PLAYERS"),
        ({"stacks": -1}, "BAD_HOLDEM_SETUP"),
        ({"stacks": 10**15}, "BAD_HOLDEM_SETUP"),
        ({"hands": 0}, "BAD_HOLDEM_SETUP"),
        ({"buttons": 3}, "BUTTON_NOT_IN_PLAY"),
        ({"buttons": 1, "away": [False, True, False]}, "BUTTON_NOT_IN_PLAY"),
    ],
)
def test_a_hand_that_cannot_begin_is_refused_as_by_the_plain_rules(arguments: dict[str, object], told: str) -> None:
    tables = HoldemTables(1, 3)
    tables.reset()
    before = tables.rows.copy()
    with pytest.raises(OptionError, match=told):
        tables.reset(**arguments)  # type: ignore[arg-type]
    assert (tables.rows == before).all()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"cards": [[0, 0]]}, "more than once"),
        ({"cards": [[52]]}, "no card"),
        ({"cards": [0, 1]}, "must be card numbers"),
        ({"stacks": [1.5, 2.5, 3.5]}, "whole numbers"),
        ({"stacks": [1, 2]}, "must have the shape"),
        ({"where": [True, False]}, "one entry a table"),
    ],
)
def test_arrays_that_do_not_fit_are_named(arguments: dict[str, object], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        HoldemTables(1, 3).reset(**arguments)  # type: ignore[arg-type]


def test_steps_that_do_not_fit_are_named() -> None:
    tables = HoldemTables(2, 3)
    tables.reset()
    with pytest.raises(ValueError, match="kinds must have one entry a table"):
        tables.step([Kind.FOLD])
    with pytest.raises(ValueError, match="amounts must be whole numbers"):
        tables.step([Kind.FOLD] * 2, [0.5, 0.5])
    with pytest.raises(OptionError, match="WRONG_SEAT_COUNT"):
        HoldemTables(2, 11, CASH)
    with pytest.raises(ValueError, match="tables must be"):
        HoldemTables(0, 2, HoldemRules())


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (LIMIT_HOLDEM, "betting=fixed_limit is not possible; allowed: no_limit on the batch engine"),
        (OMAHA, "hole_cards=4 is not possible; allowed: 2"),
        (SHORT_DECK, "pack=short is not possible"),
        (DOUBLE_BOARD_OMAHA, "hole_cards=4"),
        (CASH.replace(straddle=True), "straddle=True is not possible; allowed: False"),
        (CASH.replace(bomb_every=3, bomb_ante=5), "bomb_every=3"),
        (CASH.replace(run_times=2), "run_times=2"),
        (CASH.replace(rabbit=True), "rabbit=True"),
        (CASH.replace(winner_shows=True), "winner_shows=True"),
        (CASH.replace(rake_permille=50), "rake_permille=50"),
        (CASH.replace(seven_deuce=5), "seven_deuce=5"),
        (CASH.replace(dead_button=True), "dead_button=True"),
    ],
)
def test_rules_that_the_engine_does_not_play_are_refused_and_not_played_as_others(
    rules: HoldemRules, told: str
) -> None:
    with pytest.raises(OptionError, match=told):
        HoldemTables(2, 3, rules)


@pytest.mark.parametrize(
    "options",
    [{"big_blind": 10**13, "ante": 10**13}, {"levels": (Level(1, 2, 2**70),)}, {"levels": (Level(3, 10**14),)}],
)
def test_blinds_and_antes_larger_than_any_stack_put_everybody_all_in(options: dict[str, Any]) -> None:
    """Levels double until they are more than 64 bits hold."""
    rules, chance = HoldemRules(edition=3, stack_chips=10**14, **options), random.Random(4)
    tables = HoldemTables(20, 4, rules, seed=3)
    for hand in (1, 11, 1000):
        tables.reset(hands=hand, stacks=[1, 7, 10**14, 10**14])
        twins = [Twin(rules, tables.setup(number)) for number in range(20)]
        compare(tables, twins)
        while not tables.over.all():
            provoke(tables, twins, chance)
            kinds, amounts = (array.tolist() for array in tables.random_actions(tables.legal()))
            turns = tables.turn.tolist()
            assert not tables.step(kinds, amounts).any()
            for twin, seat, kind, amount in zip(twins, turns, kinds, amounts, strict=True):
                assert kind == NO_ACTION or twin.act(seat, kind, amount) is None
            compare(tables, twins)
        tables.observe(0)


@pytest.mark.parametrize("edition", range(1, 6))
def test_every_edition_is_played(edition: int) -> None:
    odd_chips = OddChips.FIRST if edition == 1 else OddChips.EACH
    rules = HoldemRules(edition=edition, odd_chips=odd_chips, small_blind=1, big_blind=3, ante=1)
    tables = HoldemTables(30, 4, rules, seed=edition)
    tables.reset(stacks=[7, 20, 33, 4])
    twins = [Twin(rules, tables.setup(number)) for number in range(30)]
    play_beside(tables, twins, random.Random(edition))


def test_seeding_in_the_middle_calls_the_hands_off_and_leaves_the_other_tables_alone() -> None:
    """Else a card that a seat holds could be dealt a second time."""
    tables = HoldemTables(3, 4, seed=2)
    tables.reset()
    tables.step([Kind.CALL] * 3)
    before = tables.rows.copy()
    tables.seed(9, [True, False, True])
    assert (tables.rows[1], tables.over.tolist()) == (before[1], [True, False, True])
    assert tables.payoffs().tolist() == [[0] * 4] * 3
    assert CODES[tables.step([Kind.FOLD, NO_ACTION, NO_ACTION])[0]] == "ROUND_OVER"
    tables.reset(tables.over)
    while not tables.over.all():
        tables.step(*tables.random_actions(tables.legal()))
        assert all(len(set(row["deck"].tolist())) == len(PACK) for row in tables.rows)


def test_a_seed_for_each_table_deals_as_the_first_table_of_that_seed() -> None:
    tables = HoldemTables(2, 3, seed=[5, -8])
    tables.reset()
    for number, seed in enumerate((5, -8)):
        alone = HoldemTables(4, 3, seed=np.int64(seed))  # type: ignore[arg-type]
        alone.reset()
        assert (tables.rows["hole"][number] == alone.rows["hole"][0]).all()


def test_the_menu_has_numbers_kinds_and_amounts() -> None:
    tables = HoldemTables(2, 2, seed=1)
    tables.reset(stacks=[[1000, 1000], [12, 12]], buttons=0)
    menu = tables.menu([0.5, 1])
    names = action_names([0.5, 1])
    assert names == ("fold", "check_or_call", "raise_least", "raise_0.5_pot", "raise_1_pot", "all_in")
    # The pot after the call of 5 is 20: to 10 + 10 = 20, which is the least raise, and to 10 + 20 = 30.
    assert [names[place] for place in np.flatnonzero(menu.mask[0])] == [*names[:3], "raise_1_pot", "all_in"]
    assert (menu.kinds[0, 4], menu.amounts[0, 4]) == (Kind.RAISE, 30)
    assert [names[place] for place in np.flatnonzero(menu.mask[1])] == ["fold", "check_or_call", "all_in"]
    assert not tables.step(menu.kinds[:, 1], menu.amounts[:, 1]).any()


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda: HoldemTables(2.5), "tables must be a whole number, not 2.5"),  # type: ignore[arg-type]
        (lambda: HoldemTables(2, 2.0), "seats must be a whole number"),  # type: ignore[arg-type]
        (lambda: HoldemTables(2, threads=0), "threads must be 1 or more"),
        (lambda: HoldemTables(2, seed=0.5), "seed must be a whole number"),  # type: ignore[arg-type]
        (lambda: HoldemTables(2, seed=[1, 2, 3]), "seed must be one whole number, or one a table: 2, not 3"),
        (lambda: HoldemTables(2, 2, "cash"), "rules must be HoldemRules, not str"),  # type: ignore[arg-type]
        (lambda: begun().play_random(0), "hands must be 1 to"),
        (lambda: begun().play_random(1.5), "hands must be a whole number"),  # type: ignore[arg-type]
        (lambda: begun().reset([0, 1]), "where must be true or false for each table, not int64"),
        (lambda: begun().observe(history=1.5), "history must be a whole number"),  # type: ignore[arg-type]
        (lambda: begun().setup(2), "table must be 0 to 1, not 2"),
        (lambda: begun().refusal(-1, Kind.FOLD), "table must be 0 to 1, not -1"),
        (lambda: begun().refusal(0, Kind.FOLD, 0, "me"), "seat must be a whole number"),  # type: ignore[arg-type]
        (lambda: begun().menu([-1]), "pot_shares must be numbers over 0"),
        (lambda: begun().random_actions(cut(begun().legal())), r"legal.mask must be .* of the shape \(2, 8\)"),
    ],
)
def test_what_cannot_be_is_said_in_words(ask: Callable[[], object], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        ask()


def begun() -> HoldemTables:
    tables = HoldemTables(2, 2)
    tables.reset()
    return tables


def cut(legal: Legal) -> Legal:
    return legal._replace(mask=legal.mask[:1])


def test_kinds_and_amounts_of_any_whole_type_mean_what_they_say() -> None:
    """One that does not fit into the engine's own type is no other action, and no other amount."""
    for kinds in (np.array([Kind.CALL, 255], np.uint8), np.array([Kind.CALL, 2**63], np.uint64), [Kind.CALL, -(2**62)]):
        assert [CODES[code] for code in begun().step(kinds)] == ["", "NOT_OFFERED"]
    codes = begun().step([Kind.RAISE] * 2, np.array([2**64 - 1, 20], np.uint64))
    assert [CODES[code] for code in codes] == ["RAISE_TOO_BIG", ""]

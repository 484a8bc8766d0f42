"""The batch engine of Hold'em is the plain rules, table by table and step by step."""

import random

import numpy as np
import pytest

from croupier.cards import PACK
from croupier.game.refusal import OptionError
from croupier.games.poker import CASH, HoldemRules
from croupier.games.poker.rules.events import Street
from croupier.lab.batch.holdem import CODES, NO_ACTION, STREETS, HoldemTables, Kind
from tests.lab.batch.holdem_twin import Twin, compare, play_beside, random_batch

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

"""The batch engine of Sequence is the plain rules, game by game and step by step."""

import random

import numpy as np
import pytest

from croupier.game.refusal import OptionError
from croupier.games.sequence import CLASSIC, HOUSE
from croupier.lab.batch.sequence import CODES, Kind, SequenceTables
from tests.lab.batch.sequence_twin import play_beside

GAMES = 5
_LONG = [pytest.param(seed, marks=pytest.mark.soak) for seed in range(10, 400)]


@pytest.mark.parametrize("seed", [*range(10), *_LONG])
def test_every_step_of_every_game_is_that_of_the_plain_rules(seed: int) -> None:
    play_beside(random.Random(seed), GAMES)


def test_every_refusal_is_met() -> None:
    met: set[str] = set()
    for seed in range(10):
        met |= play_beside(random.Random(920 + seed), 4)
    never = {"NOT_OFFERED"}  # a number that is no action; the plain rules have no such thing
    assert met == set(CODES) - {""} - never


def test_numbered_actions_play_the_first_card_that_can() -> None:
    one, other = (SequenceTables(20, 2, CLASSIC, seed=4) for _ in range(2))
    one.reset()
    other.reset()
    chance = np.random.default_rng(1)
    for _ in range(60):
        mask = one.legal()
        actions = np.where(mask.any(axis=1), np.where(mask, chance.random(mask.shape), -1).argmax(axis=1), -1)
        assert not one.step(actions).any()
        assert not other.step(actions).any()
    assert (one.rows == other.rows).all()
    one.reset()
    illegal = (~one.legal()).argmax(axis=1)
    before = one.rows.copy()
    assert [CODES[code] for code in one.step(illegal)] == ["NOT_OFFERED"] * 20
    assert [CODES[code] for code in one.step([348] * 20)] == ["NOT_OFFERED"] * 20
    assert (one.rows == before).all()


def test_the_same_seed_gives_the_same_games_on_any_number_of_threads() -> None:
    def played(seed: int, threads: int) -> list[list[int]]:
        games = SequenceTables(2048, 2, HOUSE, seed=seed, threads=threads)
        games.play_random(1)
        return games.rows["owner"][:40].tolist()

    assert played(1, 1) == played(1, 2)
    assert played(1, 1) != played(2, 1)


def test_the_next_game_is_begun_by_the_next_seat() -> None:
    games = SequenceTables(3, 4, seed=1)
    games.reset()
    assert games.rows["first_seat"].tolist() == [0] * 3
    games.reset([True, False, True])
    assert games.rows["first_seat"].tolist() == [1, 0, 1]


def test_games_that_cannot_be_are_named() -> None:
    with pytest.raises(OptionError, match="TEAMS_NOT_EQUAL"):
        SequenceTables(1, 5)
    with pytest.raises(OptionError, match="NO_SUCH_SEAT"):
        SequenceTables(1, 2).reset(first_seats=2)
    with pytest.raises(ValueError, match="more than once"):
        SequenceTables(1, 2).reset(cards=[[3, 3]])
    with pytest.raises(ValueError, match="cards must be 0 to 103"):
        SequenceTables(1, 2).reset(cards=[[104]])
    games = SequenceTables(1, 2)
    games.reset()
    assert CODES[games.step_cards([Kind.PLAY], [-1], [0])[0]] == "NOT_OFFERED"


def test_seeding_in_the_middle_calls_the_games_off() -> None:
    games = SequenceTables(2, 2, seed=1)
    games.reset()
    games.step_cards(*games.random_moves().T)
    games.seed(5, [True, False])
    assert games.over.tolist() == [True, False]
    assert not games.payoffs().any()
    games.seed([5, 6])
    games.reset(first_seats=0)
    alone = SequenceTables(3, 2, seed=6)
    alone.reset(first_seats=0)
    assert (games.rows["hand"][1] == alone.rows["hand"][0]).all()


def test_numbers_that_cannot_be_are_named() -> None:
    with pytest.raises(ValueError, match="games must be 1 to"):
        SequenceTables(1).play_random(-1)
    with pytest.raises(ValueError, match="rules must be SequenceRules"):
        SequenceTables(1, rules="house")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="table must be 0 to 0"):
        SequenceTables(1).setup(1)
    with pytest.raises(ValueError, match="card must be a whole number"):
        SequenceTables(1).refusal(0, 1, 0, "2c", 0, 0)  # type: ignore[arg-type]

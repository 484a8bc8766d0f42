"""The contract, over every registered game, preset and several numbers of seats."""

from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.game.game import Game, Turn
from croupier.game.registry import GAMES
from croupier.testing import checks
from croupier.testing.driver import Played, play

seeds = st.integers(0, 2**32)
few = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


@dataclass
class Case:
    game: Game
    preset: str
    seats: int

    @property
    def rules(self) -> Any:
        return self.game.presets[self.preset]

    def played(self, seed: int, moves_max: int = 20_000) -> Played:
        return play(self.rules, self.rules.setup(self.seats), Random(seed), moves_max)


def _cases() -> list[Any]:
    found = []
    for game in GAMES.values():
        for preset, rules in game.presets.items():
            low, high = rules.seat_range
            for seats in sorted({low, min(high, low + 2), min(high, 6)}):
                try:
                    rules.setup(seats)
                except ValueError:
                    continue
                found.append(pytest.param(Case(game, preset, seats), id=f"{game.name}-{preset}-{seats}"))
    return found


pytestmark = pytest.mark.parametrize("case", _cases())


@few
@given(seed=seeds)
def test_random_play_ends_and_conserves_chips(case: Case, seed: int) -> None:
    played = case.played(seed)
    checks.check_round_ends(played)
    checks.check_chips_conserved(played)


@few
@given(seed=seeds)
def test_what_is_offered_is_accepted_and_what_is_not_is_refused_without_a_trace(case: Case, seed: int) -> None:
    pool = [action for other in (seed + 1, seed + 2) for _, action in case.played(other).moves]
    checks.check_offers(case.played(seed, moves_max=40), Random(seed), pool)


@few
@given(seed=seeds)
def test_a_record_replays_to_the_same_bytes(case: Case, seed: int) -> None:
    checks.check_replay(case.game, case.played(seed))


@few
@given(seed=seeds)
def test_views_events_and_menus_survive_json(case: Case, seed: int) -> None:
    checks.check_json(case.game, case.played(seed, moves_max=40))


@few
@given(seed=seeds)
def test_every_view_says_who_looks_who_may_act_and_what_each_seat_has(case: Case, seed: int) -> None:
    checks.check_base_of_views(case.played(seed, moves_max=40))


@few
@given(seed=seeds)
def test_who_is_said_to_know_a_card_has_seen_it(case: Case, seed: int) -> None:
    checks.check_known_is_shown(case.played(seed))


@few
@given(seed=seeds)
def test_no_action_names_a_hidden_card(case: Case, seed: int) -> None:
    checks.check_actions_tell_nothing(case.played(seed, moves_max=40), Random(seed))


@pytest.mark.parametrize("rounds", [range(8), pytest.param(range(8, 40), marks=pytest.mark.soak)], ids=len)
def test_indistinguishable_worlds_at_every_moment_of_a_round(case: Case, rounds: range) -> None:
    compared = 0
    for seed in rounds:
        random = Random(seed)
        whole = len(case.played(seed).moves)
        compared += checks.check_no_leak(case.played(seed, moves_max=random.randint(0, whole)), random)
    if any(case.rules.known(p.state, None).bit_count() < len(p.dealt) for p in (case.played(s, 1) for s in range(5))):
        assert compared > 0, "no other world was found to compare with"


@few
@given(seed=seeds)
def test_leaving_in_the_middle_neither_stops_the_round_nor_takes_chips(case: Case, seed: int) -> None:
    checks.check_leaving(case.played(seed), Random(seed))


@few
@given(seed=seeds)
def test_rounds_follow_each_other_until_the_match_ends(case: Case, seed: int) -> None:
    checks.check_match(case.game, case.rules, case.seats, Random(seed))


def test_a_turn_names_seats_that_exist(case: Case) -> None:
    played = case.played(7)
    turns = [awaited for awaited in played.awaited if isinstance(awaited, Turn)]
    assert all(0 <= seat < case.seats for turn in turns for seat in turn.seats)

"""Honest evenings verify for everybody who was there: voids, absences, purchases, people who come and go."""

import pytest

from croupier.wire.records import verify
from tests.table.evenings import evening

GAMES = [("poker", "cash", 3, 10), ("poker", "holdem", 3, 8), ("blackjack", "trainer", 3, 10)]
GAMES += [("sequence", "house", 4, 2)]


@pytest.mark.parametrize(("game", "preset", "people", "rounds"), GAMES)
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 12))])
def test_an_honest_evening_verifies_for_every_viewer_and_agrees_with_their_logs(
    game: str, preset: str, people: int, rounds: int, seed: int
) -> None:
    played = evening(seed, game, preset, people=people, rounds=rounds, mischief=0.08)
    for who, person in (("", None), *played.people.items()):
        records = played.records(who)
        assert verify(records).findings == (), who
        if person is not None:
            assert verify(records, person.log()).findings == (), who

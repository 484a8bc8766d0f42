"""Honest evenings verify for everybody who was there: voids, absences, purchases, people who come and go."""

import json

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


def test_a_shoe_with_a_cut_card_lasts_for_rounds_and_a_newcomer_cuts_its_rest() -> None:
    played = evening(1, "blackjack", "trainer", people=2, rounds=3, mischief=0, rules={"decks": 1, "penetration": 0.95})
    played.join("late")
    played.play(played.rounds + 2)
    sizes = [len(json.loads(fixed.context.pack)) for _, fixed in sorted(played.fixed.items())]
    gone = [52 - size for size in sizes]
    assert gone[0] == 0
    assert 0 < gone[1] < gone[2], "what was dealt stays out of the shoe"
    newest = played.fixed[max(played.fixed)].context
    assert newest.hand > 3
    late = played.room.member("late")
    assert late is not None
    assert late.seat in [cutter.seat for cutter in newest.cutters]
    assert verify(played.records("late"), played.people["late"].log()).findings == ()

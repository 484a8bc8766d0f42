"""The batch engine of blackjack is the plain rules, table by table and step by step, shoe after shoe."""

import random

import numpy as np
import pytest
from msgspec.structs import replace

from croupier.cards import PACK
from croupier.game.game import Step
from croupier.game.refusal import OptionError
from croupier.games.blackjack.rules.actions import Hit, PlaceBet
from croupier.games.blackjack.rules.presets import CASINO, CLASSROOM
from croupier.games.blackjack.rules.rules import BlackjackRules
from croupier.lab.batch.blackjack import CODES, BlackjackTables, Kind, describe, layout
from tests.lab.batch.blackjack_twin import Twin, rounds_beside

TABLES, ROUNDS = 10, 10


@pytest.mark.parametrize(
    "seed", [*range(20), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(20, 1000))]
)
def test_every_step_of_every_table_is_that_of_the_plain_rules(seed: int) -> None:
    rounds_beside(random.Random(seed), TABLES, ROUNDS)


def test_every_refusal_is_met_and_shoes_run_out() -> None:
    met: set[str] = set()
    reshuffled = 0
    classroom = replace(CLASSROOM, seats_max=7)
    asking = BlackjackRules(
        decks=1, penetration=0.95, surrender="early", hands_max=4, resplit_aces=True, seats_min=6, seats_max=7
    )
    for seed, rules in enumerate((classroom, asking, asking, asking, None, None, None)):
        codes, times = rounds_beside(random.Random(5000 + seed), 10, 6, rules)
        met |= codes
        reshuffled += times
    # A number that is no action: the plain rules have no such thing. And what hardly ever comes up has its own test.
    never = {"NOT_OFFERED", "CANNOT_HIT"} - met
    assert met == set(CODES) - {""} - never
    assert reshuffled


def test_a_number_that_is_no_action_is_not_offered() -> None:
    tables = BlackjackTables(3)
    tables.reset()
    assert [CODES[code] for code in tables.step([9, -2, 1000])] == ["NOT_OFFERED"] * 3


def numbers(text: str) -> list[int]:
    return [next(card.number for card in PACK if str(card) == name) for name in text.split()]


def test_given_cards_are_dealt_in_order() -> None:
    tables = BlackjackTables(2, 1, CASINO, seed=3)
    tables.reset(purses=100, cards=[numbers("As 9c Kd 7h")] * 2)
    tables.step([Kind.BET] * 2, [10, 20])
    assert tables.over.all()
    assert tables.payoffs().tolist() == [[15], [30]]
    with pytest.raises(ValueError, match="table 0 has not all the cards"):
        tables.reset(cards=[numbers("As " * 7)] * 2)


def test_a_blackjack_is_not_hit_while_the_dealer_asks_about_insurance() -> None:
    tables = BlackjackTables(1, seed=3)
    tables.reset(cards=[numbers("As Ah Kd 7h")])
    twin = Twin(tables.rules, tables.setup(0))
    tables.step([Kind.BET], [10])
    step = twin.rules.act(twin.state, 0, PlaceBet(10))
    assert isinstance(step, Step)
    twin.state = step.state
    twin.deal(tables.rows[0]["shoe"])
    refused = twin.rules.act(twin.state, 0, Hit())
    code = int(tables.step([Kind.HIT])[0])
    assert CODES[code] == "CANNOT_HIT"
    assert tables.refusal(0, code, Kind.HIT) == refused


def test_the_same_seed_gives_the_same_rounds_on_any_number_of_threads() -> None:
    def played(seed: int, threads: int) -> list[list[int]]:
        totals, _ = BlackjackTables(2048, 2, BlackjackRules(seats_max=7), seed=seed, threads=threads).play_random(5)
        return totals[:60].tolist()

    assert played(1, 1) == played(1, 2)
    assert played(1, 1) != played(2, 1)


def test_an_observation_shows_the_hands_the_up_card_and_what_may_come() -> None:
    tables = BlackjackTables(1, 1, BlackjackRules(decks=1, penetration=0.5), seed=3)
    tables.reset(cards=[numbers("8s 6c 8d Th")])
    tables.step([Kind.BET], [100])
    parts, row = layout(), tables.observe()[0]
    assert np.flatnonzero(row[parts.place("dealer")][:10]).tolist() == [5], "a six"
    hand = row[parts.place("hands")][:8]
    assert hand.tolist() == pytest.approx([1, 16 / 32, 0, 2 / 16, 1, 0.1, 1, 0])
    shoe = row[parts.place("shoe")]
    # The ten lies face down, so it may still come for all that the player knows.
    assert shoe.tolist() == pytest.approx([1, 1, 1, 1, 1, 3 / 4, 1, 2 / 4, 1, 1])


def test_tables_that_cannot_be_are_named() -> None:
    with pytest.raises(OptionError, match="WRONG_SEAT_COUNT"):
        BlackjackTables(1, 2, CASINO)
    with pytest.raises(OptionError, match="BAD_SETUP"):
        BlackjackTables(1).reset(purses=-1)
    with pytest.raises(ValueError, match="threads must be 1 or more"):
        BlackjackTables(1, threads=0)


def test_seeding_in_the_middle_calls_the_rounds_off() -> None:
    tables = BlackjackTables(2, 1, BlackjackRules(decks=1, penetration=0.5), seed=2)
    tables.reset()
    tables.step([Kind.BET] * 2, [10] * 2)
    tables.seed(9, [True, False])
    assert tables.turn[0] == -1
    assert tables.payoffs()[0] == 0
    tables.seed(np.int64(9))  # type: ignore[arg-type]
    tables.reset()
    alone = BlackjackTables(2, 1, BlackjackRules(decks=1, penetration=0.5), seed=9)
    alone.reset()
    tables.step([Kind.BET] * 2, [10] * 2)
    alone.step([Kind.BET] * 2, [10] * 2)
    assert (tables.rows["shoe"] == alone.rows["shoe"]).all()


def test_the_decoder_prints_what_is_seen() -> None:
    tables = BlackjackTables(1, seed=3)
    tables.reset(cards=[numbers("8s 6c 8d Th")])
    tables.step([Kind.BET], [100])
    lines = describe(tables.observe()[0]).splitlines()
    assert [line.partition(" ")[0] for line in lines] == [part.name for part in layout().parts]
    assert lines[1].endswith("5:1 10:0.188"), "the dealer's six, out of 32"


def test_numbers_that_cannot_be_are_named() -> None:
    with pytest.raises(ValueError, match="rounds must be 1 to"):
        BlackjackTables(1).play_random(0)
    with pytest.raises(ValueError, match="rules must be BlackjackRules"):
        BlackjackTables(1, rules=None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="where must be true or false"):
        BlackjackTables(1).reset([1])


def test_a_refusal_to_what_is_no_seat_is_named() -> None:
    tables = BlackjackTables(1)
    tables.reset()
    with pytest.raises(ValueError, match="seat must be a whole number"):
        tables.refusal(0, 1, Kind.HIT, 0, "me")  # type: ignore[arg-type]

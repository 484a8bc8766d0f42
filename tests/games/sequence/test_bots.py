"""The two bots of Sequence, which see what a person in their seat would see."""

from random import Random
from typing import Any

import pytest

from croupier import bots
from croupier.game.game import Draw, Over, Step, Turn
from croupier.game.policy import Policy
from croupier.games.sequence import CLASSIC, HOUSE, SequenceAction, SequenceRules
from croupier.games.sequence.bots import block_and_build
from croupier.games.sequence.rules.actions import ExchangeDeadCard
from croupier.games.sequence.rules.cards import CardId
from croupier.games.sequence.rules.state import State
from tests.games.sequence.play import normal, opened, position, remove, wild


def seated(name: str, random: Random, rules: SequenceRules = HOUSE) -> Policy[Any, Any]:
    return bots.bot("sequence", name, random, rules)


def result(rules: SequenceRules, policies: list[Policy[Any, Any]], random: Random) -> tuple[int, ...]:
    """The points of a game between these policies."""
    state = opened(rules, rules.setup(len(policies))).state
    shoe: list[CardId] = []
    while True:
        match rules.awaits(state):
            case Draw(count=count, pack=pack):
                shoe = random.sample(pack, len(pack)) if pack else shoe
                state = rules.deal(state, tuple(shoe.pop() for _ in range(count))).state
            case Turn((seat,)):
                step = rules.act(state, seat, policies[seat](rules.view(state, seat), rules.menu(state, seat)))
                assert isinstance(step, Step)
                state = step.state
            case Over(payouts):
                return payouts


@pytest.mark.parametrize("rules", [HOUSE, pytest.param(CLASSIC, marks=pytest.mark.soak)])
def test_the_builder_wins_at_least_95_percent_of_200_games_against_the_random_bot(rules: SequenceRules) -> None:
    wins = 0
    for seed in range(200):
        random = Random(seed)
        policies = [seated("random", random), seated("random", random)]
        policies[seed % 2] = seated("builder", random)
        wins += result(rules, policies, random)[seed % 2] > 0
    assert wins >= 190


def test_the_bots_play_at_every_table() -> None:
    for rules, seats in ((HOUSE, 4), (HOUSE, 12), (CLASSIC, 3), (CLASSIC, 9)):
        random = Random(seats)
        names = bots.names("sequence")
        policies = [seated(names[seat % 2], random, rules) for seat in range(seats)]
        assert sum(result(rules, policies, random)) == 0


def choice(state: State, rules: SequenceRules = HOUSE) -> SequenceAction:
    return block_and_build(rules.view(state, state.seat), rules.menu(state, state.seat))


def test_the_builder_completes_a_sequence() -> None:
    state = position("heart_9_1 spade_6_1", "", chips={"A": (1, 2, 3, 4), "B": (60, 70, 80)})
    assert choice(state) == normal("spade_6_1", 5)


def test_the_builder_blocks_four_in_a_row() -> None:
    state = position("heart_9_1 spade_6_1", "", chips={"A": (50,), "B": (1, 2, 3, 4)})
    assert choice(state) == normal("spade_6_1", 5)


def test_the_builder_removes_a_chip_from_four_in_a_row() -> None:
    state = position("heart_9_1 heart_j_1", "", chips={"A": (50,), "B": (41, 42, 43, 44, 80)})
    action = choice(state)
    assert action in [remove("heart_j_1", cell) for cell in (41, 42, 43, 44)]


def test_the_builder_spends_a_wild_jack_on_a_sequence_but_not_on_nothing() -> None:
    assert choice(position("heart_9_1 heart_j_2", "", chips={"A": (41, 42, 43, 44)})) in (
        wild("heart_j_2", 40),
        wild("heart_j_2", 45),
    )
    assert choice(position("heart_9_1 heart_j_2", "")).card_id == "heart_9_1"


def test_the_builder_adds_nothing_to_a_completed_sequence() -> None:
    state = position("spade_10_1 clover_q_1", "", sequences={"A": [(52, 53, 54, 55, 56)]}, chips={"A": (40, 50)})
    assert choice(state) == normal("clover_q_1", 60)


def test_the_builder_counts_free_corners() -> None:
    state = position("spade_5_1 heart_9_1", "", chips={"A": (1, 2, 3)})
    assert choice(state, CLASSIC) == normal("spade_5_1", 4)


def test_the_builder_exchanges_a_dead_card_first() -> None:
    state = position("spade_2_1 heart_9_1", "", chips={"B": (1, 86)})
    assert choice(state, CLASSIC) == ExchangeDeadCard(CardId("spade_2_1"))


def test_a_random_bot_with_the_same_seed_plays_the_same_game() -> None:
    def played(seed: int) -> tuple[int, ...]:
        random = Random(seed)
        return result(HOUSE, [seated("random", random), seated("random", random)], random)

    assert [played(seed) for seed in range(5)] == [played(seed) for seed in range(5)]

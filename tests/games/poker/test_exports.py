"""Hands with every option of the table, exported and read back: the file tells enough to play them again."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from croupier.game.game import Draw, Over, Step, Turn
from croupier.game.refusal import Refusal
from croupier.games.poker import CASH, HoldemRules, HoldemSetup
from croupier.games.poker.histories import ohh, phh
from croupier.games.poker.histories.phh import PhhHand, replay
from croupier.games.poker.rules.actions import HoldemAction, RunIt
from croupier.games.poker.rules.events import HoldemEvent
from croupier.games.poker.rules.state import Hand
from tests.games.poker.driving import Table, random_action, stacks
from tests.games.poker.test_table_options import random_rules, rules


def played(
    made: HoldemRules, setup: HoldemSetup, chance: random.Random, choose: Callable[..., HoldemAction] = random_action
) -> tuple[Hand, list[HoldemEvent]]:
    step = made.opening(setup)
    assert isinstance(step, Step)
    events = [told.event for told in step.told]
    shoe = chance.sample(made.pack_cards, len(made.pack_cards))
    while not isinstance(waiting := made.awaits(step.state), Over):
        if isinstance(waiting, Draw):
            step = made.deal(step.state, tuple(shoe.pop() for _ in waiting.places))
        else:
            assert isinstance(waiting, Turn)
            seat = waiting.seats[0]
            after = made.act(step.state, seat, choose(made, step.state, seat, chance))
            assert isinstance(after, Step)
            step = after
        events += [told.event for told in step.told]
    return step.state, events


@pytest.mark.parametrize("number", [*range(80), *(pytest.param(n, marks=pytest.mark.soak) for n in range(80, 3000))])
def test_a_hand_with_any_option_comes_back_from_either_format_with_the_same_stacks(number: int) -> None:
    chance = random.Random(f"export {number}")
    made = random_rules(chance)
    seats = chance.randint(2, min(6, made.seats_max))
    chips = tuple(chance.choice((chance.randint(1, 60), 200)) for _ in range(seats))
    owed: Any = {"missed": (0,) * (seats - 1) + (chance.choice((1, 2, 3)),)} if made.missed_blinds else {}
    hand, events = played(made, HoldemSetup(stacks=chips, hand=chance.choice((1, 2)), **owed), chance)
    for entries in (
        phh.read(phh.write(events, rules=made).splitlines(keepends=True)),
        ohh.read([ohh.write(events, rules=made)]),
    ):
        (entry,) = entries
        assert isinstance(entry.hand, PhhHand), entry
        outcome = replay(entry.hand)
        assert outcome.fault is None, outcome.fault
        assert outcome.stacks == tuple(hand.stacks[seat] for seat in hand.order)
        assert outcome.agrees is not False, "the cards say what the record says"


def test_open_hand_history_names_what_was_posted_as_the_format_does() -> None:
    table = Table(HoldemSetup(stacks=(500, 500, 500, 500), missed=(0, 0, 0, 3)), rules=CASH)
    written = json.loads(ohh.write(table.events, rules=CASH))["ohh"]
    posted = [(act["player_id"], act["action"], act["amount"]) for act in written["rounds"][0]["actions"][:4]]
    assert posted == [(3, "Post Dead", 5), (1, "Post SB", 5), (2, "Post BB", 10), (3, "Post Extra Blind", 10)]
    bomb = Table(stacks(500, 500, 500), rules=rules(bomb_every=1, bomb_ante=20))
    written = json.loads(ohh.write(bomb.events, rules=bomb.rules))["ohh"]
    assert {act["action"] for act in written["rounds"][0]["actions"]} >= {"Post Ante"}


def test_every_board_of_a_hand_run_twice_is_in_open_hand_history() -> None:
    table = Table(stacks(100, 100), {0: "AsAh", 1: "KsKh"}, "2c3c4d5d7s KdKc3h9h8s", rules(run_times=2))
    table.all_in(0).call(1)
    table.act(1, RunIt(2)).act(0, RunIt(2))
    (entry,) = ohh.read([ohh.write(table.events, rules=table.rules)])
    assert isinstance(entry.hand, PhhHand)
    outcome = replay(entry.hand)
    assert outcome.played is not None
    played = outcome.played.state
    assert (played.board, played.other_boards) == (table.state.board, table.state.other_boards)
    assert sorted(map(int, filter(None, outcome.stacks))) == sorted(table.state.stacks) == [100, 100]


def test_what_was_paid_for_a_seven_and_a_deuce_is_kept_by_either_format() -> None:
    """The winner shows it unseen; who folded pays too, the short stack what it has."""
    table = Table(stacks(100, 6, 100), {0: "7s2h"}, rules=rules(seven_deuce=20, winner_shows=True))
    table.raise_to(0, 30).fold(1, 2).show(0)
    assert table.state.stacks == (136, 0, 70)
    for entries in (
        phh.read(phh.write(table.events, rules=table.rules).splitlines(keepends=True)),
        ohh.read([ohh.write(table.events, rules=table.rules)]),
    ):
        (entry,) = entries
        assert isinstance(entry.hand, PhhHand), entry
        assert replay(entry.hand).stacks == (0, 70, 136)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("_later_boards", "2d"),
        ("_later_boards", [["2d"]] * 3),
        ("_later_boards", [[["2d", "3d", "4d"], 5]]),
        ("_later_boards", [5]),
        ("_opening_bet", -1),
        ("_opening_bet", "ten"),
        ("_seven_deuce", 5),
        ("_seven_deuce", [20]),
        ("_seven_deuce", ["a", "b", "c"]),
        ("_seven_deuce", [20, 20, 20]),
    ],
)
def test_a_field_of_our_own_that_cannot_be_is_named(field: str, value: Any) -> None:
    table = Table(stacks(100, 100, 100), rules=rules(run_times=2)).fold(0, 1)
    written = json.loads(ohh.write(table.events, rules=table.rules))
    written["ohh"][field] = value
    (entry,) = ohh.read([json.dumps(written)])
    assert isinstance(entry.hand, Refusal), "refused, not read as something else"
    assert entry.hand.facts["field"] == field

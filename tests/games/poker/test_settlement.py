"""Hands with every option of the table give the same stacks and rake by a second, plain code."""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.games.poker import AllIn, HoldemRules, HoldemSetup, OddChips
from croupier.games.poker.rules.actions import HoldemAction, RunIt
from croupier.games.poker.rules.config import AnteFrom, BlindsFrom
from croupier.games.poker.rules.events import HoldemEvent, Post, Posted, RunAgreed
from croupier.games.poker.rules.state import Hand
from tests.games.poker.driving import random_action
from tests.games.poker.settlement import settle, told
from tests.games.poker.test_exports import played
from tests.games.poker.test_table_options import random_rules

A_TEST = 40


def _rules(chance: random.Random) -> HoldemRules:
    made = random_rules(chance)
    if made.blinds_from is BlindsFrom.TWO_SEATS:
        made = replace(made, ante=chance.choice((0, 0, 3)))
        made = replace(made, ante_from=chance.choice(list(AnteFrom)) if made.ante else AnteFrom.EACH)
    cap = chance.choice((0, 7)) if made.rake_permille else 0
    return replace(made, odd_chips=chance.choice(list(OddChips)), rake_cap=cap)


def _agreeing(made: HoldemRules, state: Hand, seat: int, chance: random.Random) -> HoldemAction:
    """Any offer, but often all chips, and mostly as many run-outs as can be: else hardly any would be agreed on."""
    for offer in made.menu(state, seat):
        if isinstance(offer.action, RunIt) and chance.random() < 0.9:
            return offer.choose(offer.high)
        if isinstance(offer.action, AllIn) and chance.random() < 0.2:
            return offer.action
    return random_action(made, state, seat, chance)


def _played(number: int, hand_number: int) -> tuple[HoldemRules, HoldemSetup, Hand, list[HoldemEvent]]:
    chance = random.Random(f"settle {number} {hand_number}")
    made = _rules(chance)
    seats = chance.randint(2, min(6, made.seats_max))
    chips = tuple(chance.choice((chance.randint(1, 60), 200)) for _ in range(seats))
    owed: Any = {}
    if made.missed_blinds and chance.random() < 0.7:
        owed = {"missed": (0,) * (seats - 1) + (chance.choice((1, 2, 3)),)}
    setup = HoldemSetup(stacks=chips, hand=chance.choice((1, 2)), **owed)
    return made, setup, *played(made, setup, chance, _agreeing)


@pytest.mark.parametrize("number", [*range(8), *(pytest.param(n, marks=pytest.mark.soak) for n in range(8, 400))])
def test_random_hands_with_every_option_settle_as_by_a_second_code(number: int) -> None:
    for hand_number in range(A_TEST):
        made, setup, hand, events = _played(number, hand_number)
        stacks, rake = settle(told(made, setup.stacks, setup.button, events))
        assert stacks == {seat: hand.stacks[seat] for seat in hand.order}, (number, hand_number, made)
        assert rake == hand.rake, (number, hand_number, made)


def test_the_hands_have_what_the_second_code_is_for() -> None:
    """Run-outs, bomb pots, rake and dead small blinds are not left out by chance."""
    seen = dict.fromkeys(("run", "bomb", "rake", "dead"), 0)
    for number in range(8):
        for hand_number in range(20):
            _, _, hand, events = _played(number, hand_number)
            posts = {event.post for event in events if isinstance(event, Posted)}
            seen["run"] += any(isinstance(event, RunAgreed) for event in events)
            seen["bomb"] += Post.BOMB in posts
            seen["rake"] += hand.rake > 0
            seen["dead"] += Post.DEAD in posts
    assert min(seen.values()) >= 5, seen

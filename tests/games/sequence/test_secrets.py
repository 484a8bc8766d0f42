"""A hand is its player's alone: nobody else may know it."""

from random import Random

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from croupier.game.game import Viewer, numbers_in
from croupier.games.sequence import CLASSIC, HOUSE, SequenceRules, SequenceView
from croupier.games.sequence.rules.cards import CardId
from croupier.games.sequence.rules.events import SequenceEvent
from tests.games.sequence.play import Played, normal, play_again, play_out, position, turn

TABLES = [(HOUSE, 2), (HOUSE, 4), (HOUSE, 12), (CLASSIC, 2), (CLASSIC, 3)]


def received(played: Played, viewer: Viewer) -> list[bytes]:
    """The bytes that a viewer gets: what it hears and what it sees, step by step."""
    rules = played.rules
    return [
        msgspec.json.encode(
            (
                [told.event for told in step.told if told.to.hears(viewer)],
                rules.view(step.state, viewer),
                rules.menu(step.state, -1 if viewer is None else viewer),
            )
        )
        for step in played.steps
    ]


def redealt(played: Played, viewer: Viewer, random: Random) -> list[list[CardId]]:
    """The packs with everything that the viewer was never shown dealt differently."""
    packs = [list(pack) for pack in played.packs]
    places = played.deal_places()
    known = {places[number] for number in numbers_in(played.rules.known(played.state, viewer))}
    for number, pack in enumerate(packs):
        hidden = [place for place in range(len(pack)) if (number, place) not in known]
        mixed = random.sample(hidden, len(hidden))
        pack[:] = [pack[dict(zip(hidden, mixed, strict=True)).get(place, place)] for place in range(len(pack))]
    return packs


@pytest.mark.parametrize(("rules", "seats"), TABLES)
@given(seed=st.integers(0, 2**32), actions=st.integers(0, 60))
def test_what_a_viewer_cannot_know_changes_nothing_it_receives(
    rules: SequenceRules, seats: int, seed: int, actions: int
) -> None:
    random = Random(seed)
    played = play_out(rules, seats, random, actions_max=actions)
    for viewer in (None, random.randrange(seats)):
        again = play_again(played, redealt(played, viewer, random))
        # A pass tells everybody that a hand had nothing to play, which other cards would contradict.
        assume(again is not None and len(again.steps) == len(played.steps))
        assert received(again, viewer) == received(played, viewer)


def test_redealing_does_change_what_the_others_hold() -> None:
    played = play_out(HOUSE, 4, Random(1), actions_max=20)
    again = play_again(played, redealt(played, 0, Random(2)))
    assert again is not None
    assert again.state.hands[0] == played.state.hands[0]
    assert all(again.state.hands[seat] != played.state.hands[seat] for seat in (1, 2, 3))
    assert received(again, 1) != received(played, 1)


def test_a_spectator_learns_no_hand() -> None:
    view = HOUSE.view(position("heart_9_1", "heart_8_1"), None)
    assert view.private is None
    assert "heart" not in msgspec.json.encode(view).decode()
    assert numbers_in(HOUSE.known(position("heart_9_1", "heart_8_1"), None)) == ()


def test_a_teammate_learns_no_hand() -> None:
    state = position("heart_9_1", "heart_8_1", "heart_7_1", "heart_6_1")
    assert "heart_7_1" in msgspec.json.encode(HOUSE.view(state, 2)).decode()
    for other in (0, 1, 3):
        assert "heart_7_1" not in msgspec.json.encode(HOUSE.view(state, other)).decode()
        assert 2 not in numbers_in(HOUSE.known(state, other))


def test_a_state_does_not_print_its_hands() -> None:
    state = position("heart_9_1", "heart_8_1")
    assert "heart" not in repr(state)


def test_a_viewer_knows_the_own_hand_and_every_card_played() -> None:
    state = position("heart_9_1 heart_8_1", "spade_3_1 spade_4_1")
    state = turn(state, normal("heart_9_1", 28))
    assert numbers_in(HOUSE.known(state, None)) == (0,)
    assert numbers_in(HOUSE.known(state, 0)) == (0, 1, 4)
    assert numbers_in(HOUSE.known(state, 1)) == (0, 2, 3)


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_a_card_that_was_shown_stays_known_when_it_is_shuffled_in_again(rules: SequenceRules, seats: int) -> None:
    came_again = 0
    for seed in range(60):
        played = play_out(rules, seats, Random(seed))
        places = played.deal_places()
        known = [places[number] for number in numbers_in(rules.known(played.state, None))]
        shown = [played.packs[pack][place] for pack, place in known]
        # A card is known once for every time it was played, and no other card is known.
        assert sorted(shown) == sorted(action.card_id for _, action in played.commands)
        came_again += len(set(shown)) < len(shown)
    assert came_again, "in none of the games a card was dealt and played twice"


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_views_events_and_menus_survive_json(rules: SequenceRules, seats: int) -> None:
    played = play_out(rules, seats, Random(7))
    for step in played.steps:
        for viewer in (None, *range(seats)):
            view = rules.view(step.state, viewer)
            assert msgspec.json.decode(msgspec.json.encode(view), type=SequenceView) == view
        for told in step.told:
            assert msgspec.json.decode(msgspec.json.encode(told.event), type=SequenceEvent) == told.event
    assert msgspec.json.decode(msgspec.json.encode(rules), type=SequenceRules) == rules

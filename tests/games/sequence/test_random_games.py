"""Whole games of random plays: they end, they replay, and nothing is lost on the way."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.game.game import AnyRules, Over, Rules, Turn, offered
from croupier.game.refusal import Refusal
from croupier.games.sequence import CLASSIC, HOUSE, SequenceAction, SequenceEvent, SequenceRules, SequenceSetup
from croupier.games.sequence.rules.actions import ExchangeDeadCard, PlayJackRemove, PlayJackWild, PlayNormal, asked
from croupier.games.sequence.rules.board import CORNERS
from croupier.games.sequence.rules.cards import PACK, CardId
from croupier.games.sequence.rules.events import GameEnded, Passed, SequenceCompleted, TurnPlayed
from croupier.games.sequence.rules.state import Phase, State
from croupier.games.sequence.rules.view import SequenceView
from tests.games.sequence.play import all_actions, play_again, play_out, shown

TABLES = [(HOUSE, 2, 2), (HOUSE, 6, 2), (HOUSE, 12, 2), (CLASSIC, 2, 2), (CLASSIC, 6, 3), (CLASSIC, 9, 3)]
SEEDS = st.integers(0, 2**32)


def test_the_rules_are_rules() -> None:
    rules: Rules[State, SequenceAction, SequenceEvent, SequenceView, CardId, SequenceSetup] = SequenceRules()
    anything: AnyRules = rules
    assert anything.seat_range == (2, 12)


@pytest.mark.parametrize(("rules", "seats", "teams"), TABLES)
def test_every_random_game_ends(rules: SequenceRules, seats: int, teams: int) -> None:
    for seed in range(30):
        played = play_out(rules, seats, Random(seed), teams=teams)
        assert isinstance(rules.awaits(played.state), Over), shown(played.state, rules)


@pytest.mark.parametrize(("rules", "seats", "teams"), TABLES)
@settings(max_examples=30)
@given(seed=SEEDS)
def test_invariants_of_every_state(rules: SequenceRules, seats: int, teams: int, seed: int) -> None:
    played = play_out(rules, seats, Random(seed), actions_max=150, teams=teams)
    for step in played.steps:
        check_state(rules, step.state)
    awaited = rules.awaits(played.state)
    if isinstance(awaited, Over):
        assert sum(awaited.payouts) == 0


def check_state(rules: SequenceRules, state: State) -> None:
    held = [card for hand in state.hands for card in hand.cards.open()]
    in_play = [*held, *state.discards]
    assert len(in_play) == len(set(in_play)), "no card is in two places"
    assert state.phase is Phase.DEAL or len(in_play) + state.pack_left == len(PACK), "no card is lost"
    chips = [cells for cells in state.chips if cells]
    assert sum(chips) == state.occupied(), f"no cell has two chips\n{shown(state, rules)}"
    free = CORNERS if rules.free_corners else 0
    assert not state.occupied() & free, shown(state, rules)
    for done in state.completed:
        cells = done.line.cell_set
        assert cells & (state.chips[done.team] | free) == cells, f"a sequence keeps its chips\n{shown(state, rules)}"
    for team in range(state.setup.teams):
        lines = state.lines_of(team)
        for at, line in enumerate(lines):
            assert all((line.cell_set & other.cell_set).bit_count() <= 1 for other in lines[:at]), shown(state, rules)
    needed = rules.sequences_needed(state.setup.teams)
    won = any(len(state.lines_of(team)) >= needed for team in range(state.setup.teams))
    assert won == (state.winner is not None), shown(state, rules)


@pytest.mark.parametrize(("rules", "seats", "teams"), TABLES)
@given(seed=SEEDS, actions=st.integers(0, 100))
def test_what_is_offered_is_accepted_and_all_else_is_refused(
    rules: SequenceRules, seats: int, teams: int, seed: int, actions: int
) -> None:
    random = Random(seed)
    state = play_out(rules, seats, random, actions_max=actions, teams=teams).state
    before = repr(state), state.hands
    for seat in range(seats):
        menu = rules.menu(state, seat)
        assert bool(menu) == (rules.awaits(state) == Turn((seat,)))
        for action in all_actions(menu):
            assert not isinstance(rules.act(state, seat, action), Refusal), action
        for action in random_actions(state, seat, random):
            assert isinstance(rules.act(state, seat, action), Refusal) != offered(menu, action), action
    assert (repr(state), state.hands) == before


def random_actions(state: State, seat: int, random: Random) -> list[SequenceAction]:
    """Any action with a card of the hand, or with any card, on any cell or beside the board."""
    found: list[SequenceAction] = []
    for card in (*state.hands[seat].cards.open(), random.choice(PACK)):
        cells = random.sample(range(-1, 101), 5)
        found.append(ExchangeDeadCard(card))
        found += [kind(card, cell) for kind in (PlayNormal, PlayJackWild, PlayJackRemove) for cell in cells]
    return found


@pytest.mark.parametrize(("rules", "seats", "teams"), TABLES)
def test_the_same_packs_and_commands_give_the_same_game(rules: SequenceRules, seats: int, teams: int) -> None:
    for seed in range(10):
        played = play_out(rules, seats, Random(seed), teams=teams)
        again = play_again(played, played.packs)
        assert again is not None
        assert again.steps == played.steps


@pytest.mark.parametrize(("rules", "seats", "teams"), TABLES)
def test_the_log_has_every_turn_once_and_every_sequence(rules: SequenceRules, seats: int, teams: int) -> None:
    for seed in range(10):
        played = play_out(rules, seats, Random(seed), teams=teams)
        log = [told.event for step in played.steps for told in step.told]
        turns = [event for event in log if isinstance(event, TurnPlayed | Passed)]
        assert [event.turn_number for event in turns] == list(range(1, played.state.turn_number + 1))
        assert [event.seat for event in turns] == [turn % seats for turn in range(len(turns))]
        plays = [(event.seat, event.action) for event in turns if isinstance(event, TurnPlayed)]
        assert plays == [
            (seat, asked(move)) for seat, move in played.commands if not isinstance(move, ExchangeDeadCard)
        ]
        sequences = [event.cells for event in log if isinstance(event, SequenceCompleted)]
        assert sequences == [done.line.cells for done in played.state.completed]
        assert isinstance(log[-1], GameEnded)


def test_games_end_by_win_and_by_draw() -> None:
    winners = {play_out(HOUSE, 2, Random(seed)).state.winner for seed in range(100)}
    assert winners == {0, 1, None}


@pytest.mark.soak
@pytest.mark.parametrize(("rules", "seats", "teams"), TABLES)
def test_thousands_of_random_games_end(rules: SequenceRules, seats: int, teams: int) -> None:
    for seed in range(2_000):
        played = play_out(rules, seats, Random(seed), teams=teams)
        assert isinstance(rules.awaits(played.state), Over), shown(played.state, rules)
        check_state(rules, played.state)

"""The dead button, missed blinds, and bomb pots that the host asks for."""

import random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from croupier.game.game import Change, Draw, Over, Step, Turn
from croupier.game.refusal import Refusal
from croupier.games.poker import CASH, GAME, HoldemRules, HoldemSetup, Mode
from croupier.games.poker.rules.events import HandStarted, Post, Posted, PotAwarded
from tests.games.poker.driving import Table, random_action, stacks

DEAD = replace(CASH, dead_button=True)


def posts(table: Table) -> list[tuple[int, str, int]]:
    return [(event.seat, event.post, event.amount) for event in table.events if isinstance(event, Posted)]


def amended(rules: HoldemRules, setup: HoldemSetup, *changes: tuple[int, Any]) -> HoldemSetup:
    for seat, kind in changes:
        after = rules.amend(setup, Change(seat, kind))
        assert isinstance(after, HoldemSetup), after
        setup = after
    return setup


def folded_round(rules: HoldemRules, setup: HoldemSetup) -> tuple[Table, HoldemSetup]:
    """A hand that everybody folds, and what the next one starts from."""
    table = Table(setup, rules=rules)
    while table.turn is not None:
        table.fold(table.turn)
    return table, rules.following(table.state)


def blinds(rules: HoldemRules, setup: HoldemSetup) -> tuple[int, list[tuple[int, str, int]]]:
    table = Table(setup, rules=rules)
    (started,) = [event for event in table.events if isinstance(event, HandStarted)]
    return started.button, posts(table)


def test_after_two_leave_the_small_blind_and_then_the_button_are_dead() -> None:
    """Five players, the blinds on seats 1 and 2. Both leave, and nobody pays a big blind early or twice."""
    _, setup = folded_round(DEAD, stacks(1000, 1000, 1000, 1000, 1000))
    setup = amended(DEAD, setup, (1, "left"), (2, "left"))
    assert blinds(DEAD, setup) == (1, [(3, Post.BIG_BLIND, 10)]), "the button is dead, and so is the small blind"
    table, setup = folded_round(DEAD, setup)
    assert table.state.order == (3, 4, 0)
    assert table.state.forced.first == 4
    assert blinds(DEAD, setup) == (2, [(3, Post.SMALL_BLIND, 5), (4, Post.BIG_BLIND, 10)]), "the button is dead"
    _, setup = folded_round(DEAD, setup)
    assert blinds(DEAD, setup) == (3, [(4, Post.SMALL_BLIND, 5), (0, Post.BIG_BLIND, 10)])


def test_the_moving_button_skips_those_who_left() -> None:
    _, setup = folded_round(CASH, stacks(1000, 1000, 1000, 1000, 1000))
    setup = amended(CASH, setup, (1, "left"), (2, "left"))
    assert blinds(CASH, setup) == (3, [(4, Post.SMALL_BLIND, 5), (0, Post.BIG_BLIND, 10)])


@pytest.mark.parametrize(("gone", "small", "big"), [(0, 2, 1), (1, 2, 0), (2, 1, 0)])
def test_when_two_are_left_the_big_blind_moves_on_and_the_other_has_the_button(gone: int, small: int, big: int) -> None:
    """Seat 0 had the button, 1 the small blind, 2 the big one."""
    _, setup = folded_round(DEAD, stacks(1000, 1000, 1000))
    setup = amended(DEAD, setup, (gone, "left"))
    assert blinds(DEAD, setup) == (small, [(small, Post.SMALL_BLIND, 5), (big, Post.BIG_BLIND, 10)])


def test_a_third_player_between_button_and_small_blind_gets_the_button_once() -> None:
    rules = replace(DEAD, missed_blinds=False)
    _, setup = folded_round(rules, stacks(1000, 0, 1000))  # 0 has the button and the small blind, 2 the big one
    setup = rules.amend(setup, Change(1, "taken", 1000))
    assert blinds(rules, setup) == (1, [(2, Post.SMALL_BLIND, 5), (0, Post.BIG_BLIND, 10)])


def test_nobody_pays_the_big_blind_twice_before_everybody_has_paid_it_with_a_dead_button() -> None:
    """Players sit out and come back at random; whoever is dealt in every hand of an orbit pays one big blind in it."""
    rules = replace(DEAD, missed_blinds=False)
    for seed in range(30):
        chance = random.Random(seed)
        setup = stacks(*[100_000] * 6)
        last = -1
        for _ in range(30):
            table, setup = folded_round(rules, setup)
            big = next(seat for seat, post, _ in posts(table) if post == Post.BIG_BLIND)
            between = [(last + step) % 6 for step in range(1, (big - last - 1) % 6 + 1)] if last >= 0 else []
            assert not {*between} & {*table.state.order}, "the big blind skips nobody who plays"
            last = big
            seat = chance.randrange(6)
            kind: Any = "sat_in" if seat in setup.sitting_out else "sat_out"
            if kind == "sat_in" or len(setup.sitting_out) < 4:
                setup = amended(rules, setup, (seat, kind))


def _out_while(hands: int, seat: int = 1) -> HoldemSetup:
    """Four players; a seat sits out for so many hands, the first of them with the button on seat 0."""
    setup = amended(CASH, stacks(1000, 1000, 1000, 1000), (seat, "sat_out"))
    for _ in range(hands):
        _, setup = folded_round(CASH, setup)
    return setup


def test_who_missed_both_blinds_posts_a_live_big_and_a_dead_small_blind() -> None:
    setup = _out_while(3, seat=3)
    assert setup.missed == (0, 0, 0, 3)
    setup = amended(CASH, setup, (3, "sat_in"))
    table = Table(setup, {3: "AsAh", 0: "2c7d", 1: "2d7h", 2: "2h7s"}, "KsKhQd9c4c", CASH)
    assert posts(table)[:1] == [(3, Post.DEAD, 5)]
    assert (3, Post.MISSED, 10) in posts(table)
    assert table.state.dead == 5
    assert table.state.bets[3] == 10
    assert table.state.bet == 10, "the dead small blind is no part of the bet"
    while table.turn is not None and table.state.board == ():
        table.call(table.turn) if "Call" in table.menu else table.check(table.turn)
    while table.turn is not None:
        table.check(table.turn) if "Check" in table.menu else table.muck(table.turn)
    (award,) = [event for event in table.events if isinstance(event, PotAwarded)]
    assert award.amount == 45
    assert table.rules.following(table.state).missed is msgspec.UNSET, "nothing is owed any more"


def test_who_missed_the_small_blind_alone_posts_it_dead() -> None:
    setup = amended(CASH, stacks(1000, 1000, 1000, 1000), (1, "sat_out"))
    _, setup = folded_round(CASH, setup)
    assert setup.missed == (0, 1, 0, 0)
    assert posts(Table(amended(CASH, setup, (1, "sat_in")), rules=CASH))[0] == (1, Post.DEAD, 5)


def test_who_sits_out_when_the_small_blind_is_theirs_owes_it_though_two_others_play_on_with_a_dead_button() -> None:
    """Seat 0 had the button, 1 the small blind, 2 the big one and sits out. With three it would now have the small one;
    then the button, and then the big blind again."""
    _, setup = folded_round(DEAD, stacks(1000, 1000, 1000))
    setup = amended(DEAD, setup, (2, "sat_out"))
    for small, big, owed in [(1, 0, 1), (0, 1, 1), (1, 0, 3)]:
        table, setup = folded_round(DEAD, setup)
        assert posts(table) == [(small, Post.SMALL_BLIND, 5), (big, Post.BIG_BLIND, 10)]
        assert setup.missed == (0, 0, owed)
    back = amended(DEAD, setup, (2, "sat_in"))
    assert blinds(DEAD, back) == (
        2,
        [(2, Post.DEAD, 5), (0, Post.SMALL_BLIND, 5), (1, Post.BIG_BLIND, 10), (2, Post.MISSED, 10)],
    )
    waits = amended(DEAD, setup, (2, "waits"))
    assert blinds(DEAD, waits) == (0, [(0, Post.SMALL_BLIND, 5), (1, Post.BIG_BLIND, 10)]), "it is not their big blind"


def test_who_waits_is_dealt_in_as_the_big_blind_and_owes_no_more() -> None:
    setup = amended(CASH, _out_while(3, seat=3), (3, "waits"))
    for _ in range(4):
        table = Table(setup, rules=CASH)
        if 3 in table.state.dealt:
            break
        assert table.rules.view(table.state, 3).seats[3].state == "waiting"
        _, setup = folded_round(CASH, setup)
    assert (3, Post.BIG_BLIND, 10) in posts(table)
    assert not [post for post in posts(table) if post[1] in (Post.MISSED, Post.DEAD)]
    after = folded_round(CASH, setup)[1]
    assert (after.sitting_out, after.missed, after.waiting) == ((), msgspec.UNSET, msgspec.UNSET)


def test_who_owes_nothing_need_not_wait() -> None:
    setup = amended(CASH, stacks(1000, 1000, 1000, 1000), (2, "sat_out"), (2, "waits"))
    assert setup.sitting_out == ()


def test_nobody_waits_where_too_few_others_play() -> None:
    setup = HoldemSetup(stacks=(1000, 1000), sitting_out=(1,), missed=(0, 3), waiting=(1,))
    assert Table(setup, rules=CASH).state.order == (1, 0)


def test_a_newcomer_to_a_running_game_posts_the_big_blind() -> None:
    _, setup = folded_round(CASH, stacks(1000, 1000, 1000, 0, 1000))
    taken = CASH.amend(setup, Change(3, "taken", 1000))
    assert isinstance(taken, HoldemSetup)
    assert taken.missed == (0, 0, 0, 2, 0)
    assert CASH.view(Table(amended(CASH, taken, (3, "sat_out")), rules=CASH).state, None).seats[3].owes == 10
    assert amended(CASH, taken, (3, "left")).missed is msgspec.UNSET


def test_the_second_player_at_a_table_owes_nothing() -> None:
    taken = CASH.amend(HoldemSetup(stacks=(1000, 0)), Change(1, "taken", 1000))
    assert isinstance(taken, HoldemSetup)
    assert taken.missed is msgspec.UNSET


def test_a_bomb_pot_has_no_blinds_to_miss_or_to_post() -> None:
    rules = replace(CASH, bomb_every=1, bomb_ante=20)
    setup = HoldemSetup(stacks=(1000, 1000, 1000), sitting_out=(1,))
    table, after = folded_round(rules, setup)
    assert {post for _, post, _ in posts(table)} == {Post.BOMB}
    assert after.missed is msgspec.UNSET
    owing = HoldemSetup(stacks=(1000, 1000, 1000), missed=(0, 0, 3))
    assert folded_round(rules, owing)[1].missed == (0, 0, 3)


def test_a_missed_blind_and_a_straddle_in_one_seat_are_a_straddle() -> None:
    rules = replace(CASH, straddle=True)
    table = Table(HoldemSetup(stacks=(1000, 1000, 1000, 1000), missed=(0, 0, 0, 3)), rules=rules)
    assert posts(table) == [
        (3, Post.DEAD, 5),
        (1, Post.SMALL_BLIND, 5),
        (2, Post.BIG_BLIND, 10),
        (3, Post.STRADDLE, 20),
    ]


def test_a_missed_blind_that_cannot_be_paid_in_full_is_all_in_dead_first() -> None:
    table = Table(HoldemSetup(stacks=(1000, 1000, 1000, 8), missed=(0, 0, 0, 3)), rules=CASH)
    assert posts(table)[0] == (3, Post.DEAD, 5)
    assert posts(table)[-1] == (3, Post.MISSED, 3)


def test_the_host_asks_for_a_bomb_pot() -> None:
    rules = replace(CASH, bomb_ante=50)
    setup = rules.amend(stacks(1000, 1000, 1000), Change(0, "bomb"))
    assert isinstance(setup, HoldemSetup)
    table = Table(setup, rules=rules)
    assert table.state.paid == (50, 50, 50)
    assert len(table.state.board) == 3
    while table.turn is not None:
        table.fold(table.turn)
    after = rules.following(table.state)
    assert after.bomb is msgspec.UNSET, "one hand only"
    assert after.button == 1
    assert isinstance(CASH.amend(stacks(1000, 1000), Change(0, "bomb")), Refusal)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"dead_button": True, "small_blind": 0, "blinds_from": "button", "missed_blinds": False}, "dead_button"),
        ({"small_blind": 0, "blinds_from": "button"}, "missed_blinds"),
        ({"mode": "tournament"}, "mode"),
        ({"edition": 4, "missed_blinds": False, "dead_button": True}, "edition"),
        ({"edition": 4}, "edition"),
        ({"edition": 4, "missed_blinds": False, "bomb_ante": 5}, "edition"),
    ],
)
def test_what_contradicts_missed_blinds_and_the_dead_button_is_refused(options: dict[str, Any], named: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=rf"^{named}=\S+ .* \(OPTIONS_CLASH\)"):
        msgspec.convert(msgspec.to_builtins(CASH) | options, HoldemRules)


@pytest.mark.parametrize("field", ["small", "missed", "waiting", "bomb"])
def test_a_setup_that_its_rules_have_no_use_for_is_refused(field: str) -> None:
    values: dict[str, Any] = {"small": 1, "missed": (0, 0, 3), "waiting": (2,), "bomb": True}
    plain = replace(CASH, missed_blinds=False)
    refused = plain.opening(HoldemSetup(stacks=(9, 9, 9), sitting_out=(2,), **{field: values[field]}))
    assert isinstance(refused, Refusal)
    assert refused.facts == {"field": field}


def test_setups_of_before_keep_their_form() -> None:
    old = msgspec.to_builtins(HoldemSetup(stacks=(5, 5)))
    assert set(old) == {"stacks", "button", "hand", "statistics", "sittingOut", "places", "forced"}


@pytest.mark.parametrize("number", range(40))
def test_no_chip_is_lost_while_people_come_and_go(number: int) -> None:
    chance = random.Random(f"returning {number}")
    named = chance.choice([rules for rules in GAME.presets.values() if rules.mode is Mode.CASH and rules.missed_blinds])
    rules = replace(named, dead_button=chance.random() < 0.5, straddle=chance.random() < 0.3, bomb_ante=20)
    setup = HoldemSetup(stacks=tuple(chance.choice((9, 40, 1000)) for _ in range(5)))
    for _ in range(12):
        for _ in range(chance.randrange(3)):
            seat = chance.randrange(5)
            kind: Any = chance.choice(("sat_out", "sat_in", "waits", "left", "taken", "bomb"))
            chips = 1000 - setup.stacks[seat] if kind == "taken" else 0
            after = rules.amend(setup, Change(seat, kind, chips))
            setup = setup if isinstance(after, Refusal) else after
        opened = rules.opening(setup)
        if not isinstance(opened, Step):
            assert len([seat for seat, chips in enumerate(setup.stacks) if chips and seat not in setup.sitting_out]) < 2
            continue
        state = opened.state
        shoe = chance.sample(rules.pack_cards, len(rules.pack_cards))
        while not isinstance(waiting := rules.awaits(state), Over):
            assert sum(rules.chips(state)) == sum(setup.stacks)
            if isinstance(waiting, Draw):
                state = rules.deal(state, tuple(shoe.pop() for _ in waiting.places)).state
                continue
            assert isinstance(waiting, Turn)
            step = rules.act(state, waiting.seats[0], random_action(rules, state, waiting.seats[0], chance))
            assert isinstance(step, Step)
            state = step.state
        assert sum(state.stacks) == sum(setup.stacks)
        again = rules.following(state)
        assert msgspec.convert(msgspec.to_builtins(again), HoldemSetup) == again
        setup = again


@pytest.mark.parametrize("seat", [3, -1])
def test_a_seat_that_does_not_exist_sits_nowhere_and_not_out(seat: int) -> None:
    """A record can say so; its check must not fail over it."""
    refused = CASH.opening(HoldemSetup(stacks=(1000, 1000, 1000), sitting_out=(seat,)))
    assert isinstance(refused, Refusal)
    assert refused.facts["field"] == "sittingOut"

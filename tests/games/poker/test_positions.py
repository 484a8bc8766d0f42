"""Button, blinds and the order of acting."""

from croupier.game.refusal import Refusal
from croupier.games.poker import AnteFrom, HoldemRules, HoldemSetup, Level, Mode
from croupier.games.poker.rules.events import HandStarted, Post, Posted
from tests.games.poker.driving import CASH, Table, stacks


def posted(table: Table, *posts: Post) -> dict[int, int]:
    return {event.seat: event.amount for event in table.events if isinstance(event, Posted) and event.post in posts}


def blinds(table: Table) -> list[tuple[int, int]]:
    """Seat and amount of the blinds as they were posted: the small one must come first."""
    posts = [event for event in table.events if isinstance(event, Posted) and event.post is not Post.ANTE]
    assert [event.post for event in posts] == [Post.SMALL_BLIND, Post.BIG_BLIND]
    return [(event.seat, event.amount) for event in posts]


def test_small_blind_is_left_of_the_button_and_the_seat_after_the_big_blind_acts_first() -> None:
    table = Table(stacks(1000, 1000, 1000, 1000, button=1))
    assert blinds(table) == [(2, 5), (3, 10)]
    assert table.turn == 0
    table.call(0, 1, 2).check(3)
    assert table.turn == 2


def test_three_handed_the_button_acts_first_before_the_flop_and_last_after_it() -> None:
    table = Table(stacks(1000, 1000, 1000, button=0))
    assert blinds(table) == [(1, 5), (2, 10)]
    table.call(0, 1).check(2)
    table.check(1, 2)
    assert table.turn == 0


def test_heads_up_the_button_posts_the_small_blind_acts_first_and_then_last() -> None:
    table = Table(stacks(1000, 1000, button=1))
    assert blinds(table) == [(1, 5), (0, 10)]
    assert table.turn == 1
    table.call(1)
    assert table.turn == 0, "the big blind has the option"
    table.check(0)
    assert table.turn == 0, "after the flop the button is last"


def test_button_and_blinds_skip_seats_without_chips() -> None:
    table = Table(stacks(1000, 0, 1000, 0, 1000, button=0))
    assert blinds(table) == [(2, 5), (4, 10)]
    table.fold(0, 2)
    following = table.rules.following(table.state)
    assert following.button == 2


def test_the_button_moves_to_the_next_seat_with_chips() -> None:
    setup = stacks(1000, 1000, 1000, button=2)
    table = Table(setup).fold(2, 0)
    following = table.rules.following(table.state)
    assert (following.button, following.hand) == (0, 2)


def test_from_three_players_to_two_the_new_button_has_the_small_blind() -> None:
    table = Table(stacks(1000, 20, 1000, button=0), {0: "AsAh", 1: "7c2d", 2: "KsKh"}, "AcKd9s8s3h")
    table.raise_to(0, 20).call(1).fold(2)
    following = table.rules.following(table.state)
    assert following.stacks[1] == 0
    assert following.button == 2
    heads_up = Table(following)
    assert blinds(heads_up) == [(2, 5), (0, 10)]
    assert heads_up.turn == 2


def test_a_short_blind_is_all_in_and_the_others_still_owe_the_full_big_blind() -> None:
    table = Table(stacks(1000, 1000, 4, 1000, button=0))
    assert blinds(table) == [(1, 5), (2, 4)]
    assert table.turn == 3
    assert table.state.bet == 10
    assert table.menu["Raise"][0] == 20
    table.call(3)
    assert table.state.stacks[3] == 990


def test_with_everybody_else_all_in_a_short_blind_asks_no_more_than_what_is_there() -> None:
    table = Table(stacks(1000, 3, button=0), {0: "AsAh", 1: "KsKh"}, "2c3d5h8s9c")
    assert table.is_over, "five are in against three: nothing to call"
    assert table.state.stacks == (1003, 0)
    table = Table(stacks(1000, 8, button=0), {0: "AsAh", 1: "KsKh"}, "2c3d5h8s9c")
    assert table.turn == 0
    assert table.rules.view(table.state, 0).to_call == 3
    table.call(0)
    assert table.state.stacks == (1008, 0)


def test_antes_of_all_seats_are_paid_before_the_blinds() -> None:
    table = Table(stacks(1000, 1000, 7, 1000), rules=HoldemRules(mode=Mode.CASH, ante=2))
    assert posted(table, Post.ANTE) == {0: 2, 1: 2, 2: 2, 3: 2}
    assert blinds(table) == [(1, 5), (2, 5)]


def test_a_big_blind_ante_is_paid_by_the_big_blind_for_everybody_and_is_dead() -> None:
    rules = HoldemRules(mode=Mode.CASH, ante=10, ante_from=AnteFrom.BIG_BLIND)
    table = Table(stacks(1000, 1000, 1000), rules=rules)
    assert posted(table, Post.ANTE) == {2: 10}
    assert table.state.bets == (0, 5, 10)
    assert table.state.dead == 10
    table.fold(0, 1)
    assert table.state.stacks == (1000, 995, 1005)


def test_blinds_and_ante_double_every_ten_hands() -> None:
    rules = HoldemRules(ante=1)
    levels = [rules.level(rules.level_number(hand)) for hand in (1, 10, 11, 20, 21)]
    assert [(level.small_blind, level.big_blind, level.ante) for level in levels] == [
        (5, 10, 1), (5, 10, 1), (10, 20, 2), (10, 20, 2), (20, 40, 4),
    ]  # fmt: skip
    table = Table(stacks(1000, 1000, 1000, hand=11), rules=rules)
    started = table.told(HandStarted)[0]
    assert isinstance(started, HandStarted)
    assert (started.level, started.small_blind, started.big_blind, started.ante) == (2, 10, 20, 2)


def test_doubling_stops_before_the_numbers_leave_all_bounds() -> None:
    assert HoldemRules().level(10**8).big_blind == 10 * 2**30


def test_a_written_schedule_replaces_doubling_and_its_last_level_stays() -> None:
    rules = HoldemRules(hands_per_level=2, levels=(Level(10, 20), Level(15, 30, 5)))
    assert [rules.level(rules.level_number(hand)).big_blind for hand in (1, 2, 3, 4, 5, 99)] == [20, 20, 30, 30, 30, 30]
    view = rules.view(Table(stacks(100, 100, hand=2), rules=rules).state, None)
    assert (view.level, view.hands_to_next_level) == (1, 1)
    assert rules.view(Table(stacks(100, 100, hand=3), rules=rules).state, None).hands_to_next_level == 0


def test_no_hand_starts_with_one_player_or_with_the_button_on_an_empty_seat() -> None:
    refusal = CASH.opening(stacks(1000, 0, 0))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.facts) == ("TOO_FEW_PLAYERS", {"players": 1})
    refusal = CASH.opening(stacks(1000, 0, 1000, button=1))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.facts) == ("BUTTON_NOT_IN_PLAY", {"button": 1})
    refusal = CASH.opening(HoldemSetup(stacks=(5,) * 11))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "WRONG_SEAT_COUNT"
    refusal = CASH.opening(stacks(1000, -5, 1000))
    assert isinstance(refusal, Refusal)
    assert refusal.facts == {"field": "stacks"}

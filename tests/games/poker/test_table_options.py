"""What home games ask for: straddles, bomb pots, run-outs, rabbit hunts, showing, rake, seven-deuce."""

import random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from croupier.cards import Card
from croupier.game.game import Draw, Over, Step, Turn, numbers_in
from croupier.game.refusal import Refusal
from croupier.games.poker import CASH, GAME, HoldemRules, HoldemSetup, Muck, OddChips, Show
from croupier.games.poker.rules.actions import RunIt, ShowCard
from croupier.games.poker.rules.events import (
    Post,
    Posted,
    PotAwarded,
    RabbitDealt,
    RakeTaken,
    RunAgreed,
    SevenDeuce,
    Shown,
    StreetDealt,
)
from tests.games.poker.driving import Table, random_action, stacks

EACH = replace(CASH, odd_chips=OddChips.EACH)


def rules(**options: Any) -> HoldemRules:
    return msgspec.convert(msgspec.to_builtins(EACH) | options, HoldemRules)


def awards(table: Table) -> list[tuple[int, int, tuple[int, ...], tuple[int, ...]]]:
    found = [event for event in table.events if isinstance(event, PotAwarded)]
    return [(award.pot, award.board, award.winners, award.shares) for award in found]


def test_a_straddle_is_twice_the_big_blind_and_its_seat_has_the_option() -> None:
    table = Table(stacks(1000, 1000, 1000, 1000), rules=rules(straddle=True))
    assert [(event.seat, event.amount) for event in table.events if isinstance(event, Posted)] == [
        (1, 5),
        (2, 10),
        (3, 20),
    ]
    assert table.turn == 0
    assert table.menu["Raise"] == (40, 1000)
    table.call(0, 1, 2)
    assert table.turn == 3
    assert set(table.menu) == {"Fold", "Check", "Raise", "AllIn"}
    table.check(3)
    assert table.turn == 1, "after the flop the seat left of the button acts first"


def test_nobody_straddles_heads_up() -> None:
    table = Table(stacks(1000, 1000), rules=rules(straddle=True))
    assert not [event for event in table.events if isinstance(event, Posted) and event.post is Post.STRADDLE]
    assert table.turn == 0
    assert table.menu["Raise"] == (20, 1000)


def test_three_players_straddle_from_the_button() -> None:
    table = Table(stacks(1000, 1000, 1000), rules=rules(straddle=True))
    assert table.state.bets == (20, 5, 10)
    assert table.turn == 1


def test_a_bomb_pot_with_a_short_stack_gives_back_what_nobody_could_match() -> None:
    bomb = rules(bomb_every=1, bomb_ante=50)
    table = Table(stacks(1000, 20, 30), {0: "2c3d", 1: "AsAd", 2: "KsKd"}, "4h7h9cJcQd", bomb)
    assert [(event.seat, event.amount) for event in table.events if isinstance(event, Posted)] == [
        (1, 20),
        (2, 30),
        (0, 50),
    ]
    assert table.is_over
    assert table.state.stacks == (970, 60, 20)


def test_nobody_acts_before_the_flop_of_a_bomb_pot() -> None:
    bomb = rules(bomb_every=3, bomb_ante=50)
    table = Table(stacks(1000, 1000, 1000, hand=6), rules=bomb)
    assert len(table.state.board) == 3
    assert table.turn == 1
    assert table.state.paid == (50, 50, 50)
    assert Table(stacks(1000, 1000, 1000, hand=7), rules=bomb).state.bets == (0, 5, 10)


def test_running_it_twice_shares_each_of_three_side_pots_with_odd_chips_to_the_earlier_board() -> None:
    """Four stacks make a main pot and two side pots that are contested, and one that goes back."""
    twice = rules(run_times=2, small_blind=1, big_blind=1)
    hole = {0: "AsAh", 1: "KsKh", 2: "QsQh", 3: "JsJh"}
    table = Table(stacks(101, 21, 51, 200), hole, "2c3c4d5d7s 2d3h4hQd8s", twice)
    table.all_in(3, 0, 1, 2)
    assert [table.turn] == [1]
    table.act(1, RunIt(2)).act(2, RunIt(2)).act(3, RunIt(2)).act(0, RunIt(2))
    assert [event.times for event in table.events if isinstance(event, RunAgreed)] == [2]
    first, second = table.state.board, table.state.other_boards[0]
    assert len(set(first) | set(second)) == 10
    # The first board leaves the aces best; on the second the queens make three of a kind.
    assert awards(table) == [
        (0, 0, (0,), (42,)),
        (0, 1, (2,), (42,)),
        (1, 0, (0,), (45,)),
        (1, 1, (2,), (45,)),
        (2, 0, (0,), (50,)),
        (2, 1, (0,), (50,)),
    ]
    assert table.state.stacks == (187, 0, 87, 99)


def test_the_odd_chip_goes_to_the_first_board() -> None:
    twice = rules(run_times=2, small_blind=1, big_blind=1)
    table = Table(stacks(10, 10, 10), {0: "AsAh", 1: "KsKh"}, "2c3c4d5d7s 2d3hKdQd8s", twice)
    table.call(0).raise_to(1, 5).fold(2).all_in(0)
    table.call(1).act(1, RunIt(2)).act(0, RunIt(2))
    assert awards(table) == [(0, 0, (0,), (11,)), (0, 1, (1,), (10,))]


def test_one_who_says_once_decides_it() -> None:
    table = Table(stacks(100, 100), rules=rules(run_times=3))
    table.all_in(0).call(1)
    assert table.turn == 1
    assert table.menu == {"RunIt": (1, 3)}
    assert isinstance(table.attempt(1, RunIt(4)), Refusal)
    table.act(1, RunIt(1))
    assert table.is_over
    assert not table.state.other_boards
    assert not [event for event in table.events if isinstance(event, RunAgreed)]


def test_the_fewest_times_that_anybody_says_count() -> None:
    table = Table(stacks(100, 100), rules=rules(run_times=3)).all_in(0).call(1)
    table.act(1, RunIt(2))
    assert table.menu == {"RunIt": (1, 2)}
    table.act(0, RunIt(2))
    assert len(table.state.other_boards) == 1


def test_nothing_is_run_again_for_which_cards_are_missing() -> None:
    six = rules(run_times=3, hole_cards=6, used="two")
    table = Table(stacks(*[100] * 7), rules=six)
    for _ in range(7):
        assert table.turn is not None
        table.all_in(table.turn) if "AllIn" in table.menu else table.call(table.turn)
    assert table.is_over, "42 cards are dealt: the ten that are left are for one board"


def test_what_would_have_come_is_opened_and_changes_nothing() -> None:
    rabbit = rules(rabbit=True)
    table = Table(stacks(1000, 1000, 1000), board="2c3c4d5d7s", rules=rabbit).call(0, 1).check(2)
    table.bet(1, 100).fold(2, 0)
    assert table.is_over
    assert [event.cards for event in table.events if isinstance(event, RabbitDealt)] == [(Card("5d"), Card("7s"))]
    assert table.state.stacks == (990, 1020, 990)
    assert len(table.state.board) == 3


def test_who_won_unseen_may_show_one_card_all_or_none() -> None:
    asked = rules(winner_shows=True)
    for action, cards, seen in (
        (Show(), [("As", "7d")], ("As", "7d")),
        (ShowCard(1), [("7d",)], (None, "7d")),
        (Muck(), [], (None, None)),
    ):
        table = Table(stacks(1000, 1000, 1000), {0: "As7d"}, rules=asked).raise_to(0, 30).fold(1, 2)
        assert table.turn == 0
        assert table.menu == {"Show": (0, 0), "ShowCard": (0, 0), "Muck": (0, 0)}
        table.act(0, action)
        assert table.is_over
        shown = [tuple(map(str, event.cards)) for event in table.events if isinstance(event, Shown)]
        assert shown == cards
        view = table.rules.view(table.state, 1)
        assert tuple(None if card is None else str(card) for card in view.seats[0].cards) == seen
        assert table.state.stacks == (1015, 995, 990)


def test_no_flop_no_drop_and_never_of_an_uncalled_bet() -> None:
    raked = rules(rake_permille=50)
    unseen = Table(stacks(1000, 1000, 1000), rules=raked).raise_to(0, 300).fold(1, 2)
    assert unseen.state.stacks == (1015, 995, 990)
    table = Table(stacks(1000, 1000, 1000), rules=raked).call(0, 1).check(2).bet(1, 500).fold(2, 0)
    # Of the 30 that were matched one is taken; 1.5 is rounded down.
    assert [event.amount for event in table.events if isinstance(event, RakeTaken)] == [1]
    assert table.state.stacks == (990, 1019, 990)
    assert sum(table.rules.chips(table.state)) == 3000


def test_rake_is_taken_of_each_pot_up_to_the_cap() -> None:
    raked = rules(rake_permille=100, rake_cap=25)
    table = Table(stacks(100, 50, 200), {0: "AsAh", 1: "KsKh", 2: "QsQh"}, "2c3c4d5d8s", raked)
    table.all_in(0).call(1, 2)
    assert [(event.pot, event.amount) for event in table.events if isinstance(event, RakeTaken)] == [(0, 15), (1, 10)]
    assert table.state.stacks == (225, 0, 100)


def test_a_winner_who_shows_seven_deuce_is_paid_by_everybody_dealt_in() -> None:
    bounty = rules(seven_deuce=40, winner_shows=True)
    for action, paid in ((Show(), [120]), (ShowCard(0), []), (Muck(), [])):
        table = Table(stacks(1000, 1000, 1000, 1000), {3: "7s2d"}, rules=bounty).raise_to(3, 30).fold(0, 1, 2)
        table.act(3, action)
        assert [event.amount for event in table.events if isinstance(event, SevenDeuce)] == paid
        assert sum(table.state.stacks) == 4000
    over = table.rules.awaits(table.state)
    assert isinstance(over, Over)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"pack": "short", "pot": "high_low"}, ("pack", "pot")),
        ({"blinds_from": "button"}, ("small_blind", "blinds_from")),
        ({"blinds_from": "button", "small_blind": 0, "straddle": True}, ("straddle", "blinds_from")),
        ({"bomb_every": 5}, ("bomb_every", "bomb_ante")),
        ({"run_times": 2, "pot": "two_boards"}, ("run_times", "pot")),
        ({"rake_cap": 5}, ("rake_cap", "rake_permille")),
        ({"seven_deuce": 5, "hole_cards": 4}, ("seven_deuce", "hole_cards")),
        ({"seven_deuce": 5, "pack": "short"}, ("seven_deuce", "pack")),
        ({"mode": "tournament", "rake_permille": 5}, ("mode", "rake_permille")),
    ],
)
def test_options_that_contradict_each_other_are_refused_naming_both(
    options: dict[str, Any], named: tuple[str, str]
) -> None:
    with pytest.raises(msgspec.ValidationError, match=rf"^{named[0]}=\S+ .* {named[1]}=\S+ \(OPTIONS_CLASH\)"):
        rules(**options)


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        ({}, 10),
        ({"hole_cards": 4}, 10),
        ({"hole_cards": 5}, 8),
        ({"hole_cards": 6}, 7),
        ({"pot": "two_boards", "hole_cards": 4}, 9),
    ],
)
def test_seats_follow_from_the_pack(options: dict[str, Any], seats: int) -> None:
    made = rules(**options)
    assert made.seat_range == (2, seats)
    assert isinstance(made.opening(made.setup(seats + 1)), Refusal)


def random_rules(chance: random.Random) -> HoldemRules:
    named = chance.choice(list(GAME.presets.values())[1:])
    bomb = chance.random() < 0.3
    plain = named.hole_cards == 2 and named.pack == "full"
    return replace(
        named,
        straddle=chance.random() < 0.5 and named.blinds_from == "two_seats",
        bomb_every=2 if bomb else 0,
        bomb_ante=chance.choice((5, 40)) if bomb else 0,
        run_times=chance.randint(1, 3) if named.boards == 1 else 1,
        rabbit=chance.random() < 0.5,
        winner_shows=chance.random() < 0.5,
        rake_permille=chance.choice((0, 50)),
        seven_deuce=chance.choice((0, 20)) if plain else 0,
    )


def visible(made: HoldemRules, state: Any, viewer: int | None) -> set[Card]:
    """The cards that a viewer's view has."""
    view = made.view(state, viewer)
    boards = (view.board, *view.other_boards, *view.rabbit)
    held = {card for seat in view.seats for card in seat.cards if card is not None}
    return held | {card for board in boards for card in board}


@pytest.mark.parametrize("number", range(60))
def test_no_chip_is_lost_and_what_is_proved_is_what_is_seen(number: int) -> None:
    """The cards that a viewer's view has, and those whose proofs they get, are the same after every step."""
    chance = random.Random(f"options {number}")
    made = random_rules(chance)
    seats = chance.randint(2, min(6, made.seats_max))
    chips = tuple(chance.choice((chance.randint(1, 60), 200)) for _ in range(seats))
    opened = made.opening(HoldemSetup(stacks=chips, button=0, hand=chance.choice((1, 2))))
    assert isinstance(opened, Step)
    state, dealt = opened.state, list[Card]()
    shoe = chance.sample(made.pack_cards, len(made.pack_cards))
    while not isinstance(waiting := made.awaits(state), Over):
        if isinstance(waiting, Draw):
            cards = tuple(shoe.pop() for _ in waiting.places)
            dealt += cards
            state = made.deal(state, cards).state
        else:
            assert isinstance(waiting, Turn)
            step = made.act(state, waiting.seats[0], random_action(made, state, waiting.seats[0], chance))
            assert isinstance(step, Step)
            state = step.state
        assert sum(made.chips(state)) == sum(chips)
        for viewer in (None, *range(seats)):
            assert {dealt[place] for place in numbers_in(made.known(state, viewer))} == visible(made, state, viewer)
    assert waiting.payouts == tuple(after - before for after, before in zip(state.stacks, chips, strict=True))


def test_every_place_of_a_run_out_has_a_name_of_its_own() -> None:
    for played in range(3):
        table_rules = rules(run_times=3)
        opened = table_rules.opening(stacks(1000, 1000))
        assert isinstance(opened, Step)
        state, places = opened.state, list[str]()
        shoe = list(table_rules.pack_cards)
        streets = 0
        while not isinstance(waiting := table_rules.awaits(state), Over):
            if isinstance(waiting, Draw):
                places += waiting.places
                streets += 1
                state = table_rules.deal(state, tuple(shoe.pop() for _ in waiting.places)).state
                continue
            menu = {type(offer.action).__name__: offer for offer in table_rules.menu(state, waiting.seats[0])}
            if "RunIt" in menu:
                action: Any = RunIt(3)
            elif streets <= played:
                action = (menu.get("Check") or menu["Call"]).action
            else:
                action = (menu.get("AllIn") or menu.get("Call") or menu["Muck"]).action
            step = table_rules.act(state, waiting.seats[0], action)
            assert isinstance(step, Step)
            state = step.state
        assert len(places) == len(set(places))
        assert sum(1 for place in places if place.startswith("board3:")) == 5 - (0, 3, 4)[played]


def test_each_street_of_two_boards_is_told_for_both() -> None:
    table = Table(stacks(100, 100), rules=replace(GAME.presets["double-board-omaha"], odd_chips=OddChips.EACH))
    table.call(0).check(1).check(1, 0).check(1, 0).check(1, 0)
    told = [(event.street, event.board) for event in table.events if isinstance(event, StreetDealt)]
    assert told == [(street, board) for street in ("FLOP", "TURN", "RIVER") for board in (0, 1)]


def test_seven_deuce_that_wins_one_of_two_boards_is_paid_once() -> None:
    both = rules(run_times=2, seven_deuce=10)
    table = Table(stacks(100, 100, 50), {0: "7s2d", 1: "AsAh", 2: "3c4d"}, "7h7d2cKcQc 9s9hTcJdKh", both)
    table.all_in(0).call(1).fold(2)
    table.act(1, RunIt(2)).act(0, RunIt(2))
    assert [winners for _, _, winners, _ in awards(table)] == [(0,), (1,)]
    paid = [(event.seat, event.amount) for event in table.events if isinstance(event, SevenDeuce)]
    assert paid == [(0, 20)], "from everybody dealt in, the one who folded too"
    assert sum(table.state.stacks) == 250


def test_half_a_pot_gives_its_odd_chips_to_the_high_and_within_a_half_left_of_the_button() -> None:
    """A pot of 33: 17 for the high, and 16 for two equal lows."""
    split = rules(hole_cards=4, used="two", betting="pot_limit", pot="high_low", small_blind=3, big_blind=11)
    hole = {0: "AsAhJdTd", 1: "2s3sKcQc", 2: "2c3cKhQh"}
    table = Table(stacks(11, 11, 11), hole, "4h5d8cAdJs", split).call(0)
    table.call(1)
    shared = [
        (award.low, award.amount, award.winners, award.shares)
        for award in table.events
        if isinstance(award, PotAwarded)
    ]
    assert shared[0][:2] == (False, 17)
    assert shared[1] == (True, 16, (1, 2), (8, 8))
    assert sum(table.state.stacks) == 33

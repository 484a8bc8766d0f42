"""Document 000, the classroom table, point by point. `HELD` names the points that each test holds.

Most tests play on a real server, by SignalR messages that are written and read here, with a stacked shoe.
"""

import asyncio
from importlib import import_module
from itertools import combinations
from typing import Any, Final

import pytest
from msgspec.structs import replace

from croupier.cards import PACK, RANKS, SUITS, cards
from croupier.game.sealed import Sealed
from croupier.games.blackjack import CLASSROOM
from croupier.games.blackjack.classroom import Classroom, TurnState
from croupier.games.blackjack.rules.codes import BlackjackCode
from croupier.games.blackjack.rules.hands import total
from croupier.server.config import Settings, classroom
from croupier.wire.hub import CALLBACKS, ENUMS, METHODS
from tests.documents.lesson import Lesson, Told, in_class, lesson
from tests.games.blackjack.test_classroom import Class
from tests.server.hub_room import ENUMERATIONS, KEY

EMPTY: Final = {"phase": "Idle", "players": [], "currentTurnPlayerId": "", "dealerPlayerId": ""}
RULES: Final = "tests.games.blackjack.test_classroom:"
ACTOR: Final = "tests.server.test_classroom:"
CLIENT: Final = "tests.server.test_hub_classroom:"
SETTINGS: Final = "tests.documents.test_000_settings:"

HELD: Final = {
    "test_18_the_codes_are_the_thirteen_of_the_list": f"1.1 {' '.join(f'18.{number}' for number in range(1, 14))}",
    "test_4_everybody_is_at_one_table_and_gets_whole_states": "1.2 4.1 4.2 4.3 20.1",
    "test_4_2_whoever_connects_hears_nothing_until_something_changes_and_has_nothing_to_leave": "4.2 16.1 16.2",
    "test_2_and_3_enumerations_have_the_members_of_the_lists_in_their_order": "2.1 2.2 2.3 3.1 3.2",
    "test_2_4_the_dealer_is_a_player_like_others_but_for_a_mark": "2.4 21.1",
    "test_3_3_every_card_is_worth_what_is_written_and_an_ace_one": "3.3 3.4 20.2",
    "test_7_4_the_first_turn_is_the_first_playing_player_s_who_is_not_the_dealer": "4.4 7.4",
    "test_5_1_nobody_joins_while_a_round_runs": "5.1",
    "test_5_2_a_connection_joins_once": "5.2",
    "test_5_3_a_name_is_trimmed_and_1_to_20_long": "5.3",
    "test_5_3_two_may_have_one_name": "5.3",
    RULES + "test_names_are_trimmed_and_measured_as_dotnet_does": "5.3",
    "test_5_4_the_key_makes_the_dealer_and_a_wrong_one_a_player": "5.4",
    "test_5_4_there_is_one_dealer": "5.4",
    "test_6_a_start_is_refused_in_the_written_order": "6.1 6.2 6.3 6.4 21.2",
    "test_19_options_have_the_written_defaults_and_are_settings": "6.4 11.3 19.1 19.2 19.3 19.4 19.5 19.6",
    SETTINGS + "test_19_every_option_can_be_set_in_three_ways_and_the_table_obeys": "19.1 19.2 19.3 19.4 19.5 19.6",
    "test_6_5_a_start_takes_a_new_shoe_and_resets_everybody": "6.5 7.1 13.4",
    "test_7_2_and_7_5_who_has_21_stands_at_once_and_without_anybody_playing_the_round_is_settled": "7.2 7.5",
    "test_7_3_two_cards_cannot_be_over_21_and_any_later_one_is_judged_alike": "7.3",
    "test_8_hit_and_stand_are_refused_in_the_written_order": "8.1 8.2 8.3 8.4 20.6 21.3",
    RULES + "test_already_done_is_told_to_whoever_is_in_turn_but_not_playing": "8.5",
    "test_9_a_hit_gives_one_card_and_judges_the_hand": "9.1 9.3 9.4 9.5",
    "test_9_2_a_hit_without_a_card_ends_the_round": "9.2 15.1 15.2 15.3 15.4 16.3",
    "test_10_a_stand_ends_the_own_turn_and_the_last_one_lets_the_dealer_play": "10.1 10.2 10.3 11.1 21.4",
    "test_11_the_dealer_draws_below_17_and_stands_from_17": "11.2 11.4",
    "test_11_5_the_dealer_finds_no_card_left": "11.5",
    "test_12_outcomes": "12.1 12.2 12.3",
    "test_13_results_stay_until_the_next_start": "13.1 13.2 13.3",
    "test_14_1_a_player_leaves_and_the_turn_moves_on": "14.1.1 14.1.2",
    "test_14_1_3_no_player_is_left": "14.1.3",
    "test_14_1_4_nobody_is_left_who_can_play": "14.1.4",
    "test_14_2_the_dealer_leaves": "14.2.1 14.2.2 14.2.3 14.2.4 14.2.5 14.2.6 16.4 21.5",
    CLIENT + "test_a_disconnect_is_a_leave_and_the_turn_moves_on": "14.1.1 14.2.1",
    "test_16_states_to_all_errors_to_the_caller": "16.1 16.2",
    ACTOR + "test_more_commands_than_the_queue_holds_are_all_answered": "17.1",
    ACTOR + "test_fifty_concurrent_commands_are_done_one_after_the_other": "17.2",
    "test_17_concurrent_calls_are_done_in_some_order_that_all_see_alike": "17.3 21.6",
    "test_20_there_is_nothing_else_to_call": "20.3 20.4 20.5",
}


POINTS: Final = {
    **{"1": 2, "2": 4, "3": 4, "4": 4, "5": 4, "6": 5, "7": 5, "8": 5, "9": 5, "10": 3, "11": 5, "12": 3, "13": 4},
    **{"14.1": 4, "14.2": 6, "15": 4, "16": 4, "17": 3, "18": 13, "19": 6, "20": 6, "21": 6},
}
"""How many points each section of the document has."""


def test_every_point_has_a_test_and_every_test_a_point() -> None:
    for test in HELD:
        module, _, name = test.rpartition(":")
        assert callable(getattr(import_module(module or __name__), name)), test
    here = {name for name in globals() if name.startswith("test_") and name[5].isdigit()}
    assert here == {test for test in HELD if ":" not in test}
    points = {point for points in HELD.values() for point in points.split()}
    assert points == {f"{section}.{number}" for section, most in POINTS.items() for number in range(1, most + 1)}


def test_2_and_3_enumerations_have_the_members_of_the_lists_in_their_order() -> None:
    """As numbers they go out by their places in these lists."""
    assert [[str(member) for member in kind] for kind in ENUMS] == [list(members) for members in ENUMERATIONS.values()]


@in_class()
async def test_2_4_the_dealer_is_a_player_like_others_but_for_a_mark(here: Lesson) -> None:
    dealer, ann = await here.begins("ann")
    assert [player["isDealer"] for player in dealer.state["players"]] == [True, False]
    assert set(dealer.player(dealer)) == set(dealer.player(ann))
    assert dealer.state["dealerPlayerId"] == dealer.id


@pytest.mark.parametrize("rank", RANKS)
def test_3_3_every_card_is_worth_what_is_written_and_an_ace_one(rank: str) -> None:
    async def script(here: Lesson) -> None:
        _, ann = await here.begins("ann")
        worth = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(rank) or int(rank)
        assert ann.player(ann)["score"] == worth + 10
        names = [ENUMERATIONS["rank"][RANKS.index(each)] for each in (rank, "T")]
        suits = [ENUMERATIONS["suit"][SUITS.index(each)] for each in "ds"]
        shown = [(card["rank"], card["suit"]) for card in ann.player(ann)["cards"]]
        assert shown == list(zip(names, suits, strict=True))

    lesson(script, deal=f"2c 3c {rank}d Ts")


@in_class()
async def test_4_everybody_is_at_one_table_and_gets_whole_states(here: Lesson) -> None:
    watcher, ann = await here.comes(), await here.comes("ann")
    bob = await here.comes("bob")
    await here.all_hear()
    assert watcher.state == ann.state == bob.state
    assert set(bob.state) == set(EMPTY)
    fields = {"playerId", "name", "isDealer", "cards", "score", "turnState", "outcome"}
    assert [set(player) for player in bob.state["players"]] == [fields, fields]


@in_class()
async def test_4_2_whoever_connects_hears_nothing_until_something_changes_and_has_nothing_to_leave(
    here: Lesson,
) -> None:
    await here.begins("ann")
    late = await here.comes()
    assert await late.hear() == []
    assert await late.call("Leave") == ["NOT_JOINED"]
    await here.everybody[1].call("Stand")
    assert [state["phase"] for state in await late.hear() if isinstance(state, dict)] == ["Idle"]


@in_class()
async def test_5_1_nobody_joins_while_a_round_runs(here: Lesson) -> None:
    await here.begins("ann")
    late = await here.comes()
    assert await late.join("late") == ["GAME_IN_PROGRESS"]


@in_class()
async def test_5_2_a_connection_joins_once(here: Lesson) -> None:
    ann = await here.comes("ann")
    assert await ann.join("ann") == ["ALREADY_JOINED"]


@in_class()
async def test_5_3_a_name_is_trimmed_and_1_to_20_long(here: Lesson) -> None:
    ann, bob = await here.comes(), await here.comes()
    for name in ("", "   ", "\u3000\t\n", "b" * 21):
        assert await ann.join(name) == ["INVALID_NAME"]
    await ann.join(f"  {'가' * 20} ")
    await bob.join(" b")
    assert [player["name"] for player in bob.state["players"]] == ["가" * 20, "b"]


@in_class()
async def test_5_3_two_may_have_one_name(here: Lesson) -> None:
    await here.comes("twin")
    twin = await here.comes("twin")
    assert [player["name"] for player in twin.state["players"]] == ["twin", "twin (2)"], "shown apart"


@in_class()
async def test_5_4_the_key_makes_the_dealer_and_a_wrong_one_a_player(here: Lesson) -> None:
    eve, dealer = await here.comes("eve", "not the key"), await here.comes("dealer", KEY)
    assert not dealer.player(eve)["isDealer"]
    assert dealer.player(dealer)["isDealer"]


@in_class()
async def test_5_4_there_is_one_dealer(here: Lesson) -> None:
    await here.comes("dealer", KEY)
    second = await here.comes()
    assert await second.join("second", KEY) == ["DEALER_ALREADY_EXISTS"]


@in_class()
async def test_6_a_start_is_refused_in_the_written_order(here: Lesson) -> None:
    stranger, dealer = await here.comes(), await here.comes("dealer", KEY)
    await here.all_hear()
    assert await stranger.call("StartRound") == ["NOT_JOINED"]
    assert await dealer.call("StartRound") == ["INSUFFICIENT_PLAYERS"]
    ann = await here.comes("ann")
    assert await ann.call("StartRound") == ["NOT_DEALER"]
    await dealer.call("StartRound")
    await here.all_hear()
    assert await ann.call("StartRound") == ["GAME_IN_PROGRESS"], "the phase comes before the dealer"
    assert await stranger.call("StartRound") == ["NOT_JOINED"], "and joining before the phase"


@in_class("Tc 7c 5d 6d")
async def test_6_5_a_start_takes_a_new_shoe_and_resets_everybody(here: Lesson) -> None:
    dealer, ann = await here.begins("ann")
    for _ in range(2):
        assert [player["score"] for player in ann.state["players"]] == [17, 11], "the same cards lie on top again"
        for player in ann.state["players"]:
            assert len(player["cards"]) == 2
            assert (player["turnState"], player["outcome"]) == ("Playing", "None")
        await ann.call("Hit")
        if ann.state["phase"] == "InRound":
            await ann.call("Stand")
        assert ann.player(ann)["outcome"] != "None"
        await dealer.call("StartRound")
        await ann.hear()


def test_7_2_and_7_5_who_has_21_stands_at_once_and_without_anybody_playing_the_round_is_settled() -> None:
    """Two cards make 21 only where an ace may count eleven; what comes of it is the same rule."""
    room = Classroom(Sealed(KEY), rules=replace(CLASSROOM, ace="best"))
    for bobs, phase in (("5c 6c", "InRound"), ("As Ks", "Idle")):
        table = Class(f"Tc 7c Ad Kd {bobs}", room)
        for who, key in (("dealer", KEY), ("ann", ""), ("bob", "")):
            table.join(who, key)
        table.start()
        assert table.player("ann").turn_state is TurnState.STANDING
        assert (table.view.phase, table.view.current_turn_player_id) == (phase, "bob" if phase == "InRound" else "")


def test_7_3_two_cards_cannot_be_over_21_and_any_later_one_is_judged_alike() -> None:
    assert max(total(pair, "one").best for pair in combinations(PACK, 2)) == 20
    table = Class("Tc 7c Td Kd 2s")
    table.join("dealer", KEY)
    table.join("ann")
    table.start()
    table.hit("ann")
    assert table.player("ann").turn_state is TurnState.BUSTED


@in_class()
async def test_7_4_the_first_turn_is_the_first_playing_player_s_who_is_not_the_dealer(here: Lesson) -> None:
    ann, dealer = await here.comes("ann"), await here.comes("dealer", KEY)
    bob = await here.comes("bob")
    await dealer.call("StartRound")
    assert dealer.state["currentTurnPlayerId"] == ann.id
    await ann.call("Leave")
    await dealer.hear()
    assert dealer.state["currentTurnPlayerId"] == bob.id


@in_class()
async def test_8_hit_and_stand_are_refused_in_the_written_order(here: Lesson) -> None:
    dealer, ann, bob = await here.begins("ann", "bob")
    stranger = await here.comes()
    for method in ("Hit", "Stand"):
        assert await stranger.call(method) == ["NOT_JOINED"]
        assert await dealer.call(method) == ["DEALER_IS_AUTO"]
        assert await bob.call(method) == ["NOT_YOUR_TURN"]
    await ann.call("Stand")
    await bob.call("Stand")
    await here.all_hear()
    for method in ("Hit", "Stand"):
        assert await stranger.call(method) == ["NOT_JOINED"], "joining comes first"
        assert await dealer.call(method) == ["GAME_NOT_INROUND"], "and the phase before the dealer"
        assert await ann.call(method) == ["GAME_NOT_INROUND"]


@in_class("Tc 7c 2d 3d Td 5d  4c Tc 2c  9s")
async def test_9_a_hit_gives_one_card_and_judges_the_hand(here: Lesson) -> None:
    _, ann, bob = await here.begins("ann", "bob")
    seen = []
    for _ in range(3):
        await ann.call("Hit")
        mine = ann.player(ann)
        seen.append((len(mine["cards"]), mine["score"], mine["turnState"], ann.state["currentTurnPlayerId"]))
    assert seen == [(3, 9, "Playing", ann.id), (4, 19, "Playing", ann.id), (5, 21, "Standing", bob.id)]
    await bob.call("Hit")
    assert (bob.player(bob)["score"], bob.player(bob)["turnState"]) == (24, "Busted")
    assert (bob.state["phase"], bob.player(ann)["outcome"]) == ("Idle", "Win"), "the dealer had 17"


async def _full_table(here: Lesson) -> list[Any]:
    """A round in which one deck is dealt to the last card: 25 players and the dealer."""
    for number in range(24):
        await here.room.table.join(f"player {number}", f"player {number}")
    return await here.begins("ann")


@in_class(rules=replace(CLASSROOM, decks=1))
async def test_9_2_a_hit_without_a_card_ends_the_round(here: Lesson) -> None:
    _, ann = await _full_table(here)
    await here.comes()
    await here.room.table.hit("player 0")
    for told in await here.all_hear():
        notice, state = told
        assert notice == "SHOE_EMPTY"
        assert isinstance(state, dict)
        assert (state["phase"], state["currentTurnPlayerId"]) == ("Idle", "")
    assert {player["outcome"] for player in ann.state["players"]} == {"None"}


@in_class("2c 3c Td 9d 8d 7d  Ts 4s")
async def test_10_a_stand_ends_the_own_turn_and_the_last_one_lets_the_dealer_play(here: Lesson) -> None:
    dealer, ann, bob = await here.begins("ann", "bob")
    await ann.call("Stand")
    assert (ann.player(ann)["turnState"], ann.state["currentTurnPlayerId"]) == ("Standing", bob.id)
    assert len(ann.player(dealer)["cards"]) == 2, "the dealer waits"
    await bob.call("Stand")
    assert (len(bob.player(dealer)["cards"]), bob.player(dealer)["score"]) == (4, 19)
    assert bob.state["phase"] == "Idle"


@pytest.mark.parametrize(
    ("deal", "score", "turn_state"),
    [
        ("Tc 7c Td 9d", 17, "Standing"),
        ("Tc 6c Td 9d As", 17, "Standing"),
        ("Ac 6c Td 9d 9s 2s", 18, "Standing"),
        ("Tc 6c Td 9d Ks", 26, "Busted"),
    ],
)
def test_11_the_dealer_draws_below_17_and_stands_from_17(deal: str, score: int, turn_state: str) -> None:
    async def script(here: Lesson) -> None:
        dealer, ann = await here.begins("ann")
        await ann.call("Stand")
        assert (ann.player(dealer)["score"], ann.player(dealer)["turnState"]) == (score, turn_state)
        assert len(ann.player(dealer)["cards"]) == len(cards(deal)) - 2

    lesson(script, deal)


@in_class("Ac 2c", rules=replace(CLASSROOM, decks=1))
async def test_11_5_the_dealer_finds_no_card_left(here: Lesson) -> None:
    dealer = await here.comes("dealer", KEY)
    for number in range(25):
        await here.room.table.join(f"player {number}", f"player {number}")
    await dealer.call("StartRound")
    told: list[Told] = []
    while not told or (isinstance(told[-1], dict) and told[-1]["phase"] == "InRound"):
        await here.room.table.stand(dealer.state["currentTurnPlayerId"])
        told += await dealer.hear()
    assert told[-2] == "SHOE_EMPTY"
    assert dealer.state["phase"] == "Idle"
    assert dealer.player(dealer)["score"] == 3


@pytest.mark.parametrize(
    ("deal", "hits", "outcome"),
    [
        ("Tc 7c Td 9d 8s", 1, "Lose"),
        ("Tc 6c Td 9d 8s Ks", 1, "Lose"),
        ("Tc 6c Td 2d Ks", 0, "Win"),
        ("Tc 7c Td 8d", 0, "Win"),
        ("Tc 9c Td 8d", 0, "Lose"),
        ("Tc 8c Td 8d", 0, "Tie"),
    ],
)
def test_12_outcomes(deal: str, hits: int, outcome: str) -> None:
    """Busted, also when the dealer is, too; against a busted dealer; more, less and as much."""

    async def script(here: Lesson) -> None:
        dealer, ann = await here.begins("ann")
        await ann.call("Hit" if hits else "Stand")
        assert (ann.player(ann)["outcome"], ann.player(dealer)["outcome"]) == (outcome, "None")

    lesson(script, deal)


@in_class("Tc 7c Td 9d")
async def test_13_results_stay_until_the_next_start(here: Lesson) -> None:
    _, ann = await here.begins("ann")
    await ann.call("Stand")
    assert (ann.state["phase"], ann.state["currentTurnPlayerId"]) == ("Idle", "")
    await here.comes("late")
    await ann.hear()
    assert (ann.player(ann)["outcome"], ann.player(ann)["score"]) == ("Win", 19)


@in_class()
async def test_14_1_a_player_leaves_and_the_turn_moves_on(here: Lesson) -> None:
    dealer, ann, bob = await here.begins("ann", "bob")
    await ann.call("Leave")
    await dealer.hear()
    assert [player["playerId"] for player in dealer.state["players"]] == [dealer.id, bob.id]
    assert (dealer.state["phase"], dealer.state["currentTurnPlayerId"]) == ("InRound", bob.id)


@in_class()
async def test_14_1_3_no_player_is_left(here: Lesson) -> None:
    dealer, ann = await here.begins("ann")
    await ann.call("Leave")
    await dealer.hear()
    assert (dealer.state["phase"], dealer.state["currentTurnPlayerId"]) == ("Idle", "")
    assert [player["playerId"] for player in dealer.state["players"]] == [dealer.id]


@in_class("Tc 7c Td 9d 4d 5d")
async def test_14_1_4_nobody_is_left_who_can_play(here: Lesson) -> None:
    _, ann, bob = await here.begins("ann", "bob")
    await ann.call("Stand")
    await bob.call("Leave")
    await ann.hear()
    assert (ann.state["phase"], ann.player(ann)["outcome"]) == ("Idle", "Win")


@in_class()
async def test_14_2_the_dealer_leaves(here: Lesson) -> None:
    dealer, ann, _ = await here.begins("ann", "bob")
    await here.comes()
    assert await dealer.call("Leave") == ["GAME_TERMINATED", EMPTY]
    assert await here.all_hear() == [[], *[["GAME_TERMINATED", EMPTY]] * 3]
    assert await ann.call("Hit") == ["NOT_JOINED"], "nobody is known any more"
    assert isinstance((await ann.join("ann", KEY))[0], dict), "the next game can begin, with another dealer"


@in_class()
async def test_16_states_to_all_errors_to_the_caller(here: Lesson) -> None:
    _, ann, bob = await here.begins("ann", "bob")
    assert await bob.call("Stand") == ["NOT_YOUR_TURN"]
    assert await here.all_hear() == [[], [], []]
    await ann.call("Stand")
    for told in (await bob.hear(), await here.everybody[0].hear()):
        assert told == [ann.state], "one state, and nothing else"


@in_class()
async def test_17_concurrent_calls_are_done_in_some_order_that_all_see_alike(here: Lesson) -> None:
    pupils = [await here.comes() for _ in range(20)]
    await asyncio.gather(*(pupil.client.invoke("Join", f"{number}", None) for number, pupil in enumerate(pupils)))
    heard = await here.all_hear()
    assert all(told == heard[0] for told in heard)
    assert [len(state["players"]) for state in heard[0] if isinstance(state, dict)] == list(range(1, 21))


def test_18_the_codes_are_the_thirteen_of_the_list() -> None:
    assert [code.value for code in BlackjackCode][:13] == [
        *("GAME_IN_PROGRESS", "NOT_JOINED", "NOT_DEALER", "DEALER_IS_AUTO", "DEALER_ALREADY_EXISTS", "INVALID_NAME"),
        *("ALREADY_JOINED", "GAME_TERMINATED", "NOT_YOUR_TURN", "GAME_NOT_INROUND", "ALREADY_DONE"),
        *("INSUFFICIENT_PLAYERS", "SHOE_EMPTY"),
    ]


def test_19_options_have_the_written_defaults_and_are_settings() -> None:
    room = classroom(Settings(dealer_key=KEY), KEY)
    assert room.dealer_key.open() == KEY
    assert (room.rules.decks, room.rules.dealer_stands_on, room.players_min) == (4, 17, 2)
    assert (room.name_length_min, room.name_length_max) == (1, 20)
    wished = {"deck_count": 1, "dealer_stand_score": 12, "min_players_to_start": 5}
    room = classroom(Settings(**wished, min_name_length=3, max_name_length=4), KEY)
    assert (room.rules.decks, room.rules.dealer_stands_on, room.players_min) == (1, 12, 5)
    assert (room.name_length_min, room.name_length_max) == (3, 4)


def test_20_there_is_nothing_else_to_call() -> None:
    assert [method.name for method in METHODS] == ["Join", "StartRound", "Hit", "Stand", "Leave"]
    assert [method.name for method in CALLBACKS] == ["OnStateChanged", "OnError"]

    async def script(here: Lesson) -> None:
        ann = await here.comes("ann")
        for method in ("Split", "DoubleDown", "Double", "Insurance", "Surrender", "CreateRoom", "JoinRoom"):
            assert "no such method" in (await ann.client.invoke(method))["error"]

    lesson(script)

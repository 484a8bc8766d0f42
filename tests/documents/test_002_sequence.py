"""Document 002, the protocol of Sequence, point by point: every test is named after the section that it holds.

One game is played over real WebSockets, and every frame of both players is kept; other tests look at one position.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from itertools import count, pairwise
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect

from croupier.clients.connection import Client, RefusedError
from croupier.clients.room_handle import RoomHandle
from croupier.game.refusal import Refusal
from croupier.games.sequence import CLASSIC, HOUSE, SequenceAction
from croupier.games.sequence.rules.actions import ExchangeDeadCard
from croupier.games.sequence.rules.cards import KINDS, PACK, SUITS, Kind
from croupier.store.open import open_store
from croupier.table.mirror import without
from croupier.wire.room import COMMAND_REQUESTS, game_requests
from tests.games.sequence.play import normal, position, refused, remove, turn, wild
from tests.server.live import choose, live

NUMBERS = count(1)
LOBBY = {
    "ROOM_CREATE": {"nickname"},
    "ROOM_JOIN": {"roomCode", "nickname"},
    "ROOM_JOIN_AS_SPECTATOR": {"roomCode", "nickname"},
    "ROOM_LEAVE": set(),
    "PLAYER_READY_SET": {"ready"},
    "PLAYER_TEAM_SET": {"teamId"},
    "PLAYER_SWITCH_TO_SPECTATOR": set(),
    "SPECTATOR_SWITCH_TO_PARTICIPANT": set(),
    "HOST_START_GAME": set(),
}
# A room of ours is for one of several games, and a person chooses a seat.
OURS = {
    "ROOM_CREATE": {"game", "preset", "rules", "options", "entry"},
    "SPECTATOR_SWITCH_TO_PARTICIPANT": {"seat"},
}
TURNS = {
    "TURN_PLAY_NORMAL": {"expectedVersion", "cardId", "targetCellId"},
    "TURN_PLAY_JACK_WILD": {"expectedVersion", "cardId", "targetCellId"},
    "TURN_PLAY_JACK_REMOVE": {"expectedVersion", "cardId", "removeCellId"},
}
ENVELOPE = {"type", "requestId", "commandId", "roomCode", "expectedVersion"}
"""What our protocol adds to every command."""

Frame = dict[str, Any]


class Game:
    """A game that was played to its end: what was asked, and every frame that each player got."""

    def __init__(self) -> None:
        self.asked: list[Frame] = []
        self.frames: list[list[Frame]] = [[], []]
        self.players: list[str] = []
        self.refused: dict[str, str] = {}
        self.began_ms = self.ended_ms = 0
        self.rematch = ""

    def states(self, player: int = 0) -> list[Frame]:
        return [frame for frame in self.frames[player] if frame["type"] == "ROOM_STATE"]

    def events(self, kind: str, player: int = 0) -> list[Frame]:
        return [event for state in self.states(player) for event in state["events"] if event["type"] == kind]


async def _refusal(room: RoomHandle, kind: str, **fields: Any) -> str:
    with pytest.raises(RefusedError) as raised:
        await room.command(kind, **fields)
    return raised.value.code


async def _play(room: RoomHandle, random: Random, asked: list[Frame]) -> None:
    while room.phase != "ended":
        await room.wait(lambda r: r.menu or r.phase == "ended")
        if room.menu and room.phase != "ended":
            action = choose(room.menu, random)
            asked.append({**action, "expectedVersion": room.version})
            seen = await room.act(action)
            await room.wait(lambda r, seen=seen: r.version >= seen)


async def _played() -> Game:
    game = Game()
    game.began_ms = int(time.time() * 1000)
    async with (
        live() as server,
        server.client("Ann", hears=lambda text: game.frames[0].append(json.loads(text))) as ann,
        server.client("Ben", hears=lambda text: game.frames[1].append(json.loads(text))) as ben,
    ):
        host = await ann.create("sequence", preset="house", rules={"sequences_to_win": 1}, options={"seats": 2})
        guest = await ben.join(host.code)
        game.players = [ann.player_id, ben.player_id]
        turn_of_ann = {"type": "TURN_PLAY_NORMAL", "cardId": "heart_9_1", "targetCellId": 28}
        game.refused["lobby"] = await _refusal(host, turn_of_ann.pop("type"), expectedVersion=1, **turn_of_ann)
        await guest.command("PLAYER_READY_SET", ready=True)
        await host.command("HOST_START_GAME")
        await host.wait(lambda room: room.menu)
        offer = choose(host.menu, Random(0))
        kind, fields = offer.pop("type"), offer
        await guest.wait(lambda room: room.version >= host.version)
        game.refused["other"] = await _refusal(guest, kind, expectedVersion=guest.version, **fields)
        game.refused["stale"] = await _refusal(host, kind, expectedVersion=1, **fields)
        game.refused["player leaves"] = await _refusal(host, "ROOM_LEAVE")
        game.refused["player switches"] = await _refusal(host, "PLAYER_SWITCH_TO_SPECTATOR")
        twice = {**fields, "expectedVersion": host.version}
        game.asked.append({"type": kind, **twice})
        await host.command(kind, **twice)
        game.refused["twice"] = await _refusal(host, kind, **twice)
        await asyncio.gather(_play(host, Random(1), game.asked), _play(guest, Random(2), game.asked))
        game.ended_ms = int(time.time() * 1000)
        await host.command("HOST_REMATCH")
        await host.wait(lambda room: room.phase == "lobby")
        game.rematch = host.phase
    return game


@pytest.fixture(scope="module")
def game() -> Game:
    return asyncio.run(_played())


# 2. Phases


def test_2_lobby_then_playing_then_ended_then_lobby_again(game: Game) -> None:
    phases = [state["public"]["phase"] for state in game.states()]
    assert [phase for place, phase in enumerate(phases) if not place or phases[place - 1] != phase] == [
        "lobby",
        "playing",
        "ended",
        "lobby",
    ]
    assert game.rematch == "lobby"


# 3. Cards and jacks


def test_3_a_card_is_suit_rank_and_variant_and_a_jack_s_variant_is_its_kind() -> None:
    assert "heart_10_1" in PACK
    for suit in SUITS:
        assert KINDS[HOUSE.jacks][f"{suit}_j_2"] is Kind.WILD
        assert KINDS[HOUSE.jacks][f"{suit}_j_1"] is Kind.REMOVE


def test_3_in_the_classic_preset_the_printed_card_decides() -> None:
    for suit, kind in {"spade": Kind.REMOVE, "heart": Kind.REMOVE, "clover": Kind.WILD, "diamond": Kind.WILD}.items():
        assert {KINDS[CLASSIC.jacks][f"{suit}_j_{variant}"] for variant in (1, 2)} == {kind}


# 4. Actions, 1:1


def _fields(request: type[Any]) -> set[str]:
    return {field.encode_name for field in msgspec.structs.fields(request)}


def test_4_1_lobby_actions_have_the_written_fields() -> None:
    for kind, fields in LOBBY.items():
        made = _fields(COMMAND_REQUESTS[kind])
        assert made - ENVELOPE - OURS.get(kind, set()) == fields - {"roomCode"}, kind
        assert fields <= made


def test_4_2_game_actions_have_the_written_fields() -> None:
    for kind, fields in TURNS.items():
        made = _fields(game_requests("sequence")[kind])
        assert fields <= made
        assert made - ENVELOPE == fields - {"expectedVersion"}


def test_4_2_a_dead_card_is_not_exchanged() -> None:
    state = position("spade_2_1", "", chips={"A": (1, 86)})
    assert refused(state, ExchangeDeadCard("spade_2_1")).code == "NO_EXCHANGE"


class Visitor:
    """A client of the document: says its name where it enters."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def ask(self, kind: str, **fields: Any) -> Frame:
        request_id = f"r{next(NUMBERS)}"
        ids = {} if kind == "HELLO" else {"commandId": request_id}
        await self.socket.send(json.dumps({"type": kind, "requestId": request_id, **ids, **fields}))
        while (frame := json.loads(await asyncio.wait_for(self.socket.recv(), 10))).get("requestId") != request_id:
            pass
        return frame

    async def names(self) -> list[str]:
        while (frame := json.loads(await asyncio.wait_for(self.socket.recv(), 10)))["type"] != "ROOM_STATE":
            pass
        return [member["name"] for member in frame["public"]["members"]]


def visiting(scenario: Callable[..., Awaitable[None]], visitors: int) -> None:
    async def visit() -> None:
        async with live() as server:
            found = [Visitor(await connect(server.url, compression=None)) for _ in range(visitors)]
            await scenario(*found)
            for visitor in found:
                await visitor.socket.close()

    asyncio.run(visit())


def test_4_1_a_nickname_is_said_where_a_room_is_entered() -> None:
    async def scenario(ann: Visitor, ben: Visitor, cleo: Visitor) -> None:
        for visitor in (ann, ben, cleo):
            welcome = await visitor.ask("HELLO")
            assert (welcome["type"], welcome["nickname"]) == ("WELCOME", "")
        code = (await ann.ask("ROOM_CREATE", game="sequence", nickname="Ann"))["roomCode"]
        assert await ann.names() == ["Ann"]
        assert (await ben.ask("ROOM_JOIN", roomCode=code, nickname="  Ben "))["type"] == "ACCEPTED"
        assert await ben.names() == ["Ann", "Ben"]
        assert (await cleo.ask("ROOM_JOIN_AS_SPECTATOR", roomCode=code, nickname="Cleo"))["type"] == "ACCEPTED"
        assert await cleo.names() == ["Ann", "Ben", "Cleo"]

    visiting(scenario, 3)


def test_4_1_a_name_is_checked_and_must_be_said_somewhere() -> None:
    async def scenario(ann: Visitor, ben: Visitor) -> None:
        assert (await ann.ask("HELLO", nickname=" "))["code"] == "BAD_NICKNAME"
        assert (await ann.ask("HELLO"))["type"] == "WELCOME"
        for fields in ({}, {"nickname": ""}, {"nickname": "x" * 21}, {"nickname": "\u200b"}):
            assert (await ann.ask("ROOM_CREATE", game="sequence", **fields))["code"] == "BAD_NICKNAME"
        await ben.ask("HELLO", nickname="Ben")
        code = (await ben.ask("ROOM_CREATE", game="sequence"))["roomCode"]
        assert await ben.names() == ["Ben"]
        assert (await ann.ask("ROOM_JOIN", roomCode=code))["code"] == "BAD_NICKNAME"
        assert (await ann.ask("ROOM_JOIN", roomCode=code, nickname="Ann"))["type"] == "ACCEPTED"

    visiting(scenario, 2)


def test_4_1_the_name_of_a_room_is_that_room_s() -> None:
    async def scenario(ann: Visitor) -> None:
        await ann.ask("HELLO", nickname="Ann")
        await ann.ask("ROOM_CREATE", game="sequence", nickname="Annie")
        assert await ann.names() == ["Annie"]
        await ann.ask("ROOM_CREATE", game="sequence")
        assert await ann.names() == ["Ann"]

    visiting(scenario, 1)


def test_4_1_once_a_game_runs_players_neither_leave_nor_switch(game: Game) -> None:
    assert game.refused["player leaves"] == "SEAT_WAITS"
    assert game.refused["player switches"] == "NOT_IN_LOBBY"


# 4.3 Events


def test_4_3_every_turn_is_an_event_with_actor_action_as_asked_and_time(game: Game) -> None:
    turns = game.events("EVT_TURN")
    assert [event["action"] for event in turns] == game.asked
    assert [event["turnNumber"] for event in turns] == sorted(event["turnNumber"] for event in turns)
    for event in turns:
        assert event["actorUid"] == game.players[event["seat"]]
        assert game.began_ms <= event["at"] <= game.ended_ms
        assert set(event) == {"type", "turnNumber", "actorUid", "action", "at", "seat"}
    assert len({event["at"] for event in turns}) > 1
    assert turns == game.events("EVT_TURN", player=1)


def test_4_3_every_sequence_is_an_event_with_its_time(game: Game) -> None:
    last = game.events("EVT_TURN")[-1]
    completed = game.events("EVT_SEQUENCE")
    assert completed
    for done in completed:
        assert set(done) == {"type", "turnNumber", "teamId", "cells", "at"}
        assert done["teamId"] == "AB"[last["seat"]]
        assert len(done["cells"]) == 5
        assert (done["turnNumber"], done["at"]) == (last["turnNumber"], last["at"])


# 5. One transaction a turn


def test_5_1_a_turn_changes_the_public_state_in_one_step(game: Game) -> None:
    before: Frame | None = None
    for state in game.states():
        view = state["you"]["view"]
        for event in state["events"]:
            if event["type"] != "EVT_TURN" or before is None or view["phase"] == "ended":
                continue
            seat, action = event["seat"], event["action"]
            shown = before["you"]["view"]
            assert state["public"]["gameVersion"] > before["public"]["gameVersion"]
            # The draw from an empty pack waits for the players' cuts, and the turn goes on with it.
            assert shown["turnNumber"] == event["turnNumber"]
            assert view["turnNumber"] > shown["turnNumber"] or not shown["packLeft"]
            assert view["discardTopBySeat"][seat] in (action["cardId"], None)
            assert view["lastAction"]["uid"] == event["actorUid"]
            assert (view["lastAction"]["type"], view["lastAction"]["at"]) == (action["type"], event["at"])
            cell = action.get("targetCellId")
            if cell is None:
                assert str(action["removeCellId"]) not in view["chipsByCell"]
            else:
                assert view["chipsByCell"][str(cell)] == "AB"[seat]
        before = state if view is not None and view["phase"] == "playing" else before


def test_5_1_the_state_says_whose_turn_it_is_by_seat_and_by_person(game: Game) -> None:
    views = [state["you"]["view"] for state in game.states() if state["you"]["view"]]
    assert {view["currentSeat"] for view in views} >= {0, 1}
    for view in views:
        seat = view["currentSeat"]
        assert view["currentUid"] == (None if seat is None else game.players[seat])


def test_5_1_persons_and_times_are_the_same_after_a_restart(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'rooms.db'}"

    async def visit() -> None:
        store = open_store(address)
        async with live(store) as server, server.client("Ann") as ann, server.client("Ben") as ben:
            host = await ann.create("sequence", options={"seats": 2})
            guest = await ben.join(host.code)
            await guest.command("PLAYER_READY_SET", ready=True)
            await host.command("HOST_START_GAME")
            await host.wait(lambda room: room.menu)
            moved = await host.act(choose(host.menu, Random(0)))
            await host.wait(lambda room: room.version >= moved)
            before = host.view
            token = ann.token
        await store.close()
        store = open_store(address)
        async with live(store) as server, Client(server.url, token=token) as back:
            again = await back.watch(host.code)
            await again.wait(lambda room: room.state)
            assert again.view["lastAction"] == before["lastAction"]
            assert again.view["lastAction"]["uid"] == back.player_id
            assert again.view["currentUid"] == before["currentUid"] == ben.player_id
        await store.close()

    asyncio.run(visit())


def test_5_1_a_removed_cell_is_barred_to_the_next_wild_jack_only() -> None:
    state = position("heart_j_1", "clover_j_2 heart_9_1", "clover_j_2", "heart_8_1", chips={"B": (12,)})
    after = turn(state, remove("heart_j_1", 12))
    assert refused(after, wild("clover_j_2", 12), seat=1).code == "CELL_JUST_CLEARED"
    later = turn(after, normal("heart_9_1", 28))
    assert not isinstance(HOUSE.act(later, 2, wild("clover_j_2", 12)), Refusal)


def test_5_1_a_wild_jack_reaches_a_corner_and_a_completed_sequence_stays() -> None:
    assert not isinstance(HOUSE.act(position("clover_j_2", ""), 0, wild("clover_j_2", 0)), Refusal)
    state = position("heart_j_1", "", sequences={"B": [(50, 51, 52, 53, 54)]})
    assert refused(state, remove("heart_j_1", 52)).code == "CHIP_PROTECTED"


def test_5_2_the_card_leaves_the_hand_one_is_drawn_and_the_hand_has_a_version(game: Game) -> None:
    hands = [state["you"]["view"]["private"] for state in game.states() if (state["you"]["view"] or {}).get("private")]
    for before, after in pairwise(hands):
        if after["handVersion"] == before["handVersion"] + 1 and len(after["hand"]) == len(before["hand"]):
            assert len(set(before["hand"]) - set(after["hand"])) == 1
            assert len(set(after["hand"]) - set(before["hand"])) == 1
    assert hands[-1]["handVersion"] > hands[0]["handVersion"] + 3


# 6. Checks


def test_6_the_common_checks(game: Game) -> None:
    assert game.refused["lobby"] == "NOT_PLAYING"
    assert game.refused["other"] == "NOT_YOUR_TURN"
    assert game.refused["stale"] == "STALE_VERSION"


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (normal("spade_2_1", 2), "WRONG_CELL"),
        (normal("spade_3_1", 2), "CELL_TAKEN"),
        (normal("heart_9_1", 28), "CARD_NOT_IN_HAND"),
        (normal("spade_4_1", 3), "DEAD_CARD"),
        (wild("clover_j_2", 2), "CELL_TAKEN"),
        (wild("heart_j_1", 5), "NOT_A_WILD_JACK"),
        (remove("heart_j_1", 5), "NOT_OPPONENT_CHIP"),
        (remove("heart_j_1", 3), "NOT_OPPONENT_CHIP"),
        (remove("heart_j_1", 50), "CHIP_PROTECTED"),
        (remove("clover_j_2", 2), "NOT_A_REMOVE_JACK"),
    ],
)
def test_6_checks_of_cards_and_jacks(action: SequenceAction, code: str) -> None:
    hand = "spade_2_1 spade_3_1 spade_4_1 clover_j_2 heart_j_1"
    chips = {"A": (3, 84), "B": (2,)}
    assert refused(position(hand, "", chips=chips, sequences={"B": [(50, 51, 52, 53, 54)]}), action).code == code


def test_6_a_dead_card_stays_in_the_hand() -> None:
    state = position("spade_4_1 heart_9_1", "", chips={"B": (3, 84)})
    view = HOUSE.view(turn(state, normal("heart_9_1", 28)), 0)
    assert view.private is not None
    assert "spade_4_1" in view.private.hand
    assert view.private.dead_cards == ("spade_4_1",)


# 7. Sequences


@pytest.mark.parametrize(
    "cells", [(50, 51, 52, 53, 54), (5, 15, 25, 35, 45), (11, 22, 33, 44, 55), (18, 27, 36, 45, 54)]
)
def test_7_five_in_a_row_in_four_directions(cells: tuple[int, ...]) -> None:
    state = position("clover_j_2", "", chips={"A": cells[:-1]})
    after = turn(state, wild("clover_j_2", cells[-1]))
    assert [done.line.cells for done in after.completed] == [tuple(sorted(cells))]


def test_7_a_corner_counts_only_with_a_chip() -> None:
    state = position("clover_j_2 spade_6_1", "", chips={"A": (1, 2, 3, 4)})
    assert turn(state, wild("clover_j_2", 0)).completed
    assert not turn(position("spade_5_1", "", chips={"A": (1, 2, 3)}), normal("spade_5_1", 4)).completed


def test_7_4_and_7_5_the_same_line_does_not_count_again_and_two_lines_share_one_cell_at_most() -> None:
    first = {"A": [(50, 51, 52, 53, 54)]}
    sixth = turn(position("clover_j_2", "", sequences=first), wild("clover_j_2", 55))
    assert len(sixth.completed) == 1
    ninth = turn(position("clover_j_2", "", chips={"A": (55, 56, 57)}, sequences=first), wild("clover_j_2", 58))
    assert len(ninth.completed) == 2


def test_8_a_turn_that_is_sent_twice_is_done_once(game: Game) -> None:
    assert game.refused["twice"] == "STALE_VERSION"
    assert [event["turnNumber"] for event in game.events("EVT_TURN")][:2] == [1, 2]


def test_8_what_the_table_fills_in_is_one_named_set() -> None:
    plain = {"currentUid": "u", "lastAction": {"uid": "u", "at": 1, "seat": 0}, "phase": "playing"}
    assert without(without(plain, ("currentUid",)), ("lastAction", "at")) == {
        "lastAction": {"uid": "u", "seat": 0},
        "phase": "playing",
    }

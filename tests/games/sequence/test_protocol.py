"""Names on the wire are those of the protocol, one to one."""

import msgspec
import pytest

from croupier.games.sequence import HOUSE, SequenceAction
from croupier.games.sequence.rules.actions import ExchangeDeadCard, PlayJackRemove, PlayJackWild, PlayNormal, asked
from croupier.games.sequence.rules.cards import CardId
from croupier.games.sequence.rules.events import SequenceCompleted, SequenceEvent, TurnPlayed
from croupier.games.sequence.rules.state import Phase
from tests.games.sequence.play import normal, opened, position, turn

CARD = CardId("heart_10_1")


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (PlayNormal(CARD, 65), {"type": "TURN_PLAY_NORMAL", "cardId": "heart_10_1", "targetCellId": 65}),
        (PlayJackWild(CARD, 65), {"type": "TURN_PLAY_JACK_WILD", "cardId": "heart_10_1", "targetCellId": 65}),
        (PlayJackRemove(CARD, 65), {"type": "TURN_PLAY_JACK_REMOVE", "cardId": "heart_10_1", "removeCellId": 65}),
        (ExchangeDeadCard(CARD), {"type": "TURN_EXCHANGE_DEAD_CARD", "cardId": "heart_10_1"}),
    ],
)
def test_actions(action: SequenceAction, message: dict[str, object]) -> None:
    assert msgspec.to_builtins(action) == message
    assert msgspec.convert(message, SequenceAction) == action


@pytest.mark.parametrize(
    "message",
    [
        {"type": "TURN_PLAY_NORMAL", "cardId": "heart_10_1"},
        {"type": "TURN_PLAY_NORMAL", "cardId": "heart_10_1", "targetCellId": "65"},
        {"type": "TURN_PLAY_NORMAL", "cardId": "heart_10_1", "targetCellId": 65, "removeCellId": 65},
        {"type": "TURN_PASS"},
    ],
)
def test_a_message_with_a_wrong_field_or_type_is_no_action(message: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(message, SequenceAction)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (
            TurnPlayed(3, 0, asked(PlayNormal(CARD, 65))),
            {
                "type": "EVT_TURN",
                "turnNumber": 3,
                "seat": 0,
                "action": {"type": "TURN_PLAY_NORMAL", "cardId": "heart_10_1", "targetCellId": 65},
            },
        ),
        (
            SequenceCompleted(3, "B", (0, 1, 2, 3, 4)),
            {"type": "EVT_SEQUENCE", "turnNumber": 3, "teamId": "B", "cells": (0, 1, 2, 3, 4)},
        ),
    ],
)
def test_the_log(event: SequenceEvent, message: dict[str, object]) -> None:
    assert msgspec.to_builtins(event) == message


def test_the_public_state_and_the_private_part() -> None:
    state = position("heart_10_1 spade_2_1", "spade_3_1", chips={"B": (1,)}, sequences={"B": [(50, 51, 52, 53, 54)]})
    message = msgspec.json.decode(msgspec.json.encode(HOUSE.view(turn(state, normal("heart_10_1", 65)), 0)))
    assert message["turnNumber"] == 2
    assert message["currentSeat"] == 1
    assert message["chipsByCell"]["65"] == "A"
    assert message["discardTopBySeat"] == ["heart_10_1", None]
    assert message["completedSequences"] == [{"teamId": "B", "cells": [50, 51, 52, 53, 54], "turnNumber": 0}]
    assert message["scoreByTeam"] == {"A": 0, "B": 1}
    assert message["lastAction"] == {
        "seat": 0,
        "uid": "",
        "type": "TURN_PLAY_NORMAL",
        "turnNumber": 1,
        "cardId": "heart_10_1",
        "cellId": 65,
        "at": 0,
    }
    assert message["private"] == {
        "seat": 0,
        "hand": ["spade_2_1", "clover_7_1"],
        "handVersion": 2,
        "deadCards": [],
    }


def test_a_game_is_dealt_then_played_then_ended() -> None:
    phases = [
        HOUSE.view(state, None).phase
        for state in (opened(HOUSE, HOUSE.setup(2)).state, position("", ""), position("", "", phase=Phase.OVER))
    ]
    assert phases == ["dealing", "playing", "ended"]

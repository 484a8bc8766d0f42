"""No round, and no time between two deals, is as long as its players like: opening a room takes it all up."""

from typing import Any

import pytest

from croupier.game.refusal import Refusal
from croupier.games import poker
from croupier.table import apply
from croupier.table import commands as c
from croupier.table.apply import CLOCK, Done, handle, spent
from croupier.table.log import Logged, entry
from tests.table.test_room import Play, finish_round, started


def _ask(play: Play, who: str, command: Any) -> str | None:
    """Gives a new command, as a server does; None when it is done, else the code of the refusal."""
    play.now_ms += 10
    logged = entry(who, who, play.now_ms, command, room=play.room)
    assert isinstance(logged, Logged)
    done = handle(play.room, logged, bytes(32))
    refused = spent(play.room, logged, done.room) if isinstance(done, Done) else done
    if isinstance(refused, Refusal):
        return refused.code
    assert isinstance(done, Done)
    play.room = done.room
    return None


def test_players_who_raise_each_other_for_ever_are_stopped_and_the_clock_ends_the_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(apply, "MOVES_MAX", 30)
    play = started("poker", "cash")
    outcome = None
    while outcome is None:
        (seat,) = play.room.turn
        assert play.room.round is not None
        offers = {type(offer.action): offer for offer in play.room.round.menu(seat)}
        least = offers.get(poker.Raise) or offers.get(poker.Bet)
        action = offers[poker.Call].action if least is None else least.choose(least.low)
        member = play.room.seated(seat)
        assert member is not None
        outcome = _ask(play, member.id, c.Play(action, play.room.version))
    assert outcome == "TOO_MANY_IN_ROUND"
    assert play.room.round is not None
    assert len(play.room.round.moves) == 30
    for _ in range(20):
        play.now_ms = max(play.now_ms, play.room.deadline_ms or 0)
        assert _ask(play, CLOCK, c.Due()) is None
        if play.room.round.over:
            break
    assert play.room.round.over


def test_changes_between_two_deals_are_bounded_but_whoever_wants_to_go_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apply, "CHANGES_MAX", 10)
    play = started("poker", "cash")
    finish_round(play)
    assert _ask(play, "ann", c.HostPause()) is None
    while len(play.room.since) < 10:
        assert _ask(play, "p1", c.PlayerSitOut()) is None
        assert _ask(play, "p1", c.PlayerSitIn()) is None
    assert _ask(play, "p1", c.PlayerSitOut()) == "TOO_MANY_IN_ROUND"
    assert _ask(play, "p1", c.RoomLeave()) is None

"""The clock of a turn: what moves a deadline, and what must not."""

import pytest

from croupier.table import commands as c
from croupier.table.room import DEAL_SHOWN_MS
from tests.table.test_room import finish_round, started


def _in_turn(play: object) -> str:
    (seat,) = play.room.turn  # type: ignore[attr-defined]
    return play.room.seated(seat).id  # type: ignore[attr-defined]


@pytest.mark.parametrize("preset", ["cash", "holdem"])
def test_a_running_turn_keeps_its_deadline_when_somebody_else_leaves(preset: str) -> None:
    play = started("poker", preset, players=5, seats=6)
    deadline = play.room.deadline_ms
    turn = _in_turn(play)
    play.now_ms += 8000
    other = next(each.id for each in play.room.players if each.id not in (turn, "ann"))
    assert play.do(other, c.RoomLeave()) is None
    assert play.room.deadline_ms == deadline


def test_a_running_turn_keeps_its_deadline_when_people_and_bots_are_removed() -> None:
    play = started("poker", "cash", players=4, seats=6)
    finish_round(play)
    assert play.do("ann", c.HostAddBot("random")) is None
    play.wait()
    play.cut_all()
    deadline, turn = play.room.deadline_ms, _in_turn(play)
    for other in [each for each in play.room.players if each.id not in (turn, "ann")][:2]:
        play.now_ms += 5000
        removal = c.HostRemoveBot(other.id) if other.bot else c.HostKick(other.id)
        assert play.do("ann", removal) is None
        assert play.room.deadline_ms == deadline


def test_when_the_player_in_turn_leaves_the_next_one_has_the_whole_time() -> None:
    play = started("poker", "cash", players=4, turn_seconds=10, bank_seconds=0)
    play.now_ms += 9000
    assert play.do(_in_turn(play), c.RoomLeave()) is None
    assert play.room.deadline_ms == play.now_ms + 10_000


def test_a_deal_grants_the_time_that_showing_it_takes_to_the_first_turn_after_it() -> None:
    play = started("poker", "holdem", players=3, turn_seconds=10, bank_seconds=20)
    assert play.room.deadline_ms == play.now_ms + DEAL_SHOWN_MS + 30_000
    play.now_ms += DEAL_SHOWN_MS + 9000
    turn = _in_turn(play)
    offer = next(each for each in play.room.round.menu(play.room.turn[0]) if not each.field)
    assert play.act(turn, offer.action) is None
    acted = play.room.member(turn)
    assert acted is not None
    assert acted.bank_ms == 20_000, "the showing is not paid from the bank"
    assert play.room.deadline_ms == play.now_ms + 30_000, "and the next turn has its own time alone"


def test_who_acts_while_the_deal_is_still_shown_takes_nothing_of_the_others_grant() -> None:
    play = started("poker", "holdem", players=3, turn_seconds=10, bank_seconds=0)
    dealt_at = play.now_ms
    offer = next(each for each in play.room.round.menu(play.room.turn[0]) if not each.field)
    assert play.act(_in_turn(play), offer.action) is None
    assert play.room.deadline_ms == dealt_at + DEAL_SHOWN_MS + 10_000


def test_a_single_card_grants_nothing() -> None:
    play = started("sequence", "house", turn_seconds=20, bank_seconds=0)
    play.choose()
    play.now_ms += DEAL_SHOWN_MS
    play.choose()
    assert play.room.deadline_ms == play.now_ms + 20_000

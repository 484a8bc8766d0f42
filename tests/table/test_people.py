"""People of a room: standing up, choosing a seat, being removed and let in again, handing the room over."""

from typing import cast

import pytest

from croupier.server.room_list import listing
from croupier.server.services import Services
from croupier.server.table_bots import TableBots
from croupier.table import commands as c
from croupier.table.download import download
from croupier.table.room import Phase
from croupier.table.roomview import public
from croupier.wire.records import line, verify
from tests.table.evenings import Evening
from tests.table.test_room import Play, finish_round, started


def test_who_stands_up_between_hands_watches_and_takes_the_chips_along() -> None:
    play = started("poker", "cash", players=3)
    finish_round(play)
    assert play.do("p1", c.PlayerSwitchToSpectator()) is None
    member = play.room.member("p1")
    assert member is not None
    assert (member.seat, member.away) == (None, False)
    assert play.books["ROOM1/seat/1"] == 0
    assert play.do("p1", c.PlayerSwitchToSpectator()) == "NOT_SEATED"
    assert play.do("p1", c.SpectatorSwitchToParticipant(4)) is None
    assert play.room.seated(4).id == "p1"


def test_who_stands_up_in_a_hand_is_not_waited_for_and_watches_after_it() -> None:
    play = started("poker", "cash", players=4)
    (seat,) = play.room.turn
    who = play.room.seated(seat).id
    assert play.do(who, c.PlayerSwitchToSpectator()) is None
    assert play.room.turn != (seat,)
    assert next(each for each in public(play.room).members if each.id == who).stands
    assert play.do(who, c.RoomLeave()) is None, "and may still leave"
    finish_round(play)
    assert play.room.member(who) is None
    assert sum(play.books.values()) == 0


def test_at_a_tournament_nobody_stands_up() -> None:
    play = started("poker", "holdem", players=3)
    assert play.do("p1", c.PlayerSwitchToSpectator()) == "NOT_IN_LOBBY"


def test_an_evening_with_people_who_stand_up_and_sit_elsewhere_verifies_for_everybody() -> None:
    night = Evening("standing up", "poker", "cash", seats=6, mischief=0)
    for name in ("p1", "p2", "p3"):
        assert night.join(name) is None
    night.start()
    for hand in range(1, 7):
        night.play(hand)
        who = f"p{hand % 4}"
        assert night.do(who, c.PlayerSwitchToSpectator()) is None
        night.play(hand + 1, 400)
        member = night.room.member(who)
        if member is not None and member.seat is None:
            assert night.do(who, c.SpectatorSwitchToParticipant(night.room.free_seats[-1])) is None
    for who, person in night.people.items():
        assert verify([line(each) for each in download(night.steps, who)], person.log()).findings == (), who


def test_a_seat_is_chosen_and_one_that_is_taken_is_refused_with_those_that_are_free() -> None:
    play = Play("poker", seats=4)
    assert play.do("bob", c.RoomJoin()) is None
    assert play.do("bob", c.SpectatorSwitchToParticipant(3)) is None, "another seat, in the lobby"
    assert play.room.seated(3).id == "bob"
    assert play.do("bob", c.SpectatorSwitchToParticipant(0)) == "SEAT_TAKEN"
    assert play.do("bob", c.SpectatorSwitchToParticipant()) == "ALREADY_IN_ROOM"


def test_a_removal_is_taken_back_with_the_device_and_address_that_it_kept_out() -> None:
    play = Play("poker")
    assert play.do("bob", c.RoomJoin()) is None
    assert play.do("ann", c.HostKick("bob")) is None
    assert play.do("bob", c.RoomJoin()) == "KICKED"
    assert [each.name for each in public(play.room).removed] == ["Bob"]
    assert play.do("bob", c.HostPardon("bob")) == "NOT_IN_ROOM"
    assert play.do("ann", c.HostPardon("eve")) == "NO_SUCH_MEMBER"
    assert play.do("ann", c.HostPardon("bob")) is None
    assert (play.room.banned, play.room.kept_out, play.room.removed) == ((), (), ())
    assert play.do("bob", c.RoomJoin()) is None


def test_the_room_is_handed_only_to_somebody_who_is_connected() -> None:
    play = Play("poker")
    assert play.do("bob", c.RoomJoin()) is None
    assert play.do("ann", c.HostHandOver("bob"), down=("bob",)) == "NOT_HERE"
    assert play.do("ann", c.HostHandOver("bob")) is None


@pytest.mark.parametrize(("game", "preset"), [("poker", "holdem"), ("sequence", "house")])
def test_a_bot_that_is_removed_in_a_match_moves_no_more(game: str, preset: str) -> None:
    play = Play(game, preset)
    assert play.do("ann", c.HostAddBot("random")) is None
    if game == "poker":
        assert play.do("ann", c.HostAddBot("random")) is None
    assert play.do("ann", c.HostStartGame()) is None
    play.cut_all()
    assert play.do("ann", c.HostRemoveBot("bot-1")) is None
    for _ in range(4):
        if play.room.phase is not Phase.PLAYING:
            break
        assert all(bot.id != "bot-1" for bot in TableBots(cast(Services, None)).in_turn(play.room))
        play.wait()
        play.cut_all()


def test_a_room_without_people_is_not_listed() -> None:
    play = Play("poker", listed=True)
    assert listing(play.room).listed
    assert play.do("ann", c.RoomLeave()) is None
    assert not listing(play.room).listed

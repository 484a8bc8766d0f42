"""What home games ask for, in a room: bomb pots that the host asks for, coming back, the rake in the ledger."""

from typing import Any

import pytest

from croupier.table import commands as c
from croupier.table.ledger import HOUSE, session_ledger
from croupier.table.room import Room
from tests.table.test_room import Play, started

HOUSE_ACCOUNT = "ROOM1/house"


def home_game(players: int = 3, **rules: Any) -> Play:
    """A cash game with these options, whose first hand is dealt."""
    play = Play("poker", "cash")
    assert play.do("ann", c.HostSetOptions(play.room.options, "cash", rules)) is None
    for number in range(1, players):
        assert play.do(f"p{number}", c.RoomJoin()) is None
        assert play.do(f"p{number}", c.PlayerReadySet(ready=True)) is None
    assert play.do("ann", c.HostStartGame()) is None
    play.cut_all()
    return play


def finish(play: Play, *, folding: bool = False) -> Room:
    """Plays the hand to its end, and gives the room as it is then."""
    while play.room.turn:
        seat = play.room.turn[0]
        offers = play.room.round.menu(seat)
        calm = [offer.action for offer in offers if not offer.field and type(offer.action).__name__ != "AllIn"]
        names = [type(action).__name__ for action in calm]
        wanted = next((name for name in ("Check", "Call", "Muck") if name in names), "Fold")
        action = calm[names.index("Fold" if folding and "Fold" in names else wanted)]
        assert play.act(play.room.seated(seat).id, action) is None
    return play.room


def next_hand(play: Play) -> None:
    play.wait()
    play.cut_all()


def test_the_rake_goes_to_the_house_account_of_the_ledger() -> None:
    play = home_game(rake_permille=100, rake_cap=0)
    before = play.books.get(HOUSE_ACCOUNT, 0)
    room = finish(play)
    taken = room.round.state.rake
    assert taken == 3, "a tenth of the three big blinds"
    assert play.books[HOUSE_ACCOUNT] - before == taken
    assert sum(play.books.values()) == 0
    accounts = session_ledger([room])
    assert sum(account.net for account in accounts.values()) == -taken
    assert sum(account.won_from.get(HOUSE, 0) for account in accounts.values()) == -taken


def test_the_house_takes_nothing_without_a_flop() -> None:
    play = home_game(rake_permille=100)
    finish(play, folding=True)
    assert play.books.get(HOUSE_ACCOUNT, 0) == 0


def test_the_host_has_the_next_hand_played_as_a_bomb_pot() -> None:
    play = home_game(bomb_ante=40)
    assert play.do("p1", c.HostBombPot()) == "NOT_HOST"
    assert play.do("ann", c.HostBombPot()) is None
    assert play.do("ann", c.HostBombPot()) == "BOMB_POT_COMES"
    assert not play.room.round.state.forced.bomb, "this hand goes on as it began"
    finish(play)
    assert play.do("ann", c.HostBombPot()) == "BOMB_POT_COMES"
    next_hand(play)
    assert play.room.round.state.forced.bomb
    assert play.room.round.state.paid[:3] == (40, 40, 40)
    assert play.do("ann", c.HostBombPot()) is None, "another one"
    finish(play)
    next_hand(play)
    finish(play)
    next_hand(play)
    assert not play.room.round.state.forced.bomb


def test_a_bomb_pot_that_falls_on_one_by_number_is_one_bomb_pot() -> None:
    play = home_game(bomb_ante=40, bomb_every=2)
    assert play.do("ann", c.HostBombPot()) is None
    finish(play)
    next_hand(play)
    assert play.room.round.state.forced.bomb
    finish(play)
    next_hand(play)
    assert not play.room.round.state.forced.bomb


@pytest.mark.parametrize(("game", "preset", "code"), [("poker", "cash", "NO_BOMB_POTS"), ("blackjack", "trainer", "")])
def test_a_table_without_bomb_pots_refuses_them(game: str, preset: str, code: str) -> None:
    play = started(game, preset)
    assert play.do("ann", c.HostBombPot()) == (code or "NOT_BETWEEN_ROUNDS")


def test_who_comes_back_posts_or_waits() -> None:
    for wait in (False, True):
        play = home_game(players=4)
        assert play.do("p3", c.PlayerSitOut()) is None
        for _ in range(4):
            finish(play)
            next_hand(play)
        seat = play.room.member("p3").seat
        assert play.room.setup.missed[seat] == 3
        assert play.do("p3", c.PlayerSitIn(wait=wait)) is None
        finish(play)
        next_hand(play)
        hand = play.room.round.state
        assert (seat in hand.dealt) is not wait
        assert hand.dead == (0 if wait else 5)
        for _ in range(4):
            if seat in play.room.round.state.dealt:
                break
            finish(play)
            next_hand(play)
        assert seat in play.room.round.state.dealt

"""How a room deals by cut-2: everything is fixed first, everybody cuts or the deal is void, and misses have a price."""

import pytest

from croupier.dealing.cut2 import FIRST_BEFORE, closing_digest, context_hash, seal_of
from croupier.table import commands as c
from croupier.table.apply import replay
from croupier.table.cuts import awaited_agreement, closing_of
from croupier.table.deals import Cutting, VoidDeal
from croupier.table.room import Member, Phase
from tests.table.test_room import Play, finish_round, started

THREE = ("ann", "p1", "p2")


def waiting(game: str = "poker", preset: str = "cash", players: int = 3) -> Play:
    """A room whose first deal waits for its cuts."""
    play = Play(game, preset)
    for number in range(1, players):
        play.do(f"p{number}", c.RoomJoin())
        play.do(f"p{number}", c.PlayerReadySet(ready=True))
    assert play.do("ann", c.HostStartGame()) is None
    assert play.room.cutting is not None
    return play


def fixed(play: Play) -> Cutting:
    assert isinstance(play.room.cutting, Cutting)
    return play.room.cutting


def member(play: Play, who: str) -> Member:
    found = play.room.member(who)
    assert found is not None
    return found


def next_hand(play: Play) -> None:
    """Lets the hand be checked and folded to its end, and waits until the next deal is fixed."""
    play.cut_all()
    hand = play.room.hand
    while play.room.hand == hand or play.room.cutting is None:
        if play.room.turn:
            assert play.room.round is not None
            (seat,) = play.room.turn
            player = play.room.seated(seat)
            assert player is not None
            assert play.act(player.id, play.room.rules.absent(play.room.round.menu(seat))) is None
        else:
            play.wait()


def test_everything_is_fixed_in_one_message_before_any_cut() -> None:
    play = waiting()
    deal = fixed(play).deal
    assert (deal.context.deal, deal.context.hand, deal.context.shuffle, deal.context.packs) == (1, 1, 0, 8)
    assert deal.context.before == FIRST_BEFORE
    assert [cutter.seat for cutter in deal.context.cutters] == [0, 1, 2]
    assert len(deal.roots) == 8
    assert deal.seal == seal_of(context_hash(deal.context), deal.roots).hex()
    assert play.room.round is not None
    assert play.room.round.dealt == ()


def test_cards_come_when_everybody_has_cut_and_not_before() -> None:
    play = waiting()
    for who in THREE[:2]:
        assert play.cut(who) is None
        assert play.room.round is not None
        assert play.room.round.dealt == ()
    assert play.cut("p2") is None
    assert len(play.room.packs) == 1
    assert play.room.round.dealt


def test_a_cut_that_was_not_promised_is_refused_and_the_same_cut_again_is_taken_as_done() -> None:
    play = waiting()
    assert play.do("ann", c.DealCut("0" * 64, 1, play.new_promise())) == "BAD_CUT"
    assert play.do("ann", c.DealCut("0" * 64, 7, play.new_promise())) == "NO_DEAL_TO_CUT"
    assert play.cut("ann") is None
    before = fixed(play).cuts
    assert play.cut("ann") is None
    assert fixed(play).cuts == before


def test_one_missing_cut_makes_the_deal_void_and_the_hand_is_dealt_again_to_those_who_did_cut() -> None:
    play = waiting()
    play.cut("ann")
    play.cut("p1")
    play.wait()
    void = play.room.dealt[0].outcome
    assert isinstance(void, VoidDeal)
    assert void.missing == (2,)
    assert len(void.secrets) == 8, "all of it is shown"
    again = fixed(play)
    assert again.deal.context.deal == 2
    assert again.deal.context.hand == 1
    assert [cutter.seat for cutter in again.deal.context.cutters] == [0, 1]
    assert again.deal.context.before == closing_digest(again.closing)
    assert again.deal.roots != void.roots
    play.cut_all()
    assert play.room.round is not None
    assert play.room.round.rules.dealt_in(play.room.round.state) == (1, 0)


def test_who_missed_is_dealt_in_again_after_the_owed_cut_and_a_rest_of_one_hand() -> None:
    play = waiting()
    play.cut("ann")
    play.cut("p1")
    play.wait()
    missed = member(play, "p2")
    assert missed.owes is not None
    assert (missed.owes.deal, missed.back_at_hand) == (1, 2)
    next_hand(play)
    assert [cutter.seat for cutter in fixed(play).deal.context.cutters] == [0, 1], "the cut is still owed"
    assert play.do("p2", c.DealCut("0" * 64, 1, play.new_promise())) == "BAD_CUT"
    assert play.cut("p2") is None
    assert play.room.paid[0].deal == 1
    next_hand(play)
    assert [cutter.seat for cutter in fixed(play).deal.context.cutters] == [0, 1, 2]
    assert '"paid":[{"deal":1,"seat":2,' in fixed(play).closing, "everybody can compute what was avoided"


def test_every_further_miss_costs_more_hands_and_ten_hands_cut_in_time_forgive_one() -> None:
    play = waiting()
    rests = []
    for _ in range(5):
        while 2 not in fixed(play).waits_for:
            next_hand(play)
        play.cut("ann")
        play.cut("p1")
        hand = play.room.hand
        play.wait()
        rests.append(member(play, "p2").back_at_hand - hand)
        assert play.cut("p2") is None
    assert rests == [1, 2, 4, 8, 8]
    while member(play, "p2").misses == 5:
        next_hand(play)
    assert member(play, "p2").misses == 4


def test_declining_or_leaving_before_the_cut_is_missing_and_a_cut_once_given_counts() -> None:
    play = waiting()
    assert play.do("p2", c.DealDecline(1)) is None
    assert play.do("p2", c.DealDecline(1)) == "NO_DEAL_TO_CUT"
    play.cut("ann")
    play.cut("p1")
    assert [cutter.seat for cutter in fixed(play).deal.context.cutters] == [0, 1], "nobody waits for the time"
    play = waiting()
    play.cut("p2")
    assert play.do("p2", c.RoomLeave()) is None
    play.cut("ann")
    play.cut("p1")
    assert len(play.room.packs) == 1, "the cut was given"
    play = waiting()
    assert play.do("ann", c.HostKick("p2")) is None
    play.cut("ann")
    play.cut("p1")
    assert isinstance(play.room.dealt[0].outcome, VoidDeal)


def test_a_hand_void_twice_waits_until_everybody_seated_agrees() -> None:
    play = waiting(players=4)
    for gone in ("p3", "p2"):
        for who in ("ann", "p1", "p2", "p3"):
            seat = member(play, who).seat
            if who != gone and seat in fixed(play).waits_for:
                play.cut(who)
        play.wait()
    assert play.room.cutting is None
    assert play.room.deadline_ms is None
    assert set(awaited_agreement(play.room)) == {"ann", "p1", "p2", "p3"}
    for who in ("ann", "p1", "p2"):
        assert play.do(who, c.DealAgree()) is None
        assert play.room.cutting is None
    assert play.do("p3", c.DealAgree()) is None
    assert [cutter.seat for cutter in fixed(play).deal.context.cutters] == [0, 1]
    assert play.do("p3", c.DealAgree()) == "NOTHING_TO_AGREE"


def test_in_a_tournament_who_is_missing_pays_the_blinds_and_folds() -> None:
    play = waiting(preset="holdem")
    play.cut("ann")
    play.cut("p1")
    play.wait()
    play.cut_all()
    assert play.room.round is not None
    state = play.room.round.state
    assert state.dealt == (1, 0)
    assert state.order == (1, 2, 0)
    assert state.bets[2] == 10, "seat 2 has the big blind"
    finish_round(play)
    assert play.room.rules.stacks(play.room.setup)[2] == 990


def test_at_blackjack_the_bet_of_who_is_missing_goes_back() -> None:
    play = Play("blackjack", "trainer", seats=3)
    for who in ("p1", "p2"):
        play.do(who, c.RoomJoin())
        play.do(who, c.PlayerReadySet(ready=True))
    play.do("ann", c.HostStartGame())
    for who in THREE:
        seat = member(play, who).seat
        assert play.room.round is not None
        assert play.act(who, play.room.round.menu(seat)[0].choose(100)) is None
    play.cut("ann")
    play.cut("p1")
    play.wait()
    play.cut_all()
    assert play.room.round is not None
    view = play.room.round.view(2)
    assert view.seats[2].chips == 1000
    assert view.seats[2].hands == ()
    assert len(view.seats[0].hands) == 1


def test_a_person_whose_line_is_down_or_who_promised_nothing_is_not_dealt_in() -> None:
    play = Play("poker", "cash")
    for who in ("p1", "p2"):
        play.do(who, c.RoomJoin())
        play.do(who, c.PlayerReadySet(ready=True))
    assert play.do("ann", c.HostStartGame(), down=("p2",)) is None
    assert [cutter.seat for cutter in fixed(play).deal.context.cutters] == [0, 1]
    assert member(play, "p2").misses == 0, "that is no miss"


def test_sequence_does_not_begin_without_everybody() -> None:
    play = Play("sequence", "house")
    play.do("p1", c.RoomJoin())
    play.do("p1", c.PlayerReadySet(ready=True))
    assert play.do("ann", c.HostStartGame(), down=("p1",)) == "NOT_EVERYBODY_HERE"
    assert play.do("ann", c.HostStartGame()) is None
    play.cut("ann")
    play.wait()
    assert play.room.deadline_ms is None, "it waits for them"
    assert play.cut("p1") is None, "what was owed"
    assert [cutter.seat for cutter in fixed(play).deal.context.cutters] == [0, 1]
    play.cut_all()
    assert play.room.round is not None
    assert play.room.round.dealt


def test_a_match_that_waits_for_somebody_who_does_not_come_can_be_called_off() -> None:
    play = Play("sequence", "house")
    play.do("p1", c.RoomJoin())
    play.do("p1", c.PlayerReadySet(ready=True))
    play.do("ann", c.HostStartGame())
    play.cut("ann")
    play.wait()
    assert play.do("ann", c.HostRematch()) is None
    assert play.room.phase is Phase.LOBBY


def test_a_table_where_nobody_cuts_waits_until_somebody_can() -> None:
    play = waiting()
    play.wait()
    assert play.room.round is None
    assert play.room.deadline_ms is None
    assert sum(play.books.values()) == 0
    assert play.cut("ann") is None
    assert play.cut("p1") is None
    while play.room.cutting is None:
        play.wait()
    assert [cutter.seat for cutter in fixed(play).deal.context.cutters] == [0, 1]


@pytest.mark.parametrize(("game", "preset"), [("poker", "cash"), ("blackjack", "trainer"), ("sequence", "house")])
def test_deals_are_chained_and_a_replay_of_the_log_goes_on_with_the_same_ones(game: str, preset: str) -> None:
    play = started(game, preset, players=2)
    closings = []
    for _ in range(3):
        finish_round(play)
        closings.append(closing_of(play.room))
        again = replay("ROOM1", play.log, play.secrets)
        assert closing_of(again) == closings[-1]
        if play.room.phase is Phase.ENDED:
            return
        while play.room.cutting is None:
            if play.room.deadline_ms is None:
                return
            if play.room.turn:
                play.choose()
            else:
                play.wait()
        assert fixed(play).deal.context.before == closing_digest(fixed(play).closing)
        resumed = replay("ROOM1", play.log, play.secrets)
        assert isinstance(resumed.cutting, Cutting)
        assert resumed.cutting.deal.seal == fixed(play).deal.seal


def test_what_is_bought_between_two_hands_stands_in_the_closing() -> None:
    play = started("poker", "cash", players=2)
    finish_round(play)
    stacks = play.room.rules.stacks(play.room.setup)
    poorer = min((0, 1), key=lambda seat: stacks[seat])
    if stacks[poorer] < 1000:
        who = "ann" if poorer == 0 else "p1"
        assert play.do(who, c.PlayerBuyChips(1000 - stacks[poorer])) is None
    while play.room.cutting is None:
        play.wait()
    assert f'"kind":"bought","chips":{1000 - stacks[poorer]}' in fixed(play).closing

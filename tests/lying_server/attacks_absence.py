"""Attacks in which the server cuts in a player's place: where they have bet already, where nothing is bet, where their
line is down; and one in which it gets a cut by calling it owed."""

from collections.abc import Iterable
from typing import Any

from croupier.dealing.cut2 import Cutter, promise_of
from croupier.games.blackjack.rules.actions import PlaceBet
from croupier.games.poker.rules.actions import AllIn
from croupier.table import commands as c
from croupier.table.deal_news import fixed_deals
from croupier.table.deals import Owed
from croupier.table.room import Room
from tests.lying_server.attack import ANN, Outcome, Replaced, Stage, attack
from tests.lying_server.attacks_voids import voided_by_newcomers
from tests.lying_server.liar import MASTER, Spy, cutting_of, forged, with_member
from tests.lying_server.removal import Check

FOREIGN = Cutter(0, promise_of(MASTER))
IN_MY_NAME = Check("Checker._check_own_place", "PROMISE_NOT_MINE")


def _cut_in_anns_place(stage: Stage) -> None:
    """From now on the server cuts for Ann, with a promise of its own, and asks her for nothing."""
    stage.liar.forge = lambda room: stage.cut_by_all(forged(room, cutters=(FOREIGN,)), {0: MASTER.hex()})


@attack("PROMISE_NOT_MINE", IN_MY_NAME)
def a_deal_cut_in_my_place_after_my_bet() -> Outcome:
    """At blackjack Ann bets before there is a deal. She is shown one only when it is cut."""
    stage = Stage(game="blackjack", preset="trainer", bots=0)
    _cut_in_anns_place(stage)
    stage.start()
    assert stage.ann.act(PlaceBet(10)) is None
    return Outcome(stage.ann, bool(stage.room.packs) and not stage.ann.guard.checker.findings)


@attack("PROMISE_NOT_MINE", IN_MY_NAME)
def a_game_without_chips_cut_in_my_place() -> Outcome:
    """At Sequence nothing is bet, so that no bet without a cut is refused."""
    stage = Stage(game="sequence", preset="house")
    _cut_in_anns_place(stage)
    stage.start()
    return Outcome(stage.ann, stage.ann.act(stage.table.choice(0)) is None)


@attack("PROMISE_NOT_MINE", IN_MY_NAME)
def a_game_cut_in_my_place_and_told_as_a_whole() -> Outcome:
    """The same, told as to somebody whose line was down for a moment."""
    stage = Stage(game="sequence", preset="house")
    _cut_in_anns_place(stage)
    stage.liar.twist = lambda listener, state: []
    stage.start()
    stage.liar.twist = Spy().twist
    stage.table.restore(stage.room)
    return Outcome(stage.ann, stage.ann.act(stage.table.choice(0)) is None)


def _played_while_ann_is_away(cutters: Iterable[Cutter]) -> Outcome:
    """Ann's line is down. The server deals her in, puts in all her chips, and deals on without her."""
    stage = Stage("eve").start()
    stage.finish()
    stage.ann.go()
    honest_down = type(stage.table).down
    type(stage.table).down = property(lambda table: ())  # type: ignore[assignment, method-assign]
    try:
        stage.liar.forge = lambda room: forged(room, cutters=tuple(cutters) + _others(room))
        stage.table.wait()
    finally:
        type(stage.table).down = honest_down  # type: ignore[method-assign]
    stage.liar.forge = Spy().forge
    if stage.room.cutting is not None:
        cutters = cutting_of(stage.room).deal.context.cutters
        values = {each.seat: MASTER.hex() if each == FOREIGN else _of_eve(stage, each) for each in cutters}
        stage.table.room = stage.cut_by_all(stage.room, values)
    fixed = fixed_deals(stage.room)
    while not stage.room.round.over:  # type: ignore[union-attr]
        (seat,) = stage.room.turn
        member = stage.room.seated(seat)
        assert member is not None
        action = AllIn() if member.id == ANN else stage.table.choice(seat)
        assert stage.table.do(member.id, c.Play(action)) is None
    stage.table.history = lambda first: [fixed[first]]  # type: ignore[method-assign]
    stage.table.wait()
    stage.ann.come()
    return Outcome(stage.ann, stage.room.hand == 3 and not stage.ann.guard.checker.findings)


def _others(room: Room) -> tuple[Cutter, ...]:
    return tuple(cutter for cutter in cutting_of(room).deal.context.cutters if cutter.seat)


def _of_eve(stage: Stage, cutter: Cutter) -> str:
    return stage.others["eve"].value(cutter.promise)


@attack("PROMISE_NOT_MINE", Check("kept_seat.check_kept_seat", "PROMISE_NOT_MINE"))
def a_hand_cut_and_played_in_my_name_while_my_line_is_down() -> Outcome:
    return _played_while_ann_is_away([FOREIGN])


@attack("NOT_LISTED", Check("kept_seat.check_kept_seat", "NOT_LISTED"))
def a_hand_played_in_my_name_without_a_cut_while_my_line_is_down() -> Outcome:
    return _played_while_ann_is_away([])


def _believes(*_: Any) -> bool:
    return True


@attack("MANY_VOIDS", Replaced("croupier.clients.room_guard.RoomGuard._is_past", _believes))
def a_cut_of_an_open_deal_called_owed() -> Outcome:
    """So many deals were void that Ann is asked first. She owes the cut of this one already, says the server."""
    stage = voided_by_newcomers()
    deal = cutting_of(stage.room).deal.context
    assert stage.room.seated(0) is not None
    owed = Owed(deal.deal, 0, next(cutter.promise for cutter in deal.cutters if cutter.seat == 0))
    stage.table.show(with_member(stage.room, ANN, owes=owed))
    stage.table.settle()
    return Outcome(stage.ann, deal.deal in stage.liar.values[ANN])

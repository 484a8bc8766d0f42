"""Attacks on the promise: the server learns what I give, and then fixes a deal that it suits."""

from typing import Any

from croupier.dealing.cut2 import Cut, Cutter, promise_of
from croupier.games.poker.rules.actions import AllIn
from croupier.table import commands as c
from croupier.table.checker import Checker
from croupier.table.room import Room
from tests.lying_server.attack import ANN, Outcome, Replaced, Stage, accepted, attack
from tests.lying_server.liar import MASTER, Listener, Spy, cutting_of, forged, ground, masters, with_member
from tests.lying_server.offline import CODE
from tests.lying_server.removal import Check


@attack("PROMISE_SEALED_TWICE", Check("RoomGuard._bound", "PROMISE_SEALED_TWICE"))
def same_promise_under_a_second_seal_after_a_reload() -> Outcome:
    """A deal that Ann has cut is void. The next one lists the promise that she has kept already."""
    stage = Stage("eve")
    stage.others["eve"].misses = True

    def forge(room: Room) -> Room:
        if room.deals != 2:
            return room
        old = stage.room.cutting.deal.context.cutters[0]  # type: ignore[union-attr]
        return ground(room, {0: stage.given(1)}, stage.ace(room), cutters=(old,))

    stage.liar.forge = forge
    stage.start()
    honest, stage.liar.twist = stage.liar.twist, lambda listener, state: []
    stage.table.wait()
    stage.liar.twist = honest
    stage.ann.reload()
    stage.table.settle()
    return Outcome(stage.ann, stage.gained)


@attack("DEAL_CHANGED", Check("RoomGuard._bound", "DEAL_CHANGED"))
def two_tabs_two_seals_at_once() -> Outcome:
    """Both tabs of Ann have promised. Each is shown a first deal with its own promise: the server has the choice."""
    stage = Stage()
    table, tab = stage.table, stage.table.tab(ANN)
    promise = tab.guard.promise()
    tab.hangs = stage.ann.hangs = True
    table.broadcast.detach(tab)
    stage.start()
    other = table.fork(forged(table.room, MASTER, cutters=(Cutter(0, promise),)), tab)
    tab.hangs = stage.ann.hangs = False
    table.settle()
    other.settle()
    both = accepted(table, stage.ann) and accepted(other, tab)
    return Outcome(tab, both and stage.ann.guard.checker.code != tab.guard.checker.code)


@attack("DEAL_CHANGED", Check("DealChecker._known_again", "DEAL_CHANGED"))
def same_deal_number_two_seals() -> Outcome:
    """Ann has cut the deal, and has seen nothing of it. The server fixes it anew to suit what she gave."""
    stage = Stage("eve")
    stage.others["eve"].misses = True
    stage.start()
    room = stage.room
    eve = stage.promised("eve")
    values = {0: stage.given(1), 2: eve}
    stage.table.restore(stage.cut_by_all(ground(room, values, stage.ace(room, 2)), values))
    return Outcome(stage.ann, stage.gained)


@attack("DEAL_CHANGED", Check("DealChecker._known_again", "DEAL_CHANGED"))
def a_hand_whose_number_flips() -> Outcome:
    """The number of the hand goes up and back again, so that the client might forget the deal that it has cut."""
    stage = Stage("eve")
    stage.others["eve"].misses = True
    stage.start()
    room = stage.room
    eve = stage.promised("eve")
    values = {0: stage.given(1), 2: eve}

    def twist(listener: Listener, state: dict[str, Any]) -> list[dict[str, Any]]:
        away = {**state, "public": {**state["public"], "hand": 2, "waitsFor": []}, "deals": [], "moves": []}
        return [{**away, "you": {**state["you"], "view": None, "menu": []}, "openings": [], "events": []}, state]

    stage.liar.twist = twist
    stage.table.restore(stage.cut_by_all(ground(room, values, stage.ace(room, 2)), values))
    return Outcome(stage.ann, stage.gained)


@attack("CUT_NOT_PROMISED", Check("cut2.check_given", "CUT_NOT_PROMISED"))
def accomplices_promise_swapped_after_my_cut() -> Outcome:
    """What the accomplice gives is looked for once Ann's cut is known."""
    stage = Stage("eve")
    stage.others["eve"].misses = True
    stage.start()
    room, mine, wish = stage.room, stage.given(1), stage.ace(stage.room, 2)
    deal = cutting_of(room).deal
    found = (value.hex() for value in masters() if wish(deal.cut([Cut(0, mine), Cut(2, value.hex())]).order()))
    stage.table.show(stage.cut_by_all(room, {0: mine, 2: next(found)}))
    return Outcome(stage.ann, stage.gained)


@attack(
    "PROMISE_NOT_MINE",
    Check("RoomGuard._bound", "PROMISE_NOT_MINE"),
    Check("Checker._check_own_place", "PROMISE_NOT_MINE"),
    Check("RoomGuard.may_act", "BET_WITHOUT_CUT"),
    overlap="looked at when the cut is asked for, when the deal is cut without it, and before a chip goes in",
)
def a_foreign_promise_for_my_seat() -> Outcome:
    """The server cuts in Ann's place, with a promise of its own."""
    stage = Stage()
    foreign = {0: MASTER.hex()}
    stage.liar.forge = lambda room: ground(room, foreign, stage.ace(room), cutters=(Cutter(0, promise_of(MASTER)),))
    stage.start()
    stage.table.show(stage.cut_by_all(stage.room, foreign))
    return Outcome(stage.ann, stage.bets())


@attack("BET_WITHOUT_CUT", Check("RoomGuard.may_act", "BET_WITHOUT_CUT"))
def a_restored_backup_after_cleared_storage() -> Outcome:
    """Ann's program has forgotten everything. The server shows it a deal whose cut it knows from before, and does not
    wait for another."""
    stage = Stage().start()
    old = stage.room
    stage.table.play_hands(1)
    stage.table.broadcast.detach(stage.ann)
    fresh = stage.table.people[ANN] = type(stage.ann)(stage.table, ANN)
    stage.table.restore(old)
    fresh.come()
    return Outcome(fresh, fresh.act(AllIn()) is None)


@attack("DEAL_NOT_NEXT", Check("DealChecker._check_whole", "DEAL_NOT_NEXT"))
def an_old_deal_after_a_restored_backup() -> Outcome:
    """The server goes back to a hand whose cards it knows, and plays it once more."""
    stage = Stage().start()
    old = stage.room
    stage.table.play_hands(2)
    assert stage.room.deals > 1
    stage.ann.go()
    newest, stage.table.room = stage.room.deals, old
    stage.liar.twist = lambda listener, state: [{**state, "public": {**state["public"], "deal": newest}}]
    stage.ann.reload()
    return Outcome(stage.ann, stage.bets())


def _cut_at_any_time(checker: Checker, number: int) -> bool:
    """A client that knows which deals it has cut, and not which of them are over."""
    return number in checker.gave


@attack("BET_WITHOUT_CUT", Replaced("croupier.table.checker.Checker._was_cut_here", _cut_at_any_time))
def an_old_deal_after_the_player_went_on() -> Outcome:
    """The server lies about anything, and Ann decides to go on. Then it plays a hand again whose cards it knows."""
    stage = Stage().start()
    old = stage.room
    stage.table.play_hands(2)
    assert stage.room.deals > 1
    stage.liar.twist = lambda listener, state: [{**state, "openings": 5}]
    stage.table.show(stage.room)
    assert stage.ann.guard.checker.is_alarmed
    stage.ann.guard.accept_alarms()
    stage.liar.twist = Spy().twist
    stage.ann.go()
    stage.table.room = old
    stage.ann.reload()
    return Outcome(stage.ann, stage.bets())


@attack("ROOM_REPLACED", Check("RoomGuard._open", "ROOM_REPLACED"))
def room_reopened_under_its_code_with_another_id() -> Outcome:
    """The server has lost the room, it says, and opens another under the same code: nothing of before counts."""
    stage = Stage().start()
    again = Stage(seed=1)
    ann = type(stage.ann)(again.table, ANN, stage.ann.vault)
    again.table.broadcast.detach(again.ann)
    again.table.people[ANN] = again.ann = ann
    ann.come()
    again.table.do(ANN, c.DealPromise(ann.guard.promise()))
    again.start()
    assert again.room.code == CODE == stage.room.code
    return Outcome(ann, again.is_accepted)


@attack(
    "ROOM_REPLACED",
    Check("Checker._see", "ROOM_REPLACED"),
    Check("DealChecker._fixed", "ROOM_REPLACED"),
    overlap="the room's name stands in the state and in every context",
)
def room_replaced_while_i_am_in_it() -> Outcome:
    """Between two states another room takes the place of this one."""
    stage = Stage()
    again = Stage(seed=1)
    stage.ann.table = again.table
    again.table.people[ANN] = again.ann = stage.ann
    stage.ann.come()
    again.table.do(ANN, c.DealPromise(stage.ann.guard.promise()))
    again.start()
    return Outcome(stage.ann, again.is_accepted)


@attack("SEAT_CHANGED", Check("Checker._check_own_place", "SEAT_CHANGED"))
def my_seat_changed_after_my_cut() -> Outcome:
    """Ann has cut in seat 0. When the server sees what that seat was dealt, she sits in Eve's, and Eve in hers."""
    stage = Stage("eve")
    stage.others["eve"].misses = True
    stage.start()
    made = stage.cut_by_all(stage.room, {0: stage.given(1), 2: stage.promised("eve")})
    stage.table.show(with_member(with_member(made, ANN, seat=2), "eve", seat=0))
    return Outcome(stage.ann, stage.is_accepted and stage.ann.state["you"]["seat"] == 2)

"""Attacks on the rule that a deal stands: cuts are dropped, deals are void or begun anew until the server likes one."""

from typing import Any

from msgspec.structs import replace

from croupier.dealing.cut2 import Cut, Cutter
from croupier.table import commands as c
from croupier.table.deals import Cutting, Paid
from croupier.table.room import Room
from tests.lying_server.attack import ANN, Limit, Outcome, Stage, attack
from tests.lying_server.liar import (
    MASTER,
    SWALLOWED,
    Listener,
    Spy,
    closing_with,
    cutting_of,
    forged,
    masters,
    void_again,
    with_member,
)
from tests.lying_server.offline import Accomplice
from tests.lying_server.removal import Check


def without_news(kind: str) -> Any:
    """Tells everything but one kind of news of a deal."""

    def twist(listener: Listener, state: dict[str, Any]) -> list[dict[str, Any]]:
        return [{**state, "deals": [news for news in state["deals"] if news["type"] != kind]}]

    return twist


def with_news(kind: str, **changes: Any) -> Any:
    """Tells one kind of news of a deal with other words."""

    def twist(listener: Listener, state: dict[str, Any]) -> list[dict[str, Any]]:
        told = [{**news, **changes} if news["type"] == kind else news for news in state["deals"]]
        return [{**state, "deals": told}]

    return twist


@attack("DEAL_NOT_NEXT", Check("DealChecker._check_closing", "DEAL_NOT_NEXT"))
def next_deal_while_one_is_open() -> Outcome:
    """The server does not like the deal that Ann has cut, drops it without a word, and fixes the next."""
    stage = Stage("eve")
    stage.others["eve"].misses = True
    stage.liar.twist = without_news("DEAL_VOID")
    stage.start()
    stage.table.wait()
    return Outcome(stage.ann, stage.is_accepted and stage.room.deals == 2)


@attack("DEAL_NOT_NEXT", Check("DealChecker._check_closing", "DEAL_NOT_NEXT"))
def next_hand_while_a_deal_is_open() -> Outcome:
    """The same, with the next deal in a hand of another number: the one before was played, says its closing."""
    stage = Stage("eve")
    stage.others["eve"].misses = True
    stage.start()
    values = {0: stage.given(1), 2: stage.promised("eve")}
    room = stage.room
    played = stage.cut_by_all(room, values)
    closing = closing_with(played, payouts=[0, 0, 0])
    stage.others["eve"].misses = False
    cutters = tuple(_promised(stage, "eve"))
    stage.table.show(forged(replace(room, hand=2), MASTER, closing=closing, deal=2, hand=2, cutters=cutters))
    stage.table.settle()
    return Outcome(stage.ann, stage.is_accepted and stage.room.deals == 2)


def refuse_cuts(times: int, answer: str) -> Any:
    """Answers so many of Ann's cuts in this way."""
    left = [times]

    def decide(room: Room, who: str, command: Any) -> str:
        cuts = who == ANN and isinstance(command, c.DealCut) and isinstance(room.cutting, Cutting)
        if not cuts or command.deal != room.deals or not left[0]:
            return ""
        left[0] -= 1
        return answer

    return decide


@attack("MISSING_THOUGH_CUT", Check("DealChecker._left_out", "MISSING_THOUGH_CUT"))
def my_cut_dropped_twice() -> Outcome:
    """The cut of Ann is refused whenever the server does not like what would come of it."""
    stage = Stage("eve")
    stage.liar.answer = refuse_cuts(2, "NO_DEAL_TO_CUT")
    stage.start()
    for _ in range(4):
        stage.table.wait()
        stage.finish()
    return Outcome(stage.ann, not stage.ann.guard.checker.findings and len(stage.liar.values[ANN]) >= 3)


@attack("MISSING_THOUGH_CUT", Check("DealChecker._left_out", "MISSING_THOUGH_CUT"))
def my_cut_acknowledged_then_missing() -> Outcome:
    """The server thanks Ann for her cut, and says that it never came."""
    stage = Stage("eve")
    stage.liar.answer = refuse_cuts(1, SWALLOWED)
    stage.start()
    stage.table.wait()
    return Outcome(stage.ann, stage.room.deals == 2 and not stage.ann.guard.checker.findings)


def _missing_while_away(*, restarts: bool) -> Outcome:
    """The server thanks Ann for her cut, breaks her line, and plays some hands without her: her cut never came."""
    stage = Stage("eve")
    stage.liar.answer = refuse_cuts(1, SWALLOWED)
    stage.start()
    stage.ann.go()
    for _ in range(3):
        stage.table.wait()
        stage.finish()
    if restarts:
        stage.ann.reload()
    else:
        stage.ann.come()
    return Outcome(stage.ann, stage.room.hand == 3 and not stage.ann.guard.checker.findings)


@attack("MISSING_THOUGH_CUT", Check("DealChecker._left_out", "MISSING_THOUGH_CUT"))
def my_cut_acknowledged_then_missing_while_my_line_is_down() -> Outcome:
    return _missing_while_away(restarts=False)


@attack("MISSING_THOUGH_CUT", Check("DealChecker._left_out", "MISSING_THOUGH_CUT"))
def my_cut_acknowledged_then_missing_while_my_program_is_closed() -> Outcome:
    return _missing_while_away(restarts=True)


@attack(
    "NOT_LISTED",
    Check("DealChecker._check_cutters", "NOT_LISTED"),
    Check("Checker._check_own_place", "NOT_LISTED"),
    Check("RoomGuard.may_act", "BET_WITHOUT_CUT"),
    overlap="looked at when the deal is fixed, whenever its cards are there, and before a chip goes in",
)
def dealt_in_without_being_listed() -> Outcome:
    """Ann gets cards of a deal that nobody asked her to cut."""
    stage = Stage("eve")
    stage.liar.forge = lambda room: forged(room, MASTER, cutters=cutting_of(room).deal.context.cutters[1:])
    stage.start()
    return Outcome(stage.ann, bool(stage.room.packs) and stage.bets())


@attack("HAND_BROKEN_OFF", Check("RoundChecker._check_place", "HAND_BROKEN_OFF"))
def a_fresh_deal_after_a_complete_one() -> Outcome:
    """Ann has seen her cards. The same hand is dealt again, and the old deal is not spoken of any more."""
    stage = Stage()
    again = _fixed_first(stage)
    closing, cutters = closing_with(stage.room), _promised(stage)
    stage.table.restore(forged(again, MASTER, deal=2, closing=closing, cutters=tuple(cutters)))
    stage.table.settle()
    return Outcome(stage.ann, stage.is_accepted and stage.room.deals == 2)


@attack("HAND_BROKEN_OFF", Check("RoundChecker._finish_round", "HAND_BROKEN_OFF"))
def a_hand_broken_off() -> Outcome:
    """Ann has seen her cards. Without an end to that hand the next one begins."""
    stage = Stage()
    again = replace(_fixed_first(stage), hand=2)
    closing, cutters = closing_with(stage.room, payouts=[0, 0]), _promised(stage)
    stage.table.show(forged(again, MASTER, deal=2, hand=2, closing=closing, cutters=tuple(cutters)))
    stage.table.settle()
    return Outcome(stage.ann, stage.is_accepted and stage.room.deals == 2)


def _fixed_first(stage: Stage) -> Room:
    """Starts, and gives the room back as it was before the cuts of the first deal."""
    fixed: list[Room] = []
    stage.liar.forge = lambda room: fixed.append(room) or room  # type: ignore[func-returns-value]
    stage.start()
    return replace(fixed[0], members=stage.room.members)


def _promised(stage: Stage, *accomplices: str) -> list[Cutter]:
    """Ann and these with a promise for the next deal each."""
    room = stage.room
    mine = Cutter(0, room.member(ANN).promise)  # type: ignore[union-attr]
    theirs = [Cutter(room.member(name).seat, stage.others[name].guard.promise()) for name in accomplices]  # type: ignore
    return [mine, *theirs]


@attack("DEAL_TAKEN_BACK", Check("DealChecker._void", "DEAL_TAKEN_BACK"))
def a_complete_deal_said_to_be_void() -> Outcome:
    """Ann has seen her cards. Now that deal is void, because Eve, it is said, had not cut."""
    stage = Stage("eve")
    room = _fixed_first(stage)
    mine = {0: stage.given(1)}
    stage.table.restore(void_again(room, mine, (2,), _promised(stage), without=(2,)))
    stage.table.settle()
    return Outcome(stage.ann, stage.is_accepted and stage.room.deals == 2)


@attack(
    "DEAL_TAKEN_BACK",
    Check("DealChecker._made", "DEAL_TAKEN_BACK"),
    Check("DealChecker._check_whole", "DEAL_TAKEN_BACK"),
    overlap="seen when the deal is told, and when the round is told as a whole",
)
def a_void_deal_said_to_be_complete() -> Outcome:
    """A deal was void, and all its secrets are known: the server plays it nevertheless."""
    stage = Stage("eve")
    stage.others["eve"].misses = True
    stage.start()
    room, values = stage.room, {0: stage.given(1), 2: stage.promised("eve")}
    mine = {0: stage.given(1)}
    stage.liar.twist = lambda listener, state: [
        {**state, "public": {**state["public"], "deal": 1}, "deals": state["deals"][:-1]}
    ]
    stage.table.show(void_again(room, mine, (2,), _promised(stage), without=()))
    stage.liar.twist = Spy().twist
    stage.table.restore(stage.cut_by_all(room, values))
    return Outcome(stage.ann, stage.is_accepted)


@attack("VOID_FOR_NOBODY", Check("DealChecker._void", "VOID_FOR_NOBODY"))
def a_void_that_names_nobody() -> Outcome:
    """Everybody has cut, and yet the deal is void; nobody is at fault, and nobody pays for it."""
    stage = Stage("eve")
    stage.others["eve"].misses = True
    stage.start()
    values = {0: stage.given(1), 2: stage.promised("eve")}
    stage.others["eve"].misses = False
    stage.table.show(void_again(stage.room, values, (), _promised(stage, "eve")))
    stage.table.settle()
    return Outcome(stage.ann, stage.is_accepted and stage.room.deals == 2)


@attack(
    "VOID_WITH_CUT",
    Check("DealChecker._void", "VOID_WITH_CUT"),
    Check("DealChecker._void", "CUT_LEFT_OUT"),
    overlap="a seat that is missing and has cut stands twice among those who were to cut once",
)
def a_void_for_a_seat_whose_cut_is_shown() -> Outcome:
    """Eve is said to be missing, and there is her cut."""
    stage = Stage("eve")
    stage.others["eve"].misses = True
    stage.start()
    values = {0: stage.given(1), 2: stage.promised("eve")}
    stage.table.show(void_again(stage.room, values, (2,), _promised(stage), without=(2,)))
    stage.table.settle()
    return Outcome(stage.ann, stage.is_accepted and stage.room.deals == 2)


@attack("CUT_LEFT_OUT", Check("DealChecker._void", "CUT_LEFT_OUT"))
def a_void_that_forgets_a_cut() -> Outcome:
    """Fay is missing; of Eve, who liked the deal no better, nothing is said."""
    stage = Stage("eve", "fay")
    stage.others["eve"].misses = stage.others["fay"].misses = True
    stage.start()
    stage.table.show(void_again(stage.room, {0: stage.given(1)}, (3,), _promised(stage), without=(2, 3)))
    stage.table.settle()
    return Outcome(stage.ann, stage.is_accepted and stage.room.deals == 2)


@attack(
    "REDEAL_WITH_OTHERS",
    Check("DealChecker._check_cutters", "REDEAL_WITH_OTHERS"),
    Check("DealChecker._check_cutters", "LISTED_EARLY"),
    overlap="a seat that missed a hand is not back in the same hand, whoever else cut it",
)
def a_redeal_with_the_missing_seat() -> Outcome:
    """Eve did not like the deal and did not cut it. She is dealt in when the hand is dealt again."""
    stage = Stage("eve")
    stage.others["eve"].misses = True
    stage.start()
    paid = Paid(1, 2, stage.promised("eve"))
    stage.others["eve"].misses = False
    room = replace(stage.room, paid=(paid,))
    stage.table.show(void_again(room, {0: stage.given(1)}, (2,), _promised(stage, "eve")))
    stage.table.settle()
    return Outcome(stage.ann, stage.is_accepted and len(stage.room.packs[-1].cuts) == 2)


@attack("REDEAL_WITH_OTHERS", Check("DealChecker._check_cutters", "REDEAL_WITH_OTHERS"))
def a_redeal_with_a_newcomer() -> Outcome:
    """Fay was a bot, says the server, until the hand is dealt again: now she can void it, too."""
    stage = Stage("eve", "fay")
    stage.others["eve"].misses = True
    stage.liar.forge = lambda room: (
        forged(with_member(room, "fay", bot="random"), MASTER, cutters=cutting_of(room).deal.context.cutters[:2])
        if room.deals == 1
        else room
    )
    stage.start()
    room = with_member(stage.room, "fay", bot="")
    stage.table.show(void_again(room, {0: stage.given(1)}, (2,), _promised(stage, "fay"), without=(2,)))
    stage.table.settle()
    return Outcome(stage.ann, stage.is_accepted and len(stage.room.packs[-1].cuts) == 2)


@attack("VOID_TWICE", Check("RoundChecker._check_place", "VOID_TWICE"))
def a_second_void_without_agreement() -> Outcome:
    """First Eve does not cut, then Fay. Nobody is asked whether the hand shall be dealt a third time."""
    stage = Stage("eve", "fay")
    stage.others["eve"].misses = stage.others["fay"].misses = True
    stage.liar.forge = lambda room: room
    stage.start()
    values = {0: stage.given(1), 3: stage.promised("fay")}
    stage.table.show(void_again(stage.room, values, (2,), _promised(stage, "fay"), without=(2,)))
    stage.table.settle()
    stage.table.show(void_again(stage.room, {0: stage.given(2)}, (3,), _promised(stage), without=(3,)))
    stage.table.settle()
    return Outcome(stage.ann, stage.is_accepted and stage.room.deals == 3)


def voided_by_newcomers() -> Stage:
    """In every hand somebody new sits down, does not like the deal, does not cut it, and goes: until Ann is asked
    whether she cuts on."""
    stage = Stage("eve")
    stage.others["eve"].misses = True
    stage.start()
    table, name = stage.table, "eve"
    for number in range(4):
        table.wait()
        stage.finish()
        assert table.do(name, c.RoomLeave()) is None
        del table.people[name]
        name = f"eve{number}"
        table.people[name] = fresh = Accomplice(table, name)
        fresh.come()
        fresh.misses = True
        assert table.do(name, c.RoomJoin()) is None
        table.settle()
        table.wait()
        if stage.ann.guard.checker.notes:
            break
    return stage


@attack("MANY_VOIDS", Limit("croupier.table.checker", "VOIDS_ASKED"))
def a_fresh_identity_that_voids_every_hand() -> Outcome:
    stage = voided_by_newcomers()
    checker = stage.ann.guard.checker
    return Outcome(stage.ann, not checker.notes and len(checker.memory.voids) > 3)  # type: ignore[union-attr]


@attack("OWED_CUT_MISSING", Check("DealChecker._check_cutters", "OWED_CUT_MISSING"))
def back_without_the_owed_cut() -> Outcome:
    """Eve avoided a deal. She plays on, and never shows what it was that she avoided."""
    stage = Stage("eve")
    stage.others["eve"].misses, stage.others["eve"].pays = True, False
    stage.start()
    stage.table.wait()
    stage.others["eve"].misses = False
    fresh = stage.others["eve"].guard.promise()
    stage.table.room = with_member(stage.room, "eve", owes=None, back_at_hand=0, misses=0, promise=fresh)
    stage.finish()
    stage.table.wait()
    return Outcome(stage.ann, stage.is_accepted and len(stage.room.packs[-1].cuts) == 2)


@attack("LISTED_EARLY", Check("DealChecker._check_cutters", "LISTED_EARLY"))
def back_too_early() -> Outcome:
    """Eve avoids one deal after the other, and never has to rest."""
    stage = Stage("eve")
    stage.others["eve"].misses = True
    stage.start()
    for hand in range(2):
        stage.table.wait()
        stage.table.room = with_member(stage.room, "eve", back_at_hand=0)
        stage.others["eve"].misses = hand == 0
        stage.finish()
        stage.table.wait()
    return Outcome(stage.ann, stage.is_accepted and len(stage.room.packs[-1].cuts) == 2)


@attack("CUTS_INCOMPLETE", Check("cut2.check_cuts", "CUTS_INCOMPLETE"))
def a_seat_that_leaves_between_commit_and_cut() -> Outcome:
    """Eve goes, and the deal is cut without her: the server had the choice between two cuts."""
    stage = Stage("eve")
    stage.others["eve"].misses = True
    stage.liar.forge = lambda room: forged(room, MASTER)
    stage.start()
    deal = cutting_of(stage.room).deal
    context = deal.context
    deal.context = replace(context, cutters=context.cutters[:1])
    made = stage.cut_by_all(stage.room, {0: stage.given(1)})
    made.packs[-1].context = context  # type: ignore[union-attr, misc]
    stage.table.show(made)
    return Outcome(stage.ann, stage.is_accepted)


@attack(
    "CUT_NOT_PROMISED",
    Check("cut2.check_given", "CUT_NOT_PROMISED"),
    Check("DealChecker._check_own_cut", "CUT_REPLACED"),
    overlap="what is not mine is not what I promised, either",
)
def my_cut_replaced() -> Outcome:
    """Another value stands in the place of the one that Ann gave."""
    stage = Stage("eve")
    stage.others["eve"].misses = True
    stage.start()
    room, eve = stage.room, stage.promised("eve")
    wish, deal = stage.ace(room, 2), cutting_of(room).deal
    found = (value.hex() for value in masters() if wish(deal.cut([Cut(0, value.hex()), Cut(2, eve)]).order()))
    stage.table.show(stage.cut_by_all(room, {0: next(found), 2: eve}))
    return Outcome(stage.ann, stage.gained)

"""Attacks on a player at the page: promises and seals, and deals that must stand."""

from secrets import token_hex
from typing import Any

from msgspec.structs import replace

from croupier.dealing import canonical
from croupier.dealing.cut2 import Cut, Cutter, keeps, promise_of
from croupier.table.commands import DealCut, DealDecline, DealPromise
from croupier.table.room import Room
from tests.lying_server.liar import (
    MASTER,
    SWALLOWED,
    Listener,
    closing_with,
    cutting_of,
    forged,
    plain,
    settled,
)
from tests.lying_server.page_attack import (
    ANN,
    EVE,
    KNOWN_AGAIN,
    NOT_CUT,
    OWED,
    State,
    attack,
    begun_from,
    dealt,
    keep_deals,
    silently,
)
from tests.lying_server.page_removal import PageCheck, Patched
from tests.lying_server.page_table import ALARM, BETTING, OWN_CARDS, PageTable


@attack("PROMISE_SEALED_TWICE", Patched("guard.js", "[ofPromise, seal], ", ""), lasts=OWED)
def same_promise_under_a_second_seal_after_a_reload(table: PageTable) -> bool:
    """A deal that Ann has cut is void. The next one lists the promise that she has kept already."""
    table.sit_down(bots=1)
    table.eve.misses = True
    table.start()
    table.until(lambda: len(table.heard(DealCut)) == 1)
    old = cutting_of(table.room).deal.context.cutters[1]
    assert old.seat == ANN
    table.liar.forge = lambda room: forged(room, MASTER, cutters=(old,))
    silently(table, table.eve_declines)
    table.reload()
    return table.bets()


@attack("DEAL_CHANGED", KNOWN_AGAIN)
def same_deal_number_two_seals(table: PageTable) -> bool:
    """Ann has cut the deal, and has seen nothing of it. The server fixes it anew, to suit what she gave."""
    table.sit_down()
    waiting = keep_deals(table)
    table.eve.misses = True
    table.start()
    table.until(lambda: table.room.cutting.waits_for == (EVE,))  # type: ignore[union-attr]
    (eve, _), (mine,) = cutting_of(table.room).deal.context.cutters, table.heard(DealCut)
    cuts = (Cut(EVE, table.eve.value(eve.promise)), Cut(ANN, mine.value))
    table.restore(dealt(table, forged(waiting[0], MASTER), cuts))
    return table.bets()


@attack(
    "DEAL_CHANGED",
    Patched("guard.js", "[[ofDeal, seal], [ofPromise, seal], ...more(secret), ", "[[ofPromise, seal], "),
    lasts=OWED,
)
def two_tabs_two_seals_at_once(table: PageTable) -> bool:
    """Each tab is made to promise, and shown a deal with its own promise: the server would have the choice."""
    table.sit_down()
    tabs = (table.page, table.new_tab())
    promises: list[str] = []
    deals: list[State] = []
    listeners: list[Listener] = []

    def twist(listener: Listener, state: State) -> list[State]:
        if listener.person == table.ann_id and listener not in listeners:
            listeners.append(listener)
        if listener not in listeners[1:]:
            return [state]
        if state["public"]["phase"] == "lobby":
            members = [{**each, "promised": each["id"] != table.ann_id} for each in state["public"]["members"]]
            return [{**state, "public": {**state["public"], "members": members}}]
        told = [{**news, **deals[0]} for news in state["deals"] if news["type"] == "DEAL_FIXED"]
        return [{**state, "deals": told}] if told and state["public"]["waitsFor"] == [EVE, ANN] else []

    def answer(room: Room, who: str, command: Any) -> str:
        if isinstance(command, DealPromise) and room.phase == "lobby":
            promises.append(command.promise)
            return SWALLOWED
        return SWALLOWED if isinstance(command, DealCut) and keeps(promises[0], command.value) else ""

    def forge(room: Room) -> Room:
        eve = cutting_of(room).deal.context.cutters[0]
        other = cutting_of(forged(room, MASTER, cutters=(eve, Cutter(ANN, promises[0])))).deal
        deals.append({"context": plain(other.context), "roots": list(other.roots)})
        return room

    table.liar.twist, table.liar.answer, table.liar.forge = twist, answer, forge
    table.restore(table.room)
    tabs[1].goto(table.page.url)
    table.until(lambda: bool(promises))
    table.start()
    alarms = [tab.locator(ALARM) for tab in tabs]
    table.until(lambda: len(table.heard(DealCut)) == 2 or any(alarm.count() for alarm in alarms))
    if alarms[1].count():
        table.page = tabs[1]
    return len({cut.value for cut in table.heard(DealCut)}) == 2 and not table.alarm.count()


@attack("ROOM_REPLACED", PageCheck("guard.js", "#open", "ROOM_REPLACED"))
def room_reopened_under_its_code_with_another_id(table: PageTable) -> bool:
    """The server has lost the room, it says, and opens another under the same code: nothing of before counts."""
    table.sit_down()
    silently(table, lambda: table.restore(replace(table.room, id=token_hex(32))))
    table.reload()
    if not table.sees("[data-do=ready]"):
        return False
    table.start()
    return table.bets()


@attack(
    "ROOM_REPLACED",
    PageCheck("checker.js", "#see", "ROOM_REPLACED"),
    PageCheck("dealchecker.js", "_fixed", "ROOM_REPLACED"),
    overlap="the room's name stands in the state and in every context",
)
def room_replaced_while_i_am_in_it(table: PageTable) -> bool:
    table.sit_down()
    table.restore(replace(table.room, id=token_hex(32)))
    if not table.alarm.count():
        table.start()
    return table.bets()


@attack(
    "PROMISE_NOT_MINE",
    PageCheck("guard.js", "#bound", "PROMISE_NOT_MINE"),
    PageCheck("checker.js", "#checkOwnSeat", "PROMISE_NOT_MINE"),
    Patched("guard.js", "return this.checker.cutThisHand ||", "return true ||"),
    overlap="looked at when the cut is asked for, when the deal is cut without it, and before a chip goes in",
)
def a_foreign_promise_for_my_seat(table: PageTable) -> bool:
    """The server cuts in Ann's place, with a promise of its own."""
    table.sit_down()

    hold_to_foreign_promise(table)
    table.start()
    cut_by_server(table)
    return table.bets()


def hold_to_foreign_promise(table: PageTable) -> None:
    """Every deal lists a promise of the server's for Ann, and whether she declines is no matter."""

    def forge(room: Room) -> Room:
        eve = cutting_of(room).deal.context.cutters[0]
        return forged(room, MASTER, cutters=(eve, Cutter(ANN, promise_of(MASTER))))

    table.liar.forge = forge
    table.liar.answer = lambda room, who, command: SWALLOWED if isinstance(command, DealDecline) else ""


def cut_by_server(table: PageTable) -> None:
    """Once Eve has cut the deal, the server cuts in Ann's place."""
    table.until(lambda: table.room.cutting.waits_for == (ANN,))  # type: ignore[union-attr]
    cuts = (*cutting_of(table.room).cuts, Cut(ANN, MASTER.hex()))
    table.show(dealt(table, table.room, cuts))


@attack("PROMISE_NOT_MINE", PageCheck("checker.js", "#checkOwnSeat", "PROMISE_NOT_MINE"))
def a_deal_shown_only_when_it_is_cut_in_my_place(table: PageTable) -> bool:
    """Ann is asked for nothing: the server has cut for her when it tells of the deal."""
    table.sit_down()

    def forge(room: Room) -> Room:
        eve = cutting_of(room).deal.context.cutters[0]
        fixed = forged(room, MASTER, cutters=(eve, Cutter(ANN, promise_of(MASTER))))
        cuts = (Cut(EVE, table.eve.value(eve.promise)), Cut(ANN, MASTER.hex()))
        return settled(replace(fixed, cutting=replace(cutting_of(fixed), cuts=cuts, waits_for=())))

    table.liar.forge = forge
    table.start()
    return table.sees(OWN_CARDS)


@attack("MISSING_THOUGH_CUT", PageCheck("dealchecker.js", "#leftOut", "MISSING_THOUGH_CUT"))
def my_cut_acknowledged_and_then_missing(table: PageTable) -> bool:
    """The page that takes this for true gives the cut once more, as the one it owes."""
    table.sit_down(cutSeconds=1)
    table.liar.answer = lambda room, who, command: (
        SWALLOWED if isinstance(command, DealCut) and who == table.ann_id and room.cutting else ""
    )
    table.start()
    table.until(lambda: len(table.heard(DealCut)) > 1 or table.alarm.count() > 0)
    return not table.alarm.count()


@attack("HAND_BROKEN_OFF", PageCheck("roundchecker.js", "_checkPlace", "HAND_BROKEN_OFF"))
def a_fresh_deal_after_a_complete_one(table: PageTable) -> bool:
    """Ann has seen her cards. The server begins the hand anew, with another deal."""
    table.sit_down()
    waiting = keep_deals(table)
    table.start(calls=False)
    assert table.sees(OWN_CARDS)
    complete = table.room
    cutters = tuple(Cutter(seat, complete.seated(seat).promise) for seat in (EVE, ANN))  # type: ignore[union-attr]
    again = forged(waiting[0], MASTER, deal=2, closing=closing_with(complete), cutters=cutters)
    table.restore(replace(again, members=complete.members))
    table.call()
    return table.bets()


@attack("MOVE_NOT_MINE", PageCheck("dealchecker.js", "#checkOwnChanges", "MOVE_NOT_MINE"))
def dealt_in_by_a_wish_that_i_never_had(table: PageTable) -> bool:
    """Between two hands Ann has asked to be dealt in, says the server."""
    table.sit_down()

    def forge(room: Room) -> Room:
        if room.deals < 2:
            return room
        closing = canonical.read(cutting_of(room).closing)
        closing["changes"].append({"seat": ANN, "kind": "sat_in", "chips": 0})
        return forged(room, MASTER, closing=canonical.write(closing))

    table.liar.forge = forge
    table.start()
    return table.plays_hand() and table.bets()


@attack("SCHEME_OLD", PageCheck("checker.js", "#see", "SCHEME_OLD"), lasts=NOT_CUT)
def downgrade_to_cut_1(table: PageTable) -> bool:
    """The server deals by the old scheme, of which nothing can be held to it."""
    table.sit_down()

    def twist(listener: Listener, state: State) -> list[State]:
        if state["public"]["phase"] != "playing" or listener.person != table.ann_id:
            return [state]
        return [{**state, "public": {**state["public"], "scheme": "cut-1"}, "deals": [], "openings": []}]

    table.liar.twist = twist
    hold_to_foreign_promise(table)
    table.start()
    cut_by_server(table)
    return table.sees(BETTING)


@attack("VIEW_MISMATCH", PageCheck("checker.js", "#checkBare", "VIEW_MISMATCH"), lasts=NOT_CUT)
def bets_asked_for_in_a_hand_without_a_deal(table: PageTable) -> bool:
    """The server keeps the deal to itself, cuts it in Ann's place, and lets her bet before she has seen a card."""
    table.sit_down()

    def forge(room: Room) -> Room:
        begun = begun_from(room, button=ANN)
        eve = cutting_of(begun).deal.context.cutters[0]
        return forged(begun, MASTER, cutters=(eve, Cutter(ANN, promise_of(MASTER))))

    def twist(listener: Listener, state: State) -> list[State]:
        if listener.person != table.ann_id or state["you"]["view"] is None:
            return [state]
        for seat in state["you"]["view"]["seats"]:
            seat["cards"] = []
        nothing: State = {"deals": [], "openings": [], "moves": [], "events": []}
        return [{**state, **nothing, "public": {**state["public"], "waitsFor": []}}]

    table.liar.forge, table.liar.twist = forge, twist
    table.start()
    cut_by_server(table)
    return table.sees(BETTING)

"""Attacks on a player at the page: false cards, and a hand that begins from something false."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from croupier.dealing.cut2 import CutDeal
from croupier.dealing.sealed_pack import SealedPack
from croupier.dealing.shoe import Shoe
from croupier.table.deals import rules_text
from croupier.table.room import Room
from croupier.table.round import begin
from tests.lying_server.liar import (
    MASTER,
    ForgedDeal,
    Listener,
    RiggedDeal,
    cutting_of,
    forged,
    place,
)
from tests.lying_server.page_attack import (
    ANN,
    KNOWN_AGAIN,
    SHOWN_AGAIN,
    UNREADABLE,
    State,
    attack,
    begun_from,
    dealt,
    keep_deals,
    made_of,
    silently,
)
from tests.lying_server.page_removal import PageCheck, Patched
from tests.lying_server.page_table import BOARD, OWN_CARDS, PageTable


def resealed(made: CutDeal[Any], order: list[Any]) -> CutDeal[Any]:
    """The same deal over another pack: its cards are dealt in this order, and its roots are said to be the old ones."""
    wanted = {made.permutation[k]: card for k, card in enumerate(order)}
    places = SealedPack(MASTER, made.hashed, range(made.size))
    pack: list[Any] = [None] * made.size
    for position in range(made.size):
        pack[places.card(position)] = wanted[position]
    lie = ForgedDeal(MASTER, made.context, (order,) * made.context.packs)
    lie.roots, lie.seal = made.roots, made.seal
    dealt = lie.cut(made.cuts)
    dealt.pack, dealt.secrets = SealedPack(MASTER, made.hashed, pack), made.secrets
    return dealt


def with_other_board(before: Room, after: Room) -> Room:
    """Once the first move is made on the hole cards, the rest of the pack is another."""
    if not after.packs or not after.round or after.round.shoe is None or len(after.round.moves) != 1:
        return after
    order = list(made_of(after).order())
    order[-8:], order[4:12] = order[4:12], order[-8:]
    other = resealed(made_of(after), order)
    _, shoe = Shoe.cut(other).draw(after.round.shoe.dealt)
    return replace(after, packs=(other,), round=replace(after.round, shoe=shoe))


@attack("OPENING_NOT_IN_ROOT", PageCheck("sealedpack.js", "checkOpening", "OPENING_NOT_IN_ROOT"), lasts=SHOWN_AGAIN)
def root_changed_between_hole_cards_and_board(table: PageTable) -> bool:
    table.sit_down()
    table.liar.change = with_other_board
    table.start()
    return table.bets() and table.sees(BOARD) and table.bets()


@attack(
    "DEAL_CHANGED",
    KNOWN_AGAIN,
    PageCheck("dealchecker.js", "_made", "DEAL_TAKEN_BACK"),
    overlap="the page remembers the seal, and what the cuts made of it",
)
def roots_changed_across_a_reload(table: PageTable) -> bool:
    """The hand is told anew, dealt from other packs and with the same cuts."""
    table.sit_down()
    waiting = keep_deals(table)
    table.start(calls=False)
    assert table.sees(OWN_CARDS)
    silently(table, lambda: table.restore(dealt(table, forged(waiting[0], MASTER), made_of(table.room).cuts)))
    table.reload()
    table.call()
    return table.sees(OWN_CARDS)


def deuce_for_ann(room: Room) -> tuple[Room, list[tuple[int, ...]]]:
    """The room with a deal in which Ann's first card is taken from where a deuce lies, and the permutations as they
    should have been."""
    k = place(room, f"hole:{ANN}:0")
    honest: list[tuple[int, ...]] = []

    def rig(deal: RiggedDeal, made: CutDeal[Any]) -> None:
        order, changed = made.order(), list(made.permutation)
        other = next(n for n, card in enumerate(order) if n > 8 and str(card).startswith("2"))
        honest.append(made.permutation)
        changed[k], changed[other] = changed[other], changed[k]
        made.permutation = tuple(changed)

    return forged(room, MASTER, rig=rig), honest


@attack("POSITION_MISMATCH", PageCheck("sealedpack.js", "checkOpening", "POSITION_MISMATCH"), lasts=SHOWN_AGAIN)
def a_card_from_another_position_than_the_cut_says(table: PageTable) -> bool:
    table.sit_down()
    table.liar.forge = lambda room: deuce_for_ann(room)[0]
    table.start()
    return table.plays_hand()


@attack("VIEW_MISMATCH", PageCheck("checker.js", "#compare", "VIEW_MISMATCH"), lasts=SHOWN_AGAIN)
def right_opening_at_another_k(table: PageTable) -> bool:
    """Ann is shown a card with its own right proof, which is for another place."""
    table.sit_down()
    honest: list[tuple[int, ...]] = []

    def forge(room: Room) -> Room:
        nonlocal honest
        room, honest = deuce_for_ann(room)
        return room

    def twist(listener: Listener, state: State) -> list[State]:
        openings = [{**each, "k": honest[0].index(each["position"])} for each in state["openings"]]
        return [{**state, "openings": openings, "events": []}]

    table.liar.forge, table.liar.twist = forge, twist
    table.start()
    return table.bets()


def without_openings(table: PageTable, kept: Callable[[int], bool]) -> None:
    """Ann is sent the proofs of some cards only."""

    def twist(listener: Listener, state: State) -> list[State]:
        return [{**state, "openings": [each for each in state["openings"] if kept(each["k"])], "events": []}]

    table.liar.twist = twist


@attack("VIEW_MISMATCH", PageCheck("checker.js", "#compare", "VIEW_MISMATCH"))
def a_hole_card_without_an_opening(table: PageTable) -> bool:
    table.sit_down()
    without_openings(table, lambda k: k >= 4)
    table.start()
    return table.sees(OWN_CARDS) and table.bets()


@attack("SETUP_MISMATCH", PageCheck("roundchecker.js", "#checkSetup", "SETUP_MISMATCH"))
def a_stack_changed(table: PageTable) -> bool:
    table.sit_down()
    table.liar.forge = lambda room: begun_from(room, stacks=(2 * room.setup.stacks[0], *room.setup.stacks[1:]))
    table.start()
    return table.plays_hand()


@attack("SETUP_MISMATCH", PageCheck("roundchecker.js", "#checkSetup", "SETUP_MISMATCH"))
def the_button_changed(table: PageTable) -> bool:
    table.sit_down()
    table.liar.forge = lambda room: begun_from(room, button=ANN)
    table.start()
    return table.plays_hand()


@attack("RULES_CHANGED", PageCheck("roundchecker.js", "_checkContents", "RULES_CHANGED"))
def the_blinds_changed(table: PageTable) -> bool:
    """From the second hand on the blinds are others, and the room says that they are."""
    table.sit_down()

    def forge(room: Room) -> Room:
        if room.deals < 2:
            return room
        rules: Any = room.rules
        rules = replace(rules, big_blind=4 * rules.big_blind)
        changed = replace(room, rules=rules, round=begin(rules, room.setup))
        return forged(changed, MASTER, rules=rules_text(rules))

    table.liar.forge = forge
    table.start()
    return table.plays_hand() and table.bets()


@attack("PAYOUT_MISMATCH", PageCheck("checker.js", "#compare", "PAYOUT_MISMATCH"))
def payouts_changed(table: PageTable) -> bool:
    table.sit_down()

    def twist(listener: Listener, state: State) -> list[State]:
        payouts = state["public"]["payouts"]
        if not payouts:
            return [state]
        return [{**state, "public": {**state["public"], "payouts": [payouts[0] + 5, payouts[1] - 5, *payouts[2:]]}}]

    table.liar.twist = twist
    table.start()
    return table.plays_hand()


CANONICAL = Patched("canonical.js", "if (write(value) !== text) throw", "if (false) throw")


def malformed(table: PageTable, change: Callable[[str], str]) -> bool:
    """The setup of the deal says the same, in other words."""
    table.sit_down()

    def forge(room: Room) -> Room:
        text = change(cutting_of(room).deal.context.setup)
        assert text != cutting_of(room).deal.context.setup
        return forged(room, MASTER, setup=text)

    table.liar.forge = forge
    table.start()
    return table.bets()


@attack("CONTEXT_NOT_CANONICAL", CANONICAL, lasts=UNREADABLE)
def a_context_with_a_doubled_key(table: PageTable) -> bool:
    return malformed(table, lambda text: text.replace('{"match":1,', '{"match":2,"match":1,', 1))


@attack("CONTEXT_NOT_CANONICAL", CANONICAL, lasts=UNREADABLE)
def a_context_with_spaces(table: PageTable) -> bool:
    return malformed(table, lambda text: text.replace('{"match":1,', '{"match": 1, ', 1))


@attack("CONTEXT_NOT_CANONICAL", CANONICAL, lasts=UNREADABLE)
def a_context_with_1_0_for_1(table: PageTable) -> bool:
    return malformed(table, lambda text: text.replace('{"match":1,', '{"match":1.0,', 1))

"""Attacks on a round in play: moves in my name, moves told otherwise after a restart, shuffles without my cut, and what
is shown beside the cards."""

import json
from typing import Any

from msgspec.structs import replace

from croupier.clients.room_guard import RoomGuard
from croupier.games.poker.rules.actions import CALL, CHECK, AllIn, Fold
from croupier.table import commands as c
from croupier.table.checker import Checker
from croupier.table.client_memory import OwnAction, State
from croupier.table.room import Room
from tests.lying_server.attack import ANN, Outcome, Replaced, Stage, attack
from tests.lying_server.attacks_cards import USED_UP, blackjack
from tests.lying_server.liar import MASTER, Listener, closing_with, forged, with_member
from tests.lying_server.removal import Check

REMEMBERED = RoomGuard._own_actions
OWN_MOVES = Check("Checker._check_own_moves", "MOVE_NOT_MINE")
RECALL = Replaced("croupier.table.deal_checker.DealChecker.recall_moves", lambda *_: None)
"""A client that forgets the moves of a hand when its program ends."""


def play_for_ann(stage: Stage, action: Any) -> Outcome:
    """The server acts in Ann's name."""
    assert stage.table.do(ANN, c.Play(action)) is None
    return Outcome(stage.ann, not stage.ann.guard.checker.findings)


@attack("MOVE_NOT_MINE", OWN_MOVES)
def a_card_taken_in_my_name() -> Outcome:
    """Ann has not decided yet, and the server takes a card for her: it puts in no chip, and may lose her all."""
    stage = blackjack()
    menu = stage.room.round.menu(0)  # type: ignore[union-attr]
    return play_for_ann(stage, next(offer.action for offer in menu if offer.action.tag == "BLACKJACK_HIT"))


@attack("MOVE_NOT_MINE", OWN_MOVES)
def a_turn_played_in_my_name() -> Outcome:
    """The server plays Ann's turn at Sequence, and not as the rules play for somebody who is late."""
    stage = Stage(game="sequence", preset="house").start()
    menu = stage.room.round.menu(0)  # type: ignore[union-attr]
    return play_for_ann(stage, menu[-1].choose(menu[-1].among[-1]) if menu[-1].field else menu[-1].action)


def _acts_anywhere(guard: RoomGuard, hand: int) -> list[OwnAction]:
    """A client that remembers what its player did in a hand, and not when."""
    return [replace(act, number=None) for act in REMEMBERED(guard, hand)]


@attack("MOVE_NOT_MINE", Replaced("croupier.clients.room_guard.RoomGuard._own_actions", _acts_anywhere))
def a_call_refused_on_one_street_and_made_on_another() -> Outcome:
    """Ann calls the blind and is refused, so she calls again. The first call is kept for when Eve is all in."""
    stage = Stage("eve", bots=0).start()
    refuse = True

    def once(room: Room, who: str, command: Any) -> str:
        nonlocal refuse
        is_ann = refuse and who == ANN and isinstance(command, c.Play)
        refuse = refuse and not is_ann
        return "BUSY" if is_ann else ""

    stage.liar.answer = once
    assert stage.room.turn == (0,)
    assert stage.ann.act(CALL) == "BUSY"
    assert stage.ann.act(CALL) is None
    assert stage.table.do("eve", c.Play(CHECK)) is None
    assert stage.table.do("eve", c.Play(AllIn())) is None
    outcome = play_for_ann(stage, CALL)
    assert stage.room.round is not None
    return outcome._replace(gained=outcome.gained and stage.room.round.over)


@attack("NOT_LISTED", Check("DealChecker._check_cutters", "NOT_LISTED"))
def a_later_shuffle_without_my_cut() -> Outcome:
    """The cards of a game of Sequence are used up. The server shuffles them again alone: Ann was away, it says."""
    stage = Stage(game="sequence", preset="house", seed=USED_UP)
    stage.liar.forge = lambda room: forged(room, cutters=()) if room.packs else room
    stage.start()
    while len(stage.room.packs) == 1 and not stage.ann.guard.checker.findings:
        assert not stage.room.round.over, "the cards are not used up"  # type: ignore[union-attr]
        stage.table.step()
    return Outcome(stage.ann, not stage.ann.guard.checker.findings and len(stage.room.packs) == 2)


@attack("VIEW_MISMATCH", Check("Checker._check_unseen", "VIEW_MISMATCH"))
def a_menu_without_a_table() -> Outcome:
    """Nothing is shown of the hand: so nobody sees that the menu is another one than the rules have."""
    stage = Stage()

    def twist(listener: Listener, state: dict[str, Any]) -> list[dict[str, Any]]:
        menu = state["you"]["menu"][:1]
        return [{**state, "you": {**state["you"], "view": None, "menu": menu}, "events": []}] if menu else [state]

    stage.liar.twist = twist
    stage.start()
    return Outcome(stage.ann, stage.is_accepted and len(stage.ann.state["you"]["menu"]) == 1)


@attack("RULES_CHANGED", Check("Checker._check_rules", "RULES_CHANGED"))
def other_rules_shown_in_the_middle_of_a_hand() -> Outcome:
    """The hand was dealt by the blinds that were fixed. Those that are shown beside it are others."""
    stage = Stage().start()

    def twist(listener: Listener, state: dict[str, Any]) -> list[dict[str, Any]]:
        told = json.loads(json.dumps(state))
        told["public"]["rules"]["small_blind"] = 1
        return [told]

    stage.liar.twist = twist
    stage.table.show(stage.room)
    return Outcome(stage.ann, stage.is_accepted and stage.ann.state["public"]["rules"]["small_blind"] == 1)


def _forgets_at_once(checker: Checker, state: State) -> None:
    """As soon as somebody is not in a lobby, their debt is forgotten."""
    assert checker.memory is not None
    here = {member.id for member in state.public.members}
    if state.public.phase == "lobby":
        kept = {seat: miss for seat, miss in checker.memory.misses.items() if miss.member in here}
        checker.memory = replace(checker.memory, misses=kept)


@attack("OWED_CUT_MISSING", Replaced("croupier.table.checker.Checker._forget_the_gone", _forgets_at_once))
def a_debt_forgotten_in_a_lobby_out_of_nowhere() -> Outcome:
    """Eve avoided a deal. For a moment everybody is shown a lobby without her; then the match goes on, and she owes
    nothing."""
    stage = Stage("eve")
    eve = stage.others["eve"]
    eve.misses, eve.pays = True, False
    stage.start()
    stage.table.wait()
    stage.finish()

    def twist(listener: Listener, state: dict[str, Any]) -> list[dict[str, Any]]:
        here = [member for member in state["public"]["members"] if member["id"] != "eve"]
        return [{**state, "public": {**state["public"], "phase": "lobby", "members": here}}, state]

    eve.misses = False
    promise = eve.guard.promise()
    stage.liar.twist = twist
    stage.table.show(with_member(stage.room, "eve", owes=None, back_at_hand=0, misses=0, promise=promise))
    stage.liar.twist = lambda listener, state: [state]
    stage.table.wait()
    return Outcome(stage.ann, stage.is_accepted and len(stage.room.packs[-1].cuts) == 2)


def _called() -> tuple[Stage, Room]:
    """Ann was all in, and the bot has called; and the room in which it has folded."""
    stage = Stage().start()
    raised = stage.room.round.act(AllIn(), 0)  # type: ignore[union-attr]
    assert stage.ann.act(AllIn()) is None
    stage.table.move_bot()
    assert stage.room.round.moves[-1].action != Fold()  # type: ignore[union-attr]
    return stage, replace(stage.room, round=raised.act(Fold(), 1))


@attack("VIEW_MISMATCH", RECALL)
def moves_told_otherwise_after_a_restart() -> Outcome:
    """Ann was all in, and was called. When she starts her program again, the bot has folded."""
    stage, folded = _called()
    stage.ann.go()
    stage.table.room = folded
    stage.ann.reload()
    return Outcome(stage.ann, not stage.ann.guard.checker.findings)


@attack("CLOSING_MISMATCH", RECALL)
def moves_rewritten_while_my_program_was_closed() -> Outcome:
    """Ann has played a hand. When she starts her program again another one has been fixed, and the one before it was
    played otherwise: the closing says that she folded."""
    stage = Stage().start()
    stage.finish()
    moves = [{"seat": 0, "action": {"type": "HOLDEM_FOLD"}}]
    stage.liar.forge = lambda room: forged(room, closing=closing_with(stage.room, moves=moves), master=MASTER)
    stage.ann.go()
    stage.ann.guard = stage.ann._new_guard()
    stage.ann.answered, stage.ann.state = set(), {}
    stage.ann.is_here = True
    stage.table.wait()
    stage.ann.come()
    stage.table.settle()
    return Outcome(stage.ann, not stage.ann.guard.checker.findings and stage.room.hand == 2)

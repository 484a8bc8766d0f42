"""Attacks on what a hand starts from and how it is told: rules, stacks, button, purchases, moves, results."""

import json
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from croupier.dealing import canonical
from croupier.dealing.cut2 import Cutter, closing_digest, promise_of
from croupier.game.game import Change
from croupier.game.refusal import Refusal
from croupier.games.poker.rules.actions import AllIn, Fold
from croupier.table import commands as c
from croupier.table.apply import handle
from croupier.table.log import Logged
from croupier.table.room import FORMAT, Phase, Room
from tests.lying_server.attack import ANN, Outcome, Replaced, Stage, attack
from tests.lying_server.liar import MASTER, Listener, closing_with, cutting_of, forged, with_member
from tests.lying_server.removal import Check

SETUP = Check("RoundChecker._check_setup", "SETUP_MISMATCH")


def _with_setup(**changes: Any) -> Outcome:
    stage = Stage().start()
    stage.finish()
    stage.table.room = replace(stage.room, setup=replace(stage.room.setup, **changes))
    stage.table.wait()
    return Outcome(stage.ann, stage.is_accepted and stage.room.hand == 2)


@attack("SETUP_MISMATCH", SETUP)
def a_stack_changed_between_two_hands() -> Outcome:
    """Some of Ann's chips are the bot's in the next hand."""
    return _with_setup(stacks=(500, 1500))


@attack("SETUP_MISMATCH", SETUP)
def the_button_changed() -> Outcome:
    """The button stays where it is."""
    return _with_setup(button=0)


def _second_hand(stage: Stage, **changes: Any) -> Outcome:
    """Changes the room between two hands, and lets the next one be cut."""
    stage.table.room = replace(stage.room, **changes)
    stage.table.wait()
    return Outcome(stage.ann, stage.is_accepted and stage.room.hand == 2)


def _first_hand(seed: int = 0) -> Stage:
    stage = Stage(seed=seed).start()
    stage.finish()
    return stage


def _amended(room: Room, *changes: Change) -> dict[str, Any]:
    """What the room has after some comings, goings and purchases."""
    setup = room.setup
    for change in changes:
        setup = room.rules.amend(setup, change)
        assert not isinstance(setup, Refusal)
    return {"since": (*room.since, *changes), "setup": setup}


@attack("RULES_CHANGED", Check("RoundChecker._check_contents", "RULES_CHANGED"))
def blinds_changed_in_the_middle_of_a_match() -> Outcome:
    """From one hand to the next the blinds are ten times as high, openly."""
    stage = _first_hand()
    return _second_hand(stage, rules=replace(stage.room.rules, small_blind=50, big_blind=100))


@attack("RULES_CHANGED", Check("RoundChecker._watch_start", "RULES_CHANGED"))
def an_option_changed_when_the_match_begins() -> Outcome:
    """In the lobby the blinds were small. At the first hand they are not."""
    stage = Stage()
    honest = stage.liar.commit

    def commit(before: Room, after: Room) -> Room:
        rules = replace(after.rules, small_blind=50, big_blind=100)
        if before.phase != after.phase:
            after = replace(before, rules=rules)
            done = handle(after, _start_of(stage), MASTER)
            assert not isinstance(done, Refusal)
            return done.room
        return honest(before, after)

    stage.liar.commit = commit  # type: ignore[method-assign]
    stage.start()
    return Outcome(stage.ann, stage.is_accepted and stage.room.rules.big_blind == 100)


def _start_of(stage: Stage) -> Logged:
    return Logged(ANN, "Ann", stage.table.now_ms, c.HostStartGame(), FORMAT)


@attack("SETUP_MISMATCH", Check("RoundChecker._expected_setup", "SETUP_MISMATCH"))
def a_new_match_out_of_nowhere() -> Outcome:
    """The next hand, says the server, is the first of a new match, with new stacks; but no lobby was seen."""
    stage = _first_hand()
    room = stage.room
    return _second_hand(stage, match=room.match + 1, setup=replace(room.setup, stacks=(400, 1600), button=0))


@attack("SETUP_MISMATCH", Check("RoundChecker._expected_setup", "SETUP_MISMATCH"))
def a_match_begun_anew_before_the_last_one_was_over() -> Outcome:
    """Ann has won some chips. Everybody is sent back to the lobby, where the match begins anew, with equal stacks."""
    stage = next(stage for stage in map(_first_hand, range(50)) if stage.room.setup.stacks[0] > 1000)
    stage.table.show(replace(stage.room, phase=Phase.ENDED))
    assert stage.table.do(ANN, c.HostRematch()) is None
    assert stage.table.do(ANN, c.HostStartGame()) is None
    stage.table.settle()
    return Outcome(stage.ann, stage.is_accepted and stage.room.match == 2)


@attack("MOVE_NOT_MINE", Check("DealChecker._check_own_changes", "MOVE_NOT_MINE"))
def thrown_out_and_back_between_two_hands() -> Outcome:
    """Ann has left, says the server, and has sat down again: with what newcomers bring."""
    stage = _first_hand()
    return _second_hand(stage, **_amended(stage.room, Change(0, "left"), Change(0, "taken", 1000)))


def _poor_ann() -> Stage:
    """A table at which Ann has lost some chips in the first hand."""
    for seed in range(50):
        stage = _first_hand(seed)
        if stage.room.setup.stacks[0] < 1000:
            return stage
    raise AssertionError("she always wins")


@attack("MOVE_NOT_MINE", Check("DealChecker._check_own_changes", "MOVE_NOT_MINE"))
def a_purchase_in_my_name() -> Outcome:
    """Ann has bought chips, says the server."""
    stage = _poor_ann()
    return _second_hand(stage, **_amended(stage.room, Change(0, "bought", 3)))


@attack("MOVE_NOT_MINE", Check("DealChecker._check_own_changes", "MOVE_NOT_MINE"))
def a_purchase_changed() -> Outcome:
    """Ann has bought five chips. The server gives her two."""
    stage = _poor_ann()
    assert stage.table.do(ANN, c.PlayerBuyChips(5)) is None
    room = stage.room
    assert room.since[-1] == Change(0, "bought", 5)
    stacks = (room.setup.stacks[0] - 3, *room.setup.stacks[1:])
    since = (*room.since[:-1], Change(0, "bought", 2))
    return _second_hand(stage, since=since, setup=replace(room.setup, stacks=stacks))


@attack("MOVE_NOT_MINE", Check("DealChecker._check_own_changes", "MOVE_NOT_MINE"))
def dealt_in_again_though_i_sit_out() -> Outcome:
    """Ann sits out. She is back, says the server, and takes her blind."""
    stage = _first_hand()
    assert stage.table.do(ANN, c.PlayerSitOut()) is None
    return _second_hand(stage, **_amended(stage.room, Change(0, "sat_in")))


@attack("CHANGE_REFUSED", Replaced("croupier.table.mirror.is_sound", lambda rules, setup, change: True))
def a_newcomer_with_another_stack_than_everybody() -> Outcome:
    """Somebody takes the bot's seat, and brings just enough for the blind."""
    stage = _first_hand()
    return _second_hand(stage, **_amended(stage.room, Change(1, "left"), Change(1, "taken", 10)))


@attack("CLOSING_MISMATCH", Check("DealChecker._check_closing", "CLOSING_MISMATCH"))
def moves_rewritten_in_the_closing() -> Outcome:
    """What everybody saw being played is not what the next deal is chained to."""
    stage = _first_hand()
    stage.liar.forge = lambda room: forged(room, closing=closing_with(stage.room, moves=[]))
    return _second_hand(stage)


@attack(
    "CLOSING_MISMATCH",
    Check("DealChecker._check_closing", "CLOSING_MISMATCH"),
    SETUP,
    overlap="the result stands in the closing, and in the stacks of the next hand",
)
def a_result_rewritten_in_the_closing() -> Outcome:
    """The bot has won the hand, says the closing, and so say the stacks."""
    stage = _first_hand()
    stacks = (400, 1600)
    stage.liar.forge = lambda room: forged(room, closing=closing_with(stage.room, payouts=[-600, 600]))
    return _second_hand(stage, setup=replace(stage.room.setup, stacks=stacks))


@attack("BEFORE_MISMATCH", Check("RoundChecker._closing_of", "BEFORE_MISMATCH"))
def a_closing_that_the_chain_does_not_name() -> Outcome:
    """Everybody is told how the last hand ended. What the deal is chained to is another end."""
    stage = _first_hand()
    other = closing_digest(closing_with(stage.room, payouts=[-600, 600]))
    stage.liar.forge = lambda room: forged(room, before=other)
    return _second_hand(stage)


@attack("OWED_CUT_MISSING", Check("DealChecker._check_cutters", "OWED_CUT_MISSING"))
def somebody_who_owes_a_cut_under_another_name() -> Outcome:
    """Eve avoided a deal. In the next hand her seat is somebody else's, says the list, though nobody came or went."""
    stage = Stage("eve")
    eve = stage.others["eve"]
    eve.misses, eve.pays = True, False
    stage.start()
    stage.table.wait()
    stage.finish()
    eve.misses, eve.person = False, "evelyn"
    stage.table.people["evelyn"] = eve
    promise = eve.guard.promise()
    clean = with_member(stage.room, "eve", id="evelyn", owes=None, back_at_hand=0, misses=0, promise=promise)
    stage.table.room = clean
    stage.table.wait()
    return Outcome(stage.ann, stage.is_accepted and len(stage.room.packs[-1].cuts) == 2)


@attack("CUTTERS_CHANGED", Check("DealChecker._check_cutters", "CUTTERS_CHANGED"))
def a_cutter_who_is_not_dealt_in() -> Outcome:
    """Eve sits out. She is asked to cut nevertheless: so she can void a deal, and loses nothing by it. That she is
    listed is first shown in a state that waits for nobody."""
    stage = Stage("eve")
    shown: list[int] = []

    def twist(listener: Listener, state: dict[str, Any]) -> list[dict[str, Any]]:
        waits = state["public"]["waitsFor"]
        if not waits or state["public"]["deal"] in shown:
            return [state]
        shown.append(state["public"]["deal"])
        return [{**state, "public": {**state["public"], "waitsFor": []}}]

    def forge(room: Room) -> Room:
        mine = cutting_of(room).deal.context.cutters[0]
        return forged(room, cutters=(mine, Cutter(2, stage.others["eve"].guard.promise())))

    stage.start()
    stage.finish()
    assert stage.table.do("eve", c.PlayerSitOut()) is None
    stage.liar.forge, stage.liar.twist = forge, twist
    stage.table.wait()
    stage.table.show(stage.room)
    stage.table.settle()
    return Outcome(stage.ann, stage.is_accepted and len(stage.room.packs[-1].cuts) == 2)


@attack("VIEW_MISMATCH", Check("Checker._check_told_again", "VIEW_MISMATCH"))
def moves_told_otherwise_when_the_round_is_told_again() -> Outcome:
    """Ann was all in, and was called. The server tells the whole round again, in which the bot has folded."""
    stage = Stage().start()
    before = stage.room
    assert before.turn == (0,)
    raised = before.round.act(AllIn(), 0)  # type: ignore[union-attr]
    assert raised.turn == (1,)
    assert stage.ann.act(AllIn()) is None
    assert len(stage.room.round.moves) == 1  # type: ignore[union-attr]
    stage.table.move_bot()
    folded = raised.act(Fold(), 1)
    called = stage.room
    assert called.round.moves[-1].action != Fold()  # type: ignore[union-attr]
    stage.table.restore(replace(called, round=folded))
    return Outcome(stage.ann, not stage.ann.guard.checker.findings)


@attack("MOVE_NOT_MINE", Check("Checker._check_own_moves", "MOVE_NOT_MINE"))
def a_bet_in_my_name() -> Outcome:
    """Ann is all in, says the server, before she has said anything."""
    stage = Stage().start()
    stage.table.do(ANN, c.Play(AllIn()))
    return Outcome(stage.ann, stage.is_accepted and bool(stage.room.round.moves))  # type: ignore[union-attr]


def _in_view(change: Any) -> Any:
    """Tells everything but lets the view be changed, once there are cards."""

    def twist(listener: Listener, state: dict[str, Any]) -> list[dict[str, Any]]:
        told = json.loads(json.dumps(state))
        if told["you"]["view"] is not None and told["public"]["turn"]:
            change(told)
        return [told]

    return twist


@attack("VIEW_MISMATCH", Check("Checker._compare", "VIEW_MISMATCH"))
def another_stack_on_the_table() -> Outcome:
    """The bot has more chips than it has."""
    stage = Stage()
    stage.liar.twist = _in_view(lambda told: told["you"]["view"]["seats"][1].update(chips=5000))
    stage.start()
    return Outcome(stage.ann, stage.is_accepted and stage.ann.state["you"]["view"]["seats"][1]["chips"] == 5000)


@attack("VIEW_MISMATCH", Check("Checker._compare", "VIEW_MISMATCH"))
def a_menu_without_the_raise() -> Outcome:
    """Ann is not told that she may raise."""
    stage = Stage()
    stage.liar.twist = _in_view(lambda told: told["you"].update(menu=told["you"]["menu"][:1]))
    stage.start()
    return Outcome(stage.ann, stage.is_accepted and len(stage.ann.state["you"]["menu"]) == 1)


@attack("PAYOUT_MISMATCH", Check("Checker._compare", "PAYOUT_MISMATCH"))
def another_result() -> Outcome:
    """The hand is over, and Ann has lost more than she has."""
    stage = Stage()

    def twist(listener: Listener, state: dict[str, Any]) -> list[dict[str, Any]]:
        over = state["public"]["payouts"] is not None
        return [{**state, "public": {**state["public"], "payouts": [-500, 500]}}] if over else [state]

    stage.liar.twist = twist
    stage.start()
    stage.finish()
    return Outcome(stage.ann, stage.is_accepted and stage.ann.state["public"]["payouts"] == [-500, 500])


@attack("VIEW_MISMATCH", Replaced("croupier.table.checker.Checker._heard", lambda checker, state: state.events))
def an_event_that_did_not_happen() -> Outcome:
    """The chronicle of the table tells of a card that nobody was dealt."""
    stage = Stage()
    told: list[Any] = []

    def twist(listener: Listener, state: dict[str, Any]) -> list[dict[str, Any]]:
        if told or not state["events"] or state["whole"]:
            return [state]
        told.append({**state["events"][0], "cards": ["As", "Ah"]})
        return [{**state, "events": [*state["events"], told[0]]}]

    stage.liar.twist = twist
    stage.start()
    heard = [event for seen in stage.ann.seen for event in seen.events]
    return Outcome(stage.ann, bool(told) and told[0] in heard)


def _uncanonical(text: str) -> Any:
    """Reads JSON as JavaScript does, in whatever form it is."""
    return json.loads(text, parse_float=lambda number: int(float(number)))


class Reading(NamedTuple):
    """A client that reads texts in any form, and remembers of none that it was refused before."""

    def remove(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(canonical, "_is_canonical", canonical._is_canonical.__wrapped__)
        monkeypatch.setattr(canonical, "read", _uncanonical)


READS = Reading()


def _with_text(**changes: Any) -> Outcome:
    """A deal whose context has a text in another form: what Python makes of it is the same."""
    stage = Stage()
    stage.liar.forge = lambda room: forged(
        room, **{name: change(getattr(cutting_of(room).deal.context, name)) for name, change in changes.items()}
    )
    stage.start()
    return Outcome(stage.ann, stage.is_accepted)


@attack("CONTEXT_NOT_CANONICAL", READS)
def a_doubled_key_in_the_setup() -> Outcome:
    """Some readers take the first of two values, and some the last."""
    return _with_text(setup=lambda text: text.replace('"match":1', '"match":9,"match":1'))


@attack("CONTEXT_NOT_CANONICAL", READS)
def spaces_in_the_setup() -> Outcome:
    """The same value, and another hash."""
    return _with_text(setup=lambda text: text.replace(",", ", "))


@attack("CONTEXT_NOT_CANONICAL", READS)
def a_fraction_for_a_whole_number() -> Outcome:
    """1.0 is 1 in one language and not in the other."""
    return _with_text(setup=lambda text: text.replace('"button":0', '"button":0.0'))


@attack("CLOSING_MALFORMED", READS)
def spaces_in_the_closing() -> Outcome:
    """The same end of the last hand, and another hash."""
    stage = _first_hand()
    stage.liar.forge = lambda room: forged(room, closing=closing_with(stage.room).replace(",", ", "))
    return _second_hand(stage)


@attack(
    "SCHEME_OLD",
    Check("Checker._see", "SCHEME_OLD"),
    Check("RoomGuard.may_act", "BET_WITHOUT_CUT"),
    overlap="nobody bets in a hand that proves nothing, though they may end it",
)
def a_downgrade_to_cut_1() -> Outcome:
    """The hand is dealt by the scheme of the first release, in which the server had its way."""
    stage = Stage()
    stage.liar.forge = lambda room: forged(room, cutters=(Cutter(0, promise_of(MASTER)),))
    stage.liar.twist = lambda listener, state: [
        {**state, "public": {**state["public"], "scheme": "cut-1"}} if state["public"]["hand"] else state
    ]
    stage.start()
    stage.table.show(stage.cut_by_all(stage.room, {0: MASTER.hex()}))
    return Outcome(stage.ann, stage.bets())

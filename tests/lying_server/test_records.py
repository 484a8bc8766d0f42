"""Records that a server forged afterwards: what they show by themselves, and what the log of a player shows."""

import json
from hashlib import sha256
from typing import Any

import pytest

from croupier.dealing.cut2 import pictures
from croupier.table.apply import steps
from croupier.table.deal_faults import DealNote
from croupier.table.download import download
from croupier.table.verdict import Notice
from croupier.wire.records import line, verify
from tests.lying_server.attack import ANN, Stage, accepted
from tests.lying_server.attacks_voids import refuse_cuts
from tests.lying_server.liar import MASTER, forged, masters
from tests.lying_server.offline import CODE


def _evening(hands: int = 3, seed: int = 0) -> Stage:
    stage = Stage("eve", seed=seed).start()
    for _ in range(hands):
        stage.finish()
        stage.table.wait()
    stage.finish()
    assert not stage.table.alarms()
    return stage


def _records(stage: Stage) -> list[str]:
    return [line(entry) for entry in download(steps(CODE, stage.table.log, stage.table.secrets), ANN)]


def _log(stage: Stage) -> list[str]:
    return stage.ann.vault.lines(stage.ann.guard.log_name)


def _codes(records: list[str], log: list[str] | None = None) -> set[str]:
    return {finding.code for _, finding in verify(records, log).findings}


def test_honest_records_verify_with_and_without_a_log() -> None:
    stage = _evening()
    assert _codes(_records(stage)) == set()
    assert _codes(_records(stage), _log(stage)) == set()


def test_without_a_log_it_is_said_what_cannot_be_known() -> None:
    noticed = {notice.code for _, notice in verify(_records(_evening())).notices}
    assert Notice.RECORD_ALONE in noticed


def test_a_record_forged_from_known_cuts_agrees_with_itself_and_not_with_a_log() -> None:
    """The server knows what everybody gave. It deals the hand again from the same promises, with another secret."""
    stage, other = Stage("eve").start(), Stage("eve")
    honest = other.table.secret
    other.table.secret = lambda: sha256(honest()).digest()  # type: ignore[method-assign]
    other.start()
    stage.finish()
    other.finish()
    records, forgery = _records(stage), _records(other)
    assert _proof(forgery)["cuts"] == _proof(records)["cuts"]
    assert _proof(forgery)["context"] == _proof(records)["context"]
    assert _codes(forgery) == set(), "by itself it shows nothing wrong"
    assert _codes(forgery, _log(stage)) >= {"LOG_DEAL_DIFFERS"}, "whoever was there has seen another deal"


def _proof(records: list[str]) -> Any:
    """Of the first deal."""
    return json.loads(records[0])["proofs"][0]


@pytest.mark.parametrize("kept", [slice(0, -2), slice(1, None), slice(0, 2)])
def test_a_truncated_record_is_found(kept: slice) -> None:
    stage = _evening()
    records = _records(stage)[kept]
    assert _codes(records) | _codes(records, _log(stage))


def test_a_record_cut_short_with_a_forged_end_agrees_with_itself_and_not_with_a_log() -> None:
    """The last hands are left out, and the last line says that there were none."""
    stage = _evening()
    records = _records(stage)
    left_out, end = json.loads(records[2])["proofs"][0], json.loads(records[-1])
    forged_end = {**end, "deals": left_out["context"]["deal"] - 1, "closing": left_out["closing"]}
    short = [*records[:2], json.dumps(forged_end, separators=(",", ":"))]
    assert _codes(short) == set(), "by itself it shows nothing wrong"
    assert _codes(short, _log(stage)) >= {"LOG_DEALS_NOT_IN_RECORD"}


def test_a_hand_of_another_table_is_found() -> None:
    stage, other = _evening(), _evening(seed=1)
    records, foreign = _records(stage), _records(other)
    assert _codes([records[0], foreign[1], *records[2:]])


def test_a_void_that_was_removed_is_found() -> None:
    stage = Stage("eve")
    stage.others["eve"].misses = True
    stage.start()
    stage.table.wait()
    stage.finish()
    stage.table.wait()
    stage.finish()
    records = _records(stage)
    first = json.loads(records[0])
    assert first.pop("voids")
    assert _codes(records, _log(stage)) == set()
    assert _codes([json.dumps(first, separators=(",", ":")), *records[1:]])


@pytest.mark.parametrize("is_foreign", [True, False])
def test_a_cut_in_my_place_while_my_line_was_down_is_found_in_the_log(is_foreign: bool) -> None:
    """Ann's log as it would be if her line had been down in the second hand: of its deal she was told afterwards. The
    cut in her seat is of a promise that she made, or of one that her log knows nothing of."""
    stage = _evening()
    log = [json.loads(text) for text in _log(stage)]
    fixed = next(news for line in log for news in line.get("deals", ()) if news.get("context", {}).get("deal") == 2)
    promise = next(cutter["promise"] for cutter in fixed["context"]["cutters"] if cutter["seat"] == 0)

    def is_kept(line: dict[str, Any]) -> bool:
        told = 2 in (line.get("hand"), line.get("cut", {}).get("deal"), line.get("acknowledged", {}).get("deal"))
        return not told and not (is_foreign and line.get("promise") == promise)

    later = next(place for place, line in enumerate(log) if line.get("hand") == 3)
    bridged = {"atMs": log[later]["atMs"], "program": log[later]["program"], "bridged": [fixed]}
    lines = [line for line in (*log[:later], bridged, *log[later:]) if is_kept(line)]
    found = _codes(_records(stage), [json.dumps(line) for line in lines])
    assert found == ({"LOG_PROMISE_UNKNOWN"} if is_foreign else set())


def test_a_cut_that_is_dropped_once_is_a_quiet_line() -> None:
    """It may have been late: that is told, with the seconds it took, and no alarm."""
    stage = Stage("eve")
    stage.liar.answer = refuse_cuts(1, "NO_DEAL_TO_CUT")
    stage.start()
    stage.table.wait()
    checker = stage.ann.guard.checker
    assert checker.findings == []
    assert [note.code for note in checker.notes] == [DealNote.CUT_NOT_COUNTED]


def test_two_views_of_one_deal_have_two_codes() -> None:
    """Ann and Bob are shown different tables, each sound in itself. Only the code that they read aloud tells: it is of
    the cut, which nobody knows before both have given theirs, so no other deal can be looked for that has the same."""
    stage = Stage("bob")
    table = stage.table
    bob = table.people["bob"] = type(stage.ann)(table, "bob")
    table.broadcast.detach(stage.others["bob"])
    bob.come()
    table.broadcast.detach(bob)
    stage.ann.hangs = True
    stage.start()
    other = table.fork(forged(table.room, MASTER), bob)
    values = {0: stage.ann.guard.cut(_wanted(stage.ann)), 2: bob.guard.cut(_wanted(bob))}
    table.show(stage.cut_by_all(table.room, values))  # type: ignore[arg-type]
    other.show(stage.cut_by_all(other.room, values))  # type: ignore[arg-type]
    assert accepted(table, stage.ann), "nothing is wrong with what Ann sees"
    assert accepted(other, bob), "nor with what Bob sees"
    assert pictures(stage.ann.guard.checker.code) != pictures(bob.guard.checker.code)


def _wanted(player: Any) -> Any:
    return player.seen[-1].cut


def test_a_code_of_the_seal_could_be_ground() -> None:
    """Which is why the code is of the cut: to a code that is known before the cut another deal can be found. Here for
    the first of the four pictures."""
    stage = Stage()
    stage.ann.hangs = True
    stage.start()
    first = pictures(stage.room.cutting.deal.seal)[0]  # type: ignore[union-attr]
    for master in masters():
        other = forged(stage.room, master).cutting.deal  # type: ignore[union-attr]
        if pictures(other.seal)[0] == first:
            break
    assert other.seal != stage.room.cutting.deal.seal  # type: ignore[union-attr]

"""The verify page against `croupier verify`: the same findings, notices and counts, for honest records of all games,
for those of the first release, and for forgeries of every kind.
"""

import json
import subprocess
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.dealing.findings import Finding
from croupier.table.verdict import Verdict
from croupier.wire.records import verify
from tests.page_scripts import page_scripts
from tests.replay.forgeries import (
    HOME_GAMES,
    File,
    casino,
    chips_from_nowhere,
    forged,
    home_games,
    honest,
    house,
    impossible_ends,
    kept,
    rewritten,
    rounds_given_up,
)

CHECK = Path(__file__).with_name("check_verdicts.mjs")


def judged_alike(cases: Iterable[File], folder: Path) -> list[Verdict]:
    """Has Python and the page judge the files; gives what Python found."""
    node = page_scripts(folder)
    verdicts = []
    path = folder / "cases.jsonl"
    with path.open("wb") as lines:
        for case in cases:
            verdict = verify(
                [text.encode() for text in case.records],
                None if case.log is None else [text.encode() for text in case.log],
            )
            verdicts.append(verdict)
            plain = {**case._asdict(), "expected": _plain(verdict)}
            lines.write(msgspec.json.encode(plain) + b"\n")
    command = [*node, str(CHECK), str(folder / "js"), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3000, check=False)
    assert done.returncode == 0, done.stderr[:20_000]
    assert json.loads(done.stdout) == {"count": len(verdicts)}
    return verdicts


def test_records_with_every_option_of_poker_are_found_good_by_both(tmp_path: Path) -> None:
    """Run-outs, rabbit hunts, bomb pots, straddles, missed blinds and a dead button all happened, and were checked."""
    happened: Counter[str] = Counter()
    files = []
    for played, seen in home_games(0, HOME_GAMES[:3], rounds=16):
        files += seen
        for room in played.steps:
            if room.round is not None and room.round.over:
                hand: Any = room.round.state
                happened["run"] += hand.runs > 1
                happened["rabbit"] += bool(hand.rabbit)
                happened["bomb"] += hand.forced.bomb
                happened["asked"] += hand.setup.bomb is True
                happened["straddle"] += hand.forced.opening_bet > room.rules.big_blind
                happened["dead"] += hand.setup.button not in hand.order
                happened["returning"] += bool(hand.forced.returning or hand.forced.dead)
                happened["rake"] += hand.rake
                happened["shown"] += bool(hand.bared)
    verdicts = judged_alike(files, tmp_path)
    assert [found.code for verdict in verdicts for _, found in verdict.findings] == []
    names = {"run", "rabbit", "bomb", "asked", "straddle", "dead", "returning", "rake", "shown"}
    assert {name for name, times in happened.items() if times} == names


def _plain(verdict: Verdict) -> dict[str, Any]:
    return {
        "findings": [_found(line, found) for line, found in verdict.findings],
        "notices": [_found(line, found) for line, found in verdict.notices],
        "checked": verdict.checked,
    }


def _found(line: int, found: Finding) -> dict[str, Any]:
    return {"line": line, "code": found.code, "facts": found.facts}


def test_honest_evenings_are_found_good_by_both(tmp_path: Path) -> None:
    verdicts = judged_alike([*honest(range(4)), *casino()], tmp_path)
    found = {found.code for verdict in verdicts for _, found in verdict.findings}
    assert found == {"SEED_NOT_REVEALED"}, "of the casino's rounds before the reveal"
    assert sum(verdict.checked.voids for verdict in verdicts) > 5
    assert sum(verdict.checked.links for verdict in verdicts) > 50


def test_records_of_the_first_release_are_judged_as_what_they_were(tmp_path: Path) -> None:
    verdicts = judged_alike([*kept(), *house()], tmp_path)
    notices = Counter(found.code for verdict in verdicts for _, found in verdict.notices)
    assert notices["CUT_1_PROVES_LESS"] > 5
    assert sum(not verdict.ok for verdict in verdicts) >= 6


@pytest.mark.parametrize("count", [120, pytest.param(420, marks=pytest.mark.soak)])
def test_forgeries_are_found_out_by_both_for_the_same_reasons(tmp_path: Path, count: int) -> None:
    files = [*honest(range(2)), *house(), *casino()]
    last = [*map(chips_from_nowhere, range(3)), *map(rewritten, range(4)), rounds_given_up()]
    cases = [*forged(files, range(count)), *last]
    verdicts = judged_alike(cases, tmp_path)
    found = Counter(found.code for verdict in verdicts for _, found in verdict.findings)
    assert sum(not verdict.ok for verdict in verdicts) > 0.7 * count
    assert len(found) > (40 if count > 400 else 25)
    assert all(verdict.findings for verdict in verdicts[-len(last) :])
    assert {"SETUP_UNEXPLAINED", "LOG_DEAL_DIFFERS", "LOG_ROUND_DIFFERS", "LOG_ROUND_ABANDONED"} <= set(found)


def test_changes_after_the_last_deal_that_no_room_makes_are_found_by_both(tmp_path: Path) -> None:
    for verdict in judged_alike(impossible_ends(), tmp_path):
        assert ("END_MISMATCH", "changes") in [(found.code, found.facts.get("field")) for _, found in verdict.findings]


@pytest.mark.soak
def test_many_forgeries_are_judged_alike(tmp_path: Path) -> None:
    files = [*honest(range(100, 110)), *house(), *casino(), *kept()]
    judged_alike(forged(files, range(1_000_000, 1_010_000)), tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 6))
def test_many_records_with_every_option_of_poker_are_found_good_by_both(seed: int, tmp_path: Path) -> None:
    verdicts = judged_alike([file for _, seen in home_games(seed, HOME_GAMES, rounds=30) for file in seen], tmp_path)
    assert [found.code for verdict in verdicts for _, found in verdict.findings] == []

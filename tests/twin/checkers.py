"""What both checkers say of a tape."""

import json
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from croupier.table.checker import Checker
from croupier.table.client_memory import Memory, OwnAction
from tests.page_scripts import page_scripts
from tests.twin.tapes import Tape

WORDED = ("fault", "value")
"""Facts that say in the words of each language what could not be read."""
REASONED = "MOVE_REFUSED"
"""Why the rules refuse a move is told by codes of their own only in Python."""
TOLD = ("alarms", "notes", "cut", "gap", "remember", "events", "is_proved")


def in_python(tape: Tape) -> list[Any]:
    """What came of each step, up to the first alarm."""
    checker = Checker("")
    results = []
    for step in tape:
        result: dict[str, Any] = {}
        match step["op"]:
            case "new":
                checker = Checker(step["me"])
            case "reload":
                checker = Checker(checker.me, checker.memory)
            case "memory":
                checker.memory = msgspec.convert(step["memory"], Memory | None)
            case "rest":
                checker.gave = dict(step["gave"])
                checker.acknowledged = set(step["acknowledged"])
                checker.own_actions = {step["hand"]: msgspec.convert(step["acts"], list[OwnAction])}.get
                asked = [(kind, chips) for kind, chips in step["asked"]]
                checker.own_requests = lambda first, last, asked=asked: asked  # type: ignore[misc]
            case "see":
                seen = checker.see(step["frame"])
                result = {name: getattr(seen, name) for name in TOLD}
            case "bridge":
                checker.is_own_promise = step["own"].__contains__
                result = {"alarms": checker.bridge(step["missed"], step["last"])}
            case "recall":
                checker.recall_moves(**step["told"])
            case "lose_sight":
                checker.lose_sight()
            case "agree":
                checker.agree_to_hand(step["hand"])
            case "voids":
                checker.agree_to_voids()
        left = {"memory": checker.memory, "checked": checker.checked, "code": checker.code}
        results.append({**result, **left, "mayBet": checker.cut_this_hand, "asks": checker.asks_about_voids})
        if result.get("alarms"):
            break
    plain: list[Any] = json.loads(msgspec.json.encode(results))
    return plain


@contextmanager
def in_javascript(tapes: list[Tape]) -> Iterator[Iterator[list[Any]]]:
    """The same by the page's checker, for several tapes: it judges them while Python does."""
    script = Path(__file__).with_name("check_checker.mjs")
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as said,
    ):
        command = [*page_scripts(Path(folder)), str(script), str(Path(folder) / "js")]
        given.writelines(msgspec.json.encode(tape) + b"\n" for tape in tapes)
        given.seek(0)
        with subprocess.Popen(command, stdin=given, stdout=said) as running:

            def results() -> Iterator[list[Any]]:
                assert running.wait(300) == 0
                said.seek(0)
                yield from map(json.loads, said)

            yield results()
            running.kill()


def comparable(results: list[Any]) -> list[Any]:
    """Results without what each language says in words of its own."""
    for result in results:
        for finding in (*result.get("alarms", ()), *result.get("notes", ())):
            left_out = (*WORDED, "code") if finding["code"] == REASONED else WORDED
            finding["facts"] = {name: value for name, value in finding["facts"].items() if name not in left_out}
    return results

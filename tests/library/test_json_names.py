"""Every command with `--json` prints names in camelCase."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from croupier.cli import app
from tests.library.json_names import assert_camel_case

ROOT = Path(__file__).parents[2]
RUN = [
    "icm 50,30,20 --payouts 70,30",
    "arena caller random --hands 20 --seed 1 --workers 1 --records poker.jsonl",
    "arena basic random --game blackjack --hands 20 --seed 1 --workers 1 --records blackjack.jsonl",
    "arena random random --game sequence --hands 4 --seed 1 --workers 1 --records sequence.jsonl",
    "verify poker-1.jsonl",
    "verify nothing.jsonl",
    "replay poker-1.jsonl --steps --round 1 --no-equity",
    "replay blackjack-1.jsonl --steps --round 1",
    "replay sequence-1.jsonl --steps --round 1",
    "export poker-1.jsonl --parquet out",
]
"""In this order: the arena keeps the records that the others read."""
ELSEWHERE = {
    "solve blackjack": "test_solve_command.py",
    "solve holdem": "test_holdem_spot.py",
    "simulate blackjack": "test_simulate.py",
    "evolve blackjack": "test_evolve.py",
    "equity": "test_equity_command.py",
    "pushfold": "test_pushfold_command.py",
    "replay": "test_record_steps.py",
    "replay --coach": "test_coach.py",
}
"""Commands that take longer, at least with equities, and the tests of the lab that run them and ask the same of what
they print."""


def test_what_a_command_prints_as_json_has_names_in_camel_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("nothing.jsonl").write_text("{}\n")
    for words in RUN:
        done = CliRunner().invoke(app, [*shlex.split(words), "--json"], prog_name="croupier")
        assert done.exit_code == (1 if "nothing" in words else 0), (words, done.stderr)
        lines = done.stdout.splitlines()
        assert lines, words
        for line in lines:
            assert_camel_case(json.loads(line))


def _with_json(command: Any, words: tuple[str, ...] = ()) -> Iterator[str]:
    """The commands that have the option, as they are typed."""
    if hasattr(command, "list_commands"):
        context = command.make_context("croupier", [], resilient_parsing=True)
        for name in command.list_commands(context):
            yield from _with_json(command.resolve_command(context, [name])[1], (*words, name))
    elif any("--json" in option.opts for option in command.params):
        yield " ".join(words)


def test_every_command_with_json_is_asked() -> None:
    found = set(_with_json(typer.main.get_command(app)))
    assert found == {words.split()[0] for words in RUN} | {words for words in ELSEWHERE if "--" not in words}
    for file in ELSEWHERE.values():
        assert "assert_camel_case(" in (ROOT / "tests" / "lab" / file).read_text()


def test_a_name_in_another_style_is_found() -> None:
    assert_camel_case({"smallBlind": 1, "hands": {"AKs": 1}, "cells": [{"ev": 1}]})
    for wrong in ({"small_blind": 1}, {"cells": [{"Ev": 1}]}, {"equities": [{"two words": 1}]}, {"undescribed": 1}):
        with pytest.raises(AssertionError):
            assert_camel_case(wrong)

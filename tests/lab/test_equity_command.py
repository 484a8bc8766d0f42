"""`croupier equity`: its JSON, its table, and its answer to what it cannot compute."""

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from croupier.cli import app
from croupier.cli.texts import t
from tests.library.json_names import assert_camel_case

runner = CliRunner()


def test_known_hands_give_json_with_counts() -> None:
    result = runner.invoke(app, ["equity", "AsKs", "QhQd", "--json"])
    answer = json.loads(result.stdout)
    assert result.exit_code == 0
    assert list(answer) == ["method", "boards", "hands", "seconds"]
    assert (answer["method"], answer["boards"]) == ("exact", 1_712_304)
    assert list(answer["hands"][0]) == ["hand", "win", "tie", "equity", "wins", "ties"]
    assert [hand["wins"] for hand in answer["hands"]] == [787_966, 917_606]


def test_samples_give_json_with_an_interval() -> None:
    words = ["equity", "--ranges", "QQ+", "AKs:0.5,JTs", "--monte-carlo", "--samples", "20000", "--seed", "3", "--json"]
    answer = json.loads(runner.invoke(app, words).stdout)
    assert (answer["method"], answer["boards"], answer["confidence"]) == ("monte-carlo", 20_000, 0.95)
    assert_camel_case(answer)
    assert [hand["hand"] for hand in answer["hands"]] == ["QQ+", "AKs:0.5,JTs"]
    assert all(hand["low"] < hand["equity"] < hand["high"] for hand in answer["hands"])
    assert json.loads(runner.invoke(app, words).stdout)["hands"] == answer["hands"]


def test_a_person_gets_a_table() -> None:
    result = runner.invoke(app, ["equity", "AsKs", "QhQd", "--board", "Qs Js 2d"])
    assert result.exit_code == 0
    assert "33.8384%" in result.stdout
    assert "990" in result.stdout


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ([], "0"),
        (["AsKs"], "1"),
        (["AsKs", "QhQd", "--board", "AsKd2c"], "As"),
        (["AsKs", "XhQd"], "XhQd"),
        (["AsKs", "QhQd", "--dead", "1c"], "1c"),
        (["AsKs", "QhQd", "--samples", "-5"], "-5"),
        (["AsKs", "QhQd", "--exact", "--monte-carlo"], t("code.EQUITY_METHODS")),
    ],
)
def test_bad_input_is_named_on_standard_error_with_exit_code_2(words: list[str], named: str) -> None:
    result = runner.invoke(app, ["equity", *words])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert named in result.stderr
    assert "Traceback" not in result.stderr


def test_the_command_line_starts_without_the_heavy_parts() -> None:
    check = "import sys, croupier.cli; sys.exit(bool({'numpy', 'numba', 'rich.progress'} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0

"""`croupier replay` on the command line."""

import json
from pathlib import Path

from typer.testing import CliRunner

from croupier.cli import app

GOOD = """
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [5, 10]
min_bet = 10
starting_stacks = [1284.44, 2043.58]
actions = ["d dh p1 ????", "d dh p2 ????", "p2 f"]
"""


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["replay", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_every_hand_is_one_line_of_json_with_its_final_stacks(tmp_path: Path) -> None:
    file = tmp_path / "two.phhs"
    file.write_text(f"[1]{GOOD}\n[2]{GOOD}hand = 77\nfinishing_stacks = [1289.44, 2038.58]\n", encoding="utf-8")
    code, out, _ = run(str(file), "--json")
    assert code == 0
    first, second = [json.loads(line) for line in out.splitlines()]
    assert first == {
        "file": str(file), "hand": "1", "finishingStacks": [1289.44, 2038.58], "payouts": [5, -5], "finished": True,
    }  # fmt: skip
    assert (second["hand"], second["agrees"]) == ("77", True)


def test_a_faulty_hand_is_a_line_too_and_the_exit_code_says_so(tmp_path: Path) -> None:
    file = tmp_path / "one.phh"
    file.write_text(GOOD.replace("p2 f", "p2 cbr -1"), encoding="utf-8")
    code, out, _ = run(str(file), "--json")
    line = json.loads(out)
    assert code == 1
    assert (line["hand"], line["action"], line["code"]) == ("1", 3, "RAISE_TOO_SMALL")
    assert "p2 cbr -1" in line["error"]


def test_a_file_that_is_not_toml_is_a_faulty_hand_and_a_missing_one_is_unreadable(tmp_path: Path) -> None:
    file = tmp_path / "bad.phh"
    file.write_text("variant =", encoding="utf-8")
    code, out, _ = run(str(file), "--json")
    assert (code, json.loads(out)["code"]) == (1, "PHH_NOT_TOML")
    code, out, err = run(str(tmp_path / "none.phh"), "--json")
    assert (code, out) == (2, "")
    assert "none.phh" in err


def test_without_json_people_read_a_summary(tmp_path: Path) -> None:
    file = tmp_path / "one.phh"
    file.write_text(GOOD, encoding="utf-8")
    code, out, _ = run(str(file))
    assert code == 0
    assert "p1 1289.44 (+5)" in out

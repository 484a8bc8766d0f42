"""`croupier replay` on the command line."""

import json
import tracemalloc
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


def test_a_large_collection_is_played_hand_by_hand_in_little_memory(tmp_path: Path) -> None:
    file = tmp_path / "many.phhs"
    padding = "".join(f"# {'talk ' * 200}\n" for _ in range(100))
    with file.open("w", encoding="utf-8") as opened:
        for number in range(1, 401):
            opened.write(f"[{number}]{GOOD if number != 200 else chr(10) + 'variant ='}\n{padding}")
    assert file.stat().st_size > 40_000_000
    tracemalloc.start()
    code, out, _ = run(str(file), "--json")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    lines = [json.loads(line) for line in out.splitlines()]
    assert code == 1
    assert [line["hand"] for line in lines] == [str(number) for number in range(1, 401)]
    assert [line["hand"] for line in lines if "error" in line] == ["200"]
    assert most < 10_000_000


def test_what_is_no_history_is_told_without_a_traceback(tmp_path: Path) -> None:
    garbage = tmp_path / "garbage.phh"
    garbage.write_bytes(bytes(range(256)) * 100)
    code, out, _ = run(str(garbage), "--json")
    assert (code, json.loads(out)["code"]) == (1, "PHH_NOT_TOML")
    code, out, err = run(str(tmp_path), "--json")
    assert (code, out) == (2, "")
    assert str(tmp_path) in err
    empty = tmp_path / "empty.phhs"
    empty.write_bytes(b"")
    code, out, _ = run(str(empty), "--json")
    assert (code, json.loads(out)["code"], "hand" in json.loads(out)) == (1, "PHH_NO_HANDS", False)


def test_a_hostile_file_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    """Names, hands and actions of a stranger's file are shown without what would move the cursor or turn a line."""
    evil = r"\u001b]0;x\u0007\u202e\u009b2J"
    good = GOOD.replace("????", "AsAh", 1).replace("????", "KsKh", 1)
    named = tmp_path / "named.phh"
    named.write_text(f'{good}players = ["Ann{evil}", "Bob{evil}"]\n', encoding="utf-8")
    broken = tmp_path / "broken.phhs"
    broken.write_text(f'["x{evil}"]{GOOD}\n["y"]{GOOD.replace("p2 f", f"p2 {evil}")}', encoding="utf-8")
    for arguments in (("--steps",), ("--export", "phh"), ("--export", "text"), ("--json",), ()):
        for file in (named, broken):
            _, out, err = run(str(file), *arguments)
            assert all(line.isprintable() for line in (out + err).split("\n")), (arguments, out + err)
            assert out
    assert "Ann]0;x2J" in run(str(named), "--steps")[1]

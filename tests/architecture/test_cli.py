"""The command line as a user meets it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier.cli import COMMANDS, app
from croupier.table.record import record
from croupier.wire.records import line
from tests.table.rounds import seeded


def croupier(*arguments: str, stdin: str = "", language: str = "en") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "CROUPIER_LANG": language}
    command = [sys.executable, "-m", "croupier", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, env=environment, check=False)


@pytest.fixture
def records(tmp_path: Path) -> Path:
    file = tmp_path / "rounds.jsonl"
    file.write_text("".join(f"{line(record(played))}\n" for played in seeded(rounds=3)))
    return file


def test_verify_says_that_a_good_record_is_good(records: Path) -> None:
    done = croupier("verify", str(records))
    assert done.returncode == 0
    assert "All that was checked is right" in done.stdout
    assert "Rounds replayed, with every action and payout: 3" in done.stdout
    assert "agrees with itself" in done.stdout
    assert "does not prove custody" in done.stdout


def test_verify_names_the_fault_its_line_and_exits_1(records: Path) -> None:
    entries = [json.loads(text) for text in records.read_text().splitlines()]
    entries[1]["payouts"] = [777]
    records.write_text("\n".join(json.dumps(entry) for entry in entries))
    done = croupier("verify", str(records), "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 1
    assert (report["ok"], report["rounds"]) == (False, 3)
    assert [(found["line"], found["code"]) for found in report["findings"]] == [(2, "PAYOUT_MISMATCH")]
    assert "777" in report["findings"][0]["message"]


def test_verify_reads_standard_input(records: Path) -> None:
    assert croupier("verify", "-", stdin=records.read_text()).returncode == 0


def test_a_file_that_cannot_be_read_is_named_and_exits_2(tmp_path: Path) -> None:
    done = croupier("verify", str(tmp_path / "nothing"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "nothing" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("language", "word"), [("ko", "검증"), ("zh", "检查"), ("ru", "Проверить"), ("en", "Check")])
def test_help_and_findings_are_in_the_users_language(language: str, word: str) -> None:
    shown = croupier("verify", "--help", language=language).stdout
    assert word in shown
    assert ("Options:" in shown) is ("required" in shown) is ("Usage:" in shown) is (language == "en")
    garbage = croupier("verify", "-", stdin="garbage", language=language)
    assert garbage.returncode == 1
    assert "RECORD_MALFORMED" in garbage.stdout


def test_an_unknown_command_is_an_error_without_a_traceback() -> None:
    done = croupier("dance")
    assert done.returncode == 2
    assert "dance" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_that_help_shows_can_be_called(name: str) -> None:
    shown = CliRunner().invoke(app, [name, "--help"])
    assert shown.exit_code == 0, shown.output
    assert f"{name} [OPTIONS]" in shown.stdout

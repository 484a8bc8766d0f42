"""Tokens come from the environment, a file or the standard input, and have no place on a command line."""

import io
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.cli.tokens import given_token, keep_token
from croupier.server.config import load


@pytest.mark.parametrize("command", ["play", "mcp"])
def test_no_command_takes_a_token_on_its_line(command: str) -> None:
    told = subprocess.run(
        [sys.executable, "-m", "croupier", command, "--token", "secret"], capture_output=True, text=True, check=False
    )
    assert told.returncode == 2
    shown = subprocess.run(
        [sys.executable, "-m", "croupier", command, "--help"], capture_output=True, text=True, check=True
    )
    assert "--token-file" in shown.stdout


def test_a_token_is_read_from_a_file_the_environment_or_the_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROUPIER_TOKEN", " from the environment\n")
    assert given_token("") == "from the environment"
    (tmp_path / "token").write_text("from a file\n")
    assert given_token(str(tmp_path / "token")) == "from a file"
    monkeypatch.setattr(sys, "stdin", io.StringIO("from the input\nand the game\n"))
    assert given_token("-") == "from the input"
    with pytest.raises(OSError, match="No such file"):
        given_token(str(tmp_path / "none"))
    monkeypatch.delenv("CROUPIER_TOKEN")
    assert given_token("") == ""


def test_a_token_in_the_environment_is_no_setting_of_a_server() -> None:
    assert load({}, {"CROUPIER_TOKEN": "mine"}) == load({}, {})


def test_the_way_back_is_a_file_that_only_its_user_can_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_DATA", str(tmp_path))
    kept = keep_token("http://cards.example.org:8021/", "first")
    assert keep_token("http://cards.example.org:8021/room/ABC", "second") == kept
    assert given_token(str(kept)) == "second"
    assert (kept.stat().st_mode & 0o777, kept.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert keep_token("http://../../etc/passwd", "x").parent == kept.parent

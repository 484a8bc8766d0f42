"""What the README and the guides show, works."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GROUPED = ("blackjack", "diff", "show", "migrate", "check", "export", "import")
"""Commands that stand behind another word."""
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def _examples(language: str) -> list[tuple[str, str]]:
    return [
        (page.name, example)
        for page in PAGES
        for example in re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    ]


def _name(value: str) -> str:
    return value.strip().splitlines()[-1][:40]


@pytest.mark.parametrize(("page", "example"), _examples("python"), ids=_name)
def test_every_python_example_runs(page: str, example: str) -> None:
    exec(compile(example, page, "exec"), {"__name__": "example"})


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_program_in_another_language_plays(tmp_path: Path) -> None:
    ((_, example),) = _examples("js")
    file = tmp_path / "calm.js"
    file.write_text(example, encoding="utf-8")
    command = [sys.executable, "-m", "croupier", "play", "holdem", "--bot", f"node {file}", "--rounds", "3"]
    played = subprocess.run(command, capture_output=True, text=True, check=False)
    assert played.returncode == 0, played.stderr
    assert "3" in played.stdout
    assert played.stderr == ""


def test_every_command_shown_exists() -> None:
    """Every option of every command line in the pages is one that the command has."""
    helps: dict[tuple[str, ...], str] = {}
    for _, block in _examples("sh"):
        for line in block.splitlines():
            words = line.partition("#")[0].split()
            if words[:1] != ["croupier"]:
                continue
            command = tuple(words[1:3] if words[2:] and words[2] in GROUPED else words[1:2])
            if command not in helps:
                asked = subprocess.run(
                    [sys.executable, "-m", "croupier", *command, "--help"], capture_output=True, text=True, check=False
                )
                assert asked.returncode == 0, line
                helps[command] = asked.stdout
            for option in (word.partition("=")[0] for word in words if word.startswith("--")):
                assert option in helps[command], line
    assert helps


def test_there_are_examples() -> None:
    assert {page for page, _ in _examples("python")} >= {"README.md", "bots.md"}

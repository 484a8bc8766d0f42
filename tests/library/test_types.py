"""Type checkers accept what is right and refuse what is wrong: each line of `bad.py` that ends in `# error`."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import croupier

SNIPPETS = Path(__file__).parent / "snippets"
SOURCE = Path(croupier.__file__).parents[1]
WRONG = frozenset(
    number for number, line in enumerate((SNIPPETS / "bad.py").read_text().splitlines(), 1) if line.endswith("# error")
)
CHECKERS = {
    "mypy": ["mypy", "--strict", "--no-incremental", "--cache-dir=/dev/null"],
    "basedpyright": ["basedpyright", "--level", "error", "--pythonpath", sys.executable],
}


def _errors(checker: str, folder: Path) -> dict[str, set[int]]:
    """The lines of each snippet that a checker refuses."""
    config = folder / "pyrightconfig.json"
    config.write_text(f'{{"extraPaths": ["{SOURCE}"], "typeCheckingMode": "standard"}}')
    for name in ("good.py", "bad.py"):
        (folder / name).write_text((SNIPPETS / name).read_text())
    words = [sys.executable, "-m", *CHECKERS[checker], "good.py", "bad.py"]
    environment = {**os.environ, "MYPYPATH": str(SOURCE)}
    said = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder, env=environment)
    found: dict[str, set[int]] = {"good.py": set(), "bad.py": set()}
    for name, line in re.findall(r"(good\.py|bad\.py):(\d+)(?::\d+)?:? (?:- )?error", said.stdout):
        found[name].add(int(line))
    assert said.returncode == 1, said.stdout + said.stderr
    return found


@pytest.mark.parametrize("checker", CHECKERS)
def test_wrong_options_actions_and_names_are_refused_and_right_ones_accepted(checker: str, tmp_path: Path) -> None:
    found = _errors(checker, tmp_path)
    assert found == {"good.py": set(), "bad.py": WRONG}


def test_the_good_snippet_runs() -> None:
    subprocess.run([sys.executable, str(SNIPPETS / "good.py")], check=True)


def test_there_are_wrong_lines() -> None:
    assert len(WRONG) >= 10

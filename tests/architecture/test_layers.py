"""What the import law cannot see: built-in input and output in the pure layers, and what starting up loads."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import croupier

SOURCE = Path(croupier.__file__).parent
PURE = ["cards.py", "game", "dealing", "table", *(f"games/{game}/rules" for game in ("blackjack", "poker", "sequence"))]
IMPURE_CALLS = {"open", "print", "input", "exec", "eval", "compile", "__import__", "breakpoint"}
HEAVY = {"numpy", "numba", "matplotlib", "textual", "rich", "asyncio", "distributed", "starlette", "uvicorn"}


def _files() -> list[Path]:
    return [
        file for part in PURE for file in ([SOURCE / part] if part.endswith(".py") else (SOURCE / part).rglob("*.py"))
    ]


@pytest.mark.parametrize("file", _files(), ids=lambda file: str(file.relative_to(SOURCE)))
def test_the_pure_layers_call_nothing_that_reads_writes_or_runs(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in IMPURE_CALLS, f"{file.name}:{node.lineno} calls {node.func.id}"


@pytest.mark.parametrize("start", ["import croupier", "import croupier.cli; croupier.cli.app(['--help'])"])
def test_starting_up_loads_nothing_heavy(start: str) -> None:
    code = f"import sys\ntry:\n    {start}\nexcept SystemExit:\n    pass\nprint(' '.join(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stderr.split()) & HEAVY == set()


def test_the_exports_are_exactly_what_the_package_says() -> None:
    assert sorted(croupier.__all__) == sorted(dir(croupier))
    for name in croupier.__all__:
        assert getattr(croupier, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'roulette'"):
        croupier.roulette  # noqa: B018 -- the look-up is the test


def test_files_stay_small() -> None:
    long = {
        str(file.relative_to(SOURCE)): lines
        for file in SOURCE.rglob("*.py")
        if (lines := file.read_text(encoding="utf-8").count("\n")) > 500
    }
    assert long == {}

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
TEXT_FORMATS = {"json", "msgpack", "toml", "yaml", "Raw"}
"""Parts of msgspec that write or read text; all others work on values."""
TEXT_MADE_HERE = {"dealing/canonical.py"}
"""The canonical text that hashes are over."""
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


def _text_formats(file: Path) -> list[str]:
    """Where a file uses JSON or another text format: lines of code."""
    found = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                used = [name.name for name in names if name.name.split(".")[0] == "json" or name.name == "msgspec.json"]
            case ast.ImportFrom(module=module, names=names):
                from_msgspec = [name.name for name in names if module == "msgspec" and name.name in TEXT_FORMATS]
                used = ["json"] if module in ("json", "msgspec.json", "msgspec.msgpack") else from_msgspec
            case ast.Attribute(value=ast.Name(id="msgspec"), attr=attribute) if attribute in TEXT_FORMATS:
                used = [attribute]
            case _:
                continue
        found += [f"line {node.lineno}: {name}" for name in used]
    return found


def test_bytes_are_made_in_wire_and_never_in_the_pure_layers() -> None:
    files = [*_files(), *(SOURCE / "games/blackjack/casino").rglob("*.py")]
    found = {file.relative_to(SOURCE).as_posix(): used for file in files if (used := _text_formats(file))}
    assert set(found) == TEXT_MADE_HERE, found


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

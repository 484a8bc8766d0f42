"""The house knows no game by name: a game is found through the registry, and named only where it is listed here."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import croupier
from croupier.game.registry import GAMES

SOURCE = Path(croupier.__file__).parent
NAMES = frozenset((*GAMES, "holdem", "poker", "blackjack", "sequence"))
OF_ONE_GAME = (
    # The games themselves, the lab of each, and the lab's pages.
    *("games/", "lab/blackjack/", "lab/poker/", "lab/web_jobs.py", "assembly/lab_api.py", "assembly/lab_questions.py"),
    *("lab/coach_jobs.py", "assembly/coach_api.py", "lab/solver_jobs.py", "assembly/solver_api.py"),
    # Hand histories as tables, and the positions of poker that research knows by name.
    *(f"lab/dataset/{name}.py" for name in ("origins", "rows", "sources")),
    "lab/openspiel/small_games.py",
    *(f"lab/batch/{name}/" for name in ("holdem", "blackjack", "sequence")),
    # The casino and the classroom are services of one game, from the wire to the client.
    *("server/casino", "server/classroom", "server/hub.py", "server/config.py", "wire/casino.py", "wire/classroom.py"),
    *("wire/hub.py", "table/casino_log.py", "wire/casino_log.py", "clients/casino.py", "assembly/store_replay.py"),
    # Commands of one game, and what the package exports.
    *(f"cli/{name}.py" for name in ("equity", "solve", "simulate", "strategy", "train", "evolve", "blackjack_rules")),
    *("cli/hand_histories.py", "__init__.py", "sdk.py", "library.py"),
    *("blackjack.py", "poker.py", "sequence.py"),
)
FORMER_NAMES = "game/registry.py"
"""The one place where a name of an earlier release is read."""


def _files() -> list[Path]:
    files = [str(file.relative_to(SOURCE)) for file in SOURCE.rglob("*.py")]
    return [SOURCE / file for file in sorted(files) if not file.startswith(OF_ONE_GAME)]


def _imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


@pytest.mark.parametrize("file", _files(), ids=lambda file: str(file.relative_to(SOURCE)))
def test_the_house_names_no_game(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    imported = [
        name
        for name in _imports(tree)
        if name.startswith(("croupier.games.", "croupier.lab.poker", "croupier.lab.blackjack"))
    ]
    if not str(file.relative_to(SOURCE)).startswith("cli/"):
        assert imported == []
    else:
        assert [name for name in imported if name.startswith("croupier.games.")] == []
    strings = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    if str(file.relative_to(SOURCE)) != FORMER_NAMES:
        assert NAMES.isdisjoint(strings)


def test_every_exception_is_needed() -> None:
    present = [str(file.relative_to(SOURCE)) for file in SOURCE.rglob("*.py")]
    assert [listed for listed in OF_ONE_GAME if not any(file.startswith(listed) for file in present)] == []

"""The notebooks run from the first cell to the last, and what they end with shows itself."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples" / "notebooks").glob("*.ipynb"))


def _cells(notebook: Path) -> list[str]:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def _run(code: str, names: dict[str, Any]) -> Any:
    """Run a cell, and return the value of the expression that it ends with."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if isinstance(last, ast.Expr) else None


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_runs_and_shows_what_it_ends_with(notebook: Path) -> None:
    names: dict[str, Any] = {"__name__": "notebook"}
    for code in _cells(notebook):
        value = _run(code, names)
        for method in ("_repr_html_", "_repr_svg_"):
            if hasattr(value, method):
                assert getattr(value, method)().startswith("<")


def test_there_are_four() -> None:
    assert len(NOTEBOOKS) == 4


@pytest.mark.soak
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_notebook_runs_in_jupyter(notebook: Path) -> None:
    import nbformat
    from nbclient import NotebookClient

    NotebookClient(nbformat.read(notebook, as_version=4), timeout=600, kernel_name="python3").execute()

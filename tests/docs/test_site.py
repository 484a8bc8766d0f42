"""The documentation site is built without a warning, and has every public name."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from sphinx.util.inventory import InventoryFile

from tests.docs.test_examples import PYTHON
from tests.made_once import made_once

ROOT = Path(__file__).parents[2]
ELSEWHERE = {
    "croupier": {"blackjack", "poker", "sequence", "play", "join", "Bot", "Outcome", "__version__"},
    "croupier.sdk": {"Offer"},
    "croupier.lab.batch.blackjack": {"Legal"},
    "croupier.testing": {"checks"},
}
"""Names that stand on another page."""
MODULES = (
    *("croupier", "croupier.sdk", "croupier.games.blackjack", "croupier.games.poker", "croupier.games.sequence"),
    *("croupier.lab.environments", "croupier.lab.dataset", "croupier.lab.openspiel", "croupier.testing"),
    *(f"croupier.lab.batch.{game}" for game in ("holdem", "blackjack", "sequence")),
    *(f"croupier.games.poker.histories.{kind}" for kind in ("phh", "ohh")),
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def make(folder: Path) -> None:
        options = ["--fail-on-warning", "--keep-going", "--quiet", "--builder", "html"]
        words = [sys.executable, "-m", "sphinx", *options, str(ROOT / "docs"), str(folder)]
        built = subprocess.run(words, capture_output=True, text=True, check=False)
        assert built.returncode == 0, built.stderr

    return made_once(tmp_path_factory, "site", make)


def test_the_site_has_every_public_name(site: Path) -> None:
    inventory = InventoryFile.loads((site / "objects.inv").read_bytes(), uri="")
    known = {name for kind, names in inventory.data.items() if kind.startswith("py:") for name in names}
    for module in MODULES:
        names = set(import_module(module).__all__) - ELSEWHERE.get(module, set())
        assert {name for name in names if f"{module}.{name}" not in known} == set(), module


def test_the_site_has_a_page_for_every_need(site: Path) -> None:
    for page in ("bots", "write-a-game", "lab", "operating"):
        assert (site / "guides" / f"{page}.html").is_file()
    for page in (
        "quick-start",
        "tutorials/play",
        "fairness",
        "how-to",
        "reference/croupier",
        "architecture",
        "glossary",
        "faq",
    ):
        assert (site / f"{page}.html").is_file()


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_has_an_example(module: str) -> None:
    """In its docstring, or on a page."""
    pages = (ROOT / "docs").rglob("*.md")
    examples = "\n".join(found["code"] for page in pages for found in PYTHON.finditer(page.read_text(encoding="utf-8")))
    shown = set(re.findall(r"\w+", examples))
    package = import_module(module)
    without = [
        name for name in package.__all__ if name not in shown and ">>>" not in (getattr(package, name).__doc__ or "")
    ]
    assert without == []

"""The documentation site: `make docs` builds it, and every warning is an error."""

import re
from pathlib import Path
from typing import Any

from sphinx.util.logging import getLogger

import croupier

project = "Croupier"
author = project_copyright = "Croupier contributors"
release = version = croupier.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
default_role = "code"  # docstrings write `name`, as Markdown does
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True  # CASH, not the thirty options that it stands for
autodoc_default_options = {"members": True, "undoc-members": True, "show-inheritance": True}
html_theme = "furo"
html_title = f"Croupier {version}"
exclude_patterns = ["adr/README.md"]
suppress_warnings = [
    "myst.header",  # a page that is taken from elsewhere may begin below the first level
    "misc.highlighting_failure",  # JSON with … in it, and JSON lines
]


ROOT = Path(__file__).parents[1]
PAGES = {"SECURITY.md": "security.md", "CONTRIBUTING.md": "contributing.md", "ARCHITECTURE.md": "architecture.md"}
"""Documents at the root of the repository that have a page here."""
LINK = re.compile(
    r"\[([^\]\n]+)\]\(((?:\.\./)*)((?:src|examples|deploy|tests|benchmarks)/[^)\s]*|[A-Z_]+\.md|Dockerfile)\)"
)


_NESTED = r"[~\w.]*_NestedSequence\[complex \| bytes \| str\]"
LONG = (
    (re.compile(rf"[~\w.]*_Buffer \| [~\w.]*_SupportsArray.*?\| {_NESTED}"), "ArrayLike"),
    (re.compile(r"[~\w.]*ndarray\[tuple\[[~\w.]*Any, \.\.\.\], [~\w.]*dtype\[[~\w.]*?(\w+)\]\]"), r"NDArray[\1]"),
)
"""What NumPy's names for types stand for, and the names."""


def with_short_types(*event: Any) -> tuple[str | None, str | None] | None:
    """A signature as its author wrote it, with NumPy's names for types."""
    *_, signature, returned = event
    if not signature:
        return None
    for long, name in LONG:
        signature, returned = long.sub(name, signature), returned and long.sub(name, returned)
    return signature, returned


def as_page(found: re.Match[str]) -> str:
    """A link into the repository, as a reader of the site can follow it: to the page, or else the name alone."""
    if found[3] in PAGES:
        return f"[{found[1]}](/{PAGES[found[3]]})"
    if not (ROOT / found[3]).exists():
        getLogger(__name__).warning("a link leads to %s, which is not in the repository", found[3])
    return found[1]


def with_pages(text: str) -> str:
    return LINK.sub(as_page, text)


def read(app: Any, name: str, content: list[str]) -> None:
    content[0] = with_pages(content[0])


def read_included(app: Any, path: Any, parent: str, content: list[str]) -> None:
    content[0] = with_pages(content[0])


def without_aliases(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """A named tuple says of each field which number it has, and nothing else."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()


def setup(app: Any) -> None:
    app.connect("autodoc-process-docstring", without_aliases)
    app.connect("source-read", read)
    app.connect("include-read", read_included)
    app.connect("autodoc-process-signature", with_short_types)

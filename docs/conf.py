"""The documentation site: `make docs` builds it, and every warning is an error."""

import re
from typing import Any

import croupier

project = "Croupier"
author = "Croupier contributors"
release = version = croupier.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
default_role = "code"  # docstrings write `name`, as Markdown does
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "undoc-members": True, "show-inheritance": True}
html_theme = "furo"
html_title = f"Croupier {version}"
exclude_patterns = ["adr/README.md"]
suppress_warnings = [
    "myst.header",  # a page that is taken from elsewhere may begin below the first level
    "misc.highlighting_failure",  # JSON with … in it, and JSON lines
]


PAGES = {"SECURITY.md": "security.md", "CONTRIBUTING.md": "contributing.md", "ARCHITECTURE.md": "architecture.md"}
"""Documents at the root of the repository that have a page here."""
LINK = re.compile(r"\[([^\]\n]+)\]\(((?:\.\./)*)((?:src|examples|deploy|tests|benchmarks)/[^)\s]*|[A-Z_]+\.md)\)")


def with_pages(text: str) -> str:
    """Links into the repository, as a reader of the site can follow them: to the page, or else the name alone."""
    return LINK.sub(lambda found: f"[{found[1]}](/{PAGES[found[3]]})" if found[3] in PAGES else found[1], text)


def read(app: Any, name: str, content: list[str]) -> None:
    content[0] = with_pages(content[0])


def read_included(app: Any, path: Any, parent: str, content: list[str]) -> None:
    content[0] = with_pages(content[0])


def setup(app: Any) -> None:
    app.connect("source-read", read)
    app.connect("include-read", read_included)

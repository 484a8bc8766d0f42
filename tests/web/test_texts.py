"""Every text that the page asks for by name is in the catalogue."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from croupier import locales

SCRIPTS = Path(str(files("croupier.server").joinpath("web/js")))
PLURAL_FORMS = ("one", "few", "many", "other")


@pytest.mark.parametrize("script", sorted(SCRIPTS.rglob("*.js")), ids=lambda path: str(path.relative_to(SCRIPTS)))
def test_every_text_exists(script: Path) -> None:
    source, keys = script.read_text(encoding="utf-8"), locales.catalogue("en")
    asked = set(re.findall(r'\bt\(\s*"([\w.]+)"', source))
    for key in re.findall(r'\bplural\(\s*"([\w.]+)"', source):
        asked |= {f"{key}.{form}" for form in PLURAL_FORMS}
    assert {key for key in asked if key not in keys} == set()

"""Every text that the page asks for by name is in the catalogue."""

import re

import pytest

from croupier import locales
from croupier.server.web_files import web_files

SCRIPTS = {path: file.content.decode() for path, file in web_files().items() if path.endswith(".js")}
PLURAL_FORMS = ("one", "few", "many", "other")


@pytest.mark.parametrize("script", sorted(SCRIPTS))
def test_every_text_exists(script: str) -> None:
    source, keys = SCRIPTS[script], locales.catalogue("en")
    asked = set(re.findall(r'\bt\(\s*"([\w.]+)"', source))
    for key in re.findall(r'\bplural\(\s*"([\w.]+)"', source):
        asked |= {f"{key}.{form}" for form in PLURAL_FORMS}
    assert {key for key in asked if key not in keys} == set()

"""A module of the page calls only what it imports or defines: no browser says so before somebody is there."""

import re
from pathlib import Path

import croupier
from croupier.shown_text import NICKNAME_CHARACTERS_MAX

MODULES = sorted(path for path in Path(croupier.__file__).parent.rglob("*.js"))
EXPORTED = re.compile(r"^export (?:default )?(?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE)
CALLED = re.compile(r"(?<![.\w$#])(\w+)\(")
COMMENTS = re.compile(r"/\*.*?\*/|(?<![:\"'`\w])//[^\n]*", re.DOTALL)


def undefined(source: str, exported: set[str]) -> set[str]:
    """The names exported somewhere that this module calls, and names nowhere else than in calls."""
    code = COMMENTS.sub("", source)
    called = set(CALLED.findall(code)) & exported
    return {
        name
        for name in called
        if not re.search(
            rf"(?<![.\w$]){name}(?![\w$(])|function\*? {name}\(|^  (?:async |get )?{name}\(.*{{$", code, re.MULTILINE
        )
    }


def test_every_called_name_is_known_to_its_module() -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in MODULES}
    exported = {name for source in sources.values() for name in EXPORTED.findall(source)}
    assert "hasText" in exported
    assert {path.name: missing for path, source in sources.items() if (missing := undefined(source, exported))} == {}


def test_a_forgotten_import_is_found() -> None:
    exported = {"hasText", "t"}
    assert undefined('import { t } from "./texts.js";\nconst text = hasText(key) ? t(key) : "";\n', exported) == {
        "hasText"
    }
    assert undefined('import { hasText, t } from "./texts.js";\nhasText(t(key));\n', exported) == set()


def test_the_page_and_the_server_know_one_length_of_nicknames() -> None:
    [module] = [path for path in MODULES if path.name == "nickname.js"]
    written = re.findall(
        r"^export const NICKNAME_CHARACTERS_MAX = (\d+);$", module.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert written == [str(NICKNAME_CHARACTERS_MAX)]

"""Every text in every language, with the same facts; every code that anybody can meet has a text."""

import ast
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path
from pkgutil import walk_packages

import pytest

import croupier
from croupier import game, games, locales
from croupier.dealing.findings import Fault
from croupier.dealing.shuffle1_log import SeedFault
from croupier.game.refusal import Refusal
from croupier.game.registry import GAMES, GROUP
from croupier.table.codes import RoomCode
from croupier.table.deal_faults import DealFault, DealNote
from croupier.table.verdict import Notice, RecordFault

SOURCE = Path(croupier.__file__).parent
WORDS = Path(__file__).parents[2] / "docs" / "words.md"
OWN_GAMES = [game for game in GAMES if GAMES.package(game).startswith("croupier.")]
"""Another package may be installed here that has texts in English only."""
PACKAGES = ("croupier", *(GAMES.package(game) for game in OWN_GAMES))
OTHERS = [language for language in locales.LANGUAGES if language != "en"]
FAULTS = {enumeration.__name__: enumeration for enumeration in (Fault, RecordFault, DealFault, DealNote, SeedFault)}


def _facts(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)[^}]*\}", text))


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("language", OTHERS)
def test_every_language_of_a_package_has_the_same_keys_with_the_same_facts(package: str, language: str) -> None:
    english, other = locales.texts_of(package, "en"), locales.texts_of(package, language)
    assert set(english) == set(other)
    assert {key: _facts(text) for key, text in english.items()} == {key: _facts(text) for key, text in other.items()}


@pytest.mark.parametrize("language", locales.LANGUAGES)
def test_the_texts_of_a_game_stand_in_its_package_and_in_the_catalogue(language: str) -> None:
    catalogue = locales.catalogue(language)
    for name, package in zip(OWN_GAMES, PACKAGES[1:], strict=True):
        own = locales.texts_of(package, language)
        assert {f"{name}.name", f"{name}.about", *(f"{name}.preset.{preset}" for preset in GAMES[name].presets)} <= set(
            own
        )
        assert own.items() <= catalogue.items()
        assert not any(key.startswith(f"{name}.") for key in locales.shell(language))


def _package(folder: Path, name: str, **files: str) -> EntryPoint:
    """A game package of this name that has nothing but texts."""
    for file, text in {"__init__.py": "", **files}.items():
        path = folder / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return EntryPoint(name, f"{name}:GAME", GROUP)


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Installs packages with texts for the time of a test."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def add(name: str, **files: str) -> None:
        points = {**GAMES._found(), name: _package(tmp_path, name, **files)}
        monkeypatch.setattr(GAMES, "_points", points)
        locales.catalogue.cache_clear()

    yield add
    locales.catalogue.cache_clear()
    locales.texts_of.cache_clear()


def test_a_game_without_a_language_speaks_english_in_it(install: Callable[..., None]) -> None:
    install("whist", **{"locales/en.toml": '[whist]\nname = "Whist"\nabout = "Tricks."\n'})
    install("skat", **{"locales/en/a.toml": '[skat]\nname = "Skat"\n', "locales/ru/a.toml": '[skat]\nname = "Скат"\n'})
    assert [locales.text(language, "whist.name") for language in locales.LANGUAGES] == ["Whist"] * 4
    assert [locales.text(language, "skat.name") for language in ("en", "ko", "ru")] == ["Skat", "Skat", "Скат"]
    assert locales.game_name("ko", "whist") == "Whist"
    assert locales.game_name("ko", "nothing") == "nothing"


def test_two_packages_that_claim_one_text_are_both_named(install: Callable[..., None]) -> None:
    install("whist", **{"locales/en.toml": '[action]\nPASS = "Pass"\n'})
    install("skat", **{"locales/en.toml": '[action]\nPASS = "I pass"\n'})
    with pytest.raises(locales.TextClashError, match=r"whist and skat both have a text 'action\.PASS'"):
        locales.catalogue("en")


def test_two_files_that_claim_one_text_are_both_named(install: Callable[..., None]) -> None:
    install("whist", **{"locales/en.toml": '[whist]\nname = "W"\n', "locales/en/a.toml": '[whist]\nname = "Whist"\n'})
    with pytest.raises(locales.TextClashError, match=r"en\.toml and .*a\.toml both have a text 'whist\.name'"):
        locales.catalogue("en")


def test_a_refusal_without_a_text_is_told_by_its_code_and_facts() -> None:
    assert (
        locales.refusal_text("en", Refusal("TOO_TIRED", {"hours": 3, "seats": (1, 2)}))
        == "TOO_TIRED: hours=3, seats=1, 2"
    )
    assert locales.refusal_text("en", Refusal("BAD_OPTION", {"low": 1})) == "BAD_OPTION: low=1"
    assert locales.refusal_text("en", Refusal("TOO_TIRED")) == "TOO_TIRED"


@pytest.mark.parametrize("language", OTHERS)
def test_translations_are_not_english(language: str) -> None:
    english, other = locales.catalogue("en"), locales.catalogue(language)
    same = [key for key, text in english.items() if text == other[key] and len(_words(text)) > 3]
    assert same == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_thing_has_one_word_in_each_language(language: str) -> None:
    listed = re.search(rf"^\| {language} \| (.+) \|$", WORDS.read_text(encoding="utf-8"), re.MULTILINE)
    assert listed is not None
    unused = re.compile("|".join(rf"(?<!\w){word}" for word in listed[1].split(", ")), re.IGNORECASE)
    if language == "zh":
        unused = re.compile("|".join(listed[1].split(", ")))
    found = {key: text for key, text in locales.catalogue(language).items() if unused.search(text)}
    assert found == {}


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z]{3,}", re.sub(r"\{\w+\}", "", text))


def _codes() -> set[str]:
    """Every refusal code of every game, and the common ones: the members of every enumeration called `…Code`."""
    packages = (*walk_packages(game.__path__, "croupier.game."), *walk_packages(games.__path__, "croupier.games."))
    modules = [import_module(info.name) for info in packages]
    enumerations = {value for module in modules for name, value in vars(module).items() if name.endswith("Code")}
    assert len(enumerations) > len(OWN_GAMES), "a game's codes were not found"
    return {str(member) for enumeration in enumerations for member in enumeration}


def test_every_refusal_code_has_a_text() -> None:
    keys = locales.catalogue("en")
    missing = {code for code in (*_codes(), *RoomCode) if f"code.{code}" not in keys}
    assert missing == set()


def test_every_finding_has_a_text() -> None:
    keys = locales.catalogue("en")
    codes = {code for enumeration in FAULTS.values() for code in enumeration}
    assert {code for code in codes if f"finding.{code}" not in keys} == set()
    assert {code for code in Notice if f"notice.{code}" not in keys} == set()


def _findings_given() -> Iterator[tuple[str, str, set[str]]]:
    """Every place in the code that gives a finding with its facts written out: enumeration, code, facts."""
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Attribute):
                continue
            code, facts = node.args[0], {keyword.arg for keyword in node.keywords}
            if isinstance(code.value, ast.Name) and code.value.id in FAULTS and None not in facts:
                yield code.value.id, code.attr, {fact for fact in facts if fact is not None}


def test_every_finding_brings_the_facts_that_its_text_needs() -> None:
    catalogue = locales.catalogue("en")
    given = [(code, facts) for _, code, facts in _findings_given()]
    lacking = [(code, _facts(catalogue[f"finding.{code}"]) - facts) for code, facts in given]
    assert [entry for entry in lacking if entry[1]] == []
    assert len(given) > 100


def test_every_code_of_a_client_is_given_somewhere() -> None:
    given = {code for enumeration, code, _ in _findings_given() if enumeration in ("DealFault", "DealNote")}
    assert given == {*DealFault, *DealNote}


def test_every_text_that_the_command_line_asks_for_exists() -> None:
    keys = locales.catalogue("en")
    for file in (SOURCE / "cli").glob("*.py"):
        for key in re.findall(r'\bt\(\s*"([\w.]+)"', file.read_text(encoding="utf-8")):
            assert key in keys, f"{file.name} asks for {key}"


def test_a_fact_of_several_values_is_written_with_commas() -> None:
    assert "2, 3" in locales.text("en", "code.WRONG_TEAM_COUNT", teams=5, allowed=(2, 3))


def test_the_language_comes_from_the_environment() -> None:
    assert locales.preferred({}) == "en"
    assert locales.preferred({"LANG": "ko_KR.UTF-8"}) == "ko"
    assert locales.preferred({"LANG": "ko_KR.UTF-8", "LC_ALL": "ru_RU"}) == "ru"
    assert locales.preferred({"LANG": "ko_KR.UTF-8", "CROUPIER_LANG": "zh"}) == "zh"
    assert locales.preferred({"LANG": "de_DE.UTF-8"}) == "en"
    assert locales.preferred({"LC_ALL": "C", "LANG": "ko_KR"}) == "en"


def _asked_for() -> tuple[set[str], list[re.Pattern[str]]]:
    """Text keys that stand in the source as they are, and patterns for those that are put together."""
    files = [file for ending in ("py", "js", "html") for file in SOURCE.rglob(f"*.{ending}")]
    source = "\n".join(file.read_text(encoding="utf-8") for file in files)
    literal = set(re.findall(r"""["'`]([\w.-]+)["'`]""", source))
    patterns = []
    for template in set(re.findall(r"""[`"']([\w.-]*(?:\$?\{[^}`"]*\}[\w.-]*)+)[`"']""", source)):
        parts = re.split(r"\$?\{[^}]*\}", template)
        if "." in template and any(re.search("[a-z]", part) for part in parts):
            patterns.append(re.compile(r"[\w.-]+".join(map(re.escape, parts))))
    return literal, patterns


def test_every_text_is_asked_for_somewhere() -> None:
    literal, patterns = _asked_for()
    unused = set()
    for key in locales.catalogue("en"):
        whole = re.sub(r"\.(one|few|many|other)$", "", key)
        given_by_kind = key.startswith(("finding.", "notice."))
        named = literal & {key, whole} or any(pattern.fullmatch(whole) for pattern in patterns)
        if not (named or given_by_kind):
            unused.add(key)
    assert unused == set()

"""Every text in every language, with the same facts; every code that anybody can meet has a text."""

import ast
import re
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import croupier
from croupier import game, games, locales
from croupier.dealing.findings import Fault
from croupier.dealing.shuffle1_log import SeedFault
from croupier.game.registry import GAMES
from croupier.table.codes import RoomCode
from croupier.table.deal_faults import DealFault, DealNote
from croupier.table.verdict import Notice, RecordFault

SOURCE = Path(croupier.__file__).parent
OTHERS = [language for language in locales.LANGUAGES if language != "en"]
FAULTS = {enumeration.__name__: enumeration for enumeration in (Fault, RecordFault, DealFault, DealNote, SeedFault)}


def _facts(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)[^}]*\}", text))


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_same_keys_with_the_same_facts(language: str) -> None:
    english, other = locales.catalogue("en"), locales.catalogue(language)
    assert set(english) == set(other)
    assert {key: _facts(text) for key, text in english.items()} == {key: _facts(text) for key, text in other.items()}


@pytest.mark.parametrize("language", locales.LANGUAGES)
def test_no_two_files_of_a_language_define_the_same_key(language: str) -> None:
    found: dict[str, str] = {}
    for file in sorted((SOURCE / "locales" / language).glob("*.toml")):
        for key, _ in locales._flat(tomllib.loads(file.read_text(encoding="utf-8"))):
            assert key not in found, f"{key} stands in {found[key]} and in {file.name}"
            found[key] = file.name


@pytest.mark.parametrize("language", OTHERS)
def test_translations_are_not_english(language: str) -> None:
    english, other = locales.catalogue("en"), locales.catalogue(language)
    same = [key for key, text in english.items() if text == other[key] and len(_words(text)) > 3]
    assert same == []


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z]{3,}", re.sub(r"\{\w+\}", "", text))


def _codes() -> set[str]:
    """Every refusal code of every game, and the common ones: the members of every enumeration called `…Code`."""
    packages = (*walk_packages(game.__path__, "croupier.game."), *walk_packages(games.__path__, "croupier.games."))
    modules = [import_module(info.name) for info in packages]
    enumerations = {value for module in modules for name, value in vars(module).items() if name.endswith("Code")}
    assert len(enumerations) > len(GAMES), "a game's codes were not found"
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

"""`croupier verify` as people call it: records of the first release, and files that are no records at all."""

import json
import random
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from croupier import locales
from croupier.cli import app, texts
from croupier.dealing.findings import Fault
from croupier.dealing.shuffle1_log import SeedFault
from croupier.table.deal_faults import DealFault, DealNote
from croupier.table.record import record
from croupier.table.verdict import Notice, RecordFault
from croupier.wire.records import line, verify
from tests.table.evenings import evening
from tests.table.rounds import seeded
from tests.table.test_casino_log import honest as casino_visit
from tests.table.test_forgeries import with_void
from tests.table.test_verify import one_cut

OLD = Path(__file__).parents[1] / "fixtures/release_1/records"
MEBIBYTE = 2**20


def run(file: Path, *more: str) -> tuple[int, str]:
    """The exit code and what is printed. No fault of a file is an exception."""
    done = CliRunner().invoke(app, ["verify", str(file), *more], catch_exceptions=False)
    return done.exit_code, done.output


def found(file: Path, *more: str) -> list[str]:
    """The codes of what is found; each has a sentence of its own."""
    code, output = run(file, "--json", *more)
    told = json.loads(output)
    assert code == (1 if told["findings"] else 0)
    assert all(each["message"] and each["message"] != each["code"] for each in told["findings"])
    return [each["code"] for each in told["findings"]]


@pytest.mark.parametrize("language", locales.LANGUAGES)
@pytest.mark.parametrize("file", ["holdem_ended-Ann.jsonl", "sequence_ended-spectator.jsonl"])
def test_of_the_first_release_it_says_what_cut_1_does_not_prove(
    file: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(texts, "LANGUAGE", language)
    code, output = run(OLD / file)
    assert code == 0
    assert locales.text(language, "cli.verify.good") in output
    assert locales.text(language, "notice.CUT_1_PROVES_LESS") in output
    assert locales.text(language, "notice.RECORD_ALONE") in output


def test_a_forged_record_of_the_first_release_is_still_found() -> None:
    for file in OLD.glob("forged-*.jsonl"):
        assert found(file), file.name


@pytest.mark.parametrize("language", locales.LANGUAGES)
def test_a_record_alone_says_what_it_cannot_tell(
    language: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(texts, "LANGUAGE", language)
    table = evening("alone", "poker", "cash", rounds=2, mischief=0)
    file, log = tmp_path / "records.jsonl", tmp_path / "log.jsonl"
    file.write_text("\n".join(table.records("p0")), encoding="utf-8")
    log.write_text("\n".join(table.people["p0"].log()), encoding="utf-8")
    alone = locales.text(language, "notice.RECORD_ALONE")
    code, output = run(file)
    assert (code, alone in output) == (0, True)
    code, output = run(file, "--mine", str(log))
    assert (code, alone in output) == (0, False)
    assert locales.text(language, "cli.verify.checked.log", lines=len(table.people["p0"].log())) in output


GARBAGE = {
    "binary": random.Random(1).randbytes(4096),
    "no text": b"\xff\xfe\x00\x01" * 100,
    "a long line": b'{"game":"' + b"a" * (100 * MEBIBYTE) + b'"}',
    "a long list": b'{"moves":[' + b"0," * (10 * MEBIBYTE) + b"0]}",
    "arrays in arrays": b"[" * 100_000,
    "objects in objects": b'{"rules":' * 100_000,
    "a deep record": b'{"game":"poker","edition":1,"rules":' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    "a deep end": b'{"format":"croupier-table-1","room":' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    "long numbers": b'{"edition":' + b"9" * 10_000 + b"}",
    "no JSON": b"{'game': 'holdem'}",
    "other JSON": b'[1, 2.5, null, "text"]',
    "half a character": b'{"game":"\\ud800"}',
    "an empty file": b"",
    "a lone end": b'{"format":"croupier-table-1","room":"","deals":-1,"closing":"","voids":[{}]}',
}


@pytest.mark.parametrize("kind", GARBAGE)
def test_garbage_is_a_finding_with_a_name(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "garbage"
    file.write_bytes(GARBAGE[kind])
    assert found(file)
    honest = tmp_path / "records.jsonl"
    honest.write_text("\n".join(casino_visit()[0]), encoding="utf-8")
    if kind != "an empty file":
        # As a log it says nothing that can be compared.
        code, _ = run(honest, "--mine", str(file))
        assert code == 1


def test_a_file_that_is_not_there_is_said_to_be(tmp_path: Path) -> None:
    code, output = run(tmp_path / "nothing")
    assert (code, "nothing" in output) == (2, True)


@cache
def proved() -> dict[str, list[Any]]:
    """Records of each scheme, and some that begin with one that has a void deal."""
    table = evening(3, "poker", "cash", rounds=2, mischief=0)
    _, voided, _, number = with_void()
    return {
        "shuffle-1": [json.loads(line(record(played))) for played in seeded(rounds=2)],
        "cut-1": [one_cut()],
        "cut-2": [json.loads(text) for text in table.records("p0")],
        "void": [json.loads(text) for text in voided[number:]],
    }


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a value, of rows only the first and the last."""
    yield path
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from places(inner, (*path, name))
    if isinstance(value, list) and value:
        for index in sorted({0, len(value) - 1}):
            yield from places(value[index], (*path, index))


WRONG: list[Any] = [None, True, -1, 2**53, 2**70, 1.5, "", "x", "é", [], {}, [[]], {"a": 1}, [None], "0" * 64, "[" * 99]


@pytest.mark.parametrize("scheme", ["shuffle-1", "cut-1", "cut-2", "void"])
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_wrong_type_in_any_field_is_a_finding_and_no_exception(scheme: str, data: st.DataObject) -> None:
    records = json.loads(json.dumps(proved()[scheme]))
    entry = records[0]
    name = "voids" if scheme == "void" else "proofs"
    path = data.draw(st.sampled_from([path for path in places(entry[name][0]) if path]))
    inside = entry[name][0]
    for part in path[:-1]:
        inside = inside[part]
    old = inside[path[-1]]
    wrong = data.draw(st.sampled_from([value for value in WRONG if value != old or type(value) is not type(old)]))
    inside[path[-1]] = wrong
    verdict = verify(json.dumps(entry) for entry in records)
    # Empty where it may be, or another hash that nothing has been held to yet.
    may_be: dict[Any, list[Any]] = {"openings": [[]], "missing": [[]], "nextServerSeedHash": [None, "0" * 64]}
    is_good = wrong in may_be.get(path[-1], [])
    assert verdict.findings or is_good, f"{path} = {wrong!r}"


@pytest.mark.parametrize("codes", [Fault, DealFault, DealNote, SeedFault, RecordFault, Notice])
def test_the_document_names_every_finding(codes: type[StrEnum]) -> None:
    document = (Path(__file__).parents[2] / "docs/fairness.md").read_text(encoding="utf-8")
    assert [code for code in codes if f"`{code}`" not in document] == []

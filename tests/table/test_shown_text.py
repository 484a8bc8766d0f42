"""Text of people, made harmless: no control, no turned line, no invisible name; and names told apart."""

import json
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.server.logs import JsonLines, TextLines
from croupier.server.people import nickname
from croupier.shown_text import harmless, harmless_within, told_apart

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ann", "Ann"),
        ("  Ann \t B.  ", "Ann B."),
        ("\x1b[2JAnn", "[2JAnn"),
        ("\x9b31mAnn\x07", "31mAnn"),
        ("A\u202enn\u2066\u2069\u200f", "Ann"),
        ("Ann\r\nBob: fold", "Ann Bob: fold"),
        ("A\u00a0\u3000\u2003n", "A n"),
        ("\u3164\u115f\u2800\uffa0", ""),
        ("\u200b\u2060\ufeff\u00ad", ""),
        ("A\u200dn\ufe0fn", "Ann"),
        ("\ud800Ann", "Ann"),
        ("\U000e0041Ann", "Ann"),
        ("안나 Анна 安娜 עדה", "안나 Анна 安娜 עדה"),
        (FAMILY, FAMILY),
        ("\u2764\ufe0f", "\u2764\ufe0f"),
        ("e\u0301", "\u00e9"),
    ],
)
def test_what_cannot_be_seen_goes(text: str, shown: str) -> None:
    assert harmless(text) == shown


@given(st.text())
def test_whatever_comes_is_printable_and_stays_as_it_is_made(text: str) -> None:
    shown = harmless(text)
    assert harmless(shown) == shown
    assert all(letter.isprintable() or letter in "\u200d\ufe0f" for letter in shown)


def test_a_name_of_blanks_is_none() -> None:
    assert nickname("\u3164\u2800") is None
    assert nickname("x" * 21) is None
    assert nickname("\u202eAnn") == "Ann"


def test_names_that_read_the_same_get_a_number() -> None:
    assert told_apart("Ann", ["Bob"]) == "Ann"
    assert told_apart("Ann", ["Bob", "Ann"]) == "Ann (2)"
    assert told_apart("ann", ["Ann", "Ann (2)"]) == "ann (3)"
    assert told_apart("\uff21nn", ["Ann"]) == "\uff21nn (2)"
    assert told_apart("\u3164", ()) == "?"


def test_within_a_frame_only_what_is_harmful_changes() -> None:
    frame = {"a": ["two  spaces", "\x1b[2J", 7, None], "b": {"c": "x\u202ey"}}
    assert harmless_within(frame) == {"a": ["two  spaces", "[2J", 7, None], "b": {"c": "xy"}}


def test_a_log_line_is_one_line_whatever_is_in_it() -> None:
    try:
        raise ValueError("\x1b[2J\u202egone")
    except ValueError as error:
        trace = (type(error), error, error.__traceback__)
    entry = logging.LogRecord("croupier", logging.ERROR, "", 0, "from %s", ("\x1b[31m\nINFO all is well\u202e",), trace)
    text = TextLines().format(entry)
    assert "from [31m INFO all is well" in text.split("\n")[0]
    assert all(line.isprintable() for line in text.split("\n"))
    line = JsonLines().format(entry)
    assert line.isascii()
    assert line.isprintable()
    assert json.loads(line)["message"] == "from [31m INFO all is well"

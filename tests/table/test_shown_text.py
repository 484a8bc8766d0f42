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
        ("e\u200b\u0301", "\u00e9"),
        ("Ann\U000e0100", "Ann"),
        ("\U000e0100\U000e01ef", ""),
        ("\U0001d159\U00016fe4", ""),
        ("\u0301\u0302Ann", "Ann"),
        ("\u0301\u20dd\u0903", ""),
        ("Z" + 40 * "\u0335" + "o", "Z" + 4 * "\u0335" + "o"),
        ("\u0e01" + 20 * "\u0e47", "\u0e01" + 4 * "\u0e47"),
        ("\u1000\u103b\u103d\u1014\u103a\u102f\u1015\u103a", "\u1000\u103b\u103d\u1014\u103a\u102f\u1015\u103a"),
        ("^\u200d^\ufe0f", "^^"),
        ("\u2764\ufe0f\ufe0f\u200d\u2800", "\u2764\ufe0f"),
        ("\U0001f44d\U0001f3fd", "\U0001f44d\U0001f3fd"),
    ],
)
def test_what_cannot_be_seen_goes(text: str, shown: str) -> None:
    assert harmless(text) == shown


@given(
    st.text()
    | st.text("aZ^ \u0301\u0335\u20dd\u0903\u200d\ufe0f\u2800\u2764\U0001f3fd\U000e0100\u200b\u1100\u1161", max_size=12)
)
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
    assert told_apart("\u2764\ufe0f", ["\u2764"]) == "\u2764\ufe0f (2)"
    assert told_apart("\u00b0\u200d\u00b0", ["\u00b0\u00b0"]) == "\u00b0\u200d\u00b0 (2)"


def test_within_a_frame_only_what_is_harmful_changes() -> None:
    frame = {"a": ["two  spaces", "\x1b[2J", 7, None], "b": {"c": "x\u202ey", "d": "I" + 9 * "\u0335"}}
    assert harmless_within(frame) == {"a": ["two  spaces", "[2J", 7, None], "b": {"c": "xy", "d": "I" + 4 * "\u0335"}}
    assert harmless_within("e\u0301  \u0e01\u0e47") == "e\u0301  \u0e01\u0e47"


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

"""Text from people that others will see: the one place that makes it harmless and keeps names distinct. A control
character can clear a terminal, a bidirectional override can reverse a line, an invisible blank can make an empty name,
a pile of accents can cover the lines around it. None of them means anything at a card table, so they are removed.
"""

import unicodedata
from collections.abc import Collection
from typing import Any, Final

NICKNAME_CHARACTERS_MAX: Final = 20
BLANKS: Final = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u034f\U00016fe4\U0001d159\U00013441\U00013442")
"""Invisible letters, symbols and marks."""
MARKS_MAX: Final = 4
"""How many marks may stand on one letter: no writing needs more."""
_JOINER: Final = "\u200d"
_EMOJI_STYLE: Final = "\ufe0f"
_VARIANTS: Final = frozenset(
    map(chr, (*range(0xFE00, 0xFE10), *range(0x180B, 0x180E), 0x180F, *range(0xE0100, 0xE01F0)))
)
_GONE: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))
"""Controls, formats (bidirectional ones too), surrogates, private and unassigned characters."""
_SPACES: Final = frozenset(("Zs", "Zl", "Zp"))
_STACKED: Final = frozenset(("Mn", "Me"))
_MARKS: Final = _STACKED | {"Mc"}
_TONES: Final = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
"""The skin tones of emoji."""


def harmless(text: str) -> str:
    """The text on one line without invisible characters; blanks of every kind become single spaces."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    kept: list[str] = []
    letters = unicodedata.normalize("NFC", text)
    marks = MARKS_MAX
    """How many marks stand on the letter so far. A mark without a letter would stand on what is before the text."""
    for place, letter in enumerate(letters):
        category = unicodedata.category(letter)
        if letter in "\t\n\r\v\f\x1c\x1d\x1e\x1f\x85" or category in _SPACES or letter in BLANKS:
            kept.append(" ")
        elif letter == _JOINER or letter in _VARIANTS:
            if kept and _joins(kept[-1], letter, letters[place + 1 :][:1]):
                kept.append(letter)
        elif category in _MARKS:
            if marks < MARKS_MAX:
                kept.append(letter)
            marks += category in _STACKED
        elif category not in _GONE:
            kept.append(letter)
            marks = 0
    return unicodedata.normalize("NFC", " ".join("".join(kept).split()))


def _joins(before: str, letter: str, after: str) -> bool:
    """Whether a joiner belongs to an emoji, such as a family or a red heart."""
    if letter == _EMOJI_STYLE:
        return _is_picture(before)
    return letter == _JOINER and (_is_picture(before) or before == _EMOJI_STYLE) and _is_picture(after)


def _is_picture(letter: str) -> bool:
    return letter in _TONES or (letter != "" and letter not in BLANKS and unicodedata.category(letter) == "So")


def harmless_within(value: Any) -> Any:
    """A JSON value with every text in it made harmless. Harmless texts stay exactly the same."""
    if isinstance(value, str):
        return value if _is_harmless(value) else harmless(value)
    if isinstance(value, list | tuple):
        return type(value)(harmless_within(each) for each in value)
    if isinstance(value, dict):
        return {key: harmless_within(each) for key, each in value.items()}
    return value


def _is_harmless(text: str) -> bool:
    """Whether nothing would be removed."""
    if text.isascii() or not text.isprintable():
        return text.isprintable()
    return harmless(text) == " ".join(unicodedata.normalize("NFC", text).split())


def told_apart(name: str, taken: Collection[str]) -> str:
    """The name, with a number after it if somebody has one that reads the same."""
    shown = harmless(name) or "?"
    others = {_read(other) for other in taken}
    number, apart = 1, shown
    while _read(apart) in others:
        number += 1
        apart = f"{shown} ({number})"
    return apart


def _read(name: str) -> str:
    """The form by which names are compared: capitals, wide letters and what joins emoji make no difference."""
    seen = "".join(letter for letter in name if letter != _JOINER and letter not in _VARIANTS)
    return unicodedata.normalize("NFKC", seen).casefold()

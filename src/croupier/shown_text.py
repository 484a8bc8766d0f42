"""Text from people that others will see: the one place that makes it harmless and keeps names distinct. A control
character can clear a terminal, a bidirectional override can reverse a line, an invisible blank can make an empty name.
None of them means anything at a card table, so they are removed.
"""

import unicodedata
from collections.abc import Collection
from typing import Any, Final

NICKNAME_CHARACTERS_MAX: Final = 20
BLANKS: Final = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u034f")
"""Invisible letters, symbols and marks."""
_JOINER: Final = "\u200d"
_EMOJI_STYLE: Final = "\ufe0f"
_VARIANTS: Final = frozenset((*map(chr, range(0xFE00, 0xFE10)), *map(chr, range(0x180B, 0x1810))))
_GONE: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))
"""Controls, formats (bidirectional ones too), surrogates, private and unassigned characters."""
_SPACES: Final = frozenset(("Zs", "Zl", "Zp"))


def harmless(text: str) -> str:
    """The text on one line without invisible characters; blanks of every kind become single spaces."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    kept: list[str] = []
    letters = unicodedata.normalize("NFC", text)
    for place, letter in enumerate(letters):
        if letter in "\t\n\r\v\f\x1c\x1d\x1e\x1f\x85" or unicodedata.category(letter) in _SPACES or letter in BLANKS:
            kept.append(" ")
        elif letter == _JOINER or letter in _VARIANTS:
            # Joiners that make one emoji out of several, such as a family or a red heart.
            if kept and _is_picture(kept[-1]) and (letter == _EMOJI_STYLE or _is_picture(letters[place + 1 :][:1])):
                kept.append(letter)
        elif unicodedata.category(letter) not in _GONE:
            kept.append(letter)
    return " ".join("".join(kept).split())


def _is_picture(letter: str) -> bool:
    return letter == _EMOJI_STYLE or (letter != "" and unicodedata.category(letter) in ("So", "Sk"))


def harmless_within(value: Any) -> Any:
    """A JSON value with every text in it made harmless. Harmless texts stay exactly the same."""
    if isinstance(value, str):
        return value if value.isprintable() and BLANKS.isdisjoint(value) else harmless(value)
    if isinstance(value, list | tuple):
        return type(value)(harmless_within(each) for each in value)
    if isinstance(value, dict):
        return {key: harmless_within(each) for key, each in value.items()}
    return value


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
    """The form by which names are compared: capitals and wide letters make no difference."""
    return unicodedata.normalize("NFKC", name).casefold()

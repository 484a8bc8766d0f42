"""Text of people that is shown to others: made harmless, and names told apart. The one place that does either.

A control character can clear a terminal, a bidirectional override can turn a line around, a blank that looks like
nothing can make a name of nobody. None of them has a meaning at a card table, so they go.
"""

import unicodedata
from collections.abc import Collection
from typing import Any, Final

NICKNAME_CHARACTERS_MAX: Final = 20
BLANKS: Final = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u034f")
"""Letters, symbols and marks that show nothing."""
_JOINER: Final = "\u200d"
_EMOJI_STYLE: Final = "\ufe0f"
_VARIANTS: Final = frozenset((*map(chr, range(0xFE00, 0xFE10)), *map(chr, range(0x180B, 0x1810))))
_GONE: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))
"""Controls, formats (bidirectional ones too), surrogates, private and unassigned characters."""
_SPACES: Final = frozenset(("Zs", "Zl", "Zp"))


def harmless(text: str) -> str:
    """The text in one line, with nothing in it that cannot be seen: blanks of every kind are single spaces."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    kept: list[str] = []
    letters = unicodedata.normalize("NFC", text)
    for place, letter in enumerate(letters):
        if letter in "\t\n\r\v\f\x1c\x1d\x1e\x1f\x85" or unicodedata.category(letter) in _SPACES or letter in BLANKS:
            kept.append(" ")
        elif letter == _JOINER or letter in _VARIANTS:
            # They make one picture of several, and nothing else: a family, a red heart.
            if kept and _is_picture(kept[-1]) and (letter == _EMOJI_STYLE or _is_picture(letters[place + 1 :][:1])):
                kept.append(letter)
        elif unicodedata.category(letter) not in _GONE:
            kept.append(letter)
    return " ".join("".join(kept).split())


def _is_picture(letter: str) -> bool:
    return letter == _EMOJI_STYLE or (letter != "" and unicodedata.category(letter) in ("So", "Sk"))


def harmless_within(value: Any) -> Any:
    """A value as JSON has it, with every text in it made harmless; what is so already stays to the letter."""
    if isinstance(value, str):
        return value if value.isprintable() and BLANKS.isdisjoint(value) else harmless(value)
    if isinstance(value, list | tuple):
        return type(value)(harmless_within(each) for each in value)
    if isinstance(value, dict):
        return {key: harmless_within(each) for key, each in value.items()}
    return value


def told_apart(name: str, taken: Collection[str]) -> str:
    """The name, with a number behind it if somebody has one that reads the same."""
    shown = harmless(name) or "?"
    others = {_read(other) for other in taken}
    number, apart = 1, shown
    while _read(apart) in others:
        number += 1
        apart = f"{shown} ({number})"
    return apart


def _read(name: str) -> str:
    """How a name reads: capitals and wide letters are no difference."""
    return unicodedata.normalize("NFKC", name).casefold()

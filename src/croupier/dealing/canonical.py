"""Canonical JSON: one text for each value, so that two languages hash the same bytes.

Texts that are hashed are sent as texts. A reader refuses a text unless writing its value gives the same text again: no
spaces, no repeated keys, no 1.0 for 1, no numbers that JavaScript would round.
"""

import json
import re
from functools import lru_cache
from typing import Any, Final

from croupier.dealing.hash_input import WHOLE_MAX, is_text

TEXT_BYTES_MAX: Final = 65536
DEPTH_MAX: Final = 32

_DIGITS: Final = re.compile("[0-9]+")


class CanonicalError(ValueError):
    """A text that is not in canonical form, or a value that has none."""


def write(value: Any) -> str:
    """The canonical text of plain values. 1.0 is written as 1."""
    return json.dumps(_plain(value, 0), separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def read(text: str) -> Any:
    """The value of a canonical text. Raises CanonicalError for any other text."""
    if not is_text(text) or len(text.encode()) > TEXT_BYTES_MAX:
        raise CanonicalError("not a text of a bearable length")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CanonicalError(str(error)) from error
    if write(value) != text:
        raise CanonicalError("not in canonical form")
    return value


def is_canonical(text: object) -> bool:
    """Whether `read` takes the text."""
    return isinstance(text, str) and _is_canonical(text)


@lru_cache(maxsize=64)  # Rules and pack are the same in every deal of a room.
def _is_canonical(text: str) -> bool:
    try:
        read(text)
    except CanonicalError:
        return False
    return True


def _plain(value: Any, depth: int) -> Any:
    if depth > DEPTH_MAX:
        raise CanonicalError("nested too deep")
    kind = type(value)
    if kind is str:
        if not is_text(value):
            raise CanonicalError("a text that has no UTF-8 form")
        return value
    if kind is int:
        if abs(value) > WHOLE_MAX:
            raise CanonicalError(f"a whole number beyond {WHOLE_MAX}")
        return value
    if value is None or kind is bool:
        return value
    if kind is float:
        return _fraction(value)
    if kind is list or kind is tuple:
        return [_plain(each, depth + 1) for each in value]
    if kind is dict:
        return {_key(key): _plain(each, depth + 1) for key, each in value.items()}
    raise CanonicalError(f"a value of type {kind.__name__}")


@lru_cache(maxsize=256)
def _key(key: object) -> object:
    """Check a key: JavaScript would put digits first, and take `__proto__` for the object's prototype."""
    if not is_text(key) or _DIGITS.fullmatch(str(key)) or key == "__proto__":
        raise CanonicalError(f"the key {key!r}")
    return key


def _fraction(value: float) -> int | float:
    """A number that both languages write alike, without an exponent; a whole one as an int."""
    if value.is_integer() and abs(value) <= WHOLE_MAX:
        return int(value)
    if not 1e-4 <= abs(value) < 1e15:
        raise CanonicalError("a number that is written with an exponent")
    return value

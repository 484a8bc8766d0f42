"""Fields of a hand as the text of a TOML table, such that reading it gives the same fields."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Final

from croupier.shown_text import BLANKS

_LONG: Final = 4
"""Lists of texts with more entries are written one a line."""
_DIGITS_MAX: Final = 40


def toml_table(fields: Mapping[str, Any]) -> str:
    """One line a field, in the order given."""
    return "".join(f"{_key(name)} = {_value(value)}\n" for name, value in fields.items())


def _key(name: str) -> str:
    return name if name.isascii() and name.replace("_", "").replace("-", "").isalnum() else _text(name)


def _value(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int():
            return str(value)
        case Decimal():
            return _number(value)
        case str():
            return _text(value)
        case datetime() | date() | time():
            return value.isoformat()
        case Mapping():
            return "{" + ", ".join(f"{_key(str(name))} = {_value(each)}" for name, each in value.items()) + "}"
        case Sequence():
            return _list(value)
    raise AssertionError(f"{type(value)} is no type of TOML")


def _number(value: Decimal) -> str:
    """A number to the last digit, with an exponent where it would be endless without."""
    if not value.is_finite():
        return "nan" if value.is_nan() else "-inf" if value < 0 else "inf"
    return format(value, "f") if abs(value.adjusted()) < _DIGITS_MAX else str(value)


def _list(values: Sequence[object]) -> str:
    written = [_value(each) for each in values]
    if len(written) > _LONG and all(isinstance(each, str) for each in values):
        return "[\n" + "".join(f"  {each},\n" for each in written) + "]"
    return f"[{', '.join(written)}]"


def _text(text: str) -> str:
    """A text in quotes. A sign that could end it, or that nobody would see, is written as an escape: it says the same,
    and harms no terminal. A lone surrogate has no escape, and no place in a text."""
    return '"' + "".join(map(_sign, text)) + '"'


def _sign(sign: str) -> str:
    if sign in '"\\':
        return f"\\{sign}"
    if sign.isprintable() and sign not in BLANKS:
        return sign
    return "?" if "\ud800" <= sign <= "\udfff" else f"\\U{ord(sign):08X}"

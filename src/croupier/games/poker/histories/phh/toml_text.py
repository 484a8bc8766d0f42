"""Fields of a hand as the text of a TOML table, such that reading it gives the same fields."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Final

from croupier.shown_text import harmless

_LONG: Final = 4
"""Lists of texts with more entries are written one a line."""


def toml_table(fields: Mapping[str, Any]) -> str:
    """One line a field, in the order given. Signs that could harm a terminal are left out of texts."""
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
            return format(value, "f") if value.is_finite() else "-inf" if value < 0 else "inf"
        case str():
            return _text(value)
        case datetime() | date() | time():
            return value.isoformat()
        case Mapping():
            return "{" + ", ".join(f"{_key(str(name))} = {_value(each)}" for name, each in value.items()) + "}"
        case Sequence():
            return _list(value)
    raise AssertionError(f"{type(value)} is no type of TOML")


def _list(values: Sequence[object]) -> str:
    written = [_value(each) for each in values]
    if len(written) > _LONG and all(isinstance(each, str) for each in values):
        return "[\n" + "".join(f"  {each},\n" for each in written) + "]"
    return f"[{', '.join(written)}]"


def _text(text: str) -> str:
    """A harmless text in quotes: a sign that could end it is written as an escape."""
    return '"' + "".join(f"\\{sign}" if sign in '"\\' else sign for sign in harmless(text)) + '"'

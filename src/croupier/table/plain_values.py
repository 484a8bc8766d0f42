"""Plain values, of which a decoded message consists: dicts, lists, texts, numbers, booleans and None."""

from collections.abc import Hashable
from typing import Annotated, Any, Final, TypeAlias

import msgspec

NUMBER_MAX: Final = 2**53 - 1
"""Larger numbers differ between languages."""

Whole: TypeAlias = Annotated[int, msgspec.Meta(ge=-NUMBER_MAX, le=NUMBER_MAX)]

_NESTED: Final = frozenset((dict, list, tuple))


def plain(value: Any) -> Any:
    """A typed value as plain values, as if it had been sent and decoded."""
    return _with_lists(msgspec.to_builtins(value, str_keys=True))


def _with_lists(value: Any) -> Any:
    """A value with lists for its tuples."""
    kind = type(value)
    if kind is dict:
        return {name: _with_lists(each) if type(each) in _NESTED else each for name, each in value.items()}
    if kind in _NESTED:
        return [_with_lists(each) if type(each) in _NESTED else each for each in value]
    return value


def exact(value: Any) -> Hashable:
    """A key that is equal for equal plain values only. 1, 1.0 and true are different values; the order of names in an
    object makes no difference."""
    kind = type(value)
    if kind is str or value is None:
        key: Hashable = value
    elif kind is int or kind is bool:
        key = kind, value
    elif kind is float:
        key = kind, repr(value)  # which tells 0.0 from -0.0
    elif kind is dict:
        key = dict, frozenset([(name, each if type(each) is str else exact(each)) for name, each in value.items()])
    elif kind is list or kind is tuple:
        key = list, tuple([exact(each) for each in value])
    else:
        raise TypeError(f"a value of type {kind.__name__} is not plain")
    return key


def unknown_name(given: Any, read: Any, path: str = "$") -> str:
    """The path of the first name in `given` that its reader ignored; empty if there is none. `read` is what the reader
    made of it, as plain values again."""
    if isinstance(given, dict) and isinstance(read, dict):
        for name, value in given.items():
            found = f"{path}.{name}" if name not in read else unknown_name(value, read[name], f"{path}.{name}")
            if found:
                return found
    if isinstance(given, list) and isinstance(read, list):
        for index, (value, known) in enumerate(zip(given, read, strict=False)):
            found = unknown_name(value, known, f"{path}[{index}]")
            if found:
                return found
    return ""

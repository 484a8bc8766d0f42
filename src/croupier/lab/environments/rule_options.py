"""Rules with some of their options chosen by name."""

from typing import Any, TypeVar

import msgspec
from msgspec.structs import fields

R = TypeVar("R")


def rules_with(rules: R, options: dict[str, Any]) -> R:
    """These rules with other options. Names and values are those of the stored rules, such as `ante_from="big_blind"`.

    Raises ValueError for an unknown option or an impossible value, and OptionError for options that contradict each
    other.
    """
    if not options:
        return rules
    assert isinstance(rules, msgspec.Struct), "rules are frozen structs"
    names = {field.encode_name for field in fields(rules)}
    unknown = sorted(set(options) - names)
    if unknown:
        raise ValueError(f"no option {unknown[0]}; there are {', '.join(sorted(names))}")
    plain = msgspec.to_builtins(rules)
    try:
        return msgspec.convert({**plain, **msgspec.to_builtins(options)}, type(rules))
    except msgspec.ValidationError as error:
        if isinstance(error.__cause__, ValueError):
            raise error.__cause__ from None
        raise ValueError(str(error)) from None

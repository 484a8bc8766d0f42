"""Rules with some of their options chosen by name."""

from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from croupier.game.options import check_options, known_options

R = TypeVar("R")


def rules_with(rules: R, options: dict[str, Any]) -> R:
    """These rules with other options. Names and values are those of the stored rules, such as `ante_from="big_blind"`.

    Raises OptionError, a ValueError, that names an unknown option and those there are, a wrong value and what is
    allowed, or two options that contradict each other.
    """
    if not options:
        return rules
    assert isinstance(rules, msgspec.Struct), "rules are frozen structs"
    # Numbers often come from an array.
    plain = {name: value.item() if hasattr(value, "item") else value for name, value in options.items()}
    changed = replace(rules, **known_options(rules, plain))
    # Rules of an installed package need not check themselves.
    check_options(changed)
    return changed

"""Blackjack rules from text: the options of `BlackjackRules` by name, what each takes, and a value read from words."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from croupier.game.options import options_of
from croupier.game.refusal import Code, OptionError, Refusal
from croupier.games.blackjack import BlackjackRules

FIELDS: Final = {field.name: field for field in msgspec.structs.fields(BlackjackRules)}
OPTIONS: Final = options_of(BlackjackRules)
_YES: Final = ("true", "yes", "on", "1")
_NO: Final = ("false", "no", "off", "0")


def choices(name: str) -> tuple[str, ...]:
    """The words that an option takes, or for a text the usual ones; empty for a number, which has bounds."""
    option = OPTIONS[name]
    return ("true", "false") if option.kind == "switch" else option.choices


def bad_option(option: str, value: str, allowed: str) -> Refusal:
    """The refusal of a value that an option cannot have."""
    return Refusal(Code.BAD_OPTION, {"option": option, "value": value[:40], "allowed": allowed})


def changed_rules(start: BlackjackRules, changes: Mapping[str, str]) -> BlackjackRules:
    """Rules with some options changed. Every name must be one of `FIELDS`. Raises OptionError."""
    return msgspec.structs.replace(start, **{name: _value(name, text) for name, text in changes.items()})


def _value(name: str, text: str) -> Any:
    if OPTIONS[name].kind == "switch" and text.lower() in _YES + _NO:
        return text.lower() in _YES
    try:
        return msgspec.convert(text, FIELDS[name].type, strict=False)
    except msgspec.ValidationError:
        raise OptionError(bad_option(name, text, OPTIONS[name].allowed or ", ".join(choices(name)))) from None

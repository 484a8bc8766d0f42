"""Blackjack rules from text: the options of `BlackjackRules` by name, what each takes, and a value read from words."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from croupier.game.refusal import OptionError, Refusal
from croupier.games.blackjack import BlackjackRules
from croupier.games.blackjack.rules.codes import BlackjackCode
from croupier.games.blackjack.rules.config import CHOICES, RANGES

FIELDS: Final = {field.name: field for field in msgspec.structs.fields(BlackjackRules)}
PAYS: Final = ("3:2", "6:5", "1:1", "2:1", "none")
"""What a blackjack usually pays. The rules take any ratio of whole numbers."""
_YES: Final = ("true", "yes", "on", "1")
_NO: Final = ("false", "no", "off", "0")


def choices(name: str) -> tuple[str, ...]:
    """The words that an option takes; empty for a number, which has its bounds in `RANGES`."""
    if name in RANGES:
        return ()
    return ("true", "false") if FIELDS[name].type is bool else CHOICES.get(name, PAYS)


def bad_option(option: str, value: str, allowed: str) -> Refusal:
    """The refusal of a value that an option cannot have."""
    return Refusal(BlackjackCode.BAD_OPTION, {"option": option, "value": value[:40], "allowed": allowed})


def changed_rules(start: BlackjackRules, changes: Mapping[str, str]) -> BlackjackRules:
    """Rules with some options changed. Every name must be one of `FIELDS`. Raises OptionError."""
    return msgspec.structs.replace(start, **{name: _value(name, text) for name, text in changes.items()})


def _value(name: str, text: str) -> Any:
    wanted = FIELDS[name].type
    if wanted is bool and text.lower() in _YES + _NO:
        return text.lower() in _YES
    try:
        # The rules themselves check a choice, and say what they would take.
        return msgspec.convert(text, str if name in CHOICES else wanted, strict=False)
    except msgspec.ValidationError:
        raise OptionError(bad_option(name, text, _allowed(name))) from None


def _allowed(name: str) -> str:
    if name in RANGES:
        low, high = RANGES[name]
        return f"{low} – {high}"
    return ", ".join(choices(name))

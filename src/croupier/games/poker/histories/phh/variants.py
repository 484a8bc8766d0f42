"""The variants that hand histories name, by their code in PHH, and the rules of those that are played here.

The format has no code for some of our variants. Such a hand has the nearest code and a field of our own, `_rules`, with
the options that differ.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from croupier.game.refusal import OptionError
from croupier.games.poker.rules.config import EDITION, Betting, Mode, Pack, Split, Used
from croupier.games.poker.rules.rules import HoldemRules

NO_LIMIT_HOLDEM: Final = "NT"
OWN_RULES: Final = "_rules"

NAMES: Final = {
    "NT": "no-limit hold'em",
    "FT": "fixed-limit hold'em",
    "NS": "no-limit short-deck hold'em",
    "PO": "pot-limit omaha",
    "FO/8": "fixed-limit omaha hi-lo",
    "F7S": "fixed-limit seven-card stud",
    "F7S/8": "fixed-limit seven-card stud hi-lo",
    "FR": "fixed-limit razz",
    "N2L1D": "no-limit 2-7 single draw",
    "F2L3D": "fixed-limit 2-7 triple draw",
    "FB": "fixed-limit badugi",
}
"""Every code of the format, with the name of the game."""

_HOLDEM: Final = HoldemRules(mode=Mode.CASH)
_FAMILY: Final = HoldemRules(edition=EDITION, mode=Mode.CASH)
_OMAHA: Final = replace(_FAMILY, hole_cards=4, used=Used.TWO, betting=Betting.POT_LIMIT)
RULES: Final = {
    "NT": _HOLDEM,
    "FT": replace(_FAMILY, betting=Betting.FIXED_LIMIT),
    "NS": replace(_FAMILY, pack=Pack.SHORT),
    "PO": _OMAHA,
    "FO/8": replace(_OMAHA, betting=Betting.FIXED_LIMIT, pot=Split.HIGH_LOW),
}
"""The rules of every variant that is played here."""
PLAYED: Final = tuple(RULES)
_OPTIONS: Final = ("pack", "hole_cards", "used", "betting", "pot", "odd_chips")
_OF_THE_HAND: Final = ("run_times", "straddle")
"""Options that a hand says if it had them."""


def with_betting(rules: HoldemRules, betting: Betting) -> HoldemRules:
    """The rules with another way of betting, which the first editions do not have."""
    return rules if rules.betting is betting else replace(rules, edition=EDITION, betting=betting)


def rules_of(code: str, own: Mapping[str, Any] | None = None) -> HoldemRules | None:
    """The rules that a hand is played by; None where its own options are none."""
    rules = RULES[code]
    if not own:
        return rules
    if not own.keys() <= {*_OPTIONS, *_OF_THE_HAND}:
        return None
    written = msgspec.to_builtins(rules) | dict(own)
    written["edition"] = EDITION
    try:
        return msgspec.convert(written, HoldemRules)
    except (msgspec.ValidationError, OptionError):
        return None


def code_of(rules: HoldemRules) -> tuple[str, dict[str, Any]]:
    """The nearest code for rules, and the options that it does not say."""
    wanted = {name: getattr(rules, name) for name in _OPTIONS if name != "odd_chips"}

    def differences(code: str) -> dict[str, Any]:
        return {name: value for name, value in wanted.items() if getattr(RULES[code], name) != value}

    code = min(RULES, key=lambda each: len(differences(each)))
    return code, {name: msgspec.to_builtins(value) for name, value in differences(code).items()}

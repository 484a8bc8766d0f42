"""The closing of a deal as text: how it ended, and the events until the next. The next deal is chained to it."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from croupier.dealing import canonical
from croupier.dealing.cut2 import FIRST_BEFORE, closing_digest
from croupier.game.game import AnyRules, Change

FIELDS: Final = frozenset(
    (*("deal", "seal", "cut", "missing", "cuts", "secrets"), *("moves", "payouts", "changes", "paid"))
)


class Closing(msgspec.Struct, frozen=True):
    """A closing that was read. `plain` has all fields as plain values."""

    plain: dict[str, Any]
    changes: tuple[Change, ...]


def read_closing(text: str) -> Closing | None:
    """Read a closing; None if the text is not one."""
    try:
        plain = canonical.read(text)
        if not isinstance(plain, dict) or set(plain) != FIELDS:
            return None
        changes = msgspec.convert(plain["changes"], tuple[Change, ...])
        if not isinstance(plain["paid"], list) or msgspec.to_builtins(list(changes)) != plain["changes"]:
            return None
        return Closing(plain, changes)
    except (canonical.CanonicalError, msgspec.ValidationError):
        return None


def follows(text: str, before: str) -> bool:
    """Whether this is the closing whose digest a context names; the first deal of a room has none."""
    return not text if before == FIRST_BEFORE else closing_digest(text) == before


def is_sound(rules: AnyRules, setup: Any, change: Change) -> bool:
    """Whether the change is possible: a newcomer brings the starting stack, and a purchase is not negative."""
    stacks = rules.stacks(setup)
    match change.kind:
        case "taken":
            brings = rules.stacks(rules.setup(len(stacks)))[change.seat] if 0 <= change.seat < len(stacks) else 0
            return change.chips == brings
        case "bought":
            return change.chips > 0
        case "reshuffled":
            return False
        case "bomb":
            return change.chips == change.seat == 0
        case _:
            return change.chips == 0


def stacks_after(stacks: Sequence[int], closing: dict[str, Any]) -> tuple[int, ...] | None:
    """Each seat's chips after a deal and its closing; None if that is impossible."""
    after = list(stacks)
    payouts = closing["payouts"]
    if after and payouts is not None:
        if not isinstance(payouts, list) or list(map(type, payouts)) != [int] * len(after):
            return None
        after = [chips + payout for chips, payout in zip(after, payouts, strict=True)]
    for change in msgspec.convert(closing["changes"], list[Change]) if after else ():
        if not 0 <= change.seat < len(after):
            return None
        match change.kind:
            case "taken" | "bought":
                after[change.seat] += change.chips
            case "left":
                after[change.seat] = 0
            case "sat_out" | "sat_in" | "waits" | "reshuffled" | "bomb":
                pass
    return tuple(after)

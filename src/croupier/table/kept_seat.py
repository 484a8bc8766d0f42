"""The seat that a player kept while their client missed some deals: nobody else may play in it."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from croupier.dealing import canonical
from croupier.dealing.cut2 import Context
from croupier.dealing.findings import Finding
from croupier.game.registry import GAMES
from croupier.table.client_memory import Memory
from croupier.table.deal_check import fault
from croupier.table.deal_faults import DealFault
from croupier.table.mirror import Mirror, read_rules, read_setup
from croupier.table.round_checker import read_start

CHANGING_HANDS: Final = frozenset(("taken", "left"))
"""What happens to a seat when somebody else sits down in it."""


def seat_after(memory: Memory, context: Context, closing: Mapping[str, Any]) -> int | None:
    """This player's seat in the deal after the remembered one; None if they may have lost it in between."""
    start = read_start(context)
    if start is None or start["match"] != memory.match:
        return None
    changes = (change for change in closing["changes"] if change["seat"] == memory.seat)
    return None if any(change["kind"] in CHANGING_HANDS for change in changes) else memory.seat


def check_kept_seat(
    seat: int | None, context: Context, is_own_promise: Callable[[str], bool] | None
) -> tuple[Finding, ...]:
    """In a deal that this client missed, nobody may cut for the player, or deal them in without a cut."""
    found: list[Finding] = []
    promise = next((cutter.promise for cutter in context.cutters if cutter.seat == seat), None)
    if promise is not None and is_own_promise is not None and not is_own_promise(promise):
        found.append(fault(DealFault.PROMISE_NOT_MINE, deal=context.deal))
    if seat is not None and promise is None and not context.shuffle and seat in _dealt_in(context):
        found.append(fault(DealFault.NOT_LISTED, deal=context.deal))
    return tuple(found)


def _dealt_in(context: Context) -> tuple[int, ...]:
    """The seats that a deal was fixed for; empty if its game is not installed. Raises MirrorError if the rules do not
    lead to the deal."""
    raw, start = canonical.read(context.rules), read_start(context)
    game = GAMES.get(raw.get("game", "")) if isinstance(raw, dict) else None
    if game is None or start is None:
        return ()
    mirror = Mirror(game, read_rules(game, raw), read_setup(game, start["setup"]))
    mirror.advance(start["moves"])
    return mirror.dealt_in

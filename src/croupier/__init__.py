"""Croupier: a provably fair card room, a lab, and a Python API for bots and research.

The names here are the ones a script needs to play, record and verify a round; a game's own actions and presets stand
in its package, `croupier.blackjack` for one. Each loads when it is first used, so that the command line starts at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from croupier.cards import PACK, Card, cards
    from croupier.dealing.shoe import Shoe
    from croupier.game.refusal import OptionError, Refusal
    from croupier.games import blackjack, poker, sequence
    from croupier.table.record import Record, record
    from croupier.table.round import Round, Seeds, begin
    from croupier.table.verify import verify

__all__ = [
    "PACK",
    "Card",
    "OptionError",
    "Record",
    "Refusal",
    "Round",
    "Seeds",
    "Shoe",
    "begin",
    "blackjack",
    "cards",
    "poker",
    "record",
    "sequence",
    "verify",
]

_HOMES = {
    "croupier.cards": ("PACK", "Card", "cards"),
    "croupier.dealing.shoe": ("Shoe",),
    "croupier.game.refusal": ("OptionError", "Refusal"),
    "croupier.table.record": ("Record", "record"),
    "croupier.table.round": ("Round", "Seeds", "begin"),
    "croupier.table.verify": ("verify",),
}
_GAMES = ("blackjack", "poker", "sequence")


def __getattr__(name: str) -> Any:
    if name in _GAMES:
        return import_module(f"croupier.games.{name}")
    for home, names in _HOMES.items():
        if name in names:
            # Kept, because `croupier.cards` names the function here and the module once that is loaded.
            value = globals()[name] = getattr(import_module(home), name)
            return value
    raise AttributeError(f"module 'croupier' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__

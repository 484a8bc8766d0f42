"""Croupier: a provably fair card room, a lab, and a Python API for bots and research.

The names here are all that a script needs to play, record and verify a round; a game's own rules, actions, events and
views stand in `croupier.blackjack`, `croupier.poker`, `croupier.sequence`. Bots, rooms and clients stand
in `croupier.sdk`. Each name loads when it is first used, so that `import croupier` is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from croupier import blackjack as blackjack
    from croupier import poker as poker
    from croupier import sequence as sequence
    from croupier.cards import PACK as PACK
    from croupier.cards import Card as Card
    from croupier.dealing.shoe import Shoe as Shoe
    from croupier.game.game import Action as Action
    from croupier.game.game import Event as Event
    from croupier.game.game import Game as Game
    from croupier.game.game import Offer as Offer
    from croupier.game.game import View as View
    from croupier.game.refusal import OptionError as OptionError
    from croupier.game.refusal import Refusal as Refusal
    from croupier.library import Record as Record
    from croupier.library import Round as Round
    from croupier.library import begin as begin
    from croupier.library import parse_cards as parse_cards
    from croupier.library import verify as verify
    from croupier.sdk import Bot as Bot
    from croupier.sdk import Outcome as Outcome
    from croupier.sdk import join as join
    from croupier.sdk import play as play
    from croupier.table.round import Seeds as Seeds
    from croupier.table.verdict import Verdict as Verdict

__version__ = "0.1.0"
"""The one place where the version stands: the package, the command line and the server read it here."""

__all__ = [
    "PACK",
    "Action",
    "Bot",
    "Card",
    "Event",
    "Game",
    "Offer",
    "OptionError",
    "Outcome",
    "Record",
    "Refusal",
    "Round",
    "Seeds",
    "Shoe",
    "Verdict",
    "View",
    "__version__",
    "begin",
    "blackjack",
    "join",
    "parse_cards",
    "play",
    "poker",
    "sequence",
    "verify",
]

_HOMES: Final = {
    "croupier.cards": ("PACK", "Card"),
    "croupier.dealing.shoe": ("Shoe",),
    "croupier.game.game": ("Action", "Event", "Game", "Offer", "View"),
    "croupier.game.refusal": ("OptionError", "Refusal"),
    "croupier.library": ("Record", "Round", "begin", "parse_cards", "verify"),
    "croupier.sdk": ("Bot", "Outcome", "join", "play"),
    "croupier.table.round": ("Seeds",),
    "croupier.table.verdict": ("Verdict",),
}
_GAMES: Final = ("blackjack", "poker", "sequence")


if not TYPE_CHECKING:  # a type checker reads the imports above, and refuses every other name

    def __getattr__(name: str) -> Any:
        if name in _GAMES:
            return import_module(f"croupier.{name}")
        for home, names in _HOMES.items():
            if name in names:
                value = globals()[name] = getattr(import_module(home), name)
                return value
        raise AttributeError(f"module 'croupier' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__

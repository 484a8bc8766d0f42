"""No-limit Texas Hold'em for two to ten seats, cash and tournament: one hand is one round.

`rules` is the door; `config` the options, `setup` what a hand starts from, `play` its course, `betting` legality and
what an action does, `pots`, `showdown` and `finish` the chips' way to the winners, `view` what is seen, `evaluate` what
a hand is worth. Fast evaluation in bulk and equity belong to the lab.
"""

from croupier.rules.game import Game
from croupier.rules.holdem.actions import AllIn, Bet, Call, Check, Fold, HoldemAction, HoldemCode, Muck, Raise, Show
from croupier.rules.holdem.config import EDITION, AnteFrom, Level, Mode, OddChips
from croupier.rules.holdem.events import HoldemEvent
from croupier.rules.holdem.rules import HoldemRules
from croupier.rules.holdem.setup import ForcedBets, HoldemSetup, sit_in, sit_out, top_up
from croupier.rules.holdem.state import Hand
from croupier.rules.holdem.view import HoldemView

__all__ = [
    "CASH",
    "GAME",
    "TOURNAMENT",
    "AllIn",
    "AnteFrom",
    "Bet",
    "Call",
    "Check",
    "Fold",
    "ForcedBets",
    "Hand",
    "HoldemAction",
    "HoldemCode",
    "HoldemRules",
    "HoldemSetup",
    "HoldemView",
    "Level",
    "Mode",
    "Muck",
    "OddChips",
    "Raise",
    "Show",
    "sit_in",
    "sit_out",
    "top_up",
]

TOURNAMENT = HoldemRules(edition=EDITION, odd_chips=OddChips.EACH)
"""1000 chips, blinds 5/10 that double every ten hands, until one player has them all."""
CASH = HoldemRules(edition=EDITION, odd_chips=OddChips.EACH, mode=Mode.CASH)
"""1000 chips, blinds 5/10 that stay; people buy chips, sit out and go between hands."""

GAME = Game(
    name="holdem",
    rules=HoldemRules,
    setup=HoldemSetup,
    action=HoldemAction,
    event=HoldemEvent,
    view=HoldemView,
    presets={"tournament": TOURNAMENT, "cash": CASH},
    release_1={"tournament": HoldemRules(edition=1), "cash": HoldemRules(edition=1, mode=Mode.CASH)},
)

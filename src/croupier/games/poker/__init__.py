"""No-limit Texas Hold'em for two to ten seats, cash and tournament: one hand is one round.

`rules` is the door; `config` the options, `setup` what a hand starts from, `play` its course, `betting` legality and
what an action does, `pots`, `showdown` and `finish` the chips' way to the winners, `view` what is seen, `evaluate` what
a hand is worth. Fast evaluation in bulk and equity belong to the lab.
"""

from croupier.game.game import Game
from croupier.games.poker.rules.actions import (
    AllIn,
    Bet,
    Call,
    Check,
    Fold,
    HoldemAction,
    HoldemCode,
    Muck,
    Raise,
    Show,
)
from croupier.games.poker.rules.config import EDITION, AnteFrom, Level, Mode, OddChips
from croupier.games.poker.rules.events import HoldemEvent
from croupier.games.poker.rules.rules import HoldemRules
from croupier.games.poker.rules.setup import ForcedBets, HoldemSetup, sit_in, sit_out, top_up
from croupier.games.poker.rules.state import Hand
from croupier.games.poker.rules.view import HoldemView

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
    bots="croupier.games.poker.bots:BOTS",
    environment="croupier.games.poker.environment:HoldemEncoding",
    customary_bots={"tournament": 3, "cash": 3},
)

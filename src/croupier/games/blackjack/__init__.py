"""Blackjack: one engine, one frozen `BlackjackRules` with every option, three presets.

`rules` is the door; `config` the options, `play` the course of a round, `menu` legality, `settle` the payouts, `view`
what is seen, `classroom` the table with a person for dealer that people join and leave.
"""

from croupier.game.game import Game
from croupier.games.blackjack.rules.actions import (
    BlackjackAction,
    Double,
    Hit,
    Insurance,
    PlaceBet,
    SitOut,
    Split,
    Stand,
    Surrender,
)
from croupier.games.blackjack.rules.events import BlackjackEvent
from croupier.games.blackjack.rules.presets import CASINO, CLASSROOM, RELEASE_1, TRAINER
from croupier.games.blackjack.rules.rules import BlackjackRules
from croupier.games.blackjack.rules.state import BlackjackSetup
from croupier.games.blackjack.rules.view import BlackjackView

__all__ = [
    "CASINO",
    "CLASSROOM",
    "GAME",
    "TRAINER",
    "BlackjackRules",
    "BlackjackSetup",
    "BlackjackView",
    "Double",
    "Hit",
    "Insurance",
    "PlaceBet",
    "SitOut",
    "Split",
    "Stand",
    "Surrender",
]

GAME = Game(
    name="blackjack",
    rules=BlackjackRules,
    setup=BlackjackSetup,
    action=BlackjackAction,
    event=BlackjackEvent,
    view=BlackjackView,
    presets={"casino": CASINO, "trainer": TRAINER, "classroom": CLASSROOM},
    release_1=RELEASE_1,
    bots="croupier.games.blackjack.bots:BOTS",
    environment="croupier.games.blackjack.environment:BlackjackEncoding",
    customary_bots={"casino": 0, "trainer": 2, "classroom": 2},
)

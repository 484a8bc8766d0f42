"""Blackjack: one engine, one frozen `BlackjackRules` with every option, three presets.

`rules` is the door; `config` the options, `play` the course of a round, `menu` legality, `settle` the payouts, `view`
what is seen, `classroom` the table with a person for dealer that people join and leave.
"""

from croupier.rules.blackjack.actions import (
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
from croupier.rules.blackjack.events import BlackjackEvent
from croupier.rules.blackjack.presets import CASINO, CLASSROOM, RELEASE_1, TRAINER
from croupier.rules.blackjack.rules import BlackjackRules
from croupier.rules.blackjack.state import BlackjackSetup
from croupier.rules.blackjack.view import BlackjackView
from croupier.rules.game import Game

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
)

"""Blackjack: one engine, one frozen `BlackjackRules` with every option, four presets.

Start at `rules/rules.py`. `config` has the options, `flow` the order of a round, `menu` legality, `settle` the payouts,
`view` what a viewer sees. `casino/` and `classroom.py` are the two tables of the documents.
"""

from typing import Final

from croupier.game.game import Game, Unit
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
from croupier.games.blackjack.rules.events import (
    BetPlaced,
    BlackjackEvent,
    CardDealt,
    DealerCardDealt,
    DealerPeeked,
    GameTerminated,
    HandChanged,
    HandSettled,
    HoleCardRevealed,
    InsuranceDecided,
    InsuranceOffered,
    InsuranceSettled,
    PhaseChanged,
    Played,
    SatOut,
    SeatLeft,
    ShoeEmpty,
    ShoeShuffled,
)
from croupier.games.blackjack.rules.presets import CASINO, CLASSROOM, RELEASE_1, TABLE, TRAINER
from croupier.games.blackjack.rules.rules import BlackjackRules
from croupier.games.blackjack.rules.state import BlackjackSetup, Phase, Status
from croupier.games.blackjack.rules.view import BlackjackSeat, BlackjackView, DealerView, HandView

__all__ = [
    "CASINO",
    "CLASSROOM",
    "GAME",
    "TABLE",
    "TRAINER",
    "BetPlaced",
    "BlackjackAction",
    "BlackjackEvent",
    "BlackjackRules",
    "BlackjackSeat",
    "BlackjackSetup",
    "BlackjackView",
    "CardDealt",
    "DealerCardDealt",
    "DealerPeeked",
    "DealerView",
    "Double",
    "GameTerminated",
    "HandChanged",
    "HandSettled",
    "HandView",
    "Hit",
    "HoleCardRevealed",
    "Insurance",
    "InsuranceDecided",
    "InsuranceOffered",
    "InsuranceSettled",
    "Phase",
    "PhaseChanged",
    "PlaceBet",
    "Played",
    "SatOut",
    "SeatLeft",
    "ShoeEmpty",
    "ShoeShuffled",
    "SitOut",
    "Split",
    "Stand",
    "Status",
    "Surrender",
]

GAME: Final[Game[BlackjackRules, BlackjackAction, BlackjackView]] = Game(
    name="blackjack",
    rules=BlackjackRules,
    setup=BlackjackSetup,
    action=BlackjackAction,
    event=BlackjackEvent,
    view=BlackjackView,
    presets={"casino": CASINO, "trainer": TRAINER, "classroom": CLASSROOM, "table": TABLE},
    release_1=RELEASE_1,
    bots="croupier.games.blackjack.bots:BOTS",
    terminal="croupier.games.blackjack.terminal.table:BlackjackTable",
    environment="croupier.games.blackjack.environment:BlackjackEncoding",
    unit=Unit("bets", lambda rules: int(rules.bet_min)),
    room_presets=("trainer", "table"),
    customary_bots={"casino": 0, "trainer": 2, "classroom": 2, "table": 2},
    filling_bots=("regular",),
)

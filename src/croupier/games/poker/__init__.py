"""The poker family, cash and tournament: Hold'em, Omaha with four to six cards, high-low and on two boards, short deck.
One hand is one round, and a variant is a value of the options.

Start at `rules/rules.py`. `config` has the options, `setup` what a hand starts from, `streets` its order, `betting`
legality and the effect of an action. `pots`, `showdown` and `finish` pay the winners. `view` has what a viewer sees,
`evaluate` ranks five cards, and `worth` says which cards count in each variant. Fast evaluation in bulk and equity
belong to the lab.
"""

from typing import Final

from msgspec.structs import replace

from croupier.game.game import Game, Unit
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
    RunIt,
    Show,
    ShowCard,
)
from croupier.games.poker.rules.between_hands import sit_in, sit_out, top_up
from croupier.games.poker.rules.config import (
    EDITION,
    AnteFrom,
    Betting,
    BlindsFrom,
    Level,
    Mode,
    OddChips,
    Pack,
    Split,
    Used,
)
from croupier.games.poker.rules.events import (
    Acted,
    BetReturned,
    HandNamed,
    HandOver,
    HandStarted,
    HoldemEvent,
    HoleCards,
    HoleCardsDealt,
    KnockedOut,
    Move,
    Mucked,
    PlayerLeft,
    Post,
    Posted,
    Pot,
    PotAwarded,
    PotsFormed,
    RabbitDealt,
    RakeTaken,
    RunAgreed,
    SevenDeuce,
    Shown,
    Street,
    StreetDealt,
)
from croupier.games.poker.rules.rules import HoldemRules
from croupier.games.poker.rules.setup import ForcedBets, HoldemSetup
from croupier.games.poker.rules.state import Hand
from croupier.games.poker.rules.view import HoldemSeat, HoldemView, MadeHand

__all__ = [
    "CASH",
    "DOUBLE_BOARD_OMAHA",
    "GAME",
    "LIMIT_HOLDEM",
    "OMAHA",
    "OMAHA5",
    "OMAHA6",
    "OMAHA_HILO",
    "SHORT_DECK",
    "TOURNAMENT",
    "Acted",
    "AllIn",
    "AnteFrom",
    "Bet",
    "BetReturned",
    "Betting",
    "BlindsFrom",
    "Call",
    "Check",
    "Fold",
    "ForcedBets",
    "Hand",
    "HandNamed",
    "HandOver",
    "HandStarted",
    "HoldemAction",
    "HoldemCode",
    "HoldemEvent",
    "HoldemRules",
    "HoldemSeat",
    "HoldemSetup",
    "HoldemView",
    "HoleCards",
    "HoleCardsDealt",
    "KnockedOut",
    "Level",
    "MadeHand",
    "Mode",
    "Move",
    "Muck",
    "Mucked",
    "OddChips",
    "Pack",
    "PlayerLeft",
    "Post",
    "Posted",
    "Pot",
    "PotAwarded",
    "PotsFormed",
    "RabbitDealt",
    "Raise",
    "RakeTaken",
    "RunAgreed",
    "RunIt",
    "SevenDeuce",
    "Show",
    "ShowCard",
    "Shown",
    "Split",
    "Street",
    "StreetDealt",
    "Used",
    "sit_in",
    "sit_out",
    "top_up",
]

TOURNAMENT = HoldemRules(edition=EDITION, odd_chips=OddChips.EACH)
"""1000 chips, blinds 5/10 that double every ten hands, until one player has them all."""
CASH = HoldemRules(edition=EDITION, odd_chips=OddChips.EACH, mode=Mode.CASH, missed_blinds=True)
"""1000 chips, fixed blinds 5/10; people buy chips, sit out, come back and leave between hands."""
LIMIT_HOLDEM = replace(CASH, betting=Betting.FIXED_LIMIT)
"""Bets and raises of 10 before the flop and on it, of 20 after."""
OMAHA = replace(CASH, hole_cards=4, used=Used.TWO, betting=Betting.POT_LIMIT)
OMAHA5 = replace(OMAHA, hole_cards=5)
OMAHA6 = replace(OMAHA, hole_cards=6)
OMAHA_HILO = replace(OMAHA, pot=Split.HIGH_LOW)
DOUBLE_BOARD_OMAHA = replace(OMAHA, pot=Split.TWO_BOARDS)
SHORT_DECK = replace(CASH, pack=Pack.SHORT, small_blind=0, ante=10, blinds_from=BlindsFrom.BUTTON, missed_blinds=False)
"""An ante of 10 from everybody, and a blind of 10 from the button."""

GAME: Final[Game[HoldemRules, HoldemAction, HoldemView]] = Game(
    name="poker",
    rules=HoldemRules,
    setup=HoldemSetup,
    action=HoldemAction,
    event=HoldemEvent,
    view=HoldemView,
    presets={
        "holdem": TOURNAMENT,
        "cash": CASH,
        "limit-holdem": LIMIT_HOLDEM,
        "omaha": OMAHA,
        "omaha5": OMAHA5,
        "omaha6": OMAHA6,
        "omaha-hilo": OMAHA_HILO,
        "double-board-omaha": DOUBLE_BOARD_OMAHA,
        "short-deck": SHORT_DECK,
    },
    release_1={"holdem": HoldemRules(edition=1), "cash": HoldemRules(edition=1, mode=Mode.CASH)},
    wire="croupier.games.poker.wire:views",
    bots="croupier.games.poker.bots:BOTS",
    terminal="croupier.games.poker.terminal.table:HoldemTable",
    environment="croupier.games.poker.environment:HoldemEncoding",
    histories="croupier.games.poker.histories.phh:write",
    unit=Unit("bb", lambda rules: int(rules.first_big_blind)),
    lab_preset="cash",
    zero_sum=lambda rules: not rules.rake_permille,
    customary_bots={
        "holdem": 3,
        "cash": 3,
        "limit-holdem": 3,
        "omaha": 3,
        "omaha5": 3,
        "omaha6": 3,
        "omaha-hilo": 3,
        "double-board-omaha": 3,
        "short-deck": 3,
    },
)

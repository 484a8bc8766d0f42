"""Sequence: two packs, a board of 10 × 10 cells, and teams that want five chips in a row. One round is one game.

Here belong the board, the cards, and what follows from a play. Rooms, lobbies and people belong to the layers above.
"""

from typing import Final

from croupier.game.game import Game, Stamping
from croupier.games.sequence.rules.actions import (
    ExchangeDeadCard,
    PlayJackRemove,
    PlayJackWild,
    PlayNormal,
    SequenceAction,
)
from croupier.games.sequence.rules.board import CELLS_OF, CORNERS, FACES, LINES, Line, cells_in
from croupier.games.sequence.rules.cards import PACK, CardId, Jacks
from croupier.games.sequence.rules.config import EDITION
from croupier.games.sequence.rules.events import (
    CardDrawn,
    DeadCardExchanged,
    GameEnded,
    HandsDealt,
    HandTaken,
    PackReshuffled,
    Passed,
    SequenceCompleted,
    SequenceEvent,
    TurnPlayed,
)
from croupier.games.sequence.rules.rules import SequenceRules
from croupier.games.sequence.rules.stamps import EVENT_FIELDS, VIEW_FIELDS, stamped_event, stamped_view
from croupier.games.sequence.rules.state import SequenceSetup
from croupier.games.sequence.rules.view import CompletedSequence, LastAction, PrivateHand, SequenceSeat, SequenceView

__all__ = [
    "CELLS_OF",
    "CLASSIC",
    "CORNERS",
    "FACES",
    "GAME",
    "HOUSE",
    "LINES",
    "PACK",
    "CardDrawn",
    "CardId",
    "CompletedSequence",
    "DeadCardExchanged",
    "ExchangeDeadCard",
    "GameEnded",
    "HandTaken",
    "HandsDealt",
    "Jacks",
    "LastAction",
    "Line",
    "PackReshuffled",
    "Passed",
    "PlayJackRemove",
    "PlayJackWild",
    "PlayNormal",
    "PrivateHand",
    "SequenceAction",
    "SequenceCompleted",
    "SequenceEvent",
    "SequenceRules",
    "SequenceSeat",
    "SequenceSetup",
    "SequenceView",
    "TurnPlayed",
    "cells_in",
]

HOUSE: Final = SequenceRules(edition=EDITION)
CLASSIC: Final = SequenceRules(
    edition=EDITION,
    jacks=Jacks.PRINTED,
    free_corners=True,
    exchange_dead_cards=True,
    bar_cleared_cell=False,
    team_counts=(2, 3),
)

GAME: Final[Game[SequenceRules, SequenceAction, SequenceView]] = Game(
    name=SequenceRules.game,
    rules=SequenceRules,
    setup=SequenceSetup,
    action=SequenceAction,
    event=SequenceEvent,
    view=SequenceView,
    presets={"house": HOUSE, "classic": CLASSIC},
    release_1={
        "house": SequenceRules(edition=1),
        "classic": SequenceRules(
            edition=1, free_corners=True, exchange_dead_cards=True, bar_cleared_cell=False, team_counts=(2, 3)
        ),
    },
    turns_of=SequenceRules.turns_of,
    wire="croupier.games.sequence.wire:views",
    stamping=Stamping(stamped_event, stamped_view, VIEW_FIELDS, EVENT_FIELDS),
    bots="croupier.games.sequence.bots:BOTS",
    terminal="croupier.games.sequence.terminal.table:SequenceTable",
    environment="croupier.games.sequence.environment:SequenceEncoding",
    zero_sum=lambda rules: True,
    customary_bots={"house": 1, "classic": 1},
)

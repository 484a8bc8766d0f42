"""Sequence: two packs, a board of 10 × 10 cells, and teams that want five chips in a row. One round is one game.

Here belong the board, the cards, and what follows from a play. Rooms, lobbies and persons belong to the layers above.
"""

from typing import Final

from croupier.game.game import Game, Halves, Stamping
from croupier.games.sequence.rules.actions import SequenceAction
from croupier.games.sequence.rules.cards import Jacks
from croupier.games.sequence.rules.config import EDITION
from croupier.games.sequence.rules.events import SequenceEvent
from croupier.games.sequence.rules.rules import SequenceRules
from croupier.games.sequence.rules.stamps import EVENT_FIELDS, VIEW_FIELDS, stamped_event, stamped_view
from croupier.games.sequence.rules.state import SequenceSetup
from croupier.games.sequence.rules.view import SequenceView, own_seat, private_hand, shared_view

__all__ = [
    "CLASSIC",
    "GAME",
    "HOUSE",
    "Jacks",
    "SequenceAction",
    "SequenceEvent",
    "SequenceRules",
    "SequenceSetup",
    "SequenceView",
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

GAME: Final = Game(
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
    halves=Halves(shared_view, own_seat, private_hand),
    stamping=Stamping(stamped_event, stamped_view, VIEW_FIELDS, EVENT_FIELDS),
    bots="croupier.games.sequence.bots:BOTS",
    environment="croupier.games.sequence.environment:SequenceEncoding",
    customary_bots={"house": 1, "classic": 1},
)

"""Sequence: two packs, a board of 10 × 10 cells, and teams that want five chips in a row. One round is one game.

Here belong the board, the cards, and what follows from a play. Rooms, lobbies and persons belong to the layers above.
"""

from typing import Final

from croupier.rules.game import Game, Halves, Stamping
from croupier.rules.sequence.actions import SequenceAction
from croupier.rules.sequence.cards import Jacks
from croupier.rules.sequence.config import EDITION
from croupier.rules.sequence.events import SequenceEvent
from croupier.rules.sequence.rules import SequenceRules
from croupier.rules.sequence.stamps import EVENT_FIELDS, VIEW_FIELDS, stamped_event, stamped_view
from croupier.rules.sequence.state import SequenceSetup
from croupier.rules.sequence.view import SequenceView, private_hand, shared_view

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
    halves=Halves(shared_view, private_hand),
    stamping=Stamping(stamped_event, stamped_view, VIEW_FIELDS, EVENT_FIELDS),
)

"""Sequence: two packs, a board of 10 × 10 cells, and teams that want five chips in a row. One round is one game.

Here belong the board, the cards, and what follows from a play. Rooms, lobbies and persons belong to the layers above.
"""

from typing import Final

from croupier.rules.game import Game, Halves
from croupier.rules.sequence.actions import SequenceAction
from croupier.rules.sequence.events import SequenceEvent
from croupier.rules.sequence.rules import SequenceRules
from croupier.rules.sequence.state import SequenceSetup
from croupier.rules.sequence.view import SequenceView, private_hand, shared_view

__all__ = [
    "CLASSIC",
    "GAME",
    "HOUSE",
    "SequenceAction",
    "SequenceEvent",
    "SequenceRules",
    "SequenceSetup",
    "SequenceView",
]

HOUSE: Final = SequenceRules()
CLASSIC: Final = SequenceRules(free_corners=True, exchange_dead_cards=True, bar_cleared_cell=False, team_counts=(2, 3))

GAME: Final = Game(
    name=SequenceRules.game,
    rules=SequenceRules,
    setup=SequenceSetup,
    action=SequenceAction,
    event=SequenceEvent,
    view=SequenceView,
    presets={"house": HOUSE, "classic": CLASSIC},
    halves=Halves(shared_view, private_hand),
)

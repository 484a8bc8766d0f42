"""Crazy Eights for Croupier: a game with rules and English texts, and nothing else."""

from crazy_eights.rules import CrazyEights, CrazyEightsAction, CrazyEightsEvent, CrazyEightsSetup, CrazyEightsView
from croupier.game.game import Game

GAME = Game(
    name="crazy_eights",
    rules=CrazyEights,
    setup=CrazyEightsSetup,
    action=CrazyEightsAction,
    event=CrazyEightsEvent,
    view=CrazyEightsView,
    presets={"standard": CrazyEights(), "quick": CrazyEights(hand_cards=3)},
)

"""One Card: one card each, one bet, the highest card wins."""

from croupier.game.game import Game
from one_card.rules import OneCard, OneCardAction, OneCardEvent, OneCardSetup, OneCardView

GAME = Game(
    name="one_card",
    rules=OneCard,
    setup=OneCardSetup,
    action=OneCardAction,
    event=OneCardEvent,
    view=OneCardView,
    presets={"standard": OneCard(), "short": OneCard(stack_chips=20)},
)

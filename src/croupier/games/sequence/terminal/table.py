"""Sequence in the terminal."""

from typing import Any, ClassVar

from rich.text import Text

from croupier.clients.snapshot import Snapshot
from croupier.clients.terminal.blocks import Focus
from croupier.clients.terminal.choices import Choice
from croupier.game.game import Offer
from croupier.games.sequence.rules.actions import ExchangeDeadCard, PlayJackRemove, PlayJackWild
from croupier.games.sequence.rules.board import SIDE
from croupier.games.sequence.rules.view import SequenceView
from croupier.games.sequence.terminal.cards import card_text
from croupier.games.sequence.terminal.scene import draw_sequence
from croupier.games.sequence.terminal.story import SequenceStory


class SequenceTable(SequenceStory):
    """A board of Sequence: a card is chosen by its place in the hand, then its cell."""

    help_texts: ClassVar[tuple[str, ...]] = ("play.sequence.help",)

    def scene(self, now: Snapshot, focus: Focus) -> list[Text]:
        return draw_sequence(now, self.words, focus)

    def choice(self, now: Snapshot, offer: Offer[Any], key: str) -> Choice:
        view: SequenceView = now.view
        held = view.private.hand if view.private is not None else ()
        card = offer.action.card_id
        return Choice(str(held.index(card) + 1), self.label(now, offer), offer, card=card, columns=SIDE)

    def label(self, now: Snapshot, offer: Offer[Any]) -> str:
        words, card = self.words, card_text(offer.action.card_id, self.words)
        match offer.action:
            case ExchangeDeadCard():
                return f"{card} ({words.t('action.TURN_EXCHANGE_DEAD_CARD')})"
            case PlayJackWild():
                return f"{card} ({words.t('play.sequence.wild_jack')})"
            case PlayJackRemove():
                return f"{card} ({words.t('play.sequence.remove_jack')})"
        return card

"""Cards and cells of Sequence, written like those of the other games."""

from collections.abc import Iterable

from croupier.clients.terminal.words import Words
from croupier.games.sequence.rules.board import face
from croupier.games.sequence.rules.cards import CardId


def card_text(card: CardId, words: Words) -> str:
    """A card without its variant: `2♠`."""
    return cell_text(face(card), words)


def cards_text(cards: Iterable[CardId], words: Words) -> str:
    return " ".join(card_text(card, words) for card in cards)


def cell_text(printed: str, words: Words) -> str:
    """A cell of the board, `TS` as the board has it; a corner is a star."""
    return "**" if printed == "XX" else words.card(printed[0] + printed[1].lower())

"""The games that Croupier knows, one line each. Everything above the rules finds a game here, and only here."""

from typing import Final

from croupier.rules import blackjack, holdem, sequence
from croupier.rules.game import Game

GAMES: Final[dict[str, Game]] = {
    "blackjack": blackjack.GAME,
    "holdem": holdem.GAME,
    "sequence": sequence.GAME,
}

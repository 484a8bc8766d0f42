"""The games that Croupier knows, one line each. Everything above the rules finds a game here, and only here."""

from typing import Final

from croupier.rules import blackjack, sequence
from croupier.rules.game import Game

GAMES: Final[dict[str, Game]] = {
    "blackjack": blackjack.GAME,
    "sequence": sequence.GAME,
}

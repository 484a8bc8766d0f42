"""The three rule sets, each exactly as its document has it, and the casino's rules for a room.

Every option can be changed with `msgspec.structs.replace`.
"""

from typing import Final

from msgspec.structs import replace

from croupier.games.blackjack.rules.config import EDITION, HOUSE_SEATS_MAX
from croupier.games.blackjack.rules.rules import BlackjackRules

CASINO: Final = BlackjackRules(edition=EDITION)
"""Six decks, S17, 3:2, one split, double on anything, insurance; one player and the house, a new shoe a round."""

TRAINER: Final = BlackjackRules(
    edition=EDITION,
    blackjack_pays="1:1",
    hands_max=4,
    insurance=False,
    surrender="late",
    penetration=0.75,
    seats_max=7,
)
"""Up to four hands, late surrender, blackjack paid 1:1 unless chosen otherwise, a shoe with a cut card."""

TABLE: Final = replace(CASINO, seats_max=HOUSE_SEATS_MAX)
"""The casino's rules for a room of people."""

CLASSROOM: Final = BlackjackRules(
    edition=EDITION,
    decks=4,
    ace="one",
    dealer_seat=True,
    peek=False,
    blackjack_pays="none",
    double="no",
    double_after_split=False,
    hands_max=1,
    insurance=False,
    bet_min=0,
    bet_max=0,
    seats_min=2,
    seats_max=200,
)
"""Aces count one, a person deals with open cards, nobody bets."""

RELEASE_1: Final = {
    "casino": BlackjackRules(),
    "trainer": BlackjackRules(
        blackjack_pays="1:1", hands_max=4, insurance=False, surrender="late", penetration=0.75, seats_max=7
    ),
    "classroom": BlackjackRules(
        decks=4,
        ace="one",
        dealer_seat=True,
        peek=False,
        blackjack_pays="none",
        double="no",
        double_after_split=False,
        hands_max=1,
        insurance=False,
        bet_min=0,
        bet_max=0,
        seats_min=2,
        seats_max=200,
    ),
}
"""The presets of the first release: edition 1, and never changed."""

"""The 52 playing cards, their notation and packs of them.

A card is written rank, then suit: `As`, `Td`, `2c`. That text is the card's value in Python, in JSON
and in every record. What a card is worth belongs to a game and is not here.
"""

from collections.abc import Iterable
from enum import Enum
from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"


class Card(Enum):
    """One of the 52 cards. `Card("As")` reads the notation, `str(card)` writes it."""

    TWO_OF_CLUBS = "2c"
    TWO_OF_DIAMONDS = "2d"
    TWO_OF_HEARTS = "2h"
    TWO_OF_SPADES = "2s"
    THREE_OF_CLUBS = "3c"
    THREE_OF_DIAMONDS = "3d"
    THREE_OF_HEARTS = "3h"
    THREE_OF_SPADES = "3s"
    FOUR_OF_CLUBS = "4c"
    FOUR_OF_DIAMONDS = "4d"
    FOUR_OF_HEARTS = "4h"
    FOUR_OF_SPADES = "4s"
    FIVE_OF_CLUBS = "5c"
    FIVE_OF_DIAMONDS = "5d"
    FIVE_OF_HEARTS = "5h"
    FIVE_OF_SPADES = "5s"
    SIX_OF_CLUBS = "6c"
    SIX_OF_DIAMONDS = "6d"
    SIX_OF_HEARTS = "6h"
    SIX_OF_SPADES = "6s"
    SEVEN_OF_CLUBS = "7c"
    SEVEN_OF_DIAMONDS = "7d"
    SEVEN_OF_HEARTS = "7h"
    SEVEN_OF_SPADES = "7s"
    EIGHT_OF_CLUBS = "8c"
    EIGHT_OF_DIAMONDS = "8d"
    EIGHT_OF_HEARTS = "8h"
    EIGHT_OF_SPADES = "8s"
    NINE_OF_CLUBS = "9c"
    NINE_OF_DIAMONDS = "9d"
    NINE_OF_HEARTS = "9h"
    NINE_OF_SPADES = "9s"
    TEN_OF_CLUBS = "Tc"
    TEN_OF_DIAMONDS = "Td"
    TEN_OF_HEARTS = "Th"
    TEN_OF_SPADES = "Ts"
    JACK_OF_CLUBS = "Jc"
    JACK_OF_DIAMONDS = "Jd"
    JACK_OF_HEARTS = "Jh"
    JACK_OF_SPADES = "Js"
    QUEEN_OF_CLUBS = "Qc"
    QUEEN_OF_DIAMONDS = "Qd"
    QUEEN_OF_HEARTS = "Qh"
    QUEEN_OF_SPADES = "Qs"
    KING_OF_CLUBS = "Kc"
    KING_OF_DIAMONDS = "Kd"
    KING_OF_HEARTS = "Kh"
    KING_OF_SPADES = "Ks"
    ACE_OF_CLUBS = "Ac"
    ACE_OF_DIAMONDS = "Ad"
    ACE_OF_HEARTS = "Ah"
    ACE_OF_SPADES = "As"

    rank: str
    """One of `RANKS`."""
    suit: str
    """One of `SUITS`."""
    number: int
    """4 × rank + suit, 0 (2c) to 51 (As): the card's place in `PACK`."""

    def __init__(self, text: str) -> None:
        self.rank, self.suit = text[0], text[1]
        self.number = 4 * RANKS.index(self.rank) + SUITS.index(self.suit)

    # Enum's own hash runs in Python; a card is looked up far too often for that.
    __hash__ = object.__hash__

    def __str__(self) -> str:
        return str(self.value)

    def __repr__(self) -> str:
        return str(self.value)


PACK: Final[tuple[Card, ...]] = tuple(Card)
"""One pack in canonical order: 2c 2d 2h 2s 3c … As, so that `PACK[card.number] is card`."""


def cards(text: str) -> tuple[Card, ...]:
    """The cards written in `text`, with or without blanks or commas: `As Kd`, `As,Kd`, `AsKd`.

    Raises ValueError that names the first thing that is not a card.
    """
    found = []
    for word in text.replace(",", " ").split():
        for start in range(0, len(word), 2):
            piece = word[start : start + 2]
            try:
                found.append(Card(piece))
            except ValueError:
                raise ValueError(
                    f"{piece!r} is not a card: a card is a rank of {RANKS} and a suit of {SUITS}, like As or Td"
                ) from None
    return tuple(found)


def text(some: Iterable[object]) -> str:
    """Cards as people write them: `As Kd 2c`."""
    return " ".join(str(card) for card in some)


def packs(count: int) -> tuple[Card, ...]:
    """`count` whole packs, one after the other, each in canonical order."""
    return PACK * count

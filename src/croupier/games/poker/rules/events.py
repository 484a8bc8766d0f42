"""What happens in a hand of Hold'em: enough to follow it from the rail, step by step."""

from enum import StrEnum
from typing import Final, TypeAlias

import msgspec

from croupier.cards import Card
from croupier.game.game import Event
from croupier.games.poker.rules.evaluate import Category


class Street(StrEnum):
    """How far a hand has come. From SHOWDOWN on there is no more betting."""

    PREFLOP = "PREFLOP"
    FLOP = "FLOP"
    TURN = "TURN"
    RIVER = "RIVER"
    SHOWDOWN = "SHOWDOWN"
    OVER = "OVER"


# Python 3.11 takes ten times as long to find a member through its class, and a hand asks at every step.
PREFLOP: Final = Street.PREFLOP
RIVER: Final = Street.RIVER
SHOWDOWN: Final = Street.SHOWDOWN
OVER: Final = Street.OVER


class Post(StrEnum):
    """Why chips went in before the cards."""

    ANTE = "ANTE"
    SMALL_BLIND = "SMALL_BLIND"
    BIG_BLIND = "BIG_BLIND"
    STRADDLE = "STRADDLE"


class Move(StrEnum):
    """What a player's action came to; an all-in is the call, bet or raise that it makes."""

    FOLD = "FOLD"
    CHECK = "CHECK"
    CALL = "CALL"
    BET = "BET"
    RAISE = "RAISE"


class Pot(msgspec.Struct, frozen=True, gc=False):
    """A main or side pot: so many chips, and the seats that can win them, clockwise from the button."""

    amount: int
    seats: tuple[int, ...]


class HandStarted(Event, frozen=True, tag="HOLDEM_HAND_STARTED"):
    """A new hand. `seats` are dealt in, clockwise from the button's left; `level` counts from 1 (0: no levels)."""

    hand: int
    level: int
    small_blind: int
    big_blind: int
    ante: int
    button: int
    seats: tuple[int, ...]
    stacks: tuple[int, ...]


class Posted(Event, frozen=True, tag="HOLDEM_POSTED"):
    """A seat put in a blind or an ante."""

    seat: int
    post: Post
    amount: int
    all_in: bool = False


class HoleCardsDealt(Event, frozen=True, tag="HOLDEM_HOLE_CARDS_DEALT"):
    """These seats got two cards each, in this order."""

    seats: tuple[int, ...]


class HoleCards(Event, frozen=True, tag="HOLDEM_HOLE_CARDS"):
    """Your own two cards."""

    seat: int
    cards: tuple[Card, ...]


class Acted(Event, frozen=True, tag="HOLDEM_ACTED"):
    """A seat acted: `amount` chips went in now, which makes `to` on this street."""

    seat: int
    move: Move
    amount: int = 0
    to: int = 0
    all_in: bool = False


class StreetDealt(Event, frozen=True, tag="HOLDEM_STREET_DEALT"):
    """A card was burned and these went face up on the board."""

    street: Street
    cards: tuple[Card, ...]


class BetReturned(Event, frozen=True, tag="HOLDEM_BET_RETURNED"):
    """The part of a bet that nobody could call went back."""

    seat: int
    amount: int


class PotsFormed(Event, frozen=True, tag="HOLDEM_POTS_FORMED"):
    """The bets of a street went into the pots, which are now these, the main pot first."""

    pots: tuple[Pot, ...]


class Shown(Event, frozen=True, tag="HOLDEM_SHOWN"):
    """A hand was turned up."""

    seat: int
    cards: tuple[Card, ...]


class Mucked(Event, frozen=True, tag="HOLDEM_MUCKED"):
    """A beaten hand was given up unseen."""

    seat: int


class HandNamed(Event, frozen=True, tag="HOLDEM_HAND_NAMED"):
    """At a showdown: what a hand that is face up has come to, and its five cards."""

    seat: int
    category: Category
    cards: tuple[Card, ...]


class PotAwarded(Event, frozen=True, tag="HOLDEM_POT_AWARDED"):
    """A pot (0 is the main pot) went to the winners, each with their share.

    `category` and the five `cards` of the first winner's hand, where the pot was won by showing one.
    """

    pot: int
    amount: int
    winners: tuple[int, ...]
    shares: tuple[int, ...]
    category: Category | None = None
    cards: tuple[Card, ...] = ()


class PlayerLeft(Event, frozen=True, tag="HOLDEM_PLAYER_LEFT"):
    """A player has left; their hand is folded on its next turn."""

    seat: int


class KnockedOut(Event, frozen=True, tag="HOLDEM_KNOCKED_OUT"):
    """A player has no more chips, and finishes in this place."""

    seat: int
    place: int


class HandOver(Event, frozen=True, tag="HOLDEM_HAND_OVER"):
    """The hand has ended: what everybody has now, and what it brought or cost them.

    `winner` is who has all the chips, when the tournament has ended with this hand.
    """

    stacks: tuple[int, ...]
    payouts: tuple[int, ...]
    winner: int | None = None


HoldemEvent: TypeAlias = (
    HandStarted
    | Posted
    | HoleCardsDealt
    | HoleCards
    | Acted
    | StreetDealt
    | BetReturned
    | PotsFormed
    | Shown
    | Mucked
    | HandNamed
    | PotAwarded
    | PlayerLeft
    | KnockedOut
    | HandOver
)

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
    BOMB = "BOMB"
    MISSED = "MISSED"
    """A big blind that the seat has missed."""
    DEAD = "DEAD"
    """A small blind that the seat has missed: it lies in the pot and is no part of a bet."""


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
    bomb: bool = False
    """Whether it is a bomb pot."""


class Posted(Event, frozen=True, tag="HOLDEM_POSTED"):
    """A seat put in a blind or an ante."""

    seat: int
    post: Post
    amount: int
    all_in: bool = False


class HoleCardsDealt(Event, frozen=True, tag="HOLDEM_HOLE_CARDS_DEALT"):
    """These seats got their cards, one each in turn, in this order."""

    seats: tuple[int, ...]
    count: int = 2
    """How many each."""


class HoleCards(Event, frozen=True, tag="HOLDEM_HOLE_CARDS"):
    """Your own cards."""

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
    """A card was burned and these went face up on a board, of which the first is 0."""

    street: Street
    cards: tuple[Card, ...]
    board: int = 0


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
    """At a showdown: what a hand that is face up has come to on a board, and its five cards; and its low, if it has one
    that counts."""

    seat: int
    category: Category
    cards: tuple[Card, ...]
    board: int = 0
    low: tuple[Card, ...] = ()


class PotAwarded(Event, frozen=True, tag="HOLDEM_POT_AWARDED"):
    """A pot (0 is the main pot), or the part of it for a board or for the low, went to the winners, each with their
    share.

    `category` and the five `cards` of the first winner's hand, where the pot was won by showing one. A low has cards
    and no category.
    """

    pot: int
    amount: int
    winners: tuple[int, ...]
    shares: tuple[int, ...]
    category: Category | None = None
    cards: tuple[Card, ...] = ()
    board: int = 0
    low: bool = False


class RunAgreed(Event, frozen=True, tag="HOLDEM_RUN_AGREED"):
    """The rest of the board is dealt so many times."""

    times: int


class RabbitDealt(Event, frozen=True, tag="HOLDEM_RABBIT_DEALT"):
    """The hand has ended early: these cards would have come on a board. They change nothing."""

    cards: tuple[Card, ...]
    board: int = 0


class RakeTaken(Event, frozen=True, tag="HOLDEM_RAKE_TAKEN"):
    """The house took its part of a pot."""

    pot: int
    amount: int


class SevenDeuce(Event, frozen=True, tag="HOLDEM_SEVEN_DEUCE"):
    """A seat has won with a seven and a deuce: what it got from the others."""

    seat: int
    amount: int


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
    | RunAgreed
    | RabbitDealt
    | RakeTaken
    | SevenDeuce
    | PlayerLeft
    | KnockedOut
    | HandOver
)

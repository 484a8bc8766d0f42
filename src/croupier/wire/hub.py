"""The classroom table's SignalR hub: its methods, its callbacks, and the shape of all that they carry.

A SignalR server of .NET writes enumerations as numbers, from 0, in the order of their members, unless it is told to
write names. So does this one; which of the two is a setting (`Enums`).
"""

from enum import StrEnum
from typing import Any, Final, Literal, TypeAlias

import msgspec

from croupier.cards import PACK, RANKS, SUITS, Card
from croupier.games.blackjack.classroom import ClassroomView, Outcome, Phase, PlayerView, TurnState

PATH: Final = "/hubs/blackjack"

Enums: TypeAlias = Literal["numbers", "names"]
"""How a hub writes enumerations."""


class Suit(StrEnum):
    CLUBS = "Clubs"
    DIAMONDS = "Diamonds"
    HEARTS = "Hearts"
    SPADES = "Spades"


class Rank(StrEnum):
    TWO = "Two"
    THREE = "Three"
    FOUR = "Four"
    FIVE = "Five"
    SIX = "Six"
    SEVEN = "Seven"
    EIGHT = "Eight"
    NINE = "Nine"
    TEN = "Ten"
    JACK = "Jack"
    QUEEN = "Queen"
    KING = "King"
    ACE = "Ace"


ENUMS: Final[tuple[type[StrEnum], ...]] = (Phase, TurnState, Outcome, Suit, Rank)
NUMBERS: Final[dict[StrEnum, int]] = {member: number for kind in ENUMS for number, member in enumerate(kind)}
"""The members of each enumeration; a member's number is its place in the list, from 0."""
assert len(NUMBERS) == sum(map(len, ENUMS)), "two members of different enumerations have one name"


class HubCard(msgspec.Struct, frozen=True):
    suit: Suit | int
    rank: Rank | int


class HubPlayer(msgspec.Struct, frozen=True, rename="camel"):
    """Somebody at the table. `playerId` is the id of the connection; the dealer's outcome is always `None`."""

    player_id: str
    name: str
    is_dealer: bool
    cards: tuple[HubCard, ...]
    score: int
    turn_state: TurnState | int
    outcome: Outcome | int


class HubState(msgspec.Struct, frozen=True, rename="camel"):
    """The table as everybody sees it. An id is empty when there is nobody."""

    phase: Phase | int
    players: tuple[HubPlayer, ...]
    current_turn_player_id: str
    dealer_player_id: str


class Method(msgspec.Struct, frozen=True):
    """What one end of the hub can call at the other."""

    name: str
    parameters: dict[str, Any]
    """The type of each, by its name, in their order."""
    about: str


METHODS: Final = (
    Method(
        "Join",
        {"name": str | None, "dealerKey": str | None},
        "Sits down; with the dealer's key, as the dealer. Null is the same as an empty text.",
    ),
    Method("StartRound", {}, "Begins a round: the dealer's to call."),
    Method("Hit", {}, "Takes a card."),
    Method("Stand", {}, "Takes no more cards."),
    Method("Leave", {}, "Leaves the table, as losing the connection does."),
)
"""What clients call. None returns anything: what comes of a call is told by the callbacks, before it completes."""
CALLBACKS: Final = (
    Method("OnStateChanged", {"state": HubState}, "To everybody, once after every command that was done."),
    Method(
        "OnError",
        {"code": str, "message": str},
        "To the caller alone, when a command is refused. To everybody, before the state, when the dealer has left "
        "(`GAME_TERMINATED`) or the shoe is empty (`SHOE_EMPTY`). The message is in the client's language.",
    ),
)
"""What the server calls at its clients."""

_SUITS: Final = tuple(Suit)
_RANKS: Final = tuple(Rank)
_NAMED: Final = {card: HubCard(_SUITS[SUITS.index(card.suit)], _RANKS[RANKS.index(card.rank)]) for card in PACK}
_NUMBERED: Final = {card: HubCard(SUITS.index(card.suit), RANKS.index(card.rank)) for card in PACK}


def hub_state(view: ClassroomView, enums: Enums) -> HubState:
    """What everybody sees, in the words of the hub."""
    numbered = enums == "numbers"
    cards = _NUMBERED if numbered else _NAMED
    return HubState(
        NUMBERS[view.phase] if numbered else view.phase,
        tuple(_player(player, cards, numbered=numbered) for player in view.players),
        view.current_turn_player_id,
        view.dealer_player_id,
    )


def _player(player: PlayerView, cards: dict[Card, HubCard], *, numbered: bool) -> HubPlayer:
    return HubPlayer(
        player.player_id,
        player.name,
        player.is_dealer,
        tuple(cards[card] for card in player.cards),
        player.score,
        NUMBERS[player.turn_state] if numbered else player.turn_state,
        NUMBERS[player.outcome] if numbered else player.outcome,
    )

"""What happens in a round of blackjack. Every event but the hole card's face is for everybody."""

from typing import TypeAlias

from croupier.cards import Card
from croupier.game.game import Event
from croupier.games.blackjack.rules.state import Phase, Status


class PhaseChanged(Event, frozen=True, tag="PHASE_CHANGED"):
    phase: Phase


class BetPlaced(Event, frozen=True, tag="BET_PLACED"):
    seat: int
    amount: int


class SatOut(Event, frozen=True, tag="SAT_OUT"):
    seat: int


class ShoeShuffled(Event, frozen=True, tag="SHOE_SHUFFLED"):
    """A new shoe, of so many cards."""

    cards: int


class CardDealt(Event, frozen=True, tag="CARD_DEALT"):
    seat: int
    hand: int
    card: Card


class DealerCardDealt(Event, frozen=True, tag="DEALER_CARD_DEALT"):
    """An open card of the dealer; without `card`, the hole card, face down."""

    card: Card | None = None


class InsuranceOffered(Event, frozen=True, tag="INSURANCE_OFFERED"):
    seats: tuple[int, ...]


class InsuranceDecided(Event, frozen=True, tag="INSURANCE_DECIDED"):
    """`amount` is 0 when the seat goes without."""

    seat: int
    amount: int


class DealerPeeked(Event, frozen=True, tag="DEALER_PEEKED"):
    blackjack: bool


class Played(Event, frozen=True, tag="PLAYED"):
    """A seat's decision on one of its hands; `action` is the action's tag."""

    seat: int
    hand: int
    action: str


class HandChanged(Event, frozen=True, tag="HAND_CHANGED"):
    seat: int
    hand: int
    status: Status
    total: int


class HoleCardRevealed(Event, frozen=True, tag="HOLE_CARD_REVEALED"):
    card: Card


class HandSettled(Event, frozen=True, tag="HAND_SETTLED"):
    """Told when the round is over, never before."""

    seat: int
    hand: int
    result: Status
    payout: int


class InsuranceSettled(Event, frozen=True, tag="INSURANCE_SETTLED"):
    seat: int
    payout: int


class ShoeEmpty(Event, frozen=True, tag="SHOE_EMPTY"):
    """No card is left to deal: the round ends undecided and every bet goes back."""


class SeatLeft(Event, frozen=True, tag="SEAT_LEFT"):
    seat: int


class GameTerminated(Event, frozen=True, tag="GAME_TERMINATED"):
    """The dealer, who is a person here, has left: the round ends undecided."""


BlackjackEvent: TypeAlias = (
    PhaseChanged
    | BetPlaced
    | SatOut
    | ShoeShuffled
    | CardDealt
    | DealerCardDealt
    | InsuranceOffered
    | InsuranceDecided
    | DealerPeeked
    | Played
    | HandChanged
    | HoleCardRevealed
    | HandSettled
    | InsuranceSettled
    | ShoeEmpty
    | SeatLeft
    | GameTerminated
)

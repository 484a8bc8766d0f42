"""The state of a round of blackjack. Values only: `flow` and `rules` decide."""

from enum import StrEnum
from typing import Final

import msgspec

from croupier.cards import Card
from croupier.game.game import Draw
from croupier.game.sealed import Sealed


class Phase(StrEnum):
    """Where the round is. In `playing` the seats decide, about insurance and early surrender first."""

    BETTING = "betting"
    DEALING = "dealing"
    PLAYING = "playing"
    DEALER = "dealer"
    FINISHED = "finished"
    CASHED_OUT = "cashed_out"


class Status(StrEnum):
    """The status of a hand: one of the first five during the round, one of the last three at its end."""

    ACTIVE = "active"
    STAND = "stand"
    BUSTED = "busted"
    BLACKJACK = "blackjack"
    SURRENDERED = "surrendered"
    WIN = "win"
    LOSE = "lose"
    PUSH = "push"


class BlackjackSetup(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """What a round starts from: the chips each seat could stake, the dealer's seat where the dealer is a person, and
    the cards of the shoe that earlier rounds have used."""

    purses: tuple[int, ...]
    dealer: int | None = None
    gone: tuple[Card, ...] = ()


class Hand(msgspec.Struct, frozen=True):
    """One hand of a seat. Once the hand is settled, `payout` is what it gets back, stake included."""

    cards: tuple[Card, ...] = ()
    bet: int = 0
    status: Status = Status.ACTIVE
    doubled: bool = False
    split: bool = False
    from_aces: bool = False
    surrendered: bool = False
    payout: int = 0


class Seat(msgspec.Struct, frozen=True):
    """One seat. It takes part in the round when it has hands; `bet` is the original bet."""

    purse: int
    bet: int = 0
    decided: bool = False
    """Has placed its bet or sat out."""
    hands: tuple[Hand, ...] = ()
    insurance: int = 0
    insurance_payout: int = 0
    left: bool = False


class Slot(msgspec.Struct, frozen=True):
    """Where the next card goes: a hand of a seat, or the dealer (`seat` is `DEALER`)."""

    seat: int
    hand: int = 0
    face_down: bool = False


DEALER: Final = -1


class BlackjackState(msgspec.Struct, frozen=True):
    """The whole round. It holds no undealt card, only how many are left in the shoe."""

    setup: BlackjackSetup
    seats: tuple[Seat, ...]
    shoe_left: int
    phase: Phase = Phase.BETTING
    dealer: tuple[Card, ...] = ()
    """The dealer's open cards."""
    hole: Sealed[Card | None] | None = None
    """The dealer's face-down card."""
    hole_at: int = -1
    """Which of the dealt cards the hole card was, open or not; -1 when there was none."""
    draw: Draw[Card] | None = None
    """The cards that the round waits for."""
    slots: tuple[Slot, ...] = ()
    """Where these cards will go, in order."""
    undecided: tuple[int, ...] = ()
    """Seats that must still decide about insurance or early surrender before the dealer looks."""
    dealt: tuple[Sealed[Card | None], ...] = ()
    """All cards of this round in the order dealt."""
    reshuffled: bool = False
    """Whether the used cards of earlier rounds were shuffled again in this one."""
    void: bool = False
    """Whether the round ended undecided, with all bets returned."""
    house: int = 0
    """The house's winnings in this round; negative for a loss."""

    @property
    def turn(self) -> tuple[int, int] | None:
        """The seat and hand to be played next, while hands are played."""
        if self.phase is Phase.PLAYING and not self.undecided and self.draw is None:
            for number, seat in enumerate(self.seats):
                for index, hand in enumerate(seat.hands):
                    if hand.status is Status.ACTIVE:
                        return number, index
        return None

    @property
    def over(self) -> bool:
        return self.phase is Phase.CASHED_OUT

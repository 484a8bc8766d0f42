"""A hand of Hold'em between two events. It holds no undealt card, and hole cards are sealed."""

from functools import lru_cache
from typing import Final, TypeAlias

import msgspec

from croupier.cards import PACK, Card
from croupier.game.game import EVERYONE, Audience, Draw, Offer, Over, Told, Turn
from croupier.game.sealed import Sealed
from croupier.games.poker.rules.actions import HoldemAction
from croupier.games.poker.rules.config import OddChips
from croupier.games.poker.rules.events import HoldemEvent, PotAwarded, Street
from croupier.games.poker.rules.setup import SEATS_MAX, ForcedBets, HoldemSetup

Pocket: TypeAlias = tuple[Card | None, Card | None]
"""Two hole cards. None is a card that a replay was never shown."""

Telling: TypeAlias = list[Told[HoldemEvent]]
"""The events of a step while it is made."""

NOBODY: Final = -1
NOT_YET: Final = -1

TURNS: Final = tuple(Turn((seat,)) for seat in range(SEATS_MAX))
FLOP_DRAW: Final = Draw[Card](("burn:0", "board:0", "board:1", "board:2"))
TURN_DRAW: Final = Draw[Card](("burn:1", "board:3"))
RIVER_DRAW: Final = Draw[Card](("burn:2", "board:4"))


@lru_cache(maxsize=1024)  # A table asks for the same few, hand after hand.
def hole_draw(dealt: tuple[int, ...]) -> Draw[Card]:
    """A first card to each of these seats, then a second."""
    return Draw(tuple(f"hole:{seat}:{number}" for number in range(2) for seat in dealt), PACK)


class Hand(msgspec.Struct, frozen=True, gc=False):
    """Everything about a hand so far. A tuple with one entry a seat is indexed by seat; seats are clockwise.

    The cards are dealt in this order: one card to each seat of `dealt`, a second card to each, then for each street
    a burned card and the cards of the board.
    """

    setup: HoldemSetup
    forced: ForcedBets
    awaits: Draw[Card] | Turn | Over
    street: Street

    order: tuple[int, ...]
    """The seats in the hand, from the button's left round to the button."""
    dealt: tuple[int, ...]
    """Those of them that get cards: all but seats that are absent in a tournament, which only pay."""
    live: tuple[int, ...]
    """Those of these that have not folded."""
    able: tuple[int, ...]
    """Those of these that have chips left to act with."""

    stacks: tuple[int, ...]
    bets: tuple[int, ...]
    """What each seat has bet on this street."""
    paid: tuple[int, ...]
    """What each seat has put into the pots before, as far as it counts towards side pots."""
    dead: int
    """Antes that lie in the main pot for everybody."""

    bet: int
    """What a seat must have bet on this street to stay in."""
    raise_by: int
    """The last full bet or raise of this street: what a raise must add, and what it takes to reopen the betting."""
    answered: tuple[int, ...]
    """The bet that each seat has last acted on in this street, or NOT_YET; it says nothing of seats not `able`."""
    turn: int = NOBODY
    offers: tuple[Offer[HoldemAction], ...] = ()
    """What the seat in turn may do: worked out once, when it gets the turn."""
    aggressor: int = NOBODY
    """Who bet or raised last on this street."""

    hole: tuple[Sealed[Pocket] | None, ...] = ()
    board: tuple[Card, ...] = ()
    shown: tuple[int, ...] = ()
    """Seats whose cards are face up."""
    ranks: tuple[tuple[int, int], ...] = ()
    """Seat and rank of the hands shown with the whole board."""
    mucked: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    """Seats whose players have gone: they fold on their turn."""

    entered: tuple[int, ...] = ()
    """Seats that put chips in before the flop of their own will."""
    raised: tuple[int, ...] = ()
    """Seats that raised before the flop."""
    awards: tuple[PotAwarded, ...] = ()
    places: tuple[int, ...] = ()
    odd_chips: OddChips = OddChips.FIRST
    excluded: tuple[int, ...] = ()
    """Seats that take no part in this hand, though they sit at the table."""


def tell(told: Telling, event: HoldemEvent, to: Audience = EVERYONE) -> None:
    told.append(Told(event, to))


def changed(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    """The tuple with one seat's entry replaced."""
    after = list(values)
    after[seat] = value
    return tuple(after)


def without(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """The seats but for one of them."""
    place = seats.index(seat)
    return seats[:place] + seats[place + 1 :]


def cards_of(hand: Hand, seat: int) -> tuple[Card, ...]:
    """The hole cards of a seat that is dealt in: two, or fewer where a replay was not shown them all.

    Who calls this answers for who sees them.
    """
    sealed = hand.hole[seat]
    assert sealed is not None, "a seat that is dealt in has cards"
    first, second = sealed.open()
    if first is not None and second is not None:
        return (first, second)
    return tuple([card for card in (first, second) if card is not None])

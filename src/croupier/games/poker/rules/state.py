"""A hand of Hold'em between two events. It holds no undealt card, and hole cards are sealed."""

from functools import cache, lru_cache
from typing import Final, TypeAlias, TypeGuard

import msgspec

from croupier.cards import Card
from croupier.game.game import EVERYONE, Audience, Draw, Offer, Over, Told, Turn
from croupier.game.sealed import Sealed
from croupier.games.poker.rules.actions import HoldemAction, RunIt
from croupier.games.poker.rules.config import BOARD_CARDS, BURNED_CARDS, PACK_CARDS, SEATS_MAX, HoldemOptions, Pack
from croupier.games.poker.rules.events import HoldemEvent, PotAwarded, Street
from croupier.games.poker.rules.setup import ForcedBets, HoldemSetup

Pocket: TypeAlias = tuple[Card | None, ...]
"""Hole cards. None is a card that a replay was never shown."""

Worth: TypeAlias = tuple[int, ...]
"""What a hand is worth on each board: its high, and in a high-low game its low after that. Lower is better."""

Broadcast: TypeAlias = list[Told[HoldemEvent]]
"""The events of a step while it is made."""

NOBODY: Final = -1
NOT_YET: Final = -1

TURNS: Final = tuple(Turn((seat,)) for seat in range(SEATS_MAX))
BOARD_NAMES: Final = ("board", "board2", "board3")
"""The beginning of each board's place names."""


def _street_draw(burned: int, cards: range, boards: int) -> Draw[Card]:
    """A burned card, then these cards of each board."""
    return Draw((f"burn:{burned}", *(f"{name}:{card}" for name in BOARD_NAMES[:boards] for card in cards)))


STREET_DRAWS: Final = tuple(
    {
        Street.PREFLOP: _street_draw(0, range(3), boards),
        Street.FLOP: _street_draw(1, range(3, 4), boards),
        Street.TURN: _street_draw(2, range(4, 5), boards),
        # After the river no card comes: the hand goes to the showdown.
        Street.RIVER: _street_draw(2, range(4, 5), boards),
    }
    for boards in range(3)
)
"""By the number of boards, what comes after a street."""


@cache
def rabbit_draw(cards: int, boards: int) -> Draw[Card]:
    """All cards to come after this many cards of each board, at the places that they would have had."""
    places: tuple[str, ...] = ()
    for street in (Street.PREFLOP, Street.FLOP, Street.TURN)[max(cards - 2, 0) :]:
        places += STREET_DRAWS[boards][street].places
    return Draw(places)


@cache
def run_draw(cards: int, board: int, common: int) -> Draw[Card]:
    """The cards to come after this many cards of a later board, where the boards share `common` cards. The numbers of
    its burned cards follow those of the boards before."""
    first = 3 if cards == 0 else 1
    streets = _STREETS_LEFT[common]
    burned = BURNED_CARDS + (board - 1) * streets + streets - _STREETS_LEFT[cards]
    return Draw((f"burn:{burned}", *(f"{BOARD_NAMES[board]}:{card}" for card in range(cards, cards + first))))


_STREETS_LEFT: Final = {0: 3, 3: 2, 4: 1}
"""By the cards on a board, how many streets are to come."""


@lru_cache(maxsize=1024)  # Cached: a table asks for the same few, hand after hand.
def hole_draw(dealt: tuple[int, ...], hole_cards: int, pack: Pack) -> Draw[Card]:
    """A first card to each of these seats, then a second, and so on."""
    places = tuple(f"hole:{seat}:{number}" for number in range(hole_cards) for seat in dealt)
    return Draw(places, PACK_CARDS[pack])


class Hand(msgspec.Struct, frozen=True, gc=False):
    """Everything about a hand so far. A tuple with one entry a seat is indexed by seat; seats are clockwise.

    The cards are dealt in this order: one card to each seat of `dealt`, a second card to each and so on, then for each
    street a burned card and the cards of the boards.
    """

    options: HoldemOptions
    setup: HoldemSetup
    forced: ForcedBets
    awaits: Draw[Card] | Turn | Over
    street: Street

    order: tuple[int, ...]
    """The seats in the hand, from the button's left round to the button."""
    dealt: tuple[int, ...]
    """Those of them that get cards: all but the seats absent from a tournament, which only pay."""
    live: tuple[int, ...]
    """The dealt seats that have not folded."""
    able: tuple[int, ...]
    """The live seats that have chips left to bet."""

    stacks: tuple[int, ...]
    bets: tuple[int, ...]
    """What each seat has bet on this street."""
    paid: tuple[int, ...]
    """What each seat has put in on earlier streets, as far as it counts towards side pots."""
    dead: int
    """Antes that lie in the main pot for everybody."""

    bet: int
    """What a seat must have bet on this street to stay in."""
    raise_by: int
    """The last full bet or raise of this street: what a raise must add, and what it takes to reopen the betting."""
    answered: tuple[int, ...]
    """The bet that each seat last acted on in this street, or NOT_YET. Meaningless for seats that are not `able`."""
    raises: int = 0
    """How many bets and raises the street has had, the big blind among them."""
    is_capped: bool = True
    """In fixed-limit: whether the bets and raises of this street are limited in number."""
    turn: int = NOBODY
    offers: tuple[Offer[HoldemAction], ...] = ()
    """What the seat in turn may do: computed once, when it gets the turn."""
    aggressor: int = NOBODY
    """Who bet or raised last on this street."""

    hole: tuple[Sealed[Pocket] | None, ...] = ()
    board: tuple[Card, ...] = ()
    other_boards: tuple[tuple[Card, ...], ...] = ()
    """The boards after the first."""
    shown: tuple[int, ...] = ()
    """Seats whose cards are face up."""
    worths: tuple[tuple[int, Worth], ...] = ()
    """Seat and worth of the hands shown with the whole board."""
    mucked: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    """Seats whose players have gone: they fold on their turn."""

    entered: tuple[int, ...] = ()
    """Seats that put chips in before the flop voluntarily."""
    raised: tuple[int, ...] = ()
    """Seats that raised before the flop."""
    awards: tuple[PotAwarded, ...] = ()
    places: tuple[int, ...] = ()
    votes: tuple[tuple[int, int], ...] = ()
    """How often each seat that was asked would have the rest of the board dealt."""
    runs: int = 1
    """How often it is dealt."""
    common: int = 0
    """How many cards of the board the runs have in common."""
    rabbit: tuple[tuple[Card, ...], ...] = ()
    """For each board, the cards that would have come had the hand not ended early, once they were opened."""
    bared: tuple[tuple[int, int], ...] = ()
    """Seat and number of single hole cards that were turned up."""
    rake: int = 0
    """The rake."""
    excluded: tuple[int, ...] = ()
    """Seats that take no part in this hand, though they sit at the table."""

    @property
    def is_run_vote(self) -> bool:
        """Whether the seat in turn is asked how often the rest of the board is dealt."""
        return self.turn != NOBODY and isinstance(self.offers[0].action, RunIt)


def tell(told: Broadcast, event: HoldemEvent, to: Audience = EVERYONE) -> None:
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
    """The hole cards of a seat that is dealt in; fewer where a replay was not shown all of them.

    The caller decides who may see them.
    """
    sealed = hand.hole[seat]
    assert sealed is not None, "a seat that is dealt in has cards"
    pocket = sealed.open()
    return pocket if all_known(pocket) else tuple([card for card in pocket if card is not None])


def all_known(cards: tuple[Card | None, ...]) -> TypeGuard[tuple[Card, ...]]:
    return None not in cards


def runs_max(hand: Hand) -> int:
    """How often the rest of the board can be dealt: as often as agreed before, if there are cards for it."""
    on_board = len(hand.board)
    each = BOARD_CARDS - on_board + _STREETS_LEFT[on_board]
    dealt = len(hand.dealt) * hand.options.hole_cards + on_board + BURNED_CARDS - _STREETS_LEFT[on_board]
    return min(hand.options.run_times, (len(hand.options.pack_cards) - dealt) // each)


def boards_of(hand: Hand) -> tuple[tuple[Card, ...], ...]:
    """All boards, the first one first."""
    return (hand.board, *hand.other_boards)

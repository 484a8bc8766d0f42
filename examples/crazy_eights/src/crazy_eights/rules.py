"""The rules of Crazy Eights: pure values, no clock, no chance, no input or output.

Everybody gets some cards, and one is turned up. In turn, play a card of the same suit or rank as the one on top. An
eight fits anywhere and names the suit to follow. Without a card that fits, draw one; play it if it fits, else pass.
The first player without cards wins what the others still hold: 50 for an eight, 10 for a court card, 1 for an ace,
else its number.
"""

from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal, TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

from croupier.cards import PACK, Card
from croupier.game.basic import BasicRules
from croupier.game.game import (
    EVERYONE,
    Action,
    DealtSet,
    Draw,
    Event,
    Offer,
    Over,
    SeatView,
    Step,
    Told,
    Turn,
    UnseenCardError,
    View,
    Viewer,
    offered,
    only,
)
from croupier.game.options import check_options
from croupier.game.refusal import Code, Refusal
from croupier.game.sealed import Sealed

T = TypeVar("T")
Suit: TypeAlias = Literal["c", "d", "h", "s"]


# What a player can do. The tag is the message type, and the key of its text: `action.CRAZY_EIGHTS_PLAY`.
class Play(Action, frozen=True, tag="CRAZY_EIGHTS_PLAY"):
    card: Card


class PlayEight(Action, frozen=True, tag="CRAZY_EIGHTS_PLAY_EIGHT"):
    card: Card
    suit: Suit


class Take(Action, frozen=True, tag="CRAZY_EIGHTS_TAKE"):
    pass


class Pass(Action, frozen=True, tag="CRAZY_EIGHTS_PASS"):
    pass


CrazyEightsAction: TypeAlias = Play | PlayEight | Take | Pass


# What is told. Each event names its audience where it is made.
class HandDealt(Event, frozen=True, tag="CRAZY_EIGHTS_HAND"):
    cards: tuple[Card, ...]


class TurnedUp(Event, frozen=True, tag="CRAZY_EIGHTS_TURNED_UP"):
    card: Card


class Played(Event, frozen=True, tag="CRAZY_EIGHTS_PLAYED"):
    seat: int
    card: Card


class SuitNamed(Event, frozen=True, tag="CRAZY_EIGHTS_SUIT_NAMED"):
    seat: int
    suit: Suit


class Taken(Event, frozen=True, tag="CRAZY_EIGHTS_TAKEN"):
    seat: int


class CardTaken(Event, frozen=True, tag="CRAZY_EIGHTS_CARD_TAKEN"):
    card: Card


class Passed(Event, frozen=True, tag="CRAZY_EIGHTS_PASSED"):
    seat: int


class Won(Event, frozen=True, tag="CRAZY_EIGHTS_WON"):
    seat: int
    points: int


CrazyEightsEvent: TypeAlias = HandDealt | TurnedUp | Played | SuitNamed | Taken | CardTaken | Passed | Won


class CrazyEightsSetup(msgspec.Struct, frozen=True):
    """What a round starts from."""

    seats: int


class Held(msgspec.Struct, frozen=True):
    """A card in a hand, and which card of the deal it is, from 0: so that its proof goes to whoever may see it."""

    number: int
    card: Card | None
    """None for a card that a client playing along has not been shown."""


class CrazyEightsState(msgspec.Struct, frozen=True):
    """A round. It holds no card that is not dealt yet."""

    seats: int
    hands: tuple[tuple[Sealed[Held], ...], ...] = ()
    pile: tuple[Card, ...] = ()
    """The cards played, the last one on top."""
    suit: str = ""
    """The suit to follow."""
    turn: int = 0
    drawing: bool = False
    """Whether the seat in turn is being dealt a card."""
    has_drawn: bool = False
    stock: int = 0
    """How many cards of the shuffle are left."""
    dealt: int = 0
    shown: DealtSet = 0
    """The cards of the deal that everybody has seen."""
    held: tuple[DealtSet, ...] = ()
    """The cards of the deal that each seat has held."""
    passes: int = 0
    """How many have passed in a row."""


class CrazyEightsView(View, frozen=True):
    """What one viewer may know."""

    top: Card | None
    suit: str
    stock: int


class CrazyEights(
    BasicRules[CrazyEightsState, CrazyEightsAction, CrazyEightsSetup],
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
):
    """The rules, with all options decided."""

    game: ClassVar[str] = "crazy_eights"
    hand_cards: Annotated[int, msgspec.Meta(ge=1, le=8)] = 5

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def seat_range(self) -> tuple[int, int]:
        return 2, 6

    def setup(self, seats: int) -> CrazyEightsSetup:
        return CrazyEightsSetup(seats)

    def opening(self, setup: CrazyEightsSetup) -> Step[CrazyEightsState, CrazyEightsEvent] | Refusal:
        low, high = self.seat_range
        if not low <= setup.seats <= high:
            return Refusal(Code.WRONG_SEAT_COUNT, {"seats": setup.seats, "low": low, "high": high})
        return Step(CrazyEightsState(setup.seats))

    def seats(self, state: CrazyEightsState) -> int:
        return state.seats

    def awaits(self, state: CrazyEightsState) -> Draw[Card] | Turn | Over:
        """The whole abstraction of chance: ask for cards by the place that each is for."""
        if not state.hands:
            hands = (f"hand:{seat}:{n}" for n in range(self.hand_cards) for seat in range(state.seats))
            return Draw((*hands, "starter"), PACK)
        if self._is_over(state):
            return Over(_payouts(state))
        if state.drawing:
            # An empty stock is made anew from the pile, of which everybody saw every card. The top card stays.
            pack = () if state.stock else state.pile[:-1]
            return Draw((f"draw:{state.turn}:{state.dealt}",), pack)
        return Turn((state.turn,))

    def deal(self, state: CrazyEightsState, cards: tuple[Card | None, ...]) -> Step[CrazyEightsState, CrazyEightsEvent]:
        """Cards may be None: whoever plays along without seeing everything was not shown them."""
        return self._draw(state, cards[0]) if state.hands else self._first_deal(state, cards)

    def _first_deal(
        self, state: CrazyEightsState, cards: tuple[Card | None, ...]
    ) -> Step[CrazyEightsState, CrazyEightsEvent]:
        *_, starter = cards
        if starter is None:
            raise UnseenCardError("everybody sees the card that is turned up")
        dealt = [Held(number, card) for number, card in enumerate(cards[:-1])]
        hands = [dealt[seat :: state.seats] for seat in range(state.seats)]
        told: list[Told[CrazyEightsEvent]] = [
            Told(HandDealt(tuple(held.card for held in hand if held.card is not None)), only(seat))
            for seat, hand in enumerate(hands)
        ]
        told.append(Told(TurnedUp(starter), EVERYONE))
        return Step(
            replace(
                state,
                hands=tuple(tuple(map(Sealed, hand)) for hand in hands),
                held=tuple(_set(held.number for held in hand) for hand in hands),
                pile=(starter,),
                suit=starter.suit,
                shown=1 << len(dealt),
                dealt=len(cards),
                stock=len(PACK) - len(cards),
            ),
            tuple(told),
        )

    def _draw(self, state: CrazyEightsState, card: Card | None) -> Step[CrazyEightsState, CrazyEightsEvent]:
        seat, number = state.turn, state.dealt
        left = (state.stock or len(state.pile) - 1) - 1
        pile = state.pile if state.stock else state.pile[-1:]
        drawn = replace(
            state,
            hands=_at(state.hands, seat, (*state.hands[seat], Sealed(Held(number, card)))),
            held=_at(state.held, seat, state.held[seat] | 1 << number),
            pile=pile,
            stock=left,
            dealt=number + 1,
            drawing=False,
            has_drawn=True,
        )
        told: tuple[Told[CrazyEightsEvent], ...] = (Told(Taken(seat), EVERYONE),)
        if card is not None:
            told += (Told(CardTaken(card), only(seat)),)
        return Step(drawn, told)

    def menu(self, state: CrazyEightsState, seat: int) -> tuple[Offer[CrazyEightsAction], ...]:
        """The one source of legality."""
        if not state.hands or self._is_over(state) or state.drawing or seat != state.turn:
            return ()
        found: list[Offer[CrazyEightsAction]] = []
        for sealed in state.hands[seat]:
            card = sealed.open().card
            if card is None:
                continue
            if card.rank == "8":
                found += [Offer(PlayEight(card, suit)) for suit in _SUITS]
            elif card.suit == state.suit or card.rank == state.pile[-1].rank:
                found.append(Offer(Play(card)))
        can_draw = not state.has_drawn and (state.stock or len(state.pile) > 1)
        found.append(Offer(Take() if can_draw else Pass()))
        return tuple(found)

    def act(
        self, state: CrazyEightsState, seat: int, action: CrazyEightsAction
    ) -> Step[CrazyEightsState, CrazyEightsEvent] | Refusal:
        if not offered(self.menu(state, seat), action):
            return Refusal(Code.NOT_OFFERED if state.hands and seat == state.turn else Code.NOT_YOUR_TURN)
        match action:
            case Take():
                return Step(replace(state, drawing=True, passes=0))
            case Pass():
                return Step(_next(replace(state, passes=state.passes + 1)), (Told(Passed(seat), EVERYONE),))
            case Play(card):
                return self._play(state, seat, card, card.suit, (Told(Played(seat, card), EVERYONE),))
            case PlayEight(card, suit):
                told = (Told(Played(seat, card), EVERYONE), Told(SuitNamed(seat, suit), EVERYONE))
                return self._play(state, seat, card, suit, told)

    def _play(
        self, state: CrazyEightsState, seat: int, card: Card, suit: str, told: tuple[Told[CrazyEightsEvent], ...]
    ) -> Step[CrazyEightsState, CrazyEightsEvent]:
        played = next(sealed for sealed in state.hands[seat] if sealed.open().card is card)
        hand = tuple(sealed for sealed in state.hands[seat] if sealed is not played)
        after = replace(
            state,
            hands=_at(state.hands, seat, hand),
            pile=(*state.pile, card),
            suit=suit,
            shown=state.shown | 1 << played.open().number,
            passes=0,
        )
        if hand:
            return Step(_next(after), told)
        return Step(after, (*told, Told(Won(seat, _payouts(after)[seat]), EVERYONE)))

    def _is_over(self, state: CrazyEightsState) -> bool:
        """Somebody is rid of all cards; or everybody has passed, and nobody can move any more."""
        return not all(state.hands) or state.passes >= state.seats

    def view(self, state: CrazyEightsState, viewer: Viewer) -> CrazyEightsView:
        """Built up from what the viewer may know; never a state with parts removed."""
        over = bool(state.hands) and self._is_over(state)
        return CrazyEightsView(
            you=viewer,
            to_act=() if over or not state.hands or state.drawing else (state.turn,),
            seats=tuple(
                SeatView(cards=tuple(held.open().card if over or seat == viewer else None for held in hand))
                for seat, hand in enumerate(state.hands or ((),) * state.seats)
            ),
            top=state.pile[-1] if state.pile else None,
            suit=state.suit,
            stock=state.stock,
        )

    def known(self, state: CrazyEightsState, viewer: Viewer) -> DealtSet:
        """The cards of the deal that the viewer has seen: those played, and the own ones; at the end, all."""
        if state.hands and self._is_over(state):
            return (1 << state.dealt) - 1
        return state.shown | (state.held[viewer] if viewer is not None and state.held else 0)


_SUITS: tuple[Suit, ...] = ("c", "d", "h", "s")


def _payouts(state: CrazyEightsState) -> tuple[int, ...]:
    """The winner gets what the others still hold; where nobody can move, nobody wins."""
    if all(state.hands):
        return (0,) * state.seats
    points = [sum(_points(sealed.open().card) for sealed in hand) for hand in state.hands]
    return tuple(-held if hand else sum(points) for held, hand in zip(points, state.hands, strict=True))


def _points(card: Card | None) -> int:
    if card is None:
        raise UnseenCardError("at the end every hand is shown")
    if card.rank == "8":
        return 50
    return {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(card.rank) or int(card.rank)


def _next(state: CrazyEightsState) -> CrazyEightsState:
    return replace(state, turn=(state.turn + 1) % state.seats, has_drawn=False)


def _at(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """The values with one of them replaced."""
    return (*values[:place], value, *values[place + 1 :])


def _set(numbers: Iterable[int]) -> DealtSet:
    return sum(1 << number for number in numbers)

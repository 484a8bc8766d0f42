"""A tiny honest game, and some that are broken on purpose: tests of the tests.

Each of two seats puts a chip into the pot and gets a card, face down; each may bet more, once; the higher card wins.
"""

from typing import Any, ClassVar, TypeAlias

import msgspec
from msgspec.structs import replace

from croupier.cards import PACK, Card
from croupier.game.game import (
    EVERYONE,
    Action,
    Change,
    DealtSet,
    Draw,
    Event,
    Game,
    Offer,
    Over,
    SeatView,
    Step,
    Told,
    Turn,
    View,
    Viewer,
    offered,
    only,
)
from croupier.game.refusal import Code, Refusal
from croupier.game.sealed import Sealed

STAKE = 10


class Stay(Action, frozen=True, tag="TOY_STAY"):
    pass


class Bet(Action, frozen=True, tag="TOY_BET"):
    more: int


class Name(Action, frozen=True, tag="TOY_NAME"):
    card: Card


ToyAction: TypeAlias = Stay | Bet | Name


class Dealt(Event, frozen=True, tag="TOY_DEALT"):
    card: Card


class Shown(Event, frozen=True, tag="TOY_SHOWN"):
    cards: tuple[Card, ...]


class Acted(Event, frozen=True, tag="TOY_ACTED"):
    seat: int


ToyEvent: TypeAlias = Dealt | Shown | Acted


class ToySetup(msgspec.Struct, frozen=True):
    stacks: tuple[int, ...]


class ToyState(msgspec.Struct, frozen=True):
    stacks: tuple[int, ...]
    pot: int
    cards: tuple[Sealed[Card], ...] = ()
    acted: int = 0
    over: bool = False


class ToyView(View, frozen=True):
    pot: int


class HighCard(msgspec.Struct, frozen=True):
    """The honest game."""

    game: ClassVar[str] = "highcard"
    edition: int = 1
    opens_all: ClassVar[bool] = True

    @property
    def seat_range(self) -> tuple[int, int]:
        return 2, 2

    def setup(self, seats: int) -> ToySetup:
        return ToySetup((STAKE,) * seats)

    def opening(self, setup: ToySetup) -> Step[ToyState, ToyEvent] | Refusal:
        return Step(ToyState(tuple(stack - 1 for stack in setup.stacks), 2))

    def seats(self, state: ToyState) -> int:
        return 2

    def awaits(self, state: ToyState) -> Draw[Card] | Turn | Over:
        if not state.cards:
            return Draw(("hand:0:0", "hand:1:0"), PACK)
        if not state.over:
            return Turn((state.acted,))
        return Over(tuple(stack - STAKE for stack in state.stacks))

    def deal(self, state: ToyState, cards: tuple[Any, ...]) -> Step[ToyState, ToyEvent]:
        told = tuple(Told(Dealt(card), only(seat)) for seat, card in enumerate(cards))
        return Step(replace(state, cards=tuple(Sealed(card) for card in cards)), told)

    def menu(self, state: ToyState, seat: int) -> tuple[Offer[ToyAction], ...]:
        if state.over or not state.cards or seat != state.acted:
            return ()
        raises = (Offer(Bet(1), "more", 1, state.stacks[seat]),) if state.stacks[seat] else ()
        return (Offer(Stay()), *raises)

    def act(self, state: ToyState, seat: int, action: ToyAction) -> Step[ToyState, ToyEvent] | Refusal:
        if not offered(self.menu(state, seat), action):
            return Refusal(Code.NOT_OFFERED)
        more = action.more if isinstance(action, Bet) else 0
        stacks = tuple(stack - more * (number == seat) for number, stack in enumerate(state.stacks))
        state = replace(state, stacks=stacks, pot=state.pot + more, acted=state.acted + 1)
        told: tuple[Told[ToyEvent], ...] = (Told(Acted(seat), EVERYONE),)
        if state.acted == 2:
            cards = tuple(card.open() for card in state.cards)
            winner = max(range(2), key=lambda number: cards[number].number)
            stacks = tuple(stack + self.won(state.pot) * (number == winner) for number, stack in enumerate(stacks))
            state = replace(state, stacks=stacks, pot=0, over=True)
            told += (Told(Shown(cards), EVERYONE),)
        return Step(state, told)

    def won(self, pot: int) -> int:
        return pot

    def dealt_in(self, state: ToyState) -> tuple[int, ...]:
        return 0, 1

    def exclude(self, state: ToyState, seat: int) -> Step[ToyState, ToyEvent] | Refusal:
        return Refusal(Code.NOT_BETWEEN_ROUNDS)

    def leave(self, state: ToyState, seat: int) -> Step[ToyState, ToyEvent] | Refusal:
        return Refusal(Code.NOT_OFFERED)

    def view(self, state: ToyState, viewer: Viewer) -> ToyView:
        awaited = self.awaits(state)
        seats = tuple(
            SeatView(self.seen(state, seat, viewer) if state.cards else (), stack)
            for seat, stack in enumerate(state.stacks)
        )
        to_act = awaited.seats if isinstance(awaited, Turn) else ()
        return ToyView(you=viewer, to_act=to_act, seats=seats, pot=state.pot)

    def seen(self, state: ToyState, seat: int, viewer: Viewer) -> tuple[Card | None, ...]:
        return (state.cards[seat].open() if state.over or seat == viewer else None,)

    def known(self, state: ToyState, viewer: Viewer) -> DealtSet:
        if state.over:
            return 0b11
        return 0 if viewer is None or not state.cards else 1 << viewer

    def chips(self, state: ToyState) -> tuple[int, ...]:
        return (*state.stacks, state.pot)

    def following(self, state: ToyState) -> ToySetup:
        return ToySetup(state.stacks)

    def stacks(self, setup: ToySetup) -> tuple[int, ...]:
        return setup.stacks

    def ended(self, state: ToyState) -> bool:
        return min(state.stacks) == 0

    def absent(self, menu: tuple[Offer[ToyAction], ...]) -> ToyAction:
        return Stay()

    def amend(self, setup: ToySetup, change: Change) -> ToySetup | Refusal:
        return Refusal(Code.NOT_BETWEEN_ROUNDS)

    def teams(self, seats: int) -> int:
        return 0


class LeakyView(HighCard, frozen=True):
    """Shows everybody the first card."""

    def seen(self, state: ToyState, seat: int, viewer: Viewer) -> tuple[Card | None, ...]:
        return super().seen(state, seat, viewer if seat else 0)


class Anonymous(HighCard, frozen=True):
    """Does not tell a viewer who they are."""

    def view(self, state: ToyState, viewer: Viewer) -> ToyView:
        return replace(super().view(state, viewer), you=None)


class LeakyMenu(HighCard, frozen=True):
    """Offers seat 0 less when the other seat's card is high."""

    def menu(self, state: ToyState, seat: int) -> tuple[Offer[ToyAction], ...]:
        offers = super().menu(state, seat)
        return offers[:1] if offers and seat == 0 and state.cards[1].open().number > 25 else offers


class LeakyEvent(HighCard, frozen=True):
    """Tells everybody each card."""

    def deal(self, state: ToyState, cards: tuple[Any, ...]) -> Step[ToyState, ToyEvent]:
        step = super().deal(state, cards)
        return Step(step.state, tuple(Told(told.event, EVERYONE) for told in step.told))


class HiddenReason(HighCard, frozen=True):
    """Lets a seat bet with a high card only: the others cannot check the bet, because they do not know the card."""

    def menu(self, state: ToyState, seat: int) -> tuple[Offer[ToyAction], ...]:
        offers = super().menu(state, seat)
        card = state.cards[seat].open() if offers else None
        return offers if card is not None and card.number > 25 else offers[:1]


class Guess(HighCard, frozen=True):
    """Lets a seat name any card, held or not: that tells nothing."""

    def named(self, state: ToyState, seat: int) -> tuple[Card, ...]:
        return PACK

    def menu(self, state: ToyState, seat: int) -> tuple[Offer[ToyAction], ...]:
        if not (offers := super().menu(state, seat)):
            return ()
        return (*offers, *(Offer(Name(card)) for card in self.named(state, seat)))


class Whisper(Guess, frozen=True):
    """Lets a seat name its own hidden card: everybody is told the action, and with it the card."""

    def named(self, state: ToyState, seat: int) -> tuple[Card, ...]:
        return (state.cards[seat].open(),)


class Losing(HighCard, frozen=True):
    """Keeps a chip of every pot."""

    def won(self, pot: int) -> int:
        return pot - 1


class Boastful(HighCard, frozen=True):
    """Says that everybody knows all cards, so that the leak check would have nothing to deal anew."""

    def known(self, state: ToyState, viewer: Viewer) -> DealtSet:
        return 0b11 if state.cards else 0


def toy(rules: Any) -> Game:
    return Game("highcard", type(rules), ToySetup, ToyAction, ToyEvent, ToyView, {"toy": rules}, {})

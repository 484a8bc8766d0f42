"""One card each. In turn a player checks or bets; after a bet the others call or fold. The highest card wins.

Nobody bets more than every other player in the hand can call, so there are no side pots. Suits do not count; a tie
shares the pot, and odd chips go to the first seats.
"""

from typing import Annotated, ClassVar, TypeAlias

import msgspec
from msgspec.structs import replace

from croupier.cards import PACK, RANKS, Card
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


class Check(Action, frozen=True, tag="ONE_CARD_CHECK"):
    pass


class Bet(Action, frozen=True, tag="ONE_CARD_BET"):
    amount: int

    @property
    def stakes(self) -> bool:
        """It puts in chips: the clock does not do it for a player who is away."""
        return True


class Call(Action, frozen=True, tag="ONE_CARD_CALL"):
    @property
    def stakes(self) -> bool:
        return True


class Fold(Action, frozen=True, tag="ONE_CARD_FOLD"):
    pass


OneCardAction: TypeAlias = Check | Bet | Call | Fold


class Anted(Event, frozen=True, tag="ONE_CARD_ANTED"):
    chips: int


class CardDealt(Event, frozen=True, tag="ONE_CARD_DEALT"):
    card: Card


class Checked(Event, frozen=True, tag="ONE_CARD_CHECKED"):
    seat: int


class BetMade(Event, frozen=True, tag="ONE_CARD_BET_MADE"):
    seat: int
    amount: int


class Called(Event, frozen=True, tag="ONE_CARD_CALLED"):
    seat: int


class Folded(Event, frozen=True, tag="ONE_CARD_FOLDED"):
    seat: int


class Shown(Event, frozen=True, tag="ONE_CARD_SHOWN"):
    seat: int
    card: Card


class Won(Event, frozen=True, tag="ONE_CARD_WON"):
    seat: int
    chips: int


OneCardEvent: TypeAlias = Anted | CardDealt | Checked | BetMade | Called | Folded | Shown | Won


class OneCardSetup(msgspec.Struct, frozen=True):
    """What a round starts from: what the round before left."""

    stacks: tuple[int, ...]
    first: int = 0
    """The seat that acts first."""


class OneCardState(msgspec.Struct, frozen=True):
    """A round. The n-th card of the deal is that of seat n."""

    setup: OneCardSetup
    stacks: tuple[int, ...]
    pot: int
    cards: tuple[Sealed[Card | None], ...] = ()
    live: tuple[int, ...] = ()
    """The seats that have not folded."""
    waiting: tuple[int, ...] = ()
    """The seats that must still act, in order."""
    bet: int = 0
    over: bool = False
    shown: DealtSet = 0
    """The cards of the showdown."""


class OneCardSeatView(SeatView, frozen=True):
    """What one viewer may know of a seat."""

    paid: int = 0
    """What it has put into the pot."""


class OneCardView(View, frozen=True):
    """What one viewer may know."""

    seats: tuple[OneCardSeatView, ...]
    pot: int
    bet: int


class OneCard(
    BasicRules[OneCardState, OneCardAction, OneCardSetup], frozen=True, kw_only=True, forbid_unknown_fields=True
):
    """The rules, with all options decided."""

    game: ClassVar[str] = "one_card"
    stack_chips: Annotated[int, msgspec.Meta(ge=5, le=1000)] = 100
    ante: Annotated[int, msgspec.Meta(ge=1, le=5)] = 1

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def seat_range(self) -> tuple[int, int]:
        return 2, 8

    def setup(self, seats: int) -> OneCardSetup:
        return OneCardSetup((self.stack_chips,) * seats)

    def opening(self, setup: OneCardSetup) -> Step[OneCardState, OneCardEvent] | Refusal:
        low, high = self.seat_range
        seats = len(setup.stacks)
        if not low <= seats <= high:
            return Refusal(Code.WRONG_SEAT_COUNT, {"seats": seats, "low": low, "high": high})
        stacks = tuple(chips - self.ante for chips in setup.stacks)
        return Step(OneCardState(setup, stacks, self.ante * seats), (Told(Anted(self.ante), EVERYONE),))

    def seats(self, state: OneCardState) -> int:
        return len(state.stacks)

    def awaits(self, state: OneCardState) -> Draw[Card] | Turn | Over:
        if state.over:
            return Over(tuple(now - then for now, then in zip(state.stacks, state.setup.stacks, strict=True)))
        if not state.cards:
            return Draw(tuple(f"hand:{seat}:0" for seat in range(len(state.stacks))), PACK)
        return Turn(state.waiting[:1])

    def deal(self, state: OneCardState, cards: tuple[Card | None, ...]) -> Step[OneCardState, OneCardEvent]:
        seats = len(cards)
        order = tuple((state.setup.first + n) % seats for n in range(seats))
        told = tuple(Told(CardDealt(card), only(seat)) for seat, card in enumerate(cards) if card is not None)
        return Step(replace(state, cards=tuple(map(Sealed, cards)), live=tuple(range(seats)), waiting=order), told)

    def menu(self, state: OneCardState, seat: int) -> tuple[Offer[OneCardAction], ...]:
        if state.over or state.waiting[:1] != (seat,):
            return ()
        if state.bet:
            return Offer(Fold()), Offer(Call())
        most = min(state.stacks[other] for other in state.live)
        if not most:
            return (Offer(Check()),)
        # A family of actions: the first amount stands in the action, and every whole number up to `high` is offered.
        return Offer(Check()), Offer(Bet(1), field="amount", low=1, high=most)

    def act(self, state: OneCardState, seat: int, action: OneCardAction) -> Step[OneCardState, OneCardEvent] | Refusal:
        if not offered(self.menu(state, seat), action):
            return Refusal(Code.NOT_OFFERED if state.waiting[:1] == (seat,) else Code.NOT_YOUR_TURN)
        rest = state.waiting[1:]
        match action:
            case Check():
                return self._next(replace(state, waiting=rest), Checked(seat))
            case Bet(amount):
                seats = len(state.stacks)
                others = tuple(n % seats for n in range(seat + 1, seat + seats))
                return self._next(
                    _paid(replace(state, bet=amount, waiting=others), seat, amount), BetMade(seat, amount)
                )
            case Call():
                return self._next(_paid(replace(state, waiting=rest), seat, state.bet), Called(seat))
            case Fold():
                live = tuple(other for other in state.live if other != seat)
                return self._next(replace(state, waiting=rest, live=live), Folded(seat))

    def _next(self, state: OneCardState, event: OneCardEvent) -> Step[OneCardState, OneCardEvent]:
        told: list[Told[OneCardEvent]] = [Told(event, EVERYONE)]
        if state.waiting and len(state.live) > 1:
            return Step(state, tuple(told))
        winners = state.live
        if len(state.live) > 1:
            # A showdown. A client that plays along has been shown these cards by now.
            hands = {seat: _public(state.cards[seat].open()) for seat in state.live}
            told += [Told(Shown(seat, card), EVERYONE) for seat, card in hands.items()]
            state = replace(state, shown=sum(1 << seat for seat in hands))
            best = max(RANKS.index(card.rank) for card in hands.values())
            winners = tuple(seat for seat, card in hands.items() if RANKS.index(card.rank) == best)
        share, odd = divmod(state.pot, len(winners))
        won = {seat: share + (place < odd) for place, seat in enumerate(winners)}
        told += [Told(Won(seat, chips), EVERYONE) for seat, chips in won.items()]
        stacks = tuple(chips + won.get(seat, 0) for seat, chips in enumerate(state.stacks))
        return Step(replace(state, stacks=stacks, pot=0, waiting=(), over=True), tuple(told))

    def view(self, state: OneCardState, viewer: Viewer) -> OneCardView:
        """Built up from what the viewer may know."""
        known = self.known(state, viewer)
        seats = [
            OneCardSeatView(
                cards=(state.cards[seat].open() if known >> seat & 1 else None,) if state.cards else (),
                chips=chips,
                state="folded" if state.cards and seat not in state.live else "",
                paid=0 if state.over else state.setup.stacks[seat] - chips,
            )
            for seat, chips in enumerate(state.stacks)
        ]
        to_act = () if state.over else state.waiting[:1]
        return OneCardView(you=viewer, to_act=to_act, seats=tuple(seats), pot=state.pot, bet=state.bet)

    def known(self, state: OneCardState, viewer: Viewer) -> DealtSet:
        own = 1 << viewer if viewer is not None and state.cards else 0
        return state.shown | own

    def chips(self, state: OneCardState) -> tuple[int, ...]:
        """Every pile, the seats first. The sum never changes."""
        return (*state.stacks, state.pot)

    def stacks(self, setup: OneCardSetup) -> tuple[int, ...]:
        return setup.stacks

    def ended(self, state: OneCardState) -> bool:
        """The match is over when somebody cannot pay the ante."""
        return min(state.stacks) < self.ante

    def following(self, state: OneCardState) -> OneCardSetup:
        return OneCardSetup(state.stacks, (state.setup.first + 1) % len(state.stacks))


def _public(card: Card | None) -> Card:
    if card is None:
        raise UnseenCardError("the cards of a showdown are shown to everybody")
    return card


def _paid(state: OneCardState, seat: int, chips: int) -> OneCardState:
    stacks = tuple(stack - chips * (place == seat) for place, stack in enumerate(state.stacks))
    return replace(state, stacks=stacks, pot=state.pot + chips)

"""A step under construction: the state so far, and the events."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from croupier.cards import Card, packs
from croupier.game.game import EVERYONE, Draw, Place, Step, Told
from croupier.games.blackjack.rules.config import Options
from croupier.games.blackjack.rules.events import BlackjackEvent, PhaseChanged, ShoeShuffled
from croupier.games.blackjack.rules.state import DEALER, BlackjackState, Hand, Phase, Seat, Slot


class Progress:
    """Collects the changes and events of one step. Everything in a round of blackjack is told to everybody: the hole
    card's face is the one secret, and it is never put into an event while it lies face down."""

    def __init__(self, options: Options, state: BlackjackState) -> None:
        self.options = options
        self.state = state
        self._told: list[Told[BlackjackEvent]] = []

    def step(self) -> Step[BlackjackState, BlackjackEvent]:
        return Step(self.state, tuple(self._told))

    def tell(self, event: BlackjackEvent) -> None:
        self._told.append(Told(event, EVERYONE))

    def change(self, **fields: Any) -> None:
        self.state = replace(self.state, **fields)

    def enter(self, phase: Phase) -> None:
        self.change(phase=phase)
        self.tell(PhaseChanged(phase))

    def seat(self, number: int, **fields: Any) -> Seat:
        seats = list(self.state.seats)
        seats[number] = replace(seats[number], **fields)
        self.change(seats=tuple(seats))
        return seats[number]

    def hand(self, number: int, index: int, **fields: Any) -> Hand:
        hands = list(self.state.seats[number].hands)
        hands[index] = replace(hands[index], **fields)
        self.seat(number, hands=tuple(hands))
        return hands[index]

    def stake(self, number: int, amount: int) -> None:
        """Takes chips from a seat's purse; the caller puts them on the table."""
        purse = self.state.seats[number].purse - amount
        assert purse >= 0, "the menu offered what the purse cannot pay"
        self.seat(number, purse=purse)

    def want(self, *slots: Slot) -> bool:
        """Asks the dealer for a card for each slot. False when no card is left that could be dealt.

        A shoe that goes on from earlier rounds deals what is left of it. Since edition 2 the rest is shuffled for every
        round, so that all who sit there cut it. When the shoe runs out, the cards used in its earlier rounds are
        shuffled again; what little was left of the old shoe is not dealt any more.
        """
        state, count = self.state, len(slots)
        pack: tuple[Card, ...] = ()
        gone: tuple[Card, ...] = ()
        left = state.shoe_left
        is_new = False
        if not state.dealt:
            pack, gone = packs(self.options.decks), state.setup.gone
            if count > left:
                gone, left = (), len(pack)
                self.change(setup=replace(state.setup, gone=()))
            is_new = not gone
            if self.options.edition > 1:
                pack, gone = _rest(pack, gone), ()
        elif count > left and not state.reshuffled:
            pack = state.setup.gone
            left, is_new = len(pack), True
            self.change(reshuffled=True)
        if count > left:
            return False
        if is_new:
            self.tell(ShoeShuffled(len(pack)))
        self.change(draw=Draw(_places(state, slots), pack, gone), slots=slots, shoe_left=left - count)
        return True


def _rest(pack: tuple[Card, ...], gone: Sequence[Card]) -> tuple[Card, ...]:
    """The pack without the cards that are gone."""
    taken, rest = Counter(gone), []
    for card in pack:
        if taken[card]:
            taken[card] -= 1
        else:
            rest.append(card)
    return tuple(rest)


def _places(state: BlackjackState, slots: tuple[Slot, ...]) -> tuple[Place, ...]:
    """`dealer:i` for the dealer's i-th card; `card:s:n:h` for the n-th card that seat s gets, for its hand h."""
    dealer = len(state.dealer) + (state.hole is not None)
    given = [sum(len(hand.cards) for hand in seat.hands) for seat in state.seats]
    places = []
    for slot in slots:
        if slot.seat == DEALER:
            places.append(f"dealer:{dealer}")
            dealer += 1
        else:
            places.append(f"card:{slot.seat}:{given[slot.seat]}:{slot.hand}")
            given[slot.seat] += 1
    return tuple(places)

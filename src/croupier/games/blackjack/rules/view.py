"""What a viewer of a round may know. Everybody sees the same: the hole card's face is the one secret."""

import msgspec
from msgspec import UNSET, UnsetType

from croupier.cards import Card
from croupier.game.game import SeatView, View, Viewer
from croupier.games.blackjack.rules.actions import Double, Hit, Split, Stand, Surrender
from croupier.games.blackjack.rules.config import Options
from croupier.games.blackjack.rules.events import BlackjackEvent
from croupier.games.blackjack.rules.hands import is_blackjack, total
from croupier.games.blackjack.rules.menu import menu
from croupier.games.blackjack.rules.state import BlackjackState, Hand, Phase, Seat, Status
from croupier.notebook import cards_html


class HandView(msgspec.Struct, frozen=True, rename="camel"):
    """A hand: its cards, what they are worth and what may be done now. Result and payout exist only at the end."""

    cards: tuple[Card, ...]
    status: Status
    bet: int
    is_doubled: bool
    is_split: bool
    is_from_aces: bool
    is_blackjack: bool
    is_surrendered: bool
    soft_value: int
    hard_value: int
    best_value: int
    can_hit: bool
    can_stand: bool
    can_double: bool
    can_split: bool
    can_surrender: bool
    result: Status | UnsetType = UNSET
    payout: int | UnsetType = UNSET

    def _repr_html_(self) -> str:
        return f"{cards_html(self.cards)} ({self.best_value})"


class BlackjackSeat(SeatView, frozen=True, kw_only=True):
    """A seat: its `cards` are those of all its hands, one hand after the other.

    `state` is dealer, left or sitting_out, or else the common status of all its hands once they are played; empty where
    they differ. Where nobody bets there are no chips.
    """

    cards: tuple[Card, ...]
    bet: int
    insurance: int
    hands: tuple[HandView, ...]
    total_payout: int | UnsetType = UNSET
    """What the hands got back, stakes included."""
    final_payout: int | UnsetType = UNSET
    """The same with insurance."""


class DealerView(msgspec.Struct, frozen=True, rename="camel"):
    """The dealer's open cards and what these are worth; `is_revealed` is false while a hole card lies face down."""

    cards: tuple[Card, ...]
    show_card: Card | None
    is_revealed: bool
    has_blackjack: bool
    soft_value: int
    hard_value: int
    best_value: int


class BlackjackView(View, frozen=True, kw_only=True):
    """A round. While it is `playing`, `to_act` are the seats that are asked about insurance or early surrender, or with
    an `active_hand` the one seat that plays this hand."""

    seats: tuple[BlackjackSeat, ...]
    phase: Phase
    dealer: DealerView
    dealer_seat: int | None
    active_hand: int | None
    shoe_left: int
    void: bool
    history: tuple[BlackjackEvent, ...] = ()

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that are asked about insurance or early surrender."""
        return self.to_act if self.phase is Phase.PLAYING and self.active_hand is None else ()

    def _middle_html(self) -> str:
        if not self.dealer.cards:
            return ""
        hidden = () if self.dealer.is_revealed else (None,)
        return f"<p>dealer: {cards_html((*self.dealer.cards, *hidden))}</p>"


def build(options: Options, state: BlackjackState, viewer: Viewer, to_act: tuple[int, ...]) -> BlackjackView:
    return BlackjackView(
        you=viewer,
        to_act=to_act,
        phase=state.phase,
        seats=tuple(_seat(options, state, number, seat) for number, seat in enumerate(state.seats)),
        dealer=_dealer(options, state),
        dealer_seat=state.setup.dealer,
        active_hand=None if state.turn is None else state.turn[1],
        shoe_left=state.shoe_left,
        void=state.void,
    )


def _seat(options: Options, state: BlackjackState, number: int, seat: Seat) -> BlackjackSeat:
    hands = tuple(_hand(options, state, number, index, hand) for index, hand in enumerate(seat.hands))
    view = BlackjackSeat(
        cards=tuple(card for hand in seat.hands for card in hand.cards),
        chips=seat.purse if options.bet_max else None,
        state=_state(state, number, seat),
        bet=seat.bet,
        insurance=seat.insurance,
        hands=hands,
    )
    if not state.over:
        return view
    total_payout = sum(hand.payout for hand in seat.hands)
    return msgspec.structs.replace(view, total_payout=total_payout, final_payout=total_payout + seat.insurance_payout)


def _state(state: BlackjackState, number: int, seat: Seat) -> str:
    if number == state.setup.dealer:
        return "dealer"
    if seat.left:
        return "left"
    if not seat.hands:
        return "sitting_out" if seat.decided and not seat.bet else ""
    statuses = {hand.status for hand in seat.hands}
    (status, *others) = statuses
    return "" if others or status is Status.ACTIVE else status.value


def _hand(options: Options, state: BlackjackState, number: int, index: int, hand: Hand) -> HandView:
    offers = menu(options, state, number) if state.turn == (number, index) else ()
    can = {type(offer.action) for offer in offers}
    worth = total(hand.cards, options.ace)
    decided = state.over and not state.void
    return HandView(
        cards=hand.cards,
        status=hand.status,
        bet=hand.bet,
        is_doubled=hand.doubled,
        is_split=hand.split,
        is_from_aces=hand.from_aces,
        is_blackjack=options.has_blackjack and not hand.split and is_blackjack(hand.cards),
        is_surrendered=hand.surrendered,
        soft_value=worth.soft,
        hard_value=worth.hard,
        best_value=worth.best,
        can_hit=Hit in can,
        can_stand=Stand in can,
        can_double=Double in can,
        can_split=Split in can,
        can_surrender=Surrender in can,
        result=hand.status if decided else UNSET,
        payout=hand.payout if state.over else UNSET,
    )


def _dealer(options: Options, state: BlackjackState) -> DealerView:
    worth = total(state.dealer, options.ace)
    return DealerView(
        cards=state.dealer,
        show_card=state.dealer[0] if state.dealer else None,
        is_revealed=state.hole is None and bool(state.dealer),
        has_blackjack=options.has_blackjack and is_blackjack(state.dealer),
        soft_value=worth.soft,
        hard_value=worth.hard,
        best_value=worth.best,
    )

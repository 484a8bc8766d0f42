"""The order of a round: who gets the next card, who decides next, when the dealer plays."""

from collections.abc import Iterator

from croupier.cards import Card
from croupier.game.game import UnseenCardError
from croupier.game.sealed import Sealed
from croupier.games.blackjack.rules.config import Options, half
from croupier.games.blackjack.rules.events import (
    CardDealt,
    DealerCardDealt,
    DealerPeeked,
    HandChanged,
    HoleCardRevealed,
    InsuranceOffered,
    ShoeEmpty,
)
from croupier.games.blackjack.rules.hands import POINTS, TARGET, is_blackjack, is_pair, total
from croupier.games.blackjack.rules.progress import Progress
from croupier.games.blackjack.rules.settle import cash_out
from croupier.games.blackjack.rules.state import DEALER, BlackjackState, Hand, Phase, Seat, Slot, Status


def advance(progress: Progress) -> None:
    """Advance until cards are needed, somebody must decide, or the round is over."""
    while progress.state.draw is None:
        state = progress.state
        match state.phase:
            case Phase.BETTING:
                if not all(seat.decided for seat in state.seats):
                    return
                _begin(progress)
            case Phase.DEALING:
                _consider(progress)
            case Phase.PLAYING:
                if state.undecided or state.turn is not None:
                    return
                progress.enter(Phase.DEALER)
            case Phase.DEALER:
                _dealer(progress)
            case Phase.FINISHED | Phase.CASHED_OUT:
                return


def place(progress: Progress, cards: tuple[Card | None, ...]) -> None:
    """Put the dealt cards where they belong."""
    slots = progress.state.slots
    assert len(slots) == len(cards), f"asked for {len(slots)} cards, got {len(cards)}"
    progress.change(draw=None, slots=())
    for slot, card in zip(slots, cards, strict=True):
        progress.change(dealt=(*progress.state.dealt, Sealed(card)))
        if slot.face_down:
            progress.change(hole=Sealed(card), hole_at=len(progress.state.dealt) - 1)
            progress.tell(DealerCardDealt())
        elif card is None:
            raise UnseenCardError("only the hole card lies face down")
        elif slot.seat == DEALER:
            progress.change(dealer=(*progress.state.dealer, card))
            progress.tell(DealerCardDealt(card))
        else:
            hand = progress.state.seats[slot.seat].hands[slot.hand]
            progress.hand(slot.seat, slot.hand, cards=(*hand.cards, card))
            progress.tell(CardDealt(slot.seat, slot.hand, card))
            judge(progress, slot.seat, slot.hand)


def request(progress: Progress, *slots: Slot) -> None:
    """Asks for cards; without any left, the round ends undecided."""
    if not progress.want(*slots):
        progress.tell(ShoeEmpty())
        cash_out(progress, void=True)


def judge(progress: Progress, number: int, index: int) -> None:
    """The status of a hand after its last card."""
    seat = progress.state.seats[number]
    hand = seat.hands[index]
    if len(hand.cards) < 2:
        return
    worth = total(hand.cards, progress.options.ace).best
    status = Status.ACTIVE
    if worth > TARGET:
        status = Status.BUSTED
    elif progress.options.has_blackjack and not hand.split and is_blackjack(hand.cards):
        status = Status.BLACKJACK
    elif worth == TARGET or hand.doubled or seat.left or _is_closed(progress.options, seat, hand):
        status = Status.STAND
    if status is not Status.ACTIVE:
        progress.hand(number, index, status=status)
        progress.tell(HandChanged(number, index, status, worth))


def may_split(options: Options, seat: Seat, hand: Hand) -> bool:
    """Whether the rules let this hand be split, whatever the purse holds."""
    if not is_pair(hand.cards) or len(seat.hands) >= options.hands_max:
        return False
    return options.resplit_aces or not hand.from_aces


def may_draw(options: Options, hand: Hand) -> bool:
    """Whether the hand may take cards at all: split aces get one card and no more, unless an option says so."""
    return options.hit_split_aces or not hand.from_aces


def hides_blackjack(card: Card) -> bool:
    """Whether the dealer could have blackjack with this card up."""
    return POINTS[card] in (1, 10)


def _is_closed(options: Options, seat: Seat, hand: Hand) -> bool:
    return not may_draw(options, hand) and not may_split(options, seat, hand)


def _begin(progress: Progress) -> None:
    """All bets are made: deal the first cards, or end at once if nobody plays."""
    state = progress.state
    no_bets = progress.options.dealer_seat
    playing = [number for number, seat in enumerate(state.seats) if seat.bet or (no_bets and not seat.left)]
    dealer = state.setup.dealer
    for number in playing:
        if number != dealer:
            progress.seat(number, hands=(Hand(bet=state.seats[number].bet),))
    if not playing or (playing == [dealer] and len(state.seats) > 1):
        cash_out(progress, void=True)
        return
    progress.enter(Phase.DEALING)
    request(progress, *_first_slots(progress.options, playing, dealer))


def _first_slots(options: Options, playing: list[int], dealer: int | None) -> Iterator[Slot]:
    """A dealer who is a person gives everybody two cards at a time, in seat order. The house deals twice round, its
    upcard after the first time, its hole card after the second."""
    if options.dealer_seat:
        for number in playing:
            yield from (Slot(DEALER if number == dealer else number),) * 2
        return
    yield from (Slot(number) for number in playing)
    yield Slot(DEALER)
    yield from (Slot(number) for number in playing)
    if options.peek:
        yield Slot(DEALER, face_down=True)


def _consider(progress: Progress) -> None:
    """The first cards are dealt: ask about insurance and early surrender before the dealer looks."""
    progress.enter(Phase.PLAYING)
    options, state = progress.options, progress.state
    up = state.dealer[0]
    insurable = options.insurance and POINTS[up] == 1
    escapable = options.surrender == "early" and options.peek and options.has_blackjack and hides_blackjack(up)
    asked = tuple(
        number
        for number, seat in enumerate(state.seats)
        if seat.hands
        and not seat.left
        and (
            (insurable and 0 < half(seat.bet) <= seat.purse)
            or (escapable and seat.hands[0].status is not Status.BLACKJACK)
        )
    )
    progress.change(undecided=asked)
    if asked and insurable:
        progress.tell(InsuranceOffered(asked))
    if not asked:
        look(progress)


def look(progress: Progress) -> None:
    """The dealer looks under an ace or a ten, if these rules have the dealer look."""
    state, options = progress.state, progress.options
    if state.hole is None or not options.has_blackjack or not hides_blackjack(state.dealer[0]):
        return
    hole = state.hole.open()
    # A viewer who has not seen the hole card knows that it makes no blackjack: else the dealer would have turned it.
    blackjack = hole is not None and is_blackjack((*state.dealer, hole))
    progress.tell(DealerPeeked(blackjack))
    if blackjack:
        progress.enter(Phase.DEALER)


def _dealer(progress: Progress) -> None:
    """The dealer's part, one card at a time."""
    state = progress.state
    if state.hole is not None:
        card = state.hole.open()
        if card is None:
            raise UnseenCardError("the dealer turns the hole card")
        progress.change(dealer=(*state.dealer, card), hole=None)
        progress.tell(HoleCardRevealed(card))
    elif _needs_card(progress.options, state):
        request(progress, Slot(DEALER))
    else:
        cash_out(progress)


def _needs_card(options: Options, state: BlackjackState) -> bool:
    """Whether the dealer draws: only below the standing total, and only while some result depends on it."""
    hands = [hand for seat in state.seats for hand in seat.hands]
    contested = options.dealer_seat or any(hand.status is Status.STAND for hand in hands)
    if len(state.dealer) == 1:
        return contested or (hides_blackjack(state.dealer[0]) and _blackjack_matters(options, state))
    if not contested or (options.has_blackjack and is_blackjack(state.dealer)):
        return False
    worth = total(state.dealer, options.ace)
    if options.dealer_hits_soft_17 and worth.best == 17 and worth.is_soft:
        return True
    return worth.best < options.dealer_stands_on


def _blackjack_matters(options: Options, state: BlackjackState) -> bool:
    """Without a hole card: whether a dealer's blackjack would still change any result."""
    for seat in state.seats:
        if seat.insurance or any(hand.status is Status.BLACKJACK for hand in seat.hands):
            return True
        if options.surrender == "late" and any(hand.status is Status.SURRENDERED for hand in seat.hands):
            return True
        if options.original_bets_only and sum(hand.bet for hand in seat.hands) > seat.bet:
            return True
    return False

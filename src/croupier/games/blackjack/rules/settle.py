"""What each hand wins, and how chips are paid back. The checks come in the order of the rules."""

from msgspec.structs import replace

from croupier.cards import Card
from croupier.games.blackjack.rules.config import Options, half, share
from croupier.games.blackjack.rules.events import HandSettled, InsuranceSettled
from croupier.games.blackjack.rules.hands import TARGET, is_blackjack, total
from croupier.games.blackjack.rules.progress import Progress
from croupier.games.blackjack.rules.state import Hand, Phase, Seat, Status


def cash_out(progress: Progress, *, void: bool = False) -> None:
    """Ends the round: results, payouts, chips back to the purses. A void round gives every bet back."""
    progress.change(void=void, undecided=())
    progress.enter(Phase.FINISHED)
    for number, seat in enumerate(progress.state.seats):
        if void:
            hands = tuple(_paid(hand, hand.status, hand.bet) for hand in seat.hands)
            insurance_payout = seat.insurance
        else:
            hands = _settled(progress.options, seat, progress.state.dealer)
            insurance_payout = 3 * seat.insurance if _has_blackjack(progress.options, progress.state.dealer) else 0
            for index, hand in enumerate(hands):
                progress.tell(HandSettled(number, index, hand.status, hand.payout))
            if seat.insurance:
                progress.tell(InsuranceSettled(number, insurance_payout))
        staked = sum(hand.bet for hand in hands) + seat.insurance
        returned = sum(hand.payout for hand in hands) + insurance_payout
        progress.seat(number, hands=hands, insurance_payout=insurance_payout, purse=seat.purse + returned)
        progress.change(house=progress.state.house + staked - returned)
    progress.enter(Phase.CASHED_OUT)


def _settled(options: Options, seat: Seat, dealer: tuple[Card, ...]) -> tuple[Hand, ...]:
    hands = tuple(_paid(hand, *_result(options, hand, dealer)) for hand in seat.hands)
    if not (options.original_bets_only and _has_blackjack(options, dealer) and hands):
        return hands
    if hands[0].status is not Status.LOSE or hands[0].payout:
        return hands
    # The seat loses its first bet; everything it added since goes back.
    first, *others = hands
    return (_paid(first, Status.LOSE, first.bet - seat.bet), *(_paid(hand, Status.PUSH, hand.bet) for hand in others))


def _result(options: Options, hand: Hand, dealer: tuple[Card, ...]) -> tuple[Status, int]:
    """A hand's result and its payout, stake included."""
    dealer_blackjack = _has_blackjack(options, dealer)
    if hand.status is Status.SURRENDERED:
        kept = options.surrender == "early" or not dealer_blackjack
        return Status.LOSE, half(hand.bet) if kept else 0
    if hand.status is Status.BUSTED:
        return Status.LOSE, 0
    if hand.status is Status.BLACKJACK:
        if dealer_blackjack:
            return Status.PUSH, hand.bet
        return Status.WIN, hand.bet + share(hand.bet, *options.blackjack_ratio)
    if dealer_blackjack:
        return Status.LOSE, 0
    theirs = total(dealer, options.ace).best
    ours = total(hand.cards, options.ace).best
    if theirs > TARGET or ours > theirs:
        return Status.WIN, 2 * hand.bet
    if ours < theirs:
        return Status.LOSE, 0
    return Status.PUSH, hand.bet


def _has_blackjack(options: Options, dealer: tuple[Card, ...]) -> bool:
    return options.has_blackjack and is_blackjack(dealer)


def _paid(hand: Hand, status: Status, payout: int) -> Hand:
    return replace(hand, status=status, payout=payout)

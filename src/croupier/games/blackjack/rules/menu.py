"""What a seat may do now, and why it may not do the rest."""

from typing import TypeAlias

from croupier.game.game import Offer, offered
from croupier.game.refusal import Code, Refusal
from croupier.games.blackjack.rules.actions import (
    BlackjackAction,
    Double,
    Hit,
    Insurance,
    PlaceBet,
    SitOut,
    Split,
    Stand,
    Surrender,
)
from croupier.games.blackjack.rules.codes import BlackjackCode
from croupier.games.blackjack.rules.config import Options, half
from croupier.games.blackjack.rules.flow import hides_blackjack, may_draw, may_split
from croupier.games.blackjack.rules.hands import POINTS, total
from croupier.games.blackjack.rules.state import BlackjackState, Hand, Phase, Seat, Status

Menu: TypeAlias = tuple[Offer[BlackjackAction], ...]


def menu(options: Options, state: BlackjackState, number: int) -> Menu:
    """The offers to a seat; none when it has nothing to decide."""
    if state.draw is not None or not 0 <= number < len(state.seats):
        return ()
    seat = state.seats[number]
    if state.phase is Phase.BETTING and not seat.decided:
        most = min(seat.purse, options.bet_max)
        return (Offer(PlaceBet(options.bet_min), "amount", options.bet_min, most), Offer(SitOut()))
    if number in state.undecided:
        return _before_the_look(options, state, seat)
    if state.turn is not None and state.turn[0] == number:
        return _on_hand(options, state, seat, seat.hands[state.turn[1]])
    return ()


def _before_the_look(options: Options, state: BlackjackState, seat: Seat) -> Menu:
    offers: list[Offer[BlackjackAction]] = []
    if options.insurance and POINTS[state.dealer[0]] == 1 and 0 < half(seat.bet) <= seat.purse:
        offers.append(Offer(Insurance(take=True)))
    offers.append(Offer(Insurance(take=False)))
    if options.surrender == "early" and options.peek and seat.hands[0].status is not Status.BLACKJACK:
        offers.append(Offer(Surrender()))
    return tuple(offers)


def _on_hand(options: Options, state: BlackjackState, seat: Seat, hand: Hand) -> Menu:
    actions: list[BlackjackAction] = [Stand()]
    if may_draw(options, hand):
        actions.insert(0, Hit())
        if seat.purse >= hand.bet and _may_double(options, hand):
            actions.append(Double())
    if seat.purse >= hand.bet and may_split(options, seat, hand):
        actions.append(Split())
    if _may_surrender(options, state, hand):
        actions.append(Surrender())
    return tuple(Offer(action) for action in actions)


def _may_double(options: Options, hand: Hand) -> bool:
    if options.double == "no" or len(hand.cards) != 2 or (hand.split and not options.double_after_split):
        return False
    return options.double == "any" or 9 <= total(hand.cards, options.ace).best <= 11


def _may_surrender(options: Options, state: BlackjackState, hand: Hand) -> bool:
    if options.surrender == "no" or len(hand.cards) != 2 or hand.split:
        return False
    asked_before = options.surrender == "early" and options.peek and hides_blackjack(state.dealer[0])
    return not (asked_before and options.has_blackjack)


def explain(options: Options, state: BlackjackState, number: int, action: BlackjackAction) -> Refusal:
    """Why the menu does not offer an action. The order of the questions is the classroom table's."""
    if not 0 <= number < len(state.seats):
        return Refusal(Code.NO_SUCH_SEAT, {"seat": number, "seats": len(state.seats)})
    if state.over:
        return Refusal(Code.ROUND_OVER)
    if number == state.setup.dealer:
        return Refusal(BlackjackCode.DEALER_IS_AUTO)
    seat = state.seats[number]
    if state.phase is Phase.BETTING:
        if seat.decided:
            return Refusal(BlackjackCode.ALREADY_DONE)
        return _explain_bet(options, seat, action)
    if state.undecided:
        if number in state.undecided:
            return _explain_insurance(options, state, seat, action)
        return Refusal(BlackjackCode.ALREADY_DONE if seat.hands else BlackjackCode.NOT_YOUR_TURN)
    if state.turn is None or state.turn[0] != number:
        return Refusal(BlackjackCode.NOT_YOUR_TURN)
    return _explain_hand(options, seat, seat.hands[state.turn[1]], action)


def _explain_bet(options: Options, seat: Seat, action: BlackjackAction) -> Refusal:
    if not isinstance(action, PlaceBet):
        return Refusal(BlackjackCode.PLACE_A_BET_FIRST, {"low": options.bet_min, "high": options.bet_max})
    if options.bet_min <= action.amount <= options.bet_max:
        return Refusal(BlackjackCode.INSUFFICIENT_FUNDS, {"needed": action.amount, "available": seat.purse})
    return Refusal(
        BlackjackCode.BET_OUT_OF_RANGE, {"amount": action.amount, "low": options.bet_min, "high": options.bet_max}
    )


def _explain_insurance(options: Options, state: BlackjackState, seat: Seat, action: BlackjackAction) -> Refusal:
    """An action that becomes possible once insurance is declined is refused for that reason alone. Any other is refused
    for its own reason, whatever the hole card is."""
    hand = seat.hands[0]
    plays: Menu = (Offer(Stand()),)
    if hand.status is Status.ACTIVE:
        plays = _on_hand(options, state, seat, hand)
    if isinstance(action, Insurance) or offered(plays, action):
        return Refusal(BlackjackCode.DECIDE_INSURANCE_FIRST, {"insurance": half(seat.bet)})
    return _explain_hand(options, seat, hand, action)


def _explain_hand(options: Options, seat: Seat, hand: Hand, action: BlackjackAction) -> Refusal:
    short = Refusal(BlackjackCode.INSUFFICIENT_FUNDS, {"needed": hand.bet, "available": seat.purse})
    match action:
        case PlaceBet() | SitOut():
            return Refusal(BlackjackCode.NOT_BETTING)
        case Hit():
            return Refusal(BlackjackCode.CANNOT_HIT)
        case Double():
            allowed = hand.status is Status.ACTIVE and may_draw(options, hand) and _may_double(options, hand)
            return short if allowed else Refusal(BlackjackCode.CANNOT_DOUBLE, {"double": options.double})
        case Split():
            return (
                short
                if may_split(options, seat, hand)
                else Refusal(BlackjackCode.CANNOT_SPLIT, {"hands": options.hands_max})
            )
        case Insurance():
            return Refusal(BlackjackCode.CANNOT_INSURE)
        case Surrender():
            return Refusal(BlackjackCode.CANNOT_SURRENDER, {"surrender": options.surrender})
        case Stand():
            raise AssertionError("standing is always offered on a hand to be played")

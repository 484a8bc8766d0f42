"""Betting: who may do what, what it does, and whose turn it is then."""

from typing import Final, assert_never

from msgspec.structs import replace

from croupier.game.game import EVERYONE, Offer, Told
from croupier.game.refusal import Refusal
from croupier.games.poker.rules.actions import (
    ALL_IN,
    CALL,
    CHECK,
    FOLD,
    AllIn,
    Bet,
    Call,
    Check,
    Fold,
    HoldemAction,
    HoldemCode,
    Muck,
    Raise,
    RunIt,
    Show,
    ShowCard,
)
from croupier.games.poker.rules.config import SEATS_MAX, Betting
from croupier.games.poker.rules.events import PREFLOP, Acted, HoldemEvent, Move
from croupier.games.poker.rules.state import NOBODY, TURNS, Broadcast, Hand, changed, without

_FOLD = Offer[HoldemAction](FOLD)
_CHECK = Offer[HoldemAction](CHECK)
_CALL = Offer[HoldemAction](CALL)
_ALL_IN = Offer[HoldemAction](ALL_IN)
_ANSWER_SHORT = (_FOLD, _CALL, _ALL_IN)

_FOLDED: Final = tuple(Told[HoldemEvent](Acted(seat, Move.FOLD), EVERYONE) for seat in range(SEATS_MAX))
_CHECKED: Final = tuple(Told[HoldemEvent](Acted(seat, Move.CHECK), EVERYONE) for seat in range(SEATS_MAX))
_CALLED: Final = Move.CALL
_BET: Final = Move.BET
_RAISED: Final = Move.RAISE
_NO_LIMIT: Final = Betting.NO_LIMIT
_FIXED_LIMIT: Final = Betting.FIXED_LIMIT
RAISES_MAX: Final = 4
"""In fixed-limit: a bet and three raises a street."""


def menu(hand: Hand, seat: int, price: int) -> tuple[Offer[HoldemAction], ...]:
    """What the seat may do when the turn comes to it and staying in takes a bet of `price` on this street.

    See the actions for how all-in goes with calling and raising.
    """
    stack, bet = hand.stacks[seat], hand.bets[seat]
    to_call = price - bet
    if stack <= to_call:
        return _ANSWER_SHORT
    answer = _CHECK if to_call == 0 else _CALL
    if not (is_open(hand, seat) and can_be_called(hand, seat)):
        return (_FOLD, answer)
    high = bet + stack
    low = _least(hand)
    if high < low:
        return (_FOLD, answer, _ALL_IN)
    if hand.options.betting is not _NO_LIMIT and (most := _most(hand, seat, low)) < high:
        if hand.bet:
            return (_FOLD, answer, Offer(Raise(low), "to", low, most))
        return (_FOLD, answer, Offer(Bet(low), "amount", low, most))
    if hand.bet:
        return (_FOLD, answer, Offer(Raise(low), "to", low, high), _ALL_IN)
    return (_FOLD, answer, Offer(Bet(low), "amount", low, high), _ALL_IN)


def _least(hand: Hand) -> int:
    """What a bet or raise that is no all-in must come to. In a limit of another house it may just complete what a short
    all-in began."""
    raise_by, bet_min = hand.raise_by, hand.forced.bet_min
    by = raise_by if raise_by > bet_min else bet_min
    return (hand.bet // by + 1) * by if _is_open_limit(hand) else hand.bet + by


def _most(hand: Hand, seat: int, low: int) -> int:
    """What a bet or raise may come to at most, whatever the stack: in pot-limit the bet plus the pot after calling it,
    which is never taken for less than the least bet."""
    if hand.options.betting is _FIXED_LIMIT:
        return max(low, hand.bet + hand.raise_by)
    pot = sum(hand.paid) + hand.dead + sum(hand.bets)
    return max(low, 2 * hand.bet - hand.bets[seat] + pot)


def is_open(hand: Hand, seat: int) -> bool:
    """Whether the seat may raise: it has not acted yet, or the bet has gone up by a full raise since it did.

    Several short all-ins count together. In fixed-limit a street has no more than so many raises.
    """
    if hand.raises >= RAISES_MAX and is_at_cap(hand):
        return False
    answered = hand.answered[seat]
    return answered < 0 or hand.bet - answered >= hand.raise_by or _is_open_limit(hand)


def is_at_cap(hand: Hand) -> bool:
    """Whether a street of fixed-limit has had all its raises; one that began with two players has no such limit."""
    is_fixed = hand.options.betting is _FIXED_LIMIT
    return is_fixed and hand.is_capped and hand.raises >= RAISES_MAX and not _is_open_limit(hand)


def _is_open_limit(hand: Hand) -> bool:
    """Whether the hand is fixed-limit of another house, where there may be any number of raises."""
    return not hand.forced.reopening_min and hand.options.betting is _FIXED_LIMIT


def can_be_called(hand: Hand, seat: int) -> bool:
    """Whether some other live seat could put in more than the present bet."""
    stacks, bets = hand.stacks, hand.bets
    # A generator would cost more than the rest of the menu.
    for other in hand.live:  # noqa: SIM110
        if other != seat and stacks[other] + bets[other] > hand.bet:
            return True
    return False


def refusal(hand: Hand, seat: int, action: HoldemAction) -> Refusal:
    """Why the menu of the seat in turn does not offer this."""
    match action:
        case Check():
            return Refusal(HoldemCode.CANNOT_CHECK, {"toCall": hand.bet - hand.bets[seat]})
        case Call():
            return Refusal(HoldemCode.NOTHING_TO_CALL)
        case Show() | Muck() | ShowCard() | RunIt():
            return Refusal(HoldemCode.NOT_SHOWDOWN)
        case Bet() if hand.bet:
            return Refusal(HoldemCode.BET_ALREADY_MADE, {"bet": hand.bet})
        case Raise() if not hand.bet:
            return Refusal(HoldemCode.NOTHING_TO_RAISE)
        case Bet(amount=to) | Raise(to=to):
            return _closed(hand, seat) or _out_of_range(hand, seat, to)
        case AllIn():
            # All-in is offered where it is a call, or raising is open and nothing limits it.
            return _closed(hand, seat) or _over_the_limit(hand, seat)
        case Fold():
            raise AssertionError("folding is offered on every turn")
        case _:
            assert_never(action)


def _closed(hand: Hand, seat: int) -> Refusal | None:
    """Why this seat may not bet or raise at all."""
    if is_at_cap(hand):
        return Refusal(HoldemCode.NO_MORE_RAISES, {"toCall": hand.bet - hand.bets[seat]})
    if not is_open(hand, seat):
        return Refusal(HoldemCode.BETTING_NOT_REOPENED, {"toCall": hand.bet - hand.bets[seat]})
    if not can_be_called(hand, seat):
        return Refusal(HoldemCode.NOBODY_CAN_CALL)
    if hand.stacks[seat] <= hand.bet - hand.bets[seat]:
        return Refusal(HoldemCode.ONLY_ALL_IN, {"stack": hand.stacks[seat]})
    return None


def _out_of_range(hand: Hand, seat: int, to: int) -> Refusal:
    high = hand.bets[seat] + hand.stacks[seat]
    low = _least(hand)
    if high < low:
        return Refusal(HoldemCode.ONLY_ALL_IN, {"stack": hand.stacks[seat]})
    if hand.options.betting is not _NO_LIMIT:
        high = min(high, _most(hand, seat, low))
    facts = {"low": low, "high": high}
    if to > high:
        return Refusal(HoldemCode.RAISE_TOO_BIG if hand.bet else HoldemCode.BET_TOO_BIG, {**facts})
    return Refusal(HoldemCode.RAISE_TOO_SMALL if hand.bet else HoldemCode.BET_TOO_SMALL, {**facts})


def _over_the_limit(hand: Hand, seat: int) -> Refusal:
    low = _least(hand)
    return Refusal(HoldemCode.OVER_THE_LIMIT, {"low": low, "high": _most(hand, seat, low)})


def bet(hand: Hand, seat: int, action: HoldemAction, told: Broadcast) -> Hand:
    """The hand after an action that the menu offers; whose turn it is then is for `next_turn` to say."""
    # Not a match: a class pattern takes four times as long to ask, and every action passes here.
    if type(action) is Fold:
        return fold(hand, seat, told)
    if type(action) is Call:
        return _wager(hand, seat, hand.bet, told)
    if type(action) is AllIn:
        return _wager(hand, seat, hand.bets[seat] + hand.stacks[seat], told)
    if type(action) is Raise:
        return _wager(hand, seat, action.to, told)
    if type(action) is Bet:
        return _wager(hand, seat, action.amount, told)
    if type(action) is Check:
        told.append(_CHECKED[seat])
        return replace(hand, answered=changed(hand.answered, seat, hand.bet))
    if isinstance(action, Show | Muck | ShowCard | RunIt):
        raise AssertionError("there is no betting at the showdown")
    assert_never(action)


def fold(hand: Hand, seat: int, told: Broadcast) -> Hand:
    told.append(_FOLDED[seat])
    return replace(hand, live=without(hand.live, seat), able=without(hand.able, seat))


def _wager(hand: Hand, seat: int, to: int, told: Broadcast) -> Hand:
    """Brings what the seat has bet on this street to `to`, or as near as its stack goes."""
    stack, before, bet = hand.stacks[seat], hand.bets[seat], hand.bet
    amount = to - before
    all_in = amount >= stack
    if all_in:
        amount, to = stack, before + stack
    raised_by = to - bet
    raising = raised_by > 0
    move = _CALLED if not raising else _RAISED if bet else _BET
    told.append(Told(Acted(seat, move, amount, to, all_in), EVERYONE))
    preflop = hand.street is PREFLOP
    entered = _with(hand.entered, seat) if preflop else hand.entered
    stacks, bets = changed(hand.stacks, seat, stack - amount), changed(hand.bets, seat, to)
    able = without(hand.able, seat) if all_in else hand.able
    answered = changed(hand.answered, seat, to)
    if not raising:
        return replace(hand, stacks=stacks, bets=bets, able=able, answered=answered, entered=entered)
    return replace(
        hand,
        stacks=stacks,
        bets=bets,
        able=able,
        bet=to,
        # A short all-in leaves the least raise as it was.
        raise_by=max(raised_by, hand.raise_by),
        raises=hand.raises + 1,
        answered=answered,
        aggressor=seat,
        entered=entered,
        raised=_with(hand.raised, seat) if preflop else hand.raised,
    )


def _with(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return seats if seat in seats else (*seats, seat)


def next_turn(hand: Hand, place: int, told: Broadcast) -> Hand:
    """Gives the turn to the first seat that the bet still asks, from a place among the able ones on; to NOBODY when the
    street has ended.

    Seats whose players have gone fold here, where their turn would have been.
    """
    able, answered, bet = hand.able, hand.answered, hand.bet
    for seat in able[place:] + able[:place]:
        if answered[seat] >= bet:
            continue
        price = bet
        if len(hand.able) == 1:
            # Nobody is left to play against: a blind that was not posted in full asks no more than what is there.
            price = max(hand.bets)
            if hand.bets[seat] == price:
                continue
        if seat not in hand.left:
            return replace(hand, turn=seat, offers=menu(hand, seat, price), awaits=TURNS[seat], bet=price)
        hand = fold(hand, seat, told)
        if len(hand.live) == 1:
            break
    return replace(hand, turn=NOBODY, offers=()) if hand.turn != NOBODY else hand

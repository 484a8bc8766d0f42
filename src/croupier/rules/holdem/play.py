"""The course of a hand: blinds, cards, streets, showdown, end."""

from typing import Final, TypeGuard

from msgspec.structs import replace

from croupier.cards import Card
from croupier.rules.game import Told, only
from croupier.rules.holdem import betting, showdown
from croupier.rules.holdem.actions import HoldemAction
from croupier.rules.holdem.events import (
    PREFLOP,
    RIVER,
    SHOWDOWN,
    HandStarted,
    HoleCards,
    HoleCardsDealt,
    Post,
    Posted,
    Street,
    StreetDealt,
)
from croupier.rules.holdem.finish import award_uncontested
from croupier.rules.holdem.pots import collect
from croupier.rules.holdem.setup import SEATS_MAX, ForcedBets, HoldemSetup
from croupier.rules.holdem.state import (
    CARD_DRAW,
    FLOP_DRAW,
    HOLE_DRAWS,
    NOBODY,
    NOT_YET,
    Hand,
    Pocket,
    Telling,
    tell,
)
from croupier.rules.sealed import Sealed

_ONLY: Final = tuple(only(seat) for seat in range(SEATS_MAX))
_ANTE: Final = Post.ANTE
_BLIND: Final = Post.BLIND
_AFTER: Final = {Street.PREFLOP: Street.FLOP, Street.FLOP: Street.TURN, Street.TURN: Street.RIVER}


def begin(setup: HoldemSetup, order: tuple[int, ...], forced: ForcedBets, level: int, told: Telling) -> Hand:
    """Posts antes and blinds of the seats dealt in; then the hand waits for the hole cards."""
    small, big = sorted(forced.blinds)[-2:]
    tell(told, HandStarted(setup.hand, level, small, big, max(forced.antes), setup.button, order, setup.stacks))
    stacks = list(setup.stacks)
    antes = _post(_ANTE, forced.antes, order, stacks, told)
    bets = _post(_BLIND, forced.blinds, order, stacks, told)
    nothing = (0,) * len(stacks)
    return Hand(
        setup=setup,
        forced=forced,
        awaits=HOLE_DRAWS[len(order)],
        street=PREFLOP,
        order=order,
        live=order,
        able=order if 0 not in stacks else tuple([seat for seat in order if stacks[seat]]),
        stacks=tuple(stacks),
        bets=bets,
        paid=nothing if forced.antes_dead else antes,
        dead=sum(antes) if forced.antes_dead else 0,
        bet=max(*bets, forced.opening_bet),
        raise_by=forced.reopening_min,
        answered=(NOT_YET,) * len(stacks),
        places=setup.places or nothing,
    )


def _post(
    post: Post, owed: tuple[int, ...], order: tuple[int, ...], stacks: list[int], told: Telling
) -> tuple[int, ...]:
    """Takes what each seat owes, or all it has, from the stacks."""
    if not any(owed):
        return owed
    posted = list(owed)
    for seat in order:
        amount = owed[seat]
        if amount:
            stack = stacks[seat]
            if stack < amount:
                posted[seat] = amount = stack
            stacks[seat] = stack - amount
            if amount:
                tell(told, Posted(seat, post, amount, stack == amount))
    return tuple(posted)


def deal(hand: Hand, cards: tuple[Card | None, ...], told: Telling) -> Hand:
    """Takes the cards that the hand waits for."""
    if not hand.hole:
        hand = betting.next_turn(_dealt(hand, cards, told), _able_before(hand, hand.forced.first), told)
        return hand if hand.turn != NOBODY else _after_betting(hand, told)
    board = cards[1:]
    assert _all_known(board), "the cards of a board are known to everybody"
    street = _AFTER[hand.street]
    tell(told, StreetDealt(street, board))
    if len(hand.able) < 2:
        # There is nothing to bet, and all live hands are face up since the last street ended.
        hand = replace(hand, street=street, board=hand.board + board, awaits=CARD_DRAW)
        return showdown.go_on(hand, told) if street is RIVER else hand
    hand = replace(
        hand,
        street=street,
        board=hand.board + board,
        raise_by=hand.forced.reopening_min,
        answered=(NOT_YET,) * len(hand.answered),
        aggressor=NOBODY,
    )
    hand = betting.next_turn(hand, 0, told)
    return hand if hand.turn != NOBODY else _after_betting(hand, told)


def _able_before(hand: Hand, seat: int) -> int:
    """How many of the able seats come before this one, which need not be able itself."""
    if seat in hand.able:
        return hand.able.index(seat)
    before = hand.order[: hand.order.index(seat)]
    return len([other for other in before if other in hand.able])


def _dealt(hand: Hand, cards: tuple[Card | None, ...], told: Telling) -> Hand:
    order = hand.order
    hole: list[Sealed[Pocket] | None] = [None] * len(hand.stacks)
    tell(told, HoleCardsDealt(order))
    for seat, pocket in zip(order, zip(cards[: len(order)], cards[len(order) :], strict=True), strict=True):
        hole[seat] = Sealed(pocket)
        if _all_known(pocket):
            told.append(Told(HoleCards(seat, pocket), _ONLY[seat]))
    return replace(hand, hole=tuple(hole))


def _all_known(cards: tuple[Card | None, ...]) -> TypeGuard[tuple[Card, ...]]:
    return None not in cards


def act(hand: Hand, seat: int, action: HoldemAction, told: Telling) -> Hand:
    """Does what the menu offers, and goes on to the next decision or draw."""
    if hand.street is SHOWDOWN:
        return showdown.act(hand, seat, action, told)
    place = hand.able.index(seat)
    hand = betting.bet(hand, seat, action, told)
    if len(hand.live) == 1:
        return award_uncontested(hand, told)
    hand = betting.next_turn(hand, place + (seat in hand.able), told)
    return hand if hand.turn != NOBODY else _after_betting(hand, told)


def _after_betting(hand: Hand, told: Telling) -> Hand:
    if len(hand.live) == 1:
        return award_uncontested(hand, told)
    return _end_street(hand, told)


def _end_street(hand: Hand, told: Telling) -> Hand:
    """Makes the pots, and waits for the next street's cards or goes to the showdown.

    With at most one player who could still bet, all live hands are turned up before any more cards come.
    """
    hand = collect(hand, told)
    shown = hand.shown if len(hand.able) > 1 else showdown.turn_up(hand, told)
    hand = replace(hand, shown=shown, awaits=CARD_DRAW if hand.board else FLOP_DRAW)
    return showdown.go_on(hand, told) if hand.street is RIVER else hand

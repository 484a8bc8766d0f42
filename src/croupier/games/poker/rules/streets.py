"""The course of a hand: blinds, cards, streets, showdown, end."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, TypeGuard

from msgspec.structs import replace

from croupier.cards import Card
from croupier.game.game import Told, UnseenCardError, only
from croupier.game.sealed import Sealed
from croupier.games.poker.rules import betting, showdown
from croupier.games.poker.rules.actions import HoldemAction
from croupier.games.poker.rules.events import (
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
from croupier.games.poker.rules.finish import award_uncontested
from croupier.games.poker.rules.pots import collect
from croupier.games.poker.rules.setup import SEATS_MAX, ForcedBets, HoldemSetup
from croupier.games.poker.rules.state import (
    FLOP_DRAW,
    NOBODY,
    NOT_YET,
    RIVER_DRAW,
    TURN_DRAW,
    Hand,
    Pocket,
    Telling,
    hole_draw,
    tell,
)

_ONLY: Final = tuple(only(seat) for seat in range(SEATS_MAX))
_ANTE: Final = Post.ANTE
_BLINDS: Final = (Post.SMALL_BLIND, Post.BIG_BLIND, Post.STRADDLE)
_AFTER: Final = {Street.PREFLOP: Street.FLOP, Street.FLOP: Street.TURN, Street.TURN: Street.RIVER}
_NEXT_DRAW: Final = {PREFLOP: FLOP_DRAW, Street.FLOP: TURN_DRAW, Street.TURN: RIVER_DRAW, RIVER: RIVER_DRAW}
"""What comes after a street. After the river nothing does: the hand goes to the showdown."""


def begin(
    setup: HoldemSetup, order: tuple[int, ...], dealt: tuple[int, ...], forced: ForcedBets, level: int, told: Telling
) -> Hand:
    """Posts antes and blinds of the seats in the hand; then it waits for the hole cards of the seats dealt in."""
    small, big = sorted(forced.blinds)[-2:]
    tell(told, HandStarted(setup.hand, level, small, big, max(forced.antes), setup.button, dealt, setup.stacks))
    stacks = list(setup.stacks)
    antes = _post(forced.antes, dict.fromkeys(order, _ANTE), stacks, told)
    bets = _post(forced.blinds, _named_blinds(forced.blinds, order), stacks, told)
    nothing = (0,) * len(stacks)
    return Hand(
        setup=setup,
        forced=forced,
        awaits=hole_draw(dealt),
        street=PREFLOP,
        order=order,
        dealt=dealt,
        live=dealt,
        able=dealt if 0 not in stacks else tuple([seat for seat in dealt if stacks[seat]]),
        stacks=tuple(stacks),
        bets=bets,
        paid=nothing if forced.antes_dead else antes,
        dead=sum(antes) if forced.antes_dead else 0,
        bet=max(*bets, forced.opening_bet),
        raise_by=forced.reopening_min,
        answered=(NOT_YET,) * len(stacks),
        places=setup.places or nothing,
    )


@lru_cache(maxsize=1024)  # A table asks for the same few, hand after hand.
def _named_blinds(owed: tuple[int, ...], order: tuple[int, ...]) -> Mapping[int, Post]:
    """Which blind each seat posts, in the order in which they are posted: the small one first."""
    posting = sorted((seat for seat in order if owed[seat]), key=lambda seat: owed[seat])
    names = _BLINDS[1:] if len(posting) == 1 else _BLINDS
    return {seat: names[min(place, len(names) - 1)] for place, seat in enumerate(posting)}


def _post(owed: tuple[int, ...], posts: Mapping[int, Post], stacks: list[int], told: Telling) -> tuple[int, ...]:
    """Takes what each of these seats owes, or all it has, from the stacks."""
    if not any(owed):
        return owed
    posted = list(owed)
    for seat, post in posts.items():
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
    if not _all_known(board):
        raise UnseenCardError("the cards of a board are known to everybody")
    street = _AFTER[hand.street]
    tell(told, StreetDealt(street, board))
    if len(hand.able) < 2:
        # There is nothing to bet, and all live hands are face up since the last street ended.
        hand = replace(hand, street=street, board=hand.board + board, awaits=_NEXT_DRAW[street])
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
    order = hand.dealt
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
    hand = replace(hand, shown=shown, awaits=_NEXT_DRAW[hand.street])
    return showdown.go_on(hand, told) if hand.street is RIVER else hand

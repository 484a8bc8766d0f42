"""The order of a hand: blinds, cards, streets, showdown, end."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from croupier.cards import Card
from croupier.game.game import Draw, Offer, Told, UnseenCardError, only
from croupier.game.sealed import Sealed
from croupier.games.poker.rules import betting, showdown
from croupier.games.poker.rules.actions import RUN_ONCE, HoldemAction, RunIt
from croupier.games.poker.rules.config import BOARD_CARDS, SEATS_MAX, Betting, HoldemOptions, Split
from croupier.games.poker.rules.events import (
    PREFLOP,
    RIVER,
    SHOWDOWN,
    HandStarted,
    HoleCards,
    HoleCardsDealt,
    Post,
    Posted,
    RunAgreed,
    Street,
    StreetDealt,
)
from croupier.games.poker.rules.finish import award_uncontested, rabbit_dealt, won_unseen
from croupier.games.poker.rules.forced_bets import blind_names
from croupier.games.poker.rules.pots import collect
from croupier.games.poker.rules.setup import ForcedBets, HoldemSetup
from croupier.games.poker.rules.state import (
    NOBODY,
    NOT_YET,
    STREET_DRAWS,
    TURNS,
    Broadcast,
    Hand,
    Pocket,
    all_known,
    hole_draw,
    run_draw,
    runs_max,
    tell,
)

_ONLY: Final = tuple(only(seat) for seat in range(SEATS_MAX))
_ANTE: Final = Post.ANTE
_BOMB: Final = Post.BOMB
_DEAD: Final = Post.DEAD
_AFTER: Final = {Street.PREFLOP: Street.FLOP, Street.FLOP: Street.TURN, Street.TURN: Street.RIVER}
_STREET_OF: Final = {3: Street.FLOP, 4: Street.TURN, 5: Street.RIVER}
_BIG_BET_STREETS: Final = (Street.TURN, Street.RIVER)
_FIXED_LIMIT: Final = Betting.FIXED_LIMIT
_DRAWS: Final = STREET_DRAWS[1]
_DRAWS_OF_TWO: Final = STREET_DRAWS[2]
_TWO_BOARDS: Final = Split.TWO_BOARDS


def begin(
    options: HoldemOptions,
    setup: HoldemSetup,
    order: tuple[int, ...],
    dealt: tuple[int, ...],
    forced: ForcedBets,
    level: int,
    told: Broadcast,
) -> Hand:
    """Post the antes and blinds, then wait for the hole cards of the seats dealt in."""
    tell(told, _started(options, setup, dealt, forced, level))
    stacks = list(setup.stacks)
    antes = _post(forced.antes, dict.fromkeys(order, _ANTE), stacks, told)
    dead = _post(forced.dead or (0,) * len(stacks), dict.fromkeys(order, _DEAD), stacks, told)
    blinds = dict.fromkeys(order, _BOMB) if forced.bomb else blind_names(options, setup, order, forced)
    bets = _post(forced.blinds, blinds, stacks, told)
    nothing = (0,) * len(stacks)
    return Hand(
        options=options,
        setup=setup,
        forced=forced,
        awaits=hole_draw(dealt, options.hole_cards, options.pack),
        street=PREFLOP,
        order=order,
        dealt=dealt,
        live=dealt,
        able=dealt if 0 not in stacks else tuple([seat for seat in dealt if stacks[seat]]),
        stacks=tuple(stacks),
        bets=bets,
        paid=nothing if forced.antes_dead else antes,
        dead=sum(dead) + (sum(antes) if forced.antes_dead else 0),
        bet=max(*bets, forced.opening_bet),
        raise_by=max(_first_raise(options, forced), forced.straddle),
        answered=(NOT_YET,) * len(stacks),
        raises=2 if options.straddle and len(order) > 2 else 1,
        is_capped=len(dealt) > 2,
        places=setup.places or nothing,
    )


def _first_raise(options: HoldemOptions, forced: ForcedBets) -> int:
    """What it takes to reopen the betting at first: in fixed-limit the small bet, though any all-in should do it."""
    return forced.reopening_min or (forced.bet_min if options.betting is _FIXED_LIMIT else 0)


def _started(
    options: HoldemOptions, setup: HoldemSetup, dealt: tuple[int, ...], forced: ForcedBets, level: int
) -> HandStarted:
    """The blinds that a hand is played for: those of the level or, where the setup has its own, the two highest."""
    if setup.forced is None:
        now = options.level(level)
        stakes = now.small_blind, now.big_blind, now.ante
    else:
        small, big = sorted(forced.blinds)[-2:]
        stakes = small, big, max(forced.antes)
    return HandStarted(setup.hand, level, *stakes, setup.button, dealt, setup.stacks, forced.bomb)


def _post(owed: tuple[int, ...], posts: Mapping[int, Post], stacks: list[int], told: Broadcast) -> tuple[int, ...]:
    """Take what each of these seats owes, or all it has, from the stacks."""
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


def deal(hand: Hand, cards: tuple[Card | None, ...], told: Broadcast) -> Hand:
    """Take the cards that the hand waits for."""
    if not hand.hole:
        hand = _dealt(hand, cards, told)
        if not hand.forced.bomb:
            hand = betting.next_turn(hand, _able_before(hand, hand.forced.first), told)
        return hand if hand.turn != NOBODY else _after_betting(hand, told)
    if hand.awards:
        return rabbit_dealt(hand, cards, told)
    board = cards[1:]
    if not all_known(board):
        raise UnseenCardError("the cards of a board are known to everybody")
    if len(hand.board) == BOARD_CARDS:
        return _run_again(hand, board, told)
    street = _AFTER[hand.street]
    if hand.options.pot is _TWO_BOARDS:
        hand, board = _second_board(hand, board)
    tell(told, StreetDealt(street, board))
    if hand.other_boards:
        tell(told, StreetDealt(street, hand.other_boards[0][-len(board) :], board=1))
    if len(hand.able) < 2:
        # There is nothing to bet, and all live hands are face up since the last street ended.
        hand = replace(hand, street=street, board=hand.board + board, awaits=_next_draw(hand, street))
        if street is RIVER:
            return showdown.proceed(hand, told) if hand.runs == 1 else _next_run(hand)
        return hand
    is_fixed = hand.options.betting is _FIXED_LIMIT
    hand = replace(
        hand,
        street=street,
        board=hand.board + board,
        raise_by=_first_raise(hand.options, hand.forced) * (2 if is_fixed and street in _BIG_BET_STREETS else 1),
        answered=(NOT_YET,) * len(hand.answered),
        raises=0,
        is_capped=len(hand.live) > 2,
        aggressor=NOBODY,
    )
    hand = betting.next_turn(hand, 0, told)
    return hand if hand.turn != NOBODY else _after_betting(hand, told)


def _second_board(hand: Hand, cards: tuple[Card, ...]) -> tuple[Hand, tuple[Card, ...]]:
    """Put the second board's cards of the street there. Return those for the first."""
    half = len(cards) // 2
    before = hand.other_boards[0] if hand.other_boards else ()
    return replace(hand, other_boards=(before + cards[half:],)), cards[:half]


def _next_run(hand: Hand) -> Hand:
    """A board is complete: begin the next one with the cards that lay there when the runs were agreed, or show the
    hand."""
    before = hand.board[: hand.common]
    return replace(
        hand,
        other_boards=(*hand.other_boards, before),
        awaits=run_draw(hand.common, len(hand.other_boards) + 1, hand.common),
    )


def _run_again(hand: Hand, cards: tuple[Card, ...], told: Broadcast) -> Hand:
    """The next street of a board after the first."""
    *done, present = hand.other_boards
    number = len(done) + 1
    board = present + cards
    tell(told, StreetDealt(_STREET_OF[len(board)], cards, number))
    hand = replace(hand, other_boards=(*done, board))
    if len(board) < BOARD_CARDS:
        return replace(hand, awaits=run_draw(len(board), number, hand.common))
    return _next_run(hand) if number + 1 < hand.runs else showdown.proceed(hand, told)


def _next_draw(hand: Hand, street: Street) -> Draw[Card]:
    return (_DRAWS_OF_TWO if hand.options.pot is _TWO_BOARDS else _DRAWS)[street]


def _able_before(hand: Hand, seat: int) -> int:
    """How many of the able seats come before this one, which need not be able itself."""
    if seat in hand.able:
        return hand.able.index(seat)
    before = hand.order[: hand.order.index(seat)]
    return len([other for other in before if other in hand.able])


def _dealt(hand: Hand, cards: tuple[Card | None, ...], told: Broadcast) -> Hand:
    order = hand.dealt
    hole: list[Sealed[Pocket] | None] = [None] * len(hand.stacks)
    tell(told, HoleCardsDealt(order, hand.options.hole_cards))
    seats = len(order)
    for place, seat in enumerate(order):
        pocket = cards[place::seats]
        hole[seat] = Sealed(pocket)
        if all_known(pocket):
            told.append(Told(HoleCards(seat, pocket), _ONLY[seat]))
    return replace(hand, hole=tuple(hole))


def act(hand: Hand, seat: int, action: HoldemAction, told: Broadcast) -> Hand:
    """Do what the menu offers, and go on to the next decision or draw."""
    if hand.street is SHOWDOWN:
        return won_unseen(hand, seat, action, told) if hand.awards else showdown.act(hand, seat, action, told)
    if type(action) is RunIt:
        return _ask_runs(replace(hand, votes=(*hand.votes, (seat, action.times))), told)
    place = hand.able.index(seat)
    hand = betting.bet(hand, seat, action, told)
    if len(hand.live) == 1:
        return award_uncontested(hand, told)
    hand = betting.next_turn(hand, place + (seat in hand.able), told)
    return hand if hand.turn != NOBODY else _after_betting(hand, told)


def _after_betting(hand: Hand, told: Broadcast) -> Hand:
    if len(hand.live) == 1:
        return award_uncontested(hand, told)
    return _end_street(hand, told)


def _end_street(hand: Hand, told: Broadcast) -> Hand:
    """Make the pots, and wait for the next street's cards or go to the showdown.

    With at most one player who could still bet, all live hands are turned up before any more cards come.
    """
    hand = collect(hand, told)
    shown = hand.shown if len(hand.able) > 1 else showdown.turn_up(hand, told)
    hand = replace(hand, shown=shown, awaits=_next_draw(hand, hand.street))
    if hand.street is RIVER:
        return showdown.proceed(hand, told)
    return hand if len(hand.able) > 1 or hand.options.run_times == 1 else _ask_runs(hand, told)


def _ask_runs(hand: Hand, told: Broadcast) -> Hand:
    """Ask the seats of an all-in in turn how often to deal the rest of the board, until one says once or all have
    answered. Then the cards come."""
    most = min([runs_max(hand), *(times for _, times in hand.votes)])
    said = [seat for seat, _ in hand.votes]
    waiting = [seat for seat in hand.live if seat not in said]
    if most > 1 and any(seat in hand.left for seat in waiting):
        most = 1
    if most > 1 and waiting:
        menu = (Offer[HoldemAction](RUN_ONCE, "times", 1, most),)
        return replace(hand, turn=waiting[0], offers=menu, awaits=TURNS[waiting[0]])
    if most > 1:
        tell(told, RunAgreed(most))
    return replace(
        hand, turn=NOBODY, offers=(), runs=most, common=len(hand.board), awaits=_next_draw(hand, hand.street)
    )

"""Compiled: bets become pots, hands are shown or mucked, pots go to the winners.

`games.poker.rules.pots`, `showdown` and `finish` on arrays. A hand is beaten in every pot that it could win if a better
one is shown among the seats that paid at least as much: pots lie within each other, so the highest pot of a seat has
the fewest rivals.
"""

from typing import Final

import numpy as np
from numba import int64

from croupier.lab.batch.bits import lowest, next_after, size
from croupier.lab.batch.holdem.state import BOARD, NOBODY, OVER, RIVER, SHOWDOWN, Config, Table
from croupier.lab.compiler import inlined, kernel
from croupier.lab.poker.evaluator_tables import SUITS_AT_START
from croupier.lab.poker.kernels import rank_by_key, suit_mask

__all__ = ["award_uncontested", "collect", "proceed"]

_START: Final = np.uint64(SUITS_AT_START)


@kernel
def collect(config: Config, table: Table) -> None:
    """Take the street's bets in, after giving back what nobody could call; nothing is left to call."""
    if table.bet == 0:
        return
    table.bet = 0
    highest, second, owner, betting = int64(0), int64(0), 0, False
    for seat in range(config.seats):
        bet = table.bets[seat]
        betting |= bet != 0
        total = table.paid[seat] + bet
        if total > highest:
            highest, second, owner = total, highest, seat
        elif total > second:
            second = total
    if not betting:
        return
    for seat in range(config.seats):
        table.paid[seat] += table.bets[seat]
        table.bets[seat] = 0
    uncalled = highest - second
    if uncalled:
        table.paid[owner] = second
        table.stacks[owner] += uncalled
        table.able |= table.live & (1 << owner)


@inlined
def _end(config: Config, table: Table) -> None:
    for seat in range(config.seats):
        table.paid[seat] = 0
    table.dead = 0
    table.turn = NOBODY
    table.street = OVER


@kernel
def award_uncontested(config: Config, table: Table) -> None:
    """Everybody else has folded: the pot goes to the last seat."""
    collect(config, table)
    amount = table.dead
    for seat in range(config.seats):
        amount += table.paid[seat]
    table.stacks[lowest(int64(table.live))] += amount
    _end(config, table)


@kernel
def proceed(config: Config, table: Table) -> None:
    """Show and muck in order until a player must decide, or give out the pots when all is done."""
    live = int64(table.live)
    if table.street == RIVER:
        _rank(config, table, live)
    shown, ranked, passed = int64(table.shown), int64(table.ranked), int64(table.mucked)
    aggressor = int64(table.aggressor)
    first = aggressor if aggressor >= 0 and live >> aggressor & 1 else next_after(live, int64(table.button))
    seat = first
    while True:
        bit = 1 << seat
        if not (ranked | passed) & bit:
            if not shown & bit:
                if _beaten(table, seat, ranked):
                    table.street = SHOWDOWN
                    table.turn = seat
                    table.shown = shown
                    table.ranked = ranked
                    return
                shown |= bit
            ranked |= bit
        seat = next_after(live, seat)
        if seat == first:
            break
    table.shown = shown
    table.ranked = ranked
    _award(config, table, live, ranked)
    _end(config, table)


@inlined
def _rank(config: Config, table: Table, live: int) -> None:
    """The rank of every live hand."""
    keys = config.card_keys
    on_board, board_mask = _START, np.uint64(0)
    for place in range(BOARD):
        card = table.board[place]
        on_board += keys[card]
        board_mask |= suit_mask(card)
    left = live
    while left:
        seat = lowest(left)
        left &= left - 1
        first, second = table.hole[seat, 0], table.hole[seat, 1]
        mask = board_mask | suit_mask(first) | suit_mask(second)
        table.ranks[seat] = rank_by_key(config, on_board + keys[first] + keys[second], mask)


@inlined
def _beaten(table: Table, seat: int, ranked: int) -> bool:
    """Whether in every pot that the seat could win a better hand is already shown."""
    paid, own = table.paid[seat], table.ranks[seat]
    rivals = ranked
    while rivals:
        other = lowest(rivals)
        rivals &= rivals - 1
        if table.ranks[other] < own and table.paid[other] >= paid:
            return True
    potless: bool = paid == 0 and table.dead == 0
    return potless


@inlined
def _award(config: Config, table: Table, live: int, ranked: int) -> None:
    """Each pot, from the lowest layer up, goes to the best hands among the seats that can win it."""
    contenders, below, amount = live, int64(0), table.dead
    while contenders:
        level, highest = table.paid[lowest(contenders)], int64(0)
        left = contenders
        while left:
            chips = table.paid[lowest(left)]
            left &= left - 1
            level = min(level, chips)
            highest = max(highest, chips)
        # The top layer takes all that is left, whatever a folded seat had in.
        top = level == highest
        for seat in range(config.seats):
            chips = table.paid[seat]
            if chips > below:
                amount += (chips if top or chips < level else level) - below
        if amount:
            _split(config, table, amount, contenders & ranked)
        if top:
            return
        left = contenders
        while left:
            seat = lowest(left)
            left &= left - 1
            if table.paid[seat] <= level:
                contenders &= ~(1 << seat)
        below, amount = level, int64(0)


@inlined
def _split(config: Config, table: Table, amount: int, rivals: int) -> None:
    """The best of the rivals share a pot; odd chips go out from the left of the button."""
    best, winners = 1 << 16, 0
    while rivals:
        seat = lowest(rivals)
        rivals &= rivals - 1
        rank = int64(table.ranks[seat])
        if rank < best:
            best, winners = rank, 1 << seat
        elif rank == best:
            winners |= 1 << seat
    count = size(winners)
    if count == 1:
        table.stacks[lowest(winners)] += amount
        return
    share = amount // count
    odd = amount - share * count
    last = int(table.button)
    for _ in range(count):
        last = next_after(winners, last)
        more = int64(0)
        if odd:
            more = int64(1) if config.odd_chips_each else odd
            odd -= more
        table.stacks[last] += share + more

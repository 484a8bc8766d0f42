"""Compiled: a hand from its beginning, through legality and actions, to the showdown. `games.poker.rules.streets` and
`betting` on arrays. `offers` is the one source of legality: `legal` reports it, and `act` asks it.
"""

from typing import Any, Final

import numpy as np
from numba import int64
from numpy.typing import NDArray

from croupier.lab.batch.bits import lowest, next_after, several, size
from croupier.lab.batch.holdem.showdown import award_uncontested, collect, proceed
from croupier.lab.batch.holdem.state import (
    ACCEPTED,
    BET_ALREADY_MADE,
    BET_TOO_BIG,
    BET_TOO_SMALL,
    BETTING_NOT_REOPENED,
    CANNOT_CHECK,
    CARDS,
    HISTORY,
    KIND_BITS,
    NO_ACTION,
    NOBODY,
    NOBODY_CAN_CALL,
    NOT_OFFERED,
    NOT_SHOWDOWN,
    NOTHING_TO_CALL,
    NOTHING_TO_RAISE,
    ONLY_ALL_IN,
    PREFLOP,
    RAISE_TOO_BIG,
    RAISE_TOO_SMALL,
    RIVER,
    ROUND_OVER,
    SEAT_BITS,
    SHOW_OR_MUCK,
    SHOWDOWN,
    STREET_BITS,
    Config,
    Kind,
    Table,
    Tables,
)
from croupier.lab.compiler import inlined, kernel
from croupier.lab.random_numbers import draw_below

Amounts = NDArray[np.int64]

FOLD: Final = int(Kind.FOLD)
CHECK: Final = int(Kind.CHECK)
CALL: Final = int(Kind.CALL)
BET: Final = int(Kind.BET)
RAISE: Final = int(Kind.RAISE)
ALL_IN: Final = int(Kind.ALL_IN)
SHOW: Final = int(Kind.SHOW)
MUCK: Final = int(Kind.MUCK)

_SHOW_OR_MUCK: Final = 1 << SHOW | 1 << MUCK
_FOLD_OR_CHECK: Final = 1 << FOLD | 1 << CHECK
_FOLD_OR_CALL: Final = 1 << FOLD | 1 << CALL
_SPREAD: Final = (np.arange(256)[:, np.newaxis] >> np.arange(8) & 1).astype(np.uint8).view(np.uint64).reshape(-1)
"""For eight bits, eight bytes of 0 or 1 in one word."""


@inlined
def draw_to(table: Table, count: int) -> None:
    """Deal until `count` cards of the deck are dealt.

    A swap with a random card of the rest leaves a uniform order whatever the deck's order was before.
    """
    chance, given = table.chance, int64(table.given)
    for place in range(int64(table.dealt), count):
        if place >= given:
            chance, further, _ = draw_below(chance, CARDS - place)
            other = place + further
            card = table.deck[other]
            table.deck[other] = table.deck[place]
            table.deck[place] = card
    table.chance = chance
    table.dealt = count


@inlined
def _level(config: Config, table: Table) -> int:
    if config.level_hands == 0:
        return 0
    level: int = min((table.hand - 1) // config.level_hands, config.levels - 1)
    return level


@inlined
def _pay(table: Table, seat: int, owed: int) -> int:
    """Take what the seat owes, or all it has, from its stack."""
    amount: int = min(owed, table.stacks[seat])
    table.stacks[seat] -= amount
    return amount


@kernel
def begin(config: Config, table: Table) -> None:
    """Begin a hand from `began`, `away`, `button` and `hand`: post, deal, and find the first decision, if there is one.

    At least two seats must be in play, the button's among them.
    """
    playing = int64(0)
    for seat in range(config.seats):
        stack = table.began[seat]
        table.stacks[seat] = stack
        table.bets[seat] = 0
        table.paid[seat] = 0
        if stack:
            playing |= int64(1) << seat
    playing &= ~int64(table.away)
    button = int64(table.button)
    count = size(playing)
    small = button if count == 2 else next_after(playing, button)
    big = next_after(playing, small)
    _post(config, table, playing, small, big)
    able = int64(0)
    left = playing
    while left:
        seat = lowest(left)
        left &= left - 1
        if table.stacks[seat]:
            able |= int64(1) << seat
    table.playing = playing
    table.live = playing
    table.able = able
    table.pending = able
    table.acted = 0
    table.shown = 0
    table.mucked = 0
    table.ranked = 0
    table.street = PREFLOP
    table.aggressor = NOBODY
    table.actions = 0
    table.dealt = 0
    draw_to(table, 2 * count)
    seat = button
    for place in range(count):
        seat = next_after(playing, seat)
        table.hole[seat, 0] = table.deck[place]
        table.hole[seat, 1] = table.deck[count + place]
    first = small if count == 2 else next_after(playing, big)
    _pass_turn(config, table, first - 1)


@inlined
def _post(config: Config, table: Table, playing: int, small: int, big: int) -> None:
    """Antes first, then the blinds."""
    level = _level(config, table)
    ante, big_blind = config.antes[level], config.big_blinds[level]
    table.dead = 0
    if ante:
        if config.antes_dead:
            table.dead = _pay(table, big, ante)
        else:
            left = playing
            while left:
                seat = lowest(left)
                left &= left - 1
                table.paid[seat] = _pay(table, seat, ante)
    table.bets[small] = _pay(table, small, config.small_blinds[level])
    table.bets[big] = _pay(table, big, big_blind)
    table.bet = big_blind
    table.raise_by = big_blind
    table.bet_min = big_blind


@inlined
def _pass_turn(config: Config, table: Table, after: int) -> None:
    """Give the turn to the first seat clockwise that the bet still asks, or end the street."""
    pending = int64(table.pending)
    if pending:
        seat = next_after(pending, after)
        if several(int64(table.able)):
            table.turn = seat
            return
        # Nobody is left to play against: a blind that was not posted in full asks no more than what is there.
        price = int64(0)
        for other in range(config.seats):
            price = max(price, table.bets[other])
        if table.bets[seat] != price:
            table.bet = price
            table.turn = seat
            return
    _end_street(config, table)


@kernel
def _end_street(config: Config, table: Table) -> None:
    """Make the pots, deal on to the next decision, or to the showdown."""
    collect(config, table)
    able = int64(table.able)
    betting = several(able)
    if not betting:
        table.shown = table.live
    street = int64(table.street)
    while street != RIVER:
        street += 1
        table.street = street
        _deal_street(config, table, street)
        if betting:
            table.raise_by = table.bet_min
            table.acted = 0
            table.pending = able
            table.aggressor = NOBODY
            table.turn = next_after(able, int64(table.button))
            return
    proceed(config, table)


@inlined
def _deal_street(config: Config, table: Table, street: int) -> None:
    """Burn a card, and deal the flop, the turn or the river."""
    first = int64(table.dealt) + 1
    place = 0 if street == 1 else street + 1
    count = 3 if street == 1 else 1
    draw_to(table, first + count)
    for number in range(count):
        table.board[place + number] = table.deck[first + number]


@inlined
def _is_open(table: Table, seat: int) -> bool:
    """Whether the seat may raise: it has not acted yet, or the bet has gone up by a full raise since it did."""
    if not table.acted >> seat & 1:
        return True
    gone_up: bool = table.bet - table.answered[seat] >= table.raise_by
    return gone_up


@inlined
def _can_be_called(table: Table, seat: int) -> bool:
    """Whether some other live seat could put in more than the present bet."""
    others = int64(table.able) & ~(int64(1) << seat)
    bet = table.bet
    while others:
        other = lowest(others)
        others &= others - 1
        if table.stacks[other] + table.bets[other] > bet:
            return True
    return False


@inlined
def _least(table: Table) -> int:
    """What a bet or raise that is no all-in must come to."""
    least: int = table.bet + max(table.raise_by, table.bet_min)
    return least


@inlined
def offers(table: Table) -> tuple[int, int, int]:
    """What the seat in turn may do: a bit for each kind, and the least and most of a bet or raise if offered."""
    seat = int64(table.turn)
    if seat < 0:
        return 0, 0, 0
    if table.street == SHOWDOWN:
        return _SHOW_OR_MUCK, 0, 0
    stack, own, bet = table.stacks[seat], table.bets[seat], table.bet
    if stack <= bet - own:
        return _FOLD_OR_CALL | 1 << ALL_IN, 0, 0
    kinds = _FOLD_OR_CHECK if own == bet else _FOLD_OR_CALL
    if not (_is_open(table, seat) and _can_be_called(table, seat)):
        return kinds, 0, 0
    kinds |= 1 << ALL_IN
    low, high = _least(table), own + stack
    if high < low:
        return kinds, 0, 0
    return kinds | (1 << RAISE if bet else 1 << BET), low, high


@kernel
def refusal(table: Table, kind: int, amount: int) -> int:
    """Why the seat in turn may not do this, which `offers` does not offer."""
    seat, bet = int64(table.turn), table.bet
    if seat < 0:
        return ROUND_OVER
    if kind < FOLD or kind > MUCK:
        return NOT_OFFERED
    if table.street == SHOWDOWN:
        return SHOW_OR_MUCK
    if kind == CHECK:
        return CANNOT_CHECK
    if kind == CALL:
        return NOTHING_TO_CALL
    if kind in (SHOW, MUCK):
        return NOT_SHOWDOWN
    if kind == BET and bet:
        return BET_ALREADY_MADE
    if kind == RAISE and not bet:
        return NOTHING_TO_RAISE
    if not _is_open(table, seat):
        return BETTING_NOT_REOPENED
    if not _can_be_called(table, seat):
        return NOBODY_CAN_CALL
    high = table.bets[seat] + table.stacks[seat]
    if high <= bet or high < _least(table):
        return ONLY_ALL_IN
    if amount > high:
        return RAISE_TOO_BIG if bet else BET_TOO_BIG
    return RAISE_TOO_SMALL if bet else BET_TOO_SMALL


@inlined
def act(config: Config, table: Table, past: Table, kind: int, amount: int) -> int:
    """Do what is offered to the seat in turn, and go on to the next decision. Return ACCEPTED or why not."""
    kinds, low, high = offers(table)
    if kind < 0 or not kinds >> kind & 1 or (kind in (BET, RAISE) and not low <= amount <= high):
        return refusal(table, kind, amount)
    seat = int64(table.turn)
    bit = int64(1) << seat
    if kind in (SHOW, MUCK):
        _remember(table, past, seat, kind)
        if kind == SHOW:
            table.shown |= bit
        else:
            table.mucked |= bit
        proceed(config, table)
        return ACCEPTED
    if kind == FOLD:
        _remember(table, past, seat, kind)
        live = int64(table.live) & ~bit
        table.live = live
        table.able &= ~bit
        table.pending &= ~bit
        if not several(live):
            award_uncontested(config, table)
            return ACCEPTED
    else:
        to = amount
        if kind in (CALL, CHECK):
            to = table.bet
        elif kind == ALL_IN:
            to = high_of(table, seat)
        _wager(table, seat, to)
        _remember(table, past, seat, kind)
    _pass_turn(config, table, seat)
    return ACCEPTED


@inlined
def high_of(table: Table, seat: int) -> int:
    """What the seat has bet on this street when its whole stack is in."""
    high: int = table.bets[seat] + table.stacks[seat]
    return high


@inlined
def _wager(table: Table, seat: int, to: int) -> None:
    """Bring what the seat has bet on this street to `to`, or as near as its stack goes."""
    stack, before, bet = table.stacks[seat], table.bets[seat], table.bet
    bit = int64(1) << seat
    amount = min(to - before, stack)
    to = before + amount
    able = int64(table.able)
    if amount == stack:
        able &= ~bit
        table.able = able
    table.stacks[seat] = stack - amount
    table.bets[seat] = to
    table.answered[seat] = to
    table.acted |= bit
    if to > bet:
        table.bet = to
        # A short all-in leaves the least raise as it was.
        table.raise_by = max(to - bet, table.raise_by)
        table.aggressor = seat
        table.pending = able & ~bit
    else:
        table.pending &= ~bit


@inlined
def _remember(table: Table, past: Table, seat: int, kind: int) -> None:
    """Write the action into the history."""
    word = table.bets[seat] << STREET_BITS | table.street
    word = (word << KIND_BITS | kind) << SEAT_BITS | seat
    number = int64(table.actions)
    past.words[number % HISTORY] = word
    table.actions = number + 1


@kernel
def begin_hands(config: Tables, tables: Tables, chosen: NDArray[np.bool_], start: int, stop: int) -> None:
    for number in range(start, stop):
        if chosen[number]:
            begin(config[0], tables[number])


@kernel
def begin_next_hands(config: Tables, tables: Tables, chosen: NDArray[np.bool_], start: int, stop: int) -> None:
    """Begin the next hand from the same stacks; the button moves on."""
    for number in range(start, stop):
        if chosen[number]:
            table = tables[number]
            table.button = next_after(int64(table.playing), int64(table.button))
            table.hand += 1
            table.given = 0
            begin(config[0], table)


@kernel
def legal_actions(tables: Tables, masks: Any, low: Amounts, high: Amounts, start: int, stop: int) -> None:
    """The offers of every table. `masks` has a word a table; each of its bytes is 1 if that kind is offered."""
    for number in range(start, stop):
        kinds, low[number], high[number] = offers(tables[number])
        masks[number] = _SPREAD[kinds]


@kernel
def take_actions(
    config: Tables, tables: Tables, past: Tables, kinds: Any, amounts: Any, refused: Any, start: int, stop: int
) -> int:
    """One action a table; NO_ACTION leaves it alone. Return how many were taken."""
    taken = 0
    for number in range(start, stop):
        code = ACCEPTED
        if kinds[number] != NO_ACTION:
            code = act(config[0], tables[number], past[number], int64(kinds[number]), int64(amounts[number]))
            taken += code == ACCEPTED
        refused[number] = code
    return taken


@kernel
def offers_at(tables: Tables, number: int) -> tuple[int, int, int]:
    """`offers` of one table, for Python."""
    return offers(tables[number])


@kernel
def refusal_at(tables: Tables, number: int, kind: int, amount: int) -> int:
    """`refusal` at one table, for Python."""
    return refusal(tables[number], kind, amount)

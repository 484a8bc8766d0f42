"""Compiled: the loops over a batch of blackjack tables."""

from typing import Any, Final

import numpy as np
from numba import int64
from numpy.typing import NDArray

from croupier.lab.batch.blackjack.menu import BET, offers, refusal
from croupier.lab.batch.blackjack.play import begin, do
from croupier.lab.batch.blackjack.state import (
    ACCEPTED,
    HANDS,
    KINDS,
    NO_ACTION,
    OVER,
    PLAYING,
    Config,
    Table,
    Tables,
)
from croupier.lab.batch.choice import choose
from croupier.lab.compiler import inlined, kernel

SIZED: Final = 1 << BET
VALUES: Final = 10
"""Points of a card: 1 to 10."""


@inlined
def act(config: Config, table: Table, seat: int, kind: int, amount: int) -> int:
    """Do what is offered to a seat. Return ACCEPTED or why not."""
    if seat < 0 or seat >= config.seats:
        return refusal(config, table, seat, kind, amount)
    kinds, low, high = offers(config, table, seat)
    if kind < 0 or not kinds >> kind & 1 or (kind == BET and not low <= amount <= high):
        return refusal(config, table, seat, kind, amount)
    return do(config, table, seat, kind, amount)


@inlined
def follow(config: Config, table: Table) -> None:
    """Settle what the next round finds in the shoe: the used cards, or none after a shuffle."""
    goes_on = not table.reshuffled and table.gone + table.dealt < config.shuffle_at
    table.gone = table.gone + table.dealt if goes_on else 0
    table.given = 0


@kernel
def begin_rounds(config: Tables, tables: Tables, chosen: NDArray[np.bool_], start: int, stop: int) -> None:
    for number in range(start, stop):
        if chosen[number]:
            follow(config[0], tables[number])
            begin(config[0], tables[number])


@kernel
def begin_given(config: Tables, tables: Tables, chosen: NDArray[np.bool_], cards: Any, start: int, stop: int) -> int:
    """Begin rounds whose first cards are given. Return -1, or the number of a table whose shoe has not these cards."""
    for number in range(start, stop):
        if not chosen[number]:
            continue
        table = tables[number]
        follow(config[0], table)
        first = int64(table.gone)
        for place in range(cards.shape[1]):
            at = first + place
            other = at
            while other < config[0].cards and table.shoe[other] != cards[number, place]:
                other += 1
            if other >= config[0].cards:
                return number
            card = table.shoe[other]
            table.shoe[other] = table.shoe[at]
            table.shoe[at] = card
        table.given = first + cards.shape[1]
        begin(config[0], table)
    return -1


@kernel
def legal_actions(config: Tables, tables: Tables, masks: Any, low: Any, high: Any, start: int, stop: int) -> None:
    """The offers to the seat in turn at every table, a byte a kind."""
    for number in range(start, stop):
        table = tables[number]
        kinds = 0
        if table.turn >= 0:
            kinds, low[number], high[number] = offers(config[0], table, int64(table.turn))
        else:
            low[number] = high[number] = 0
        for kind in range(KINDS):
            masks[number, kind] = kinds >> kind & 1


@kernel
def take_actions(
    config: Tables, tables: Tables, kinds: Any, amounts: Any, seats: Any, refused: Any, start: int, stop: int
) -> int:
    """One action a table, by the seat in turn, or by `seats` if there is one a table. Return how many were taken."""
    taken = 0
    for number in range(start, stop):
        code = ACCEPTED
        if kinds[number] != NO_ACTION:
            table = tables[number]
            seat = int64(seats[number]) if len(seats) else max(int64(table.turn), 0)
            code = act(config[0], table, seat, int64(kinds[number]), int64(amounts[number]))
            taken += code == ACCEPTED
        refused[number] = code
    return taken


@kernel
def choose_actions(
    chance: NDArray[np.uint64], masks: Any, low: Any, high: Any, kinds: Any, amounts: Any, start: int, stop: int
) -> None:
    """A random one of the offers that `legal_actions` gave, for every table in play."""
    for number in range(start, stop):
        offered = 0
        for kind in range(KINDS):
            offered |= int64(masks[number, kind]) << kind
        kinds[number], amounts[number] = NO_ACTION, 0
        if offered:
            state, kind, amount = choose(chance[number], offered, SIZED, low[number], high[number])
            chance[number], kinds[number], amounts[number] = state, kind, amount


@kernel
def play_rounds(
    config: Tables, tables: Tables, chance: NDArray[np.uint64], rounds: int, totals: Any, start: int, stop: int
) -> int:
    """Play so many rounds at each table at random. Add what each seat won; return the number of actions."""
    shared, actions = config[0], 0
    for number in range(start, stop):
        table, policy = tables[number], chance[number]
        for _ in range(rounds):
            follow(shared, table)
            begin(shared, table)
            while table.turn >= 0:
                seat = int64(table.turn)
                kinds, low, high = offers(shared, table, seat)
                policy, kind, amount = choose(policy, kinds, SIZED, low, high)
                do(shared, table, seat, kind, amount)
                actions += 1
            for seat in range(shared.seats):
                totals[number, seat] += table.result[seat]
        chance[number] = policy
    return actions


@kernel
def fill_observations(
    config: Tables, tables: Tables, viewers: Any, out: NDArray[np.float32], start: int, stop: int
) -> None:
    """What each table's viewer may know, as `layout` describes it; zeros where that is no seat."""
    shared = config[0]
    for number in range(start, stop):
        row = out[number]
        row[:] = 0.0
        viewer = int64(viewers[number])
        if not 0 <= viewer < shared.seats:
            continue
        table = tables[number]
        row[int64(table.phase)] = 1.0
        row[3] = int64(table.undecided) >> viewer & 1
        row[4] = table.turn == viewer
        at = 5
        if table.dealer_cards:
            row[at + int64(table.up) - 1] = 1.0
        row[at + VALUES] = table.dealer_hard / 32
        row[at + VALUES + 1] = table.dealer_ace
        at += VALUES + 2
        whole = max(table.began[viewer], 1)
        row[at] = min(table.purse[viewer] / whole, 1.0)
        row[at + 1] = table.bet[viewer] / whole
        row[at + 2] = table.insurance[viewer] / whole
        at += 3
        for hand in range(HANDS):
            if hand < table.hands[viewer]:
                place = viewer * HANDS + hand
                row[at] = 1.0
                row[at + 1] = table.hard[place] / 32
                row[at + 2] = table.ace[place]
                row[at + 3] = min(table.cards[place] / 16, 1.0)
                row[at + 4] = table.cards[place] == 2 and table.first[place] == table.second[place]
                row[at + 5] = table.hand_bet[place] / whole
                row[at + 6] = table.phase == PLAYING and table.turn == viewer and table.hand == hand
                row[at + 7] = table.doubled[place]
            at += 8
        _fill_shoe(shared, table, row, at)


@inlined
def _fill_shoe(config: Config, table: Table, row: Any, at: int) -> None:
    """Of each value, the share of its cards that are not seen yet. A hole card counts as unseen until it is turned."""
    per_value = config.cards / 13
    for value in range(VALUES):
        row[at + value] = 1.0
    seen = table.gone + table.dealt
    if table.reshuffled:
        # The unused rest of the old shoe is out of play: what may come is what lies in the shuffled cards.
        for value in range(VALUES):
            row[at + value] = 0.0
        for place in range(int64(table.position), int64(table.end)):
            points = int64(config.points[table.shoe[place]])
            row[at + points - 1] += 1 / (per_value * (4 if points == 10 else 1))
    else:
        for place in range(seen):
            points = int64(config.points[table.shoe[place]])
            row[at + points - 1] -= 1 / (per_value * (4 if points == 10 else 1))
    if table.hole and table.dealer_cards == 1 and table.phase != OVER:
        points = int64(table.hole)
        row[at + points - 1] += 1 / (per_value * (4 if points == 10 else 1))
    for value in range(VALUES):
        row[at + value] = min(max(row[at + value], 0.0), 1.0)

"""Many rounds at once, one step of all of them after the other: the fast kernel, for one seat with fresh shoes.

A processor that plays one round after the other loses most of its time to branches that it guesses wrong: whether the
hand takes a card is as random as the cards. Here a step goes over a list of rounds that all do the same, and writes
each round into the list of what it does next, without a branch. First cards come from `start`'s table. A later card is
any card of the whole shoe, drawn again if it is one of those that are taken; that is a fair draw of what is left.

Rounds with a split, one in forty, are played on by the general kernel.
"""

from typing import Any, Final, TypeAlias

import numpy as np
from numba import int64, uint64

from croupier.lab.compiling import kernel
from croupier.lab.simulation import tally
from croupier.lab.simulation.program import Numbers, Plan, RuleNumbers, Table, record
from croupier.lab.simulation.random import fill, next_word, wide_product
from croupier.lab.simulation.rounds import play_round
from croupier.lab.simulation.shoes import count_round
from croupier.lab.simulation.start import (
    BLACKJACK_STATE,
    BLACKJACK_TOTAL,
    COLUMN_BITS,
    GOES_ON,
    STATES,
    TAKEN_BITS,
    TO_DOUBLE,
    TO_HIT,
    TO_SPLIT,
    TO_STAND,
    WAYS,
)

LANES: Final = 1024
"""Rounds in lockstep: few enough for the fastest cache, many enough that starting a step costs nothing."""

Sums: TypeAlias = tuple[Numbers, Numbers, Numbers]
"""How the rounds without a split ended (`ENDS` counts), and the others' sums (`SPLIT_SUMS`) and counts."""

LANES_RECORD: Final = np.dtype(
    [
        ("words", np.uint64, (LANES,)),
        ("taken", np.uint64, (LANES,)),
        ("start", np.uint16, (LANES,)),
        ("player", np.uint8, (LANES,)),
        ("dealer", np.uint8, (LANES,)),
        ("up", np.uint8, (LANES,)),
        ("lists", np.uint16, (WAYS, LANES)),
        ("lengths", np.int64, (WAYS,)),
        ("drawing", np.uint16, (LANES,)),
    ]
)

# How a round without a split ended, after the ways of `start`: entries of the kernel's counts.
WON, PUSHED, LOST, BUST = range(WAYS, WAYS + 4)
DOUBLE_WON, DOUBLE_PUSHED, DOUBLE_LOST, DOUBLE_BUST = range(WAYS + 4, WAYS + 8)
DOUBLE_LOST_ONE, DOUBLE_BUST_ONE = range(WAYS + 8, WAYS + 10)
"""Original bets only: a double that met a blackjack costs one bet."""
DEALER_BUST, DEALER_LATE_BLACKJACK = range(WAYS + 10, WAYS + 12)
ENDS: Final = WAYS + 12

SPLIT_PROFIT, SPLIT_STAKED, SPLIT_PROFIT_SQUARES, SPLIT_PRODUCTS, SPLIT_STAKED_SQUARES = range(5)
SPLIT_SUMS: Final = 5


def new_sums() -> Sums:
    return np.zeros(ENDS, np.int64), np.zeros(SPLIT_SUMS, np.int64), np.zeros(tally.COUNTS, np.int64)


def new_lanes() -> Any:
    return record(LANES_RECORD)


@kernel
def play_lockstep(
    rules: RuleNumbers, plan: Plan, table: Table, start: Any, lanes: Any, rounds: int, sums: Sums
) -> None:
    """Plays rounds and adds to the sums how they ended."""
    ends, splits, counts = sums
    while rounds > 0:
        batch = min(rounds, LANES)
        rounds -= batch
        _begin(table, start, lanes, batch)
        for way in range(TO_SPLIT + 1, WAYS):
            ends[way] += lanes.lengths[way]
        _double(rules, table, start, lanes, ends)
        _hit(rules, table, start, lanes, ends)
        _meet_dealer(rules, table, start, lanes, TO_STAND, ends, WON)
        _meet_dealer(rules, table, start, lanes, TO_DOUBLE, ends, DOUBLE_WON)
        _split(rules, plan, table, start, lanes, splits, counts)


@kernel
def _begin(table: Table, start: Any, lanes: Any, batch: int) -> None:
    """Draws every round's first cards and puts the round into the list of what it does next."""
    fill(table.generator, lanes.words, batch)
    for way in range(WAYS):
        lanes.lengths[way] = 0
    total = start.weight_total
    column_mask = uint64((1 << COLUMN_BITS) - 1)
    # Shares are drawn from the other 51 bits of the word: of their 2**51 values, the surplus is drawn again.
    surplus = (uint64(1) << uint64(64 - COLUMN_BITS)) % total
    for lane in range(batch):
        word = lanes.words[lane]
        share, rest = wide_product(word & ~column_mask, total)
        while (rest >> uint64(COLUMN_BITS)) < surplus:
            word = next_word(table.generator)
            share, rest = wide_product(word & ~column_mask, total)
        column = int64(word & column_mask)
        alias = start.aliases[column]
        found = alias + (column - alias) * int64(share < start.thresholds[column])
        lanes.start[lane] = found
        lanes.taken[lane] = start.taken[found]
        lanes.player[lane] = start.player[found]
        lanes.dealer[lane] = start.dealer[found]
        lanes.up[lane] = start.up[found]
        way = start.way[found]
        lanes.lists[way, lanes.lengths[way]] = lane
        lanes.lengths[way] += 1


@kernel
def _draw(rules: RuleNumbers, table: Table, start: Any, lanes: Any, lane: int, word: Any) -> int:
    """A card of those that are left in this round's shoe; a word for the first try is given."""
    cards = uint64(rules.cards)
    taken = lanes.taken[lane]
    while True:
        found, rest = wide_product(word, cards)
        points = start.card_points[found]
        shift = uint64(TAKEN_BITS) * uint64(points) - uint64(TAKEN_BITS)
        is_taken = uint64(start.card_places[found]) < ((taken >> shift) & uint64(63))
        if not is_taken and (rest >= cards or rest >= (uint64(0) - cards) % cards):
            lanes.taken[lane] = taken + (uint64(1) << shift)
            card: int = int64(points)
            return card
        word = next_word(table.generator)


@kernel
def _double(rules: RuleNumbers, table: Table, start: Any, lanes: Any, ends: Numbers) -> None:
    """One card for every doubled hand; the list keeps those that are not bust."""
    count = lanes.lengths[TO_DOUBLE]
    fill(table.generator, lanes.words, count)
    kept, bust_by_blackjack = 0, 0
    for index in range(count):
        lane = int64(lanes.lists[TO_DOUBLE, index])
        card = _draw(rules, table, start, lanes, lane, lanes.words[index])
        place = (int64(lanes.up[lane]) * STATES + int64(lanes.player[lane])) * 16 + card
        state = start.player_next[place] & (GOES_ON - 1)
        lanes.player[lane] = state
        lanes.lists[TO_DOUBLE, kept] = lane
        kept += state != 0
        bust_by_blackjack += (state == 0) & (lanes.dealer[lane] == BLACKJACK_STATE)
    lanes.lengths[TO_DOUBLE] = kept
    cheap = bust_by_blackjack if rules.original_bets_only else 0
    ends[DOUBLE_BUST_ONE] += cheap
    ends[DOUBLE_BUST] += count - kept - cheap


@kernel
def _hit(rules: RuleNumbers, table: Table, start: Any, lanes: Any, ends: Numbers) -> None:
    """Cards for every hand that wants them, one each time over the list, until it is empty."""
    count = lanes.lengths[TO_HIT]
    standing = lanes.lengths[TO_STAND]
    while count > 0:
        fill(table.generator, lanes.words, count)
        again, busts = 0, 0
        for index in range(count):
            lane = int64(lanes.lists[TO_HIT, index])
            card = _draw(rules, table, start, lanes, lane, lanes.words[index])
            place = (int64(lanes.up[lane]) * STATES + int64(lanes.player[lane])) * 16 + card
            flagged = start.player_next[place]
            state = flagged & (GOES_ON - 1)
            lanes.player[lane] = state
            lanes.lists[TO_HIT, again] = lane
            again += flagged != state
            lanes.lists[TO_STAND, standing] = lane
            standing += (flagged == state) & (state != 0)
            busts += state == 0
        ends[BUST] += busts
        count = again
    lanes.lengths[TO_STAND] = standing


@kernel
def _meet_dealer(
    rules: RuleNumbers, table: Table, start: Any, lanes: Any, way: int, ends: Numbers, first_end: int
) -> None:
    """Plays the dealer's hand against every hand of a list and counts who won."""
    hands = lanes.lengths[way]
    count = 0
    for index in range(hands):
        lane = int64(lanes.lists[way, index])
        lanes.drawing[count] = lane
        count += lanes.dealer[lane] >= GOES_ON
    while count > 0:
        fill(table.generator, lanes.words, count)
        again = 0
        for index in range(count):
            lane = int64(lanes.drawing[index])
            card = _draw(rules, table, start, lanes, lane, lanes.words[index])
            flagged = start.dealer_next[int64(lanes.dealer[lane] & (GOES_ON - 1)) * 16 + card]
            lanes.dealer[lane] = flagged
            lanes.drawing[again] = lane
            again += flagged >= GOES_ON
        count = again
    won, lost, dealer_busts, blackjacks = 0, 0, 0, 0
    for index in range(hands):
        lane = int64(lanes.lists[way, index])
        ours = start.totals[lanes.player[lane]]
        theirs = start.totals[lanes.dealer[lane]]
        won += ours > theirs
        lost += ours < theirs
        dealer_busts += theirs == 0
        blackjacks += theirs == BLACKJACK_TOTAL
    cheap = blackjacks if rules.original_bets_only and way == TO_DOUBLE else 0
    ends[first_end] += won
    ends[first_end + 1] += hands - won - lost
    ends[first_end + 2] += lost - cheap
    ends[DOUBLE_LOST_ONE] += cheap
    ends[DEALER_BUST] += dealer_busts
    ends[DEALER_LATE_BLACKJACK] += blackjacks


@kernel
def _split(
    rules: RuleNumbers, plan: Plan, table: Table, start: Any, lanes: Any, splits: Numbers, counts: Numbers
) -> None:
    """Plays the rounds that split by the general kernel, from a shoe in which their first cards come first."""
    for index in range(lanes.lengths[TO_SPLIT]):
        found = lanes.start[lanes.lists[TO_SPLIT, index]]
        table.position = 0
        table.limit = rules.cards
        _bring(table, 0, start.first[found])
        _bring(table, 1, start.up[found])
        _bring(table, 2, start.second[found])
        table.known = 3
        if rules.peek:
            _bring(table, 3, start.hole[found])
            table.known = 4
        complete = play_round(rules, plan, table)
        profit, staked = table.seat_profit[0], table.seat_staked[0]
        splits[SPLIT_PROFIT] += profit
        splits[SPLIT_STAKED] += staked
        splits[SPLIT_PROFIT_SQUARES] += profit * profit
        splits[SPLIT_PRODUCTS] += profit * staked
        splits[SPLIT_STAKED_SQUARES] += staked * staked
        count_round(rules, table, complete, counts)


@kernel
def _bring(table: Table, place: int, card: int) -> None:
    """Swaps a card of these points, from behind, to a place of the shoe."""
    other = place
    while table.shoe[other] != card:
        other += 1
    table.shoe[other] = table.shoe[place]
    table.shoe[place] = card

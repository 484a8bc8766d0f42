"""The fast kernel, for one seat with fresh shoes: many rounds in lockstep, all of them one step at a time.

Played one after the other, rounds lose most of their time to mispredicted branches: whether a hand takes a card is as
random as the cards. Here a step goes over a list of rounds that all do the same, and puts each round on the list of its
next step, without a branch. First cards come from the table of `first_cards`. A later card is drawn from the whole
shoe, and drawn again if it is taken already, which is a fair draw from the rest.

The general kernel finishes rounds with a split, one in forty.
"""

from typing import Any, Final, TypeAlias

import numpy as np
from numba import int64, uint32, uint64

from croupier.lab.blackjack.simulation import tally
from croupier.lab.blackjack.simulation.first_cards import (
    BLACKJACK_STATE,
    BLACKJACK_TOTAL,
    COLUMN_BITS,
    DEALER_SHIFT,
    DRAWS,
    STATES,
    TAKEN_BITS,
    TO_DOUBLE,
    TO_HIT,
    TO_SPLIT,
    TO_STAND,
    WAYS,
)
from croupier.lab.blackjack.simulation.inputs import Numbers, Plan, RuleNumbers, Table, record
from croupier.lab.blackjack.simulation.rounds import play_round
from croupier.lab.blackjack.simulation.shoes import count_round
from croupier.lab.compiler import inlined, kernel
from croupier.lab.random_numbers import fill, next_word, wide_product

LANES: Final = 1024
"""Rounds in lockstep: few enough for the first-level cache, many enough that starting a step costs little."""

_STATE: Final = np.uint32(STATES - 1)
_SEAT_AND_UP: Final = np.uint32((1 << DEALER_SHIFT) - 1)
_DEALER_SHIFT: Final = np.uint32(DEALER_SHIFT)

Sums: TypeAlias = tuple[Numbers, Numbers, Numbers]
"""The ends of rounds without a split (`ENDS` counts); the sums (`SPLIT_SUMS`) and counts of rounds with one."""

LANES_RECORD: Final = np.dtype(
    [
        ("words", np.uint64, (LANES,)),
        ("taken", np.uint64, (LANES,)),
        ("start", np.uint16, (LANES,)),
        ("hands", np.uint32, (LANES,)),
        ("lists", np.uint16, (WAYS, LANES)),
        ("lengths", np.int64, (WAYS,)),
        ("drawing", np.uint16, (LANES,)),
    ]
)

# The ends of a round without a split that follow those of `first_cards`: places in the kernel's counts.
WON, PUSHED, LOST, BUST = range(WAYS, WAYS + 4)
DOUBLE_WON, DOUBLE_PUSHED, DOUBLE_LOST, DOUBLE_BUST = range(WAYS + 4, WAYS + 8)
DOUBLE_LOST_ONE, DOUBLE_BUST_ONE = range(WAYS + 8, WAYS + 10)
"""With original bets only, a double that meets a blackjack costs one bet."""
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
    """Play rounds and add their ends to the sums."""
    ends, splits, counts = sums
    while rounds > 0:
        batch = min(rounds, LANES)
        rounds -= batch
        _begin(table, start, lanes, batch)
        for way in range(TO_SPLIT + 1, WAYS):
            ends[way] += lanes.lengths[way]
        _double(rules, table, start, lanes, ends)
        _hit(rules, table, start, lanes, ends)
        _play_dealers(rules, table, start, lanes, TO_STAND)
        _compare(rules, start, lanes, TO_STAND, ends, WON)
        _play_dealers(rules, table, start, lanes, TO_DOUBLE)
        _compare(rules, start, lanes, TO_DOUBLE, ends, DOUBLE_WON)
        _split(rules, plan, table, start, lanes, splits, counts)


@kernel
def _begin(table: Table, start: Any, lanes: Any, batch: int) -> None:
    """Draw every round's first cards and put the round on the list of its next step."""
    fill(table.generator, lanes.words, batch)
    for way in range(WAYS):
        lanes.lengths[way] = 0
    total = start.weight_total
    column_mask = uint64((1 << COLUMN_BITS) - 1)
    # The other 51 bits of the word draw a number below the total. The surplus of their 2**51 values is drawn again.
    surplus = (uint64(1) << uint64(64 - COLUMN_BITS)) % total
    for lane in range(batch):
        word = lanes.words[lane]
        share, rest = wide_product(word & ~column_mask, total)
        while (rest >> uint64(COLUMN_BITS)) < surplus:
            word = next_word(table.generator)
            share, rest = wide_product(word & ~column_mask, total)
        column = int64(word & column_mask)
        alias = int64(start.aliases[column])
        found = alias + (column - alias) * int64(share < start.thresholds[column])
        lanes.start[lane] = found
        lanes.taken[lane] = start.taken[found]
        lanes.hands[lane] = start.hands[found]
        way = start.way[found]
        lanes.lists[way, lanes.lengths[way]] = lane
        lanes.lengths[way] += 1


@inlined
def _draw(rules: RuleNumbers, table: Table, start: Any, lanes: Any, lane: int, word: Any) -> int:
    """A card of those left in this round's shoe. `word` is the random word of the first try."""
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


@inlined
def _give(rules: RuleNumbers, table: Table, start: Any, lanes: Any, lane: int, word: Any) -> int:
    """Give the seat's hand a card and return its new state, plus `DRAWS` if it takes another card."""
    card = _draw(rules, table, start, lanes, lane, word)
    hands = lanes.hands[lane]
    flagged: int = int64(start.player_next[int64(hands & _SEAT_AND_UP) * 16 + card])
    lanes.hands[lane] = (hands & ~_STATE) | uint32(flagged & (DRAWS - 1))
    return flagged


@kernel
def _double(rules: RuleNumbers, table: Table, start: Any, lanes: Any, ends: Numbers) -> None:
    """Give every doubled hand one card. The list keeps the hands that are not bust."""
    count = lanes.lengths[TO_DOUBLE]
    fill(table.generator, lanes.words, count)
    kept, bust_by_blackjack = 0, 0
    for index in range(count):
        lane = int64(lanes.lists[TO_DOUBLE, index])
        bust = _give(rules, table, start, lanes, lane, lanes.words[index]) == 0
        lanes.lists[TO_DOUBLE, kept] = lane
        kept += not bust
        bust_by_blackjack += bust & ((lanes.hands[lane] >> _DEALER_SHIFT) == BLACKJACK_STATE)
    lanes.lengths[TO_DOUBLE] = kept
    cheap = bust_by_blackjack if rules.original_bets_only else 0
    ends[DOUBLE_BUST_ONE] += cheap
    ends[DOUBLE_BUST] += count - kept - cheap


@kernel
def _hit(rules: RuleNumbers, table: Table, start: Any, lanes: Any, ends: Numbers) -> None:
    """Give every hand on the list one card, again and again, until the list is empty."""
    count = lanes.lengths[TO_HIT]
    standing = lanes.lengths[TO_STAND]
    while count > 0:
        fill(table.generator, lanes.words, count)
        again, busts = 0, 0
        for index in range(count):
            lane = int64(lanes.lists[TO_HIT, index])
            flagged = _give(rules, table, start, lanes, lane, lanes.words[index])
            lanes.lists[TO_HIT, again] = lane
            again += flagged >= DRAWS
            lanes.lists[TO_STAND, standing] = lane
            standing += (flagged < DRAWS) & (flagged != 0)
            busts += flagged == 0
        ends[BUST] += busts
        count = again
    lanes.lengths[TO_STAND] = standing


@kernel
def _play_dealers(rules: RuleNumbers, table: Table, start: Any, lanes: Any, way: int) -> None:
    """Play the dealer's hand against every hand of a list."""
    count = 0
    for index in range(lanes.lengths[way]):
        lane = int64(lanes.lists[way, index])
        lanes.drawing[count] = lane
        count += (lanes.hands[lane] >> _DEALER_SHIFT) >= DRAWS
    while count > 0:
        fill(table.generator, lanes.words, count)
        again = 0
        for index in range(count):
            lane = int64(lanes.drawing[index])
            card = _draw(rules, table, start, lanes, lane, lanes.words[index])
            hands = lanes.hands[lane]
            flagged = start.dealer_next[int64((hands >> _DEALER_SHIFT) & _STATE) * 16 + card]
            lanes.hands[lane] = (hands & _SEAT_AND_UP) | (uint32(flagged) << _DEALER_SHIFT)
            lanes.drawing[again] = lane
            again += flagged >= DRAWS
        count = again


@kernel
def _compare(rules: RuleNumbers, start: Any, lanes: Any, way: int, ends: Numbers, first_end: int) -> None:
    """Compare every hand of a list with the dealer's, and count wins, pushes and losses."""
    hands = lanes.lengths[way]
    won, lost, dealer_busts, blackjacks = 0, 0, 0, 0
    for index in range(hands):
        both = lanes.hands[lanes.lists[way, index]]
        ours = start.totals[both & _STATE]
        theirs = start.totals[both >> _DEALER_SHIFT]
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
    """Play the rounds that split by the general kernel, from a shoe that begins with their first cards."""
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
    """Swap a later card of these points to a place of the shoe."""
    other = place
    while table.shoe[other] != card:
        other += 1
    table.shoe[other] = table.shoe[place]
    table.shoe[place] = card

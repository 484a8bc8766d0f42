"""The compiled loops that sample random hands and boards, on plain arrays. `kernels` explains keys, masks and outcomes.

What costs most is a branch that the processor cannot foresee, such as a card that is gone and must be drawn again. So
a card comes from twelve random bits times 52, and one draw in a hundred gives no card; of six bits, one in five would.
That samples a quarter more boards a second. One random word has five draws, a whole board.

Where the ranges can be dealt together in few ways (`situations.deals_together`), one draw takes a hand for every
player, and none is in the way of another: a fifth more samples of two ranges a second than with a draw for each player,
and 35 % more of QQ+ v AKs v random.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from croupier.lab.compiler import inlined, kernel
from croupier.lab.poker.evaluator_tables import FLUSH_BITS, SUITS_AT_START, Tables
from croupier.lab.poker.kernels import (
    Cards,
    Deals,
    Keys,
    Outcomes,
    RangeArrays,
    flush_rank,
    suit_mask,
    unsuited_rank,
)
from croupier.lab.random_numbers import GOLDEN_STEP, block_state, mix

ATTEMPTS_MAX: Final = 1000
"""Deals per sample, on average, after which the ranges count as impossible."""

_START: Final = np.uint64(SUITS_AT_START)
_FLUSH: Final = np.uint64(FLUSH_BITS)
_ZERO: Final = np.uint64(0)
_ONE: Final = np.uint64(1)
_CARDS: Final = np.uint64(52)
_TWELVE: Final = np.uint64(12)
_TWELVE_BITS: Final = np.uint64((1 << 12) - 1)
_SURPLUS: Final = np.uint64((1 << 12) % 52)
"""So many numbers of twelve bits are over when every card has equally many."""
_HALF: Final = np.uint64(32)
_LOW_HALF: Final = np.uint64(0xFFFFFFFF)
_DRAWS_A_WORD: Final = 5


@inlined
def draw_card(
    state: np.uint64, word: np.uint64, left: int, used: np.uint64
) -> tuple[np.uint64, np.uint64, int, np.uint64]:
    """The next state, word and number of draws left in it, and a random card that is not in `used`."""
    while True:
        if left == 0:
            state += GOLDEN_STEP
            word = mix(state)
            left = _DRAWS_A_WORD
        product = (word & _TWELVE_BITS) * _CARDS
        word >>= _TWELVE
        left -= 1
        card = product >> _TWELVE
        # One branch for both: either is rare.
        if not (used >> card & _ONE) | np.uint64((product & _TWELVE_BITS) < _SURPLUS):
            return state, word, left, card


@inlined
def draw_place(state: np.uint64, count: np.uint64) -> tuple[np.uint64, np.int64, np.uint64]:
    """The next state, a number below `count`, and 32 more random bits; -1 for the few draws that must be repeated.

    It takes no arrays: a call with arrays counts references to each of them, which takes ten times as long as the draw.
    """
    state += GOLDEN_STEP
    word = mix(state)
    product = (word >> _HALF) * count
    low = product & _LOW_HALF
    place = np.int64(product >> _HALF)
    if low < count and low < (_LOW_HALF + _ONE - count) % count:
        place = np.int64(-1)
    return state, place, word & _LOW_HALF


@kernel
def _pairs(tables: Tables, ranges: RangeArrays) -> tuple[Keys, Keys]:
    """The key and the suit mask of every combination."""
    keys = np.empty(len(ranges.combinations), np.uint64)
    masks = np.empty(len(ranges.combinations), np.uint64)
    for place in range(len(ranges.combinations)):
        one, other = ranges.combinations[place]
        keys[place] = tables.card_keys[one] + tables.card_keys[other]
        masks[place] = suit_mask(one) | suit_mask(other)
    return keys, masks


@kernel
def _cards(tables: Tables) -> tuple[Keys, Keys]:
    """The key and the suit mask of every card."""
    masks = np.empty(52, np.uint64)
    for card in range(52):
        masks[card] = suit_mask(card)
    return tables.card_keys[:52].copy(), masks


@kernel
def _settle(
    ranges: RangeArrays, pairs: tuple[Keys, Keys], hands: tuple[Keys, Keys], drawn: NDArray[np.int64]
) -> tuple[np.uint64, int, int]:
    """Write what is the same in every deal: the hands of one combination, and which players draw theirs from a range.

    Return the cards that are gone, how many players draw, and as bits the players with any two cards.
    """
    gone, to_draw, is_random = ranges.used, 0, 0
    for player in range(len(ranges.starts) - 1):
        start, count = ranges.starts[player], ranges.starts[player + 1] - ranges.starts[player]
        if count == 1:
            hands[0][player], hands[1][player] = pairs[0][start], pairs[1][start]
            gone |= ranges.masks[start]
        elif count > 1:
            drawn[to_draw] = player
            to_draw += 1
        else:
            is_random |= 1 << player
    return gone, to_draw, is_random


@kernel
def _on_board(board: Cards, card_keys: Keys, card_masks: Keys) -> tuple[np.uint64, np.uint64]:
    """The sum of the keys of the cards that lie there, and their suit mask."""
    key, mask = _START, _ZERO
    for card in board:
        key += card_keys[card]
        mask |= card_masks[card]
    return key, mask


@kernel
def sample_boards(  # noqa: PLR0915  # one loop: a call that is handed arrays costs more than a draw
    tables: Tables,
    ranges: RangeArrays,
    deals: Deals,
    board: Cards,
    seed: np.uint64,
    block: int,
    samples: int,
    outcomes: Outcomes,
) -> int:
    """Add the outcomes of random boards with random hands: a row of `deals`, or without any, from the ranges.

    The numbers depend on the seed and the block alone. Return the number of deals, -1 after `ATTEMPTS_MAX` a sample.
    """
    players, ways = len(ranges.starts) - 1, np.uint64(len(deals))
    pair_keys, pair_masks = _pairs(tables, ranges)
    card_keys, card_masks = _cards(tables)
    keys, masks = np.zeros(players, np.uint64), np.zeros(players, np.uint64)
    drawn = np.empty(players, np.int64)
    known, to_draw, is_random = _settle(ranges, (pair_keys, pair_masks), (keys, masks), drawn)
    known_key, known_mask = _on_board(board, card_keys, card_masks)
    starts, thresholds, aliases, card_sets = ranges.starts, ranges.thresholds, ranges.aliases, ranges.masks
    state, word, attempts, attempts_max = block_state(seed, block), _ZERO, 0, samples * ATTEMPTS_MAX
    for _ in range(samples):
        while True:
            if attempts == attempts_max:
                return -1
            attempts += 1
            used, fits, row = known, True, np.int64(0)
            if ways:
                state, row, _ = draw_place(state, ways)
                fits = bool(row >= 0)
            for place in range(to_draw if fits else 0):
                player = drawn[place]
                if ways:
                    chosen = np.int64(deals[row, place])
                else:
                    start = starts[player]
                    state, chosen, coin = draw_place(state, np.uint64(starts[player + 1] - start))
                    if chosen < 0:
                        fits = False
                        break
                    chosen = start + (chosen if coin < thresholds[start + chosen] else aliases[start + chosen])
                    if card_sets[chosen] & used:
                        fits = False
                        break
                used |= card_sets[chosen]
                keys[player], masks[player] = pair_keys[chosen], pair_masks[chosen]
            if fits:
                break
        board_key, board_mask, left = known_key, known_mask, 0
        for _ in range(5 - len(board)):
            state, word, left, drawn_card = draw_card(state, word, left, used)
            used |= _ONE << drawn_card
            board_key += card_keys[drawn_card]
            board_mask |= card_masks[drawn_card]
        best, winners = np.uint16(0xFFFF), 0
        for player in range(players):
            if is_random >> player & 1:
                state, word, left, drawn_card = draw_card(state, word, left, used)
                used |= _ONE << drawn_card
                state, word, left, other = draw_card(state, word, left, used)
                used |= _ONE << other
                keys[player] = card_keys[drawn_card] + card_keys[other]
                masks[player] = card_masks[drawn_card] | card_masks[other]
            key = board_key + keys[player]
            flush = key & _FLUSH
            rank = flush_rank(tables, board_mask | masks[player], key) if flush else unsuited_rank(tables, key)
            winners = 1 << player if rank < best else winners | (1 << player if rank == best else 0)
            best = min(best, rank)
        outcomes[winners] += 1
    return attempts

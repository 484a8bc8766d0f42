"""The compiled loops that sample random hands and boards, on plain arrays. `kernels` explains keys, masks and outcomes.

Cards are drawn six random bits at a time: a number that is no card or a card that is gone is drawn again, so every card
left is equally likely. One random word serves for ten draws. Against shuffling a deck with a word a card this samples
about twice as many boards a second.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from croupier.lab.compiler import inlined, kernel
from croupier.lab.poker.evaluator_tables import FLUSH_BITS, SUITS_AT_START, Tables
from croupier.lab.poker.kernels import (
    Cards,
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
NO_CARDS: Final = np.uint64(~((1 << 52) - 1) & (1 << 64) - 1)
"""The numbers of six bits that are no cards."""

_START: Final = np.uint64(SUITS_AT_START)
_FLUSH: Final = np.uint64(FLUSH_BITS)
_ZERO: Final = np.uint64(0)
_ONE: Final = np.uint64(1)
_SIX_BITS: Final = np.uint64(63)
_SIX: Final = np.uint64(6)
_HALF: Final = np.uint64(32)
_LOW_HALF: Final = np.uint64(0xFFFFFFFF)
_DRAWS_A_WORD: Final = 10


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
        card = word & _SIX_BITS
        word >>= _SIX
        left -= 1
        if not (used >> card) & _ONE:
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
    gone, to_draw, is_random = ranges.used | NO_CARDS, 0, 0
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
def sample_boards(  # noqa: PLR0915  # one loop: a call that is handed arrays costs more than a draw
    tables: Tables,
    ranges: RangeArrays,
    board: Cards,
    seed: np.uint64,
    block: int,
    samples: int,
    outcomes: Outcomes,
) -> int:
    """Add the outcomes of random boards with random hands from the ranges.

    The numbers depend on the seed and the block alone. Return the number of deals, -1 after `ATTEMPTS_MAX` a sample.
    """
    players = len(ranges.starts) - 1
    pair_keys, pair_masks = _pairs(tables, ranges)
    card_keys, card_masks = _cards(tables)
    keys, masks = np.zeros(players, np.uint64), np.zeros(players, np.uint64)
    drawn = np.empty(players, np.int64)
    known, to_draw, is_random = _settle(ranges, (pair_keys, pair_masks), (keys, masks), drawn)
    known_key, known_mask = _START, _ZERO
    for card in board:
        known_key += card_keys[card]
        known_mask |= card_masks[card]
    missing = 5 - len(board)
    starts, thresholds, aliases, card_sets = ranges.starts, ranges.thresholds, ranges.aliases, ranges.masks
    state = block_state(seed, block)
    word, left, attempts = _ZERO, 0, 0
    for _ in range(samples):
        while True:
            if attempts == samples * ATTEMPTS_MAX:
                return -1
            attempts += 1
            used, fits = known, True
            for place in range(to_draw):
                player = drawn[place]
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
        board_key, board_mask = known_key, known_mask
        for _ in range(missing):
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

"""The compiled loops for every variant but Hold'em on one board: deal a batch, rank it, share the pots.

A batch has one deal a row. Worths are numbers, lower is better; a row of worths is a part of the pot: a board's high or
its low. Each loop works on a whole batch, because handing arrays to a function costs more than to rank a hand.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from croupier.lab.compiler import kernel
from croupier.lab.poker.evaluator_tables import FLUSH_BITS, SUITS_AT_START, Tables
from croupier.lab.poker.kernels import Cards, Weights, flush_rank, suit_mask, unsuited_rank
from croupier.lab.poker.omaha_tables import NO_LOW, RANK_PAIRS, OmahaTables
from croupier.lab.poker.sampling_kernels import draw_card, draw_place
from croupier.lab.random_numbers import block_state

BATCH: Final = 1024
WINS, TIES, SHARES = range(3)
"""What is summed up for each player: pots won whole, pots won in part, and pots."""

_START: Final = np.uint64(SUITS_AT_START)
_FLUSH: Final = np.uint64(FLUSH_BITS)
_ZERO: Final = np.uint64(0)
_ONE: Final = np.uint64(1)
_ROW: Final = np.uint64(52)
_COLUMN: Final = np.uint64(38)
_COLUMNS: Final = np.uint64((1 << 14) - 1)
_RANKS: Final = 0x1FFF


@kernel
def rank_any(tables: Tables, holes: Cards, boards: Cards, rows: int, worths: NDArray[np.uint16]) -> None:
    """The best five of two hole cards and the board. A single row of hole cards stands for all."""
    same = len(holes) == 1
    for row in range(rows):
        key, mask = _START, _ZERO
        hole = holes[0 if same else row]
        for place in range(2):
            key += tables.card_keys[hole[place]]
            mask |= suit_mask(hole[place])
        for place in range(5):
            key += tables.card_keys[boards[row, place]]
            mask |= suit_mask(boards[row, place])
        worths[row] = flush_rank(tables, mask, key) if key & _FLUSH else unsuited_rank(tables, key)


@kernel
def rank_omaha(tables: OmahaTables, holes: Cards, boards: Cards, rows: int, worths: NDArray[np.uint16]) -> None:
    """The best five of exactly two hole cards and three of the board."""
    card_keys, offsets, places = tables.five.card_keys, tables.five.offsets, tables.boards
    pairs, highs, flushes = tables.pairs, tables.highs, tables.five.flushes
    same, count = len(holes) == 1, holes.shape[1]
    for row in range(rows):
        hole = 0 if same else row
        key = _START
        for place in range(5):
            key += card_keys[boards[row, place]]
        number = np.int64(places[offsets[key >> _ROW] + ((key >> _COLUMN) & _COLUMNS)]) * RANK_PAIRS
        best = np.uint16(0xFFFF)
        for first in range(count - 1):
            base = np.int64(holes[hole, first] >> 2) * 13
            for second in range(first + 1, count):
                found = highs[number + pairs[base + (holes[hole, second] >> 2)]]
                best = min(best, found)
        # A counter of the suits begins at 3: three cards of a suit on the board bring it to 6.
        for suit in range(4):
            if (np.int64(key) >> 4 * suit) & 15 >= 6:
                held = on_board = 0
                for place in range(count):
                    if holes[hole, place] & 3 == suit:
                        held |= 1 << (holes[hole, place] >> 2)
                if held & (held - 1):
                    for place in range(5):
                        if boards[row, place] & 3 == suit:
                            on_board |= 1 << (boards[row, place] >> 2)
                    best = min(best, _best_flush(flushes, held, on_board))
        worths[row] = best


@kernel
def _best_flush(flushes: NDArray[np.uint16], held: int, on_board: int) -> np.uint16:
    """The best flush of two of the ranks held and three on the board."""
    best = np.uint16(0xFFFF)
    first_left = held
    while first_left:
        first = first_left & -first_left
        first_left ^= first
        second_left = first_left
        while second_left:
            second = second_left & -second_left
            second_left ^= second
            one_left = on_board
            while one_left:
                one = one_left & -one_left
                one_left ^= one
                two_left = one_left
                while two_left:
                    two = two_left & -two_left
                    two_left ^= two
                    three_left = two_left
                    while three_left:
                        three = three_left & -three_left
                        three_left ^= three
                        best = min(best, flushes[(first | second | one | two | three) & _RANKS])
    return best


@kernel
def rank_lows(tables: OmahaTables, holes: Cards, boards: Cards, rows: int, worths: NDArray[np.uint16]) -> None:
    """The best low of two hole cards and three of the board."""
    same, count = len(holes) == 1, holes.shape[1]
    for row in range(rows):
        hole = 0 if same else row
        held = on_board = 0
        for place in range(count):
            held |= int(tables.low_bits[holes[hole, place]])
        for place in range(5):
            on_board |= int(tables.low_bits[boards[row, place]])
        worths[row] = tables.lows[on_board << 8 | held]


@kernel
def share_pots(worths: NDArray[np.uint16], rows: int, has_low: bool, weight: float, sums: Weights) -> None:
    """Add every player's wins, ties and shares. `worths` is by part, player and row; lows come after their highs."""
    parts, players = worths.shape[0], worths.shape[1]
    boards = parts // 2 if has_low else parts
    shares = np.zeros(players)
    for row in range(rows):
        shares[:] = 0.0
        for board in range(boards):
            high = 2 * board if has_low else board
            amount = 1.0 / boards
            if has_low:
                best = np.uint16(NO_LOW)
                winners = 0
                for player in range(players):
                    own = worths[high + 1, player, row]
                    if own < best:
                        best, winners = own, 1
                    elif own == best and own < NO_LOW:
                        winners += 1
                if winners:
                    amount /= 2
                    for player in range(players):
                        if worths[high + 1, player, row] == best:
                            shares[player] += amount / winners
            best, winners = np.uint16(0xFFFF), 0
            for player in range(players):
                own = worths[high, player, row]
                if own < best:
                    best, winners = own, 1
                elif own == best:
                    winners += 1
            for player in range(players):
                if worths[high, player, row] == best:
                    shares[player] += amount / winners
        for player in range(players):
            share = shares[player]
            if share > 0.999999:
                sums[player, WINS] += weight
            elif share > 0:
                sums[player, TIES] += weight
            sums[player, SHARES] += weight * share


@kernel
def rank_batch(
    tables: Tables,
    omaha: OmahaTables,
    uses_two: bool,
    has_low: bool,
    holes: Cards,
    boards: Cards,
    rows: int,
    worths: NDArray[np.uint16],
) -> None:
    """The worths of all players on all boards of a batch. `holes` is by player and row, `boards` by board and row."""
    step = 2 if has_low else 1
    for board in range(boards.shape[0]):
        for player in range(holes.shape[0]):
            if uses_two:
                rank_omaha(omaha, holes[player], boards[board], rows, worths[step * board, player])
            else:
                rank_any(tables, holes[player], boards[board], rows, worths[step * board, player])
            if has_low:
                rank_lows(omaha, holes[player], boards[board], rows, worths[step * board + 1, player])


@kernel
def _deal_batch(  # noqa: PLR0913, PLR0917  # arrays, each by itself; one loop: a call for each hand costs more than the hand
    combinations: Cards,
    card_sets: NDArray[np.uint64],
    thresholds: NDArray[np.uint64],
    aliases: NDArray[np.int64],
    starts: NDArray[np.int64],
    known: NDArray[np.int64],
    used: np.uint64,
    draws: tuple[np.uint64, np.uint64, int],
    attempts: int,
    attempts_max: int,
    rows: int,
    holes: Cards,
    on_boards: Cards,
) -> tuple[tuple[np.uint64, np.uint64, int], int]:
    """Fill a batch with random deals. `draws` is the state, word and draws left of `draw_card`.

    Return `draws` and the number of deals tried so far, -1 if they are more than `attempts_max`.
    """
    state, word, left = draws
    players, hole_cards, boards = holes.shape[0], combinations.shape[1], known.shape[0]
    row = 0
    while row < rows:
        if attempts == attempts_max:
            return (state, word, left), -1
        attempts += 1
        gone, fits = used, True
        for player in range(players):
            start = starts[player]
            count = starts[player + 1] - start
            if count == 0:
                continue
            chosen = np.int64(0)
            if count > 1:
                state, chosen, coin = draw_place(state, np.uint64(count))
                if chosen < 0:
                    fits = False
                    break
                if coin >= thresholds[start + chosen]:
                    chosen = aliases[start + chosen]
            if card_sets[start + chosen] & gone:
                fits = False
                break
            gone |= card_sets[start + chosen]
            for place in range(hole_cards):
                holes[player, row, place] = combinations[start + chosen, place]
        if not fits:
            continue
        for board in range(boards):
            for place in range(5):
                if known[board, place] >= 0:
                    on_boards[board, row, place] = known[board, place]
                else:
                    state, word, left, card = draw_card(state, word, left, gone)
                    gone |= _ONE << card
                    on_boards[board, row, place] = card
        for player in range(players):
            if starts[player] == starts[player + 1]:
                for place in range(hole_cards):
                    state, word, left, card = draw_card(state, word, left, gone)
                    gone |= _ONE << card
                    holes[player, row, place] = card
        row += 1
    return (state, word, left), attempts


@kernel
def sample_family(  # noqa: PLR0913, PLR0917  # arrays, each by itself
    tables: Tables,
    omaha: OmahaTables,
    uses_two: bool,
    has_low: bool,
    combinations: Cards,
    card_sets: NDArray[np.uint64],
    thresholds: NDArray[np.uint64],
    aliases: NDArray[np.int64],
    starts: NDArray[np.int64],
    known: NDArray[np.int64],
    used: np.uint64,
    seed: np.uint64,
    block: int,
    samples: int,
    attempts_max: int,
    sums: Weights,
) -> int:
    """Add the sums of random deals. `known` has a row of card numbers for each board, -1 for a card to come.

    Return the number of deals tried, or -1 if the ranges hardly ever fit together.
    """
    players, hole_cards, boards = len(starts) - 1, combinations.shape[1], known.shape[0]
    holes = np.zeros((players, BATCH, hole_cards), np.uint8)
    on_boards = np.zeros((boards, BATCH, 5), np.uint8)
    worths = np.empty((boards * (2 if has_low else 1), players, BATCH), np.uint16)
    draws = block_state(seed, block), _ZERO, 0
    ranges = combinations, card_sets, thresholds, aliases, starts
    attempts = done = 0
    while done < samples:
        rows = min(BATCH, samples - done)
        draws, attempts = _deal_batch(
            *ranges, known, used, draws, attempts, samples * attempts_max, rows, holes, on_boards
        )
        if attempts < 0:
            return -1
        rank_batch(tables, omaha, uses_two, has_low, holes, on_boards, rows, worths)
        share_pots(worths, rows, has_low, 1.0, sums)
        done += rows
    return attempts


@kernel
def enumerate_family(  # noqa: PLR0913, PLR0917  # arrays, each by itself
    tables: Tables,
    omaha: OmahaTables,
    uses_two: bool,
    has_low: bool,
    holes: Cards,
    known: NDArray[np.int64],
    deck: Cards,
    part: int,
    parts: int,
    weight: float,
    sums: Weights,
) -> int:
    """Add the sums of every way to complete the boards with cards of the deck, for hands that are known.

    The cards to come are taken in increasing order on each board. Of several parts, one takes every so many-th first
    card. Return the number of deals.
    """
    players, boards = holes.shape[0], known.shape[0]
    missing = 0
    for place in range(5):
        missing += known[0, place] < 0
    total = missing * boards
    on_boards = np.zeros((boards, BATCH, 5), np.uint8)
    worths = np.empty((boards * (2 if has_low else 1), players, BATCH), np.uint16)
    choice = np.full(max(total, 1), -1, np.int64)
    taken = np.zeros(len(deck) + 1, np.bool_)
    rows = deals = level = 0
    while True:
        if level == total:
            for board in range(boards):
                place_to_come = board * missing
                for place in range(5):
                    if known[board, place] >= 0:
                        on_boards[board, rows, place] = known[board, place]
                    else:
                        on_boards[board, rows, place] = deck[choice[place_to_come]]
                        place_to_come += 1
            rows += 1
            deals += 1
            if rows == BATCH:
                rank_batch(tables, omaha, uses_two, has_low, holes, on_boards, rows, worths)
                share_pots(worths, rows, has_low, weight, sums)
                rows = 0
            level -= 1
            if level < 0:
                break
        if choice[level] >= 0:
            taken[choice[level]] = False
        elif level % missing:
            choice[level] = choice[level - 1]
        following = choice[level] + 1
        while following < len(deck) and (taken[following] or (level == 0 and following % parts != part)):
            following += 1
        if following >= len(deck):
            choice[level] = -1
            level -= 1
            if level < 0:
                break
            continue
        choice[level] = following
        taken[following] = True
        level += 1
    if rows:
        rank_batch(tables, omaha, uses_two, has_low, holes, on_boards, rows, worths)
        share_pots(worths, rows, has_low, weight, sums)
    return deals

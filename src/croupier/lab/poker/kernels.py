"""The compiled loops of the evaluator and the equity calculator, on plain arrays.

All of them sum card keys and look the sum up, as `evaluator_tables` explains. They check nothing; `evaluate` and
`equity` check their input first.

A *suit mask* has 16 bits a suit; bit 16 × suit + rank stands for a card. *Outcomes* count showdowns by their winners:
bit `p` of a place is set if player `p` is among them. That needs no branch on the result, which no processor could
predict.
"""

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.lab.compiler import inlined, kernel
from croupier.lab.poker.evaluator_tables import (
    COLUMN_BITS,
    FLUSH_BITS,
    NO_CARD_BITS,
    NO_FLUSH,
    RANK_BITS,
    ROW_BITS,
    SUITS_AT_START,
    Tables,
)
from croupier.lab.poker.runouts import NO_CARD, Runouts

Cards: TypeAlias = NDArray[np.uint8]
Keys: TypeAlias = NDArray[np.uint64]
Weights: TypeAlias = NDArray[np.float64]
Outcomes: TypeAlias = NDArray[np.int64]
Deals: TypeAlias = NDArray[np.uint16]
"""Ways to deal ranges together, one a row: for each player who draws from a range, the place of a combination."""

_START: Final = np.uint64(SUITS_AT_START)
_FLUSH: Final = np.uint64(FLUSH_BITS)
_NO_CARD: Final = np.uint64(NO_CARD_BITS)
_ROW_SHIFT: Final = np.uint64(64 - ROW_BITS)
_COLUMN_SHIFT: Final = np.uint64(64 - RANK_BITS)
_COLUMN_MASK: Final = np.uint64((1 << COLUMN_BITS) - 1)
_RANKS_MASK: Final = np.uint64((1 << 13) - 1)
_ZERO: Final = np.uint64(0)
_ONE: Final = np.uint64(1)


class RangeArrays(NamedTuple):
    """The combinations of all players, player by player. A player without any may hold any two cards.

    Player `p` has the combinations from `starts[p]` to `starts[p + 1]`. Bit `Card.number` of `masks` and `used` stands
    for a card. `used` has the board and the dead cards. `thresholds` and `aliases` draw by weight: a combination is
    kept if 32 random bits are under its threshold; otherwise its alias is.
    """

    combinations: Cards
    masks: Keys
    weights: Weights
    thresholds: Keys
    aliases: NDArray[np.int64]
    starts: NDArray[np.int64]
    used: np.uint64


@kernel
def suit_mask(card: int) -> np.uint64:
    number = np.uint64(card)
    return _ONE << ((number & np.uint64(3)) * np.uint64(16) + (number >> np.uint64(2)))


@kernel
def _bit(card: int) -> np.uint64:
    return _ONE << (np.uint64(card) & np.uint64(63))


@kernel
def unsuited_rank(tables: Tables, key: np.uint64) -> np.uint16:
    """The rank of a hand by its sum of keys, if it has no flush."""
    rank: np.uint16 = tables.ranks[tables.offsets[key >> _ROW_SHIFT] + ((key >> _COLUMN_SHIFT) & _COLUMN_MASK)]
    return rank


@kernel
def flush_rank(tables: Tables, mask: np.uint64, key: np.uint64) -> np.uint16:
    """The rank of a hand by its suit mask, if the sum of its keys shows a flush."""
    flush = key & _FLUSH
    # 0x8, 0x80, 0x800, 0x8000 to 0, 16, 32, 48, without a branch that is mispredicted three times in four.
    shift = (flush >> np.uint64(3) & np.uint64(16)) | (flush >> np.uint64(6) & np.uint64(32))
    shift |= (flush >> np.uint64(15)) * np.uint64(48)
    rank: np.uint16 = tables.flushes[(mask >> shift) & _RANKS_MASK]
    return rank


@kernel
def _bits(mask: np.uint64) -> int:
    bits = 0
    while mask:
        mask &= mask - _ONE
        bits += 1
    return bits


@kernel
def rank_sevens(tables: Tables, cards: Cards, ranks: NDArray[np.uint16]) -> int:
    """Rank hands of seven cards in one flat array. Return the place of the first faulty hand, or -1.

    A hand is faulty if a number is no card or a card repeats. With a flat array and loops of fixed length, the compiler
    needs so few registers that looking for repeated cards costs little.
    """
    for hand in range(len(ranks)):
        start = 7 * hand
        key, seen = _START, _ZERO
        for place in range(7):
            key += tables.card_keys[cards[start + place]]
            seen |= _bit(cards[start + place])
        if _bits(seen) != 7:
            return hand
        if key & (_FLUSH | _NO_CARD):
            if key & _NO_CARD:
                return hand
            mask = _ZERO
            for place in range(7):
                mask |= suit_mask(cards[start + place])
            ranks[hand] = flush_rank(tables, mask, key)
        else:
            ranks[hand] = unsuited_rank(tables, key)
    return -1


@kernel
def rank_hands(tables: Tables, cards: Cards, ranks: NDArray[np.uint16]) -> int:
    """Like `rank_sevens`, for hands of any one size."""
    size = len(cards) // max(len(ranks), 1)
    for hand in range(len(ranks)):
        key, mask = _START, _ZERO
        for place in range(hand * size, (hand + 1) * size):
            key += tables.card_keys[cards[place]]
            mask |= suit_mask(cards[place])
        if _bits(mask) != size or key & _NO_CARD:
            return hand
        ranks[hand] = flush_rank(tables, mask, key) if key & _FLUSH else unsuited_rank(tables, key)
    return -1


@inlined
def rank_by_key(tables: Tables, key: np.uint64, mask: np.uint64) -> np.uint16:
    """The rank of a hand by the sum of its keys, from `SUITS_AT_START` on, and its suit mask."""
    return flush_rank(tables, mask, key) if key & _FLUSH else unsuited_rank(tables, key)


@kernel
def count_sevens(tables: Tables, first: int, counts: NDArray[np.uint32]) -> None:
    """Count by rank all seven-card hands whose lowest card is `first`."""
    keys = tables.card_keys
    masks = np.array([suit_mask(card) for card in range(52)])
    for b in range(first + 1, 47):
        key2, mask2 = _START + keys[first] + keys[b], masks[first] | masks[b]
        for c in range(b + 1, 48):
            for d in range(c + 1, 49):
                key4, mask4 = key2 + keys[c] + keys[d], mask2 | masks[c] | masks[d]
                for e in range(d + 1, 50):
                    for f in range(e + 1, 51):
                        key6, mask6 = key4 + keys[e] + keys[f], mask4 | masks[e] | masks[f]
                        for g in range(f + 1, 52):
                            key = key6 + keys[g]
                            if key & _FLUSH:
                                counts[flush_rank(tables, mask6 | masks[g], key)] += np.uint32(1)
                            else:
                                counts[unsuited_rank(tables, key)] += np.uint32(1)


@kernel
def _winners(ranks: NDArray[np.uint16]) -> int:
    """The place in outcomes of the players with the best rank."""
    best = ranks[0]
    for player in range(1, len(ranks)):
        best = min(best, ranks[player])
    winners = 0
    for player in range(len(ranks)):
        winners |= (ranks[player] == best) << player
    return winners


@kernel
def _choices(free: np.uint64, choices: NDArray[np.int64]) -> None:
    """Fill in how many cards of each rank are left after 0 to 3 were taken, at 4 × rank + taken."""
    for rank in range(13):
        left = 0
        for suit in range(4):
            left += int((free >> np.uint64(16 * suit + rank)) & _ONE)
        for taken in range(4):
            choices[4 * rank + taken] = max(0, left - taken)
    choices[NO_CARD] = 1


@kernel
def _ways(runouts: Runouts, row: int, choices: NDArray[np.int64]) -> int:
    """In how many ways the cards left can make a combination of ranks."""
    ways = 1
    for place in range(5):
        ways *= choices[runouts.rank_cards[row, place]]
    return ways // runouts.orders[row]  # type: ignore[no-any-return]  # arrays of int64 have no type for an element


@kernel
def _without_flushes(
    tables: Tables, runouts: Runouts, missing: int, free: np.uint64, keys: Keys, outcomes: Outcomes
) -> None:
    """Count all boards by ranks, as if there were no flushes: 6,175 combinations instead of 1,712,304 boards."""
    choices = np.empty(NO_CARD + 1, np.int64)
    ranks = np.empty(len(keys), np.uint16)
    _choices(free, choices)
    for row in range(runouts.rank_starts[missing], runouts.rank_starts[missing + 1]):
        ways = _ways(runouts, row, choices)
        if ways:
            for player in range(len(keys)):
                ranks[player] = unsuited_rank(tables, keys[player] + runouts.rank_keys[row])
            outcomes[_winners(ranks)] += ways


@kernel
def _flushes_of_suit(
    tables: Tables,
    runouts: Runouts,
    missing: int,
    free: np.uint64,
    keys: Keys,
    suited: Keys,
    shift: np.uint64,
    outcomes: Outcomes,
) -> None:
    """Correct the boards on which a player has a flush in one suit: subtract the wrong winners, add the right ones.

    A board can make flushes in one suit only, so suits do not interact. `suited` has each player's ranks of the suit.
    """
    longest = 0
    for player in range(len(suited)):
        longest = max(longest, _bits(suited[player]))
    if longest + missing < 5:
        return
    free_suited = (free >> shift) & _RANKS_MASK
    choices = np.empty(NO_CARD + 1, np.int64)
    _choices(free & ~(_RANKS_MASK << shift), choices)
    ranks = np.empty(len(keys), np.uint16)
    flushes = np.empty(len(keys), np.uint16)
    for drawn in range(max(0, 5 - longest), missing + 1):
        for subset in range(runouts.suit_starts[drawn], runouts.suit_starts[drawn + 1]):
            mask = runouts.suit_masks[subset]
            if mask & ~free_suited:
                continue
            best = np.uint16(NO_FLUSH)
            for player in range(len(keys)):
                flushes[player] = tables.flushes[suited[player] | mask]
                best = min(best, flushes[player])
            if best == NO_FLUSH:
                continue
            rest = missing - drawn
            for row in range(runouts.rank_starts[rest], runouts.rank_starts[rest + 1]):
                ways = _ways(runouts, row, choices)
                if ways == 0:
                    continue
                drawn_key = runouts.suit_keys[subset] + runouts.rank_keys[row]
                for player in range(len(keys)):
                    ranks[player] = unsuited_rank(tables, keys[player] + drawn_key)
                outcomes[_winners(ranks)] -= ways
                for player in range(len(keys)):
                    ranks[player] = min(ranks[player], flushes[player])
                outcomes[_winners(ranks)] += ways


@kernel
def count_matchups(
    tables: Tables,
    runouts: Runouts,
    board: Cards,
    gone: np.uint64,
    matchups: Cards,
    weights: Weights,
    outcomes: Weights,
) -> None:
    """Add the outcomes of all boards that complete `board`, for each row of `matchups` with its weight.

    `matchups` has two cards a player. `gone` is the suit mask of the board and the dead cards. Boards of equal ranks
    are counted together, and boards with a flush are corrected afterwards.
    """
    missing = 5 - len(board)
    players = matchups.shape[1] // 2
    keys = np.empty(players, np.uint64)
    masks = np.empty(players, np.uint64)
    suited = np.empty(players, np.uint64)
    counted = np.empty(1 << players, np.int64)
    board_key, board_mask = _ZERO, _ZERO
    for card in board:
        board_key += tables.card_keys[card]
        board_mask |= suit_mask(card)
    for row in range(matchups.shape[0]):
        free = ~gone
        for player in range(players):
            one, other = matchups[row, 2 * player], matchups[row, 2 * player + 1]
            keys[player] = board_key + tables.card_keys[one] + tables.card_keys[other]
            masks[player] = board_mask | suit_mask(one) | suit_mask(other)
            free &= ~masks[player]
        counted[:] = 0
        _without_flushes(tables, runouts, missing, free, keys, counted)
        for suit in range(4):
            shift = np.uint64(16 * suit)
            for player in range(players):
                suited[player] = (masks[player] >> shift) & _RANKS_MASK
            _flushes_of_suit(tables, runouts, missing, free, keys, suited, shift, counted)
        outcomes += counted * weights[row]


@kernel
def list_matchups(ranges: RangeArrays, matchups: Cards, weights: Weights) -> int:
    """List every choice of one combination a player without a repeated card, and return how many there are."""
    players = len(ranges.starts) - 1
    choice = np.empty(players, np.int64)
    used = np.empty(players + 1, np.uint64)
    weight = np.empty(players + 1, np.float64)
    used[0], weight[0], choice[0] = ranges.used, 1.0, ranges.starts[0]
    rows, player = 0, 0
    while player >= 0:
        chosen = choice[player]
        if chosen == ranges.starts[player + 1]:
            player -= 1
            if player >= 0:
                choice[player] += 1
            continue
        if ranges.masks[chosen] & used[player]:
            choice[player] += 1
            continue
        used[player + 1] = used[player] | ranges.masks[chosen]
        weight[player + 1] = weight[player] * ranges.weights[chosen]
        if player + 1 < players:
            player += 1
            choice[player] = ranges.starts[player]
            continue
        for other in range(players):
            matchups[rows, 2 * other] = ranges.combinations[choice[other], 0]
            matchups[rows, 2 * other + 1] = ranges.combinations[choice[other], 1]
        weights[rows] = weight[players]
        rows += 1
        choice[player] += 1
    return rows


@kernel
def name_classes(matchups: Cards, suit_orders: Cards, names: Keys) -> None:
    """Give match-ups that differ only by an exchange of suits the same number: the least over all exchanges.

    A card takes six bits, so there are at most ten cards.
    """
    for row in range(matchups.shape[0]):
        least = ~_ZERO
        for order in range(suit_orders.shape[0]):
            name = _ZERO
            for player in range(matchups.shape[1] // 2):
                one, other = matchups[row, 2 * player], matchups[row, 2 * player + 1]
                first = np.uint64(one // 4 * 4 + suit_orders[order, one % 4])
                second = np.uint64(other // 4 * 4 + suit_orders[order, other % 4])
                name = name << np.uint64(12) | max(first, second) << np.uint64(6) | min(first, second)
            least = min(least, name)
        names[row] = least

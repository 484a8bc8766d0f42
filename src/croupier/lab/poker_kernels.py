"""The compiled loops of the evaluator and the equity calculator, on plain arrays.

All of them add card keys up and look the sum up as `evaluator_tables` explains. They check nothing: `evaluate` and
`equity` do, before they call.

A *suit mask* has 16 bits a suit; bit 16 × suit + rank stands for a card. *Outcomes* count showdowns by who won them:
bit `p` of the place is set when player `p` is among the winners. That needs no branch on the result, which no
processor could foresee.
"""

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.lab.compiling import kernel
from croupier.lab.evaluator_tables import (
    COLUMN_BITS,
    FLUSH_BITS,
    NO_CARD_BITS,
    NO_FLUSH,
    RANK_BITS,
    ROW_BITS,
    SUITS_AT_START,
    Tables,
)
from croupier.lab.runouts import NO_CARD, Runouts

Cards: TypeAlias = NDArray[np.uint8]
Keys: TypeAlias = NDArray[np.uint64]
Weights: TypeAlias = NDArray[np.float64]
Outcomes: TypeAlias = NDArray[np.int64]

ATTEMPTS_MAX: Final = 1000
"""How many deals a sample may take on average before the ranges count as impossible."""

_START: Final = np.uint64(SUITS_AT_START)
_FLUSH: Final = np.uint64(FLUSH_BITS)
_NO_CARD: Final = np.uint64(NO_CARD_BITS)
_ROW_SHIFT: Final = np.uint64(64 - ROW_BITS)
_COLUMN_SHIFT: Final = np.uint64(64 - RANK_BITS)
_COLUMN_MASK: Final = np.uint64((1 << COLUMN_BITS) - 1)
_RANKS_MASK: Final = np.uint64((1 << 13) - 1)
_ZERO: Final = np.uint64(0)
_HALF: Final = np.uint64(32)
_LOW_HALF: Final = np.uint64(0xFFFFFFFF)
_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_ONE: Final = np.uint64(1)


class Field(NamedTuple):
    """The players' combinations, one player's after the other's; a player without any may hold every two cards.

    Player `p` has those from `starts[p]` to `starts[p + 1]`. `masks` and `used` have bit `Card.number`; used are the
    board and the dead cards, `deck` is all the others that nobody is known to hold. `thresholds` and `aliases` are for
    drawing by weight: a combination is kept when 32 random bits are under its threshold, else its alias is taken.
    """

    combinations: Cards
    masks: Keys
    weights: Weights
    thresholds: Keys
    aliases: NDArray[np.int64]
    starts: NDArray[np.int64]
    used: np.uint64
    deck: Cards


@kernel
def suit_mask(card: int) -> np.uint64:
    number = np.uint64(card)
    return _ONE << ((number & np.uint64(3)) * np.uint64(16) + (number >> np.uint64(2)))


@kernel
def _bit(card: int) -> np.uint64:
    return _ONE << (np.uint64(card) & np.uint64(63))


@kernel
def _unsuited_rank(tables: Tables, key: np.uint64) -> np.uint16:
    """The rank of a hand by its sum of keys, if it has no flush."""
    rank: np.uint16 = tables.ranks[tables.offsets[key >> _ROW_SHIFT] + ((key >> _COLUMN_SHIFT) & _COLUMN_MASK)]
    return rank


@kernel
def _flush_rank(tables: Tables, mask: np.uint64, key: np.uint64) -> np.uint16:
    """The rank of a hand by its suit mask, if the sum of its keys shows a flush."""
    flush = key & _FLUSH
    # 0x8, 0x80, 0x800, 0x8000 to 0, 16, 32, 48, without a branch that would be guessed wrong three times in four.
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
    """Ranks hands of seven cards that lie one after the other. Stops at one with a number that is no card or a card
    twice, and gives its place, else -1.

    With one flat array and loops of a known length the compiler keeps so few values at hand that looking for repeated
    cards costs little.
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
            ranks[hand] = _flush_rank(tables, mask, key)
        else:
            ranks[hand] = _unsuited_rank(tables, key)
    return -1


@kernel
def rank_hands(tables: Tables, cards: Cards, ranks: NDArray[np.uint16]) -> int:
    """The same for hands of any one number of cards."""
    size = len(cards) // max(len(ranks), 1)
    for hand in range(len(ranks)):
        key, mask = _START, _ZERO
        for place in range(hand * size, (hand + 1) * size):
            key += tables.card_keys[cards[place]]
            mask |= suit_mask(cards[place])
        if _bits(mask) != size or key & _NO_CARD:
            return hand
        ranks[hand] = _flush_rank(tables, mask, key) if key & _FLUSH else _unsuited_rank(tables, key)
    return -1


@kernel
def count_sevens(tables: Tables, first: int, counts: NDArray[np.uint32]) -> None:
    """Counts by rank all seven-card hands whose lowest card is `first`."""
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
                                counts[_flush_rank(tables, mask6 | masks[g], key)] += np.uint32(1)
                            else:
                                counts[_unsuited_rank(tables, key)] += np.uint32(1)


@kernel
def _winners(ranks: NDArray[np.uint16]) -> int:
    """The players with the best rank, as the place in outcomes."""
    best = ranks[0]
    for player in range(1, len(ranks)):
        best = min(best, ranks[player])
    winners = 0
    for player in range(len(ranks)):
        winners |= (ranks[player] == best) << player
    return winners


@kernel
def _choices(free: np.uint64, choices: NDArray[np.int64]) -> None:
    """Fills in how many cards of each rank are left after none, one, two, three were taken, by 4 × rank + taken."""
    for rank in range(13):
        left = 0
        for suit in range(4):
            left += int((free >> np.uint64(16 * suit + rank)) & _ONE)
        for taken in range(4):
            choices[4 * rank + taken] = max(0, left - taken)
    choices[NO_CARD] = 1


@kernel
def _ways(runouts: Runouts, row: int, choices: NDArray[np.int64]) -> int:
    """In how many ways the cards that are left can show a combination of ranks."""
    ways = 1
    for place in range(5):
        ways *= choices[runouts.rank_cards[row, place]]
    return ways // runouts.orders[row]  # type: ignore[no-any-return]  # arrays of int64 have no type for an element


@kernel
def _without_flushes(
    tables: Tables, runouts: Runouts, missing: int, free: np.uint64, keys: Keys, outcomes: Outcomes
) -> None:
    """Every board, by ranks only, as if there were no flushes: 6,175 combinations for 1,712,304 boards."""
    choices = np.empty(NO_CARD + 1, np.int64)
    ranks = np.empty(len(keys), np.uint16)
    _choices(free, choices)
    for row in range(runouts.rank_starts[missing], runouts.rank_starts[missing + 1]):
        ways = _ways(runouts, row, choices)
        if ways:
            for player in range(len(keys)):
                ranks[player] = _unsuited_rank(tables, keys[player] + runouts.rank_keys[row])
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
    """Puts right the boards on which somebody has a flush in one suit: takes the wrong winners out, the right ones in.

    A board can make flushes in one suit only, so the suits do not meet. `suited` has each player's ranks of the suit.
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
                    ranks[player] = _unsuited_rank(tables, keys[player] + drawn_key)
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
    """Adds up who wins what on every board that can complete `board`, for each row of `matchups` with its weight.

    `matchups` has two cards a player, `gone` is the suit mask of the board and of the dead cards. Instead of visiting
    every board it counts the boards of equal ranks together, and then puts right those that make a flush.
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
def list_matchups(field: Field, matchups: Cards, weights: Weights) -> int:
    """Writes down every way to give each player one combination without a repeated card; gives how many."""
    players = len(field.starts) - 1
    choice = np.empty(players, np.int64)
    used = np.empty(players + 1, np.uint64)
    weight = np.empty(players + 1, np.float64)
    used[0], weight[0], choice[0] = field.used, 1.0, field.starts[0]
    rows, player = 0, 0
    while player >= 0:
        chosen = choice[player]
        if chosen == field.starts[player + 1]:
            player -= 1
            if player >= 0:
                choice[player] += 1
            continue
        if field.masks[chosen] & used[player]:
            choice[player] += 1
            continue
        used[player + 1] = used[player] | field.masks[chosen]
        weight[player + 1] = weight[player] * field.weights[chosen]
        if player + 1 < players:
            player += 1
            choice[player] = field.starts[player]
            continue
        for other in range(players):
            matchups[rows, 2 * other] = field.combinations[choice[other], 0]
            matchups[rows, 2 * other + 1] = field.combinations[choice[other], 1]
        weights[rows] = weight[players]
        rows += 1
        choice[player] += 1
    return rows


@kernel
def name_classes(matchups: Cards, suit_orders: Cards, names: Keys) -> None:
    """Gives match-ups that differ only by an exchange of suits the same number: the least one of their exchanges.

    Six bits a card, so ten cards at most.
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


@kernel
def _mixed(word: np.uint64) -> np.uint64:
    """Scatters the bits of a counter: the finalizer of the SplitMix64 generator."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@kernel
def _draw(state: np.uint64, bound: int) -> tuple[np.uint64, int, np.uint64]:
    """The next state, a number below `bound`, all equally likely, and 32 more random bits.

    Of the products of a 32-bit number and the bound, the few whose low half is under 2^32 mod bound are drawn again:
    then each result has equally many.
    """
    limit = np.uint64(bound)
    while True:
        state += _GOLDEN
        word = _mixed(state)
        product = (word >> _HALF) * limit
        low = product & _LOW_HALF
        if low >= limit or low >= (_LOW_HALF + _ONE - limit) % limit:
            return state, np.int64(product >> _HALF), word & _LOW_HALF  # type: ignore[return-value]  # numba's int


@kernel
def _deal_ranges(field: Field, state: np.uint64, chosen: NDArray[np.int64]) -> tuple[np.uint64, np.uint64, bool]:
    """Draws a combination for each player who has a range, by weight; tells the cards used, and whether none met.

    Players without combinations may hold anything and are dealt from the pack later: however the others were dealt,
    they have equally many hands left, so this is as good as drawing all at once.
    """
    used = field.used
    for player in range(len(chosen)):
        start, count = field.starts[player], field.starts[player + 1] - field.starts[player]
        if count == 0:
            continue
        place = 0
        if count > 1:
            state, place, coin = _draw(state, count)
            if coin >= field.thresholds[start + place]:
                place = field.aliases[start + place]
        chosen[player] = start + place
        if field.masks[start + place] & used:
            return state, used, False
        used |= field.masks[start + place]
    return state, used, True


@kernel
def _next_card(state: np.uint64, deck: Cards, top: int, used: np.uint64) -> tuple[np.uint64, int, int]:
    """The next card of a shuffle that is made as far as it is needed, without those in players' hands."""
    while True:
        state, place, _ = _draw(state, len(deck) - top)
        card = deck[top + place]
        deck[top + place] = deck[top]
        deck[top] = card
        top += 1
        if not (used >> np.uint64(card)) & _ONE:
            return state, top, card


@kernel
def _pairs(tables: Tables, field: Field) -> tuple[Keys, Keys]:
    """The key and the suit mask of every combination."""
    keys = np.empty(len(field.combinations), np.uint64)
    masks = np.empty(len(field.combinations), np.uint64)
    for place in range(len(field.combinations)):
        one, other = field.combinations[place]
        keys[place] = tables.card_keys[one] + tables.card_keys[other]
        masks[place] = suit_mask(one) | suit_mask(other)
    return keys, masks


@kernel
def sample_boards(
    tables: Tables,
    field: Field,
    board: Cards,
    seed: np.uint64,
    block: int,
    samples: int,
    outcomes: Outcomes,
) -> int:
    """Adds up who wins what on random boards with random hands out of the ranges.

    A block's numbers depend on the seed and the block alone, so blocks can be run anywhere in any order and added.
    Gives how many deals it took, or -1 after `ATTEMPTS_MAX` a sample: ranges that hardly ever fit together.
    """
    players = len(field.starts) - 1
    ranks = np.empty(players, np.uint16)
    chosen = np.empty(players, np.int64)
    pair_keys, pair_masks = _pairs(tables, field)
    deck = field.deck.copy()
    known_key, known_mask = _START, _ZERO
    for card in board:
        known_key += tables.card_keys[card]
        known_mask |= suit_mask(card)
    state = _mixed(_mixed(seed + _GOLDEN) ^ (np.uint64(block) + _ONE) * _GOLDEN)
    attempts = 0
    for _ in range(samples):
        dealt = False
        while not dealt:
            if attempts == samples * ATTEMPTS_MAX:
                return -1
            attempts += 1
            state, used, dealt = _deal_ranges(field, state, chosen)
        top = 0
        board_key, board_mask = known_key, known_mask
        for _ in range(len(board), 5):
            state, top, card = _next_card(state, deck, top, used)
            board_key += tables.card_keys[card]
            board_mask |= suit_mask(card)
        for player in range(players):
            if field.starts[player] < field.starts[player + 1]:
                key, mask = pair_keys[chosen[player]], pair_masks[chosen[player]]
            else:
                state, top, one = _next_card(state, deck, top, used)
                state, top, other = _next_card(state, deck, top, used)
                key = tables.card_keys[one] + tables.card_keys[other]
                mask = suit_mask(one) | suit_mask(other)
            key += board_key
            if key & _FLUSH:
                ranks[player] = _flush_rank(tables, board_mask | mask, key)
            else:
                ranks[player] = _unsuited_rank(tables, key)
        outcomes[_winners(ranks)] += 1
    return attempts

"""The order in which three starting hands finish, ties included, sampled for every set of three hands. There are 13
possible orders. For every set of three of the 169 hands, `SAMPLES` deals are drawn from a fixed seed, so every machine
has the same table. That takes a few seconds once per machine: the table is kept beside the compiled kernels. How many
combinations of the three hands share no card is counted exactly.
"""

import os
from functools import cache
from itertools import permutations, product
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.lab.compiler import kernel
from croupier.lab.kernel_cache import cache_folder, stamp
from croupier.lab.poker.evaluator_tables import SUITS_AT_START, Tables, tables
from croupier.lab.poker.hand_classes import COMBINATIONS, HANDS, combination_cards
from croupier.lab.poker.kernels import rank_by_key, suit_mask
from croupier.lab.random_numbers import block_state, draw_below
from croupier.lab.threads import pool

COUNT: Final = len(HANDS)
SAMPLES: Final = 256
SEED: Final = 20
BOARDS: Final = 1 << 16
"""So many boards are drawn; every set of three begins at another of them."""
COMBINATIONS_MAX: Final = 12


def _orders() -> list[tuple[int, int, int]]:
    """The 13 orders, as the place of each of three hands: (0, 1, 1) wins ahead of two that tie."""
    ways = product(range(3), range(3), range(3))
    return [places for places in ways if set(places) == set(range(max(places) + 1))]


ORDERS: Final = tuple(_orders())
WAYS: Final = len(ORDERS)
PERMUTATIONS: Final = tuple(permutations(range(3)))


class Boards(NamedTuple):
    """Boards, or the combinations of hands: sums of card keys, suit masks, and the cards as bits."""

    keys: NDArray[np.uint64]
    masks: NDArray[np.uint64]
    cards: NDArray[np.uint64]


class ThreeWay(NamedTuple):
    """Sets of three hands in rising order `x ≤ y ≤ z`; their place is `starts[x, y] + z`.

    `ways` counts the samples by how the three come in, `deals` the combinations that share no card. `relabelled[p, w]`
    is the way `w` seen by hands that stand in another order, `p` being `permutation` of the three.
    """

    ways: NDArray[np.uint16]
    deals: NDArray[np.uint16]
    starts: NDArray[np.int64]
    relabelled: NDArray[np.int64]


@cache
def three_way() -> ThreeWay:
    """The table: from disk, or drawn and kept there."""
    starts = _starts()
    folder = cache_folder(__file__)
    file = Path(folder) / f"three_way-{stamp(__name__).hex()[:16]}.npz" if folder else None
    if file is not None:
        try:
            with np.load(file) as kept:
                return ThreeWay(kept["ways"], kept["deals"], starts, _relabelled())
        except (OSError, EOFError, ValueError, KeyError):
            pass
    table = _drawn(starts)
    if file is not None:
        _keep(file, table)
    return table


def _keep(file: Path, table: ThreeWay) -> None:
    """Write a file beside and rename it, so that nobody reads half a table. A full disk keeps none.

    Tables of other versions of the sources are dropped.
    """
    beside = file.with_name(f"{file.stem}-{os.getpid()}.new.npz")
    try:
        np.savez(beside, ways=table.ways, deals=table.deals)
        beside.replace(file)
        for other in file.parent.glob("three_way-*.npz"):
            if other != file:
                other.unlink(missing_ok=True)
    except OSError:
        beside.unlink(missing_ok=True)


def _starts() -> NDArray[np.int64]:
    starts = np.zeros((COUNT, COUNT), np.int64)
    place = 0
    for low in range(COUNT):
        for middle in range(low, COUNT):
            starts[low, middle] = place - middle
            place += COUNT - middle
    return starts


def _relabelled() -> NDArray[np.int64]:
    """For three hands whose sorted order is `permutation` of them: sorted hand `s` is the hand `permutation[s]`."""
    found = np.empty((len(PERMUTATIONS), WAYS), np.int64)
    for number, permutation in enumerate(PERMUTATIONS):
        for way, places in enumerate(ORDERS):
            seen = [0, 0, 0]
            for place, hand in zip(places, permutation, strict=True):
                seen[hand] = place
            found[number, way] = ORDERS.index((seen[0], seen[1], seen[2]))
    return found


def _drawn(starts: NDArray[np.int64]) -> ThreeWay:
    evaluator = tables(7)
    boards, hands = _blank(BOARDS), _blank(COUNT * COMBINATIONS_MAX)
    draw_boards(evaluator, SEED, boards)
    for hand, rows in enumerate(combination_cards()):
        for place, pair in enumerate(rows.tolist(), start=hand * COMBINATIONS_MAX):
            hands.keys[place] = evaluator.card_keys[pair].sum()
            hands.masks[place] = sum(1 << (16 * (card % 4) + card // 4) for card in pair)
            hands.cards[place] = sum(1 << card for card in pair)
    total = int(starts[-1, -1]) + COUNT
    table = ThreeWay(np.zeros((total, WAYS), np.uint16), np.zeros(total, np.uint16), starts, _relabelled())
    lookup = np.full(27, -1, np.int64)
    for way, (one, two, three) in enumerate(ORDERS):
        lookup[9 * _sign(one, two) + 3 * _sign(one, three) + _sign(two, three)] = way
    counts = np.array(COMBINATIONS)

    def draw(low: int) -> None:
        draw_sets(evaluator, boards, hands, counts, low, lookup, table)

    list(pool().map(draw, range(COUNT)))
    return table


def _blank(count: int) -> Boards:
    return Boards(np.zeros(count, np.uint64), np.zeros(count, np.uint64), np.zeros(count, np.uint64))


def _sign(one: int, two: int) -> int:
    return 0 if one < two else 1 if one == two else 2


@kernel
def _compared(one: np.uint16, two: np.uint16) -> int:
    if one < two:
        return 0
    return 1 if one == two else 2


@kernel
def draw_boards(evaluator: Tables, seed: int, boards: Boards) -> None:
    """Fill in random boards: the sum of their keys, their suit masks, and their cards as bits."""
    state = block_state(np.uint64(seed), 0)
    for board in range(len(boards.keys)):
        key, mask, used, drawn = np.uint64(SUITS_AT_START), np.uint64(0), np.uint64(0), 0
        while drawn < 5:
            state, card, _ = draw_below(state, 52)
            bit = np.uint64(1) << np.uint64(card)
            if not used & bit:
                used |= bit
                key += evaluator.card_keys[card]
                mask |= suit_mask(card)
                drawn += 1
        boards.keys[board], boards.masks[board], boards.cards[board] = key, mask, used


@kernel
def draw_sets(
    evaluator: Tables,
    boards: Boards,
    hands: Boards,
    counts: NDArray[np.int64],
    low: int,
    lookup: NDArray[np.int64],
    table: ThreeWay,
) -> None:
    """Draw the deals of all sets of three whose lowest hand is `low`, each with a board of its own.

    `low` always has its first combination: an exchange of suits turns any of them into any other. The combinations of
    the other two take turns, so that each pair of them is drawn as often as the others.
    """
    seconds = np.empty(COMBINATIONS_MAX * COMBINATIONS_MAX, np.int64)
    thirds = np.empty(COMBINATIONS_MAX * COMBINATIONS_MAX, np.int64)
    one = low * COMBINATIONS_MAX
    for middle in range(low, len(counts)):
        for high in range(middle, len(counts)):
            place = table.starts[low, middle] + high
            free = 0
            for two in range(middle * COMBINATIONS_MAX, middle * COMBINATIONS_MAX + counts[middle]):
                if hands.cards[two] & hands.cards[one]:
                    continue
                for three in range(high * COMBINATIONS_MAX, high * COMBINATIONS_MAX + counts[high]):
                    if not hands.cards[three] & (hands.cards[one] | hands.cards[two]):
                        seconds[free], thirds[free] = two, three
                        free += 1
            table.deals[place] = free * counts[low]
            if free == 0:
                continue
            _, board, _ = draw_below(block_state(np.uint64(SEED), place), BOARDS)
            for sample in range(SAMPLES):
                pick = sample % free
                two, three = seconds[pick], thirds[pick]
                used = hands.cards[one] | hands.cards[two] | hands.cards[three]
                board = (board + 1) % BOARDS
                while boards.cards[board] & used:
                    board = (board + 1) % BOARDS
                key, mask = boards.keys[board], boards.masks[board]
                first = rank_by_key(evaluator, key + hands.keys[one], mask | hands.masks[one])
                second = rank_by_key(evaluator, key + hands.keys[two], mask | hands.masks[two])
                third = rank_by_key(evaluator, key + hands.keys[three], mask | hands.masks[three])
                code = 9 * _compared(first, second) + 3 * _compared(first, third) + _compared(second, third)
                table.ways[place, lookup[code]] += np.uint16(1)

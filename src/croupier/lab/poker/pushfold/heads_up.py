"""How often each of the 169 starting hands beats each other one, exactly.

The counts are kept in `heads_up.npz` beside this module, since counting them takes half a minute. To count them again:
`python -m croupier.lab.poker.pushfold.heads_up`.
"""

from functools import cache
from itertools import permutations
from math import comb
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.lab.poker import kernels as poker_kernels
from croupier.lab.poker.evaluator_tables import tables
from croupier.lab.poker.hand_classes import ALL_COMBINATIONS, COMBINATIONS, HANDS, combination_cards
from croupier.lab.poker.runouts import runouts
from croupier.lab.threads import pool

Floats = NDArray[np.float64]

FILE: Final = Path(__file__).with_name("heads_up.npz")
BOARDS: Final = comb(48, 5)
OTHER_COMBINATIONS: Final = comb(50, 2)
COUNT: Final = len(HANDS)


class HeadsUp(NamedTuple):
    """By first and second hand: how often the first wins and ties; `given` is how likely the second is beside the
    first, and `dealt` how likely each hand is."""

    win: Floats
    tie: Floats
    given: Floats
    dealt: Floats


@cache
def heads_up() -> HeadsUp:
    """The table."""
    with np.load(FILE) as file:
        wins, ties = (file[name].astype(np.float64) for name in ("wins", "ties"))
    pairs = compatible()
    boards = pairs * BOARDS
    dealt = np.array(COMBINATIONS) / ALL_COMBINATIONS
    return HeadsUp(wins / boards, ties / boards, pairs / OTHER_COMBINATIONS, dealt)


@cache
def compatible() -> NDArray[np.int64]:
    """How many combinations of the second hand share no card with one combination of the first."""
    cards = combination_cards()
    found = np.zeros((COUNT, COUNT), np.int64)
    for first, rows in enumerate(cards):
        for second, others in enumerate(cards):
            found[first, second] = (~np.isin(others, rows[0]).any(axis=1)).sum()
    return found


def count() -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Wins and ties of one combination of the first hand against all of the second, over all boards.

    Which combination does not matter: an exchange of suits turns any of them into any other.
    """
    cards = combination_cards()
    rows, places = [], []
    for first, ours in enumerate(cards):
        for second, theirs in enumerate(cards):
            free = theirs[~np.isin(theirs, ours[0]).any(axis=1)]
            rows.append(np.hstack([np.broadcast_to(ours[0], (len(free), 2)), free]))
            places += [first * COUNT + second] * len(free)
    deals = np.ascontiguousarray(np.vstack(rows))
    names = np.empty(len(deals), np.uint64)
    poker_kernels.name_classes(deals, np.array(list(permutations(range(4))), np.uint8), names)
    _, firsts, which = np.unique(names, return_index=True, return_inverse=True)
    ready, endings, nothing = tables(7), runouts(), np.empty(0, np.uint8)

    def outcomes(place: int) -> NDArray[np.float64]:
        counted = np.zeros(4)
        deal = deals[place : place + 1]
        poker_kernels.count_matchups(ready, endings, nothing, np.uint64(0), deal, np.ones(1), counted)
        return counted

    counted = np.array(list(pool().map(outcomes, firsts.tolist())))[which]
    wins, ties = (np.bincount(places, weights=counted[:, won]) for won in (1, 3))
    return (wins.reshape(COUNT, COUNT).astype(np.uint32), ties.reshape(COUNT, COUNT).astype(np.uint32))


if __name__ == "__main__":
    all_wins, all_ties = count()
    np.savez_compressed(FILE, wins=all_wins, ties=all_ties)

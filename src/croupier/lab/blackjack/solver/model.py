"""A rule set as plain arrays, for the kernels."""

from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.games.blackjack import BlackjackRules
from croupier.lab.blackjack.solver import splits
from croupier.lab.blackjack.solver.compositions import (
    ACE,
    BITS,
    RANKS,
    TARGET,
    TEN,
    Floats,
    Ints,
    decks_of,
    hands,
    lists,
)
from croupier.lab.blackjack.solver.dealer import NONE, DealerRules

SOFT_ROWS: Final = TARGET + 1
"""The row of a soft total is that of the hard total plus this."""
TABLE_ROWS: Final = 2 * (TARGET + 1)

SURRENDERS: Final = ("no", "late", "early")
NO_SURRENDER: Final = SURRENDERS.index("no")
EARLY_SURRENDER: Final = SURRENDERS.index("early")

Flags: TypeAlias = npt.NDArray[np.bool_]


class Structure(NamedTuple):
    """Hands and lists as in `compositions`, and the rows of a strategy table that they belong to."""

    counts: Floats
    size: Ints
    total: Ints
    draws: Ints
    """How many ranks, from the ace up, do not bust the hand."""
    busting: Floats
    """How many cards the hand holds of the ranks that would bust it."""
    row: Ints
    """The hand's row in a strategy table."""
    twos: Ints
    """The hands of two cards, as `[rank, rank]`."""
    start: Ints
    hand: Ints
    child: Ints
    rows: Ints
    """The rows of a table, ordered so that every hit leads to an earlier row."""
    block: Ints
    """Where the entries of each row begin in each list, `[list, place of the row]`. They end where the next begin."""


class Options(NamedTuple):
    """What a hand may do and what it is paid."""

    deck: Floats
    """Cards of each rank in the full shoe."""
    may_double: Flags
    """`[0 unsplit or 1 split, hand]`."""
    may_draw: Flags
    """Whether a hand from a split of a rank may take more than one card, `[rank]`."""
    levels: Ints
    """How many levels of `splits` each rank has; 0 if it may not be split."""
    coefficients: Floats
    """`[rank, own or any, level]`, as in `splits`."""
    blackjack_pays: float
    blackjack_hand: int
    """The hand of an ace and a ten if that is a blackjack, else `NONE`."""
    surrender: int
    stands_on: int
    peek: bool
    full_loss: bool
    """Whether a dealer's blackjack takes doubled and split bets, too: the dealer has not peeked."""


@lru_cache
def structure(ace_is_one: bool) -> Structure:
    """The hands, which depend only on the value of an ace."""
    every, entries = hands(ace_is_one), lists(ace_is_one)
    draws = np.minimum(RANKS, TARGET - every.hard)
    row = every.total + np.where(every.soft, SOFT_ROWS, 0).astype(np.int32)
    changes = np.concatenate([[0], np.nonzero(np.diff(row))[0] + 1])
    rows = row[changes]
    place = np.empty(TABLE_ROWS, np.int32)
    place[rows] = np.arange(len(rows))
    block = np.empty((len(entries.start) - 1, len(rows) + 1), np.int32)
    for number, begin in enumerate(entries.start[:-1]):
        members = place[row[entries.hand[begin : entries.start[number + 1]]]]
        block[number] = begin + np.searchsorted(members, np.arange(len(rows) + 1))
    twos = np.array([[every.row_of_key[(1 << BITS * a) + (1 << BITS * b)] for b in range(RANKS)] for a in range(RANKS)])
    return Structure(
        counts=every.counts.astype(np.float64),
        size=every.size,
        total=every.total,
        draws=draws.astype(np.int32),
        busting=(every.counts * (np.arange(RANKS) >= draws[:, None])).sum(axis=1).astype(np.float64),
        row=row.astype(np.int32),
        twos=twos.astype(np.int32),
        start=entries.start,
        hand=entries.hand,
        child=entries.child,
        rows=rows.astype(np.int32),
        block=block,
    )


def options(rules: BlackjackRules) -> Options:
    """The rule set's options for the kernels."""
    table = structure(rules.ace == "one")
    pair_levels = np.zeros(RANKS, np.int32)
    coefficients = np.zeros((RANKS, 2, splits.levels(rules.hands_max)))
    for rank in range(RANKS if rules.hands_max > 1 else 0):
        hands_max = 2 if rank == ACE and not rules.resplit_aces else rules.hands_max
        pair_levels[rank] = splits.levels(hands_max)
        coefficients[rank, :, : pair_levels[rank]] = splits.coefficients(hands_max)
    may_draw = np.ones(RANKS, np.bool_)
    may_draw[ACE] = rules.hit_split_aces
    numerator, denominator = rules.blackjack_ratio if rules.has_blackjack else (0, 1)
    return Options(
        deck=decks_of(rules.decks).astype(np.float64),
        may_double=_may_double(rules, table),
        may_draw=may_draw,
        levels=pair_levels,
        coefficients=coefficients,
        blackjack_pays=numerator / denominator,
        blackjack_hand=int(table.twos[ACE, TEN]) if rules.has_blackjack else NONE,
        surrender=SURRENDERS.index(rules.surrender),
        stands_on=rules.dealer_stands_on,
        peek=rules.peek and rules.has_blackjack,
        full_loss=rules.has_blackjack and not rules.peek and not rules.original_bets_only,
    )


def dealer_rules(rules: BlackjackRules) -> DealerRules:
    """The rule set's options for the dealer."""
    return DealerRules(
        stands_on=rules.dealer_stands_on,
        hits_soft_17=rules.dealer_hits_soft_17,
        ace_is_one=rules.ace == "one",
        has_blackjack=rules.has_blackjack,
    )


def _may_double(rules: BlackjackRules, table: Structure) -> Flags:
    """`Options.may_double`. A hand of 21 stands automatically, so it is never doubled."""
    low, high = {"any": (0, TARGET - 1), "9-11": (9, 11), "no": (1, 0)}[rules.double]
    allowed = (table.size == 2) & (table.total >= low) & (table.total <= high)
    return np.stack([allowed, allowed & rules.double_after_split])

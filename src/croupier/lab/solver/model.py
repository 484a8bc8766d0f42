"""A rule set as plain arrays for the kernels."""

from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.lab.solver import splitting
from croupier.lab.solver.compositions import ACE, BITS, RANKS, TARGET, TEN, Floats, Ints, decks_of, hands, lists
from croupier.lab.solver.dealer import NONE, DealerRules
from croupier.rules.blackjack import BlackjackRules

SOFT_ROWS: Final = TARGET + 1
"""Rows of a strategy table by total, the hard ones first; soft totals stand this much further."""
TABLE_ROWS: Final = 2 * (TARGET + 1)

NO_SURRENDER, LATE_SURRENDER, EARLY_SURRENDER = range(3)
SURRENDERS: Final = ("no", "late", "early")

Flags: TypeAlias = npt.NDArray[np.bool_]


class Structure(NamedTuple):
    """Hands and lists as in `compositions`, and how they meet the rows of a strategy table."""

    counts: Floats
    size: Ints
    total: Ints
    draws: Ints
    """How many ranks, from the ace up, a hand can take without being bust."""
    busting: Floats
    """How many cards a hand holds of the ranks that would bust it."""
    row: Ints
    """The row of a strategy table that a hand is played by."""
    twos: Ints
    """The hands of two cards, as `[rank, rank]`."""
    start: Ints
    hand: Ints
    child: Ints
    rows: Ints
    """The rows of a table in an order in which every hit leads to an earlier row."""
    block: Ints
    """Where the entries of each of these rows begin in each list, `[list, place of the row]`, and end in the next."""


class Options(NamedTuple):
    """The options that decide what a hand may do and what it is paid."""

    deck: Floats
    """Cards of each rank in the full shoe."""
    may_double: Flags
    """`[0 unsplit or 1 split, hand]`."""
    may_draw: Flags
    """Whether a hand from a split of a rank may take more than one card, `[rank]`."""
    levels: Ints
    """How many levels of `splitting` each rank has; 0 where it may not be split."""
    coefficients: Floats
    """`[rank, own or any, level]`, as in `splitting`."""
    blackjack_pays: float
    blackjack_hand: int
    """The hand of an ace and a ten where that is a blackjack, or `NONE`."""
    surrender: int
    stands_on: int
    peek: bool
    full_loss: bool
    """A dealer's blackjack takes doubled and split bets too, since the dealer has not looked."""


@lru_cache
def structure(ace_is_one: bool) -> Structure:
    """What depends on nothing but the value of an ace."""
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
    coefficients = np.zeros((RANKS, 2, splitting.levels(rules.hands_max)))
    for rank in range(RANKS if rules.hands_max > 1 else 0):
        hands_max = 2 if rank == ACE and not rules.resplit_aces else rules.hands_max
        pair_levels[rank] = splitting.levels(hands_max)
        coefficients[rank, :, : pair_levels[rank]] = splitting.coefficients(hands_max)
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
    """A hand of 21 stands by itself, so it is never doubled."""
    low, high = {"any": (0, TARGET - 1), "9-11": (9, 11), "no": (1, 0)}[rules.double]
    allowed = (table.size == 2) & (table.total >= low) & (table.total <= high)
    return np.stack([allowed, allowed & rules.double_after_split])

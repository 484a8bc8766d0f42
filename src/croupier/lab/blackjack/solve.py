"""Blackjack solved exactly: what every play of every hand is worth, the best strategy table, and what both earn.

Everything is computed without replacement from a full, freshly shuffled shoe; nothing is sampled. The terms:

- *Composition-dependent* play looks at the cards of the hand, not only at their total, and takes the best play.
- *Total-dependent* play follows a strategy table. The table returned is the best one. Its entries are weighted by how
  often the rest of the table reaches each composition, before and after splits, until no single change is a gain. A
  pair has its own entry, which may differ from that of its total.
- *Split hands* follow one fixed strategy that looks at the hand alone: the best one for a hand with one more pair card
  missing from the shoe than its own. A pair from a split is split again whenever the rules allow. With two hands this
  is the optimum. With more, it is the best that a player can do who looks at one hand at a time. Total-dependent play
  keeps to the table after a split.
- *Cells* are conditional on the dealer having no blackjack if the dealer peeks, and unconditional otherwise. A play
  that is not allowed has no value. The value of an early surrender is the half bet that it costs. Whether it is the
  best play is decided by what it saves before the dealer looks.
- *Insurance* is a separate bet: it is reported by hand and is part of no other figure.
- *Expected values* are per initial bet of one. `per_initial_bet`, `per_total_bet` (per chip staked, doubles and splits
  included) and `rtp` (1 + `per_initial_bet`) belong to the strategy table, which people and simulations play.

If both of the dealer's cards are open (`dealer_seat`), the upcard is the first of them.
"""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias, TypeVar

import msgspec
import numpy as np

from croupier.games.blackjack import BlackjackRules
from croupier.lab.blackjack import strategy
from croupier.lab.blackjack.solver import splits
from croupier.lab.blackjack.solver.column import Column, column_of
from croupier.lab.blackjack.solver.compositions import ACE, RANKS, TARGET, TEN, Floats, Ints, Shoes, shoes
from croupier.lab.blackjack.solver.dealer import NONE, chances, tree
from croupier.lab.blackjack.solver.model import (
    SOFT_ROWS,
    TABLE_ROWS,
    Options,
    Structure,
    dealer_rules,
    options,
    structure,
)
from croupier.lab.blackjack.solver.values import Best, Workspace, best_play, evaluate, improve, new_workspace
from croupier.lab.blackjack.strategy import PAIR, SOFT, PlayArray, StrategyTable
from croupier.lab.threads import pool

Result = TypeVar("Result")

NAMES: Final = "A23456789T"
"""Ranks in the order of the solver's arrays."""
PLAY_NAMES: Final = ("stand", "hit", "double", "split", "surrender")
NOT_ALLOWED: Final = -np.inf

Row: TypeAlias = tuple[float, float | None, float | None, float | None, float | None, str]
"""The fields of `Values`, in order."""


class Values(msgspec.Struct, frozen=True):
    """What each play of a hand is worth, per initial bet; None where it is not allowed. `best` names the best."""

    stand: float
    hit: float | None
    double: float | None
    split: float | None
    surrender: float | None
    best: str


class Cell(Values, frozen=True):
    """The values of two first cards, such as `A7` or `T6`, against an upcard, such as `T`."""

    up: str
    cards: str


class Expectation(msgspec.Struct, frozen=True, rename="camel"):
    """Expected values of a round; the module says which strategy each belongs to."""

    per_initial_bet: float
    per_total_bet: float
    rtp: float
    composition_dependent: float
    total_dependent: float


class Insured(msgspec.Struct, frozen=True):
    """The expected value of insurance per chip staked on it, by the player's first cards."""

    cards: str
    ev: float


class Prepared(NamedTuple):
    """A rule set with everything that does not depend on a strategy, ready for solving and for evaluating tables."""

    rules: BlackjackRules
    structure: Structure
    options: Options
    columns: tuple[Column, ...]
    """By upcard, ace first."""

    @property
    def shares(self) -> tuple[float, ...]:
        """The chance of each upcard."""
        return tuple(float(cards / self.options.deck.sum()) for cards in self.options.deck)

    def workspace(self) -> Workspace:
        """Working arrays for the kernels. Each thread needs its own."""
        return new_workspace(self.columns[0].stand.shape)


class Solution(NamedTuple):
    """The solution of a rule set."""

    prepared: Prepared
    ev: Expectation
    strategy: StrategyTable
    cells: tuple[Cell, ...]
    best: tuple[Best, ...]

    def _repr_html_(self) -> str:
        return f"<p>Expected value per bet: {self.ev.composition_dependent:+.4%}</p>{self.strategy._repr_html_()}"

    def hand(self, cards: str, up: str) -> Values:
        """What the plays of an unsplit hand of any size are worth, such as `"A52"` against `"T"`."""
        rows = self._rows(cards, up)
        against, best = self.prepared.columns[NAMES.index(up)], self.best[NAMES.index(up)]
        return Values(*_values(self.prepared, against, rows, _plays(self.prepared.structure, against, best, rows))[0])

    def split_hand(self, cards: str, pair: str, up: str) -> Values:
        """What the plays of a hand from a split of `pair` are worth, beside one other hand.

        Exact for a player who knows that the other hand holds a `pair` card, and nothing else of it. Splitting again
        has no value here. Raises ValueError for an impossible hand.
        """
        (row,) = self._rows(cards, up)
        prepared = self.prepared
        table, chosen, against = prepared.structure, prepared.options, prepared.columns[NAMES.index(up)]
        if len(pair) != 1 or pair not in cards or not chosen.levels[NAMES.index(pair)]:
            raise ValueError(f"not a hand from a split of {pair}: {cards}")
        begin, end = table.start[NAMES.index(pair) + 1 : NAMES.index(pair) + 3]
        entry = begin + np.searchsorted(table.hand[begin:end], row)
        workspace = prepared.workspace()
        best_play(table, chosen, against, workspace)
        closed = table.total[row] == TARGET or not chosen.may_draw[NAMES.index(pair)]
        hit = np.nan if closed else workspace.hits[0, entry]
        plays = np.array([against.stand[0, entry], hit, against.double[0, entry]])
        hidden = against.blackjack_rank
        if hidden != NONE and not chosen.full_loss:
            seen = table.counts[row, hidden] + (hidden == NAMES.index(pair))
            clear = 1.0 - (against.left[hidden] - seen) / (against.cards - table.size[row] - 1.0)
            plays = plays / clear if chosen.peek else plays - (1.0 - clear)
        stand, hit, double = (None if np.isnan(value) else float(value) for value in plays)
        assert stand is not None, "every hand may stand"
        return Values(stand, hit, double, None, None, PLAY_NAMES[int(np.nanargmax(plays))])

    def _rows(self, cards: str, up: str) -> Ints:
        """The row of these cards among the solver's hands, as an array. Raises ValueError if there is none."""
        counts = [cards.count(name) for name in NAMES]
        if sum(counts) != len(cards) or up not in NAMES or len(cards) < 2:
            raise ValueError(f"not a hand of {NAMES}: {cards} against {up}")
        rows = np.nonzero((self.prepared.structure.counts == counts).all(axis=1))[0].astype(np.int32)
        if not len(rows):
            raise ValueError(f"bust: {cards}")
        return rows

    def insurance(self) -> tuple[Insured, ...]:
        """The value of insurance by the player's first cards; empty if the rules do not offer it."""
        if not self.prepared.rules.insurance:
            return ()
        clear = self.prepared.columns[ACE].clear[self.prepared.structure.twos[tuple(FIRST_CARDS)]]
        return tuple(Insured(cards, ev) for cards, ev in zip(FIRST_NAMES, (2 - 3 * clear).tolist(), strict=True))


def prepare(rules: BlackjackRules) -> Prepared:
    """Compute the dealer's chances and the value of standing for every hand, once for a rule set."""
    table, chosen, behind = structure(rules.ace == "one"), options(rules), shoes_behind(rules)
    return Prepared(rules, table, chosen, tuple(_by_upcard(lambda up: column(rules, chosen, behind, up))))


def solve(rules: BlackjackRules) -> Solution:
    """Solve a rule set."""
    table, chosen, behind = structure(rules.ace == "one"), options(rules), shoes_behind(rules)

    def solved(up: int) -> tuple[Column, Best, PlayArray, PlayArray, float, float]:
        against = column(rules, chosen, behind, up)
        workspace = new_workspace(against.stand.shape)
        best = best_play(table, chosen, against, workspace)
        plays, pairs = np.zeros(TABLE_ROWS, np.uint8), np.zeros(RANKS, np.uint8)
        improve(table, chosen, against, plays, pairs, workspace)
        return against, best, plays, pairs, *evaluate(table, chosen, against, plays, pairs, workspace)

    columns, best, plays, pairs, won, staked = zip(*_by_upcard(solved), strict=True)
    prepared = Prepared(rules, table, chosen, columns)
    first_cards = table.twos[tuple(FIRST_CARDS)]
    first_plays = [_plays(table, *figures, first_cards) for figures in zip(columns, best, strict=True)]
    by_table = float(np.dot(prepared.shares, won))
    ev = Expectation(
        per_initial_bet=by_table,
        per_total_bet=by_table / float(np.dot(prepared.shares, staked)),
        rtp=1 + by_table,
        composition_dependent=_composition_dependent(prepared, first_cards, first_plays),
        total_dependent=by_table,
    )
    cells = _cells(prepared, first_cards, first_plays)
    return Solution(prepared, ev, table_of(plays, pairs, rules.ace == "one"), cells, best)


def won_and_staked(prepared: Prepared, table: StrategyTable) -> tuple[float, float]:
    """What a strategy table wins and stakes in a round, on average per initial bet; exact."""
    workspace, plays = prepared.workspace(), table.array()
    figures = [
        evaluate(prepared.structure, prepared.options, against, *column_plays(plays, up), workspace)
        for up, against in enumerate(prepared.columns)
    ]
    won, staked = (float(np.dot(prepared.shares, figure)) for figure in zip(*figures, strict=True))
    return won, staked


def column_plays(plays: PlayArray, up: int) -> tuple[PlayArray, PlayArray]:
    """One upcard's entries of a table's array, for the kernels: by row, and by the rank of a pair."""
    rank = up + 1
    return np.concatenate([plays[0, :, rank], plays[SOFT, :, rank]]), plays[PAIR, 1 : RANKS + 1, rank].copy()


def table_of(plays: tuple[PlayArray, ...], pairs: tuple[PlayArray, ...], ace_is_one: bool) -> StrategyTable:
    """A strategy table from the kernels' columns. A pair that is played by its total gets that total's entry."""

    def entry(kind: str, hand: str, up: str) -> str:
        place = NAMES.index(up)
        row = strategy.row_number(hand)
        if kind == "pairs":
            play = pairs[place][row - 1]
            if play != strategy.BY_TOTAL:
                return strategy.PLAYS[play]
            soft_aces = hand == "A" and not ace_is_one
            row, kind = (12, "soft") if soft_aces else (2 * row, "hard")
        return strategy.PLAYS[plays[place][row + (SOFT_ROWS if kind == "soft" else 0)]]

    return strategy.build(entry)


def _by_upcard(work: Callable[[int], Result]) -> list[Result]:
    """Do some work for each upcard on all cores. The results are in the order of upcards, ace first."""
    # Longest work first, so that no core ends with a long upcard alone.
    order = [1, 2, 0, 3, 4, 5, 6, 7, 8, 9]
    found = dict(zip(order, pool().map(work, order), strict=True))
    return [found[up] for up in range(RANKS)]


def shoes_behind(rules: BlackjackRules) -> Shoes:
    """The cards that can be missing from the shoe when a hand stands."""
    return shoes(rules.ace == "one", splits.levels(rules.hands_max))


def column(rules: BlackjackRules, chosen: Options, behind: Shoes, up: int) -> Column:
    """The game against one upcard."""
    dealer = dealer_rules(rules)
    left = chosen.deck.copy()
    left[up] -= 1
    found = np.zeros((len(behind.counts), dealer.ends))
    chances(left, behind.counts, dealer.blackjack_rank(up), tree(dealer, up), found)
    return column_of(structure(rules.ace == "one"), chosen, up, dealer.blackjack_rank(up), found, behind.of_entry)


def _first_cards() -> list[tuple[int, int]]:
    """All pairs of first cards by rank, in the order `AA`, `AT`, … `A2`, `TT`, `T9`, … `22`."""
    order = [ACE, *range(TEN, ACE, -1)]
    return [(first, second) for place, first in enumerate(order) for second in order[place:]]


FIRST_CARDS: Final = np.array(_first_cards()).T
FIRST_NAMES: Final = tuple(NAMES[first] + NAMES[second] for first, second in FIRST_CARDS.T)


def _plays(table: Structure, against: Column, best: Best, hands: Ints) -> Floats:
    """The kernels' values of the plays of unsplit hands, `[play, hand]`, plays as in `PLAY_NAMES`.

    A play that is not allowed is `NOT_ALLOWED`.
    """
    paired = (table.size[hands] == 2) & (table.counts[hands].max(axis=1) == 2)
    split = np.where(paired, best.split[table.counts[hands].argmax(axis=1)], np.nan)
    values = np.stack([best.stand[hands], best.hit[hands], against.double[0, hands], split, against.surrender[hands]])
    return np.where(np.isnan(values), NOT_ALLOWED, values)


def _reported(prepared: Prepared, against: Column, hands: Ints, plays: Floats) -> Floats:
    """The values as they are reported: conditional if the dealer peeks."""
    chosen, clear = prepared.options, against.clear[hands]
    if chosen.peek:
        shown: Floats = plays / clear
        if prepared.rules.surrender == "early":
            shown[-1] = np.where(np.isinf(shown[-1]), shown[-1], -0.5)
        return shown
    if chosen.full_loss:
        return plays
    return plays - np.where(hands == chosen.blackjack_hand, 0.0, 1.0 - clear)


def _values(prepared: Prepared, against: Column, hands: Ints, plays: Floats) -> list[Row]:
    """The reported values by hand, with None for a play that is not allowed."""
    shown = _reported(prepared, against, hands, plays)
    by_play = [[None if value == NOT_ALLOWED else value for value in row] for row in shown.tolist()]
    return list(zip(*by_play, [PLAY_NAMES[number] for number in plays.argmax(axis=0).tolist()], strict=True))


def _cells(prepared: Prepared, hands: Ints, plays: list[Floats]) -> tuple[Cell, ...]:
    """The cells of all first cards against each upcard, ace last."""
    return tuple(
        Cell(*values, NAMES[up], cards)
        for up in (*range(1, RANKS), ACE)
        for cards, values in zip(FIRST_NAMES, _values(prepared, prepared.columns[up], hands, plays[up]), strict=True)
    )


def _composition_dependent(prepared: Prepared, hands: Ints, plays: list[Floats]) -> float:
    total = 0.0
    for share, against, values_of_plays in zip(prepared.shares, prepared.columns, plays, strict=True):
        values = values_of_plays.max(axis=0)
        if not prepared.options.full_loss:
            values -= np.where(hands == prepared.options.blackjack_hand, 0.0, 1.0 - against.clear[hands])
        total += share * float(against.dealt[hands] @ values)
    return total

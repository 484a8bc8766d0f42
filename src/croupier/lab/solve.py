"""Blackjack solved exactly: what every play of every hand is worth, the best strategy table, and what both earn.

Everything is computed without replacement from a full, freshly shuffled shoe; nothing is sampled. What the words mean:

- *Composition-dependent* play looks at the cards of the hand, not only at their total, and takes the best play.
- *Total-dependent* play follows a strategy table. The table given is the best: entries are weighed by how often the
  rest of the table lets each composition come up, before and after splits, until no entry can be changed without loss.
  A pair has an entry of its own, which need not be that of its total.
- *Split hands* are played by one fixed strategy that looks at the hand alone and ignores the others: the best for a
  hand with one pair card missing from the shoe besides its own. A pair from a split is split again whenever the rules
  allow. With two hands this is the optimum; with more it is what a player who looks at one hand at a time can do. The
  total-dependent player keeps to the table after a split.
- *Cells* are conditional on the dealer having no blackjack where the dealer peeks, and unconditional elsewhere; a play
  that is not allowed has no value. A cell's value of an early surrender is the half bet that it costs; whether it is
  the best play is decided by what it saves before the dealer looks.
- *Insurance* is a bet of its own: it is reported by hand and never taken in any other figure.
- *Expected values* are per initial bet of one. `per_initial_bet`, `per_total_bet` (all that is staked, doubles and
  splits included) and `rtp` (one plus the expected value per initial bet) are those of the strategy table, since that
  is what people and simulations play.

Where the dealer's two cards are open (`dealer_seat`), cells are against the first of them, as everywhere else.
"""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias, TypeVar

import msgspec
import numpy as np

from croupier.lab import strategy
from croupier.lab.solver import splitting
from croupier.lab.solver.column import Column, column_of
from croupier.lab.solver.compositions import ACE, RANKS, TARGET, TEN, Floats, Ints, Shoes, shoes
from croupier.lab.solver.dealer import NONE, chances, tree
from croupier.lab.solver.model import SOFT_ROWS, TABLE_ROWS, Options, Structure, dealer_rules, options, structure
from croupier.lab.solver.play import Best, Room, best_play, evaluate, improve, new_room
from croupier.lab.strategy import PAIR, SOFT, PlayArray, StrategyTable
from croupier.lab.workers import pool
from croupier.rules.blackjack import BlackjackRules

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
    """The same for first cards: `cards` as in `A7` or `T6`, `up` as in `T`."""

    up: str
    cards: str


class Expectation(msgspec.Struct, frozen=True, rename="camel"):
    """What a round earns; see the module for which strategy each figure belongs to."""

    per_initial_bet: float
    per_total_bet: float
    rtp: float
    composition_dependent: float
    total_dependent: float


class Insured(msgspec.Struct, frozen=True):
    """What insurance earns per unit staked on it, with the player's first cards."""

    cards: str
    ev: float


class Prepared(NamedTuple):
    """A rule set with all that no strategy changes, ready to be solved or to have tables evaluated."""

    rules: BlackjackRules
    structure: Structure
    options: Options
    columns: tuple[Column, ...]
    """By upcard, aces first."""

    @property
    def shares(self) -> tuple[float, ...]:
        """How often each upcard lies."""
        return tuple(float(cards / self.options.deck.sum()) for cards in self.options.deck)

    def room(self) -> Room:
        """Working arrays for the kernels; one for each thread."""
        return new_room(self.columns[0].stand.shape)


class Solution(NamedTuple):
    """What `solve` found."""

    prepared: Prepared
    ev: Expectation
    strategy: StrategyTable
    cells: tuple[Cell, ...]
    best: tuple[Best, ...]

    def hand(self, cards: str, up: str) -> Values:
        """What the plays of an unsplit hand of any size are worth, such as `"A52"` against `"T"`."""
        rows = self._rows(cards, up)
        against, best = self.prepared.columns[NAMES.index(up)], self.best[NAMES.index(up)]
        return Values(*_values(self.prepared, against, rows, _plays(self.prepared.structure, against, best, rows))[0])

    def split_hand(self, cards: str, pair: str, up: str) -> Values:
        """What the plays of a hand from a split of `pair` are worth, beside one other hand: exact for a player who
        knows of that hand that it holds a `pair` too, and nothing else. To split again has no value here."""
        (row,) = self._rows(cards, up)
        prepared = self.prepared
        table, chosen, against = prepared.structure, prepared.options, prepared.columns[NAMES.index(up)]
        if len(pair) != 1 or pair not in cards or not chosen.levels[NAMES.index(pair)]:
            raise ValueError(f"not a hand from a split of {pair}: {cards}")
        begin, end = table.start[NAMES.index(pair) + 1 : NAMES.index(pair) + 3]
        entry = begin + np.searchsorted(table.hand[begin:end], row)
        room = prepared.room()
        best_play(table, chosen, against, room)
        closed = table.total[row] == TARGET or not chosen.may_draw[NAMES.index(pair)]
        hit = np.nan if closed else room.hits[0, entry]
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
        """The one row of the solver's hands that these cards are. Raises ValueError for no hand, and for a bust one."""
        counts = [cards.count(name) for name in NAMES]
        if sum(counts) != len(cards) or up not in NAMES or len(cards) < 2:
            raise ValueError(f"not a hand of {NAMES}: {cards} against {up}")
        rows = np.nonzero((self.prepared.structure.counts == counts).all(axis=1))[0].astype(np.int32)
        if not len(rows):
            raise ValueError(f"bust: {cards}")
        return rows

    def insurance(self) -> tuple[Insured, ...]:
        """By the player's first cards, where the rules offer it."""
        if not self.prepared.rules.insurance:
            return ()
        clear = self.prepared.columns[ACE].clear[self.prepared.structure.twos[tuple(FIRST_CARDS)]]
        return tuple(Insured(cards, ev) for cards, ev in zip(FIRST_NAMES, (2 - 3 * clear).tolist(), strict=True))


def prepare(rules: BlackjackRules) -> Prepared:
    """Computes the dealer's chances and every hand's value when it stands, once for a rule set."""
    table, chosen, behind = structure(rules.ace == "one"), options(rules), shoes_behind(rules)
    return Prepared(rules, table, chosen, tuple(_by_upcard(lambda up: column(rules, chosen, behind, up))))


def solve(rules: BlackjackRules) -> Solution:
    """Solves a rule set."""
    table, chosen, behind = structure(rules.ace == "one"), options(rules), shoes_behind(rules)

    def solved(up: int) -> tuple[Column, Best, PlayArray, PlayArray, float, float]:
        against = column(rules, chosen, behind, up)
        room = new_room(against.stand.shape)
        best = best_play(table, chosen, against, room)
        plays, pairs = np.zeros(TABLE_ROWS, np.uint8), np.zeros(RANKS, np.uint8)
        improve(table, chosen, against, plays, pairs, room)
        return against, best, plays, pairs, *evaluate(table, chosen, against, plays, pairs, room)

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


def earns(prepared: Prepared, table: StrategyTable) -> tuple[float, float]:
    """What a strategy table wins in a round, and what it stakes, on average per initial bet: exact."""
    room, plays = prepared.room(), table.array()
    figures = [
        evaluate(prepared.structure, prepared.options, against, *column_plays(plays, up), room)
        for up, against in enumerate(prepared.columns)
    ]
    won, staked = (float(np.dot(prepared.shares, figure)) for figure in zip(*figures, strict=True))
    return won, staked


def column_plays(plays: PlayArray, up: int) -> tuple[PlayArray, PlayArray]:
    """One upcard's entries of a table's array as the kernels take them: by row, and by the rank of a pair."""
    rank = up + 1
    return np.concatenate([plays[0, :, rank], plays[SOFT, :, rank]]), plays[PAIR, 1 : RANKS + 1, rank].copy()


def table_of(plays: tuple[PlayArray, ...], pairs: tuple[PlayArray, ...], ace_is_one: bool) -> StrategyTable:
    """A strategy table from the columns of the kernels; a pair that is played by its total shows that entry."""

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
    """Does the work for each upcard, aces first, on all cores: the kernels run without the interpreter's lock."""
    # The upcards with the longest dealer's hands first, so that no core is left with one of them at the end.
    order = [1, 2, 0, 3, 4, 5, 6, 7, 8, 9]
    found = dict(zip(order, pool().map(work, order), strict=True))
    return [found[up] for up in range(RANKS)]


def shoes_behind(rules: BlackjackRules) -> Shoes:
    """What can be missing from the shoe when a hand stands."""
    return shoes(rules.ace == "one", splitting.levels(rules.hands_max))


def column(rules: BlackjackRules, chosen: Options, behind: Shoes, up: int) -> Column:
    """The game against one upcard."""
    dealer = dealer_rules(rules)
    left = chosen.deck.copy()
    left[up] -= 1
    found = np.zeros((len(behind.counts), dealer.ends))
    chances(left, behind.counts, dealer.blackjack_rank(up), tree(dealer, up), found)
    return column_of(structure(rules.ace == "one"), chosen, up, dealer.blackjack_rank(up), found, behind.of_entry)


def _first_cards() -> list[tuple[int, int]]:
    """The first cards by ranks, aces first, then from tens down: `AA`, `AT`, … `A2`, `TT`, `T9`, … `22`."""
    order = [ACE, *range(TEN, ACE, -1)]
    return [(first, second) for place, first in enumerate(order) for second in order[place:]]


FIRST_CARDS: Final = np.array(_first_cards()).T
FIRST_NAMES: Final = tuple(NAMES[first] + NAMES[second] for first, second in FIRST_CARDS.T)


def _plays(table: Structure, against: Column, best: Best, hands: Ints) -> Floats:
    """The values of the plays of unsplit hands as the kernels have them, `[play, hand]` with plays as in `PLAY_NAMES`
    and `NOT_ALLOWED` where a play is not."""
    paired = (table.size[hands] == 2) & (table.counts[hands].max(axis=1) == 2)
    split = np.where(paired, best.split[table.counts[hands].argmax(axis=1)], np.nan)
    values = np.stack([best.stand[hands], best.hit[hands], against.double[0, hands], split, against.surrender[hands]])
    return np.where(np.isnan(values), NOT_ALLOWED, values)


def _reported(prepared: Prepared, against: Column, hands: Ints, plays: Floats) -> Floats:
    """The same values as they are reported: conditional where the dealer peeks."""
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
    """The same values by hand, with None for what is not allowed."""
    shown = _reported(prepared, against, hands, plays)
    by_play = [[None if value == NOT_ALLOWED else value for value in row] for row in shown.tolist()]
    return list(zip(*by_play, [PLAY_NAMES[number] for number in plays.argmax(axis=0).tolist()], strict=True))


def _cells(prepared: Prepared, hands: Ints, plays: list[Floats]) -> tuple[Cell, ...]:
    """The cells of the first cards against each upcard, aces last."""
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

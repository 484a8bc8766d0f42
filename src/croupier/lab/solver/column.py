"""One upcard's game as plain arrays: all that no strategy changes.

Values are sums over the deals in which the dealer has no blackjack, *not* divided by the chance of these: so the
player draws from all unseen cards, the hole card among them, and no draw is conditioned on what the dealer saw. The
solver divides where it reports a figure that is conditional. Where a dealer's blackjack takes all bets it is one more
end that loses, and nothing is left out.

An entry is a hand in one of the lists of `compositions`: list 0 is the unsplit hands, list 1 + P the hands from a
split of rank P; a level is the number of further P's that other hands hold (`splitting`).
"""

from typing import NamedTuple

import numpy as np

from croupier.lab.compiling import kernel
from croupier.lab.solver.compositions import RANKS, TARGET, Floats, Ints
from croupier.lab.solver.dealer import NONE
from croupier.lab.solver.model import EARLY_SURRENDER, NO_SURRENDER, Options, Structure


class Column(NamedTuple):
    """The game against one upcard."""

    left: Floats
    """Cards of each rank in the shoe without the upcard."""
    cards: float
    """How many these are."""
    blackjack_rank: int
    """The hole card that makes the dealer's blackjack, or `NONE`."""
    stand: Floats
    """What standing is worth, `[level, entry]`."""
    bust: Floats
    """What the ranks that bust a hand add to the value of a hit, `[level, entry]`."""
    double: Floats
    """What doubling down is worth, `[level, entry]`; not a number where that is not allowed."""
    dealt: Floats
    """The chance that the first cards of the shoe are this hand, however many they are, `[hand]`."""
    clear: Floats
    """The chance that the dealer has no blackjack beside an unsplit hand, `[hand]`."""
    surrender: Floats
    """What giving up is worth, `[hand]`; not a number where that is not allowed."""


@kernel
def column_of(table: Structure, options: Options, up: int, blackjack_rank: int, chances: Floats, shoe: Ints) -> Column:
    """The arrays of one upcard from the dealer's `chances[shoe, end]`, which are used up, and the `shoe[level, entry]`
    behind each hand."""
    left = options.deck.copy()
    left[up] -= 1.0
    cards = 0.0
    for count in left:
        cards += count
    hands = len(table.size)
    shape = shoe.shape
    column = Column(
        left=left,
        cards=cards,
        blackjack_rank=blackjack_rank,
        stand=np.zeros(shape),
        bust=np.zeros(shape),
        double=np.full(shape, np.nan),
        dealt=np.zeros(hands),
        clear=np.ones(hands),
        surrender=np.full(hands, np.nan),
    )
    _turn_into_worth(options, chances)
    for number in range(1 + RANKS):
        for level in range(1 if number == 0 else options.levels[number - 1]):
            _stand(table, options, column, chances, shoe, number, level)
            _bust(table, options, column, number, level)
            _double(table, options, column, number, level)
    _deal(table, column)
    _surrender(table, options, column)
    return column


@kernel
def _turn_into_worth(options: Options, chances: Floats) -> None:
    """Turns the dealer's chances into what standing is worth, `[shoe, k]`: on less than the dealer stands on for k = 0,
    then on each total up to 21."""
    shoes, ends = chances.shape
    for shoe in range(shoes):
        bust = chances[shoe, ends - 1]
        met = 0.0
        for end in range(ends - 1):
            met += chances[shoe, end]
        value = bust - met
        if options.full_loss:
            value -= 1.0 - bust - met
        below = 0.0
        for end in range(ends):
            same = chances[shoe, end]
            chances[shoe, end] = value
            # With one point more: a push instead of a loss, and a win instead of the push with one point less.
            value += same + below
            below = same


@kernel
def _stand(
    table: Structure, options: Options, column: Column, worth: Floats, shoe: Ints, number: int, level: int
) -> None:
    below = options.stands_on - 1
    stand, total, hand = column.stand, table.total, table.hand
    for entry in range(table.start[number], table.start[number + 1]):
        stand[level, entry] = worth[shoe[level, entry], max(total[hand[entry]] - below, 0)]


@kernel
def _bust(table: Structure, options: Options, column: Column, number: int, level: int) -> None:
    """A bust hand has lost unless the dealer's blackjack, which is counted apart, has taken the bet before."""
    pair, extra = number - 1, (1.0 + level if number > 0 else 0.0)
    hidden_rank = column.blackjack_rank if not options.full_loss else NONE
    above = np.zeros(RANKS + 1)
    for rank in range(RANKS - 1, -1, -1):
        above[rank] = above[rank + 1] + column.left[rank]
    bust, left, all_cards = column.bust, column.left, column.cards
    hand_of, size, draws, busting, counts = table.hand, table.size, table.draws, table.busting, table.counts
    for entry in range(table.start[number], table.start[number + 1]):
        hand = hand_of[entry]
        limit = draws[hand]
        cards = above[limit] - busting[hand] - (extra if pair >= limit else 0.0)
        remaining = all_cards - size[hand] - extra
        lost = cards
        if hidden_rank != NONE:
            hidden = left[hidden_rank] - counts[hand, hidden_rank] - (extra if pair == hidden_rank else 0.0)
            # Of the pairs of a drawn card and a hole card after it, those without a dealer's blackjack.
            lost -= (cards * hidden - (hidden if hidden_rank >= limit else 0.0)) / (remaining - 1.0)
        bust[level, entry] = -lost / remaining


@kernel
def _double(table: Structure, options: Options, column: Column, number: int, level: int) -> None:
    pair, extra = number - 1, (1.0 + level if number > 0 else 0.0)
    if pair >= 0 and not options.may_draw[pair]:
        return
    allowed = options.may_double[min(number, 1)]
    hands, draws, counts, child = table.hand, table.draws, table.counts, table.child
    left, stand = column.left, column.stand
    for entry in range(table.start[number], table.start[number + 1]):
        hand = hands[entry]
        if allowed[hand]:
            value = 0.0
            for rank in range(draws[hand]):
                cards = left[rank] - counts[hand, rank] - (extra if rank == pair else 0.0)
                value += cards * stand[level, child[entry, rank]]
            value /= column.cards - table.size[hand] - extra
            column.double[level, entry] = 2.0 * (value + column.bust[level, entry])


@kernel
def _deal(table: Structure, column: Column) -> None:
    """The chances that first cards make a hand. The empty hand is the last one, and cards lead to earlier ones."""
    dealt, left, counts, draws, child, size = (
        column.dealt,
        column.left,
        table.counts,
        table.draws,
        table.child,
        table.size,
    )
    dealt[-1] = 1.0
    for hand in range(len(size) - 1, -1, -1):
        share = dealt[hand] / (column.cards - size[hand])
        for rank in range(draws[hand]):
            dealt[child[hand, rank]] += share * (left[rank] - counts[hand, rank])


@kernel
def _surrender(table: Structure, options: Options, column: Column) -> None:
    """Fills in the chance that the dealer has no blackjack, and what giving up is worth."""
    rank, counts, size, total = column.blackjack_rank, table.counts, table.size, table.total
    for hand in range(len(size)):
        clear = 1.0
        if rank != NONE:
            clear -= (column.left[rank] - counts[hand, rank]) / (column.cards - size[hand])
        column.clear[hand] = clear
        if options.surrender != NO_SURRENDER and size[hand] == 2 and total[hand] < TARGET:
            lost = 0.5 if options.surrender == EARLY_SURRENDER else 0.5 * clear + (1.0 - clear)
            # A blackjack that takes the original bet only is not counted in any value, so it is taken out here too.
            column.surrender[hand] = -lost if options.full_loss else -lost + (1.0 - clear)

"""The game against one upcard as plain arrays: everything that does not depend on a strategy.

Values are sums over the deals in which the dealer has no blackjack, *not* divided by the chance of these deals. So the
player draws from all unseen cards, the hole card included, and no draw is conditioned on what the dealer saw. The
solver divides when it reports a conditional figure. If a dealer's blackjack takes all bets, it is one more losing end,
and nothing is left out.

An entry is a hand in one of the lists of `compositions`: list 0 has the unsplit hands, list 1 + P the hands from a
split of rank P. A level is the number of further P's in the other hands (`splits`).
"""

from typing import NamedTuple

import numpy as np

from croupier.lab.blackjack.solver.compositions import RANKS, TARGET, Floats, Ints
from croupier.lab.blackjack.solver.dealer import NONE
from croupier.lab.blackjack.solver.model import EARLY_SURRENDER, NO_SURRENDER, Options, Structure
from croupier.lab.compiler import kernel


class Column(NamedTuple):
    """The game against one upcard."""

    left: Floats
    """Cards of each rank in the shoe without the upcard."""
    cards: float
    """How many cards that is."""
    blackjack_rank: int
    """The hole card that makes the dealer's blackjack, or `NONE`."""
    stand: Floats
    """The value of standing, `[level, entry]`."""
    bust: Floats
    """What the busting ranks add to the value of a hit, `[level, entry]`."""
    double: Floats
    """The value of doubling down, `[level, entry]`; not a number if not allowed."""
    dealt: Floats
    """The chance that the first cards of the shoe make this hand, `[hand]`."""
    clear: Floats
    """The chance that the dealer has no blackjack beside an unsplit hand, `[hand]`."""
    surrender: Floats
    """The value of surrender, `[hand]`; not a number if not allowed."""


@kernel
def column_of(table: Structure, options: Options, up: int, blackjack_rank: int, chances: Floats, shoe: Ints) -> Column:
    """The arrays of one upcard, from the dealer's `chances[shoe, end]` and the `shoe[level, entry]` behind each hand.

    `chances` is overwritten.
    """
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
    """Replace the dealer's chances by the value of standing, `[shoe, k]`.

    k = 0 is any total below the dealer's lowest; then comes each total up to 21.
    """
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
            # One more point turns a loss into a push, and the push of one point less into a win.
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
    """A bust hand loses, unless a dealer's blackjack, which is counted apart, has taken the bet already."""
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
            # Subtract the pairs of a drawn card and a hole card that makes the dealer's blackjack.
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
    """Fill in the chances of first cards. The empty hand is last, and a card leads to an earlier hand."""
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
    """Fill in the chance that the dealer has no blackjack, and the value of surrender."""
    rank, counts, size, total = column.blackjack_rank, table.counts, table.size, table.total
    for hand in range(len(size)):
        clear = 1.0
        if rank != NONE:
            clear -= (column.left[rank] - counts[hand, rank]) / (column.cards - size[hand])
        column.clear[hand] = clear
        if options.surrender != NO_SURRENDER and size[hand] == 2 and total[hand] < TARGET:
            lost = 0.5 if options.surrender == EARLY_SURRENDER else 0.5 * clear + (1.0 - clear)
            # If a blackjack takes the original bet only, no value includes it, so neither does this one.
            column.surrender[hand] = -lost if options.full_loss else -lost + (1.0 - clear)

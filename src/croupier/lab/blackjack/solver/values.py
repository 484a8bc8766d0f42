"""The values of all hands against one upcard: by the best play, and by a strategy table.

`column` defines entries, lists, levels and values. Loops take the arrays out of their tuples first: a compiled function
counts references for every array of a tuple at every call.
"""

from typing import Final, NamedTuple

import numpy as np

from croupier.lab.blackjack.solver.column import Column
from croupier.lab.blackjack.solver.compositions import RANKS, TARGET, Floats
from croupier.lab.blackjack.solver.dealer import NONE
from croupier.lab.blackjack.solver.model import SOFT_ROWS, Options, Structure
from croupier.lab.blackjack.strategy import (
    BY_TOTAL,
    DOUBLE,
    DOUBLE_STAND,
    HIT,
    SPLIT,
    STAND,
    SURRENDER,
    SURRENDER_SPLIT,
    SURRENDER_STAND,
)
from croupier.lab.blackjack.strategy import PlayArray as Plays
from croupier.lab.compiler import kernel

TOTAL_PLAYS: Final = (HIT, STAND, DOUBLE, DOUBLE_STAND, SURRENDER, SURRENDER_STAND)
SWEEPS_MAX: Final = 50
UNREACHED_WEIGHT: Final = 1e-10
"""The weight of a hand that never comes up: far below any difference that matters."""


class Best(NamedTuple):
    """The values of standing and hitting with best play, `[hand]`, for unsplit hands, and of splitting, `[rank]`.

    A play that is not allowed is not a number. The column has the values of doubling down and surrender.
    """

    stand: Floats
    hit: Floats
    split: Floats


class Workspace(NamedTuple):
    """Working arrays, `[level, entry]`. They can be used again for all columns of the same rules."""

    values: Floats
    """The values of entries as they are played."""
    hits: Floats
    """Their values after one more card."""
    many: Floats
    """The weight of a hand past its first two cards."""
    twos: Floats
    """The weight of a hand of two cards that is played by its total."""


def new_workspace(shape: tuple[int, ...]) -> Workspace:
    """Working arrays for columns of a shape, for one thread at a time."""
    return Workspace(np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(shape))


@kernel
def _hit(
    table: Structure, column: Column, begin: int, end: int, pair: int, level: int, values: Floats, found: Floats
) -> None:
    """Fill in the values of a hit for some entries of a list, from the values of the entries that it leads to."""
    left, counts, draws, child, hands = column.left, table.counts, table.draws, table.child, table.hand
    extra = 1.0 + level if pair >= 0 else 0.0
    for entry in range(begin, end):
        hand = hands[entry]
        value = 0.0
        for rank in range(draws[hand]):
            value += (left[rank] - counts[hand, rank]) * values[level, child[entry, rank]]
        if 0 <= pair < draws[hand]:
            value -= extra * values[level, child[entry, pair]]
        found[level, entry] = value / (column.cards - table.size[hand] - extra) + column.bust[level, entry]


@kernel
def split_value(table: Structure, options: Options, column: Column, values: Floats, pair: int) -> float:
    """The value of splitting a rank, from the `values[level, entry]` of the hands of two cards after it."""
    lone = table.start[pair + 2] - 1
    in_a_row = 1.0
    value = 0.0
    for level in range(options.levels[pair]):
        cards = column.cards - 2.0 - level
        own = 0.0
        for rank in range(RANKS):
            if rank != pair:
                own += column.left[rank] * values[level, table.child[lone, rank]]
        own /= cards
        paired = (column.left[pair] - 2.0 - level) / cards
        every = own + paired * values[level, table.child[lone, pair]]
        value += in_a_row * (options.coefficients[pair, 0, level] * own + options.coefficients[pair, 1, level] * every)
        in_a_row *= paired
        if in_a_row <= 0.0:
            break
    return value


@kernel
def best_play(table: Structure, options: Options, column: Column, workspace: Workspace) -> Best:
    """The best play of every hand by its cards, before a split and after one."""
    hands = len(table.size)
    best = Best(column.stand[0, :hands].copy(), np.full(hands, np.nan), np.full(RANKS, np.nan))
    values, found = workspace.values, workspace.hits
    # Row by row: a hit leads to an earlier row only.
    for place in range(len(table.rows)):
        begin, end = table.block[0, place], table.block[0, place + 1]
        if table.rows[place] % SOFT_ROWS == TARGET:
            values[0, begin:end] = column.stand[0, begin:end]
            continue
        _hit(table, column, begin, end, NONE, 0, values, found)
        best.hit[begin:end] = found[0, begin:end]
        values[0, begin:end] = np.maximum(column.stand[0, begin:end], found[0, begin:end])
    if options.blackjack_hand != NONE:
        best.stand[options.blackjack_hand] = options.blackjack_pays * column.clear[options.blackjack_hand]
    for pair in range(RANKS):
        if options.levels[pair] > 0:
            _best_split_hands(table, options, column, pair, values, found)
            best.split[pair] = split_value(table, options, column, values, pair)
    return best


@kernel
def _best_split_hands(
    table: Structure, options: Options, column: Column, pair: int, values: Floats, found: Floats
) -> None:
    """Fill in the values of hands from a split.

    Level 0, where the other hand is a single pair card, decides the play. The other levels play the same, since the
    player of one hand does not look at the others.
    """
    levels = options.levels[pair]
    stand, double = column.stand, column.double
    for place in range(len(table.rows)):
        begin, end = table.block[pair + 1, place], table.block[pair + 1, place + 1]
        closed = table.rows[place] % SOFT_ROWS == TARGET or not options.may_draw[pair]
        for level in range(levels):
            if closed:
                values[level, begin:end] = stand[level, begin:end]
            else:
                _hit(table, column, begin, end, pair, level, values, found)
        if closed:
            continue
        for entry in range(begin, end):
            by_stand, by_hit, by_double = stand[0, entry], found[0, entry], double[0, entry]
            # A double that is not allowed is not a number, so it is never greater.
            if by_double > by_stand and by_double > by_hit:
                values[:levels, entry] = double[:levels, entry]
            elif by_hit > by_stand:
                values[:levels, entry] = found[:levels, entry]
            else:
                values[:levels, entry] = stand[:levels, entry]


@kernel
def hits(play: int) -> bool:
    """Whether a table's entry means a hit if doubling and surrender are not allowed."""
    return play in (HIT, DOUBLE, SURRENDER)


@kernel
def doubles(play: int) -> bool:
    """Whether a table's entry means doubling down if that is allowed."""
    return play in (DOUBLE, DOUBLE_STAND)


@kernel
def _first_play(table: Structure, options: Options, column: Column, plays: Plays, pairs: Plays, hand: int) -> int:
    """What a table does with the first two cards by the rules: hit, stand, double, split or surrender."""
    may_surrender = not np.isnan(column.surrender[hand])
    play = plays[table.row[hand]]
    for rank in range(RANKS):
        if table.counts[hand, rank] == 2.0 and pairs[rank] != BY_TOTAL:
            splits = pairs[rank] == SPLIT or (pairs[rank] == SURRENDER_SPLIT and not may_surrender)
            if splits and options.levels[rank] > 0:
                return SPLIT
            if not splits:
                play = pairs[rank]
    if may_surrender and play in (SURRENDER, SURRENDER_STAND, SURRENDER_SPLIT):
        return SURRENDER
    if doubles(play) and options.may_double[0, hand]:
        return DOUBLE
    return HIT if hits(play) else STAND


@kernel
def _play_list(
    table: Structure, options: Options, column: Column, plays: Plays, number: int, level: int, workspace: Workspace
) -> None:
    """Fill in the values of a list's hands when a table plays them; unsplit hands as if past two cards."""
    pair = number - 1
    values, found, stand, double = workspace.values, workspace.hits, column.stand, column.double
    closed = pair >= 0 and not options.may_draw[pair]
    for place in range(len(table.rows)):
        begin, end = table.block[number, place], table.block[number, place + 1]
        row = table.rows[place]
        play = plays[row]
        final = closed or row % SOFT_ROWS == TARGET
        if not final and hits(play):
            _hit(table, column, begin, end, pair, level, values, found)
            values[level, begin:end] = found[level, begin:end]
        else:
            values[level, begin:end] = stand[level, begin:end]
        if not final and number > 0 and doubles(play):
            for entry in range(begin, end):
                if not np.isnan(double[level, entry]):
                    values[level, entry] = double[level, entry]


@kernel
def evaluate(
    table: Structure, options: Options, column: Column, plays: Plays, pairs: Plays, workspace: Workspace
) -> tuple[float, float]:
    """What one upcard's column of a strategy table wins and stakes, on average per initial bet.

    `plays` has the entries by row of the table, `pairs` by rank. Exact, with the dealer's blackjacks.
    """
    won, staked = 0.0, 0.0
    _play_list(table, options, column, plays, 0, 0, workspace)
    for first in range(RANKS):
        for second in range(first, RANKS):
            hand = table.twos[first, second]
            chance, clear = column.dealt[hand], column.clear[hand]
            extra = clear if options.peek else 1.0
            staked += chance
            if hand == options.blackjack_hand:
                won += chance * options.blackjack_pays * clear
                continue
            if not options.full_loss:
                won -= chance * (1.0 - clear)
            play = _first_play(table, options, column, plays, pairs, hand)
            if table.total[hand] == TARGET or play == STAND:
                won += chance * column.stand[0, hand]
            elif play == HIT:
                _hit(table, column, hand, hand + 1, NONE, 0, workspace.values, workspace.hits)
                won += chance * workspace.hits[0, hand]
            elif play == DOUBLE:
                won += chance * column.double[0, hand]
                staked += chance * extra
            elif play == SURRENDER:
                won += chance * column.surrender[hand]
            else:
                for level in range(options.levels[first]):
                    _play_list(table, options, column, plays, first + 1, level, workspace)
                won += chance * split_value(table, options, column, workspace.values, first)
                _stake_list(table, options, column, plays, first, workspace.hits)
                staked += chance * (split_value(table, options, column, workspace.hits, first) - extra)
    return won, staked


@kernel
def evaluate_each(
    table: Structure, options: Options, column: Column, plays: Plays, pairs: Plays, workspace: Workspace, won: Floats
) -> None:
    """Fill in what each of many columns, `plays[number, row]` and `pairs[number, rank]`, wins."""
    for number in range(len(plays)):
        won[number] = evaluate(table, options, column, plays[number], pairs[number], workspace)[0]


@kernel
def _stake_list(table: Structure, options: Options, column: Column, plays: Plays, pair: int, stakes: Floats) -> None:
    """Fill in the stake on each hand of two cards from a split."""
    lone = table.start[pair + 2] - 1
    for level in range(options.levels[pair]):
        for rank in range(RANKS):
            entry = table.child[lone, rank]
            hand = table.hand[entry]
            doubled = doubles(plays[table.row[hand]]) and not np.isnan(column.double[level, entry])
            stake = 2.0 if doubled else 1.0
            if options.peek and column.blackjack_rank != NONE:
                # A dealer's blackjack ends the round before the split, so nothing more is staked.
                gone = 1.0 + level if pair == column.blackjack_rank else 0.0
                hidden = column.left[column.blackjack_rank] - table.counts[hand, column.blackjack_rank] - gone
                stake *= 1.0 - hidden / (column.cards - 3.0 - level)
            stakes[level, entry] = stake


@kernel
def improve(
    table: Structure, options: Options, column: Column, plays: Plays, pairs: Plays, workspace: Workspace
) -> int:
    """Fill in the best column of a strategy table and return the number of sweeps.

    Each row gets the entry with the highest sum of values over its hands, before and after splits, weighted by how
    often the rest of the column reaches them. In the end no single change is a gain. The first sweep weighs hands as if
    they always hit, which is close. The weights of later sweeps are exact, and every change raises the column's value,
    so the sweeps end.
    """
    workspace.many[:] = 0.0
    workspace.twos[:] = 0.0
    for hand in range(len(table.size)):
        if table.size[hand] == 2 and hand != options.blackjack_hand:
            workspace.twos[0, hand] = column.dealt[hand]
        else:
            workspace.many[0, hand] = column.dealt[hand]
    for sweep in range(SWEEPS_MAX):
        # Up to the first row that changes, values stay as the last sweep left them.
        changed = sweep == 0
        for place in range(len(table.rows)):
            row = table.rows[place]
            before = plays[row]
            if changed:
                _hit_row(table, options, column, workspace, place)
            plays[row] = STAND if row % SOFT_ROWS == TARGET else _choose(table, options, column, workspace, place)
            changed |= plays[row] != before
            if changed:
                _settle(table, options, column, plays[row], workspace, place)
        for pair in range(RANKS):
            before = pairs[pair]
            pairs[pair] = _choose_pair(table, options, column, workspace, pair)
            changed |= pairs[pair] != before
        if not changed:
            return sweep + 1
        _reach(table, options, column, plays, pairs, workspace)
    return SWEEPS_MAX


@kernel
def _hit_row(table: Structure, options: Options, column: Column, workspace: Workspace, place: int) -> None:
    """Fill in the values of a hit for the hands of a row."""
    final = table.rows[place] % SOFT_ROWS == TARGET
    for number in range(1 + RANKS):
        pair = number - 1
        begin, end = table.block[number, place], table.block[number, place + 1]
        for level in range(1 if pair == NONE else options.levels[pair]):
            if final or (pair >= 0 and not options.may_draw[pair]):
                workspace.hits[level, begin:end] = column.stand[level, begin:end]
            else:
                _hit(table, column, begin, end, pair, level, workspace.values, workspace.hits)


@kernel
def _choose(table: Structure, options: Options, column: Column, workspace: Workspace, place: int) -> int:
    """The best entry for a row of the table."""
    worth = np.zeros(len(TOTAL_PLAYS))
    stand, double, found = column.stand, column.double, workspace.hits
    hands, many, twos, dealt, surrender = table.hand, workspace.many, workspace.twos, column.dealt, column.surrender
    for number in range(1 + RANKS):
        pair = number - 1
        for level in range(1 if pair == NONE else options.levels[pair]):
            for entry in range(table.block[number, place], table.block[number, place + 1]):
                hand = hands[entry]
                # This weight decides rows and second choices that no hand reaches.
                past = many[level, entry] + (UNREACHED_WEIGHT * dealt[hand] if pair == NONE else 0.0)
                two = twos[level, entry]
                by_hit, by_stand = (past + two) * found[level, entry], (past + two) * stand[level, entry]
                by_double, by_surrender = 0.0, 0.0
                if two != 0.0 and not np.isnan(double[level, entry]):
                    by_double = two * (double[level, entry] - found[level, entry])
                    worth[3] += two * (double[level, entry] - stand[level, entry])
                if two != 0.0 and pair == NONE and not np.isnan(surrender[hand]):
                    by_surrender = two * (surrender[hand] - found[level, entry])
                    worth[5] += two * (surrender[hand] - stand[level, entry])
                worth[0] += by_hit
                worth[1] += by_stand
                worth[2] += by_hit + by_double
                worth[3] += by_stand
                worth[4] += by_hit + by_surrender
                worth[5] += by_stand
    best = 0
    for choice in range(1, len(TOTAL_PLAYS)):
        if worth[choice] > worth[best]:
            best = choice
    return TOTAL_PLAYS[best]


@kernel
def _settle(table: Structure, options: Options, column: Column, play: int, workspace: Workspace, place: int) -> None:
    """Set the values of a row's hands by its entry."""
    values, double = workspace.values, column.double
    for number in range(1 + RANKS):
        begin, end = table.block[number, place], table.block[number, place + 1]
        for level in range(1 if number == 0 else options.levels[number - 1]):
            values[level, begin:end] = (
                workspace.hits[level, begin:end] if hits(play) else column.stand[level, begin:end]
            )
            if number > 0 and doubles(play):
                for entry in range(begin, end):
                    if not np.isnan(double[level, entry]):
                        values[level, entry] = double[level, entry]


@kernel
def _choose_pair(table: Structure, options: Options, column: Column, workspace: Workspace, pair: int) -> int:
    """The best entry for a pair of first cards."""
    if options.levels[pair] == 0:
        return BY_TOTAL
    hand = table.twos[pair, pair]
    hit, stand, double = workspace.hits[0, hand], column.stand[0, hand], column.double[0, hand]
    play, surrender, value = (HIT, SURRENDER, hit) if hit > stand else (STAND, SURRENDER_STAND, stand)
    # A play that is not allowed is not a number, so it is never greater.
    if double > value:
        play, value = DOUBLE if play == HIT else DOUBLE_STAND, double
    split = split_value(table, options, column, workspace.values, pair)
    if split > value:
        play, surrender, value = SPLIT, SURRENDER_SPLIT, split
    return surrender if column.surrender[hand] > value else play


@kernel
def _reach(
    table: Structure, options: Options, column: Column, plays: Plays, pairs: Plays, workspace: Workspace
) -> None:
    """Fill in how often each hand is reached that is played by its row."""
    workspace.many[:] = 0.0
    workspace.twos[:] = 0.0
    for first in range(RANKS):
        for second in range(first, RANKS):
            hand = table.twos[first, second]
            if hand == options.blackjack_hand:
                continue
            play = _first_play(table, options, column, plays, pairs, hand)
            if first != second or pairs[first] == BY_TOTAL:
                workspace.twos[0, hand] = column.dealt[hand]
            elif play == HIT:
                # A pair with its own entry: only the hands that it becomes are played by rows.
                _spread_weight(table, column, workspace.many, hand, NONE, 0, column.dealt[hand])
            elif play == SPLIT and options.may_draw[first]:
                _reach_split(table, options, column, plays, first, workspace)
    _reach_list(table, options, column, plays, 0, 0, workspace)


@kernel
def _reach_split(
    table: Structure, options: Options, column: Column, plays: Plays, pair: int, workspace: Workspace
) -> None:
    """Fill in the weights of the hands from a split, as `split_value` weighs them."""
    lone = table.start[pair + 2] - 1
    in_a_row = column.dealt[table.twos[pair, pair]]
    for level in range(options.levels[pair]):
        own, every = options.coefficients[pair, 0, level], options.coefficients[pair, 1, level]
        cards = column.cards - 2.0 - level
        paired = (column.left[pair] - 2.0 - level) / cards
        for rank in range(RANKS):
            chance = paired if rank == pair else column.left[rank] / cards
            weight = every if rank == pair else own + every
            workspace.twos[level, table.child[lone, rank]] = in_a_row * weight * chance
        _reach_list(table, options, column, plays, pair + 1, level, workspace)
        in_a_row *= paired
        if in_a_row <= 0.0:
            break


@kernel
def _reach_list(
    table: Structure, options: Options, column: Column, plays: Plays, number: int, level: int, workspace: Workspace
) -> None:
    """Spread the weights of a list's hands that hit."""
    many, twos, rows = workspace.many, workspace.twos, table.row
    for entry in range(table.start[number + 1] - 1, table.start[number] - 1, -1):
        past, two = many[level, entry], twos[level, entry]
        if past == 0.0 and two == 0.0:
            continue
        hand = table.hand[entry]
        play = plays[rows[hand]]
        if not hits(play) or table.total[hand] == TARGET:
            continue
        surrenders = number == 0 and play == SURRENDER and not np.isnan(column.surrender[hand])
        if surrenders or (doubles(play) and not np.isnan(column.double[level, entry])):
            two = 0.0
        if past + two != 0.0:
            _spread_weight(table, column, many, entry, number - 1, level, past + two)


@kernel
def _spread_weight(
    table: Structure, column: Column, many: Floats, entry: int, pair: int, level: int, weight: float
) -> None:
    """Spread a hitting hand's weight over the hands that it becomes."""
    hand = table.hand[entry]
    extra = 1.0 + level if pair >= 0 else 0.0
    share = weight / (column.cards - table.size[hand] - extra)
    for rank in range(table.draws[hand]):
        cards = column.left[rank] - table.counts[hand, rank] - (extra if rank == pair else 0.0)
        many[level, table.child[entry, rank]] += share * cards

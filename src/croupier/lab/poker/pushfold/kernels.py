"""The compiled loops of the push/fold solver.

The game: seats act in turn. Until somebody pushes, a player pushes or folds; afterwards a player calls or folds, until
three are all-in. Folded cards go back into the pack: a player's hand depends on the hands of those who are all-in
already, and on no other. So the probability of every line of play is a product of the tables' conditional
probabilities, and all of them add up to one.

Names of indices: `i` pushes with hand `a`, `j` calls with hand `b`, `k` calls after both with hand `c`. `q` is the
player whose value is computed. Values are changes against the beginning of the hand.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.lab.compiler import kernel
from croupier.lab.poker.pushfold.three_way import SAMPLES, WAYS, ThreeWay

Floats = NDArray[np.float64]

THIRD_COMBINATIONS: Final = 1128
"""Two cards of the 48 that two hands leave."""
TREMBLE: Final = 1e-9
"""Every hand is assumed to be pushed at least this often, so that beliefs are always defined."""
NEVER: Final = 1e-7
"""Three-handed lines less likely than this are left out of the sums."""


class Profile(NamedTuple):
    """How often each player goes all-in, by hand: first in, against one who is, against two."""

    push: Floats
    call: Floats
    overcall: Floats


class Values(NamedTuple):
    """What going all-in and folding are worth to the player in turn, and how likely the decision is reached, by hand.
    The `reach` of a call is conditional on everybody folding to the player who pushed.
    """

    go: Profile
    fold: Profile
    reach: Profile


class Ends(NamedTuple):
    """The values of the hand's ends to every player; `q` is the last index.

    `walk[q]`, `steal[i, q]`, `two[i, j, way, q]` (first wins, ties, loses), `three[i, j, k, way, q]`.
    """

    walk: Floats
    steal: Floats
    two: Floats
    three: Floats


class Table(NamedTuple):
    """`HeadsUp`, as the kernels take it."""

    win: Floats
    tie: Floats
    given: Floats
    dealt: Floats


@kernel
def pair_number(players: int, i: int, j: int) -> int:
    """The number of a pair of players."""
    return i * players - i * (i + 1) // 2 + j - i - 1


@kernel
def called_values(table: Table, ends: Ends, i: int, j: int, values: Floats) -> None:
    """Fill in `values[q, a, b]`: what it is worth that `i` and `j` are all-in and nobody else comes in."""
    hands = len(table.dealt)
    for q in range(values.shape[0]):
        for a in range(hands):
            for b in range(hands):
                lose = 1.0 - table.win[a, b] - table.tie[a, b]
                values[q, a, b] = (
                    table.win[a, b] * ends.two[i, j, 0, q]
                    + table.tie[a, b] * ends.two[i, j, 1, q]
                    + lose * ends.two[i, j, 2, q]
                )


@kernel
def _place(three: ThreeWay, a: int, b: int, c: int) -> tuple[int, int]:
    """The place of three hands in the table, and the number of the permutation that sorts them."""
    if a <= b:
        if b <= c:
            return three.starts[a, b] + c, 0
        if a <= c:
            return three.starts[a, c] + b, 1
        return three.starts[c, a] + b, 4
    if a <= c:
        return three.starts[b, a] + c, 2
    if b <= c:
        return three.starts[b, c] + a, 3
    return three.starts[c, b] + a, 5


@kernel
def add_overcalls(
    table: Table,
    three: ThreeWay,
    counts: Floats,
    ends: Floats,
    calls: Floats,
    needed: NDArray[np.bool_],
    values: Floats,
    folds: Floats,
) -> None:
    """Put the overcalls of one player into `values[q, a, b]`, which has what comes if that player folds.

    `ends[way, q]` are the ends with three all-in, `calls[c]` how often the player calls. `folds[a, b]` becomes how
    likely the player is to fold. Places that are not `needed` stay as they are.
    """
    hands = len(table.dealt)
    players = values.shape[0]
    ways = np.empty(WAYS)
    for a in range(hands):
        for b in range(hands):
            folds[a, b] = 1.0
            if not needed[a, b] or table.given[a, b] == 0.0:
                continue
            scale = 1.0 / (counts[a] * table.given[a, b] * 1225.0 * THIRD_COMBINATIONS)
            ways[:] = 0.0
            called = 0.0
            for c in range(hands):
                if calls[c] <= NEVER:
                    continue
                place, permutation = _place(three, a, b, c)
                chance = calls[c] * three.deals[place] * scale
                called += chance
                for way in range(WAYS):
                    ways[three.relabelled[permutation, way]] += chance * three.ways[place, way]
            folds[a, b] = 1.0 - called
            for q in range(players):
                won = 0.0
                for way in range(WAYS):
                    won += ways[way] * ends[way, q]
                values[q, a, b] = values[q, a, b] * folds[a, b] + won / SAMPLES


@kernel
def overcall_values(
    table: Table,
    three: ThreeWay,
    counts: Floats,
    ends: Floats,
    reach: Floats,
    folded: Floats,
    result: Floats,
) -> None:
    """What an overcall and a fold are worth to the player who decides, by hand `c`: rows go, fold, reach of `result`.

    `ends[way]` is what the ways in which three come in are worth to that player, `reach[a, b]` the chance of it that
    two are all-in with these hands, `folded[a, b]` what a fold is worth then.
    """
    hands = len(table.dealt)
    result[:] = 0.0
    seen = np.empty((6, WAYS))
    for permutation in range(6):
        for way in range(WAYS):
            seen[permutation, way] = ends[three.relabelled[permutation, way]] / SAMPLES
    for a in range(hands):
        for b in range(hands):
            if reach[a, b] <= NEVER * table.dealt[a] * table.given[a, b] or table.given[a, b] == 0.0:
                continue
            scale = reach[a, b] / (counts[a] * table.given[a, b] * 1225.0 * THIRD_COMBINATIONS)
            for c in range(hands):
                place, permutation = _place(three, a, b, c)
                chance = three.deals[place] * scale
                won = 0.0
                for way in range(WAYS):
                    won += three.ways[place, way] * seen[permutation, way]
                result[0, c] += chance * won
                result[1, c] += chance * folded[a, b]
                result[2, c] += chance


@kernel
def evaluate(table: Table, ends: Ends, profile: Profile, called: Floats, values: Values, expected: Floats) -> None:
    """Fill in the values of all pushes and first calls, and what the hand is worth to everybody.

    `called[pair, q, a, b]` is what it is worth that `i` pushes and `j` calls, with all that may follow.
    """
    players, hands = profile.push.shape
    later = np.empty((players, hands))
    belief = np.empty(hands)
    comes = np.empty(hands)
    expected[:] = ends.walk
    for i in range(players - 2, -1, -1):
        for q in range(players):
            later[q, :] = ends.steal[i, q]
        folds = values.reach.push
        for j in range(players - 1, i, -1):
            pair = pair_number(players, i, j)
            values.fold.call[i, j, :] = later[j]
            for a in range(hands):
                mass = 0.0
                for b in range(hands):
                    comes[b] = table.given[a, b] * profile.call[i, j, b]
                    mass += comes[b]
                for q in range(players):
                    won = 0.0
                    for b in range(hands):
                        won += comes[b] * called[pair, q, a, b]
                    later[q, a] = won + (1.0 - mass) * later[q, a]
        values.go.push[i, :] = later[i]
        values.fold.push[i, :] = expected[i]
        for q in range(players):
            total = 0.0
            for a in range(hands):
                often = profile.push[i, a]
                total += table.dealt[a] * (often * later[q, a] + (1.0 - often) * expected[q])
            expected[q] = total
        for a in range(hands):
            belief[a] = table.dealt[a] * max(profile.push[i, a], TREMBLE)
        for j in range(i + 1, players):
            _first_call(table, profile, called, belief, i, j, values)
    fold_reach = 1.0
    for i in range(players - 1):
        often = 0.0
        for a in range(hands):
            folds[i, a] = fold_reach * table.dealt[a]
            often += table.dealt[a] * profile.push[i, a]
        for j in range(i + 1, players):
            for b in range(hands):
                values.reach.call[i, j, b] *= fold_reach
        fold_reach *= 1.0 - often


@kernel
def _first_call(table: Table, profile: Profile, called: Floats, belief: Floats, i: int, j: int, values: Values) -> None:
    """The values of `j` against a push of `i`. `belief[a]` is the chance of the push, and becomes that of `j` folding
    to it as well."""
    hands = len(belief)
    folded = values.fold.call[i, j].copy()
    pair = pair_number(len(profile.push), i, j)
    for b in range(hands):
        go, fold, reach = 0.0, 0.0, 0.0
        for a in range(hands):
            chance = belief[a] * table.given[a, b]
            go += chance * called[pair, j, a, b]
            fold += chance * folded[a]
            reach += chance
        values.go.call[i, j, b] = go / reach
        values.fold.call[i, j, b] = fold / reach
        values.reach.call[i, j, b] = reach
    for a in range(hands):
        stays = 1.0
        for b in range(hands):
            stays -= table.given[a, b] * profile.call[i, j, b]
        belief[a] *= stays

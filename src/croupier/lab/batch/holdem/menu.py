"""Numbered actions for learners: fold, check or call, bets and raises by a share of the pot, all-in.

The sizes are those of `games.poker.environment`: a share of the pot as it is after a call, each size once, and none
that is an all-in, which has a number of its own. `show` and `muck` are numbers only where beaten hands are asked.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from croupier.lab.batch.choice import choose
from croupier.lab.batch.holdem.betting import ALL_IN, BET, CALL, CHECK, FOLD, MUCK, RAISE, SHOW, act, offers
from croupier.lab.batch.holdem.random_play import SIZED
from croupier.lab.batch.holdem.state import SHOWDOWN, Config, Table, Tables
from croupier.lab.compiler import inlined, kernel
from croupier.lab.environments.pot_shares import share_names

POT_SHARES: Final = (0.5, 1.0, 2.0)
FIXED: Final = 3
"""fold, check_or_call, raise_least come first; then the shares; then all_in, and show and muck if asked for."""
RANDOM, CALLER = 0, 1
OPPONENTS: Final = {"random": RANDOM, "caller": CALLER}
"""Opponents that play in the kernel: any offer with equal chance, or always check or call."""


class Menu(NamedTuple):
    """The numbered actions of the seat in turn, one row a table, one column an action: `action_names` names them."""

    mask: NDArray[np.int8]
    """1 for each that can be taken."""
    kinds: NDArray[np.int8]
    """What `step` takes for each; -1 where it cannot be taken."""
    amounts: NDArray[np.int64]


def action_names(shares: Sequence[float] = POT_SHARES, *, asked: bool = False) -> tuple[str, ...]:
    """The actions of a menu by number; `asked`: whether beaten hands are shown or mucked by number, too."""
    return (
        "fold",
        "check_or_call",
        "raise_least",
        *share_names(shares),
        "all_in",
        *(("show", "muck") if asked else ()),
    )


@kernel
def fill_menu(
    config: Tables,
    tables: Tables,
    shares: NDArray[np.float64],
    masks: NDArray[np.int8],
    kinds: NDArray[np.int8],
    amounts: NDArray[np.int64],
    start: int,
    stop: int,
) -> None:
    """For the seat in turn at each table: which numbers are legal, and the kind and amount of each."""
    all_in = FIXED + len(shares)
    for number in range(start, stop):
        table = tables[number]
        offered, low, high = offers(table)
        for action in range(masks.shape[1]):
            masks[number, action] = 0
            kinds[number, action] = -1
            amounts[number, action] = 0
        if not offered:
            continue
        _offer(masks, kinds, number, 0, offered, FOLD)
        _offer(masks, kinds, number, 1, offered, CHECK)
        _offer(masks, kinds, number, 1, offered, CALL)
        _offer(masks, kinds, number, all_in, offered, ALL_IN)
        if masks.shape[1] > all_in + 1:
            _offer(masks, kinds, number, all_in + 1, offered, SHOW)
            _offer(masks, kinds, number, all_in + 2, offered, MUCK)
        if not high:
            continue
        seat = int64(table.turn)
        to_call = min(table.bet - table.bets[seat], table.stacks[seat])
        pot = table.dead + to_call
        for other in range(config[0].seats):
            pot += table.paid[other] + table.bets[other]
        for place in range(len(shares) + 1):
            to = low if place == 0 else max(low, table.bet + int64(np.rint(shares[place - 1] * pot)))
            fresh = to < high
            for before in range(2, place + 2):
                fresh &= masks[number, before] == 0 or amounts[number, before] != to
            if fresh:
                masks[number, place + 2] = 1
                kinds[number, place + 2] = RAISE if table.bet else BET
                amounts[number, place + 2] = to


@inlined
def _offer(masks: Any, kinds: Any, number: int, action: int, offered: int, kind: int) -> None:
    if offered >> kind & 1:
        masks[number, action] = 1
        kinds[number, action] = kind


@kernel
def absent_kind(offered: int) -> int:
    """The action for a seat that does not act: check if that is offered, else fold; a beaten hand is mucked."""
    if offered >> CHECK & 1:
        return CHECK
    return FOLD if offered >> FOLD & 1 else MUCK


@kernel
def take_absent(config: Tables, tables: Tables, past: Tables, chosen: NDArray[np.bool_], start: int, stop: int) -> None:
    """Act for the seat in turn at the chosen tables as for an absent player."""
    for number in range(start, stop):
        if chosen[number]:
            offered, _, _ = offers(tables[number])
            if offered:
                act(config[0], tables[number], past[number], absent_kind(offered), 0)


@kernel
def muck_beaten(config: Config, table: Table, past: Table) -> None:
    """Muck every beaten hand that is asked."""
    while table.street == SHOWDOWN:
        act(config, table, past, MUCK, 0)


@kernel
def let_opponents_act(  # noqa: PLR0913, PLR0917 (a kernel has no other way to be told)
    config: Tables,
    tables: Tables,
    past: Tables,
    chance: NDArray[np.uint64],
    learner: int,
    opponent: int,
    asked: bool,
    start: int,
    stop: int,
) -> None:
    """Play on at every table until it is the learner's turn, or the hand is over."""
    for number in range(start, stop):
        table = tables[number]
        policy = chance[number]
        while table.turn >= 0:
            if table.street == SHOWDOWN and not asked:
                muck_beaten(config[0], table, past[number])
                continue
            if table.turn == learner:
                break
            offered, low, high = offers(table)
            kind, amount = absent_kind(offered), 0
            if opponent == RANDOM:
                policy, kind, amount = choose(policy, offered, SIZED, low, high)
            elif offered >> CALL & 1:
                kind = CALL
            act(config[0], table, past[number], kind, amount)
        chance[number] = uint64(policy)

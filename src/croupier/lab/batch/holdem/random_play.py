"""Compiled: random play, in which every offer is equally likely and sizes are uniform in their range."""

from typing import Any, Final

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from croupier.lab.batch.bits import next_after
from croupier.lab.batch.choice import choose
from croupier.lab.batch.holdem.betting import BET, RAISE, act, begin, offers
from croupier.lab.batch.holdem.state import NO_ACTION, Tables
from croupier.lab.compiler import kernel

SIZED: Final = 1 << BET | 1 << RAISE


@kernel
def choose_actions(
    chance: NDArray[np.uint64], masks: Any, low: Any, high: Any, kinds: Any, amounts: Any, start: int, stop: int
) -> None:
    """A random one of the offers that `legal_actions` gave, for every table in play."""
    for number in range(start, stop):
        # Gather eight bytes of 0 or 1 into eight bits.
        offered = int64((masks[number] * uint64(0x0102040810204080)) >> uint64(56))
        if offered:
            chance[number], kinds[number], amounts[number] = choose(
                chance[number], offered, SIZED, low[number], high[number]
            )
        else:
            kinds[number], amounts[number] = NO_ACTION, 0


@kernel
def play_hands(
    config: Tables,
    tables: Tables,
    past: Tables,
    chance: NDArray[np.uint64],
    hands: int,
    totals: Any,
    start: int,
    stop: int,
) -> int:
    """Play so many hands at each table, the button moving on. Add what each seat won; return the number of actions."""
    shared, actions = config[0], 0
    for number in range(start, stop):
        table, policy = tables[number], chance[number]
        for _ in range(hands):
            begin(shared, table)
            while table.turn >= 0:
                kinds, low, high = offers(table)
                policy, kind, amount = choose(policy, kinds, SIZED, low, high)
                act(shared, table, past[number], kind, amount)
                actions += 1
            for seat in range(shared.seats):
                totals[number, seat] += table.stacks[seat] - table.began[seat]
            table.button = next_after(int64(table.playing), int64(table.button))
            table.hand += 1
        chance[number] = policy
    return actions

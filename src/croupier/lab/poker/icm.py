"""The Independent Chip Model: what tournament chips are worth in prize money.

A player finishes first with the probability of their part of all chips; with that player gone, the same holds for
second place among the others, and so on (Malmuth and Harville).
"""

from collections.abc import Sequence
from math import comb, isfinite
from typing import Final

import numpy as np
from numpy.typing import NDArray

from croupier.lab.compiler import kernel
from croupier.lab.poker.ranges import EquityError

PLAYERS_MIN: Final = 2
PLAYERS_MAX: Final = 24
WORK_MAX: Final = 20_000_000
"""The most sets of players to go through: about a second of work."""
AMOUNT_MAX: Final = 1e15

Floats = NDArray[np.float64]


def icm(stacks: Sequence[float], payouts: Sequence[float]) -> tuple[float, ...]:
    """What each stack is worth. `payouts` begins with the prize for the first place; missing places pay nothing.

    Raises EquityError that names what is wrong with the stacks or the prizes.
    """
    check_stacks(stacks)
    check_payouts(payouts, len(stacks))
    prizes = np.zeros(len(stacks))
    prizes[: len(payouts)] = payouts
    values = np.zeros(len(stacks))
    paid = int(np.flatnonzero(prizes)[-1]) + 1
    work = sum(comb(len(stacks), place) for place in range(paid))
    if work > WORK_MAX:
        raise EquityError("ICM_TOO_MANY", count=len(stacks), paid=paid, sets=work, limit=WORK_MAX)
    add_values(np.array(stacks, np.float64), prizes, paid, values)
    return tuple(values.tolist())


def check_stacks(stacks: Sequence[float]) -> None:
    """Raises EquityError if there are too few or too many stacks, or one is no number above 0."""
    if not PLAYERS_MIN <= len(stacks) <= PLAYERS_MAX:
        raise EquityError("ICM_STACKS", count=len(stacks), low=PLAYERS_MIN, high=PLAYERS_MAX)
    for stack in stacks:
        if not (isfinite(stack) and 0 < stack <= AMOUNT_MAX):
            raise EquityError("ICM_STACK", stack=f"{stack:g}")


def check_payouts(payouts: Sequence[float], players: int) -> None:
    """Raises EquityError unless there are 1 to `players` prizes that do not rise, the first above 0."""
    if not 1 <= len(payouts) <= players:
        raise EquityError("ICM_PAYOUTS", count=len(payouts), players=players)
    for better, prize in zip((AMOUNT_MAX, *payouts), payouts, strict=False):
        if not (isfinite(prize) and 0 <= prize <= better):
            raise EquityError("ICM_PAYOUT", payout=f"{prize:g}")
    if payouts[0] == 0:
        raise EquityError("ICM_PAYOUT", payout="0")


@kernel
def add_values(stacks: Floats, prizes: Floats, paid: int, values: Floats) -> None:
    """Add to `values` what each stack above 0 is worth, if the places `0` to `paid - 1` are paid.

    Goes through the sets of players that can hold the first places, smaller sets first: `chance[s]` is the probability
    that exactly the players of `s` hold them.
    """
    players = len(stacks)
    total = 0.0
    for stack in stacks:
        total += stack
    chance = np.zeros(1 << players)
    chance[0] = 1.0
    for chosen in range(1 << players):
        reached = chance[chosen]
        if reached == 0.0:
            continue
        place, left = 0, total
        for player in range(players):
            if chosen >> player & 1:
                place += 1
                left -= stacks[player]
        if place >= paid:
            continue
        for player in range(players):
            if not chosen >> player & 1 and stacks[player] > 0.0:
                part = reached * stacks[player] / left
                values[player] += part * prizes[place]
                chance[chosen | 1 << player] += part

"""A spot to solve: stacks, blinds, antes and prizes, checked, and what every end of the hand is worth to everybody.

Seats stand in the order in which they act before the flop: the big blind is the last.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import isfinite
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.lab.poker.icm import AMOUNT_MAX, add_values, check_payouts
from croupier.lab.poker.ranges import EquityError

Floats = NDArray[np.float64]

PLAYERS_MIN: Final = 2
PLAYERS_MAX: Final = 9
BLINDS_RATIO_MAX: Final = 1000
"""No stack is more than so many big blinds."""
_SEATS: Final = ("UTG", "UTG+1", "UTG+2", "LJ", "HJ", "CO", "BTN", "SB", "BB")


class Spot(msgspec.Struct, frozen=True, rename="camel"):
    """The stacks, and what is posted. All amounts are in one unit; with the blinds left alone, big blinds.

    `ante` is paid by everybody, `big_blind_ante` by the big blind alone. With `payouts`, values are prize money by the
    Independent Chip Model, else chips.
    """

    stacks: tuple[float, ...]
    small_blind: float = 0.5
    big_blind: float = 1.0
    ante: float = 0.0
    big_blind_ante: float = 0.0
    payouts: tuple[float, ...] = ()

    @property
    def players(self) -> int:
        return len(self.stacks)

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats. With nine players UTG, UTG+1, UTG+2, LJ, HJ, CO, BTN, SB, BB."""
        if self.players <= len(_SEATS) - 4:
            return _SEATS[-self.players :]
        late = self.players - (3 if self.players == PLAYERS_MAX else 2 if self.players == PLAYERS_MAX - 1 else 1)
        return _SEATS[: self.players - late] + _SEATS[-late:]

    def blind(self, seat: int) -> float:
        return {self.players - 1: self.big_blind, self.players - 2: self.small_blind}.get(seat, 0.0)

    def dead(self, seat: int) -> float:
        """What a seat pays that is no bet."""
        return self.ante + (self.big_blind_ante if seat == self.players - 1 else 0.0)


def check(spot: Spot) -> None:
    """Raises EquityError that names the first impossible amount, and what is possible."""
    if not PLAYERS_MIN <= spot.players <= PLAYERS_MAX:
        raise EquityError("PUSHFOLD_PLAYERS", count=spot.players, low=PLAYERS_MIN, high=PLAYERS_MAX)
    for name in ("small_blind", "big_blind", "ante", "big_blind_ante"):
        amount = getattr(spot, name)
        if not (isfinite(amount) and 0 <= amount <= AMOUNT_MAX):
            raise EquityError("PUSHFOLD_AMOUNT", amount=f"{amount:g}")
    if not spot.big_blind > 0 or not spot.small_blind <= spot.big_blind:
        raise EquityError("PUSHFOLD_BLINDS", small=f"{spot.small_blind:g}", big=f"{spot.big_blind:g}")
    for seat, stack in enumerate(spot.stacks):
        least, most = spot.blind(seat) + spot.dead(seat), BLINDS_RATIO_MAX * spot.big_blind
        if not (isfinite(stack) and least < stack <= most):
            raise EquityError(
                "PUSHFOLD_STACK", seat=spot.seats[seat], stack=f"{stack:g}", least=f"{least:g}", most=f"{most:g}"
            )
    if spot.payouts:
        check_payouts(spot.payouts, spot.players)


def final_stacks(spot: Spot, order: dict[int, int]) -> list[float]:
    """The stacks after the hand. `order` has the players who are all-in, by the place their hand comes in; 0 wins.

    A side pot goes to the best hand among those who paid into it. An uncalled bet goes back.
    """
    bets = [stack - spot.dead(seat) if seat in order else spot.blind(seat) for seat, stack in enumerate(spot.stacks)]
    left = [stack - spot.dead(seat) - bet for seat, (stack, bet) in enumerate(zip(spot.stacks, bets, strict=True))]
    levels = sorted({0.0, *(bets[seat] for seat in order)})
    # A blind above all bets of those who stay goes back.
    for seat, bet in enumerate(bets):
        left[seat] += max(0.0, bet - levels[-1])
    dead = sum(spot.dead(seat) for seat in range(spot.players))
    for below, level in pairwise(levels):
        pot = dead + sum(max(0.0, min(bet, level) - below) for bet in bets)
        dead = 0.0
        rivals = [seat for seat in order if bets[seat] >= level]
        best = min(order[seat] for seat in rivals)
        winners = [seat for seat in rivals if order[seat] == best]
        for seat in winners:
            left[seat] += pot / len(winners)
    return left


def walk_stacks(spot: Spot) -> list[float]:
    """The stacks after everybody folded to the big blind."""
    left = [stack - spot.dead(seat) - spot.blind(seat) for seat, stack in enumerate(spot.stacks)]
    left[-1] += sum(spot.dead(seat) + spot.blind(seat) for seat in range(spot.players))
    return left


def worth(spot: Spot, stacks: Sequence[float]) -> Floats:
    """What stacks are worth to everybody: themselves, or by the Independent Chip Model.

    Players out of chips take the places behind the others; the bigger stack before the hand takes the better place, and
    equal ones share.
    """
    if not spot.payouts:
        return np.array(stacks, np.float64)
    tiny = 1e-9 * spot.big_blind
    held = np.array([stack if stack > tiny else 0.0 for stack in stacks])
    prizes = np.zeros(spot.players)
    prizes[: len(spot.payouts)] = spot.payouts
    values = np.zeros(spot.players)
    add_values(held, prizes, int((held > 0).sum()), values)
    out = sorted((seat for seat in range(spot.players) if held[seat] == 0), key=lambda seat: -spot.stacks[seat])
    place = spot.players - len(out)
    while out:
        equal = [seat for seat in out if spot.stacks[seat] == spot.stacks[out[0]]]
        values[equal] = prizes[place : place + len(equal)].mean()
        place += len(equal)
        out = out[len(equal) :]
    return values

"""Equities between all pairs of hands, over the cards to come: for all-ins before the last street."""

import numpy as np
from numpy.typing import NDArray

from croupier.lab.compiler import kernel
from croupier.lab.poker.solver.deal import Deal


@kernel
def hands_meet(deal: Deal, one: int, other: int) -> bool:
    """Whether player 0 can hold one hand while player 1 holds the other."""
    for first in range(2):
        for second in range(2):
            if deal.cards[0, one, first] == deal.cards[1, other, second]:
                return False
    return True


@kernel
def count_wins(deal: Deal, board: int, to: int, counts: NDArray[np.uint8], strengths: NDArray[np.int16]) -> None:
    """Count player 0's wins twice and ties once over the full boards that follow a board, by pairs of hands."""
    width = deal.widths[1]
    for below in range(deal.next_starts[board], deal.next_starts[board + 1]):
        for member in range(deal.member_starts[below], deal.member_starts[below + 1]):
            exchange = deal.members[member]
            _strengths(deal, below, exchange, strengths)
            for one in range(deal.hands[0]):
                own = strengths[0, one]
                if own < 0:
                    continue
                for other in range(deal.hands[1]):
                    theirs = strengths[1, other]
                    won = 2 * (own > theirs) + (own == theirs)
                    counts[to + one * width + other] += np.uint8(won if theirs >= 0 else 0)
    for one in range(deal.hands[0]):
        for other in range(deal.hands[1]):
            if not hands_meet(deal, one, other):
                counts[to + one * width + other] = 0


@kernel
def _strengths(deal: Deal, board: int, exchange: int, strengths: NDArray[np.int16]) -> None:
    """Every hand's rank on the board that an exchange makes of a board; -1 if it is impossible there."""
    strengths[:] = -1
    for player in range(2):
        for place in range(deal.alive[board, player]):
            strengths[player, deal.order[board, player, place]] = deal.ranks[board, player, place]
    if exchange == 0:
        return
    for player in range(2):
        here = strengths[player].copy()
        for hand in range(deal.hands[player]):
            strengths[player, hand] = here[deal.moved[exchange, player, hand]]


@kernel
def average_wins(deal: Deal, counts: NDArray[np.uint8], scale: float, shares: NDArray[np.float32]) -> None:
    """Player 0's expected equity on the first of three streets, from the counts of the second."""
    width, size = deal.widths[1], deal.widths[0] * deal.widths[1]
    for board in range(deal.next_starts[0], deal.next_starts[1]):
        base = (board - deal.next_starts[0]) * size
        for member in range(deal.member_starts[board], deal.member_starts[board + 1]):
            exchange = deal.members[member]
            for one in range(deal.hands[0]):
                row = base + np.int64(deal.moved[exchange, 0, one]) * width
                for other in range(deal.hands[1]):
                    found = counts[row + np.int64(deal.moved[exchange, 1, other])]
                    shares[one * width + other] += np.float32(scale * found)

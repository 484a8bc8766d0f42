"""The value of a split, from the values of one of its hands.

Every hand from a split is played by one strategy that looks at that hand alone. A pair among them is split again as
long as the rules allow. So the other hands matter only by how many pair cards came as second cards, and when. Cards are
exchangeable: a value given that some second cards are pair cards is a value from a shoe without them, and a value given
that some are *not* is a difference of such values. The expected sum over all hands is

    Σ_j  R_j · (own_j · A_j + any_j · B_j)

Here j counts the pair cards taken from the shoe beyond the first two, and R_j is the chance that j cards in a row are
pair cards. B_j is the value of a hand that begins with one pair card, from that shoe. A_j is the part of B_j in which
the second card is not a pair card. The whole numbers `own_j` and `any_j` depend only on how many hands are allowed.
With two hands the sum is 2·B_0.
"""

from functools import lru_cache
from math import comb

import numpy as np

from croupier.lab.blackjack.solver.compositions import Floats


def levels(hands_max: int) -> int:
    """How many levels j there are."""
    return 2 * hands_max - 3 if hands_max > 1 else 1


@lru_cache
def coefficients(hands_max: int) -> Floats:
    """`own_j` and `any_j`, as `[0 or 1, j]`, for a split into at most `hands_max` hands."""
    found = np.zeros((2, levels(hands_max)))

    def add(kind: int, times: int, pair_cards: int, others: int) -> None:
        """Add `times` hands beside `pair_cards` second cards that are pair cards and `others` that are not."""
        for excluded in range(others + 1):
            found[kind, pair_cards + excluded] += times * comb(others, excluded) * (-1) ** excluded

    def deal(hands: int, waiting: int, pair_cards: int, closed: int) -> None:
        """`waiting` hands have one card so far; `closed` hands have a second card that is no pair card."""
        if hands == hands_max or waiting == 0:
            if closed:
                add(0, closed, pair_cards, closed - 1)
            if waiting:
                add(1, waiting, pair_cards, closed)
            return
        deal(hands + 1, waiting + 1, pair_cards + 1, closed)
        deal(hands, waiting - 1, pair_cards, closed + 1)

    if hands_max > 1:
        deal(2, 2, 0, 0)
    return found

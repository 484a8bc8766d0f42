"""What a split is worth, from what one of its hands is worth.

Each hand from a split is played by one strategy that looks at that hand alone, and a pair among them is split again
as long as the rules allow. What becomes of the hands then depends on their second cards only through how many pair
cards came and when. Cards are exchangeable, so a value given that some second cards are pair cards is a value from a
shoe without these, and a value given that some are *not* is a difference of such values. The expected sum over all
hands is thereby

    Σ_j  R_j · (own_j · A_j + any_j · B_j)

where j counts pair cards taken from the shoe beyond the first two, R_j is the chance that j cards in a row are pair
cards, B_j the value of a hand of one pair card and whatever comes from that shoe, A_j the part of it in which the
second card is not a pair card, and `own_j`, `any_j` are whole numbers that depend only on how many hands are allowed.
With two hands that is 2·B_0.
"""

from functools import lru_cache
from math import comb

import numpy as np

from croupier.lab.solver.compositions import Floats


def levels(hands_max: int) -> int:
    """How many levels j there are."""
    return 2 * hands_max - 3 if hands_max > 1 else 1


@lru_cache
def coefficients(hands_max: int) -> Floats:
    """`own_j` and `any_j`, as `[0 or 1, j]`, for a split into at most so many hands."""
    found = np.zeros((2, levels(hands_max)))

    def add(kind: int, times: int, pair_cards: int, others: int) -> None:
        """Adds `times` hands beside `pair_cards` second cards that are pair cards and `others` that are not."""
        for excluded in range(others + 1):
            found[kind, pair_cards + excluded] += times * comb(others, excluded) * (-1) ** excluded

    def deal(hands: int, waiting: int, pair_cards: int, closed: int) -> None:
        """`waiting` hands have one card so far, `closed` have got a second card that is no pair card."""
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

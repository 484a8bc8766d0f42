"""Kuhn's and Leduc poker as games of the Hold'em solver: a hand is one card, and a shadow that makes it two."""

import numpy as np
from numpy.typing import NDArray

from croupier.lab.poker.solver.betting import Betting
from croupier.lab.poker.solver.deal import Deck, Hands
from croupier.lab.poker.solver.sizes import parse_sizes
from croupier.lab.poker.solver.solver import Solver


def one_card_hands(cards: int) -> Hands:
    """A card and its shadow each."""
    return np.array([[card, 52 + card] for card in range(cards)], np.uint8)


def kuhn() -> Solver:
    def higher(board: tuple[int, ...], hands: Hands) -> NDArray[np.int64]:
        return hands[:, 0].astype(np.int64)

    betting = Betting(2, 1, ((parse_sizes("a", raises=False), ()),))
    hands = one_card_hands(3)
    return Solver(betting, Deck(3, (), 1, 2, higher, np.arange(3)[np.newaxis]), (hands, hands), (np.ones(3),) * 2)


def leduc(*, exchange: bool = False) -> Solver:
    """With `exchange`, the two suits are dealt once."""

    def paired(board: tuple[int, ...], hands: Hands) -> NDArray[np.int64]:
        ranks = hands[:, 0].astype(np.int64) // 2
        return np.where(ranks == board[-1] // 2, 10, 0) + ranks

    streets = tuple((parse_sizes(f"{bet}c", raises=False), parse_sizes(f"{2 * bet}c", raises=True)) for bet in (2, 4))
    betting = Betting(2, 12, streets, bets_max=2)
    both = [np.arange(6), np.arange(6) ^ 1]
    exchanges = np.stack(both if exchange else both[:1])
    hands = one_card_hands(6)
    # The shadows move with their cards.
    shadowed = np.concatenate([exchanges, np.tile(np.arange(6, 52), (len(exchanges), 1)), exchanges + 52], axis=1)
    return Solver(betting, Deck(6, (), 2, 2, paired, shadowed), (hands, hands), (np.ones(6),) * 2)

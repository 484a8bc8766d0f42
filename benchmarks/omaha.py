"""Claims: 10 million Omaha hands ranked a second on one core; 1 million boards of pot-limit Omaha heads-up sampled.

PokerKit and phevaluator, if it is installed, rank four-card hands beside us.
"""

from collections.abc import Callable
from time import perf_counter

import numpy as np
from pokerkit import Card as KitCard
from pokerkit import OmahaHoldemHand

from croupier.cards import PACK
from croupier.lab.poker import family_kernels
from croupier.lab.poker.equity import Method, equity
from croupier.lab.poker.omaha_tables import omaha_tables
from croupier.lab.threads import core_count

HANDS = 400_000
ROUNDS = 7
SAMPLES = 2_000_000


def best_seconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The best of several rounds, after one to warm up."""
    work()
    times = []
    for _ in range(rounds):
        started = perf_counter()
        work()
        times.append(perf_counter() - started)
    return min(times)


def deals(hole_cards: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(hole_cards)
    packs = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (HANDS, 1)), axis=1)
    return np.ascontiguousarray(packs[:, :hole_cards]), np.ascontiguousarray(packs[:, hole_cards : hole_cards + 5])


def pokerkit_hands_a_second(holes: np.ndarray, boards: np.ndarray, count: int = 300) -> float:
    cards = [next(iter(KitCard.parse(str(card)))) for card in PACK]
    rows = [
        ([cards[n] for n in hole], [cards[n] for n in board])
        for hole, board in zip(holes[:count], boards[:count], strict=True)
    ]
    return count / best_seconds(lambda: [OmahaHoldemHand.from_game(*row) for row in rows], rounds=1)


def phevaluator_hands_a_second(holes: np.ndarray, boards: np.ndarray, count: int = 20_000) -> float | None:
    try:
        from phevaluator import evaluate_omaha_cards
    except ImportError:
        return None
    rows = [[str(PACK[n]) for n in (*board, *hole)] for hole, board in zip(holes[:count], boards[:count], strict=True)]
    return count / best_seconds(lambda: [evaluate_omaha_cards(*row) for row in rows], rounds=2)


def main() -> None:
    ready = omaha_tables()
    worths = np.empty(HANDS, np.uint16)
    for hole_cards in (4, 5, 6):
        holes, boards = deals(hole_cards)
        seconds = best_seconds(lambda h=holes, b=boards: family_kernels.rank_omaha(ready, h, b, HANDS, worths))
        print(f"{hole_cards} hole cards, one core: {HANDS / seconds / 1e6:.1f} M hands/s")
        if hole_cards == 4:
            print(f"  PokerKit {pokerkit_hands_a_second(holes, boards):,.0f} hands/s")
            peer = phevaluator_hands_a_second(holes, boards)
            if peer is not None:
                print(f"  phevaluator {peer:,.0f} hands/s")
    for name, hands in (("omaha", ["AsAhKsKh", "QdJdTc9c"]), ("omaha", ["AsAhKsKh", "random"]),
                        ("omaha-hilo", ["AsAh2s3h", "KdKcQdJc"])):  # fmt: skip
        seconds = best_seconds(
            lambda n=name, h=hands: equity(h, variant=n, method=Method.MONTE_CARLO, samples=SAMPLES), rounds=3
        )
        rate = SAMPLES / seconds / 1e6
        print(f"{name} {' v '.join(hands)} before the flop, sampled, {core_count()} cores: {rate:.1f} M boards/s")


if __name__ == "__main__":
    main()

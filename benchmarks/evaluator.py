"""Claim: seven-card hands are ranked faster than by any peer, on one core; all 133,784,560 of them in half a second.

Every evaluator gets the same random hands in the form it likes best, made beforehand. A peer that ranks one hand a
call is called from Python; OMPEval is also run as a batch inside its own library. Ours also looks for repeated cards.
"""

import ctypes
from collections.abc import Callable
from time import perf_counter

import eval7
import numpy as np
import treys
from numpy.typing import NDArray
from phevaluator import evaluate_cards
from pokerfast import equity as pokerfast_equity
from pokerfast import eval7 as pokerfast_eval7

from croupier.cards import PACK
from croupier.lab.poker.evaluate import census, ranks

HANDS = 2_000_000
HANDS_ONE_BY_ONE = 50_000
ROUNDS = 7
OMPEVAL_SUITS = (2, 3, 1, 0)
"""OMPEval's number of our suits c d h s."""


def best_rate(work: Callable[[], object], hands: int) -> float:
    """Hands a second in the best of several rounds, after one to warm up."""
    work()
    times = []
    for _ in range(ROUNDS):
        started = perf_counter()
        work()
        times.append(perf_counter() - started)
    return hands / min(times)


def random_hands() -> NDArray[np.uint8]:
    generator = np.random.default_rng(2024)
    parts = [
        generator.permuted(np.tile(np.arange(52, dtype=np.uint8), (100_000, 1)), axis=1)[:, :7]
        for _ in range(HANDS // 100_000)
    ]
    return np.ascontiguousarray(np.concatenate(parts))


def ompeval_batch(hands: NDArray[np.uint8]) -> Callable[[], object]:
    library = pokerfast_equity._load()  # its Python function spends its time on converting cards
    cards = (hands // 4 * 4 + np.array(OMPEVAL_SUITS, np.uint8)[hands % 4]).astype(np.uint8).tobytes()
    values = (ctypes.c_uint16 * len(hands))()
    return lambda: library.pf_evaluate(cards, len(hands), 7, values)


def check_order(hands: NDArray[np.uint8]) -> None:
    """All evaluators agree on the hands that are timed."""
    some = hands[:2000]
    ours = ranks(some).tolist()
    assert ours == [evaluate_cards(*(str(PACK[card]) for card in hand)) for hand in some]
    theirs = np.array([eval7.evaluate([eval7.Card(str(PACK[card])) for card in hand]) for hand in some])
    assert (np.argsort(theirs, kind="stable") == np.argsort(-np.array(ours), kind="stable")).all()


def main() -> None:
    hands = random_hands()
    check_order(hands)
    few = hands[:HANDS_ONE_BY_ONE]
    texts = [tuple(str(PACK[card]) for card in hand) for hand in few]
    as_numbers = [hand.tolist() for hand in few]
    as_eval7 = [[eval7.Card(card) for card in hand] for hand in texts]
    as_treys = [[treys.Card.new(card) for card in hand] for hand in texts]
    evaluator = treys.Evaluator()
    rates = {
        "croupier, a batch": best_rate(lambda: ranks(hands), HANDS),
        "OMPEval (pokerfast), a batch in C++": best_rate(ompeval_batch(hands), HANDS),
        "OMPEval (pokerfast), a batch from Python": best_rate(lambda: pokerfast_equity.evaluate(texts), len(few)),
        "eval7": best_rate(lambda: [eval7.evaluate(hand) for hand in as_eval7], len(few)),
        "phevaluator": best_rate(lambda: [evaluate_cards(*hand) for hand in as_numbers], len(few)),
        "pokerfast.eval7": best_rate(lambda: [pokerfast_eval7(hand) for hand in texts], len(few)),
        "treys": best_rate(lambda: [evaluator.evaluate(hand[:5], hand[5:]) for hand in as_treys], len(few)),
    }
    ours = rates["croupier, a batch"]
    print(f"Random seven-card hands, one core, best of {ROUNDS}")
    for name, rate in rates.items():
        print(f"  {name:42} {rate / 1e6:9.3f} M hands/s   {ours / rate:9.1f} ×")
    every = best_rate(census, 133_784_560)
    print(f"All 133,784,560 seven-card hands, all cores: {133_784_560 / every:.3f} s ({every / 1e6:.0f} M hands/s)")


if __name__ == "__main__":
    main()

"""The exact solution of blackjack: warm, split to four hands, and from a cold process with compiled code on disk.

Goals: six decks split once in 15 ms and from a cold process in 1.5 s; split to four hands in 100 ms. No public package
solves blackjack by composition without replacement, so the plain enumeration of the tests stands beside it: one cell.

Run: python benchmarks/solve.py
"""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).parents[1]))

from croupier.games.blackjack import CASINO
from croupier.lab.blackjack.solve import solve
from croupier.lab.compiler import compiling_notice
from tests.lab.plain_blackjack import Plain, Seeing, may_double, without

REPEATS = 40


def best_seconds(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """The quickest of several runs: what the machine can do when it is left alone."""
    found = []
    for _ in range(repeats):
        begun = perf_counter()
        work()
        found.append(perf_counter() - begun)
    return min(found)


def plain_cell() -> float:
    shoe = (*(24,) * 9, 96)
    seeing = Seeing(Plain(CASINO, shoe), 10, without(shoe, 10), may_double(CASINO, False))
    return seeing.values((6, 10))["hit"]


def cold() -> None:
    command = [sys.executable, "-m", "croupier", "solve", "blackjack", "--json"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    four = replace(CASINO, hands_max=4)
    with compiling_notice():
        solution = solve(CASINO)
        solve(four)
    once, split_four = best_seconds(lambda: solve(CASINO)), best_seconds(lambda: solve(four))
    one_cell = best_seconds(plain_cell, 3)
    print(f"six decks, split once, warm:        {1e3 * once:8.1f} ms   goal 15")
    print(f"six decks, split to four, warm:     {1e3 * split_four:8.1f} ms   goal 100")
    print(f"six decks, from a cold process:     {1e3 * best_seconds(cold, 5):8.1f} ms   goal 1500")
    print(f"plain enumeration, one cell of 550: {1e3 * one_cell:8.1f} ms   {550 * one_cell / once:.0f} times as long")
    (cell,) = (cell for cell in solution.cells if (cell.up, cell.cards) == ("T", "T6"))
    print(f"both say, hitting T6 against T:     {cell.hit:.12f}  {plain_cell():.12f}")


if __name__ == "__main__":
    main()

"""The Hold'em solver: a river, a turn and a flop to 0.3 % of the pot, with two bet sizes and 200 to 300 hands each.

Goals on two cores: the river in 30 ms, the turn in 1.5 s, the flop of two pots behind in 60 s and 700 MB. Times are
those of the best of several runs (the flop: one), from the ranges to the strategies, without compiling. The first
compilation is measured in a process of its own with an empty cache.

Run: python benchmarks/solver.py [river] [turn] [flop] [compile]
"""

import os
import subprocess
import sys
import tempfile
from time import perf_counter

from croupier.lab.compiler import compiling_notice
from croupier.lab.poker.solver.solve import load_kernels, prepare, run
from croupier.lab.poker.solver.spot import Spot

OOP = "22-88,A2s-AJs,KTs+,QTs+,J9s+,T8s+,97s+,86s+,75s+,65s,54s,A9o-AQo,KTo+,QJo"
IP = "22+,A2s+,K9s+,Q9s+,J9s+,T9s,98s,87s,76s,ATo+,KJo+,QJo"
SPOTS = {
    "river": (Spot("QsJh2h7c3d", (OOP, IP), 100, 200, bets="50%,100%", raises="2.5x"), 20, "30 ms"),
    "turn": (Spot("QsJh2h7c", (OOP, IP), 100, 400, bets="50%,100%", raises="2.5x"), 3, "1.5 s"),
    "flop": (Spot("QsJh2h", (OOP, IP), 100, 200, bets="50%,100%", raises="2.5x"), 1, "60 s, 700 MB"),
}
TARGET = 0.003


def measure(name: str) -> None:
    spot, repeats, goal = SPOTS[name]
    found = []
    for _ in range(repeats):
        solution = prepare(spot)
        run(solution, target=TARGET, seconds=600)
        found.append(solution)
    best = min(found, key=lambda each: each.seconds)
    begun = perf_counter()
    best.solver.iterate(5)
    each = (perf_counter() - begun) / 5
    hands = " and ".join(map(str, best.solver.deal.hands))
    print(
        f"{name:6} {hands} hands: {1e3 * best.seconds:10.1f} ms to {best.exploitability:.3%} of the pot in "
        f"{best.iterations} iterations of {1e3 * each:.3f} ms, {best.memory_bytes / 1e6:.1f} MB   goal {goal}"
    )


def first_compilation() -> None:
    with tempfile.TemporaryDirectory() as folder:
        begun = perf_counter()
        code = "from croupier.lab.poker.solver.solve import load_kernels; load_kernels(False)"
        subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | {"NUMBA_CACHE_DIR": folder})
        print(f"first compilation: {perf_counter() - begun:.1f} s")


def main() -> None:
    wanted = sys.argv[1:] or [*SPOTS, "compile"]
    with compiling_notice():
        load_kernels(False)
    for name in wanted:
        if name == "compile":
            first_compilation()
        else:
            measure(name)


if __name__ == "__main__":
    main()

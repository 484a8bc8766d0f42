"""`python -m tests.simulation SEED [SEED2] [--trace]`: plays one seed, or all from one up to another."""

import argparse
import sys

from tests.simulation.run import play


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("seed", type=int, help="the first seed")
    parser.add_argument("last", type=int, nargs="?", help="play every seed up to this one")
    parser.add_argument("--trace", action="store_true", help="print what happened")
    parser.add_argument("--nodes", type=int, help="so many nodes, whatever the seed says")
    options = parser.parse_args()
    failed = 0
    for seed in range(options.seed, (options.last or options.seed) + 1):
        report = play(seed, options.nodes)
        if options.trace:
            print("\n".join(report.lines))
        if not report.ok:
            print(report.text())
            failed += 1
        elif options.last is None:
            print(f"seed {seed}: {report.commits} steps stored, {report.states} states told, trace {report.hash[:16]}")
    if options.last is not None:
        print(f"{options.last - options.seed + 1 - failed} seeds hold, {failed} are broken")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

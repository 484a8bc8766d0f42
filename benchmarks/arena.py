"""How many duplicate Hold'em hands a minute the arena plays between simple bots.

The claim: at least 20,000 on two cores. There is no peer beside it: no library was found that plays bots over duplicate
deals. Run as `python benchmarks/arena.py [hands] [workers]`.
"""

import os
import sys
import time
from typing import Final

from croupier.lab.arena.match import make_match, play
from croupier.lab.arena.rounds import Match
from croupier.lab.threads import core_count

HANDS: Final = 10_000
TIMES: Final = 3
GOAL_HANDS_A_MINUTE: Final = 20_000
TABLES: Final = (("caller", "random"), ("caller", "caller"), ("caller", "random") * 3)


def main() -> None:
    hands = int(sys.argv[1]) if len(sys.argv) > 1 else HANDS
    workers = int(sys.argv[2]) if len(sys.argv) > 2 else core_count()
    print(f"{hands} hands, {workers} workers, best of {TIMES}; the goal is {GOAL_HANDS_A_MINUTE} hands a minute")
    for bots in TABLES:
        match = make_match("poker", bots, hands, seed=1, records=True)
        wall, processor = min(_timed(match, workers) for _ in range(TIMES))
        rounds = match.deals * match.seatings
        print(
            f"{' '.join(bots)}: {60 * rounds / wall:,.0f} hands a minute by the clock "
            f"({60 * rounds / wall / GOAL_HANDS_A_MINUTE:.1f} × the goal), "
            f"{60 * rounds / processor:,.0f} a minute of one processor",
            flush=True,
        )


def _timed(match: Match, workers: int) -> tuple[float, float]:
    """Seconds by the clock, and of the processor with all workers."""
    before, started = os.times(), time.perf_counter()
    play(match, workers=workers)
    after = os.times()
    return time.perf_counter() - started, sum(after[:4]) - sum(before[:4])


if __name__ == "__main__":
    main()

"""How much the better Hold'em bots win, and how long every bot takes for a decision.

The claims: over duplicate deals, each bot beats those below it by a significant number of big blinds per hundred hands,
heads-up and as one of six. A decision takes less than 50 ms of processor time, and less than 5 ms on average. There is
no peer: no library was found whose bots play no-limit Hold'em from their seat's view alone.

Run as `python benchmarks/bots.py [deals a match]`.
"""

import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from croupier.game.game import Offer
from croupier.games.poker import HoldemAction, HoldemView
from croupier.games.poker.bots.solid import HoldemPolicy
from tests.games.poker.duplicate import match

DEALS_A_MATCH: Final = 3_000
SEED: Final = 2
LADDER: Final = ("shark", "solid", "caller", "random")
SEAT_COUNTS: Final = (2, 6)
DECISION_MS_MAX: Final = 50
DECISION_MS_MEAN_MAX: Final = 5


class Clock:
    """Measures the processor time of every decision, by bot."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = defaultdict(list)

    def watch(self, name: str, policy: HoldemPolicy) -> HoldemPolicy:
        def timed(view: HoldemView, menu: tuple[Offer[HoldemAction], ...], /) -> HoldemAction:
            started = time.process_time()
            action = policy(view, menu)
            self.seconds[name].append(time.process_time() - started)
            return action

        return timed


def main() -> None:
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else DEALS_A_MATCH
    clock = Clock()
    print("duplicate deals, stacks of 100 big blinds, one challenger against a table of the other; 95 % confidence")
    for seats in SEAT_COUNTS:
        for place, better in enumerate(LADDER):
            for simpler in LADDER[place + 1 :]:
                score = match(better, simpler, seats=seats, deals=deals, seed=SEED, watch=clock.watch)
                verdict = "significant" if score.low > 0 else "not significant"
                print(f"{seats} seats  {better:7} – {simpler:7} {score}, {verdict}", flush=True)
    print(f"processor time a decision; goals: mean {DECISION_MS_MEAN_MAX} ms, longest {DECISION_MS_MAX} ms")
    for name, seconds in clock.seconds.items():
        times = sorted(1000 * each for each in seconds)
        mean, high = sum(times) / len(times), times[int(0.999 * len(times))]
        print(
            f"{name:7} mean {mean:6.2f} ms, 99.9 % below {high:6.2f} ms, longest {times[-1]:6.2f} ms, of {len(times)}"
        )


if __name__ == "__main__":
    main()

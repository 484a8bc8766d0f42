"""What checking a deal costs the page: the checker in a real Chromium whose processor is slowed down four times.

The frames are those of `benchmarks/deal.py`: a Hold'em cash table, hand after hand. Timed is all that the checker does
with the frames of one deal, from the fixed packs to the player's own cards. The goal is 50 ms.

Run as `python benchmarks/page_deal.py [--hands 15]`.
"""

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from deal import SEATS, Table
from playwright.sync_api import Page

from croupier.table import commands as c
from croupier.table.apply import CLOCK

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.web.page_server import PageServer, arrive, chromium

THROTTLE = 4
GOAL_MS = 50.0

CHECK = """async (hands) => {
  const { Checker } = await import("/js/fairness/checker.js");
  const { engineOf, loadEngine } = await import("/js/games/engines.js");
  await loadEngine("poker");
  const checker = new Checker("p0", engineOf);
  const see = (frame) => {
    const { alarms } = checker.see(JSON.parse(frame));
    if (alarms.length) throw new Error(JSON.stringify(alarms));
  };
  return hands.map(({ gave, deal, rest }) => {
    checker.gave = new Map(gave);
    const before = performance.now();
    deal.forEach(see);
    const spent = performance.now() - before;
    rest.forEach(see);
    return spent;
  });
}"""


def frames(seats: int, hands: int) -> list[dict[str, Any]]:
    """What one player is sent, hand by hand: the frames of the deal, and those of the rest of the hand. And what the
    player gave to each deal."""
    table = Table(seats)
    watched = table.players[0]
    told = []
    for number in range(hands):
        table.do("p0", c.HostStartGame()) if number == 0 else table.do(CLOCK, c.Due())
        table.cut()
        deal = [frame.decode() for frame in watched.frames]
        watched.frames.clear()
        table.fold()
        told.append(
            {
                "gave": list(watched.checker.gave.items()),
                "deal": deal,
                "rest": [frame.decode() for frame in watched.frames],
            }
        )
        watched.frames.clear()
        table.now_ms += 1000
    return told


def measure(page: Page, told: list[dict[str, Any]]) -> list[float]:
    """Milliseconds for each deal in a browser whose processor is slowed down."""
    session: Any = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})
    return [float(each) for each in page.evaluate(CHECK, json.loads(json.dumps(told)))]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--hands", type=int, default=15)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place, chromium() as browser:
        page_server = PageServer(Path(place) / "rooms.db")
        page_server.start()
        for seats in SEATS:
            visitor = arrive(browser, page_server.link)
            visitor.enter()
            first, *spent = measure(visitor.page, frames(seats, arguments.hands))
            visitor.context.close()
            print(
                f"{seats:2} seats: {statistics.median(spent):.1f} ms a deal, slowest {max(spent):.1f} ms, the first "
                f"{first:.1f} ms, on a processor slowed down {THROTTLE} times (goal {GOAL_MS:.0f})"
            )
        page_server.stop()


if __name__ == "__main__":
    main()

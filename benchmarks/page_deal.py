"""What checking a deal costs the page: the checker in a real Chromium whose processor is slowed down four times.

The frames are those of `benchmarks/deal.py`: a Hold'em cash table, hand after hand. Timed is all that the checker does
with the frames of one deal, from the fixed packs to the player's own cards. The goal is 50 ms, also for the first deal
after the page was loaded. That one is measured in pages just loaded, with the rehearsal that the page does in idle time
(`fairness/rehearsal.js`) and, to compare, without it.

Run as `python benchmarks/page_deal.py [--hands 15]`.
"""

import argparse
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from deal import SEATS, Table
from playwright.sync_api import Browser

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


def measure(page_server: PageServer, browser: Browser, told: list[dict[str, Any]], rehearsed: bool) -> list[float]:
    """Milliseconds for each deal, in a page just loaded by a browser whose processor is slowed down."""
    visitor = arrive(browser, page_server.link)
    page = visitor.page
    session: Any = visitor.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})
    if not rehearsed:
        page.route("**/fairness/rehearsal.js", lambda route: route.abort())
    visitor.enter()
    page.wait_for_function("() => performance.getEntriesByName('rehearsed').length > 0")
    spent = [float(each) for each in page.evaluate(CHECK, told)]
    visitor.context.close()
    return spent


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--hands", type=int, default=15)
    parser.add_argument("--pages", type=int, default=5, help="pages that are loaded for the first deal")
    arguments = parser.parse_args()
    print(f"on a processor slowed down {THROTTLE} times (goal {GOAL_MS:.0f} ms):")
    with tempfile.TemporaryDirectory() as place, chromium() as browser:
        page_server = PageServer(Path(place) / "rooms.db")
        page_server.start()
        for seats in SEATS:
            told = frames(seats, arguments.hands)
            later = measure(page_server, browser, told, rehearsed=True)[1:]
            first: dict[bool, list[float]] = {True: [], False: []}
            for _ in range(arguments.pages):
                for rehearsed, so_far in first.items():
                    so_far.extend(measure(page_server, browser, told[:1], rehearsed))
            print(
                f"{seats:2} seats: the first deal {spread(first[True])}, without rehearsal {spread(first[False])}; "
                f"later ones {spread(later)}"
            )
        page_server.stop()


def spread(spent: list[float]) -> str:
    """The middle one and the slowest, in words."""
    return f"{statistics.median(spent):.1f} ms (slowest {max(spent):.1f})"


if __name__ == "__main__":
    main()

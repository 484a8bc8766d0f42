"""The page in a real browser: bytes and time of the first load, and how long an update of the Hold'em table is drawn.

An update is a state as the server sent it, from the decoded frame until style and layout are done: drawing six seats
with their cards and chips, the board, the pots, the controls. The budget is one picture of a 60 Hz screen: 16 ms.
"""

import json
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.web.page_server import PageServer, Visitor, arrive, chromium

LOADS = 7
BYTES_MAX, READY_MS_MAX, UPDATE_MS_MAX = 200_000, 1000, 16.0
FRAMES = 60

DRAW = """async (frames) => {
  const { Felt } = await import("/games/poker/felt.js");
  const { Controls } = await import("/games/poker/controls.js");
  const felt = new Felt(() => {});
  const controls = new Controls(async () => true);
  document.querySelector(".stage").replaceChildren(felt.element, controls.element);
  const spent = [];
  for (const { public: shown, you } of frames) {
    const people = (seat) => shown.members.find((member) => member.seat === seat) ?? null;
    const before = performance.now();
    felt.show(you.view, people, you.seat);
    controls.show(you.view, you.menu, you.seat);
    felt.element.getBoundingClientRect();
    spent.push(performance.now() - before);
  }
  return spent;
}"""


def first_load(browser: Browser, page_server: PageServer) -> tuple[int, float]:
    """Bytes over the wire and milliseconds until the lobby can be used, by a browser that has never been here."""
    visitor = arrive(browser, page_server.link)
    weights: list[int] = []
    session = visitor.context.new_cdp_session(visitor.page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda event: weights.append(event["encodedDataLength"]))
    visitor.enter()
    ready = float(visitor.page.evaluate("performance.getEntriesByName('ready')[0].startTime"))
    visitor.context.close()
    return sum(weights), ready


def updates(browser: Browser, page_server: PageServer) -> list[float]:
    """What each state of a running game costs to draw."""
    visitor = arrive(browser, page_server.link)
    frames: list[object] = []

    def keep(text: str | bytes) -> None:
        frame = json.loads(text)
        if frame["type"] == "ROOM_STATE" and frame["you"]["view"]:
            frames.append(frame)

    visitor.page.on("websocket", lambda socket: socket.on("framereceived", keep))
    visitor.enter()
    visitor.page.click("[data-play=poker]")
    _play(visitor, frames)
    spent = visitor.page.evaluate(DRAW, frames)
    visitor.context.close()
    return [float(each) for each in spent]


def _play(visitor: Visitor, frames: list[object]) -> None:
    while len(frames) < FRAMES:
        if visitor.is_in_turn():
            visitor.page.keyboard.press("KeyC")
        visitor.page.wait_for_timeout(50)


def main() -> None:
    with tempfile.TemporaryDirectory() as place, chromium() as browser:
        page_server = PageServer(Path(place) / "rooms.db")
        page_server.start()
        loads = [first_load(browser, page_server) for _ in range(LOADS)]
        spent = sorted(updates(browser, page_server))
        page_server.stop()
    weight, ready = loads[0][0], min(ready for _, ready in loads)
    p95 = spent[int(0.95 * len(spent))]
    print(f"first load      {weight / 1000:8.1f} KB over the wire, budget {BYTES_MAX / 1000:.0f}")
    print(f"interactive     {ready:8.0f} ms, best of {LOADS}, budget {READY_MS_MAX}")
    print(f"update, median  {statistics.median(spent):8.2f} ms of {len(spent)} states, budget {UPDATE_MS_MAX:.0f}")
    print(f"update, 95 %    {p95:8.2f} ms, first {spent[-1]:.2f} ms")


if __name__ == "__main__":
    main()

"""The page's own checks of a deal: on the shared examples, and at a table whose server lies."""

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.web.page_server import PageServer, Visitor, arrive

Visit = Callable[..., Visitor]
Frame = dict[str, Any]

VECTORS = json.loads(files("croupier.dealing").joinpath("vectors.json").read_text(encoding="utf-8"))
WITHOUT_WEBCRYPTO = "Object.defineProperty(crypto, 'subtle', { value: undefined })"

CHECK = """async ({ chains, cuts }) => {
  const { reaches } = await import("/js/fairness/chain.js");
  const { checkContributions, checkOpening, permutation } = await import("/js/fairness/cut1.js");
  const faults = [];
  for (const { name, anchor, links } of chains)
    links.forEach((link, place) => {
      if (!reaches(anchor, place + 1, link) || reaches(anchor, place + 2, link)) faults.push(name);
    });
  for (const { name, root, contributions, size, context, order, openings } of cuts) {
    const found = permutation(root, contributions, size, context);
    if (found.join() !== order.join()) faults.push(`${name}: order`);
    faults.push(...checkContributions(contributions));
    for (const opening of openings) {
      faults.push(...checkOpening(opening, root, found, context));
      const other = { ...opening, card: opening.card === "As" ? "Ks" : "As" };
      if (!checkOpening(other, root, found, context).length) faults.push(`${name}: a false card passes`);
    }
  }
  return { faults, webcrypto: Boolean(crypto.subtle) };
}"""


@pytest.mark.parametrize("withheld", [False, True])
def test_the_browser_computes_the_examples_of_cut_1(visit: Visit, withheld: bool) -> None:
    ann = visit()
    if withheld:
        ann.context.add_init_script(WITHOUT_WEBCRYPTO)
        ann.page.reload()
    cuts: list[dict[str, Any]] = [
        {
            "name": case["name"],
            "root": case["root"],
            "contributions": case["contributions"],
            "size": len(case["serverOrder"]),
            "context": case["context"],
            "order": case["permutation"],
            "openings": case["openings"],
        }
        for case in VECTORS["cut-1"]
    ]
    answer = ann.page.evaluate(CHECK, {"chains": VECTORS["chain"], "cuts": cuts})
    assert answer == {"faults": [], "webcrypto": not withheld}


def _between(page: Page, change: Callable[[Frame], None], heard: list[Frame] | None = None) -> None:
    """From now on every state that the server sends to the page passes through `change`; what the page says is kept."""

    def connect(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def told(message: str | bytes) -> None:
            frame = json.loads(message)
            if frame["type"] == "ROOM_STATE":
                change(frame)
            socket.send(json.dumps(frame))

        def said(message: str | bytes) -> None:
            if heard is not None:
                heard.append(json.loads(message))
            server.send(message)

        server.on_message(told)
        socket.on_message(said)

    page.route_web_socket("**/ws", connect)


def _at_a_lying_table(
    browser: Browser, page_server: PageServer, change: Callable[[Frame], None], heard: list[Frame] | None = None
) -> Visitor:
    """A visitor who plays Hold'em against bots, by a server that shows every state as `change` makes it."""
    visitor = arrive(browser, page_server.link)
    _between(visitor.page, change, heard)
    visitor.enter()
    visitor.page.click("[data-play=poker]")
    return visitor


def _false_card(frame: Frame) -> None:
    for opening in frame["openings"][:1]:
        opening["card"] = "As" if opening["card"] != "As" else "Ks"


def _no_proofs(frame: Frame) -> None:
    frame["openings"].clear()


def _other_cards(frame: Frame) -> None:
    """The own hole cards in the other order: both are proved, neither at its place."""
    view = frame["you"]["view"]
    if view and frame["you"]["seat"] is not None:
        view["seats"][frame["you"]["seat"]]["cards"].reverse()


def _other_stack(frame: Frame) -> None:
    view = frame["you"]["view"]
    if view:
        view["seats"][0]["chips"] += 1


def _other_root(frame: Frame) -> None:
    for news in frame["deals"]:
        if news["type"] == "DEAL_FIXED":
            news["roots"][3] = "0" * 64


def _old_scheme(frame: Frame) -> None:
    if frame["public"]["phase"] == "playing":
        frame["public"]["scheme"] = "cut-1"


def _one_pack(frame: Frame) -> None:
    for news in frame["deals"]:
        if news["type"] == "DEAL_FIXED":
            news["context"]["packs"] = 1
            del news["roots"][1:]


LIES = (
    (_false_card, "had fixed before the cut"),
    (_no_proofs, "otherwise than it was played"),
    (_other_cards, "otherwise than it was played"),
    (_other_stack, "otherwise than it was played"),
    (_other_root, ""),
    (_old_scheme, "cut-1"),
    (_one_pack, ""),
)


@pytest.mark.parametrize(("lie", "said"), LIES, ids=lambda value: getattr(value, "__name__", ""))
def test_a_lie_is_told_unmistakably_before_it_is_seen(
    browser: Browser, page_server: PageServer, lie: Callable[[Frame], None], said: str
) -> None:
    heard: list[Frame] = []
    ann = _at_a_lying_table(browser, page_server, lie, heard)
    alarm = ann.page.locator("dialog.alarm-dialog")
    expect(alarm).to_be_visible()
    expect(alarm.locator(".faults")).to_contain_text(said)
    # Neither Escape nor a click beside it is a decision.
    ann.page.keyboard.press("Escape")
    ann.page.mouse.click(5, 5)
    expect(alarm).to_be_visible()
    assert ann.page.locator(".seat.own svg.face").count() == 0
    with ann.page.expect_download() as saved:
        alarm.locator("[data-download=mine]").click()
    lines = Path(saved.value.path()).read_text(encoding="utf-8").splitlines()
    assert any(json.loads(line).get("alarms") for line in lines)
    said_since = len(heard)
    alarm.locator("[data-do=leave]").click()
    expect(ann.page.locator("[data-play=poker]")).to_be_visible()
    assert not any(frame["type"].startswith("HOLDEM_") for frame in heard)
    assert any(frame["type"] == "ROOM_LEAVE" for frame in heard[said_since:])
    ann.context.close()


def _seated_cards(visitor: Visitor) -> int:
    return visitor.page.locator(".seat.own svg.face").count()


def test_an_alarm_holds_after_a_reload_until_the_player_decides(browser: Browser, page_server: PageServer) -> None:
    """The lie was told once. Nothing is shown or bet until somebody decided; then all is checked from there on."""
    heard: list[Frame] = []
    lies = [_other_stack]

    def lie_once(frame: Frame) -> None:
        if lies and frame["you"]["view"]:
            lies.pop()(frame)

    ann = _at_a_lying_table(browser, page_server, lie_once, heard)
    alarm = ann.page.locator("dialog.alarm-dialog")
    expect(alarm).to_be_visible()
    ann.page.reload()
    expect(alarm).to_be_visible()
    expect(alarm.locator(".faults")).to_contain_text("otherwise than it was played")
    assert _seated_cards(ann) == 0
    assert not any(frame["type"].startswith("HOLDEM_") for frame in heard)
    alarm.locator("[data-do=go-on]").click()
    expect(alarm).to_have_count(0)
    expect(ann.page.locator(".seat.own svg.face")).to_have_count(2)
    ann.page.locator(".controls.active .action:visible").nth(1).click()
    ann.page.wait_for_timeout(1000)
    assert any(frame["type"].startswith("HOLDEM_") for frame in heard)
    expect(alarm).to_have_count(0)
    ann.context.close()


def test_two_tabs_over_plain_http_play_one_seat_without_an_alarm(page_server: PageServer, visit: Visit) -> None:
    """What one tab gives and does, the other knows, also after a reload and where the browser has no WebCrypto."""
    ann = visit(link=page_server.lan_link)
    assert not ann.page.evaluate("isSecureContext || Boolean(crypto.subtle)")
    ann.page.click("[data-play=poker]")
    expect(ann.page.locator(".seat.own svg.face")).to_have_count(2)
    other = ann.context.new_page()
    other.set_default_timeout(15_000)
    other.goto(ann.page.url)
    expect(other.locator(".seat.own svg.face")).to_have_count(2)
    tabs = [ann.page, other]
    for number in range(4):
        # One calls, the other folds what that made of it. Chance may leave only one thing to do.
        tab = tabs[number % 2]
        actions = tab.locator(".controls.active .action:visible")
        actions.first.wait_for(timeout=30_000)
        actions.nth(min(1 - number % 2, actions.count() - 1)).click(timeout=30_000)
        tab.wait_for_timeout(500)
        if number == 1:
            other.reload()
        for page in tabs:
            page.locator(".controls.active").wait_for(timeout=30_000)
            assert page.locator("dialog.alarm-dialog").count() == 0
            assert page.locator(".trust.failed").count() == 0


def test_the_code_of_a_deal_is_shown_once_it_is_cut(visit: Visit) -> None:
    ann = visit()
    ann.open_room()
    ann.page.click(".trust")
    expect(ann.page.locator("dialog .facts")).to_be_visible()
    assert ann.page.locator("dialog .cut-code").count() == 0
    ann.page.keyboard.press("Escape")
    bob = visit()
    bob.page.click("[data-play=poker]")
    expect(bob.page.locator(".seat.own svg.face")).to_have_count(2)
    bob.page.click(".trust")
    expect(bob.page.locator("dialog .cut-code .pictures li")).to_have_count(4)
    for picture in bob.page.locator("dialog .cut-code .pictures li").all():
        # Where this browser has no such letter the name alone says it.
        assert picture.locator("span").last.inner_text().strip()


def test_a_cut_that_came_too_late_is_one_quiet_line(browser: Browser, page_server: PageServer) -> None:
    """No alarm, no dialog: the hand goes on without this player, and later ones with them."""
    ann = arrive(browser, page_server.link)
    dropped: list[Frame] = []

    def connect(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def said(message: str | bytes) -> None:
            frame = json.loads(message)
            if frame["type"] == "DEAL_CUT" and not dropped:
                dropped.append(frame)
            else:
                server.send(message)

        server.on_message(socket.send)
        socket.on_message(said)

    ann.page.route_web_socket("**/ws", connect)
    ann.enter()
    ann.page.click("[data-play=poker]")
    expect(ann.page.locator(".log, .side")).to_contain_text("did not count", timeout=20_000)
    assert dropped
    assert ann.page.locator("dialog[open]").count() == 0
    expect(ann.page.locator(".seat.own svg.face")).to_have_count(2, timeout=20_000)
    assert ann.page.locator(".trust.failed").count() == 0
    ann.context.close()


def test_the_check_of_a_deal_is_rehearsed_when_the_page_is_idle_and_only_then(alone: Visitor) -> None:
    alone.page.wait_for_function("() => performance.getEntriesByName('rehearsed').length === 1")
    asked = alone.page.evaluate("""async () => {
      const { rehearse } = await import("/js/fairness/rehearsal.js");
      const waiting = [];
      let isDone = false;
      rehearse((work) => waiting.push(work)).then(() => { isDone = true; });
      const turn = (free) => {
        let left = free;
        waiting.shift()({ timeRemaining: () => (left-- > 0 ? 50 : 0) });
      };
      turn(0);
      const afterNone = waiting.length;
      let turns = 0;
      for (; waiting.length; turns += 1) turn(1);
      await null;
      return [afterNone, isDone, turns];
    }""")
    assert asked[:2] == [1, True]
    assert asked[2] > 30, "in steps"

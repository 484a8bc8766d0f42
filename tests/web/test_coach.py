"""The coach on the page: in a replay, and live at a table against bots."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.web.page_server import ASKS_THE_LAB, DESKTOP, PHONE, Visitor
from tests.web.screens import open_last_hand, play

Visit = Callable[..., Visitor]
pytestmark = ASKS_THE_LAB
SOLVED_MS = 120_000
NARROW = "QQ,AK", "JJ,AQ"
BARE_HEAD = """() => {
  const dialog = document.querySelector('dialog');
  const head = dialog.querySelector('header').getBoundingClientRect();
  for (dialog.scrollTop = 0; ; dialog.scrollTop += 20) {
    const before = dialog.scrollTop;
    for (let x = head.left + 5; x < head.right; x += 20)
      if (!document.elementFromPoint(x, head.top + head.height / 2).closest('header')) return false;
    if (before + dialog.clientHeight >= dialog.scrollHeight - 20) return true;
  }
}"""


def _heads_up(visit: Visit, **options: object) -> Visitor:
    """A heads-up table with little behind, so that flops are small."""
    ann = visit(**options)
    ann.open_room(seats=2, stack_chips=30, pauseSeconds=20, turnSeconds=120)
    ann.page.click("[data-do=bot]")
    ann.page.click("dialog [data-bot=caller]")
    ann.page.click("[data-do=start]")
    return ann


def _replay(visit: Visit, **options: object) -> Visitor:
    ann = _heads_up(visit, **options)
    play(ann, "KeyC", lambda: bool(ann.page.locator(".message.result").count()))
    open_last_hand(ann)
    ann.page.wait_for_selector("dialog .coach:visible")
    return ann


def _solve_narrowly(ann: Visitor) -> None:
    """Ask with narrow ranges, which are solved soon."""
    coach = ann.page.locator("dialog .coach")
    coach.locator("summary").click()
    for name, text in zip(("oop", "ip"), NARROW, strict=True):
        coach.locator(f"[name=coach-{name}]").fill(text)
    coach.locator("[data-do=coach]").click()
    expect(coach.locator(".coach-totals li").first).to_be_visible(timeout=SOLVED_MS)
    expect(coach).to_have_attribute("data-running", "false", timeout=SOLVED_MS)


def test_a_replay_is_coached_with_ranges_by_position_that_can_be_changed(visit: Visit) -> None:
    ann = _replay(visit)
    _solve_narrowly(ann)
    coach = ann.page.locator("dialog .coach")
    decisions = coach.locator(".coach-decisions > li")
    assert decisions.count() >= 2
    assert decisions.first.locator("tbody tr.chosen").count() == 1
    assert "undefined" not in coach.inner_text()
    assert "web." not in coach.inner_text()
    assert "-0.0" not in coach.inner_text().split(), "what is rounded to 0 has no sign"
    ann.page.set_viewport_size({"width": 844, "height": 390})
    box = coach.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= 844
    assert coach.evaluate("(e) => e.scrollWidth <= e.clientWidth + 1"), "also on a phone held sideways"
    ann.page.set_viewport_size(PHONE)
    assert ann.page.evaluate(BARE_HEAD), "nothing of the table lies over the head of the dialog"
    ann.page.set_viewport_size(DESKTOP)
    # A decision leads to its step of the replay, by the keyboard too.
    decisions.first.locator(".coach-step").focus()
    ann.page.keyboard.press("Enter")
    name, _, did = decisions.first.locator(".coach-step").inner_text().partition(": ")
    assert name == "Flop"
    assert did.split()[0] in ann.text("dialog .said")
    assert coach.locator("li[data-lost]:not([data-lost=''])").count() >= 1
    # A range that cannot be read is named.
    coach.locator("[name=coach-oop]").fill("QQ,ZZ")
    coach.locator("[data-do=coach]").click()
    expect(coach.locator(".fault")).to_contain_text("ZZ", timeout=SOLVED_MS)
    ann.complaints.clear()


@pytest.mark.soak
def test_on_a_phone_in_korean_nothing_is_wider_than_the_screen(visit: Visit) -> None:
    ann = _replay(visit, viewport=PHONE, settings={"language": "ko"})
    _solve_narrowly(ann)
    coach = ann.page.locator("dialog .coach")
    assert "코치" in coach.inner_text()
    assert "web." not in coach.inner_text()
    box = ann.page.evaluate(
        "() => { const c = document.querySelector('dialog .coach'); return [c.scrollWidth, c.clientWidth]; }"
    )
    assert box[0] <= box[1] + 1


def test_live_the_coach_is_there_by_option_and_only_against_bots(visit: Visit) -> None:
    ann = _heads_up(visit)

    def on_the_flop() -> bool:
        return ann.page.locator(".board .card:not(.back)").count() >= 3 and ann.is_in_turn()

    play(ann, "KeyC", on_the_flop)
    coach = ann.page.locator(".poker > .coach")
    assert coach.count() == 0, "nobody is coached who did not choose it"
    ann.page.evaluate("async () => (await import('/js/settings.js')).changeSettings({ coach: true })")
    expect(coach).to_be_visible()
    coach.locator("[data-do=coach]").click()
    expect(coach.locator(".coach-decisions > li").last).to_be_visible(timeout=SOLVED_MS)
    assert coach.locator(".coach-decisions tr.chosen").count() <= coach.locator(".coach-decisions > li").count()

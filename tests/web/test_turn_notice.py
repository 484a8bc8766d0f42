"""A player who looks elsewhere is told of their turn: by title, icon, vibration, and by notification where allowed."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.web.page_server import Visitor

Visit = Callable[..., Visitor]

LOOKS_ELSEWHERE = """() => {
  window.told = [];
  Object.defineProperty(document, 'hidden', { get: () => true });
  navigator.vibrate = (pattern) => window.told.push('vibration');
  window.Notification = class {
    static permission = 'granted';
    static requestPermission = async () => 'granted';
    constructor(title, { body }) { window.told.push(`${title}: ${body}`); }
    close() { window.told.push('taken back'); }
  };
}"""


def test_title_icon_vibration_and_notification_tell_of_the_turn(visit: Visit) -> None:
    ann = visit()
    ann.page.evaluate(LOOKS_ELSEWHERE)
    ann.page.get_by_role("button", name="Settings").click()
    ann.page.get_by_role("switch", name="Notify me on my turn").check()
    ann.page.keyboard.press("Escape")
    code = ann.open_room(seats=2, turnSeconds=60)
    assert ann.page.title() == f"{code} · Croupier card room"
    ann.page.click("[data-do=bot]")
    ann.page.click("dialog [data-bot=caller]")
    ann.page.click("[data-do=start]")
    ann.page.wait_for_selector(".controls.active")
    assert ann.page.title() == f"● Your turn · {code} · Croupier card room"
    assert ann.page.get_attribute("link[rel=icon]", "href") == "/icon-turn.svg"
    ann.page.wait_for_function("() => window.told.length === 2")
    assert ann.page.evaluate("() => window.told") == ["vibration", f"Your turn: Poker · {code}"]
    ann.page.keyboard.press("KeyF")
    ann.page.wait_for_function("() => window.told.length === 3")
    assert ann.page.evaluate("() => window.told[2]") == "taken back"
    ann.page.click(".brand")
    expect(ann.page.locator("[data-play=poker]")).to_be_visible()
    assert ann.page.get_attribute("link[rel=icon]", "href") == "/icon.svg"


def test_a_browser_that_forbids_notifications_says_so(visit: Visit) -> None:
    ann = visit()
    ann.page.evaluate("() => { window.Notification = class { static requestPermission = async () => 'denied'; }; }")
    ann.page.get_by_role("button", name="Settings").click()
    ann.page.locator("[name=notification]").click()
    expect(ann.page.locator(".toast")).to_have_text("The browser does not allow notifications for this page.")
    expect(ann.page.locator("[name=notification]")).not_to_be_checked()


def test_while_the_line_is_lost_nobody_is_told_that_it_is_their_turn(visit: Visit) -> None:
    ann = visit(on_a_line=True)
    ann.page.evaluate(LOOKS_ELSEWHERE)
    code = ann.open_room(seats=2, turnSeconds=120)
    ann.page.click("[data-do=bot]")
    ann.page.click("dialog [data-bot=caller]")
    ann.page.click("[data-do=start]")
    ann.page.wait_for_selector(".controls.active")
    ann.page.wait_for_function("() => window.told.length === 1")
    ann.cut_line()
    expect(ann.page.locator(".notice.lost")).to_be_visible()
    assert ann.page.title() == f"{code} · Croupier card room"
    assert ann.page.get_attribute("link[rel=icon]", "href") == "/icon.svg"
    ann.mend_line()
    ann.page.wait_for_selector(".controls.active")
    assert ann.page.title() == f"● Your turn · {code} · Croupier card room"
    assert ann.page.get_attribute("link[rel=icon]", "href") == "/icon-turn.svg"
    ann.page.keyboard.press("KeyF")
    ann.page.wait_for_selector(".seat.own.out")
    assert ann.page.evaluate("() => window.told") == ["vibration"], "the same turn is told once"

"""The classroom in the browser: a dealer with the key, players by name, and the beamer for everybody."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.web.audit import audit
from tests.web.page_server import Visitor

Visit = Callable[..., Visitor]
DEALER_KEY = "the key"
DECISIONS_MAX = 12


def _join(visitor: Visitor, name: str, key: str = "") -> None:
    visitor.page.fill("[name=className]", name)
    if key:
        visitor.page.click(".class-join summary")
        visitor.page.fill("[name=dealerKey]", key)
    visitor.page.click(".class-join .primary")
    visitor.page.wait_for_selector(".desk.own")


def test_a_class_plays_a_round_that_the_beamer_shows(visit: Visit) -> None:
    lee, ann, beamer = visit("/#/classroom"), visit("/#/classroom"), visit("/#/beamer")
    _join(lee, "Mr Lee", DEALER_KEY)
    _join(ann, "Ann")
    beamer.page.wait_for_selector(".beamer .desk >> nth=1")
    assert beamer.page.locator("[data-action]").count() == 0
    lee.page.click("[data-action=start]")
    for _ in range(DECISIONS_MAX):
        ann.page.wait_for_selector("[data-action=stand]:not([hidden]), .desk.own[data-outcome]")
        if ann.page.locator(".desk.own[data-outcome]").count():
            break
        ann.page.keyboard.press("KeyS")
        ann.page.wait_for_timeout(50)
    for each in (lee, ann, beamer):
        each.page.wait_for_selector(".desk[data-outcome]")
    shown = [each.text(".desks:not(.dealer-desk) .desk-foot") for each in (lee, ann, beamer)]
    assert len(set(shown)) == 1
    lee.page.get_by_role("button", name="Leave").click()
    beamer.page.wait_for_selector(".class-empty:not([hidden])")


def test_the_beamer_shows_the_way_in_as_a_qr_code(visit: Visit) -> None:
    beamer = visit("/#/beamer")
    qr = beamer.page.locator(".class-address .qr")
    expect(qr).to_be_visible()
    assert qr.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
    assert "/#/classroom" in beamer.text(".class-address")
    audit(beamer.page)


def test_a_moment_without_a_line_and_a_reload_keep_seat_and_hand_and_the_class(visit: Visit) -> None:
    lee, ann = visit("/#/classroom"), visit("/#/classroom", on_a_line=True)
    _join(lee, "Mr Lee", DEALER_KEY)
    _join(ann, "Ann")
    ann.cut_line()
    expect(ann.page.locator(".notice.lost")).to_be_visible()
    expect(ann.page.locator(".classroom.stale")).to_be_visible()
    expect(lee.page.locator(".desk")).to_have_count(2)
    ann.mend_line()
    expect(ann.page.locator(".classroom.stale")).to_have_count(0)
    expect(ann.page.locator(".desk.own")).to_have_count(1)
    lee.page.click("[data-action=start]")
    ann.page.wait_for_selector(".desk.own .card")
    cards = ann.page.locator(".desk.own .card").count()
    for each in (lee, ann):
        each.page.reload()
        each.page.wait_for_selector(".desk.own .card")
    assert ann.page.locator(".desk.own .card").count() == cards
    expect(lee.page.locator(".desk")).to_have_count(2)
    lee.page.get_by_role("button", name="Leave").click()
    expect(ann.page.locator(".desk")).to_have_count(0)


def test_a_wrong_key_is_said(visit: Visit) -> None:
    ann = visit("/#/classroom")
    _join(ann, "Ann", "a wrong key")
    expect(ann.page.locator(".toast").last).to_contain_text("That is not the key")
    ann.page.get_by_role("button", name="Leave").click()


def test_who_is_not_the_dealer_is_not_offered_to_deal(visit: Visit) -> None:
    ann = visit("/#/classroom")
    _join(ann, "Ann", "a wrong key")
    assert ann.page.locator("[data-action=start]").is_hidden()
    assert ann.page.get_attribute("[name=className]", "maxlength") == "20", "as the table was set up"
    assert "no dealer" in ann.text(".class-prompt")


def test_the_classroom_has_names_and_contrast(visit: Visit) -> None:
    ann = visit("/#/classroom", reduced_motion="reduce")
    _join(ann, "Ann")
    audit(ann.page)


def test_on_the_wall_the_whole_class_is_in_sight(visit: Visit) -> None:
    """Nobody scrolls a projector: what does not fit is drawn smaller."""
    lee, ann, beamer = visit("/#/classroom"), visit("/#/classroom"), visit("/#/beamer")
    _join(lee, "Mr Lee", DEALER_KEY)
    _join(ann, "Bartholomew")
    beamer.page.wait_for_selector(".beamer .desk >> nth=1")
    overflows = "() => document.querySelector('.classroom').offsetHeight > innerHeight"
    for width, height in ((1366, 768), (1000, 520)):
        beamer.page.set_viewport_size({"width": width, "height": height})
        beamer.page.wait_for_function(f"() => !({overflows})()")
    beamer.page.locator(".class-board").evaluate("board => board.style.setProperty('--fit', 1)")
    assert beamer.page.evaluate(overflows), "it is made to fit"
    lee.page.get_by_role("button", name="Leave").click()

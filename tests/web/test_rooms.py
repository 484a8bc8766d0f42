"""Around the table: watching, pausing, sending away, options, coming back by the list of last rooms."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.web.house import Visitor

Visit = Callable[..., Visitor]


def _with_bot(visit: Visit, **options: int) -> tuple[Visitor, str]:
    ann = visit()
    ann.page.fill("#nickname", "Ann")
    code = ann.open_room(**options)
    ann.page.get_by_role("button", name="Add a bot", exact=True).first.click()
    ann.page.click("dialog [data-bot=caller]")
    expect(ann.page.locator(".waiting .people").first).to_contain_text("Caller 1")
    return ann, code


def _watching(visit: Visit, code: str, name: str) -> Visitor:
    visitor = visit(f"/#/room/{code}")
    visitor.page.fill("[name=nickname]", name)
    visitor.page.get_by_role("button", name="Just watch").click()
    visitor.page.wait_for_selector(".side")
    return visitor


def test_who_watches_sees_backs_only_and_may_do_nothing(visit: Visit) -> None:
    ann, code = _with_bot(visit, seats=2)
    eve = _watching(visit, code, "Eve")
    ann.page.get_by_role("button", name="Start the game").click()
    ann.page.wait_for_selector(".controls.active")
    eve.page.wait_for_selector(".seat .card.back")
    assert eve.page.locator(".seat .card:not(.back):visible").count() == 0
    assert eve.page.locator(".action:visible, .toggle:visible").count() == 0


def test_the_host_pauses_goes_on_and_sends_somebody_away(visit: Visit) -> None:
    ann, code = _with_bot(visit, seats=3)
    eve = _watching(visit, code, "Eve")
    ann.page.get_by_role("button", name="Start the game").click()
    ann.page.wait_for_selector(".controls.active")
    ann.page.get_by_role("button", name="Pause the game").click()
    for visitor in (ann, eve):
        expect(visitor.page.locator(".notice.paused")).to_be_visible()
    assert not ann.is_in_turn(), "nothing is offered while the game is paused"
    ann.page.get_by_role("button", name="Go on").click()
    ann.page.wait_for_selector(".controls.active")
    ann.page.get_by_role("tab", name="People").click()
    ann.page.get_by_role("button", name="Remove: Eve").click()
    ann.page.locator("dialog").get_by_role("button", name="Remove").click()
    expect(eve.page.locator("[data-play=holdem]")).to_be_visible()


def test_the_host_changes_the_rules_before_the_game(visit: Visit) -> None:
    ann, _ = _with_bot(visit, seats=4)
    ann.page.get_by_role("button", name="Change the rules").click()
    ann.page.select_option("dialog [name=preset]", "cash")
    assert ann.page.locator("dialog [name=hands_per_level]:visible").count() == 0
    ann.page.fill("dialog [name=seats]", "5")
    ann.page.click("dialog form .primary")
    expect(ann.page.locator(".waiting")).to_contain_text("Cash game · 2 of 5 seats taken")
    ann.page.get_by_role("button", name="Start the game").click()
    ann.page.wait_for_selector(".controls.active")
    ann.page.get_by_role("button", name="Sit out the next hand").click()
    assert ann.page.locator(".toast").count() == 0, "nothing was refused"


def test_a_listed_room_is_found_and_a_last_room_is_found_again(visit: Visit) -> None:
    ann = visit()
    ann.page.click("[data-create=holdem]")
    ann.page.check("dialog [name=listed]")
    ann.page.click("dialog form .primary")
    code = ann.text(".big-code")
    bob = visit()
    expect(bob.page.get_by_role("link", name=code)).to_be_visible()
    ann.page.click(".brand")
    ann.page.locator(".room-list").last.get_by_role("link", name=code).click()
    expect(ann.page.locator(".big-code")).to_have_text(code)

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


def test_the_host_lets_people_in_and_refuses_others_for_good(visit: Visit) -> None:
    ann, code = _with_bot(visit, seats=4)
    ann.page.get_by_role("tab", name="People").click()
    ann.page.select_option("[name=entry]", "approval")
    expect(ann.page.locator("[name=entry]")).to_have_value("approval")
    bob, eve = visit(f"/#/room/{code}"), visit(f"/#/room/{code}")
    for visitor, name in ((bob, "<b>Bob</b>"), (eve, "Eve")):
        visitor.page.fill("[name=nickname]", name)
        visitor.page.get_by_role("button", name="Take a seat").click()
        expect(visitor.page.get_by_text("The host must let you in")).to_be_visible()
    expect(ann.page.locator(".wants-in li")).to_have_count(2)
    expect(ann.page.locator(".wants-in")).to_contain_text("<b>Bob</b> wants to come in.")
    bob.page.reload()
    expect(bob.page.get_by_text("The host must let you in")).to_be_visible()
    ann.page.get_by_role("button", name="Let in: <b>Bob</b>").click()
    bob.page.wait_for_selector(".side")
    ann.page.get_by_role("button", name="Refuse: Eve").click()
    ann.page.uncheck("dialog [name=address]")
    ann.page.locator("dialog").get_by_role("button", name="Remove").click()
    expect(eve.page.locator(".toast", has_text="The host has removed you from this room.")).to_be_visible()
    expect(ann.page.locator(".wants-in")).to_be_hidden()


def test_signing_out_elsewhere_ends_other_browsers_and_keeps_this_one(visit: Visit) -> None:
    ann, _ = _with_bot(visit, seats=3)
    token = ann.page.evaluate("localStorage.getItem('croupier.token')")
    thief = visit()
    thief.page.evaluate("token => localStorage.setItem('croupier.token', token)", token)
    thief.page.reload()
    expect(thief.page.locator("#nickname")).to_have_count(0)
    ann.page.get_by_role("button", name="Settings").click()
    ann.page.get_by_role("button", name="Sign out everywhere else").click()
    expect(ann.page.locator(".toast", has_text="You are signed out everywhere but here.")).to_be_visible()
    expect(thief.page.locator("#nickname")).to_be_visible()
    assert ann.page.evaluate("localStorage.getItem('croupier.token')") != token
    ann.page.reload()
    expect(ann.page.locator(".waiting .people").first).to_contain_text("Ann")


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

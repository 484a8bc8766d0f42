"""A shared blackjack table in the browser: several people and a bot from one shoe, every card proved."""

from collections.abc import Callable

from tests.web.house import PHONE, Visitor

Visit = Callable[..., Visitor]
DECISIONS_MAX = 40


def _bet(visitor: Visitor) -> None:
    visitor.page.wait_for_selector(".bet-maker:not([hidden])")
    visitor.page.click(".place-bet")
    visitor.page.wait_for_selector(".bet-maker", state="hidden")


def _stand_until_the_result(*visitors: Visitor) -> None:
    """Whoever is in turn stands, until everybody has a result."""
    for _ in range(DECISIONS_MAX):
        waiting = [each for each in visitors if not each.page.locator(".bj-seat.own .gain-mark:not(:empty)").count()]
        if not waiting:
            return
        for each in waiting:
            stand = each.page.locator("[data-action=BLACKJACK_STAND]")
            if stand.is_visible():
                stand.click()
        visitors[0].page.wait_for_timeout(400)
    raise AssertionError("the round did not end")


def test_two_people_and_a_bot_play_a_round_and_its_record_checks(visit: Visit) -> None:
    ann, bob = visit(), visit(viewport=PHONE)
    ann.page.click("[data-create=blackjack]")
    ann.page.fill("dialog [name=seats]", "3")
    ann.page.click("dialog summary")
    ann.page.fill("dialog [name=pauseSeconds]", "30")
    ann.page.click("dialog form .primary")
    code = ann.page.locator(".big-code").inner_text()
    bob.enter(f"/#/room/{code}")
    bob.page.fill("[name=nickname]", "Bob")
    bob.page.get_by_role("button", name="Take a seat").click()
    bob.page.get_by_role("button", name="I am ready").click()
    ann.page.get_by_role("button", name="Add a bot", exact=True).first.click()
    ann.page.click("dialog [data-bot=basic]")
    ann.page.get_by_role("button", name="Start the game").click()
    _bet(ann)
    _bet(bob)
    _stand_until_the_result(ann, bob)
    assert bob.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    for each in (ann, bob):
        assert each.page.locator(".alarm:not([hidden])").count() == 0
        assert int(each.text(".trust")) > 0
    assert ann.page.locator(".bj-seat.own .bj-why").inner_text()
    bob.enter(f"/#/verify/{code}")
    bob.page.wait_for_selector(".verdict.good")
    assert "2 of 3 seats cut" in bob.text(".verdict")


def test_only_what_the_menu_offers_is_on_show(visit: Visit) -> None:
    ann = visit()
    ann.page.click("[data-play=blackjack]")
    ann.page.wait_for_selector(".bet-maker:not([hidden])")
    shown = ann.page.locator("[data-action]:not([hidden])").evaluate_all("all => all.map((one) => one.dataset.action)")
    assert shown == ["BLACKJACK_SIT_OUT"]

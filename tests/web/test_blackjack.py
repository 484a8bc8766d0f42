"""A shared blackjack table in the browser: several people and a bot from one shoe, every card proved."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.web.page_server import PHONE, PageServer, Visitor, arrive

Visit = Callable[..., Visitor]
DECISIONS_MAX = 40


def _bet(visitor: Visitor) -> None:
    visitor.page.wait_for_selector(".bet-maker:not([hidden])")
    visitor.page.click(".place-bet")
    visitor.page.wait_for_selector(".bet-maker", state="hidden")


def _wait(visitor: Visitor, until: Callable[[], bool]) -> None:
    """Lets the page go on until something has happened."""
    for _ in range(600):
        if until():
            return
        visitor.page.wait_for_timeout(50)
    pytest.fail("it never happened")


def _stand_until_the_result(*visitors: Visitor) -> None:
    """Whoever is in turn stands, until everybody has a result."""
    for _ in range(DECISIONS_MAX):
        waiting = [each for each in visitors if not each.page.locator(".bj-seat.own .gain-mark:not(:empty)").count()]
        if not waiting:
            return
        for each in waiting:
            stand = each.page.locator("[data-action=BLACKJACK_STAND]:not([aria-disabled])")
            if stand.is_visible():
                stand.click()
        visitors[0].page.wait_for_timeout(400)
    raise AssertionError("the round did not end")


def _open_table(ann: Visitor, bob: Visitor) -> str:
    """Ann's table, with Bob and a bot, before the first bet."""
    ann.page.click("[data-create=blackjack]")
    ann.page.fill("dialog [name=seats]", "3")
    ann.page.locator("dialog summary").last.click()
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
    return code


def test_two_people_and_a_bot_play_a_round_and_its_record_checks(visit: Visit) -> None:
    ann, bob = visit(), visit(viewport=PHONE)
    code = _open_table(ann, bob)
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


def test_a_bet_that_meets_another_on_the_way_is_made_all_the_same(
    visit: Visit, page_server: PageServer, browser: Browser
) -> None:
    """Ann hears of Bob's bet only after she has made hers: the server refuses it once, as made on an old picture."""
    ann, bob = arrive(browser, page_server.link), visit()
    held: list[str | bytes] = []
    holds: list[bool] = []
    refused: list[str] = []

    def between(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def told(message: str | bytes) -> None:
            frame = json.loads(message)
            if frame["type"] == "ERROR" and frame["code"] == "STALE_VERSION":
                refused.append(frame["code"])
                socket.send(message)
                holds.clear()
                while held:
                    socket.send(held.pop(0))
            elif holds and frame["type"] == "ROOM_STATE":
                held.append(message)
            else:
                socket.send(message)

        server.on_message(told)

    ann.page.route_web_socket("**/ws", between)
    ann.enter()
    _open_table(ann, bob)
    ann.page.wait_for_selector(".bet-maker:not([hidden])")
    expect(ann.page.locator(".seat-bet:visible")).to_have_count(1)
    holds.append(True)
    _bet(bob)
    _wait(ann, lambda: any("BET_PLACED" in str(message) for message in held))
    ann.page.click(".place-bet")
    _wait(ann, lambda: bool(refused))
    ann.page.wait_for_selector(".bet-maker", state="hidden")
    expect(bob.page.locator(".lines")).to_contain_text(re.compile(r"Guest \d+ bets 10\."))
    assert refused == ["STALE_VERSION"]
    assert ann.page.locator(".toast").count() == 0, "nobody is bothered with it"
    ann.context.close()


def test_only_what_the_menu_offers_is_on_show(visit: Visit) -> None:
    ann = visit()
    ann.page.click("[data-play=blackjack]")
    ann.page.wait_for_selector(".bet-maker:not([hidden])")
    shown = ann.page.locator("[data-action]:not([hidden])").evaluate_all("all => all.map((one) => one.dataset.action)")
    assert shown == ["BLACKJACK_SIT_OUT"]


def test_every_preset_and_option_of_blackjack_can_be_chosen(visit: Visit) -> None:
    ann = visit()
    ann.page.click("[data-create=blackjack]")
    ann.page.select_option("dialog [name=preset]", "table")
    assert ann.page.input_value("dialog [name=blackjack_pays]") == "3:2"
    assert ann.page.is_checked("dialog [name=insurance]")
    ann.page.select_option("dialog [name=blackjack_pays]", "6:5")
    ann.page.select_option("dialog [name=surrender]", "late")
    ann.page.check("dialog [name=dealer_hits_soft_17]")
    ann.page.click("dialog form .primary")
    ann.page.click("[data-do=fill]")
    ann.page.click("[data-do=start]")
    expect(ann.page.locator(".felt-print")).to_contain_text("Blackjack pays 6 : 5")
    expect(ann.page.locator(".felt-print")).to_contain_text("Dealer hits soft 17")

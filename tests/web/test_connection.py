"""What the page does when the network or the server fails, or the server cheats."""

import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.server.process import Server, free_port
from tests.web.page_server import PageServer, Visitor, arrive
from tests.web.test_layouts import hidden

Visit = Callable[..., Visitor]


def test_a_killed_server_is_noticed_and_the_hand_goes_on_after_its_start(browser: Browser, tmp_path: Path) -> None:
    server = Server(tmp_path / "rooms.db")
    server.start()
    ann = arrive(browser, f"http://127.0.0.1:{server.port}")
    ann.enter()
    ann.page.click("[data-play=poker]")
    ann.page.wait_for_selector(".controls.active")
    cards = "[...document.querySelectorAll('.seat.own .card')].map(card => card.dataset.card).join()"
    before = ann.page.evaluate(cards)
    server.kill()
    expect(ann.page.locator(".notice.lost")).to_be_visible()
    assert not ann.is_in_turn(), "what may be old is not shown as if it could be played"
    assert ann.page.locator(".room.stale").count() == 1
    server.start()
    expect(ann.page.locator(".notice.lost")).to_be_hidden(timeout=15_000)
    ann.page.wait_for_selector(".controls.active")
    expect(ann.page.locator(".room.stale")).to_have_count(0)
    assert ann.page.evaluate(cards) == before
    ann.page.keyboard.press("KeyF")
    ann.page.wait_for_selector(".seat.own.out")
    ann.context.close()
    server.kill()


def test_a_network_that_goes_silently_is_noticed_and_the_hand_goes_on_when_it_is_back(visit: Visit) -> None:
    """Nothing closes the connection here: the device merely says that it is offline, as phones do."""
    ann = visit()
    ann.page.click("[data-play=poker]")
    ann.page.wait_for_selector(".controls.active")
    cards = "[...document.querySelectorAll('.seat.own .card')].map(card => card.dataset.card).join()"
    before = ann.page.evaluate(cards)
    ann.context.set_offline(True)
    expect(ann.page.locator(".notice.lost")).to_be_visible()
    assert not ann.is_in_turn()
    assert ann.page.locator(".action:visible, .toggle:visible").count() == 0, "nothing old is offered"
    assert hidden(ann.page, (".writer button",)) == [], "what lies at the bottom stays in sight"
    ann.context.set_offline(False)
    expect(ann.page.locator(".notice.lost")).to_be_hidden(timeout=15_000)
    expect(ann.page.locator(".toast")).to_contain_text("Connected again")
    ann.page.wait_for_selector(".controls.active")
    assert ann.page.evaluate(cards) == before
    ann.page.keyboard.press("KeyF")
    ann.page.wait_for_selector(".seat.own.out")
    # The browser itself complains of what it could not reach.
    assert all("ERR_INTERNET_DISCONNECTED" in complaint for complaint in ann.complaints)
    ann.complaints.clear()


def test_a_page_whose_node_is_gone_goes_on_at_another(browser: Browser, tmp_path: Path) -> None:
    ports = [free_port(), free_port()]
    nodes = tuple(f"http://127.0.0.1:{port}" for port in ports)
    page_servers = [PageServer(tmp_path / "rooms.db", port=port, nodes=nodes) for port in ports]
    for page_server in page_servers:
        page_server.start()
    ann = arrive(browser, page_servers[0].link)
    ann.enter()
    ann.page.click("[data-play=poker]")
    ann.page.wait_for_selector(".controls.active")
    cards = "[...document.querySelectorAll('.seat.own .card')].map(card => card.dataset.card).join()"
    before = ann.page.evaluate(cards)
    page_servers[0].stop()
    expect(ann.page.locator(".notice.lost")).to_be_hidden(timeout=10_000)
    ann.page.wait_for_selector(".controls.active")
    assert ann.page.evaluate(cards) == before
    ann.page.keyboard.press("KeyF")
    ann.page.wait_for_selector(".seat.own.out")
    ann.context.close()
    page_servers[1].stop()


def test_an_unknown_room_is_told_in_words(visit: Visit) -> None:
    ann = visit()
    ann.page.fill("[name=code]", "zzzzzz")
    ann.page.click(".join .primary")
    expect(ann.page.locator(".door")).to_contain_text("no room ZZZZZZ")
    ann.page.click(".door a")
    expect(ann.page.locator("[data-play=poker]")).to_be_visible()


def test_no_token_is_ever_in_an_address(visit: Visit) -> None:
    ann = visit()
    addresses: list[str] = []
    ann.page.on("request", lambda request: addresses.append(request.url))
    ann.page.on("websocket", lambda socket: addresses.append(socket.url))
    ann.page.click("[data-play=poker]")
    ann.page.wait_for_selector(".controls.active")
    token = json.loads(ann.page.evaluate("localStorage.getItem('croupier.token')"))
    assert len(token) > 30
    addresses.append(ann.page.url)
    assert not any(token in address for address in addresses)

"""Hands to be watched again by a link, and as a picture."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.web.page_server import Visitor
from tests.web.screens import poker_replay

Visit = Callable[..., Visitor]


def test_one_hand_is_replayed_by_link_as_everybody_could_see_it(visit: Visit) -> None:
    ann = poker_replay(visit)
    assert "undefined" not in ann.page.locator("dialog .replay").inner_text()
    said = ann.text("dialog .said")
    ann.page.click("dialog [data-do=link]")
    code = ann.page.url.rpartition("/")[2]
    eve = visit(f"/#/replay/{code}/1")
    expect(eve.page.locator(".replay-page .said")).to_have_text(said)
    expect(eve.page.locator(".hand-list li")).to_have_count(1)
    card = eve.page.locator(".replay-page .board .card").first.bounding_box()
    assert card is not None
    assert 30 < card["width"] < 120, "the table's style sheet came along"
    shown = ann.page.locator(".lines .event", has_text=f"{ann.text('dialog .seat.own .name')} shows").count()
    name = ann.text("dialog .seat.own .name")
    cards = eve.page.locator(".replay-page .seat", has_text=name).locator(".card:not(.back)")
    assert cards.count() == 2 * shown, "a stranger sees only cards that were shown to everybody"


def test_a_hand_is_given_away_as_a_picture(visit: Visit) -> None:
    ann = poker_replay(visit)
    ann.page.evaluate("() => { navigator.canShare = undefined; }")
    with ann.page.expect_download() as download:
        ann.page.click("dialog [data-do=picture]")
    content = download.value.path().read_bytes()
    assert content.startswith(b"\x89PNG")
    assert int.from_bytes(content[16:20]) == 1200


def test_a_link_to_no_room_says_so(visit: Visit) -> None:
    eve = visit("/#/replay/AAAAAA")
    expect(eve.page.locator(".fault")).to_be_visible()
    eve.complaints.clear()

"""A game without a page of its own, played in Chromium: an outsider's package with rules and English texts only."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.audit import audit
from tests.web.outsider import GAME, served
from tests.web.page_server import DESKTOP, PHONE, Visitor, arrive

Visit = Callable[..., Visitor]
SIDEWAYS = {"width": 740, "height": 360}
MOVES_MAX = 600
"""Against bots that play anything, one round in fifty takes more than 120 moves."""


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("outside")) as link:
        yield link


@pytest.fixture
def guest(outside: str, browser: Browser) -> Iterator[Visit]:
    guests: list[Visitor] = []

    def let_in(path: str = "/", **options: Any) -> Visitor:
        guests.append(arrive(browser, outside, **options))
        guests[-1].enter(path)
        return guests[-1]

    yield let_in
    complaints = [complaint for each in guests for complaint in each.complaints]
    for each in guests:
        each.context.close()
    assert complaints == []


def play_to_the_end(ann: Visitor) -> int:
    """Does the first thing that is offered, by the keyboard, until the match is over; how often."""
    page = ann.page
    for moves in range(MOVES_MAX):
        page.wait_for_selector(".controls.active .any-action, .ended:not([hidden])")
        if page.locator(".ended:not([hidden])").count():
            return moves
        before = page.locator(".any-table").inner_html()
        page.keyboard.press("Digit1")
        page.wait_for_function("(before) => document.querySelector('.any-table').innerHTML !== before", arg=before)
    raise AssertionError("the round does not end")


@pytest.mark.parametrize(
    "size",
    [
        pytest.param(PHONE, id="phone"),
        pytest.param(DESKTOP, id="desktop", marks=pytest.mark.soak),
        pytest.param(SIDEWAYS, id="sideways", marks=pytest.mark.soak),
    ],
)
def test_a_round_is_played_to_its_end_against_bots_and_its_record_verified(
    guest: Visit, tmp_path: Path, size: dict[str, int]
) -> None:
    ann = guest(viewport=size)
    page = ann.page
    page.click(f"[data-play={GAME}]")
    page.wait_for_selector(".controls.active")
    expect(page.locator(".any-seats .any-seat")).to_have_count(1)
    expect(page.locator(".any-hand .any-card")).to_have_count(5)
    expect(page.locator(".any-seats .card.back")).to_have_count(5)
    expect(page.locator("[data-field=top] .card")).to_have_count(1)
    assert "Suit to follow" in ann.text("[data-field=suit]")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert play_to_the_end(ann) > 0
    # At the end every hand is shown, and who won what.
    expect(page.locator(".any-seats .card.back")).to_have_count(0)
    assert "Points" in ann.text(".standings")
    assert page.locator(".trust.failed").count() == 0
    story = page.locator(".lines").text_content() or ""
    assert "Crazy" not in story
    assert re.search(r"plays \d+[♣♦♥♠]\.", story)
    with page.expect_download() as download:
        page.locator(".ended [data-download='records.jsonl']").click()
    records = tmp_path / "records.jsonl"
    download.value.save_as(records)
    ann.enter("/#/verify")
    page.set_input_files("[name=record]", records)
    page.wait_for_selector(".verified-rounds li")
    assert page.locator(".verdict .fault").all_inner_texts() == []
    assert "not everything could be checked" in ann.text(".verdict-line")
    assert "Crazy Eights" in ann.text("[data-code=GAME_NOT_REPLAYED]")
    forged = [json.loads(line) for line in records.read_text().splitlines()]
    cards = forged[0]["cards"]
    known = [place for place, card in enumerate(cards) if card is not None]
    cards[known[0]], cards[known[1]] = cards[known[1]], cards[known[0]]
    records.write_text("".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n" for line in forged))
    page.set_input_files("[name=record]", records)
    page.wait_for_selector("[data-code=CARD_MISMATCH]")


def test_chips_are_bet_with_the_slider_and_the_story_begins_with_the_ante(guest: Visit) -> None:
    ann = guest()
    page = ann.page
    page.click("[data-play=one_card]")
    page.wait_for_selector(".controls.active")
    expect(page.locator("[data-field=pot]")).to_contain_text("2")
    assert (page.locator(".lines").text_content() or "").startswith("Everybody antes 1.")
    # No card can be played in this game, so none is dimmed.
    assert page.locator(".any-hand .card").evaluate("(card) => getComputedStyle(card).filter") == "none"
    page.locator(".amount-field").fill("40")
    page.locator("[data-action=ONE_CARD_BET]").click()
    expect(page.locator(".lines")).to_contain_text("bets 40.")
    assert page.locator(".trust.failed").count() == 0


def sit_down_with_a_friend(guest: Visit) -> Visitor:
    """A round of two people with eight cards each, in which the one who is returned is in turn and the other waits."""
    ann = guest()
    ann.page.click(f"[data-create={GAME}]")
    ann.page.fill("dialog [name=hand_cards]", "8")
    ann.page.click("dialog form .primary")
    bob = guest(f"/#/room/{ann.text('.big-code')}")
    bob.page.fill("[name=nickname]", "Bob")
    bob.page.click(".door .primary")
    bob.page.click("[data-do=ready]")
    expect(ann.page.locator(".hint")).not_to_contain_text("Bob")
    ann.page.click("[data-do=start]")
    ann.page.wait_for_selector(".controls.active")
    expect(ann.page.locator(".any-hand .any-card")).to_have_count(8)
    return ann


def test_a_card_with_several_uses_is_chosen_first(guest: Visit) -> None:
    """An eight names a suit: the button, or the card itself, leads to the four of them, and Escape leads back."""
    for _ in range(20):
        ann = sit_down_with_a_friend(guest)
        page = ann.page
        eights = page.locator(".any-hand .any-card[data-held^='8'].playable")
        held = eights.count()
        if not held:
            continue
        suits = page.locator(".any-action[data-action=CRAZY_EIGHTS_PLAY_EIGHT]")
        if suits.count() >= 4:
            continue
        eights.first.click()
        expect(suits).to_have_count(4)
        expect(page.locator(".any-action")).to_have_count(4)
        page.keyboard.press("Escape")
        expect(suits).to_have_count(held)
        suits.first.click()
        expect(suits).to_have_count(4)
        # The card is an eight of some suit itself: the suit that is named stands last.
        page.locator(".any-action[aria-label$='name hearts']").click()
        expect(page.locator("[data-field=top] .card")).to_have_attribute("data-card", re.compile("^8"))
        expect(page.locator("[data-field=suit] .suit-h")).to_have_count(1)
        return
    raise AssertionError("nobody was ever dealt an eight")


def test_a_place_in_the_hand_is_shown_as_the_card_that_lies_there(guest: Visit) -> None:
    told = guest().page.evaluate(
        """async () => {
          const { actionWords, cardsOf, inHand } = await import("/js/games/generic/words.js");
          const action = { type: "TEST_PASS_CARD", handIndex: 1 };
          const hands = [["As", "Td"], ["As", null]];
          return hands.map((hand) => {
            const shown = inHand(action, hand);
            return [actionWords("test", shown, String).text, cardsOf(shown, ["Td"])];
          });
        }"""
    )
    assert told == [["Pass card 10 of diamonds", ["Td"]], ["Pass card 2", []]]


def test_the_player_is_told_what_is_not_checked(guest: Visit) -> None:
    ann = guest()
    ann.page.click(f"[data-play={GAME}]")
    ann.page.wait_for_selector(".controls.active")
    ann.page.click(".trust")
    assert "not which card belongs to whom" in ann.text("dialog")
    assert ann.page.locator(".trust.failed").count() == 0


def test_a_reload_finds_the_same_hand(guest: Visit) -> None:
    ann = guest()
    ann.page.click(f"[data-play={GAME}]")
    ann.page.wait_for_selector(".controls.active")
    held = ann.page.locator(".any-hand .card").evaluate_all("(cards) => cards.map((card) => card.dataset.card)")
    ann.page.reload()
    ann.page.wait_for_selector(".controls.active")
    again = ann.page.locator(".any-hand .card").evaluate_all("(cards) => cards.map((card) => card.dataset.card)")
    assert again == held
    assert ann.page.locator(".trust.failed").count() == 0


@pytest.mark.parametrize(
    ("language", "size"),
    [
        *(("en-US", DESKTOP), ("ko-KR", PHONE), ("zh-CN", DESKTOP), ("ru-RU", PHONE)),
        *(
            pytest.param(*pair, marks=pytest.mark.soak)
            for pair in (("en-US", PHONE), ("ko-KR", DESKTOP), ("zh-CN", PHONE), ("ru-RU", DESKTOP))
        ),
    ],
)
def test_the_generic_table_speaks_every_language(guest: Visit, language: str, size: dict[str, int]) -> None:
    ann = guest(locale=language, viewport=size)
    ann.page.click(f"[data-play={GAME}]")
    ann.page.wait_for_selector(".controls.active")
    text = ann.page.inner_text("body")
    assert "web." not in text
    assert "{" not in text
    assert ann.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_the_generic_table_has_names_and_contrast(guest: Visit) -> None:
    ann = guest(reduced_motion="reduce")
    ann.page.click(f"[data-play={GAME}]")
    ann.page.wait_for_selector(".controls.active")
    audit(ann.page)

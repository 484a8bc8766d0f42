"""Hold'em at the page's table: whole hands and matches, by mouse and by keyboard, against bots and each other."""

import json
import re
import time
import tomllib
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from croupier.table.room import DEAL_SHOWN_MS
from tests.web.page_server import ASKS_THE_LAB, PHONE, Visitor
from tests.web.screens import open_last_hand, two_at_a_table

Visit = Callable[..., Visitor]
TURNS_MAX = 400
SLACK_SECONDS = 1.0
"""What a busy machine takes to draw, beyond what is measured."""
LAB_MS_MAX = 180_000
"""The lab's first answer on a machine waits for its kernels to be compiled."""


def _play_until(visitors: list[Visitor], over: Callable[[], bool], key: str) -> None:
    """Everybody presses this key on their turn, until it is over."""
    for _ in range(TURNS_MAX):
        if over():
            return
        for visitor in visitors:
            if visitor.is_in_turn():
                visitor.page.keyboard.press(key)
        visitors[0].page.wait_for_timeout(40)
    raise AssertionError("the game does not end")


def _hands_over(visitor: Visitor) -> bool:
    return visitor.page.locator(".last-hands:visible").count() > 0


def test_a_hand_is_played_with_the_keyboard_alone(visit: Visit) -> None:
    ann = visit()
    for _ in range(30):
        if ann.page.evaluate("document.activeElement.dataset.play") == "poker":
            break
        ann.page.keyboard.press("Tab")
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_selector(".seat.own .card[data-card]:not(.back)")
    _play_until([ann], lambda: _hands_over(ann), "KeyC")
    said = ann.page.locator("[role=log] p").all_inner_texts()
    assert any("wins" in line or "share" in line for line in said)
    assert int(ann.text(".trust")) >= 2
    assert ann.page.locator(".alarm:visible").count() == 0


@pytest.mark.soak  # By a clock on the wall: nothing else may run beside it.
def test_a_choice_is_on_show_before_its_own_time_runs(visit: Visit) -> None:
    """At the slowest pace, with a table full of bots that act at once: nine moves stand before the first choice."""
    ann = visit(settings={"pace": "calm"})
    came: list[float] = []

    def note(frame: str | bytes) -> None:
        told = json.loads(frame)
        if told["type"] == "ROOM_STATE" and told["you"]["menu"]:
            came.append(time.monotonic())

    ann.page.on("websocket", lambda socket: socket.on("framereceived", note))
    ann.enter()
    ann.open_room(seats=10, turnSeconds=10, bankSeconds=0)
    for _ in range(9):
        ann.page.click("[data-do=bot]")
        ann.page.click("dialog [data-bot=caller]")
    ann.page.click("[data-do=start]")
    for _ in range(3):
        ann.page.wait_for_selector(".controls.active")
        assert time.monotonic() - came[-1] < DEAL_SHOWN_MS / 1000 + SLACK_SECONDS
        ann.page.keyboard.press("KeyC")
        ann.page.wait_for_selector(".controls:not(.active)")


def test_presets_set_the_amount_and_do_not_submit_it(visit: Visit) -> None:
    ann = visit()
    ann.page.click("[data-play=poker]")
    ann.page.wait_for_selector(".amount:visible")
    field = ann.page.locator(".amount-field")
    low, high = (int(field.get_attribute(bound) or 0) for bound in ("min", "max"))
    assert int(field.input_value()) == low
    amounts = []
    for preset in range(5):
        ann.page.locator(".presets button").nth(preset).click()
        amounts.append(int(field.input_value()))
        assert ann.page.locator(".amount-slider").input_value() == str(amounts[-1])
    assert amounts == sorted(amounts)
    assert (amounts[0], amounts[-1]) == (low, high)
    ann.page.keyboard.press("Digit1")
    assert int(field.input_value()) == low
    assert ann.is_in_turn(), "nothing was submitted"
    ann.page.click(".action.raise")
    expect(ann.page.locator(".lines")).to_contain_text(re.compile(rf"(raises to|bets) {low}\b"))


def test_two_people_play_a_whole_match_and_another_one(visit: Visit) -> None:
    ann, bob = two_at_a_table(visit, stack_chips=20, pauseSeconds=1)
    hands = [
        visitor.page.locator(".seat.own .card").evaluate_all("cards => cards.map(card => card.dataset.card)")
        for visitor in (ann, bob)
    ]
    assert len({*hands[0], *hands[1]}) == 4
    assert ann.page.locator(".seat:not(.own) .card.back").count() == 2

    def over() -> bool:
        for visitor in (ann, bob):
            if visitor.is_in_turn() and visitor.page.locator(".amount:visible").count():
                visitor.page.keyboard.press("Digit5")
                visitor.page.keyboard.press("KeyR")
                visitor.page.keyboard.press("Enter")
            elif visitor.is_in_turn():
                visitor.page.keyboard.press("KeyC")
        ended = [visitor for visitor in (ann, bob) if visitor.page.locator(".ended:visible").count()]
        assert all(visitor.page.locator(".message.result").count() for visitor in ended), "the result is seen first"
        return len(ended) == 2

    _wait(ann, over)
    for visitor in (ann, bob):
        assert visitor.page.locator(".alarm:visible").count() == 0
        assert int(visitor.text(".trust")) >= 7
    _check_standings(ann, bob)
    _check_downloads(ann)
    ann.page.get_by_role("button", name="Play again").click()
    expect(bob.page.get_by_role("button", name="I am ready")).to_be_visible()


def _check_standings(*visitors: Visitor) -> None:
    """Both see the same table: the winner has all chips."""
    tables = [visitor.page.locator(".standings tbody tr").all_inner_texts() for visitor in visitors]
    rows = [row.split() for row in tables[0]]
    assert tables[0] == tables[1]
    assert {row[1] for row in rows} == {"Ann", "Bob"}
    assert [(row[0], row[2]) for row in rows] == [("1", "40"), ("2", "0")]


def _check_downloads(visitor: Visitor) -> None:
    """The records verify here, and the hands are those of the match."""
    files = {}
    for name in ("records.jsonl", "hands.phhs"):
        with visitor.page.expect_download() as download:
            visitor.page.click(f"[data-download='{name}']")
        assert download.value.suggested_filename.endswith(name)
        files[name] = download.value.path().read_text(encoding="utf-8")
    *records, end = (json.loads(line) for line in files["records.jsonl"].splitlines())
    assert end["format"] == "croupier-table-1"
    assert records
    assert all(record["game"] == "poker" for record in records)
    assert len(tomllib.loads(files["hands.phhs"])) == len(records)


def _wait(visitor: Visitor, over: Callable[[], bool]) -> None:
    for _ in range(TURNS_MAX):
        if over():
            return
        visitor.page.wait_for_timeout(40)
    raise AssertionError("the match does not end")


def test_a_refresh_in_the_middle_of_a_hand_brings_everything_back(visit: Visit) -> None:
    ann = visit()
    ann.page.click("[data-play=poker]")
    ann.page.wait_for_selector(".controls.active")
    cards = "[...document.querySelectorAll('.seat.own .card')].map(card => card.dataset.card).join()"
    before = ann.page.evaluate(cards), ann.text(".seat.own .stack"), ann.text(".code")
    ann.page.reload()
    ann.page.wait_for_selector(".controls.active")
    assert (ann.page.evaluate(cards), ann.text(".seat.own .stack"), ann.text(".code")) == before
    assert int(ann.text(".trust")) >= 2, "the cards were proved again"
    ann.page.keyboard.press("KeyF")
    expect(ann.page.locator(".seat.own")).to_have_class(re.compile(r"\bout\b"))


def test_what_is_chosen_in_advance_is_done_in_turn_if_it_still_fits(visit: Visit) -> None:
    ann, bob = two_at_a_table(visit)
    bob.page.get_by_role("button", name="Check or fold").click()
    ann.page.wait_for_selector(".controls.active")
    ann.page.keyboard.press("KeyC")
    expect(bob.page.locator(".lines")).to_contain_text("Bob checks.")
    bob.page.wait_for_selector(".controls.active")
    ann.page.get_by_role("button", name="Check", exact=True).click()
    bob.page.click(".action.raise")
    ann.page.wait_for_selector(".controls.active")
    assert ann.page.locator(".seat.own.out").count() == 0, "a check in advance never becomes a fold"
    ann.page.keyboard.press("KeyF")
    expect(ann.page.locator(".message")).to_contain_text("Bob wins")


@ASKS_THE_LAB
def test_an_old_hand_can_be_opened_and_replayed_street_by_street(visit: Visit) -> None:
    ann = visit()
    ann.page.click("[data-play=poker]")
    _play_until([ann], lambda: _hands_over(ann), "KeyC")
    open_last_hand(ann)
    replay = ann.page.locator("dialog .replay-view")
    assert replay.locator(".message").inner_text()
    replay.get_by_role("button", name="To the beginning").click()
    expect(replay.locator(".said")).to_contain_text("Hand 1")
    assert replay.locator(".board .card").count() == 0
    if replay.locator(".streets button").count() > 2:
        replay.locator(".streets button").nth(1).click()
        assert replay.locator(".board .card").count() == 3
    replay.locator(".seat-equity:visible").first.wait_for(timeout=LAB_MS_MAX)
    equities = [float(each.rstrip("%")) for each in replay.locator(".seat-equity:visible").all_inner_texts()]
    assert all(0 <= each <= 100 for each in equities)
    expect(replay.locator(".odds")).to_contain_text(re.compile("quit"))
    ann.page.keyboard.press("Escape")
    assert ann.page.evaluate("document.activeElement.className").endswith("last-hands"), "the focus is back"


def test_what_is_being_written_survives_every_update(visit: Visit) -> None:
    ann = visit()
    ann.page.click("[data-play=poker]")
    ann.page.wait_for_selector(".controls.active")
    field = ann.page.locator("[name=message]")
    field.fill("half a sent")
    ann.page.evaluate("document.querySelector('[name=message]').setSelectionRange(2, 6)")
    version = ann.page.locator(".lines li").count()
    ann.page.locator(".action.fold").dispatch_event("click")
    expect(ann.page.locator(".lines li").nth(version + 2)).to_be_attached()
    kept = "(e => [document.activeElement === e, e.value, e.selectionStart, e.selectionEnd])"
    assert ann.page.evaluate(f"{kept}(document.querySelector('[name=message]'))") == [True, "half a sent", 2, 6]
    field.fill("hello")
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator(".lines .chat")).to_contain_text("hello")
    ann.page.locator(".reactions button").first.click()
    expect(ann.page.locator(".lines .chat").nth(1).get_by_role("img", name="👍")).to_be_visible()


def test_a_selection_in_the_talk_and_an_amount_survive_what_others_do(visit: Visit) -> None:
    ann, bob = two_at_a_table(visit)
    bob.page.locator("[name=message]").fill("pick these words")
    bob.page.keyboard.press("Enter")
    expect(ann.page.locator(".lines .chat")).to_contain_text("pick these words")
    ann.page.wait_for_selector(".amount:visible")
    ann.page.evaluate("getSelection().selectAllChildren(document.querySelector('.lines .chat span'))")

    def bob_says(words: str) -> None:
        bob.page.locator("[name=message]").fill(words)
        bob.page.keyboard.press("Enter")
        expect(ann.page.locator(".lines .chat").last).to_contain_text(words)

    bob_says("one")
    assert ann.page.evaluate("getSelection().toString()") == "pick these words"
    ann.page.locator(".amount-field").fill("3")
    bob_says("two")
    ann.page.keyboard.type("5")
    assert ann.page.locator(".amount-field").input_value() == "35"
    ann.page.keyboard.press("Enter")
    expect(bob.page.locator(".lines")).to_contain_text("Ann raises to 35.")


def test_nothing_jumps_when_the_turn_comes_and_goes(visit: Visit) -> None:
    """The felt, the seats and the buttons stay where they are, whatever may be done."""
    ann, bob = two_at_a_table(visit, pauseSeconds=30)
    places = """() => ['.rail', '.seat:not(.own) .pod', '.seat.own .pod', '.controls', '.prompt']
      .map((part) => document.querySelector(part).getBoundingClientRect())
      .map(({ top, left }) => [Math.round(top), Math.round(left)])"""
    ann.page.wait_for_selector(".controls.active")
    seen = {json.dumps(ann.page.evaluate(places))}
    ann.page.keyboard.press("KeyC")
    bob.page.wait_for_selector(".controls.active")
    expect(ann.page.locator(".early")).to_be_visible()
    seen.add(json.dumps(ann.page.evaluate(places)))
    bob.page.keyboard.press("KeyC")
    bob.page.wait_for_selector(".controls.active")
    bob.page.click(".action.raise")
    ann.page.wait_for_selector(".controls.active")
    seen.add(json.dumps(ann.page.evaluate(places)))
    ann.page.keyboard.press("KeyF")
    ann.page.wait_for_selector(".message.result")
    expect(ann.page.locator(".last-hands")).to_be_visible()
    seen.add(json.dumps(ann.page.evaluate(places)))
    assert len(seen) == 1, seen


def test_a_made_hand_is_named_with_its_ranks(visit: Visit) -> None:
    ann = visit()
    name = """(category, cards) => import('/games/poker/words.js')
      .then(({ handName }) => handName({ category, cards: cards.split(' ') }))"""
    for category, cards, named in (
        ("ONE_PAIR", "Ts Td As 7c 2d", "One pair (10)"),
        ("TWO_PAIR", "7s 7d Ks Kc Ad", "Two pair (K, 7)"),
        ("FULL_HOUSE", "2s 2d 2h Kc Kd", "Full house (2, K)"),
        ("STRAIGHT", "As 2d 3h 4c 5d", "Straight (5)"),
        ("STRAIGHT", "As Kd Qh Jc Td", "Straight (A)"),
        ("STRAIGHT_FLUSH", "As 2s 3s 4s 5s", "Straight flush (5)"),
        ("STRAIGHT_FLUSH", "As Ks Qs Js Ts", "Royal flush"),
        ("HIGH_CARD", "9s 7d 5h 4c 2d", "High card (9)"),
    ):
        assert ann.page.evaluate(f"([category, cards]) => ({name})(category, cards)", [category, cards]) == named


def test_the_language_is_switched_at_the_table(visit: Visit) -> None:
    ann = visit(locale="ko-KR")
    assert ann.page.evaluate("document.documentElement.lang") == "ko"
    ann.page.click("[data-play=poker]")
    for language, fold in (("ru", "Фолд"), ("zh", "弃牌"), ("en", "Fold"), ("ko", "폴드")):
        ann.page.get_by_role("button", name=re.compile("설정|Настройки|设置|Settings")).click()
        ann.page.select_option("dialog [name=language]", language)
        expect(ann.page.locator("html")).to_have_attribute("lang", language)
        expect(ann.page.locator(".action.fold .label")).to_have_text(fold)
    assert ann.page.locator("text=/web\\.[a-z]/").count() == 0, "a text is missing"


def test_on_a_phone_everything_fits(visit: Visit) -> None:
    ann = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    ann.page.tap("[data-play=poker]")
    ann.page.wait_for_selector(".amount:visible")
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    controls = (".action.fold", ".action.stay", ".action.raise", ".amount-slider", ".side-opener", ".seat.own .hole")
    for part in controls:
        box = ann.page.locator(part).first.bounding_box()
        assert box is not None
        assert box["x"] >= 0, part
        assert box["x"] + box["width"] <= PHONE["width"], part
        assert box["y"] + box["height"] <= PHONE["height"], part
    _play_until([ann], lambda: _hands_over(ann), "KeyF")
    assert ann.page.evaluate("document.querySelector('.stage').scrollWidth") <= PHONE["width"]
    ann.page.tap(".side-opener")
    expect(ann.page.locator("[name=message]")).to_be_visible()


@ASKS_THE_LAB
def test_the_equities_of_a_replay_add_up_where_all_hands_are_seen(visit: Visit) -> None:
    ann, bob = two_at_a_table(visit, stack_chips=20, pauseSeconds=30)
    for visitor in (ann, bob):
        visitor.page.wait_for_selector(".controls.active")
        if visitor.page.locator(".amount:visible").count():
            visitor.page.keyboard.press("Digit5")
            visitor.page.keyboard.press("KeyR")
            visitor.page.keyboard.press("Enter")
        else:
            visitor.page.keyboard.press("KeyC")
    open_last_hand(ann)
    replay = ann.page.locator("dialog .replay-view")
    for street in range(4):
        replay.locator(".streets button").nth(street).click()
        replay.locator(".seat-equity:visible").first.wait_for(timeout=LAB_MS_MAX)
        equities = [float(each.rstrip("%")) for each in replay.locator(".seat-equity:visible").all_inner_texts()]
        assert len(equities) == 2
        assert abs(sum(equities) - 100) < 0.11
    assert sorted(equities) in ([0.0, 100.0], [50.0, 50.0]), "on the river it is decided"


def test_a_room_that_plays_can_be_shared_by_its_qr_code(visit: Visit) -> None:
    ann = visit()
    ann.page.click("[data-play=poker]")
    ann.page.wait_for_selector(".controls.active")
    ann.page.click(".code-button")
    qr = ann.page.locator("dialog .qr")
    assert qr.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
    assert ann.text(".code") in ann.page.locator("dialog .link").input_value()


def test_an_amount_that_is_being_written_when_the_turn_ends_is_dropped_quietly(visit: Visit) -> None:
    ann, bob = two_at_a_table(visit)
    ann.page.wait_for_selector(".amount:visible")
    ann.page.locator(".amount-field").fill("35")
    ann.page.locator(".action.stay").dispatch_event("click")
    bob.page.wait_for_selector(".controls.active")
    expect(ann.page.locator(".amount")).to_be_hidden()
    ann.page.locator(".amount-field").dispatch_event("change")
    assert ann.complaints == []

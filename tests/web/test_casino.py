"""The casino in the browser: a round from bet to result, the seeds, the trainer, and the check of what was dealt."""

import json
import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.web.audit import audit
from tests.web.page_server import ASKS_THE_LAB, PHONE, PageServer, Visitor
from tests.web.test_layouts import SIZES

Visit = Callable[..., Visitor]
DECISIONS_MAX = 12


def _enter(visit: Visit, **options: object) -> Visitor:
    ann = visit("/#/casino", **options)
    ann.page.fill("[name=nickname]", "Ann")
    ann.page.click(".door .primary")
    ann.page.wait_for_selector(".casino .bet-maker:not([hidden])")
    return ann


def _click_stand(ann: Visitor) -> None:
    # Where insurance is offered both are there: standing declines it, too.
    either = "[data-action=decline]:not([hidden]), [data-action=BLACKJACK_STAND]:not([hidden])"
    ann.page.locator(either).first.click()


def _press_stand(ann: Visitor) -> None:
    ann.page.keyboard.press("KeyN")
    ann.page.keyboard.press("KeyS")


def _finish(ann: Visitor, stand: Callable[[Visitor], None] = _click_stand) -> None:
    """Stands, and goes without insurance, until the round is over. What was decided is on its way until its buttons
    are gone, or can be pressed again."""
    for _ in range(DECISIONS_MAX):
        ann.page.wait_for_selector(".bet-maker:not([hidden]), [data-action]:not([hidden], [aria-disabled])")
        if ann.page.locator(".bet-maker").is_visible():
            return
        stand(ann)
    raise AssertionError("the round did not end")


def _bet(ann: Visitor) -> bool:
    """Bets, and says whether there is something to decide: some rounds end with the deal. Until the deal has come, the
    cards of the last round are still there, and so is the way to bet."""
    rounds = ann.page.locator(".history tbody tr").count()
    ann.page.click(".place-bet")
    to_decide = "[...document.querySelectorAll('[data-action]:not([hidden])')].some((button) => button.offsetParent)"
    over = f"document.querySelectorAll('.history tbody tr').length > {rounds}"
    ann.page.wait_for_function(f"() => {over} || {to_decide}")
    return not ann.page.evaluate(over)


SENDS = """() => {
  window.sent = [];
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (frame) { window.sent.push(frame); send.call(this, frame); };
}"""
"""From now on the page remembers what it sends."""


def _round(ann: Visitor) -> None:
    rounds = ann.page.locator(".history tbody tr").count()
    if _bet(ann):
        _finish(ann)
    ann.page.wait_for_function(f"() => document.querySelectorAll('.history tbody tr').length === {rounds + 1}")


def _until_a_decision(ann: Visitor) -> None:
    """Bets until there is something to decide: some rounds end with the deal."""
    for _ in range(DECISIONS_MAX):
        if _bet(ann) and ann.page.locator("[data-action=BLACKJACK_STAND]").is_visible():
            return
        _finish(ann)
    raise AssertionError("every round ended with the deal")


OVER_CARDS = """() => {
  const note = document.querySelector('.felt-note').getBoundingClientRect();
  return [...document.querySelectorAll('.bj-felt .card')].map((card) => card.getBoundingClientRect())
    .filter(({ left, right }) => left < note.right && note.left < right)
    .filter(({ top, bottom }) => top < note.bottom && note.top < bottom).length;
}"""
"""How many cards lie under the words of the result."""


def _deal(ann: Visitor, page_server: PageServer, wanted: Callable[[str, str], bool]) -> None:
    """Bets on a deal that fits."""
    ann.page.fill("[name=clientSeed]", page_server.client_seed(ann.text(".seed-facts code"), wanted))
    ann.page.click(".place-bet")
    ann.page.wait_for_selector("[data-action]:not([hidden])")


def test_a_pair_is_split_into_hands_side_by_side_that_are_played_one_after_the_other(
    visit: Visit, page_server: PageServer
) -> None:
    ann = _enter(visit, viewport=PHONE)
    _deal(ann, page_server, lambda cards, up: cards == "88" and up in "23456")
    ann.page.click("[data-action=BLACKJACK_SPLIT]")
    hands = ann.page.locator(".bj-seat .bj-hand")
    expect(hands).to_have_count(2)
    boxes = [hands.nth(place).bounding_box() for place in range(2)]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"], "side by side, also on a phone"
    assert abs(boxes[0]["y"] - boxes[1]["y"]) < 5
    expect(hands.nth(0)).to_have_attribute("aria-current", "true")
    assert "Hand 1 of 2" in ann.text(".bj-controls .prompt")
    ann.page.click("[data-action=BLACKJACK_STAND]")
    expect(hands.nth(1)).to_have_attribute("aria-current", "true")
    _finish(ann)
    assert ann.page.locator(".bj-seat .bj-why").count() == 2
    for width, height in SIZES.values():
        ann.page.set_viewport_size({"width": width, "height": height})
        assert ann.page.evaluate(OVER_CARDS) == 0, (width, height)
    ann.page.set_viewport_size({"width": 844, "height": 390})
    ann.page.click(".last-hands")
    felt = ann.page.locator("dialog .bj-felt").bounding_box()
    assert felt is not None
    assert felt["width"] > 500, "also on a phone held sideways the round has the dialog's room"
    ann.page.keyboard.press("Escape")
    ann.page.set_viewport_size(PHONE)
    staked = ann.page.locator(".history tbody td:nth-child(2)").first.inner_text()
    assert staked == "20"
    ann.page.click(".last-hands")
    expect(ann.page.locator("dialog .bj-seat .bj-hand"), "the round can be opened again").to_have_count(2)


def test_insurance_is_offered_against_an_ace_and_changes_the_wallet(visit: Visit, page_server: PageServer) -> None:
    ann = _enter(visit)
    ann.page.click("[data-chip='100']")
    _deal(ann, page_server, lambda cards, up: up == "A" and "A" not in cards)
    assert "Insurance" in ann.text(".bj-controls .prompt")
    before = ann.text(".wallet b")
    ann.page.click("[data-action=insure]")
    ann.page.wait_for_selector(".insured:not(:empty), .bet-maker:not([hidden])")
    assert before == "9,890"
    _finish(ann)
    staked = int(ann.page.locator(".history tbody td:nth-child(2)").first.inner_text())
    assert staked == 110 + 55


@ASKS_THE_LAB
def test_the_trainer_names_insurance_as_its_button_does(visit: Visit, page_server: PageServer) -> None:
    ann = _enter(visit)
    ann.page.locator(".trainer input").check()
    _deal(ann, page_server, lambda cards, up: up == "A" and cards in ("T5", "96", "95", "87"))
    ann.page.wait_for_selector(".action.suggested")
    assert ann.text(".hint-line").endswith(ann.text(".action.suggested .label"))


def test_a_cut_line_is_told_and_the_round_goes_on_when_it_is_mended(visit: Visit, page_server: PageServer) -> None:
    ann = _enter(visit, on_a_line=True)
    _deal(ann, page_server, lambda cards, up: cards in ("T6", "97", "T5") and up == "9")
    cards = "() => [...document.querySelectorAll('.bj-seat .card')].map((card) => card.dataset.card).join()"
    before = ann.page.evaluate(cards)
    ann.cut_line()
    expect(ann.page.locator(".notice.lost")).to_be_visible()
    expect(ann.page.locator(".casino-page.stale")).to_be_visible()
    assert ann.page.locator("[data-action]:visible").count() == 0, "nothing old is offered"
    ann.mend_line()
    ann.page.wait_for_selector("[data-action=BLACKJACK_STAND]:not([hidden])")
    expect(ann.page.locator(".casino-page.stale")).to_have_count(0)
    assert ann.page.evaluate(cards) == before
    _finish(ann)


def test_a_round_changes_the_wallet_by_its_result_and_is_in_the_history(visit: Visit) -> None:
    ann = _enter(visit)
    assert ann.text(".wallet b") == "10,000"
    ann.page.click("[data-chip='100']")
    assert ann.page.input_value(".bet-row .amount-field") == "110"
    _round(ann)
    change = int(ann.page.locator(".history tbody td:nth-child(3)").inner_text().replace(",", ""))
    assert ann.text(".wallet b") == f"{10_000 + change:,}"
    assert "still secret" in ann.text(".history tbody")


def test_the_revealed_seed_is_the_promised_one_and_every_round_checks_here(visit: Visit) -> None:
    ann = _enter(visit)
    ann.page.fill("[name=clientSeed]", "my very own seed")
    promised = ann.text(".seed-facts code")
    _round(ann)
    _round(ann)
    ann.page.get_by_role("button", name="Reveal the server seed").click()
    ann.page.wait_for_selector(".revealed .good")
    assert ann.text(".seed-facts code") != promised
    assert ann.page.input_value("[name=clientSeed]") != "my very own seed"
    ann.page.get_by_role("button", name="Check all here").click()
    ann.page.wait_for_selector(".verdict.good")
    ann.page.locator(".verified-rounds summary").first.click()
    expect(ann.page.locator(".verified-rounds")).to_contain_text("my very own seed")
    # The house knew it before it made the present seed: the page asks for another one, and asks the server nothing.
    ann.page.evaluate(SENDS)
    ann.page.fill("[name=clientSeed]", "my very own seed")
    ann.page.click(".place-bet")
    expect(ann.page.locator(".toast")).to_contain_text("You have used this seed before")
    assert "PLACE_BET" not in ann.page.evaluate("() => window.sent.join()")


def test_a_tampered_record_is_found_out(visit: Visit) -> None:
    ann = _enter(visit)
    _round(ann)
    ann.page.get_by_role("button", name="Reveal the server seed").click()
    ann.page.wait_for_selector(".revealed .good")
    with ann.page.expect_download() as download:
        ann.page.get_by_role("button", name="Download records").click()
    record = json.loads(download.value.path().read_text(encoding="utf-8"))
    record["cards"][0] = "As" if record["cards"][0] != "As" else "Ks"
    ann.enter("/#/verify")
    ann.page.fill("[name=pasted]", json.dumps(record))
    ann.page.locator("section:has([name=pasted]) .primary").click()
    ann.page.wait_for_selector(".verdict.bad")
    assert "CARD_MISMATCH" in ann.text(".verdict")


def test_a_round_is_there_again_after_a_refresh(visit: Visit) -> None:
    ann = _enter(visit)
    _until_a_decision(ann)
    cards = ann.page.locator(".bj-seat .card").evaluate_all("all => all.map((card) => card.dataset.card)")
    ann.page.reload()
    ann.page.wait_for_selector("[data-action=BLACKJACK_STAND]:not([hidden])")
    assert ann.page.locator(".bj-seat .card").evaluate_all("all => all.map((card) => card.dataset.card)") == cards


def test_a_round_needs_no_mouse(visit: Visit) -> None:
    ann = _enter(visit)
    ann.page.keyboard.press("Digit3")
    ann.page.keyboard.press("KeyB")
    ann.page.wait_for_selector(".bj-hand .card")
    _finish(ann, _press_stand)
    expect(ann.page.locator(".history tbody tr")).to_have_count(1)


@ASKS_THE_LAB
def test_the_trainer_hints_and_then_says_what_the_decision_cost(visit: Visit) -> None:
    ann = _enter(visit)
    ann.page.set_default_timeout(90_000)
    ann.page.locator(".trainer input").check()
    _until_a_decision(ann)
    ann.page.wait_for_selector(".action.suggested")
    assert "Best play" in ann.text(".hint-line")
    suggested = ann.page.locator(".action.suggested").get_attribute("data-action")
    other = "BLACKJACK_HIT" if suggested == "BLACKJACK_STAND" else "BLACKJACK_STAND"
    ann.page.click(f"[data-action={other}]")
    ann.page.wait_for_selector(".trainer-verdict:not(:empty)")
    assert "chips on average" in ann.text(".trainer-verdict")


@ASKS_THE_LAB
def test_after_a_split_the_trainer_says_what_a_decision_cost_and_of_what(visit: Visit, page_server: PageServer) -> None:
    ann = _enter(visit)
    ann.page.set_default_timeout(90_000)
    ann.page.locator(".trainer input").check()
    _deal(ann, page_server, lambda cards, up: cards == "88" and up == "9")
    ann.page.wait_for_selector(".action.suggested[data-action=BLACKJACK_SPLIT]")
    ann.page.click("[data-action=BLACKJACK_SPLIT]")
    expect(ann.page.locator(".trainer-verdict")).to_contain_text("right")
    ann.page.wait_for_selector(".action.suggested:not([data-action=BLACKJACK_SPLIT])")
    suggested = ann.page.locator(".action.suggested").get_attribute("data-action")
    other = "BLACKJACK_HIT" if suggested == "BLACKJACK_STAND" else "BLACKJACK_STAND"
    ann.page.click(f"[data-action={other}]")
    expect(ann.page.locator(".trainer-verdict")).to_contain_text("of this hand's bet")
    expect(ann.page.locator(".trainer-verdict")).to_contain_text("only its 8 is counted")
    cost = re.search(r"costs (\d+\.\d\d) chips", ann.text(".trainer-verdict"))
    assert cost is not None
    assert float(cost[1]) > 0
    assert f"{cost[1]} chips given away" in ann.text(".trainer")


def test_the_casino_has_names_and_contrast_and_fits_a_phone(visit: Visit) -> None:
    ann = _enter(visit, reduced_motion="reduce", viewport=PHONE)
    _until_a_decision(ann)
    assert ann.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    audit(ann.page)


def test_a_bet_is_halved_doubled_and_made_again(visit: Visit) -> None:
    ann = _enter(visit)
    field = ann.page.locator(".bet-maker .amount-field")
    assert not ann.page.get_by_role("button", name="Rebet").is_visible(), "nothing was bet yet"
    ann.page.get_by_role("button", name="Double the bet").click()
    ann.page.get_by_role("button", name="Double the bet").click()
    ann.page.get_by_role("button", name="Half the bet").click()
    expect(field).to_have_value("20")
    _round(ann)
    ann.page.get_by_role("button", name="Clear").click()
    ann.page.reload()
    ann.page.get_by_role("button", name="Rebet 20").click()
    expect(ann.page.locator(".bj-seat .hand-bet, .history tbody tr >> nth=1").first).to_be_visible()

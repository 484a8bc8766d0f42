"""The casino in the browser: a round from bet to result, the seeds, the trainer, and the check of what was dealt."""

import json
from collections.abc import Callable

import pytest

from tests.web.house import PHONE, Visitor
from tests.web.test_access import CONTRAST, NAMELESS

Visit = Callable[..., Visitor]
DECISIONS_MAX = 12


def _enter(visit: Visit, **options: object) -> Visitor:
    ann = visit("/#/casino", **options)
    ann.page.fill("[name=nickname]", "Ann")
    ann.page.click(".door .primary")
    ann.page.wait_for_selector(".casino .bet-maker:not([hidden])")
    return ann


def _finish(ann: Visitor) -> None:
    """Stands, and goes without insurance, until the round is over."""
    for _ in range(DECISIONS_MAX):
        ann.page.wait_for_selector(".bet-maker:not([hidden]), [data-action]:not([hidden])")
        if ann.page.locator(".bet-maker").is_visible():
            return
        ann.page.locator("[data-action=decline]:not([hidden]), [data-action=BLACKJACK_STAND]:not([hidden])").click()
        ann.page.wait_for_timeout(50)
    raise AssertionError("the round did not end")


def _round(ann: Visitor) -> None:
    rounds = ann.page.locator(".history tbody tr").count()
    ann.page.click(".place-bet")
    ann.page.wait_for_selector(".bj-hand .card")
    _finish(ann)
    ann.page.wait_for_function(f"() => document.querySelectorAll('.history tbody tr').length === {rounds + 1}")


def _until_a_decision(ann: Visitor) -> None:
    """Bets until there is something to decide: some rounds end with the deal."""
    for _ in range(DECISIONS_MAX):
        ann.page.click(".place-bet")
        ann.page.wait_for_selector(".bj-hand .card")
        ann.page.wait_for_selector(".bet-maker:not([hidden]), [data-action]:not([hidden])")
        if ann.page.locator("[data-action=BLACKJACK_STAND]").is_visible():
            return
        _finish(ann)
    raise AssertionError("every round ended with the deal")


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
    assert "my very own seed" in ann.text(".verified-rounds")


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
    for _ in range(DECISIONS_MAX):
        ann.page.wait_for_selector(".bet-maker:not([hidden]), [data-action]:not([hidden])")
        if ann.page.locator(".bet-maker").is_visible():
            break
        ann.page.keyboard.press("KeyN")
        ann.page.keyboard.press("KeyS")
        ann.page.wait_for_timeout(50)
    assert ann.page.locator(".history tbody tr").count() == 1


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


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_casino_has_names_and_contrast_and_fits_a_phone(visit: Visit, theme: str) -> None:
    ann = _enter(visit, color_scheme=theme, reduced_motion="reduce", viewport=PHONE)
    _until_a_decision(ann)
    assert ann.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert ann.page.evaluate(NAMELESS) == []
    assert ann.page.evaluate(CONTRAST) == []

"""The push/fold page: charts of the equilibrium, what each hand is worth, and a drill by pointer and keyboard."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from croupier.lab.poker.hand_classes import NUMBERS
from croupier.lab.poker.pushfold.solve import solve
from croupier.lab.poker.pushfold.spot import Spot
from tests.web.audit import audit
from tests.web.page_server import ASKS_THE_LAB, PHONE, Visitor

pytestmark = ASKS_THE_LAB
Visit = Callable[..., Visitor]
LAB_MS_MAX = 180_000
"""The first answer on a machine waits for the kernels to be compiled."""


def _solved(visit: Visit, question: str, **options: object) -> Visitor:
    ann = visit(f"/#/lab/pushfold?{question}", **options)
    ann.page.set_default_timeout(LAB_MS_MAX)
    expect.set_options(timeout=60_000)
    ann.page.click(".lab-run .primary")
    expect(ann.page.locator(".lab-state")).to_have_text("Done.")
    return ann


def test_a_spot_is_solved_and_a_cell_tells_what_the_hand_is_worth(visit: Visit) -> None:
    ann = _solved(visit, "players=2&stack=10")
    expect(ann.page.locator(".lab-result")).to_contain_text("All-in with 58.3% of hands")
    solution = solve(Spot((10.0, 10.0)))
    push = solution.decisions[0]
    cell = ann.page.locator(".range-cell", has_text=re.compile("^Q7o$"))
    cell.click()
    detail = ann.page.locator(".hand-detail")
    shown = detail.locator("td").all_inner_texts()
    number = NUMBERS["Q7o"]
    worths = [float(each.replace("−", "-")) for each in shown[:2]]
    assert worths == pytest.approx([push.go[number], push.fold[number]], abs=1e-3)
    ann.page.keyboard.press("ArrowUp")
    expect(detail.locator("h2")).to_contain_text("Q8o")
    ann.page.select_option("[name=decision]", label="BB: against SB")
    expect(ann.page.locator(".lab-result")).to_contain_text("All-in with 37.4% of hands")
    assert "stack=10" in ann.page.url


def test_the_drill_is_played_with_keys_and_counts_what_goes_wrong(visit: Visit) -> None:
    ann = _solved(visit, "players=2&stack=8&ante=0.1")
    ann.page.locator(".drill h2").click()
    for number in range(1, 6):
        ann.page.keyboard.press("a")
        expect(ann.page.locator(".drill")).to_contain_text(re.compile(rf"[0-{number}] of {number} right"))
        expect(ann.page.locator(".drill-verdict")).to_contain_text("the equilibrium goes all-in")
        ann.page.keyboard.press("Enter")
        expect(ann.page.locator(".drill-verdict")).to_have_text("")


def test_a_stack_that_cannot_post_is_refused_in_words(visit: Visit) -> None:
    ann = visit("/#/lab/pushfold?stacks=10,0.5")
    ann.page.set_default_timeout(LAB_MS_MAX)
    ann.page.click(".lab-run .primary")
    expect(ann.page.locator(".fault")).to_contain_text("BB has 0.5", timeout=LAB_MS_MAX)
    ann.complaints = [said for said in ann.complaints if "400" not in said]


def test_three_players_with_prizes_on_a_phone_have_names_and_contrast(visit: Visit) -> None:
    ann = _solved(visit, "stacks=8,6,10&payouts=65,35", viewport=PHONE)
    assert ann.page.locator(".lab-result tbody th").all_inner_texts() == ["BTN", "SB", "BB"]
    gains = ann.page.locator(".lab-result .values td:last-child").all_inner_texts()
    assert all(0 <= float(each) < 0.05 for each in gains), "less than a twentieth of a per cent of the prizes"
    ann.page.locator(".range-cell").first.click()
    audit(ann.page)

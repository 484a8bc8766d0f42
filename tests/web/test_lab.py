"""The lab's pages: the best play for any rules, equities, and simulations that one watches and stops."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from croupier.games.blackjack import CASINO
from croupier.lab.blackjack.solve import solve
from tests.web.audit import audit
from tests.web.page_server import ASKS_THE_LAB, PHONE, PageServer, Visitor

pytestmark = ASKS_THE_LAB
Visit = Callable[..., Visitor]
LAB_MS_MAX = 180_000
"""The first answer on a machine waits for the kernels to be compiled."""


def _enter(visit: Visit, path: str, **options: object) -> Visitor:
    ann = visit(f"/#/lab/{path}", **options)
    ann.page.set_default_timeout(LAB_MS_MAX)
    expect.set_options(timeout=30_000)
    return ann


def _plays(ann: Visitor) -> str:
    ann.page.wait_for_selector(".strategy-grids:not([aria-busy]) .strategy-grid")
    cells = ann.page.locator(".strategy-cell").evaluate_all("all => all.map((cell) => cell.dataset.play)")
    return " ".join(cells)


def test_another_rule_makes_another_table_and_the_address_keeps_it(visit: Visit) -> None:
    ann = _enter(visit, "strategy")
    before = _plays(ann)
    assert "R" not in before.split()
    ann.page.select_option("[name=surrender]", "late")
    expect(ann.page.locator(".legend")).to_contain_text("Surrender")
    after = _plays(ann)
    assert "R" in after.split()
    ann.page.reload()
    assert _plays(ann) == after


def test_a_cell_tells_what_each_play_is_worth_under_the_pointer_and_with_the_focus(visit: Visit) -> None:
    ann = _enter(visit, "strategy")
    _plays(ann)
    hard_16 = ann.page.locator(".strategy-grid").first.locator("tr", has=ann.page.locator("th", has_text="16"))
    hard_16.locator("td").nth(8).hover()
    detail = ann.page.locator(".strategy-detail")
    expect(detail.locator("h2")).to_have_text("Hard 16 against 10")
    ten_six = detail.locator("tbody tr td:nth-child(2)").all_inner_texts()
    values = solve(CASINO).hand("6T", "T")
    assert ten_six[:2] == [f"{values.stand:+.4f}", f"{values.hit:+.4f}"]
    hard_16.locator("td").nth(8).focus()
    ann.page.keyboard.press("ArrowRight")
    expect(detail.locator("h2")).to_have_text("Hard 16 against A")
    ann.page.keyboard.press("ArrowUp")
    expect(detail.locator("h2")).to_have_text("Hard 17 against A")
    ann.page.locator(".strategy-grid").last.locator("td").first.click()
    expect(detail).to_contain_text("Split")


def test_rules_that_contradict_each_other_are_refused_in_words(visit: Visit) -> None:
    ann = _enter(visit, "strategy")
    before = _plays(ann)
    ann.page.click(".rules-form summary")
    ann.page.check("[name=original_bets_only]")
    expect(ann.page.locator(".fault")).to_contain_text("Dealer looks for blackjack")
    assert _plays(ann) == before, "what is on show stays what it was"
    ann.complaints = [said for said in ann.complaints if "400" not in said]


def test_an_exact_equity_and_a_sampled_one_that_is_stopped(visit: Visit) -> None:
    ann = _enter(visit, "equity")
    ann.page.get_by_role("button", name="Calculate").click()
    expect(ann.page.locator(".lab-form > p.quiet").first).to_contain_text("Exact: 10,273,824 boards")
    assert ann.page.locator(".equity").all_inner_texts() == ["46.05%", "53.95%"]
    ann.page.get_by_role("button", name="Add a hand").click()
    ann.page.get_by_role("button", name="7 of hearts").click()
    ann.page.get_by_role("button", name="6 of hearts").click()
    assert ann.page.input_value(".hand-row:last-child input") == "7h6h"
    assert ann.page.locator(".pick[aria-pressed=true]").count() == 4, "the cards that are taken; a range takes none"
    ann.page.get_by_text("Method").click()
    ann.page.check("[name=sampled]")
    ann.page.select_option("[name=samples]", "500000000")
    ann.page.get_by_role("button", name="Calculate").click()
    expect(ann.page.locator(".equity-figures small").first).to_contain_text("±")
    ann.page.get_by_role("button", name="Stop").click()
    expect(ann.page.locator(".lab-state")).to_contain_text("Stopped after")
    assert sum(float(each.rstrip("%")) for each in ann.page.locator(".equity").all_inner_texts()) == pytest.approx(
        100, abs=0.02
    )


def test_a_hand_that_is_no_hand_is_told_in_words(visit: Visit) -> None:
    ann = _enter(visit, "equity")
    ann.page.fill(".hand-row input >> nth=0", "AsAs")
    ann.page.get_by_role("button", name="Calculate").click()
    expect(ann.page.locator(".fault")).to_contain_text("used more than once")
    ann.complaints = [said for said in ann.complaints if "400" not in said]


def test_a_simulation_draws_its_course_is_stopped_and_ends_with_its_page(visit: Visit, page_server: PageServer) -> None:
    ann = _enter(visit, "simulation?rounds=1000000000")
    points = "() => (document.querySelector('.plot-line').getAttribute('d') ?? '').split('L').length"
    ann.page.get_by_role("button", name="Start").click()
    ann.page.wait_for_selector(".plot-line[d^=M]", state="attached")
    early = ann.page.evaluate(points)
    ann.page.wait_for_function(f"() => ({points})() > {early + 1}")
    expect(ann.page.locator(".plot .exact-label")).to_have_text("exact: -0.460%")
    ann.page.get_by_role("button", name="Stop").click()
    expect(ann.page.locator(".lab-state")).to_contain_text("Stopped after")
    for _ in range(2):
        ann.page.get_by_role("button", name="Start").click()
        ann.page.wait_for_selector(".plot-line[d^=M]", state="attached")
        ann.page.goto(f"{page_server.link}/#/")
        ann.page.wait_for_selector(".lobby")
        ann.page.goto(f"{page_server.link}/#/lab/simulation?rounds=1000000000")
    ann.page.get_by_role("button", name="Start").click()
    ann.page.wait_for_selector(".plot-line[d^=M]", state="attached")
    assert ann.page.locator(".fault:visible").count() == 0, "whoever leaves takes no place of the lab with them"


def test_the_lab_has_names_and_contrast_and_fits_a_phone(visit: Visit, page_server: PageServer) -> None:
    ann = _enter(visit, "strategy?surrender=early&hands_max=4", viewport=PHONE)
    _plays(ann)
    ann.page.locator(".strategy-cell").first.click()
    audit(ann.page)
    ann.page.goto(f"{page_server.link}/#/lab/equity?hands=AsKs%7CQQ&board=Qs7s2d")
    ann.page.get_by_role("button", name="Calculate").click()
    ann.page.wait_for_selector(".equity-bar:visible")
    audit(ann.page)
    ann.page.goto(f"{page_server.link}/#/lab/simulation?rounds=1000000&players=2&strategy=dealer")
    ann.page.get_by_role("button", name="Start").click()
    expect(ann.page.locator(".lab-state")).to_have_text("Done.")
    audit(ann.page)

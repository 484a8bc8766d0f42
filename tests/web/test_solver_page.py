"""The solver's page: ranges that are painted, a spot that is solved, its tree, locks, links, keys, small screens."""

import json
import re
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import quote, urlencode

import pytest
from playwright.sync_api import Locator, ViewportSize, expect

from croupier.lab.poker.hand_order import HAND_ORDER
from croupier.lab.poker.position_ranges import position_ranges
from croupier.lab.poker.ranges import EquityError, parse
from croupier.lab.poker.solver.solve import Report, Solution, prepare, report, run
from croupier.lab.poker.solver.spot import Spot, hand_name
from croupier.lab.poker.solver.walk import card_figures
from tests.web.audit import audit
from tests.web.page_server import ASKS_THE_LAB, PHONE, PageServer, Visitor

pytestmark = ASKS_THE_LAB
Visit = Callable[..., Visitor]
LAB_MS_MAX: Final = 180_000
"""The first answer on a machine waits for the kernels to be compiled."""
OOP, IP = "QQ,AK,55,T9s,KQ,J8s,A5s", "JJ,AQ,66,KTs,QT,98s,A2s"
RIVER: Final = {
    "board": "QsJh2h7c3d",
    "oop": OOP,
    "ip": IP,
    "pot": 100,
    "stack": 200,
    "bets": "50%,100%",
    "raises": "a",
}
TURN: Final = {**RIVER, "board": "QsJh2h7c", "bets": "50%", "raises": "", "target": 1}
SIZES: Final[tuple[ViewportSize, ...]] = (
    {"width": 390, "height": 844},
    {"width": 844, "height": 390},
    {"width": 1366, "height": 768},
)


def _link(question: dict[str, Any], **more: Any) -> str:
    return f"/#/lab/solver?{urlencode({**question, **more}, quote_via=quote)}"


def _enter(visit: Visit, question: dict[str, Any], **options: Any) -> Visitor:
    """Somebody who has followed a link to a solution, and sees it solved."""
    ann = visit(_link(question, path=question.get("path", "")), **options)
    ann.page.set_default_timeout(LAB_MS_MAX)
    expect.set_options(timeout=60_000)
    _wait(ann)
    return ann


def _wait(ann: Visitor) -> None:
    expect(ann.page.locator(".solver .lab-state")).to_contain_text("Done:")
    ann.page.wait_for_selector(".study:visible:not([aria-busy])")


def _own(question: dict[str, Any]) -> Solution:
    """The same spot, solved here."""
    fields = {name: question[name] for name in ("board", "pot", "stack", "bets", "raises")}
    solution = prepare(Spot(ranges=(question["oop"], question["ip"]), **fields))
    run(solution, target=question.get("target", 0.3) / 100)
    return solution


def _shares(ann: Visitor) -> list[str]:
    """The actions where one is, with their frequencies."""
    return ann.page.locator(".trail-step[aria-current] .trail-action b").all_inner_texts()


def _expected(found: Report) -> list[str]:
    return [f"{100 * each.frequency:.1f}%" for each in found.root.actions]


def _row(ann: Visitor, hand: str) -> Locator:
    return ann.page.locator(".hand-figures tr", has=ann.page.locator(f"[data-hand={hand}]"))


def test_a_solved_spot_shows_the_solver_s_own_figures_wherever_one_walks(visit: Visit) -> None:
    ann = _enter(visit, RIVER)
    own = _own(RIVER)
    share = f"{100 * own.exploitability:.3f}%"
    expect(ann.page.locator(".solver .lab-state")).to_contain_text(
        f"exploitability {share} of the pot after {own.iterations:,}"
    )
    assert _shares(ann) == _expected(report(own))
    ann.page.click(".trail-action[data-action=check]")
    expect(ann.page.locator(".trail-step")).to_have_count(2)
    ann.page.locator("h1").click()
    ann.page.keyboard.press("2")
    expect(ann.page.locator(".trail-step")).to_have_count(3)
    found = report(own, "check,bet 50")
    assert _shares(ann) == _expected(found)
    ann.page.click(".study-cell[data-hand=AKs]")
    hand = found.root.hands["AsKs"]
    cells = _row(ann, "AsKs").locator("td").all_inner_texts()
    assert cells[1:3] == [f"{100 * hand.equity:.1f}%", f"{hand.ev:.2f}"]
    played = zip(hand.strategy, hand.values, strict=True)
    assert [cell.split() for cell in cells[3:]] == [[f"{100 * often:.1f}%", f"{value:.2f}"] for often, value in played]
    evs = ann.page.locator(".node-summary td:nth-child(4)").all_inner_texts()
    assert evs == [f"{player.ev:.2f}" for player in found.players]
    assert "path=check%2Cbet+50" in ann.page.url
    ann.page.keyboard.press("Backspace")
    expect(ann.page.locator(".trail-step")).to_have_count(2)


def test_a_link_brings_another_person_to_the_same_place(visit: Visit, page_server: PageServer) -> None:
    ann = _enter(visit, {**RIVER, "path": "check,bet 50"})
    shares = _shares(ann)
    ann.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ann.page.get_by_role("button", name="Copy the link").click()
    expect(ann.page.locator(".toast")).to_have_text("The link is copied.")
    link = ann.page.evaluate("navigator.clipboard.readText()")
    ann.page.goto(f"{page_server.link}/#/")
    ben = visit(link.removeprefix(page_server.link))
    ben.page.set_default_timeout(LAB_MS_MAX)
    _wait(ben)
    assert _shares(ben) == shares
    assert ben.page.locator(".trail-step").count() == 3
    assert ben.page.input_value("[name=range-oop]") == OOP


def test_a_lock_is_held_after_solving_again_and_travels_in_the_address(visit: Visit) -> None:
    ann = _enter(visit, RIVER)
    ann.page.click(".study-cell[data-hand=AKo]")
    ann.page.click(".locks summary")
    assert ann.page.input_value("[name=lock-hands]") == "AKo"
    for field, share in zip(ann.page.locator(".lock-row input").all(), (25, 75, 0, 0), strict=False):
        field.fill(str(share))
    ann.page.get_by_role("button", name="Lock", exact=True).click()
    expect(ann.page.locator(".lock-list")).to_contain_text("OOP at the start: AKo – Check 25%, Bet 50 75%")
    ann.page.get_by_role("button", name="Solve again").click()
    ann.page.wait_for_selector(".locks .primary", state="hidden")
    _wait(ann)
    expect(ann.page.locator(".strategy-bar")).to_have_attribute(
        "aria-label", re.compile(r"Check 25\.0%, Bet 50 75\.0%")
    )
    assert "locks=" in ann.page.url
    ann.page.reload()
    _wait(ann)
    expect(ann.page.locator(".locks summary")).to_have_text("Locks: 1")


def test_the_next_card_is_chosen_from_a_heat_map_by_key_and_two_hands_stay_compared(visit: Visit) -> None:
    ann = _enter(visit, {**TURN, "path": "check"})
    own = _own(TURN)
    ann.page.click(".study-cell[data-hand=AQs]")
    ann.page.locator(".hand-figures .keep-hand").first.click()
    ann.page.click(".study-cell[data-hand='66']")
    ann.page.locator(".hand-figures .keep-hand").first.click()
    expect(ann.page.locator(".comparison tbody tr")).to_have_count(3)
    steps = ann.page.locator(".trail-step").count()
    ann.page.locator(".trail-step[aria-current] .trail-action").last.click()
    expect(ann.page.locator(".trail-step")).to_have_count(steps + 1)
    ann.page.locator(".trail-step[aria-current] .trail-action").last.click()
    ann.page.wait_for_selector(".card-map:not([aria-busy])")
    assert ann.page.input_value("[name=figure]") == "weight", "nobody acts: there is no strategy to show"
    cards = {each.card: each for each in card_figures(own.solver, own.case, "check,bet 50,call")}
    shown = ann.page.locator(".map-cell:not([data-dealt])")
    assert shown.count() == len(cards) == 48
    for name in ("Ah", "2c", "Ts"):
        assert ann.page.inner_text(f".map-cell[data-card='{name}'] small") == f"{cards[name].ev[0]:.1f}"
    ann.page.select_option("[name=card-figure]", "equity_ip")
    expect(ann.page.locator(".map-cell[data-card=Ah]")).to_have_attribute(
        "aria-label", f"ace of hearts: {100 * cards['Ah'].equity[1]:.1f}%"
    )
    ann.page.locator(".map-cell[data-card=As]").focus()
    ann.page.keyboard.press("ArrowDown")
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator(".trail-step")).to_have_count(5)
    river = report(own, "check,bet 50,call,Ah")
    assert _shares(ann) == _expected(river)
    assert ann.page.locator(".node-summary td:nth-child(4)").all_inner_texts() == [
        f"{one.ev:.2f}" for one in river.players
    ]
    assert ann.page.input_value("[name=figure]") == "strategy"
    ann.page.select_option("[name=whose]", label="In position")
    expect(ann.page.locator(".comparison tbody tr")).to_have_count(3)


def test_a_range_is_painted_by_dragging_by_keys_and_as_text(visit: Visit) -> None:
    ann = visit("/#/lab/solver")
    painter = ann.page.locator(".painter[data-player=oop]")
    text = painter.locator("textarea")
    painter.get_by_role("button", name="Clear").click()
    painter.scroll_into_view_if_needed()
    first, last = (painter.locator(f"[data-hand={hand}]").bounding_box() for hand in ("AKs", "ATs"))
    assert first
    assert last
    ann.page.mouse.move(first["x"] + 5, first["y"] + 5)
    ann.page.mouse.down()
    ann.page.mouse.move(last["x"] + 5, last["y"] + 5, steps=12)
    ann.page.mouse.up()
    expect(text).to_have_value("ATs+")
    painter.locator("[data-hand='88']").focus()
    ann.page.keyboard.press("5")
    expect(painter.locator("[data-hand='88']")).to_have_attribute("aria-label", "88: 50%")
    ann.page.keyboard.press("ArrowRight")
    ann.page.keyboard.press("Space")
    ann.page.keyboard.press("Shift+ArrowRight")
    expect(text).to_have_value("88:0.5,ATs+,86s+")
    ann.page.keyboard.press("Delete")
    expect(text).to_have_value("88:0.5,ATs+,87s")
    text.fill("AsKs:0.25, 22-44, T9o")
    expect(painter.locator("[data-hand=AKs]")).to_have_attribute("aria-label", "AKs: 6%")
    expect(painter.locator(".range-share")).to_have_text("2.3% · 30.3 combinations")
    text.fill("22-AKs")
    expect(painter.locator(".fault")).to_contain_text("the two ends do not belong together")
    painter.locator("select").select_option(label="BTN")
    expect(painter.locator(".range-share")).to_contain_text("44.2%")
    expect(painter.locator(".fault")).to_be_hidden()


READERS = """async ([texts, order]) => {
  const { parseRange, writeRange } = await import("/js/lab/solver/range.js");
  return texts.map((text) => {
    try {
      const weights = parseRange(text, order);
      return { weights: Object.fromEntries(weights), written: writeRange(weights) };
    } catch (error) { return { code: error.code }; }
  });
}"""


READABLE: Final = (
    *("random", "15%", "0.1%", "100%", "AK", "T9s-76s", "a2s-A5S", "72o,AsKs:0.3,KsAs", "10Js QJ", "22+,AA:0.5"),
    *("AhAs", "22-99:.25", "K9o+:0.125", *(each.range for each in position_ranges())),
)
UNREADABLE: Final = (*("AKs:1.5", "AKs:0", "AAs", "AsAs", "A5s-K2s", "0%", "101%", "xx", "22-AA-KK", "AK:", "QQ+ 1x"),)


def test_the_page_reads_ranges_as_the_solver_does_and_writes_what_it_reads(alone: Visitor) -> None:
    for text, found in zip(READABLE, alone.page.evaluate(READERS, [READABLE, HAND_ORDER]), strict=True):
        assert found["weights"] == {hand_name(pair): weight for pair, weight in parse(text).weights.items()}, text
        again = {hand_name(pair): weight for pair, weight in parse(found["written"]).weights.items()}
        # Weights are written with two digits.
        assert again == pytest.approx(found["weights"], abs=0.005001), text


def test_the_page_refuses_what_is_no_range_for_the_solver_s_reason(alone: Visitor) -> None:
    for text, found in zip(UNREADABLE, alone.page.evaluate(READERS, [UNREADABLE, HAND_ORDER]), strict=True):
        with pytest.raises(EquityError) as error:
            parse(text)
        assert found == {"code": error.value.refusal.code}, text


def test_chips_that_are_nearly_none_are_written_without_a_sign(alone: Visitor) -> None:
    write = """async () => {
      const { chips, shortChips } = await import("/js/lab/solver/actions.js");
      return [chips(-0.001), chips(-0), chips(-1.5), shortChips(-0.01), shortChips(-123.4), chips(null)];
    }"""
    assert alone.page.evaluate(write) == ["0.00", "0.00", "-1.50", "0.0", "-123", "–"]


def test_a_spot_that_is_too_big_is_refused_in_words_and_a_long_solve_can_be_stopped(visit: Visit) -> None:
    ann = visit(_link({**RIVER, "board": "QsJh2h", "oop": "random", "ip": "random"}))
    ann.page.set_default_timeout(LAB_MS_MAX)
    ann.page.click(".lab-run .primary")
    expect(ann.page.locator(".lab-run .fault")).to_contain_text("the limit is 1,000 MB", timeout=LAB_MS_MAX)
    ann.page.fill("[name=range-oop]", "22+,A2s+,KTs+")
    ann.page.fill("[name=range-ip]", "22+,A2s+,KTs+")
    ann.page.fill("[name=bets]", "100%")
    ann.page.fill("[name=raises]", "")
    ann.page.click(".spot-form summary")
    ann.page.fill("[name=target]", "0.01")
    ann.page.click(".lab-run .primary")
    ann.page.wait_for_selector(".study:visible", timeout=LAB_MS_MAX)
    ann.page.get_by_role("button", name="Stop").click()
    expect(ann.page.locator(".solver .lab-state")).to_contain_text("Stopped:")
    ann.page.click(".trail-action[data-action=check]")
    expect(ann.page.locator(".trail-step")).to_have_count(2)
    ann.complaints = [said for said in ann.complaints if "400" not in said]


def test_usual_pots_fill_the_spot(visit: Visit) -> None:
    ann = visit("/#/lab/solver")
    ann.page.select_option("[name=pot-preset]", label="BB 3-bets, BTN calls")
    assert ann.page.input_value("[name=pot]") == "225"
    assert ann.page.input_value("[name=stack]") == "890"
    expect(ann.page.locator(".spot-line")).to_contain_text("pot 225, stacks 890")
    for card in ("7 of clubs", "2 of hearts"):
        ann.page.get_by_role("button", name=card).click()
    assert ann.page.input_value("[name=board]") == "QsJh"


def test_the_page_has_names_and_contrast_and_fits_every_screen(visit: Visit) -> None:
    ann = _enter(visit, {**TURN, "path": "check,bet 50,call"}, viewport=SIZES[0])
    ann.page.wait_for_selector(".card-map:not([aria-busy])")
    ann.page.click(".locks summary")
    ann.page.click(".study-cell[data-hand=AKs]")
    for size in SIZES:
        ann.page.set_viewport_size(size)
        audit(ann.page)
    ann.page.click(".trail-step:nth-child(2) .trail-head")
    ann.page.click(".study-cell[data-hand=AQs]")
    ann.page.locator(".hand-figures .keep-hand").first.click()
    ann.page.click(".spot > summary")
    ann.page.click(".spot-form summary")
    for size in SIZES:
        ann.page.set_viewport_size(size)
        audit(ann.page)


@pytest.mark.parametrize("language", ["ko", "zh", "ru"])
def test_the_page_fits_a_phone_in_every_language(visit: Visit, language: str) -> None:
    ann = visit("/#/lab/solver", viewport=PHONE, settings={"language": language})
    ann.page.wait_for_selector(".painter")
    boxes = [ace.bounding_box() for ace in ann.page.locator(".pick-cards [data-card^=A]").all()]
    assert len({box["x"] for box in boxes if box}) == 1, "every suit begins a row"
    ann.page.click(".spot-form summary")
    audit(ann.page)
    assert json.loads(ann.page.evaluate("localStorage.getItem('croupier.settings')"))["language"] == language

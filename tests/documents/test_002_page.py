"""Document 002 as players see it: jacks are drawn as what they do, and a player of a running game cannot leave."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from croupier.clients.terminal.blocks import Focus
from croupier.clients.terminal.words import Words
from croupier.games.sequence import CLASSIC, HOUSE, SequenceRules
from croupier.games.sequence.rules.cards import KINDS, PACK, Kind, is_jack
from croupier.games.sequence.terminal.scene import draw_sequence
from tests.documents.console import snapshot
from tests.games.sequence.play import position
from tests.web.page_server import Visitor

JACKS = [card for card in PACK if is_jack(card)]
PRESETS = pytest.mark.parametrize("rules", [HOUSE, CLASSIC], ids=["house", "classic"])

DRAW = """
async ([cards, jacks]) => {
  const { Hand } = await import("/games/sequence/hand.js");
  const hand = new Hand(() => {});
  hand.show(cards, [], new Set(), null, jacks);
  document.body.append(hand.element);
  const pupil = /a1\\.7 1\\.7/g;
  return [...hand.element.children].map((card) => {
    const eyes = card.querySelector("svg .eyes");
    return [eyes.getBBox().width > 0, eyes.getAttribute("d").match(pupil).length, card.getAttribute("aria-label")];
  });
}
"""


@PRESETS
def test_3_in_the_page_a_jack_has_one_eye_where_it_removes_and_two_where_it_is_wild(
    page: Page, rules: SequenceRules
) -> None:
    drawn = page.evaluate(DRAW, [JACKS, str(rules.jacks)])
    for card, (is_drawn, eyes, label) in zip(JACKS, drawn, strict=True):
        removes = KINDS[rules.jacks][card] is Kind.REMOVE
        assert (is_drawn, eyes) == (True, 1 if removes else 2), card
        assert label.endswith("removes" if removes else "anywhere"), label


@PRESETS
def test_3_in_the_terminal_a_jack_has_a_minus_where_it_removes_and_a_plus_where_it_is_wild(
    rules: SequenceRules,
) -> None:
    view = rules.view(position(" ".join(JACKS), ""), 0)
    hand = draw_sequence(snapshot(rules, view), Words("en"), Focus())[-1].plain
    signs = re.findall(r"J.([+-])", hand)
    assert signs == ["-" if KINDS[rules.jacks][card] is Kind.REMOVE else "+" for card in JACKS]


def test_4_1_once_a_game_runs_the_page_has_a_button_to_leave_for_spectators_only(
    visit: Callable[[str], Visitor],
) -> None:
    ann = visit("/")
    ann.page.click("[data-create=sequence]")
    ann.page.fill("dialog [name=seats]", "2")
    ann.page.click("dialog form .primary")
    code = ann.page.locator(".big-code").inner_text()
    leave = ann.page.get_by_role("button", name="Leave")
    expect(leave).to_be_visible()
    ann.page.get_by_role("button", name="Add a bot", exact=True).first.click()
    ann.page.click("dialog [data-bot=builder]")
    ben = visit(f"/#/room/{code}")
    ben.page.fill("[name=nickname]", "Ben")
    ben.page.click(".door .primary")
    ann.page.get_by_role("button", name="Start the game").click()
    ann.page.wait_for_selector(".sequence")
    expect(leave).to_be_hidden()
    ben.page.wait_for_selector(".sequence")
    expect(ben.page.get_by_role("button", name="Leave")).to_be_visible()

"""Every page at the sizes that people have: what one must press is in sight, and nothing covers it."""

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page

from tests.web.page_server import ASKS_THE_LAB, Visitor
from tests.web.screens import SCREENS, Visit, blackjack_bet, lab_strategy, lobby, poker_four, waiting

SIZES: Final = {
    "laptop": (1366, 768),
    "small": (1280, 800),
    "desktop": (1920, 1080),
    "phone": (390, 844),
    "sideways": (844, 390),
}

HIDDEN: Final = """(selectors) => {
  // What still flies is let land.
  for (const each of document.getAnimations())
    if (each.effect.getComputedTiming().iterations !== Infinity) each.finish();
  const faults = [];
  for (const selector of selectors) {
    const found = [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
    if (!found.length) faults.push(`${selector}: there is none`);
    for (const element of found) {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      const said = `${selector} at ${[left, top, right, bottom].map(Math.round)}`;
      if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) faults.push(`${said}: outside`);
      else {
        const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        const pressed = element.matches('button, a, input, label');
        const near = !pressed || above && (element.contains(above) || above.contains(element));
        if (!near) faults.push(`${said}: under ${above?.tagName}.${above?.className?.baseVal ?? above?.className}`);
      }
    }
  }
  return faults;
}"""
"""What is not whole within the window, or lies under something else."""


CUT_OFF: Final = """(selectors) => {
  const place = document.querySelector('.stage').getBoundingClientRect();
  return selectors.flatMap((selector) => [...document.querySelectorAll(selector)])
    .map((each) => [each.textContent, each.getBoundingClientRect()])
    .filter(([, { left, right }]) => left < place.left - 1 || right > place.right + 1)
    .map(([said, { left, right }]) => `${said} at ${Math.round(left)} to ${Math.round(right)}`);
}"""
"""What reaches over the sides of the table's place."""


SHORTENED: Final = """() => [...document.querySelectorAll('main *')]
  .filter((each) => each.checkVisibility() && each.textContent.trim())
  .filter((each) => ['hidden', 'clip'].includes(getComputedStyle(each).overflowY))
  .filter((each) => each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1)
  .map((each) => `${each.tagName}.${each.className}: ${each.textContent.slice(0, 60)}`)"""
"""The texts of which a part is not shown, and cannot be scrolled to."""

SPEAK: Final = """async ([language, selector, key]) => {
  const { changeSettings } = await import("/js/settings.js");
  const { currentLanguage, t } = await import("/js/texts.js");
  changeSettings({ language });
  const isSpoken = () =>
    currentLanguage() === language && document.querySelector(selector)?.textContent.includes(t(key));
  while (!isSpoken()) await new Promise(requestAnimationFrame);
}"""
"""Changes the language; done when the page is there in it."""


def hidden(page: Page, selectors: tuple[str, ...]) -> list[str]:
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    faults: list[str] = page.evaluate(HIDDEN, list(selectors))
    return faults


@pytest.mark.parametrize(
    "screen",
    [pytest.param(name, marks=ASKS_THE_LAB if name.startswith("lab") else ()) for name in SCREENS],
)
def test_what_one_must_press_is_in_sight(visit: Visit, screen: str) -> None:
    """A page is the same at a size whether it was opened there or made so: one visit does for all sizes."""
    reach, selectors = SCREENS[screen]
    page = reach(visit).page
    faults = []
    if screen == "ended":
        assert page.locator(".flying").count() == 0, "no chips fly over the end of a match"
    for name, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => scrollTo(0, 0)")
        faults += [f"{name}: {fault}" for fault in hidden(page, selectors)]
        if page.evaluate("() => document.documentElement.scrollWidth > innerWidth"):
            faults.append(f"{name}: it is wider than the window")
    assert faults == []


@pytest.mark.parametrize("game", ["poker", "blackjack", "sequence"])
def test_the_form_of_a_room_fits_a_desktop_without_scrolling(visit: Visit, game: str) -> None:
    page = visit().page
    page.click(f"[data-create={game}]")
    page.wait_for_selector("dialog form")
    for name in ("laptop", "small", "desktop"):
        width, height = SIZES[name]
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(
            "() => document.querySelector('dialog').scrollHeight <= document.querySelector('dialog').clientHeight"
        ), name
    # What is wrong in a part that is folded away is shown.
    page.evaluate("() => { document.querySelector('dialog [name=pauseSeconds]').value = 999; }")
    page.click("dialog form .primary")
    assert page.locator("dialog [name=pauseSeconds]").is_visible()


def test_chips_and_cards_hide_no_pot_and_controls_no_seat(visit: Visit) -> None:
    """What must be read lies over nothing else that must be read."""
    overlap = """(pairs) => pairs.flatMap(([one, other]) => {
      const boxes = (css) => [...document.querySelectorAll(css)].filter((each) => each.checkVisibility())
        .map((each) => each.getBoundingClientRect());
      return boxes(one).flatMap((a) => boxes(other)
        .filter((b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
        .map((b) => `${one} over ${other}: ${[a.left, a.top, b.left, b.top].map(Math.round)}`));
    })"""
    reached = {
        poker_four: [
            [".total-pot", ".seat .pod"],
            [".total-pot", ".seat > .bet"],
            [".total-pot", ".seat .state"],
            [".boards .slot", ".seat .pod"],
            [".boards .slot", ".seat > .bet"],
        ],
        blackjack_bet: [[".bj-controls", ".bj-pod"], [".bj-controls .say", ".bj-felt"]],
    }
    faults = []
    for reach, pairs in reached.items():
        page = reach(visit).page
        for name, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            found = page.evaluate(overlap, pairs) + page.evaluate(CUT_OFF, [".seat .pod", ".bj-pod"])
            faults += [f"{reach.__name__} {name}: {fault}" for fault in found]
    assert faults == []


@pytest.mark.parametrize(
    ("reach", "selector", "key", "seen"),
    [
        (lobby, ".game-buttons .primary", "web.lobby.play_now", (".game:first-child [data-play]",)),
        (waiting, "[data-do=start]", "web.waiting.start", (".waiting .hint", "[data-do=start]", "[data-do=fill]")),
    ],
)
def test_no_text_before_a_game_is_cut_in_any_language(
    visit: Visit, reach: Callable[[Visit], Visitor], selector: str, key: str, seen: tuple[str, ...]
) -> None:
    page = reach(visit).page
    faults = []
    for language in ("en", "ko", "zh", "ru"):
        page.evaluate(SPEAK, [language, selector, key])
        for name, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            found = hidden(page, seen) + page.evaluate(SHORTENED)
            faults += [f"{language} {name}: {fault}" for fault in found]
    assert faults == []


SQUEEZED: Final = """() => [...document.querySelectorAll('.option > span:first-child')]
  .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height > 100)
  .map((each) => `${each.textContent}: ${Math.round(each.getBoundingClientRect().width)} px wide`)"""
"""The labels that have so little room that their words are torn apart."""


@ASKS_THE_LAB
def test_the_rules_of_the_strategy_table_have_room_for_their_labels(visit: Visit) -> None:
    page = lab_strategy(visit).page
    faults = []
    for language in ("ru", "en"):
        page.evaluate(SPEAK, [language, "h1", "web.lab.strategy.title"])
        page.wait_for_selector(".strategy-grid")
        for name, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            faults += [f"{language} {name}: {fault}" for fault in page.evaluate(SQUEEZED)]
    assert faults == []


def test_a_name_that_is_cut_short_keeps_its_number(visit: Visit) -> None:
    """Six bots of one kind differ by nothing else."""
    page = visit().page
    cut = page.evaluate("""async () => {
      const { h, setName } = await import("/js/dom.js");
      const name = h("b", { class: "name" });
      const narrow = h("div", {}, name);
      narrow.style.setProperty("width", "4rem");
      document.body.append(narrow);
      return ["Bartholomew the Great 12", "Bartholomew the Great (2)"].map((said) => {
        setName(name, said);
        const [start, end] = name.children;
        const isInside = end.getBoundingClientRect().right <= narrow.getBoundingClientRect().right;
        return [name.textContent === said, start.scrollWidth > start.clientWidth, isInside];
      });
    }""")
    assert cut == [[True, True, True]] * 2

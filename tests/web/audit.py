"""What every screen must keep: names for all controls, contrast of all texts, no text missing, nothing off to the side.

Texts are looked for in one language only: another test holds that all languages have the same.
"""

import re
from typing import Final, Literal

from playwright.sync_api import Page

NAMED: Final = {
    "button",
    "link",
    "textbox",
    "combobox",
    "checkbox",
    "switch",
    "slider",
    "spinbutton",
    "tab",
    "tabpanel",
    "image",
    "dialog",
    "progressbar",
    "region",
    "grid",
    "navigation",
}
"""The roles in the accessibility tree that a screen reader calls by a name."""
THEMES: Final[tuple[Literal["dark", "light"], ...]] = ("dark", "light")
SCROLLS: Final = ".scroll-x, .hand-list, .sequence-seats, .standings-place"
"""What may be scrolled sideways: lists that say so by their look, and can be scrolled by keys."""

SIDEWAYS = """(allowed) => [document.documentElement, ...document.body.querySelectorAll("*")]
  .filter((element) => element === document.documentElement
    || ["auto", "scroll"].includes(getComputedStyle(element).overflowX))
  .filter((element) => element.clientWidth && element.scrollWidth > element.clientWidth + 1)
  .filter((element) => !element.matches(allowed))
  .map((element) => `${element.tagName}.${element.className}: ${element.scrollWidth} > ${element.clientWidth}`)"""

CONTRAST = """async () => {
  await new Promise(requestAnimationFrame);
  const ends = document.getAnimations().filter((each) => each.effect.getComputedTiming().iterations !== Infinity);
  await Promise.allSettled(ends.map((each) => each.finished));
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (colour) => {
    if (!known.has(colour)) known.set(colour, measured(colour));
    return known.get(colour);
  };
  const measured = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const light = ([r, g, b]) => [r, g, b].map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, place) => sum + part * [0.2126, 0.7152, 0.0722][place], 0);
  const over = (top, below) => top.slice(0, 3).map((part, place) => part * top[3] + below[place] * (1 - top[3]));
  const ground = (element) => {
    const layers = [];
    for (let each = element; each; each = each.parentElement) {
      const colour = rgba(getComputedStyle(each).backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
  };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    const seen = element.checkVisibility({ opacityProperty: true });
    if (!/[\\p{L}\\p{N}]/u.test(text) || !seen || element.closest(".unseen, [aria-hidden=true], svg")) continue;
    const style = getComputedStyle(element);
    const below = ground(element);
    const [a, b] = [light(over(rgba(style.color), below)), light(below)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < (large ? 3 : 4.5)) poor.push(`${text.slice(0, 30)}: ${ratio.toFixed(2)}`);
  }
  return poor;
}"""


def nameless(page: Page) -> list[str]:
    """The controls and pictures of the accessibility tree that have no name."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    seen = [node for node in nodes if not node["ignored"] and node["role"]["value"] in NAMED]
    assert seen, "there is something on every screen"
    return [node["role"]["value"] for node in seen if not node.get("name", {}).get("value", "").strip()]


def audit(page: Page) -> None:
    """The screen as it is, in the light and in the dark. Motion is off from here on: colours are measured at rest."""
    assert nameless(page) == []
    for theme in THEMES:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        poor = page.evaluate(CONTRAST)
        assert not poor, f"{theme}: {poor}"
    assert page.evaluate(SIDEWAYS, SCROLLS) == []
    assert not re.search(r"\bweb\.[a-z]+\.", page.inner_text("body")), "a text is missing"

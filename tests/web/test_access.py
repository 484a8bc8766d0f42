"""Who cannot see or point, and who has a slow line: names, contrast, focus, weight."""

from collections.abc import Callable

import pytest

from tests.web.house import Visitor

Visit = Callable[..., Visitor]
FIRST_LOAD_BYTES_MAX = 200_000

NAMELESS = """() => [...document.querySelectorAll(
    "button, a[href], input, select, img, dialog, [role=img], [role=group]")]
  .filter((element) => element.checkVisibility())
  .filter((element) => !(element.getAttribute("aria-label") || element.getAttribute("alt") || element.labels?.length
    || document.getElementById(element.getAttribute("aria-labelledby") ?? "")?.textContent.trim()
    || element.textContent.trim()))
  .map((element) => element.outerHTML.slice(0, 120))"""

CONTRAST = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
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


def _audit(visitor: Visitor) -> None:
    assert visitor.page.evaluate(NAMELESS) == []
    assert visitor.page.evaluate(CONTRAST) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_control_has_a_name_and_every_text_contrast(visit: Visit, theme: str) -> None:
    ann = visit(color_scheme=theme, reduced_motion="reduce")
    _audit(ann)
    ann.page.click("[data-create=holdem]")
    _audit(ann)
    ann.page.keyboard.press("Escape")
    ann.open_room(seats=3, turnSeconds=60)
    _audit(ann)
    for _ in range(2):
        ann.page.get_by_role("button", name="Add a bot", exact=True).first.click()
        ann.page.click("dialog [data-bot=caller]")
    ann.page.get_by_role("button", name="Start the game").click()
    ann.page.wait_for_selector(".controls.active")
    _audit(ann)
    ann.page.get_by_role("tab", name="People").click()
    _audit(ann)
    for opener in (".trust", ".seat:not(.own) .pod", "[aria-label=Settings]"):
        ann.page.locator(opener).first.click()
        _audit(ann)
        ann.page.keyboard.press("Escape")


def test_the_first_load_is_light(visit: Visit) -> None:
    ann = visit()
    weights: list[float] = []
    session = ann.context.new_cdp_session(ann.page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    session.on("Network.loadingFinished", lambda event: weights.append(event["encodedDataLength"]))
    ann.page.reload()
    ann.page.wait_for_selector("html[data-ready=true]")
    ann.page.wait_for_timeout(200)
    assert len(weights) > 10
    assert sum(weights) < FIRST_LOAD_BYTES_MAX


def test_the_focus_does_not_get_lost_when_a_button_goes(visit: Visit) -> None:
    ann = visit()
    ann.page.click("[data-play=holdem]")
    ann.page.wait_for_selector(".controls.active")
    ann.page.locator(".action.fold").focus()
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_selector(".seat.own.out")
    assert ann.page.evaluate("document.activeElement.closest('.controls') !== null")


def test_the_same_words_are_told_again(visit: Visit) -> None:
    ann = visit()
    ann.page.evaluate("import('/js/speech.js').then(({ tell }) => { tell('Ann checks.'); tell('Ann checks.'); })")
    assert ann.page.locator("[aria-live=polite] p").all_inner_texts() == ["Ann checks.", "Ann checks."]
    assert ann.page.locator("[aria-live=polite]").count() == 1

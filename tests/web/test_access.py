"""Who cannot see or point, and who has a slow line: names, contrast, focus, weight."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.web.audit import audit
from tests.web.page_server import Visitor

Visit = Callable[..., Visitor]
FIRST_LOAD_BYTES_MAX = 200_000


def test_every_control_has_a_name_and_every_text_contrast(visit: Visit) -> None:
    ann = visit(reduced_motion="reduce")
    audit(ann.page)
    ann.page.click("[data-create=poker]")
    ann.page.wait_for_selector("dialog form")
    audit(ann.page)
    ann.page.keyboard.press("Escape")
    ann.open_room(seats=3, turnSeconds=60)
    audit(ann.page)
    for _ in range(2):
        ann.page.get_by_role("button", name="Add a bot", exact=True).first.click()
        ann.page.click("dialog [data-bot=caller]")
    ann.page.get_by_role("button", name="Start the game").click()
    ann.page.wait_for_selector(".controls.active")
    audit(ann.page)
    ann.page.get_by_role("tab", name="People").click()
    audit(ann.page)
    for opener in (".trust", ".seat:not(.own) .pod", "[aria-label=Settings]"):
        ann.page.locator(opener).first.click()
        audit(ann.page)
        ann.page.keyboard.press("Escape")


def test_the_first_load_is_light(visit: Visit) -> None:
    """Everything that is fetched until nothing more is, also what the lobby fetches ahead for a table."""
    ann = visit()
    ann.page.wait_for_load_state("networkidle")
    weights: list[float] = []
    session = ann.context.new_cdp_session(ann.page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    session.on("Network.loadingFinished", lambda event: weights.append(event["encodedDataLength"]))
    ann.page.reload()
    ann.page.wait_for_selector("html[data-ready=true]")
    ann.page.wait_for_load_state("networkidle")
    assert len(weights) > 10
    assert sum(weights) < FIRST_LOAD_BYTES_MAX


def test_the_focus_does_not_get_lost_when_a_button_goes(visit: Visit) -> None:
    ann = visit()
    ann.page.click("[data-play=poker]")
    ann.page.wait_for_selector(".controls.active")
    ann.page.locator(".action.fold").focus()
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_selector(".seat.own.out")
    assert ann.page.evaluate("document.activeElement.closest('.controls') !== null")


def test_the_focus_goes_along_when_the_game_begins(visit: Visit) -> None:
    ann = visit()
    ann.open_room(seats=2)
    ann.page.click("[data-do=bot]")
    ann.page.click("dialog [data-bot=caller]")
    ann.page.locator("[data-do=start]").press("Enter")
    ann.page.wait_for_selector(".controls.active")
    assert ann.page.evaluate("document.activeElement.tagName") == "H1"


def test_short_messages_do_not_pile_up(visit: Visit) -> None:
    page = visit().page
    page.evaluate("""async () => {
      const { toast } = await import("/js/toast.js");
      for (const text of ["one", "two", "two", "three", "two", "four", "four"]) toast(text);
    }""")
    expect(page.locator(".toast")).to_have_text(["three", "two", "four"])


def test_the_same_words_are_told_again(visit: Visit) -> None:
    ann = visit()
    ann.page.evaluate("import('/js/speech.js').then(({ tell }) => { tell('Ann checks.'); tell('Ann checks.'); })")
    assert ann.page.locator("[aria-live=polite] p").all_inner_texts() == ["Ann checks.", "Ann checks."]
    assert ann.page.locator("[aria-live=polite]").count() == 1


def test_a_table_says_whose_bet_and_whose_turn_it_is(visit: Visit) -> None:
    ann = visit()
    ann.page.get_by_role("button", name="Play now against bots: Poker").click()
    ann.page.wait_for_selector(".controls.active")
    expect(ann.page.get_by_role("heading", level=1, name="Poker")).to_be_attached()
    assert ann.page.locator(".pod[aria-current=true]").count() == 1
    expect(ann.page.locator(".seat.own .pod")).to_have_attribute("aria-current", "true")
    bets = ann.page.locator(".seat .bet:visible").all_text_contents()
    assert bets
    assert all(bet.startswith("Bet") for bet in bets)


def test_what_happens_is_told_once_also_over_an_open_dialog(visit: Visit) -> None:
    ann = visit()
    ann.page.click("[data-play=poker]")
    ann.page.wait_for_selector(".controls.active")
    told = ann.page.locator("[aria-live=polite] p").all_inner_texts()
    turns = [line for line in told if line.startswith("Your turn")]
    assert len(turns) == 1
    assert ann.page.locator("[role=status]:visible").count() == 0, "no second region says the same"
    ann.page.click(".code-button")
    ann.page.get_by_role("button", name="Copy the link").click()
    ann.page.wait_for_selector("dialog[open] [aria-live=polite] p")
    toast = ann.page.locator(".toast").last
    assert toast.evaluate("(e) => e.closest('.toasts').matches(':popover-open')"), "it lies over the dialog"
    ann.page.keyboard.press("Escape")


def test_the_lobby_changes_its_language_and_keeps_what_was_written(visit: Visit) -> None:
    ann = visit()
    ann.page.fill("#nickname", "Ada")
    ann.page.focus(".language select")
    ann.page.select_option(".language select", "ru")
    expect(ann.page.locator("html")).to_have_attribute("lang", "ru")
    expect(ann.page.locator(".language select")).to_be_focused()
    assert ann.page.input_value("#nickname") == "Ada"

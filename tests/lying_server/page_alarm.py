"""What an alarm of the page must be: unmistakable, and the end of betting until the player has decided."""

import json
from pathlib import Path

from playwright.sync_api import expect

from croupier import locales
from croupier.table.commands import Play, RoomLeave
from tests.lying_server.page_table import BETTING, PageTable


def check_words(table: PageTable, code: str, language: str = "en") -> None:
    """Who did what, in a full sentence; what to do; and where the evidence is."""
    alarm, texts = table.alarm, locales.catalogue(language)
    expect(alarm).to_be_visible()
    assert alarm.get_attribute("role") == "alertdialog"
    expect(alarm.locator("h2")).to_have_text(texts["web.alarm.title"])
    beginning, _, _ = texts[f"finding.{code}"].partition("{")
    expect(alarm.locator(".faults li").first).to_contain_text(beginning)
    for key in ("stopped", "advice", "save", "leave", "go_on"):
        expect(alarm).to_contain_text(texts[f"web.alarm.{key}"])


def check_nothing_is_bet(table: PageTable) -> None:
    """Neither Escape nor a click beside the alarm is a decision, and no key and no button bets."""
    before = len(table.heard(Play))
    table.page.keyboard.press("Escape")
    table.page.mouse.click(5, 5)
    for key in ("KeyC", "KeyF", "KeyA", "KeyR"):
        table.page.keyboard.press(key)
    expect(table.alarm).to_be_visible()
    assert not table.page.locator(BETTING).count()
    assert len(table.heard(Play)) == before


def check_evidence(table: PageTable, code: str) -> None:
    """The player's own log is there to be saved, and tells of the alarm."""
    with table.page.expect_download() as saved:
        table.alarm.locator("[data-download=mine]").click()
    lines = Path(saved.value.path()).read_text(encoding="utf-8").splitlines()
    assert code in [found["code"] for line in lines for found in json.loads(line).get("alarms", ())]


def check_going_on(table: PageTable) -> None:
    """The player goes on, and the server lies no more: the game goes on."""
    table.tell_truth()
    table.alarm.locator("[data-do=go-on]").click()
    expect(table.alarm).to_have_count(0)
    if table.room.phase == "lobby":
        table.start()
    assert table.bets(), table.alarm.locator(".faults").all_inner_texts()


def check_leaving(table: PageTable) -> None:
    """The player leaves."""
    table.alarm.locator("[data-do=leave]").click()
    expect(table.page.locator("[data-play=poker]")).to_be_visible()
    assert table.heard(RoomLeave)

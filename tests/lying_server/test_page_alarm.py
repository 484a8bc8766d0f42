"""Alarms of the page besides the single attacks: what is no alarm, what a reload does not undo, other languages, and
the same over plain HTTP in the network."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from croupier import locales
from croupier.table.commands import DealCut
from croupier.table.room import Room
from tests.lying_server.liar import Listener
from tests.lying_server.page_alarm import check_evidence, check_going_on, check_nothing_is_bet, check_words
from tests.lying_server.page_attacks_cards import (
    a_context_with_spaces,
    a_hole_card_without_an_opening,
    without_openings,
)
from tests.lying_server.page_attacks_deals import same_promise_under_a_second_seal_after_a_reload
from tests.lying_server.page_table import BOARD, OWN_CARDS, LyingPageServer, PageTable
from tests.web.page_server import arrive

ENGLISH = locales.catalogue("en")
PHONE = {"width": 390, "height": 844}


def said(table: PageTable, code: str) -> Locator:
    """The quiet lines about one finding."""
    beginning, _, _ = ENGLISH[f"finding.{code}"].partition("{")
    return table.page.locator(".lines li", has_text=beginning)


def test_a_cut_that_comes_too_late_is_one_quiet_line(table: PageTable) -> None:
    """Ann's line is slow: she hears of the deal when its time is over."""
    table.sit_down(cutSeconds=1)
    held: list[dict[str, Any]] = []

    def twist(listener: Listener, state: dict[str, Any]) -> list[dict[str, Any]]:
        if listener.person != table.ann_id or state["public"]["phase"] == "lobby":
            return [state]
        held.append(state)
        if state["public"]["waitsFor"] and state["public"]["deal"] == 1:
            return []
        parts = {name: [each for frame in held for each in frame[name]] for name in ("deals", "moves", "openings")}
        whole = any(frame["whole"] for frame in held)
        held.clear()
        return [{**state, **parts, "whole": whole}]

    table.liar.twist = twist
    table.start()
    expect(said(table, "CUT_TOO_LATE")).to_have_count(1)
    assert not table.alarm.count()
    assert table.bets(), "and she plays the next hand"
    expect(said(table, "CUT_TOO_LATE")).to_have_count(1)


def test_a_cut_that_does_not_count_is_a_line_and_the_second_time_an_alarm(table: PageTable) -> None:
    """The server drops what Ann gives, and never says that it had it."""
    table.sit_down(cutSeconds=1)

    def answer(room: Room, who: str, command: Any) -> str:
        is_cut = isinstance(command, DealCut) and who == table.ann_id and room.deals == command.deal
        return "BUSY" if is_cut and room.cutting else ""

    table.liar.answer = answer
    table.start()
    expect(said(table, "CUT_NOT_COUNTED")).to_have_count(1)
    assert not table.alarm.count()
    expect(table.alarm).to_be_visible()
    check_words(table, "MISSING_THOUGH_CUT")
    check_nothing_is_bet(table)
    check_evidence(table, "MISSING_THOUGH_CUT")
    check_going_on(table)


def test_an_alarm_holds_across_a_reload(table: PageTable) -> None:
    assert not a_hole_card_without_an_opening(table)
    table.reload()
    check_words(table, "VIEW_MISMATCH")
    check_nothing_is_bet(table)
    assert not table.page.locator(OWN_CARDS).count()
    check_evidence(table, "VIEW_MISMATCH")
    check_going_on(table)


def test_a_card_of_the_board_without_an_opening_is_not_drawn(table: PageTable) -> None:
    table.sit_down()
    without_openings(table, lambda k: k < 4)
    table.start()
    assert table.bets()
    assert not table.sees(BOARD)
    check_words(table, "CARD_WITHOUT_PROOF")
    assert table.page.locator(OWN_CARDS).count() == 2, "what was proved stays"
    assert not table.page.locator(BOARD).count()


def test_what_only_the_server_says_is_not_drawn_as_a_card(table: PageTable) -> None:
    """The story of what happened before, and a name that has the page's own mark for a card in it."""
    table.sit_down()
    mark = " \ue000As"

    def twist(listener: Listener, state: dict[str, Any]) -> list[dict[str, Any]]:
        members = [{**member, "name": member["name"] + mark} for member in state["public"]["members"]]
        return [{**state, "public": {**state["public"], "members": members}}]

    told = [
        {"type": "HOLDEM_STREET_DEALT", "street": "FLOP", "cards": ["As", "Ks", "Qs"], "board": 0},
        {"type": "HOLDEM_ACTED", "seat": 0, "move": "CHECK", "amount": 0, "to": 0, "allIn": False},
    ]
    lines = [{"kind": "EVENT", "atMs": 1, "event": event, "names": [f"Eve{mark}", "Ann", ""]} for event in told]
    story = {"type": "ROOM_STORY", "roomCode": table.room.code, "lines": lines}
    table.actor._story.encode = lambda code: json.dumps(story).encode()  # type: ignore[method-assign]
    table.liar.twist = twist
    table.start()
    assert table.bets()
    said = table.page.locator(".lines li", has_text="Eve As")
    expect(said.first).to_be_attached()
    assert not said.locator(".small-card").count()
    table.reload()
    expect(table.page.locator(".lines .origin")).to_have_text(ENGLISH["web.side.story"])
    expect(table.page.locator(".lines .told").nth(1)).to_contain_text("ace of spades")
    expect(table.page.locator(".lines .told").nth(2)).to_contain_text("Eve As")
    assert not table.page.locator(".lines .told .small-card").count()
    assert not table.alarm.count()


@pytest.mark.parametrize("nonsense", [{"roomCode": None}, {"members": None}, {"deal": "x"}], ids=str)
def test_a_frame_that_cannot_be_read_is_an_alarm(table: PageTable, nonsense: dict[str, Any]) -> None:
    table.sit_down()
    table.liar.twist = lambda listener, state: [{**state, "public": {**state["public"], **nonsense}}]
    table.start()
    check_words(table, "STATE_MALFORMED")
    check_nothing_is_bet(table)


@pytest.fixture
def stranger(lying_page_server: LyingPageServer, browser: Browser) -> Iterator[Any]:
    """Another visitor, with settings of their own."""
    tables: list[PageTable] = []

    def come(link: str = "", **options: Any) -> PageTable:
        visitor = arrive(browser, link or lying_page_server.link, **options)
        visitor.enter()
        tables.append(PageTable(lying_page_server, visitor))
        return tables[-1]

    yield come
    for table in tables:
        table.close()
        assert table.ann.complaints == []
        table.ann.context.close()


@pytest.mark.parametrize("language", [language for language in locales.LANGUAGES if language != "en"])
def test_the_alarm_speaks_the_players_language_and_fits_a_phone(stranger: Any, language: str) -> None:
    table = stranger(viewport=PHONE, settings={"language": language})
    assert not a_context_with_spaces(table)
    check_words(table, "CONTEXT_NOT_CANONICAL", language)
    for button in table.alarm.locator("button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
        assert box["y"] + box["height"] <= PHONE["height"]


def test_over_plain_http_in_the_network_the_page_plays_checks_and_remembers(
    stranger: Any, lying_page_server: LyingPageServer
) -> None:
    table = stranger(lying_page_server.lan_link)
    assert not table.page.evaluate("isSecureContext || Boolean(crypto.subtle)")
    table.sit_down()
    table.start()
    assert table.plays_hand()
    table.reload()
    assert table.bets()
    assert int(table.page.locator(".trust").inner_text()) >= 2
    table.close()
    again = PageTable(lying_page_server, table.ann)
    assert not same_promise_under_a_second_seal_after_a_reload(again)
    check_words(again, "PROMISE_SEALED_TWICE")
    again.close()

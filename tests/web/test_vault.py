"""The browser's vault: put once, append only, for all tabs and reloads, and over plain HTTP from another machine."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.web.page_server import PageServer, Visitor


def _in_vault(page: Page, script: str) -> Any:
    return page.evaluate(f"async () => {{ const {{ vault }} = await import('/js/fairness/vault.js'); {script} }}")


@pytest.fixture(params=["this machine", "plain HTTP in the network"])
def page(request: pytest.FixtureRequest, page_server: PageServer, visit: Callable[..., Visitor]) -> Page:
    if request.param == "this machine":
        return visit().page
    page = visit(link=page_server.lan_link).page
    assert not page.evaluate("isSecureContext || Boolean(crypto.subtle) || Boolean(navigator.locks)")
    return page


def test_a_value_is_put_once_and_stays(page: Page) -> None:
    put = "return [await vault.get('a/key'), await vault.put('a/key', 'first'), await vault.put('a/key', 'second')]"
    assert _in_vault(page, put) == [None, True, False]
    page.reload()
    assert _in_vault(page, "return [await vault.put('a/key', 'third'), await vault.get('a/key')]") == [False, "first"]


def test_a_log_only_grows_and_other_logs_are_apart(page: Page) -> None:
    _in_vault(page, "for (const line of ['한 줄', 'two']) await vault.append('casino/ann', line)")
    page.reload()
    _in_vault(page, "await vault.append('casino/bob', 'other'); await vault.append('casino/ann', 'three')")
    read = "return [await vault.lines('casino/ann'), await vault.lines('casino/ann', 2), await vault.lines('nobody')]"
    assert _in_vault(page, read) == [["한 줄", "two", "three"], ["three"], []]


def test_of_two_tabs_at_once_one_puts_and_the_other_sees_its_lines(page: Page) -> None:
    other = page.context.new_page()
    other.goto(page.url)
    race = """const won = [];
        for (let key = 0; key < 20; key++) won.push(await vault.put(`race/${key}`, '%s'));
        await vault.append('race', '%s');
        return won;"""
    begin = "() => { window.race = import('/js/fairness/vault.js').then(async ({ vault }) => { %s }) }"
    for tab, name in ((page, "one"), (other, "other")):
        tab.evaluate(begin % (race % (name, name)))
    wins = [tab.evaluate("() => window.race") for tab in (page, other)]
    assert [mine + theirs for mine, theirs in zip(*wins, strict=True)] == [1] * 20
    assert sorted(_in_vault(page, "return vault.lines('race')")) == ["one", "other"]


@pytest.mark.parametrize("name", ["", "../up", "A", "a//b", "a b", "a.b", "a" * 101])
def test_the_names_are_those_of_the_other_clients(visit: Callable[..., Visitor], name: str) -> None:
    refused = "try { await vault.put(%r, 'x'); return '' } catch (error) { return error.message }"
    assert "no name in a vault" in _in_vault(visit().page, refused % name)


def test_a_browser_that_keeps_nothing_says_so(visit: Callable[..., Visitor]) -> None:
    ann = visit()
    ann.context.add_init_script("indexedDB.open = () => { throw new DOMException('kept nowhere', 'SecurityError') }")
    ann.page.reload()
    refused = "try { await vault.put('key', 'x'); return '' } catch (error) { return error.name }"
    assert _in_vault(ann.page, refused) == "SecurityError"

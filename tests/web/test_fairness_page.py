"""The fairness page: what a deal is protected from, in every language, from wherever somebody may wonder."""

import re
from collections.abc import Callable

import pytest

from croupier.locales import LANGUAGES, catalogue
from tests.web.audit import audit
from tests.web.page_server import PHONE, Visitor

Visit = Callable[..., Visitor]


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_says_everything_in_the_readers_language(visit: Visit, language: str) -> None:
    ann = visit("/#/fairness", settings={"language": language}, viewport=PHONE)
    shown = ann.text("main.fairness")
    texts = {key: text for key, text in catalogue(language).items() if key.startswith("web.fairness.")}
    assert [key for key, text in texts.items() if text not in shown and key != "web.fairness.enter"] == []
    assert re.findall(r"web\.\w+", shown) == []
    assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it fits a phone"


@pytest.mark.parametrize("path", ["/", "/#/verify"])
def test_it_is_one_step_away(visit: Visit, path: str) -> None:
    ann = visit(path, reduced_motion="reduce")
    audit(ann.page)
    ann.page.get_by_role("link", name=catalogue("en")["web.fairness.enter"]).click()
    ann.page.wait_for_selector("main.fairness")
    audit(ann.page)
    ann.page.click("main.fairness a[href='#/verify']")
    ann.page.wait_for_selector("main.verify")

"""One lying server, one browser and one visitor for a file of tests of the page; each test has a table of its own."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.lying_server.page_table import LyingHouse, PageTable
from tests.web.house import Visitor, arrive, chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Of a file, not of the run: its driver keeps an event loop going, which other tests must not meet."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def lying_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LyingHouse]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        made = LyingHouse(tmp_path_factory.mktemp("lies") / "rooms.db", monkeypatch)
        made.start()
        yield made
        made.stop()


@pytest.fixture(scope="module")
def ann(lying_house: LyingHouse, browser: Browser) -> Iterator[Visitor]:
    """What she remembers of one table is no matter at the next."""
    visitor = arrive(browser, lying_house.link)
    visitor.enter()
    yield visitor
    visitor.context.close()


@pytest.fixture
def table(lying_house: LyingHouse, ann: Visitor) -> Iterator[PageTable]:
    made = PageTable(lying_house, ann)
    yield made
    made.close()
    assert ann.complaints == [], "the page stumbles over no lie"

"""One lying server, one browser and one visitor for a file of tests of the page; each test has a table of its own."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.lying_server.page_table import LyingPageServer, PageTable
from tests.web.page_server import Visitor, arrive, chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Of a file, not of the run: its driver keeps an event loop going, which other tests must not meet."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def lying_page_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LyingPageServer]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        made = LyingPageServer(tmp_path_factory.mktemp("lies") / "rooms.db", monkeypatch)
        made.start()
        yield made
        made.stop()


@pytest.fixture(scope="module")
def ann(lying_page_server: LyingPageServer, browser: Browser) -> Iterator[Visitor]:
    """What she remembers of one table is no matter at the next."""
    visitor = arrive(browser, lying_page_server.link)
    visitor.enter()
    yield visitor
    visitor.context.close()


@pytest.fixture
def table(lying_page_server: LyingPageServer, ann: Visitor) -> Iterator[PageTable]:
    made = PageTable(lying_page_server, ann)
    yield made
    made.close()
    assert ann.complaints == [], "the page stumbles over no lie"

"""One room server and one browser for all tests of the page; every test has visitors of its own."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.web.page_server import PageServer, Visitor, Visitors, arrive, chromium


@pytest.fixture(scope="session")
def page_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageServer]:
    made = PageServer(tmp_path_factory.mktemp("house") / "rooms.db")
    made.start()
    yield made
    made.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="session")
def visitors(page_server: PageServer, browser: Browser) -> Iterator[Visitors]:
    made = Visitors(browser, page_server.link)
    yield made
    made.close()


@pytest.fixture
def visit(visitors: Visitors, browser: Browser) -> Iterator[Callable[..., Visitor]]:
    """Lets visitors in. When they go, their browsers must have had nothing to complain about."""
    here: list[Visitor] = []
    elsewhere: list[Visitor] = []

    def let_in(path: str = "/", link: str = "", on_a_line: bool = False, **options: Any) -> Visitor:
        visitor = arrive(browser, link, **options) if link else visitors.arrive(**options)
        (elsewhere if link else here).append(visitor)
        if on_a_line:
            visitor.put_on_a_line()
        visitor.enter(path)
        return visitor

    yield let_in
    complaints = [complaint for visitor in (*here, *elsewhere) for complaint in visitor.complaints]
    for visitor in elsewhere:
        visitor.context.close()
    for visitor in here:
        visitors.leave(visitor)
    assert complaints == []


@pytest.fixture(scope="module")
def alone(page_server: PageServer, browser: Browser) -> Iterator[Visitor]:
    """One visitor in the lobby for all tests of a module that ask the page's own modules."""
    visitor = arrive(browser, page_server.link)
    visitor.enter()
    yield visitor
    visitor.context.close()
    assert visitor.complaints == []

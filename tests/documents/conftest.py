"""Pages in a real browser, for what documents say about drawings, words and buttons."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page

from tests.web.page_server import PageServer, Visitor, arrive, chromium


@pytest.fixture(scope="module")
def visit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Visitor]]:
    """Let somebody in, with a browser of their own, at a path of one server."""
    page_server = PageServer(tmp_path_factory.mktemp("page") / "rooms.db")
    page_server.start()
    visitors: list[Visitor] = []
    with chromium() as browser:

        def let_in(path: str = "/") -> Visitor:
            visitor = arrive(browser, page_server.link)
            visitors.append(visitor)
            visitor.enter(path)
            return visitor

        yield let_in
        for visitor in visitors:
            visitor.context.close()
    page_server.stop()


@pytest.fixture(scope="module")
def page(visit: Callable[[str], Visitor]) -> Page:
    return visit("/").page

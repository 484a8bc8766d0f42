"""One room server and one browser for all tests of the page; every test has visitors of its own."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.web.house import House, Visitor, arrive, chromium


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    made = House(tmp_path_factory.mktemp("house") / "rooms.db")
    made.start()
    yield made
    made.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def visit(house: House, browser: Browser) -> Iterator[Callable[..., Visitor]]:
    """Lets visitors in. When they go, their browsers must have had nothing to complain about."""
    visitors: list[Visitor] = []

    def let_in(path: str = "/", link: str = "", on_a_line: bool = False, **options: Any) -> Visitor:
        visitor = arrive(browser, link or house.link, **options)
        visitors.append(visitor)
        if on_a_line:
            visitor.put_on_a_line()
        visitor.enter(path)
        return visitor

    yield let_in
    complaints = [complaint for visitor in visitors for complaint in visitor.complaints]
    for visitor in visitors:
        visitor.context.close()
    assert complaints == []

"""`croupier open`: the page from this machine in a real browser, the room on another server."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import uvicorn
from playwright.sync_api import expect

from croupier.server.local_page import HOST, LocalPage, Room, listen_for
from croupier.server.uvicorn_config import uvicorn_config
from tests.web.page_server import START_SECONDS_MAX, PageServer, Visitor


@contextmanager
def local_page(origin: str) -> Iterator[str]:
    """The installed page for the rooms at an origin, in a thread of its own; gives its link."""
    room = Room(origin)
    sockets = listen_for(room, 0)
    port = sockets[0].getsockname()[1]
    config = uvicorn_config(LocalPage(room).app(port), ws="websockets-sansio")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server._serve(sockets)), daemon=True)
    thread.start()
    try:
        yield f"http://{HOST}:{port}"
    finally:
        server.should_exit = True
        thread.join(START_SECONDS_MAX)


def test_the_page_comes_from_here_and_the_room_from_there(
    page_server: PageServer, visit: Callable[..., Visitor]
) -> None:
    """A visitor's complaints hold everything fetched from elsewhere: there must be none. The other sits there."""
    with local_page(page_server.link) as link:
        fetched: list[str] = []
        ann = visit(link=link)
        ann.page.on("request", lambda request: fetched.append(request.url))
        ann.page.reload()
        ann.page.wait_for_selector("html[data-ready=true]")
        ann.page.fill("#nickname", "Ann")
        code = ann.open_room(seats=2)
        # Others are invited to where the room is.
        assert ann.page.input_value("input.link") == f"{page_server.link}/#/room/{code}"

        bob = visit(f"/#/room/{code}")
        bob.page.fill("[name=nickname]", "Bob")
        bob.page.get_by_role("button", name="Take a seat").click()
        for visitor in (ann, bob):
            expect(visitor.page.locator(".waiting .people").first).to_contain_text("Ann")
            expect(visitor.page.locator(".waiting .people").first).to_contain_text("Bob")

        bob.page.get_by_role("button", name="I am ready").click()
        ann.page.get_by_role("button", name="Start the game").click()
        # Both cut, and both see the two cards that were proved to them.
        for visitor in (ann, bob):
            expect(visitor.page.locator(".seat.own .card:not(.back)")).to_have_count(2)
            expect(visitor.page.locator(".trust")).to_have_text("2")

        scripts = [url for url in fetched if urlsplit(url).path.endswith(".js")]
        assert len(scripts) > 20
        assert {urlsplit(url).netloc for url in fetched if not url.startswith("data:")} == {urlsplit(link).netloc}

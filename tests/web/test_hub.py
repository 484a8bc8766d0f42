"""The classroom's hub and the npm client in a browser, on a page of another origin, by every transport."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.server.hub_room import named
from tests.server.signalr_client import installed
from tests.web.page_server import PageServer

DRIVE = """
async ({ hub, transport }) => {
  const options = { transport: signalR.HttpTransportType[transport] };
  const client = new signalR.HubConnectionBuilder().withUrl(hub, options).configureLogging("none").build();
  const heard = [];
  client.on("OnStateChanged", (state) => heard.push(state));
  client.on("OnError", (code, message) => heard.push(code));
  await client.start();
  await client.invoke("Join", "Ann", null);
  await client.invoke("Hit");
  await client.invoke("Leave");
  await client.stop();
  return heard;
}
"""
in_each_transport = pytest.mark.parametrize("transport", ["WebSockets", "ServerSentEvents", "LongPolling"])


class Blank(BaseHTTPRequestHandler):
    """A page with nothing on it."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>a page of a school</title>")

    def log_message(self, *args: Any) -> None:
        pass


@contextmanager
def school() -> Iterator[str]:
    """Another server on this machine, by its origin."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Blank) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def play(browser: Browser, page_link: str, page_server: PageServer, transport: str) -> Any:
    """What a page there hears at the hub here."""
    page = browser.new_page()
    try:
        page.goto(page_link)
        page.add_script_tag(path=installed() / "@microsoft" / "signalr" / "dist" / "browser" / "signalr.js")
        return page.evaluate(DRIVE, {"hub": f"{page_server.link}/hubs/blackjack", "transport": transport})
    finally:
        page.close()


@in_each_transport
def test_a_page_of_an_allowed_origin_plays(browser: Browser, tmp_path: Path, transport: str) -> None:
    with school() as origin:
        page_server = PageServer(tmp_path / "rooms.db", origins=(origin,))
        page_server.start()
        joined, refused, left = play(browser, origin, page_server, transport)
        page_server.stop()
    assert [player["name"] for player in named(joined)["players"]] == ["Ann"]
    assert refused == "GAME_NOT_INROUND"
    assert left["players"] == []


@in_each_transport
def test_a_page_of_another_origin_gets_nothing(browser: Browser, page_server: PageServer, transport: str) -> None:
    with school() as origin, pytest.raises(Exception, match="FailedToNegotiate"):
        play(browser, origin, page_server, transport)

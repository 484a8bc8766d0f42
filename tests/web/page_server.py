"""A card room that runs beside the tests, in a thread of its own, and visitors who come to it in a browser."""

import asyncio
import json
import secrets
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from importlib.resources.abc import Traversable
from itertools import chain
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, WebSocketRoute, sync_playwright

from croupier.cards import PACK
from croupier.dealing.seeds import commitment
from croupier.dealing.shuffle import shuffle
from croupier.games.blackjack import CASINO
from croupier.server import web_files
from croupier.store.open import open_store
from tests.server.live import Live, live

FLAGS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
BROWSERS: Final = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"
ASKS_THE_LAB: Final = pytest.mark.xdist_group("lab")
"""Such tests run in one process: the lab starts processes of its own, and loads its kernels, once for them all."""
LAN_NAME: Final = "table.lan"
"""The server's name as a browser elsewhere in the network would write it: a page that is not secure."""
DESKTOP: Final[ViewportSize] = {"width": 1280, "height": 800}
PHONE: Final[ViewportSize] = {"width": 360, "height": 640}
START_SECONDS_MAX: Final = 20.0
SEEDS_TRIED_MAX: Final = 50_000


@contextmanager
def newer_files(newer: dict[str, bytes]) -> Iterator[None]:
    """Within this, a server that starts has other files of the page than those that are installed."""
    read = web_files._under

    def changed(folder: Traversable, path: str) -> dict[str, web_files.WebFile]:
        found = dict(read(folder, path))
        made = web_files.web_file
        return {name: made(newer.get(name, file.content), file.media_type) for name, file in found.items()}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(web_files, "_under", changed)
        yield


class PageServer:
    """A server that can be stopped and started again at the same address, with the same store."""

    def __init__(self, store_file: Path, port: int = 0, **settings: Any) -> None:
        self._store_file = store_file
        self._settings = {"bot_delay_seconds": 0.02, **settings}
        self._port = port
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._seeds: dict[str, str] = {}
        self.newer: dict[str, bytes] = {}
        """Files of the page that are other ones from the next start on."""

    def _new_seed(self) -> str:
        seed = secrets.token_hex(32)
        self._seeds[commitment(seed)] = seed
        return seed

    def client_seed(self, server_seed_hash: str, wanted: Callable[[str, str], bool]) -> str:
        """A client seed that makes the next casino round what a test needs: `wanted` is told the player's two cards
        and the dealer's open one, as ranks. Nobody outside this server could find one: the server's seed is secret."""
        pack, server_seed = PACK * CASINO.decks, self._seeds[server_seed_hash]
        for number in range(SEEDS_TRIED_MAX):
            first, up, second = (str(card)[0] for card in shuffle(pack, server_seed, f"client seed {number}", 0)[:3])
            if wanted(first + second, up):
                return f"client seed {number}"
        raise AssertionError("no such deal")

    @property
    def link(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def lan_link(self) -> str:
        return f"http://{LAN_NAME}:{self._port}"

    def start(self) -> None:
        ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(ready)), daemon=True)
        self._thread.start()
        assert ready.wait(START_SECONDS_MAX), "the server did not start"

    def stop(self) -> None:
        assert self._loop is not None
        assert self._stop is not None
        assert self._thread is not None
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(START_SECONDS_MAX)

    def on_start(self, server: Live) -> None:
        """Changes the server before anybody comes; tests of a lying one do."""

    async def _serve(self, ready: threading.Event) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        async with AsyncExitStack() as stack:
            if self.newer:
                stack.enter_context(newer_files(self.newer))
            store = open_store(f"sqlite:///{self._store_file}")
            stack.push_async_callback(store.close)
            server: Live = await stack.enter_async_context(
                live(store, self._port, **{"hosts": (LAN_NAME,), **self._settings})
            )
            self._port = server.port
            # The casino takes its seeds from a function; this one remembers them.
            server.server.casino._new_seed = self._new_seed
            self.on_start(server)
            ready.set()
            await self._stop.wait()


class Visitor:
    """Somebody with a browser of their own. Whatever the page complains about, or fetches elsewhere, is kept."""

    def __init__(self, context: BrowserContext, link: str) -> None:
        self._context = context
        self.is_as_it_came = True
        """Whether the context is used as it was made: then it can be cleared for the next visitor."""
        self.link = link
        self.complaints: list[str] = []
        self.page: Page = context.new_page()
        self.page.set_default_timeout(45_000)  # several browsers share a small machine
        self._sockets: list[WebSocketRoute] = []
        self._is_cut = False
        self.page.on("console", lambda said: self._hear(said.type, said.text))
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("request", lambda request: self._fetch(request.url))
        self.page.on("websocket", lambda socket: self._fetch(socket.url.replace("ws:", "http:")))

    @property
    def context(self) -> BrowserContext:
        """For whatever changes more than the page."""
        self.is_as_it_came = False
        return self._context

    def _hear(self, kind: str, text: str) -> None:
        # Over plain HTTP from another machine the browser ignores that header, and says so.
        ignored = "Cross-Origin-Opener-Policy header has been ignored" in text and LAN_NAME in self.link
        # Most visitors come without the worker that keeps the shell: that would fetch every file of the page for each.
        ignored = ignored or "Service Worker registration blocked" in text
        if kind in ("error", "warning") and not ignored:
            self.complaints.append(f"{kind}: {text}")

    def _fetch(self, url: str) -> None:
        if not url.startswith((self.link, "data:", "blob:")):
            self.complaints.append(f"fetched elsewhere: {url}")

    def cut_line(self) -> None:
        """Lets the network go: open connections end, and new ones fail, until `mend_line`."""
        self._is_cut = True
        for line in self._sockets:
            line.close()
        self._sockets.clear()

    def mend_line(self) -> None:
        self._is_cut = False

    def _connect(self, socket: WebSocketRoute) -> None:
        if self._is_cut:
            socket.close()
        else:
            socket.connect_to_server()
            self._sockets.append(socket)

    def enter(self, path: str = "/") -> None:
        self.page.goto(self.link + path)
        self.page.wait_for_selector("html[data-ready=true]")

    def is_in_turn(self) -> bool:
        return self.page.locator(".controls.active").count() > 0

    def text(self, selector: str) -> str:
        return self.page.locator(selector).first.inner_text()

    def put_on_a_line(self) -> None:
        """From now on the visitor's connections can be cut; before the page is entered."""
        self.page.route_web_socket("**/ws", self._connect)

    def open_room(self, **options: int) -> str:
        """Opens a Hold'em room by the form; the room's code."""
        self.page.click("[data-create=poker]")
        self.page.locator("dialog summary").last.click()
        for name, value in options.items():
            self.page.fill(f"dialog [name={name}]", str(value))
        self.page.click("dialog form .primary")
        return self.page.locator(".big-code").inner_text()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's headless Chromium, or whichever is installed. It takes `LAN_NAME` for a machine other than this one."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip("no Chromium is installed")
    with sync_playwright() as playwright:
        flags = [*FLAGS, f"--host-resolver-rules=MAP {LAN_NAME} 127.0.0.1"]
        browser = playwright.chromium.launch(executable_path=path, args=flags)
        yield browser
        browser.close()


def arrive(browser: Browser, link: str, **options: Any) -> Visitor:
    """A visitor with a fresh browser; `settings` are choices made on an earlier visit."""
    settings = json.dumps({"pace": "instant", **options.pop("settings", {})})
    context = browser.new_context(**{"viewport": DESKTOP, "locale": "en-US", "service_workers": "block", **options})
    context.add_init_script(
        f"if (!localStorage.getItem('croupier.settings')) localStorage.setItem('croupier.settings', {settings!r})"
    )
    return Visitor(context, link)


class Visitors:
    """Visitors of one server. A context that a visitor left as it came is cleared and serves the next one: its
    browser still has the page's files."""

    def __init__(self, browser: Browser, link: str) -> None:
        self._browser = browser
        self._link = link
        self._free: dict[str, list[BrowserContext]] = {}
        self._kinds: dict[Visitor, str] = {}

    def arrive(self, **options: Any) -> Visitor:
        """A visitor as `arrive` has it."""
        kind = json.dumps(options, sort_keys=True)
        free = self._free.setdefault(kind, [])
        visitor = Visitor(free.pop(), self._link) if free else arrive(self._browser, self._link, **options)
        self._kinds[visitor] = kind
        return visitor

    def leave(self, visitor: Visitor) -> None:
        """The visitor has gone."""
        kind = self._kinds.pop(visitor)
        if not visitor.is_as_it_came or visitor.page.is_closed():
            visitor.context.close()
            return
        context = visitor.page.context
        session = context.new_cdp_session(visitor.page)
        visitor.page.goto("about:blank")
        session.send("Storage.clearDataForOrigin", {"origin": self._link, "storageTypes": "all"})
        context.clear_permissions()
        for page in context.pages:
            page.close()
        self._free[kind].append(context)

    def close(self) -> None:
        """Nobody comes any more."""
        for context in chain.from_iterable(self._free.values()):
            context.close()

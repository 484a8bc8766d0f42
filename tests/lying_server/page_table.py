"""A lying server for the page in Chromium: one server and one browser, and for every attack a table of its own.

`LyingPageServer` runs the real server beside the tests. It asks one liar (`liar.py`) at a time, and serves the page
with or without the checks that a test removes. `PageTable` is a table of Hold'em at which Ann sits with the page, and
Eve, who plays along with the server: she cuts whatever is fixed, and calls whatever is bet.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest
from msgspec.structs import replace
from playwright.sync_api import Locator, Page

from croupier.clients.connection import RefusedError
from croupier.clients.room_handle import RoomHandle
from croupier.server import http, records
from croupier.server.room import RoomActor
from croupier.server.web_files import web_file, web_files
from croupier.table.commands import DealCut, Play
from croupier.table.deal_news import DealFixed, news
from croupier.table.room import Room
from tests.lying_server.liar import Liar, Listener, Spy
from tests.lying_server.live import Colluder, actor_of, corrupt, restore
from tests.lying_server.page_removal import FOLDER, Removable
from tests.server.live import Live
from tests.web.page_server import PageServer, Visitor

T = TypeVar("T")

SECONDS_MAX: Final = 20.0
STEPS_MAX: Final = 60
PAUSE_SECONDS: Final = 0.01
OPTIONS: Final = {"seats": 3, "pauseSeconds": 0, "turnSeconds": 600, "cutSeconds": 5}
CALLS: Final = ("HOLDEM_CHECK", "HOLDEM_CALL", "HOLDEM_SHOW")
ALARM: Final = "dialog.alarm-dialog"
OWN_CARDS: Final = ".seat.own .card[data-card]:not(.back)"
BOARD: Final = ".board .card[data-card]:not(.back)"
BETTING: Final = ".controls.active .action:is(.stay, .reveal):not([hidden])"


class PageSpy(Spy):
    """A spy that writes down every command, and may change the room after each of them."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[tuple[str, Any]] = []
        self.fixed: dict[int, DealFixed] = {}
        """Every deal of the room: the server's log tells another story."""
        self.be_honest()

    def be_honest(self) -> None:
        """From now on it changes nothing."""
        self.forge: Callable[[Room], Room] = lambda room: room
        self.answer: Callable[[Room, str, Any], str] = lambda room, who, command: ""
        self.twist: Callable[[Listener, dict[str, Any]], list[dict[str, Any]]] = lambda listener, state: [state]
        self.change: Callable[[Room, Room], Room] = lambda before, after: after

    def hear(self, room: Room, who: str, command: Any) -> str:
        self.heard.append((who, command))
        return super().hear(room, who, command)

    def commit(self, before: Room, after: Room) -> Room:
        room = replace(self.change(before, super().commit(before, after)), version=after.version)
        self.keep(room)
        return room

    def keep(self, room: Room) -> None:
        """Remembers how the deals of a room were fixed."""
        self.fixed |= {told.context.deal: told for _, told in news(room) if isinstance(told, DealFixed)}


class Chosen(Liar):
    """The liar whose turn it is. Rooms of other tests are served honestly."""

    def __init__(self) -> None:
        self.liar = PageSpy()
        self.code = ""

    def choose(self, code: str, liar: PageSpy) -> None:
        self.code, self.liar = code, liar

    def _for(self, code: str) -> Liar:
        return self.liar if code == self.code else Liar()

    def hear(self, room: Room, who: str, command: Any) -> str:
        return self._for(room.code).hear(room, who, command)

    def commit(self, before: Room, after: Room) -> Room:
        return self._for(after.code).commit(before, after)

    def tell(self, listener: Listener, state: dict[str, Any]) -> list[dict[str, Any]]:
        return self._for(state["public"]["roomCode"]).tell(listener, state)


class LyingPageServer(PageServer):
    """A server in a thread of its own, which asks the liar that a test chose."""

    def __init__(self, store_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(store_file)
        self.chosen = Chosen()
        self.live: Live
        self._files = web_files()
        self._whole = dict(self._files)
        self._removed: tuple[Removable, ...] = ()
        corrupt(monkeypatch, self.chosen)
        monkeypatch.setattr(records, "deals", self._deals)
        monkeypatch.setattr(http, "web_files", lambda: self._files)

    def on_start(self, server: Live) -> None:
        self.live = server

    async def _deals(self, page_server: object, room: object, first: int, caller: str) -> list[DealFixed]:
        """What `DEAL_HISTORY` answers at the table of the test."""
        fixed = self.chosen.liar.fixed
        return [fixed[number] for number in sorted(fixed) if number >= first]

    def serve_without(self, checks: Sequence[Removable]) -> bool:
        """From now on the page lacks these checks, and no others. Whether that changes anything."""
        if tuple(checks) == self._removed:
            return False
        self._removed = tuple(checks)
        self._files.update(self._whole)
        for check in checks:
            file = self._files[FOLDER + check.file]
            patched = check.without(file.content.decode())
            self._files[FOLDER + check.file] = web_file(patched.encode(), file.media_type)
        return True

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Does something in the server's thread."""
        assert self._loop is not None
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(SECONDS_MAX)


class PageTable:
    """A table for one attack. Eve sits in seat 0, Ann in seat 1, and a bot, if there is one, in seat 2."""

    def __init__(self, page_server: LyingPageServer, ann: Visitor) -> None:
        self.page_server, self.ann = page_server, ann
        self.page: Page = ann.page
        self.liar = PageSpy()
        self.eve: Colluder
        self.eves: RoomHandle
        self.ann_id: str
        self._calling: asyncio.Task[None] | None = None
        self._tabs: list[Page] = []

    @property
    def alarm(self) -> Locator:
        return self.page.locator(ALARM)

    @property
    def actor(self) -> RoomActor:
        return actor_of(self.page_server.live, self.eves.code)

    @property
    def room(self) -> Room:
        return self.actor.room

    def heard(self, kind: type[T]) -> list[T]:
        """Ann's commands of this kind, as they came."""
        return [command for who, command in self.liar.heard if who == self.ann_id and isinstance(command, kind)]

    def open_page(self, without: Sequence[Removable] = ()) -> None:
        """Ann's page, as it is or without some checks."""
        if self.page_server.serve_without(without):
            self.reload()

    def sit_down(self, *, bots: int = 0, **options: int) -> None:
        """Eve opens a room, Ann comes by its link and says that she is ready. The liar has its word from now on."""
        self.page_server.run(self._open({**OPTIONS, **options}))
        self.page_server.chosen.choose(self.eves.code, self.liar)
        self.page.evaluate("code => { location.hash = `#/room/${code}` }", self.eves.code)
        self.page.wait_for_selector(".door")
        if self.page.locator(".door [name=nickname]").count():
            self.page.fill(".door [name=nickname]", "Ann")
        self.page.click(".door .primary")
        self.page.click("[data-do=ready]")
        self.until(lambda: self.room.players[-1].ready)
        self.ann_id = self.room.players[-1].id
        for _ in range(bots):
            self.page_server.run(self.eves.command("HOST_ADD_BOT", bot="caller"))

    async def _open(self, options: dict[str, int]) -> None:
        self.eve = Colluder(self.page_server.live, "Eve")
        await self.eve.__aenter__()
        self.eves = await self.eve.create("poker", preset="cash", options=options)

    def start(self, *, calls: bool = True) -> None:
        """Eve starts the game, and from now on calls and checks."""
        self.page_server.run(self.eves.command("HOST_START_GAME"))
        if calls:
            self.call()

    def call(self) -> None:
        """Eve calls and checks from now on."""
        self.page_server.run(self._begin_to_call())

    async def _begin_to_call(self) -> None:
        self._calling = asyncio.create_task(self._call())

    async def _call(self) -> None:
        while True:
            await self.eves.wait(lambda room: room.menu, 600)
            kind = next(kind for kind in CALLS for offer in self.eves.menu if offer["action"]["type"] == kind)
            try:
                version = await self.eves._send(kind, {"expectedVersion": self.eves.version})
                await self.eves.wait(lambda room, seen=version: room.version >= seen)
            except RefusedError:
                await asyncio.sleep(PAUSE_SECONDS)

    def eve_declines(self) -> None:
        """Eve does not cut the deal that waits for her."""
        self.eve.misses = True
        self.page_server.run(self.eves.command("DEAL_DECLINE", deal=self.room.deals))

    def restore(self, room: Room) -> None:
        """The server goes on from another room, and tells everybody the whole of it."""
        self.page_server.run(self._restore(room))

    async def _restore(self, room: Room) -> None:
        room = await self._at_this_version(room)
        self.liar.keep(room)
        restore(self.actor, room)

    def show(self, room: Room) -> None:
        """The server goes on from another room, and tells everybody what is new in it."""
        self.page_server.run(self._show(room))

    async def _show(self, room: Room) -> None:
        actor = self.actor
        actor.room = shown = await self._at_this_version(room)
        self.liar.keep(shown)
        actor._broadcast.publish(shown, (), shown.deadline_ms)
        actor._set_alarms(shown.deadline_ms)

    async def _at_this_version(self, room: Room) -> Room:
        """The room as the next version of the one that is stored, once nothing is on its way to the store."""
        while self.actor._actor.is_busy:
            await asyncio.sleep(PAUSE_SECONDS)
        return replace(room, version=self.room.version)

    def until(self, condition: Callable[[], bool]) -> None:
        """Waits until the server is that far."""
        end = time.monotonic() + SECONDS_MAX
        while not condition():
            assert time.monotonic() < end, "the server does not get there"
            self.page.wait_for_timeout(1000 * PAUSE_SECONDS)

    def sees(self, selector: str) -> bool:
        """Waits for something on Ann's page; false when an alarm comes instead."""
        self.page.wait_for_selector(f"{selector}, {ALARM}", state="attached")
        return not self.alarm.count()

    def bets(self) -> bool:
        """Ann presses the button to check or call, on her turn; false when an alarm comes instead."""
        if not self.sees(BETTING):
            return False
        count = len(self.heard(Play))
        self.page.click(BETTING)
        self.until(lambda: len(self.heard(Play)) > count)
        return True

    def plays_hand(self) -> bool:
        """Ann checks and calls until the hand is over and she has cut the next; false when an alarm comes instead."""
        hand, cuts = self.room.hand, len(self.heard(DealCut))
        for _ in range(STEPS_MAX):
            self.until(lambda: bool(self.alarm.count() or self.page.locator(BETTING).count() or self._is_past(hand)))
            if self.alarm.count():
                return False
            if self._is_past(hand) and len(self.heard(DealCut)) > cuts:
                return True
            if self.page.locator(BETTING).count() and not self._is_past(hand):
                self.bets()
        raise AssertionError("the hand does not end")

    def _is_past(self, hand: int) -> bool:
        return self.room.hand > hand

    def new_tab(self) -> Page:
        """Another tab of Ann's browser, until the table is closed."""
        tab = self.ann.context.new_page()
        self._tabs.append(tab)
        return tab

    def reload(self) -> None:
        self.page.reload()
        self.page.wait_for_selector("html[data-ready=true]")

    def tell_truth(self) -> None:
        """From now on the server is honest."""
        self.liar.be_honest()

    def close(self) -> None:
        self.page_server.chosen.choose("", PageSpy())
        self.page_server.run(self._close())
        for tab in self._tabs:
            tab.close()
        self.ann.page.evaluate("() => { location.hash = '#/' }")

    async def _close(self) -> None:
        if self._calling is not None:
            self._calling.cancel()
        await self.eve.__aexit__(None, None, None)

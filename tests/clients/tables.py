"""Tables for tests: the real room in this process, and the full-screen table driven by keys."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Static

from croupier.assembly.room import local_room
from croupier.assembly.seat import Who, open_session
from croupier.clients.connection import Client
from croupier.clients.snapshot import Snapshot
from croupier.clients.terminal.app import Notice, TableApp
from croupier.clients.terminal.session import Session, Wish
from croupier.clients.terminal.words import Words

WAITS_MAX = 400
WAIT_SECONDS = 0.05


class Driver:
    """A person at the full-screen table."""

    def __init__(self, app: TableApp, pilot: Pilot[Any], session: Session) -> None:
        self.app, self.pilot, self.session = app, pilot, session

    @property
    def snapshot(self) -> Snapshot:
        assert self.app._snapshot is not None
        return self.app._snapshot

    def text(self, part: str) -> str:
        """What stands in a part of the screen, as one sees it."""
        return str(self.app.screen_stack[0].query_one(part, Static).visual)

    def log(self) -> str:
        return "\n".join(line.plain for line in self.app._lines)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def until(self, condition: Callable[["Driver"], bool]) -> None:
        """Waits until the table satisfies the condition."""
        for _ in range(WAITS_MAX):
            if self.app._snapshot is not None and condition(self):
                return
            await self.pilot.pause(WAIT_SECONDS)
        raise AssertionError(f"waited in vain at:\n{self.text('#scene')}\n{self.log()}\n{self.text('#prompt')}")

    async def notice(self) -> str:
        """What the notice over the table says, once there is one."""
        await self.until(lambda table: isinstance(table.app.screen, Notice) and bool(table.app.screen.query(Static)))
        return str(self.app.screen.query_one(Static).visual)

    async def my_turn_or_over(self) -> None:
        await self.until(lambda table: bool(table.text("#prompt").strip()) and (table.can_act or table.is_over))

    @property
    def can_act(self) -> bool:
        return bool(self.snapshot.menu)

    @property
    def is_over(self) -> bool:
        """The round is over, and waits for Enter, or the whole match is."""
        return self.snapshot.ended or (self.snapshot.round_over and self.snapshot.public.paused)


@asynccontextmanager
async def against_callers(chips: int, bots: int = 1) -> AsyncIterator[Driver]:
    """A tournament against bots that never bet: with few chips it is over in a few hands, and with many the first hand
    takes nobody's last."""
    options = {"seats": bots + 1, "turnSeconds": 600, "pauseSeconds": 1}
    async with local_room() as local, Client(local.url, nickname="Ann") as client:
        room = await client.create("poker", rules={"stack_chips": chips}, options=options)
        for _ in range(bots):
            await room.command("HOST_ADD_BOT", bot="caller")
        await room.command("HOST_START_GAME")
        session = Session(client, room, alone=True, pace_bots=local.pace_bots)
        app = TableApp(session, Words("en"))
        async with app.run_test(size=(80, 24)) as pilot:
            driver = Driver(app, pilot, session)
            await driver.my_turn_or_over()
            yield driver


@asynccontextmanager
async def table(
    game: str,
    *,
    preset: str = "",
    bots: int | None = None,
    language: str = "en",
    nickname: str = "Ann",
    size: tuple[int, int] = (80, 24),
    ascii_only: bool = False,
) -> AsyncIterator[Driver]:
    """The full-screen table in a room of one's own, with bots that do not take their time."""
    who = Who(nickname, language=language)
    async with open_session(Wish(game, preset, bots), who, bot_seconds=0.0) as session:
        app = TableApp(session, Words(language, ascii_only=ascii_only))
        async with app.run_test(size=size) as pilot:
            driver = Driver(app, pilot, session)
            await driver.my_turn_or_over()
            yield driver

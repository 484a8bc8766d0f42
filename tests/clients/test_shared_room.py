"""The terminal at somebody's room: the lobby, other people, and snapshots that have passed."""

import asyncio
from typing import Any

import pytest

from croupier.assembly.seat import Who, open_session
from croupier.clients.connection import RefusedError
from croupier.clients.plain import LineTable
from croupier.clients.terminal.app import TableApp
from croupier.clients.terminal.session import Wish
from croupier.clients.terminal.words import Words
from croupier.games.poker.rules.actions import Fold
from tests.clients.tables import Driver
from tests.server.live import live


def test_a_host_opens_a_room_adds_a_bot_and_starts_from_the_lobby() -> None:
    async def run() -> None:
        async with live() as server, open_session(Wish("poker", "cash"), Who("Ann"), server=server.link) as session:
            app = TableApp(session, Words("en"))
            async with app.run_test(size=(80, 24)) as pilot:
                driver = Driver(app, pilot, session)
                await driver.until(lambda table: "[s] Start" in table.text("#prompt"))
                assert f"Room {session.room.code}" in driver.text("#scene")
                await driver.press("s")
                await driver.until(lambda table: "The game needs at least 2." in table.text("#status"))
                await driver.press("b")
                await driver.until(lambda table: "Solid 1 (ready)" in table.text("#scene"))
                await driver.press("s")
                await driver.until(lambda table: table.can_act)
                await driver.press("f")
                await driver.until(lambda table: "Ann folds." in table.log())

    asyncio.run(run())


def test_people_at_different_tables_play_with_each_other() -> None:
    """Ann sits at the full screen, Bob plays by lines; he joins by the code in small letters."""

    async def run() -> None:
        async with live() as server, open_session(Wish("poker"), Who("Ann"), server=server.link) as anns:
            code = anns.room.code
            app = TableApp(anns, Words("en"))
            async with app.run_test(size=(80, 24)) as pilot:
                driver = Driver(app, pilot, anns)
                joining = Wish(code=code.lower())
                async with open_session(joining, Who("밥", language="ko"), server=server.link) as bobs:
                    written: list[str] = []
                    lines = asyncio.Queue[str | None]()
                    by_lines = LineTable(bobs, Words("ko"), lines.get, written.append, echo=True)
                    playing = asyncio.create_task(by_lines.run())
                    lines.put_nowait("r")
                    await driver.until(lambda table: "밥 (ready)" in table.text("#scene"))
                    await driver.press("s")
                    await driver.until(lambda table: table.can_act)
                    await driver.press("c")
                    await _until(lambda: any("Ann 님이 5칩을 콜합니다." in line for line in written))
                    # Both can read the same four pictures aloud, each in their language.
                    cut = bobs.room.checker.code
                    assert cut
                    assert cut == anns.room.checker.code
                    told = " ".join(driver.log().split())
                    assert f"Code of this deal, to read aloud: {Words('en').code(cut)}" in told
                    assert f"이 딜의 코드(소리 내어 읽기): {Words('ko').code(cut)}" in written
                    lines.put_nowait("f")
                    await driver.until(lambda table: "밥 folds." in table.log())
                    lines.put_nowait(None)
                    await playing
                    assert written[-1] == "플레이해 주셔서 감사합니다."

    asyncio.run(run())


def test_people_talk_at_different_tables_and_keys_are_letters_while_they_do() -> None:
    async def run() -> None:
        async with live() as server, open_session(Wish("poker"), Who("Ann"), server=server.link) as anns:
            app = TableApp(anns, Words("en"))
            async with app.run_test(size=(80, 24)) as pilot:
                driver = Driver(app, pilot, anns)
                await driver.until(lambda table: "[/] Chat" in table.text("#footer"))
                joining = open_session(Wish(code=anns.room.code), Who("밥", language="ko"), server=server.link)
                async with joining as bobs:
                    written: list[str] = []
                    lines = asyncio.Queue[str | None]()
                    playing = asyncio.create_task(
                        LineTable(bobs, Words("ko"), lines.get, written.append, echo=True).run()
                    )
                    await driver.press("slash", *"Quit", "space", "?", "enter")
                    await _until(lambda: "Ann: Quit ?" in written)
                    lines.put_nowait("/ 안녕 Ann")
                    await driver.until(lambda table: "밥: 안녕 Ann" in table.log())
                    await bobs.client.request("REACTION_SEND", roomCode=bobs.room.code, reaction="🎉")
                    await driver.until(lambda table: "밥: 🎉" in table.log())
                    await driver.press("slash", "q", "escape")
                    await driver.until(lambda table: "[s] Start" in table.text("#prompt"))
                    lines.put_nowait(None)
                    await playing

    asyncio.run(run())


async def _until(condition: Any) -> None:
    for _ in range(400):
        if condition():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("waited in vain")


def test_what_was_chosen_at_an_earlier_moment_is_not_played_later() -> None:
    async def run() -> None:
        async with open_session(Wish("poker", "", 1), Who("Ann"), bot_seconds=0.0) as session:
            snapshot = await session.next(Words("en"))
            while not snapshot.menu:
                snapshot = await session.next(Words("en"))
            call = next(offer.action for offer in snapshot.menu if offer.action.tag != "HOLDEM_FOLD")
            await session.act(call, snapshot)
            with pytest.raises(RefusedError, match="STALE_VERSION"):
                await session.act(Fold(), snapshot)

    asyncio.run(run())


def test_a_room_that_does_not_exist_is_refused_by_its_code() -> None:
    async def run() -> None:
        async with live() as server:
            with pytest.raises(RefusedError, match="NO_SUCH_ROOM"):
                async with open_session(Wish(code="AAAAAA"), Who("Ann"), server=server.link):
                    raise AssertionError("there is no such room")

    asyncio.run(run())

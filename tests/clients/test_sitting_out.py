"""Sitting out, coming back and the host's bomb pot in the terminal."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from croupier.assembly.room import local_room
from croupier.clients.connection import Client
from croupier.clients.plain import LineTable
from croupier.clients.terminal.app import TableApp
from croupier.clients.terminal.session import Session
from croupier.clients.terminal.words import Words
from tests.clients.tables import Driver

HANDS_MAX = 8


@asynccontextmanager
async def cash_table() -> AsyncIterator[Session]:
    """Ann hosts a cash game with two callers, with missed blinds and bomb pots on demand."""
    options = {"seats": 3, "turnSeconds": 600, "pauseSeconds": 1}
    async with local_room() as local, Client(local.url, nickname="Ann") as client:
        rules = {"missed_blinds": True, "bomb_ante": 20}
        room = await client.create("poker", preset="cash", rules=rules, options=options)
        for _ in range(2):
            await room.command("HOST_ADD_BOT", bot="caller")
        local.pace_bots(0.0)
        await room.command("HOST_START_GAME")
        yield Session(client, room, alone=True, pace_bots=local.pace_bots)


async def finish_hand(driver: Driver) -> None:
    await driver.my_turn_or_over()
    if driver.can_act:
        await driver.press("f")
        await driver.until(lambda table: table.is_over)


async def next_hand(driver: Driver) -> None:
    hand = driver.snapshot.public.hand
    await driver.press("enter")
    await driver.until(lambda table: table.snapshot.public.hand > hand)
    await driver.my_turn_or_over()


def own(driver: Driver) -> tuple[bool, str]:
    seat = driver.snapshot.view.seats[driver.snapshot.seat]
    return seat.sitting_out, seat.state


def test_the_host_asks_for_a_bomb_pot_and_gets_one() -> None:
    async def run() -> None:
        async with cash_table() as session:
            app = TableApp(session, Words("en"))
            async with app.run_test(size=(80, 24)) as pilot:
                driver = Driver(app, pilot, session)
                await finish_hand(driver)
                assert "[p] Bomb pot next" in driver.text("#prompt")
                await driver.press("p")
                await driver.press("p")
                await driver.until(lambda table: "The next hand is a bomb pot already." in table.text("#status"))
                await next_hand(driver)
                assert "Caller 1 posts 20 for the bomb pot." in driver.log()

    asyncio.run(run())


@pytest.mark.soak
def test_who_sat_out_waits_for_the_big_blind_and_gets_it() -> None:
    async def run() -> None:
        async with cash_table() as session:
            app = TableApp(session, Words("en"))
            async with app.run_test(size=(80, 24)) as pilot:
                driver = Driver(app, pilot, session)
                await driver.my_turn_or_over()
                assert "[z] Sit out" in driver.text("#prompt")
                await driver.press("z")
                await driver.until(lambda table: "[i] I’m back" in table.text("#prompt"))
                assert "[z]" not in driver.text("#prompt")
                await finish_hand(driver)
                for _ in range(HANDS_MAX):
                    await next_hand(driver)
                    assert own(driver) == (True, "sitting_out")
                    if "[w] Wait for the big blind" in driver.text("#prompt"):
                        break
                assert "[i] Post " in driver.text("#prompt")
                await driver.press("w")
                await driver.until(lambda table: "[w]" not in table.text("#prompt"))
                for _ in range(HANDS_MAX):
                    await next_hand(driver)
                    if not own(driver)[0]:
                        break
                view, seat = driver.snapshot.view, driver.snapshot.seat
                assert not own(driver)[0]
                assert view.seats[seat].bet == view.big_blind or "Ann posts the big blind" in driver.log()

    asyncio.run(run())


def test_who_sat_out_posts_and_is_dealt_in_by_lines() -> None:
    async def run() -> None:
        async with cash_table() as session:
            written: list[str] = []
            lines = asyncio.Queue[str | None]()
            playing = asyncio.create_task(LineTable(session, Words("en"), lines.get, written.append, echo=True).run())

            async def listed(part: str) -> None:
                for _ in range(1500):
                    if any(part in line for line in written):
                        return
                    await asyncio.sleep(0.02)
                raise AssertionError(f"waited in vain for {part} after {written}")

            await listed("Sit out")
            assert any(line.split() == ["z", "Sit", "out"] for line in written)
            lines.put_nowait("z")
            await listed("I’m back")
            lines.put_nowait("f")
            for _ in range(HANDS_MAX):
                await listed("Go on")
                if any("Post " in line and line.startswith("  i") for line in written):
                    break
                written.clear()
                lines.put_nowait("")
            written.clear()
            lines.put_nowait("i")
            await listed("Go on")
            lines.put_nowait("")
            await listed("Your cards")
            lines.put_nowait(None)
            await playing

    asyncio.run(run())

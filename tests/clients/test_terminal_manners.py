"""What people tripped over in the terminal: outages, narrow windows, leaving, the trainer, the last bet."""

import asyncio
from typing import Any

from tests.clients.tables import against_callers, table


async def _bet(driver: Any, *keys: str) -> None:
    await driver.my_turn_or_over()
    await driver.press("b", *keys, "enter")


def test_the_last_bet_is_remembered() -> None:
    async def run() -> None:
        async with table("blackjack", preset="trainer", bots=0) as driver:
            await _bet(driver, "3", "5")
            for _ in range(20):
                await driver.my_turn_or_over()
                if driver.is_over:
                    break
                version = driver.snapshot.public.version
                await driver.press("s" if any(o.action.tag == "BLACKJACK_STAND" for o in driver.snapshot.menu) else "n")
                await driver.until(lambda each, seen=version: each.snapshot.public.version > seen)
            await driver.press("enter")
            await driver.until(lambda each: any(o.action.tag == "PLACE_BET" for o in each.snapshot.menu))
            await driver.until(lambda each: "[b]" in each.text("#prompt"))
            await driver.press("b")
            assert " 35 " in driver.text("#prompt")
            await driver.press("2")
            assert " 2 " in driver.text("#prompt"), "a digit begins anew"

    asyncio.run(run())


def test_the_trainer_table_says_what_basic_strategy_does() -> None:
    async def run() -> None:
        async with table("blackjack", preset="trainer", bots=0) as driver:
            for _ in range(20):
                await _bet(driver)
                await driver.my_turn_or_over()
                if not driver.is_over:
                    break
                await driver.press("enter")
                await driver.until(lambda each: not each.is_over)
            await driver.press("h")
            await driver.until(lambda each: "asic strategy" in each.log())

    asyncio.run(run())


def test_the_classroom_preset_gives_one_something_to_decide() -> None:
    async def run() -> None:
        async with table("blackjack", preset="classroom", bots=2) as driver:
            await driver.until(lambda each: each.snapshot.view is not None)
            assert driver.snapshot.seat not in (None, driver.snapshot.view.dealer_seat)
            await driver.until(lambda each: each.is_over or each.can_act)
            while not driver.is_over:
                await driver.press("s")
                await driver.until(lambda each: each.is_over or each.can_act)
            await driver.until(lambda each: any(f" {said}: " in each.log() for said in ("wins", "loses", "pushes")))
            assert "Paid" not in driver.log(), "nobody bet anything"

    asyncio.run(run())


def test_leaving_in_a_round_asks_first() -> None:
    async def run() -> None:
        async with against_callers(1000, bots=2) as driver:
            await driver.press("q")
            assert "Press q again" in driver.text("#status")
            assert driver.app.is_running
            await driver.press("x")
            await driver.press("q")
            assert "Press q again" in driver.text("#status"), "another key takes it back"
            await driver.press("q")
            await driver.pilot.pause()
            assert driver.app.return_value is not None

    asyncio.run(run())


def test_a_window_that_is_too_narrow_is_said() -> None:
    async def run() -> None:
        async with against_callers(1000, bots=2) as driver:
            await driver.pilot.resize_terminal(50, 24)
            await driver.until(lambda each: "50 columns" in each.text("#scene").replace("\n", " "))
            assert "60" in driver.text("#scene")
            assert max(map(len, driver.text("#scene").splitlines())) <= 50, "what is cut off is not said"
            await driver.pilot.resize_terminal(80, 24)
            await driver.until(lambda each: "Ann" in each.text("#scene"))

    asyncio.run(run())


def test_the_lines_of_the_log_wrap_anew_after_a_resize() -> None:
    async def run() -> None:
        async with against_callers(1000, bots=2) as driver:
            driver.app._add_line(driver.app._situation(driver.snapshot).append(" word" * 30))
            for columns in (140, 70):
                await driver.pilot.resize_terminal(columns, 30)
                await driver.pilot.pause(0.2)
                tale = driver.app._tale
                assert max(len(strip.text.rstrip()) for strip in tale.lines) <= tale.scrollable_content_region.width

    asyncio.run(run())


def test_an_outage_is_said_instead_of_your_turn() -> None:
    async def run() -> None:
        async with against_callers(1000, bots=2) as driver:
            assert "Your turn" in driver.text("#status")
            driver.session.client._ready.clear()
            await driver.until(lambda each: "connection is lost" in each.text("#status"))
            assert "[f]" not in driver.text("#prompt")
            await driver.press("f")
            assert "connection is lost" in driver.text("#status"), "a key does not hide it"
            driver.session.client._ready.set()
            await driver.until(lambda each: "Your turn" in each.text("#status") and "[f]" in each.text("#prompt"))

    asyncio.run(run())


def test_an_amount_that_is_being_typed_survives_what_others_do() -> None:
    async def run() -> None:
        async with table("blackjack", preset="trainer", bots=0) as driver:
            await driver.press("b", "3")
            driver.app._offer(driver.snapshot)
            await driver.press("5", "enter")
            await driver.until(lambda each: "bets 35" in each.log())

    asyncio.run(run())

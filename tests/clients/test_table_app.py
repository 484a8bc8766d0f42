"""The full-screen table, driven by keys and clicks through whole rounds in the real room."""

import asyncio

import pytest
from rich.cells import cell_len

from croupier.clients.terminal.app import Notice
from croupier.clients.terminal.start import StartApp
from croupier.clients.terminal.words import Words
from croupier.game.registry import GAMES
from croupier.games.poker.rules.events import Street
from croupier.games.poker.terminal.table import HoldemTable
from croupier.games.sequence.rules.board import FACES
from croupier.games.sequence.terminal.cards import cell_text
from tests.clients.tables import Driver, against_callers, table


async def check_down(driver: Driver) -> None:
    """Checks and calls to the end of the hand."""
    while not driver.is_over:
        keys = {offer.action.tag: offer for offer in driver.snapshot.menu}
        version = driver.snapshot.public.version
        await driver.press(
            "c" if {"HOLDEM_CHECK", "HOLDEM_CALL"} & keys.keys() else "a" if "HOLDEM_ALL_IN" in keys else "s"
        )
        await driver.until(lambda table, seen=version: table.snapshot.public.version > seen)
        await driver.my_turn_or_over()


def test_a_hand_of_holdem_is_played_to_the_showdown_and_enter_goes_on() -> None:
    async def run() -> None:
        async with against_callers(1000, bots=2) as driver:
            assert "[f] Fold" in driver.text("#prompt")
            assert "Ann (you)" in driver.text("#scene")
            await check_down(driver)
            assert driver.snapshot.view.street is Street.OVER
            assert "This hand brings you" in driver.log()
            assert "[Enter]" in driver.text("#prompt")
            await driver.press("enter")
            await driver.until(lambda table: table.snapshot.view is not None and table.snapshot.view.hand == 2)
            assert "Hand 2" in driver.text("#header")
            assert driver.session.room.checker.checked > 2
            assert driver.session.room.checker.findings == []

    asyncio.run(run())


def test_a_raise_is_typed_with_digits_and_refused_outside_of_its_limits() -> None:
    async def run() -> None:
        async with table("poker", bots=1) as driver:
            raising = next(offer for offer in driver.snapshot.menu if offer.action.tag == "HOLDEM_RAISE")
            await driver.press("r", "9", "9", "9", "9", "9", "enter")
            assert f"{raising.low}–{raising.high}" in driver.text("#status")
            await driver.press("backspace", "backspace", "backspace", "backspace", "backspace", "6", "0", "enter")
            await driver.until(lambda table: "Ann raises to 60." in table.log())

    asyncio.run(run())


def test_presets_arrows_and_escape_work_in_the_amount() -> None:
    async def run() -> None:
        async with table("poker", bots=1) as driver:
            raising = next(offer for offer in driver.snapshot.menu if offer.action.tag == "HOLDEM_RAISE")
            await driver.press("r")
            assert f"Least {raising.low}" in driver.text("#prompt")
            await driver.press("x")
            assert f" {raising.high} " in driver.text("#prompt")
            await driver.press("m", "up")
            assert f" {2 * raising.low} " in driver.text("#prompt")
            await driver.press("escape")
            assert "[f] Fold" in driver.text("#prompt")

    asyncio.run(run())


def test_a_key_that_means_nothing_is_answered_with_the_keys_that_do() -> None:
    async def run() -> None:
        async with table("poker", bots=1) as driver:
            await driver.press("z")
            said = driver.text("#status")
            assert "“z”" in said
            assert "f, c, r, a, t, ?, q" in said

    asyncio.run(run())


def test_a_click_on_a_choice_does_the_same_as_its_key() -> None:
    async def run() -> None:
        async with table("poker", bots=1) as driver:
            column = driver.text("#prompt").index("[f]")
            await driver.pilot.click("#prompt", offset=(column + 2, 0))
            await driver.until(lambda table: "Ann folds." in table.log())

    asyncio.run(run())


def test_the_standing_shows_statistics_and_any_key_closes_it() -> None:
    async def run() -> None:
        async with table("poker", bots=2) as driver:
            await driver.press("f")
            await driver.until(lambda table: table.is_over)
            await driver.press("t")
            shown = await driver.notice()
            assert "VPIP" in shown
            ann = next(line for line in shown.splitlines() if "Ann" in line)
            assert ann.split()[3] == "1", "one hand was dealt"
            await driver.press("escape")
            await driver.pilot.pause()
            assert not isinstance(driver.app.screen, Notice)

    asyncio.run(run())


def test_who_goes_out_sees_the_end_of_the_tournament_and_can_play_another() -> None:
    async def run() -> None:
        async with against_callers(20) as driver:
            while not driver.snapshot.ended:
                if driver.can_act:
                    version = driver.snapshot.public.version
                    keys = [HoldemTable.keys[offer.action.tag] for offer in driver.snapshot.menu]
                    await driver.press(next(key for key in "acs" if key in keys))
                    await driver.until(lambda table, seen=version: table.snapshot.public.version > seen)
                elif driver.is_over:
                    hand = driver.snapshot.public.hand
                    await driver.press("enter")
                    await driver.until(lambda table, seen=hand: table.snapshot.public.hand > seen)
                await driver.my_turn_or_over()
            assert "Final ranking" in await driver.notice()
            assert "wins the tournament" in driver.log()
            await driver.press("escape")
            await driver.press("n")
            await driver.until(lambda table: not table.snapshot.ended and table.snapshot.view is not None)
            assert driver.snapshot.view.hand == 1

    asyncio.run(run())


def test_a_round_of_blackjack_is_bet_played_and_explained() -> None:
    async def run() -> None:
        async with table("blackjack", preset="trainer", bots=1) as driver:
            await driver.press("b", "5", "0", "enter")
            await driver.until(lambda table: "Ann bets 50." in table.log())
            await driver.my_turn_or_over()
            while not driver.is_over:
                version = driver.snapshot.public.version
                await driver.press("s")
                await driver.until(lambda table, seen=version: table.snapshot.public.version > seen)
                await driver.my_turn_or_over()
            assert "This round brings you" in driver.log()
            await driver.press("enter")
            await driver.until(lambda table: table.can_act)
            await driver.press("o")
            await driver.until(lambda table: "Ann sits this round out." in table.log())

    asyncio.run(run())


def test_turns_of_sequence_are_played_by_card_arrows_and_clicks() -> None:
    async def run() -> None:
        async with table("sequence", bots=1) as driver:
            first = driver.snapshot.menu[0].action.card_id
            key = str(driver.snapshot.view.private.hand.index(first) + 1)
            await driver.press(key, "down", "up", "right", "enter")
            await driver.until(lambda table: "Ann " in table.log() and table.snapshot.view.turn_number == 3)
            cell = driver.snapshot.menu[0].among[0]
            spot = (3 + 6 * (cell % 10) + 2, 1 + cell // 10)
            await driver.pilot.click("#scene", offset=spot)
            await driver.pilot.pause()
            assert f"[{cell_text(FACES[cell], Words('en'))}" in driver.text("#scene")
            await driver.pilot.click("#scene", offset=spot)
            await driver.until(lambda table: table.snapshot.view.turn_number >= 5 or table.snapshot.ended)
            assert f"on {cell} (" in driver.log()

    asyncio.run(run())


@pytest.mark.parametrize("game", ["poker", "blackjack", "sequence"])
def test_the_table_follows_the_size_of_the_terminal(game: str) -> None:
    async def run() -> None:
        async with table(game) as driver:
            before = driver.text("#scene")
            await driver.pilot.resize_terminal(130, 40)
            await driver.pilot.pause()
            log, scene = driver.app.query_one("#log").region, driver.app.query_one("#scene").region
            assert log.x >= scene.right, "a wide terminal has the story beside the table"
            await driver.pilot.resize_terminal(60, 16)
            await driver.pilot.pause()
            assert driver.app.query_one("#prompt").region.bottom <= 16, "what can be pressed is always on the screen"
            await driver.pilot.resize_terminal(80, 24)
            await driver.pilot.pause()
            assert driver.text("#scene") == before

    asyncio.run(run())


@pytest.mark.parametrize(("language", "word"), [("en", "Fold"), ("ko", "폴드"), ("zh", "弃牌"), ("ru", "Фолд")])
def test_every_language_fits_into_80_columns_with_wide_names(language: str, word: str) -> None:
    async def run() -> None:
        async with table("poker", bots=9, language=language, nickname="가나다라마바사아자차카타파하") as driver:
            assert word in driver.text("#prompt")
            for line in driver.text("#scene").splitlines():
                assert cell_len(line) <= 80, line
            assert driver.app.query_one("#footer").region.bottom == 24
            assert driver.app.query_one("#log").region.height >= 3

    asyncio.run(run())


def test_ascii_draws_with_ascii_alone() -> None:
    async def run() -> None:
        async with table("poker", ascii_only=True) as driver:
            assert driver.text("#scene").isascii()
        async with table("sequence", ascii_only=True) as driver:
            assert driver.text("#scene").isascii()

    asyncio.run(run())


def test_without_colours_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def run() -> None:
        async with table("sequence") as driver:
            assert driver.app.no_color
            assert "[" in driver.text("#scene"), "what can be chosen is marked without colour"

    asyncio.run(run())


def test_quitting_ends_with_the_standing() -> None:
    async def run() -> None:
        async with table("poker", bots=1) as driver:
            await driver.press("q", "q")
            await driver.pilot.pause()
            assert driver.app.return_value is not None
            assert driver.app.return_value[-1] == "Thank you for playing."
            assert any("Ann" in line for line in driver.app.return_value)

    asyncio.run(run())


def test_the_first_screen_asks_for_a_name_and_a_game() -> None:
    """What is typed first replaces the name that was there."""

    async def run() -> None:
        second = [(game, preset) for game, entry in GAMES.items() for preset in entry.presets][1]
        app = StartApp(Words("en"), "Bob", asks_name=True)
        async with app.run_test() as pilot:
            await pilot.press("C", "y", "enter", "down", "enter")
            await pilot.pause()
        assert app.return_value is not None
        wish, name = app.return_value
        assert (wish.game, wish.preset, name) == (*second, "Cy"), "what is typed first replaces the name that was there"

    asyncio.run(run())


def test_escape_on_the_first_screen_plays_nothing() -> None:
    async def run() -> None:
        app = StartApp(Words("en"), "Bob", asks_name=False)
        async with app.run_test() as pilot:
            await pilot.press("escape")
            await pilot.pause()
        assert app.return_value is None

    asyncio.run(run())

"""The host's keys in the terminal: close the room to strangers, let somebody in, turn somebody away, remove somebody.
And the command that makes a token worthless."""

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.assembly.seat import Who, open_session
from croupier.clients.connection import Client, RefusedError
from croupier.clients.join import enter, socket_address
from croupier.clients.plain import LineTable
from croupier.clients.terminal.app import TableApp
from croupier.clients.terminal.session import Wish
from croupier.clients.terminal.words import Words
from tests.clients.tables import Driver
from tests.server.live import live


def test_a_host_asks_to_approve_lets_one_in_locks_the_room_and_turns_one_away() -> None:
    async def run() -> None:
        async with live() as server, open_session(Wish("sequence"), Who("Ann"), server=server.link) as anns:
            app = TableApp(anns, Words("en"))
            code = anns.room.code
            async with (
                app.run_test(size=(80, 24)) as pilot,
                server.client("Bob") as bob,
                server.client("Cai") as cai,
            ):
                driver = Driver(app, pilot, anns)
                await driver.until(lambda table: "[e]" in table.text("#prompt"))
                await driver.press("e")
                await driver.until(lambda table: table.snapshot.public.entry == "approval")
                entering = asyncio.create_task(enter(bob, code))
                await driver.until(lambda table: "Bob" in table.text("#prompt"))
                await driver.press("l")
                await entering
                await driver.until(lambda table: "Bob" in [each.name for each in table.snapshot.public.members])
                await driver.press("e")
                await driver.until(lambda table: table.snapshot.public.entry == "locked")
                with pytest.raises(RefusedError, match="ROOM_LOCKED"):
                    await enter(cai, code)
                await driver.press("e")
                await driver.until(lambda table: table.snapshot.public.entry == "open")
                await driver.press("e")
                await driver.until(lambda table: table.snapshot.public.entry == "approval")
                entering = asyncio.create_task(enter(cai, code))
                await driver.until(lambda table: "Cai" in table.text("#prompt"))
                await driver.press("x")
                with pytest.raises(RefusedError, match="KICKED"):
                    await entering
                assert [each.name for each in driver.snapshot.public.members] == ["Ann", "Bob"]

    asyncio.run(run())


def test_a_host_removes_somebody_by_lines_and_they_stay_out() -> None:
    async def run() -> None:
        async with live() as server, open_session(Wish("sequence"), Who("Ann"), server=server.link) as anns:
            written: list[str] = []
            lines = asyncio.Queue[str | None]()
            playing = asyncio.create_task(LineTable(anns, Words("en"), lines.get, written.append, echo=True).run())
            async with server.client("Bob") as bob:
                await bob.join(anns.room.code)
                await _until(lambda: any("Remove Bob" in line for line in written))
                (line,) = {line for line in written if "Remove Bob" in line}
                lines.put_nowait(line.split()[0])
                await anns.room.wait(lambda room: len(room.state["public"]["members"]) == 1)
                with pytest.raises(RefusedError, match="KICKED"):
                    await bob.join(anns.room.code)
            lines.put_nowait(None)
            await playing

    asyncio.run(run())


def test_a_host_by_lines_is_told_who_asks_and_lets_them_in() -> None:
    async def run() -> None:
        async with live() as server, open_session(Wish("sequence"), Who("Ann"), server=server.link) as anns:
            written: list[str] = []
            lines = asyncio.Queue[str | None]()
            playing = asyncio.create_task(LineTable(anns, Words("en"), lines.get, written.append, echo=True).run())
            lines.put_nowait("e")
            await anns.room.wait(lambda room: room.state["public"]["entry"] == "approval")
            async with server.client("Bob") as bob:
                entering = asyncio.create_task(enter(bob, anns.room.code))
                await _until(lambda: "Bob wants to come in." in written)
                lines.put_nowait("l")
                await entering
                await _until(lambda: any("Remove Bob" in line for line in written))
            lines.put_nowait(None)
            await playing

    asyncio.run(run())


async def _until(condition: Callable[[], bool]) -> None:
    for _ in range(400):
        if condition():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("waited in vain")


def test_names_that_look_like_commands_of_the_screen_are_letters() -> None:
    """Brackets are markup to the library that draws, and would colour the table or break it."""
    name = "[/] [red]X[bold]"

    async def run() -> None:
        async with live() as server, open_session(Wish("sequence"), Who("Ann"), server=server.link) as anns:
            app = TableApp(anns, Words("en"))
            async with app.run_test(size=(80, 24)) as pilot, server.client(f"{name}\x1b[2J") as bob:
                driver = Driver(app, pilot, anns)
                await bob.join(anns.room.code)
                await driver.until(lambda table: f"{name}[2J"[:20] in table.text("#scene"))
                await driver.until(lambda table: f"{name}[2J"[:20] in table.text("#prompt"))
                await bob.request("CHAT_SEND", text="[blink]hello[/] \x1b]0;title\x07 \u202eolleh")
                await driver.until(lambda table: "[blink]hello[/] ]0;title olleh" in " ".join(table.log().split()))

    asyncio.run(run())


def test_signing_out_by_command_makes_the_token_worthless_and_keeps_the_new_one(tmp_path: Path) -> None:
    async def run() -> None:
        async with live() as server:
            async with server.client("Ann") as ann:
                old = ann.token
            (tmp_path / "token").write_text(old)
            command = [sys.executable, "-m", "croupier", "play", "--sign-out", "--server", server.link]
            environment = {**os.environ, "CROUPIER_LANG": "en", "CROUPIER_DATA": str(tmp_path)}
            done = await asyncio.create_subprocess_exec(
                *command, "--token-file", str(tmp_path / "token"), env=environment, stdout=asyncio.subprocess.PIPE
            )
            out, _ = await done.communicate()
            assert (done.returncode, "Signed out everywhere" in out.decode()) == (0, True)
            (kept,) = (tmp_path / "tokens").iterdir()
            new = kept.read_text().strip()
            assert new != old
            assert new not in out.decode()
            address = socket_address(server.link)
            assert address is not None
            with pytest.raises(RefusedError, match="BAD_TOKEN"):
                async with Client(address, token=old):
                    raise AssertionError("the old token still works")
            async with Client(address, token=new) as again:
                assert again.player_id == ann.player_id

    asyncio.run(run())


def test_signing_out_needs_a_server_and_a_token() -> None:
    async def run() -> tuple[int | None, str]:
        environment = {key: value for key, value in os.environ.items() if key != "CROUPIER_TOKEN"}
        done = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "croupier", "play", "--sign-out"),
            env={**environment, "CROUPIER_LANG": "en"},
            stderr=asyncio.subprocess.PIPE,
        )
        _, told = await done.communicate()
        return done.returncode, told.decode()

    code, told = asyncio.run(run())
    assert code == 2
    assert "--server" in told

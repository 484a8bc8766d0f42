"""What rooms cost that everybody has left: a thousand with bots in the middle of a match, beside a server with none.

Each room is opened by a person who adds a bot, starts, and goes. When all rooms sleep, the server's processor time is
measured over some seconds, while they are still in memory and after they were let go, and compared with a server that
has no room.

Run as `python benchmarks/abandoned.py [--rooms 1000] [--seconds 20]`; it ends with 1 if they cost more than 1 % of a
core.
"""

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from croupier.clients.connection import Client
from croupier.clients.environment import Environment
from croupier.server.lobby import SWEEP_SECONDS
from croupier.server.vacancy import EMPTY_SECONDS

SHARE_MAX: Final = 0.01
AT_ONCE: Final = 20
BOUNDS: Final = ("NEWCOMERS_BURST", "ARRIVALS_BURST", "ROOMS_PER_ADDRESS_MAX", "ROOMS_PER_PERSON_MAX", "ROOMS_MAX")
LIMITS: Final = {f"CROUPIER_LIMITS_{bound}": "1000000" for bound in BOUNDS}


def processor_seconds(process: int) -> float:
    """What a process has used so far."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def server() -> Iterator[tuple[int, int]]:
    """The port of a server that takes many rooms of one address, and its process."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "croupier", "serve", "--port", "0", "--lang", "en"]
        command += ["--store", f"sqlite:///{Path(folder) / 'abandoned.db'}"]
        environment = {**os.environ, **LIMITS}
        running = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
        )
        try:
            assert running.stdout is not None
            found = re.search(r":(\d+)/", running.stdout.readline())
            assert found is not None, "the server did not start"
            yield int(found[1]), running.pid
        finally:
            running.terminate()
            running.wait()


async def _abandon(port: int, number: int) -> None:
    """Opens a room, starts a match against a bot, and goes."""
    url = f"ws://127.0.0.1:{port}/ws"
    async with Client(url, nickname=f"p{number}", environment=Environment.in_memory()) as client:
        room = await client.create("poker", preset="cash", options={"seats": 3, "listed": True})
        for _ in range(2):
            await room.command("HOST_ADD_BOT")
        await room.command("HOST_START_GAME")


async def abandon(port: int, rooms: int) -> None:
    for first in range(0, rooms, AT_ONCE):
        await asyncio.gather(*(_abandon(port, number) for number in range(first, min(first + AT_ONCE, rooms))))


def share(process: int, seconds: float) -> float:
    """The part of a core that a process uses."""
    began, used = time.perf_counter(), processor_seconds(process)
    time.sleep(seconds)
    return (processor_seconds(process) - used) / (time.perf_counter() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooms", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=20.0)
    options = parser.parse_args()
    with server() as (_, process):
        time.sleep(2)
        none = share(process, options.seconds)
        print(f"no room                     {none:7.2%} of a core", flush=True)
    with server() as (port, process):
        asyncio.run(abandon(port, options.rooms))
        time.sleep(EMPTY_SECONDS + 1)
        asleep = share(process, min(options.seconds, SWEEP_SECONDS / 2))
        print(f"{options.rooms} rooms, just abandoned  {asleep:7.2%} of a core", flush=True)
        time.sleep(SWEEP_SECONDS + 5)
        later = share(process, options.seconds)
        print(f"{options.rooms} rooms, later           {later:7.2%} of a core", flush=True)
    if later - none > SHARE_MAX:
        raise SystemExit(f"abandoned rooms cost {later - none:.2%} of a core, more than {SHARE_MAX:.0%}")


if __name__ == "__main__":
    main()

"""Two nodes and PostgreSQL as processes under load: whatever fails, nothing acknowledged is lost, and tables go on."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Final

import pytest

from croupier.store.postgres import PostgresStore
from tests.faults.line import Line
from tests.server.crowd import Crowd, hold_every_promise, hold_retries
from tests.server.process import Server, free_port
from tests.store.database import Server as Database
from tests.store.database import new_server

GOES_ON_SECONDS_MAX: Final = 5.0
"""What we promise of machines that have nothing else to do; the long run holds it."""
BUSY_GOES_ON_SECONDS_MAX: Final = 20.0
"""Beside other tests on the same cores, seconds say little: there a table must go on at all."""
PAUSE_SECONDS: Final = 6.0
"""Longer than it takes the others to count a silent node as gone."""
CUT_SECONDS: Final = 4.0


class Deployment:
    """A database, two nodes on it, each over a line that can be cut, and everybody who plays."""

    def __init__(self, database: Database, lines: list[Line], nodes: list[Server], everybody: Crowd) -> None:
        self.database, self.lines, self.nodes, self.everybody = database, lines, nodes, everybody

    @property
    def busiest(self) -> int:
        """The node that would be missed most."""
        return max(range(len(self.nodes)), key=lambda number: self.everybody.at(self.nodes[number].url))


@asynccontextmanager
async def deployment(folder: Path, random: Random, goes_on_seconds_max: float) -> AsyncIterator[Deployment]:
    async with AsyncExitStack() as stack:
        database = await asyncio.to_thread(new_server, fsync="on")
        stack.callback(database.remove)
        lines = [Line(database.port), Line(database.port)]
        for line in lines:
            await line.start()
            stack.push_async_callback(line.close)
        ports = [free_port(), free_port()]
        addresses = " ".join(f"http://127.0.0.1:{port}" for port in ports)
        stores = [database.url().replace(f":{database.port}/", f":{line.port}/") for line in lines]
        nodes = [
            Server(folder / f"node{number}.db", store, port, CROUPIER_NODES=addresses)
            for number, (store, port) in enumerate(zip(stores, ports, strict=True))
        ]
        for node in nodes:
            stack.callback(node.end)
        await asyncio.gather(*(asyncio.to_thread(node.start) for node in nodes))
        everybody = Crowd([node.url for node in nodes], goes_on_seconds_max)
        stack.push_async_callback(everybody.leave)
        await everybody.sit_down(random)
        await everybody.wait_for_progress()
        yield Deployment(database, lines, nodes, everybody)


async def a_node_is_killed(deployment: Deployment, random: Random) -> float:
    node = deployment.nodes[deployment.busiest]
    await asyncio.to_thread(node.kill)
    seconds = await deployment.everybody.wait_for_progress()
    await asyncio.to_thread(node.start)
    return seconds


async def the_database_is_restarted(deployment: Deployment, random: Random) -> float:
    """In order, or as after a crash."""
    await asyncio.to_thread(deployment.database.restart, random.choice((signal.SIGINT, signal.SIGQUIT)))
    return await deployment.everybody.wait_for_progress()


async def a_node_is_cut_off(deployment: Deployment, random: Random) -> float:
    line = deployment.lines[deployment.busiest]
    line.cut()
    cut_until = asyncio.get_running_loop().time() + CUT_SECONDS
    seconds = await deployment.everybody.wait_for_progress()
    await asyncio.sleep(max(0.0, cut_until - asyncio.get_running_loop().time()))
    line.mend()
    return seconds


async def a_node_is_frozen(deployment: Deployment, random: Random) -> float:
    node = deployment.nodes[deployment.busiest]
    os.kill(node.pid, signal.SIGSTOP)
    try:
        frozen_until = asyncio.get_running_loop().time() + PAUSE_SECONDS
        seconds = await deployment.everybody.wait_for_progress()
        await asyncio.sleep(max(0.0, frozen_until - asyncio.get_running_loop().time()))
    finally:
        os.kill(node.pid, signal.SIGCONT)
    return seconds


Fault = Callable[[Deployment, Random], Awaitable[float]]
FAULTS: tuple[Fault, ...] = (a_node_is_killed, the_database_is_restarted, a_node_is_cut_off, a_node_is_frozen)


async def survive(folder: Path, faults: tuple[Fault, ...], seed: int, goes_on_seconds_max: float) -> None:
    random = Random(seed)
    async with deployment(folder, random, goes_on_seconds_max) as there:
        everybody = there.everybody
        for fault in faults:
            await asyncio.sleep(random.uniform(0.0, 1.0))
            seconds = await fault(there, random)
            print(f"{fault.__name__}: every table went on after {seconds:.1f} s")
            await everybody.wait_for_progress()
        await everybody.stop_playing()
        await everybody.rest()
        await hold_retries(everybody, random)
        assert all(room.checker.findings == [] for _, room in everybody.players)
        assert any(client.reconnects for client, _ in everybody.players)
        for node in there.nodes:
            assert (await asyncio.to_thread(node.stop))[0] == 0
            assert "Traceback" not in node.log()
        store = PostgresStore(there.database.url())
        await hold_every_promise(store, everybody)
        await store.close()


def test_nothing_acknowledged_is_lost_when_nodes_and_the_database_fail(tmp_path: Path) -> None:
    asyncio.run(survive(tmp_path, FAULTS, 1, BUSY_GOES_ON_SECONDS_MAX))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(5))
def test_nothing_acknowledged_is_lost_in_fifty_faults(tmp_path: Path, seed: int) -> None:
    asyncio.run(survive(tmp_path, tuple(Random(seed).choices(FAULTS, k=50)), seed, GOES_ON_SECONDS_MAX))
